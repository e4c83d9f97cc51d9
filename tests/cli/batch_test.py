# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import shutil
import signal
import time
import unittest

from command_line import INPUT, INTERRUPTED, OUTPUT, SUCCESS, USAGE, CommandLineTest, write_png

PARTIAL = 9


class Batch(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.path("in").mkdir()
        for i in (1, 2, 10):
            write_png(self.path(f"in/shot{i}.png"), 20 + i, 9, lambda x, y, i=i: (16 * x % 256, y * i, 3))

    def files(self, folder="out"):
        return sorted(p.name for p in self.path(folder).iterdir()) if self.path(folder).exists() else []

    def test_writes_what_single_runs_write(self):
        _, err = self.cli("run", "-i", "in/*.png", "-o", "out/{name}_{op}.exr", "--op", "convolve:size=3", "--op", "tonemap", "--backend", "reference")
        names = ["shot10_convolve-tonemap.exr", "shot1_convolve-tonemap.exr", "shot2_convolve-tonemap.exr"]
        self.assertEqual(self.files(), names)
        self.assertIn("3 images on reference", err)
        self.assertRegex(err, r"3 done in [0-9.]+ s, [0-9.]+ images a second\n$")
        for i in (1, 2, 10):
            self.cli("run", "-i", f"in/shot{i}.png", "-o", "single.exr", "--op", "convolve:size=3", "--op", "tonemap", "--backend", "reference", "--force")
            self.assertEqual(self.path("single.exr").read_bytes(), self.path(f"out/shot{i}_convolve-tonemap.exr").read_bytes())

    def test_takes_lists_folders_and_patterns(self):
        self.cli("run", "-i", "in/shot1.png", "in/shot10.png", "-o", "list/{number}.pfm")
        self.assertEqual(self.files("list"), ["1.pfm", "2.pfm"])
        self.cli("run", "-i", "in", "-o", "folder/{name}.{ext}")
        self.assertEqual(self.files("folder"), ["shot1.png", "shot10.png", "shot2.png"])
        self.cli("run", "-i", "in/shot[12].png", "-i", "in/shot10.png", "-o", "two/{folder}-{name}.tif")
        self.assertEqual(self.files("two"), ["in-shot1.tif", "in-shot10.tif", "in-shot2.tif"])
        # A pattern that one file matches is that file.
        self.cli("run", "-i", "in/*10.png", "-o", "one.tif")
        self.assertTrue(self.path("one.tif").exists())

    def test_converts_a_single_file(self):
        _, err = self.cli("run", "-i", "in/shot1.png", "-o", "a.exr")
        self.assertIn("note: no operation given; the input is converted", err)
        self.assertIn("wrote a.exr", err)
        self.cli("diff", "in/shot1.png", "a.exr", "--tolerance", "0")
        _, err = self.cli("run", "-i", "in/shot1.png", "-o", "b.exr", "--backend", "reference", code=USAGE)
        self.assertIn("--backend needs an operation", err)

    def test_stops_at_a_failure_or_keeps_going(self):
        self.path("in/shot2.png").write_bytes(self.path("in/shot2.png").read_bytes()[:60])
        batch = ("run", "-i", "in/*.png", "-o", "out/{name}.exr", "--op", "convolve", "--backend", "reference", "--jobs", "1")
        _, err = self.cli(*batch, code=INPUT)
        self.assertEqual(self.files(), ["shot1.exr"])
        self.assertIn("1 done, 1 failed, 1 not run", err)
        self.assertIn("--resume goes on with the others", err)
        shutil.rmtree(self.path("out"))
        out, err = self.cli(*batch, "--keep-going", "--json", code=PARTIAL)
        self.assertEqual(self.files(), ["shot1.exr", "shot10.exr"])
        self.assertRegex(err, r"parallax-cli: in/shot2\.png  Cannot open 'in/shot2\.png': ")
        record = json.loads(out)
        self.assertEqual((record["schema"], record["done"], record["failed"], record["jobs"]), ("parallax.batch", 2, 1, 1))
        self.assertEqual([i["state"] for i in record["items"]], ["done", "failed", "done"])
        self.assertEqual(record["items"][0]["width"], 21)
        self.assertIn("Cannot open", record["items"][1]["error"])

    def test_resumes(self):
        batch = ("run", "-i", "in/*.png", "-o", "out/{name}.exr", "--op", "convolve", "--backend", "reference")
        self.cli(*batch)
        _, err = self.cli(*batch, code=OUTPUT)
        self.assertIn("3 outputs exist, 'out/shot1.exr' among them. Overwrite with --force", err)
        self.path("out/shot2.exr").unlink()
        old = self.path("out/shot1.exr").stat().st_mtime_ns
        _, err = self.cli(*batch, "--resume")
        self.assertIn("1 done, 2 up to date", err)
        self.assertEqual(self.path("out/shot1.exr").stat().st_mtime_ns, old)
        os.utime(self.path("in/shot1.png"), (time.time() + 100, time.time() + 100))
        _, err = self.cli(*batch, "--resume")
        self.assertIn("1 done, 2 up to date", err)
        self.assertGreater(self.path("out/shot1.exr").stat().st_mtime_ns, old)
        self.cli(*batch, "--force")

    def test_keeps_the_samples_of_its_headers(self):
        samples = bytes(range(64))
        self.path("v.raw").write_bytes(samples)
        self.path("v.nhdr").write_text("NRRD0004\ntype: uint8\ndimension: 2\nsizes: 8 8\nencoding: raw\ndata file: v.raw\n")
        _, err = self.cli("run", "-i", "v.nhdr", "-o", "v.raw", "--resume", code=USAGE)
        self.assertIn("The output 'v.raw' is an input of the batch", err)
        _, err = self.cli("run", "-i", "v.nhdr", "-o", "v.raw", "--force", code=OUTPUT)
        self.assertIn("it is a part of the input 'v.nhdr'. Choose another name", err)
        self.assertEqual(self.path("v.raw").read_bytes(), samples)
        self.assertFalse(self.path("v.raw.json").exists())

    def test_names_that_the_system_refuses(self):
        _, err = self.cli("run", "-i", "in/shot1.png", "-o", 300 * "x" + ".png", code=OUTPUT)
        self.assertIn("Choose a shorter name", err)
        self.path("loop.png").symlink_to("loop.png")
        _, err = self.cli("run", "-i", "in/shot1.png", "-o", "loop.png", "--force", code=OUTPUT)
        self.assertIn("Choose another name", err)

    def test_a_dry_run_writes_nothing(self):
        self.path("in/broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        out, err = self.cli("run", "-i", "in", "-o", "out/{name}.exr", "--op", "convolve", "--dry-run", "--jobs", "2", code=INPUT)
        self.assertEqual(self.files(), [])
        self.assertFalse(self.path("out").exists())
        rows = out.splitlines()
        self.assertRegex(rows[0], r"^input +size +memory +output$")
        self.assertRegex(rows[1], r"^in/broken\.png +- +- +Cannot open")
        self.assertRegex(rows[2], r"^in/shot1\.png +21 x 9 +1 MiB +out/shot1\.exr$")
        self.assertIn("nothing was written", err)
        record = self.json("run", "-i", "in/shot1.png", "-o", "one.exr", "--op", "tonemap", "--dry-run")
        self.assertTrue(record["dry_run"])
        self.assertEqual(record["items"][0]["output"], "one.exr")
        self.assertEqual(record["items"][0]["memory_bytes"], 2 * 21 * 9 * 3 * 4)

    def test_notes_are_given_once(self):
        for i in (1, 2, 10):
            self.cli("run", "-i", f"synthetic:noise:{20 + i}x9,channels=4", "-o", f"in/alpha{i}.png")
        _, err = self.cli("run", "-i", "in/alpha*.png", "-o", "out/{name}.hdr")
        notes = [line for line in err.splitlines() if line.startswith("note: in/alpha1.png and 2 others: ")]
        self.assertEqual(len(notes), 1, err)

    def test_mistakes_are_named_before_anything_is_written(self):
        for arguments, words in ((("-i", "in/*.png", "-o", "x.exr"), "have the same output 'x.exr'. Add {name}"),
                                 (("-i", "in/*.png", "-o", "{nam}.exr"), "{nam} stands for nothing"),
                                 (("-i", "in/*.png", "-o", "in/{name}.png", "--force"), "is an input of the batch"),
                                 (("-i", "in/*.png", "-o", "{name}.xyz"), "xyz"),
                                 (("-i", "in/*.png", "-o", "{name}.exr", "--strips"), "--strips is for one image"),
                                 (("-i", "in/*.png", "-o", "{name}.exr", "--op", "convolve:sise=3"), "sise")):
            _, err = self.cli("run", *arguments, code=USAGE)
            self.assertIn(words, err)
        _, err = self.cli("run", "-i", "none/*.png", "-o", "{name}.exr", code=INPUT)
        self.assertIn("No file matches 'none/*.png'", err)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["in"])

    def test_an_interrupt_leaves_whole_files(self):
        def attempt():
            shutil.rmtree(self.path("out"), ignore_errors=True)
            process = self.start("run", "-i", *40 * ["synthetic:noise:900x900"], "-o", "out/{number}.exr", "--op", "convolve:size=31",
                                 "--backend", "reference")
            if not self.wait_until_interruptible(process):
                return None
            time.sleep(0.5)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            err = process.communicate()[1]
            took = time.monotonic() - begin
            self.assertEqual(process.returncode, INTERRUPTED)
            self.assertIn("not run", err)
            for name in self.files():
                self.assertRegex(name, r"^\d+\.exr$")
                self.cli("info", f"out/{name}")
            return took

        self.promptly(1, attempt)


if __name__ == "__main__":
    unittest.main()
