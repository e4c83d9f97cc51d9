# SPDX-License-Identifier: GPL-3.0-or-later
"""run --strips: images larger than memory, streamed from file to file."""
import json
import resource
import signal
import time
import unittest

from command_line import BLUR, INPUT, MEMORY, OUTPUT, PATIENCE, SAME, TERMINATED, UNAVAILABLE, USAGE, CommandLineTest

REFERENCE = ["--backend", "reference", "--threads", "1"]
MEBI = 1 << 20


def address_space(limit):
    """As ulimit -v."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class Strips(CommandLineTest):
    def make(self, name, size, channels=3):
        self.cli("run", "-i", f"synthetic:noise:{size},channels={channels}", "-o", name, *SAME, *REFERENCE)

    def same(self, a, b):
        self.assertTrue(self.path(a).read_bytes() == self.path(b).read_bytes(), f"{a} and {b} differ")

    def test_matches_a_run_in_memory(self):
        self.make("in.exr", "350x450")
        for backend in ("reference", "openmp.direct", "openmp.separable", "cuda.direct"):
            if not self.available(backend.split(".")[0]):
                continue
            for border in ("replicate", "wrap"):
                work = ["run", "-i", "in.exr", "--op", f"convolve:kernel=gaussian,size=5,border={border}", "--backend", backend, "--force"]
                self.cli(*work, "-o", "whole.exr")
                _, err = self.cli(*work, "-o", "strips.exr", "--strips")
                self.assertIn("requested by --strips", err)
                self.assertIn("peak memory", err)
                self.same("whole.exr", "strips.exr")

    def test_edges_need_no_statistics_of_the_image(self):
        # Squares of these samples are beyond the range of float; a strip knows neither its range nor that of the others.
        larger = ["--op", "convolve:kernel=box,size=1,scale=1e6"]
        self.cli("run", "-i", "synthetic:noise:350x450", "-o", "in.exr", *larger * 4, *REFERENCE)
        for backend in ("reference", "openmp", "cuda"):
            if not self.available(backend):
                continue
            work = ["run", "-i", "in.exr", "--op", "edges:border=reflect", "--backend", backend, "--force"]
            self.cli(*work, "-o", "whole.exr")
            self.cli(*work, "-o", "strips.exr", "--strips")
            self.same("whole.exr", "strips.exr")
            channel = self.json("info", "strips.exr")["items"][0]["channels"][0]
            self.assertEqual((channel["nan"], channel["inf"]), (0, 0))
            self.assertGreater(channel["max"], 1e24)

    def test_json_states_the_memory(self):
        self.make("in.exr", "700x900")
        j = self.json("run", "-i", "in.exr", "-o", "out.exr", *BLUR, *REFERENCE, "--strips")
        self.assertEqual((j["schema"], j["width"], j["height"], j["channels"]), ("parallax.run", 700, 900, ["R", "G", "B"]))
        self.assertEqual(j["implementations"], ["convolve / reference / serial"])
        for stage in ("load", "prepare", "compute", "encode"):
            self.assertGreater(j["stages_ns"][stage], 0, stage)
        strips = j["strips"]
        self.assertGreaterEqual(strips["count"] * strips["rows"], 900)
        self.assertGreater(strips["peak_bytes"], 0)
        self.assertLessEqual(strips["estimated_bytes"], strips["allowed_bytes"])
        self.assertNotIn("strips", self.json("run", "-i", "in.exr", "-o", "whole.exr", *BLUR, *REFERENCE))

    def test_memory_limit_selects_strips_and_is_kept(self):
        self.make("in.exr", "2400x2000", channels=4)
        needed = 2 * 4 * 4 * 2400 * 2000
        least = self.json("run", "-i", "synthetic:noise:8x8", "-o", "small.exr", *BLUR, *REFERENCE)
        self.assertNotIn("strips", least)
        limit = 140
        self.assertGreater(needed, limit * MEBI)
        j = self.json("run", "-i", "in.exr", "-o", "out.exr", *BLUR, *REFERENCE, "--memory-limit", limit)
        self.assertGreater(j["strips"]["count"], 1)
        self.assertEqual(j["strips"]["allowed_bytes"], limit * MEBI)
        self.assertLessEqual(j["strips"]["peak_bytes"], limit * MEBI)
        self.assertIn("allowed", j["strips"]["reason"])
        self.cli("run", "-i", "in.exr", "-o", "whole.exr", *BLUR, *REFERENCE)
        self.same("whole.exr", "out.exr")
        # Without scratch files, unsupported requests are rejected before the computation.
        none = ["--memory-limit", limit, "--scratch", "none"]
        for refused in (["-o", "a.tif", *BLUR], ["-o", "a.exr", *BLUR, *BLUR]):
            _, err = self.cli("run", "-i", "in.exr", *refused, *REFERENCE, *none, code=MEMORY)
            self.assertIn("streaming in strips is not possible", err)
        _, err = self.cli("run", "-i", "synthetic:noise:2400x2000,channels=4", "-o", "a.exr", *BLUR, *REFERENCE, *none, code=MEMORY)
        self.assertIn("allowed", err)
        _, err = self.cli("run", "-i", "in.exr", "-o", "a.exr", *BLUR, *REFERENCE, "--memory-limit", 8, code=MEMORY)
        self.assertIn("smallest", err)
        self.assertEqual(self.leftovers(), ["in.exr", "out.exr", "small.exr", "whole.exr"])

    def test_image_larger_than_the_address_space(self):
        # 120 MB of samples and 120 MB of results, which exceed the address space below.
        self.make("in.exr", "5000x2000")
        work = ["run", "-i", "in.exr", *SAME, *REFERENCE]
        for program in range(40, 4000, 20):  # MiB for libraries and threads
            small = self.start("run", "-i", "synthetic:noise:8x8", "-o", "small.exr", "--force", *SAME, *REFERENCE,
                               preexec_fn=address_space(program * MEBI))
            small.communicate(timeout=PATIENCE)
            if small.returncode == 0:
                break
        else:
            self.skipTest("a small image needs more than 4 GB of address space, as with a sanitizer")
        self.cli(*work, "-o", "out.tif", code=MEMORY, preexec_fn=address_space((program + 160) * MEBI))
        self.assertFalse(self.path("out.tif").exists())
        for more in (120, 160, 220):  # more space means larger strips
            j = self.json(*work, "-o", "out.exr", "--force", preexec_fn=address_space((program + more) * MEBI))
            self.assertGreater(j["strips"]["count"], 1)
            self.assertLess(j["strips"]["peak_bytes"], more * MEBI)
        self.cli(*work, "-o", "whole.exr")
        self.same("whole.exr", "out.exr")

    def test_large_images_overlap(self):
        # 268 MB of samples: two threads, since nothing overlaps with one.
        self.cli("run", "-i", "synthetic:gradient:8192x8192", "-o", "in.exr", *SAME, "--backend", "reference")
        work = ["run", "-i", "in.exr", "--op", "convolve:kernel=box,size=3", "--backend", "openmp" if self.available("openmp") else "reference"]
        j = self.json(*work, "-o", "overlapped.exr", "--threads", 2)
        self.assertGreater(j["strips"]["count"], 2)
        self.assertIn("overlap", j["strips"]["reason"])
        self.assertGreater(j["whole_ns"], max(j["stages_ns"][stage] for stage in ("load", "compute", "encode")))
        whole = self.json(*work, "-o", "whole.exr", "--threads", 1)
        self.assertNotIn("strips", whole)
        self.assertGreaterEqual(whole["whole_ns"], sum(whole["stages_ns"].values()))
        self.same("whole.exr", "overlapped.exr")
        # A damaged file keeps the blocks that can be read, as a small one does.
        data = bytearray(self.path("in.exr").read_bytes())
        data[len(data) // 2:len(data) // 2 + 5000] = b"\x55" * 5000
        self.path("in.exr").write_bytes(data)
        j, err = self.cli(*work, "-o", "damaged.exr", "--threads", 2, "--json")
        self.assertNotIn("strips", json.loads(j))
        self.assertIn("damaged", err)
        self.assertTrue(self.path("damaged.exr").exists())

    def test_truncated_input_leaves_no_output(self):
        self.make("in.exr", "400x900")
        whole = self.path("in.exr").read_bytes()
        self.path("in.exr").write_bytes(whole[:len(whole) // 2])
        _, err = self.cli("run", "-i", "in.exr", "-o", "out.exr", *BLUR, *REFERENCE, "--strips", code=INPUT)
        self.assertIn("Cannot open 'in.exr': rows", err)
        self.assertEqual(self.leftovers(), ["in.exr"])

    def test_rejects_unsupported_requests(self):
        self.make("in.exr", "64x64")
        work = ["run", *BLUR, *REFERENCE, "--strips"]
        for strips in (work, work[:-1]):
            _, err = self.cli(*strips, "-i", "missing.exr", "-o", "out.exr", code=INPUT)
            self.assertIn("Cannot open 'missing.exr': the file does not exist. Check the name", err)
        self.assertIn("in strips", self.cli(*work, "-i", "synthetic:noise:64x64", "-o", "out.exr", code=USAGE)[1])
        self.assertIn("in strips", self.cli(*work, "-i", "in.exr", "-o", "out.png", code=USAGE)[1])
        self.assertIn("one step", self.cli(*work, *BLUR, "-i", "in.exr", "-o", "out.exr", code=USAGE)[1])
        self.cli(*work, "-i", "in.exr", "-o", "in.exr", code=OUTPUT)
        _, err = self.cli("run", "-i", "in.exr", "-o", "out.exr", "--op", "tonemap", *REFERENCE, "--strips", code=UNAVAILABLE)
        self.assertIn("whole image at once", err)
        self.cli(*work, "-i", "in.exr", "-o", "out.exr", "--memory-limit", "0", code=USAGE)
        self.assertEqual(self.leftovers(), ["in.exr"])

    def test_interruption_keeps_the_old_file(self):
        self.make("in.exr", "2048x2048")
        self.path("out.exr").write_text("precious")

        def attempt():
            # Takes the reference minutes.
            process = self.start("run", "-i", "in.exr", "-o", "out.exr", "--op", "convolve:kernel=motion,size=127", *REFERENCE, "--strips", "--force")
            self.assertTrue(self.wait_until_interruptible(process, signal.SIGTERM), "the run ended too early")
            time.sleep(1.5)
            asked = time.monotonic()
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, TERMINATED, err)
            self.assertEqual(self.path("out.exr").read_text(), "precious")
            self.assertEqual(self.leftovers(), ["in.exr", "out.exr"])
            return time.monotonic() - asked

        self.promptly(1, attempt)


if __name__ == "__main__":
    unittest.main()
