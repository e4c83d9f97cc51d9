# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import subprocess
import unittest

from command_line import BLUR, INPUT, MEMORY, OUTPUT, SAME, UNAVAILABLE, USAGE, CommandLineTest, write_png


class Run(CommandLineTest):
    def test_prints_what_ran_to_stderr(self):
        out, err = self.cli("run", "-i", "synthetic:noise:32x24", "-o", "a.exr", *BLUR, "--backend", "reference")
        self.assertEqual(out, "")
        self.assertIn("convolve / reference / serial on ", err)
        for stage in ("load", "prepare", "compute", "encode"):
            self.assertIn(stage + " ", err)
        self.assertIn("wrote a.exr", err)
        self.assertEqual(self.leftovers(), ["a.exr"])

    def test_prints_versioned_json_to_stdout(self):
        j = self.json("run", "-i", "synthetic:noise:32x24,channels=3", "-o", "a.exr", *BLUR, "--backend", "reference")
        self.assertEqual((j["schema"], j["schema_version"]), ("parallax.run", 1))
        self.assertEqual((j["width"], j["height"], j["channels"]), (32, 24, ["R", "G", "B"]))
        self.assertEqual(j["backend"], "reference")
        self.assertGreater(j["stages_ns"]["compute"], 0)
        self.assertGreaterEqual(j["end_to_end_ns"], j["compute_ns"])

    def test_identity_keeps_a_png(self):
        write_png(self.path("in.png"), 7, 5, lambda x, y: (40 * x % 256, 50 * y % 256, (x * y) % 256))
        self.cli("run", "-i", "in.png", "-o", "out.png", *SAME, "--backend", "reference")
        a, b = self.json("info", "in.png", "out.png")["items"]
        self.assertEqual(a["channels"], b["channels"])
        self.assertEqual(self.json("diff", "in.png", "out.png")["max_abs"], 0)

    def test_known_answer(self):
        # A 3 x 3 box over an impulse of 1 gives 1/9 around it.
        self.cli("run", "-i", "synthetic:impulse:9x9", "-o", "a.exr", "--op", "convolve:kernel=box,size=3", "--backend", "reference")
        samples = self.json("info", "a.exr", "--at", "3,3", "--at", "4,4", "--at", "2,4")["items"][0]["samples"]
        values = [s["values"]["Y"] for s in samples]
        self.assertAlmostEqual(values[0], 1 / 9, places=3)
        self.assertAlmostEqual(values[1], 1 / 9, places=3)
        self.assertEqual(values[2], 0)

    def test_several_operations_run_in_order(self):
        two = ["--op", "convolve:kernel=box,size=3", "--op", "convolve:kernel=box,size=3"]
        self.cli("run", "-i", "synthetic:impulse:9x9", "-o", "a.exr", *two, "--backend", "reference")
        values = self.json("info", "a.exr", "--at", "2,4")["items"][0]["samples"][0]["values"]
        self.assertAlmostEqual(values["Y"], 3 / 81, places=3)

    def test_parts_give_the_same_file(self):
        blurs = ["--op", "convolve:kernel=gaussian,size=9,border=wrap", "--op", "convolve:kernel=unsharp"]
        toned = ["--op", "convolve:kernel=gaussian,size=9,border=wrap", "--op", "tonemap", "--op", "convolve:kernel=unsharp"]
        for backend in [b for b in ("reference", "openmp") if self.available(b)]:
            # Statistics of tone mapping are those of blocks of 65,536 pixels, which are not divided.
            for size, steps in (("70x50", blurs), ("9000x40", toned)):
                image = ["-i", f"synthetic:hdr-ramp:{size},channels=3"]
                self.cli("run", *image, "-o", "whole.exr", *steps, "--backend", backend, "--force")
                for parts in (2, 7, 60):
                    j = self.json("run", *image, "-o", "parts.exr", *steps, "--backend", f"{backend}@{parts}", "--force")
                    self.assertEqual(j["label"], f"{backend}@{parts}")
                    self.assertGreaterEqual(j["threads"], parts)
                    self.assertEqual(self.json("diff", "whole.exr", "parts.exr")["max_abs"], 0, f"{backend}, {parts} parts, {size}")

    def test_parts_are_refused_with_the_reason(self):
        if self.available("opencv"):
            _, err = self.cli("run", "-i", "synthetic:noise:16x16", "-o", "a.exr", "--op", "convolve", "--backend", "opencv@2", code=UNAVAILABLE)
            self.assertIn("convolve / filter2d: It needs the whole image at once", err)
        self.cli("run", "-i", "synthetic:noise:16x16", "-o", "a.exr", *SAME, "--backend", "reference@0", code=USAGE)
        self.assertEqual(self.leftovers(), [])

    def test_recipe_matches_its_steps(self):
        step = {"operation": "convolve", "parameters": {"kernel": "box", "size": 3}}
        self.path("r.json").write_text(json.dumps({"schema": "parallax.recipe", "schema_version": 1, "steps": [step]}))
        self.cli("run", "-i", "synthetic:noise:16x16", "-o", "a.exr", "--recipe", "r.json", "--backend", "reference")
        self.cli("run", "-i", "synthetic:noise:16x16", "-o", "b.exr", "--op", "convolve:kernel=box,size=3", "--backend", "reference")
        self.assertEqual(self.json("diff", "a.exr", "b.exr")["max_abs"], 0)

    def test_invalid_recipes(self):
        self.cli("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", "--recipe", "missing.json", code=INPUT)
        self.path("bad.json").write_text('{"schema": "parallax.recipe", "schema_version": 1, "steps": [{"operation": "convolve", "parameters": {"sise": 3}}]}')
        _, err = self.cli("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", "--recipe", "bad.json", code=INPUT)
        self.assertIn("sise", err)
        self.cli("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", "--recipe", "bad.json", *BLUR, code=USAGE)

    def test_depth_and_encoding(self):
        work = ["run", "-i", "synthetic:gradient:32x8,channels=3", *SAME, "--backend", "reference", "--force"]
        for depth, kind in (("8", "uint8"), ("16", "uint16")):
            for encoding in ("srgb", "linear"):
                self.cli(*work, "-o", "a.png", "--depth", depth, "--encoding", encoding)
                self.assertEqual(self.json("info", "a.png")["items"][0]["channels"][0]["type"], kind)
                self.cli(*work, "-o", "a.exr")
                # Linear samples are equal within the quantisation, which for 8-bit sRGB is coarsest near white.
                self.cli("diff", "a.exr", "a.png", "--tolerance", "0.005" if depth == "8" else "0.00002")
        self.cli(*work, "-o", "half.exr", "--depth", "half")
        self.assertEqual(self.json("info", "half.exr")["items"][0]["channels"][0]["type"], "half")
        for bad in (["-o", "b.exr", "--depth", "8"], ["-o", "b.jpg", "--encoding", "linear"], ["-o", "b.png", "--depth", "12"]):
            self.cli(*work, *bad, code=USAGE)
            self.assertNotIn(bad[1], self.leftovers())

    def test_compression(self):
        work = ["run", "-i", "synthetic:zone-plate:300x200,channels=3", *SAME, "--backend", "reference"]
        for level in ("fast", "default", "small"):
            self.cli(*work, "-o", level + ".png", "--compression", level)
            self.cli("diff", "fast.png", level + ".png", "--tolerance", "0")
        self.assertLess(os.path.getsize(self.path("small.png")), os.path.getsize(self.path("fast.png")))
        _, err = self.cli(*work, "-o", "a.exr", "--compression", "small", code=USAGE)
        self.assertIn("png, nii.gz", err)
        self.cli(*work, "-o", "a.png", "--compression", "best", code=USAGE)

    def test_filters_encoded_values_on_request(self):
        # The mean of the codes 0 and 200 along an edge: 100 of encoded values, more in linear light.
        write_png(self.path("edge.png"), 4, 3, lambda x, y: (200 if x > 1 else 0,) * 3)
        box = ("--op", "convolve:kernel=custom,weights='0.5 0.5',anchor-x=0", "--backend", "reference", "--force")
        codes = {}
        for light in ("linear", "encoded"):
            j = self.json("run", "-i", "edge.png", "-o", "a.png", "--light", light, *box)
            self.assertEqual(j.get("light", "linear"), light)
            value = self.json("info", "a.png", "--at", "1,1")["items"][0]["samples"][0]["values"]["G"]
            codes[light] = round(255 * (1.055 * value ** (1 / 2.4) - 0.055))
        self.assertEqual(codes["encoded"], 100)
        self.assertGreater(codes["linear"], 140)
        self.assertIn(b"Colours as encoded values", self.path("a.png").read_bytes())
        # Nothing but the rounding of codes is lost on the way.
        self.cli("run", "-i", "edge.png", "-o", "b.png", "--light", "encoded", *SAME, "--backend", "reference")
        self.cli("diff", "edge.png", "b.png", "--tolerance", "0")
        self.cli("run", "-i", "synthetic:noise:8x8x4", "-o", "c.nii", "--light", "encoded", *SAME, code=USAGE)
        self.cli("run", "-i", "edge.png", "-o", "c.exr", "--light", "encoded", "--strips", *SAME, code=USAGE)

    def test_notes_images_that_look_empty(self):
        nothing = ("--op", "convolve:kernel=custom,weights=0", "--backend", "reference")
        _, err = self.cli("run", "-i", "synthetic:noise:8x6,channels=4", "-o", "a.png", *nothing)
        self.assertIn("look empty", err)
        self.assertIn("--no-alpha", err)
        _, err = self.cli("run", "-i", "synthetic:noise:8x6,channels=4", "-o", "b.png", "--no-alpha", *nothing)
        self.assertNotIn("look empty", err)
        self.assertEqual(len(self.json("info", "b.png")["items"][0]["channels"]), 3)
        _, err = self.cli("run", "-i", "synthetic:noise:8x6,channels=4", "-o", "c.exr", "--no-alpha", *nothing, code=USAGE)
        self.assertIn("keeps every channel", err)

    def test_states_the_default_backend(self):
        _, err = self.cli("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR)
        self.assertRegex(err, "note: using backend \\w+ \\(choose another with --backend\\)")

    def test_backends_agree(self):
        for backend in ("openmp", "opencv"):
            self.need(backend)
        for backend in ("reference", "openmp", "opencv"):
            self.cli("run", "-i", "synthetic:zone-plate:64x48,channels=3", "-o", backend + ".exr", *BLUR, "--backend", backend)
        for backend in ("openmp", "opencv"):
            self.cli("diff", "reference.exr", backend + ".exr", "--tolerance", "0.001")

    def test_reports_threads(self):
        self.need("openmp")
        j = self.json("run", "-i", "synthetic:noise:64x64", "-o", "a.exr", *BLUR, "--backend", "openmp", "--threads", "1")
        self.assertEqual(j["threads"], 1)

    def test_existing_output_needs_force(self):
        self.path("a.exr").write_text("precious")
        # The missing input would fail later: the output is checked first.
        _, err = self.cli("run", "-i", "missing.png", "-o", "a.exr", *BLUR, code=OUTPUT)
        self.assertIn("--force", err)
        self.assertEqual(self.path("a.exr").read_text(), "precious")
        self.cli("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--force")
        self.assertEqual(self.json("info", "a.exr")["items"][0]["width"], 8)

    def test_failed_run_keeps_the_old_output(self):
        self.path("a.exr").write_text("precious")
        self.cli("run", "-i", "missing.png", "-o", "a.exr", *BLUR, "--force", code=INPUT)
        self.assertEqual(self.path("a.exr").read_text(), "precious")
        self.assertEqual(self.leftovers(), ["a.exr"])

    def test_input_may_be_the_output(self):
        write_png(self.path("a.png"), 8, 8, lambda x, y: (x * 30, y * 30, 0))
        self.cli("run", "-i", "a.png", "-o", "a.png", *BLUR, "--force")
        self.assertEqual(self.leftovers(), ["a.png"])

    def test_unwritable_outputs(self):
        for output in ("missing/a.exr", "/proc/a.exr", "/dev/full/a.exr"):
            self.cli("run", "-i", "synthetic:noise:8x8", "-o", output, *BLUR, code=OUTPUT)
        self.path("folder.exr").mkdir()
        self.cli("run", "-i", "synthetic:noise:8x8", "-o", "folder.exr", *BLUR, "--force", code=OUTPUT)

    def test_unknown_output_format(self):
        process = self.start("run", "-i", "synthetic:noise:8x8", "-o", "a.xyz", *BLUR)
        _, err = process.communicate()
        self.assertIn(process.returncode, (USAGE, OUTPUT))
        self.assertIn("a.xyz", err)

    def test_unavailable_backend(self):
        _, err = self.cli("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--backend", "cuda",
                          environment={"CUDA_VISIBLE_DEVICES": "-1"}, code=UNAVAILABLE)
        self.assertIn("cuda", err)
        self.assertEqual(self.leftovers(), [])

    def test_image_larger_than_memory(self):
        _, err = self.cli("run", "-i", "synthetic:noise:2000000x2000000", "-o", "a.exr", *BLUR, code=MEMORY)
        self.assertIn("emory", err)
        self.assertEqual(self.leftovers(), [])

    def test_names_with_spaces_and_non_ascii(self):
        name = "a b'\u00e9\u4e2d.png"
        write_png(self.path(name), 4, 4, lambda x, y: (x, y, 0))
        self.cli("run", "-i", name, "-o", "o " + name, *SAME)
        self.assertEqual(self.json("info", "o " + name)["items"][0]["path"], "o " + name)

    def test_peak_memory(self):
        """At most 3 x the image and 100 MB."""
        self.need("openmp")
        if "sanitizers" in self.cli("--version")[0]:
            self.skipTest("sanitizers keep memory of their own")
        image = 2048 * 2048 * 3 * 4
        process = self.start("run", "-i", "synthetic:noise:2048x2048,channels=3", "-o", "a.exr", *BLUR, "--backend", "openmp",
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertLess(usage.ru_maxrss * 1024, 3 * image + 100e6)


if __name__ == "__main__":
    unittest.main()
