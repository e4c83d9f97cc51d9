# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals in every phase: exit code 128 and their number, finished results kept, no partial files."""
import json
import os
import pathlib
import pty
import re
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "fuzz"))
import bombs  # noqa: E402
from command_line import INTERRUPTED, PATIENCE, SAME, SUCCESS, TERMINATED, CommandLineTest  # noqa: E402

# Takes the reference minutes.
LONG = ["--op", "convolve:kernel=motion,size=127"]


class Interrupt(CommandLineTest):
    def interrupt(self, *arguments, after=1.0, number=signal.SIGINT):
        """Interrupts a long run; returns the seconds until the program ended."""
        process = self.start(*arguments)
        self.assertTrue(self.wait_until_interruptible(process, number), "the run ended too early")
        time.sleep(after)
        asked = time.monotonic()
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 128 + number, err)
        return time.monotonic() - asked

    def interrupt_once(self, shown, *arguments):
        """Interrupts as soon as `shown` appears on the terminal."""
        for _ in range(5):
            for written in self.folder.iterdir():  # left by an attempt that completed
                written.unlink()
            text = ""
            ours, theirs = pty.openpty()
            process = self.start(*arguments, stdout=theirs, stderr=theirs)
            os.close(theirs)
            asked = False
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:  # end of output
                    part = b""
                if not part:
                    break
                text += part.decode(errors="replace")
                if not asked and re.search(shown, text):
                    process.send_signal(signal.SIGINT)
                    asked = True
            os.close(ours)
            process.wait(timeout=PATIENCE)
            self.assertTrue(asked, text)
            if process.returncode != SUCCESS:
                self.assertEqual(process.returncode, INTERRUPTED, text)
                return
        self.fail("it ends before the interruption")

    def test_run_leaves_no_file(self):
        def attempt():
            seconds = self.interrupt("run", "-i", "synthetic:noise:2048x2048", "-o", "a.exr", *LONG, "--backend", "reference", after=1.5)
            self.assertEqual(self.leftovers(), [])
            return seconds

        self.promptly(5, attempt)

    def test_run_keeps_the_old_output(self):
        self.path("a.exr").write_text("precious")
        self.interrupt("run", "-i", "synthetic:noise:2048x2048", "-o", "a.exr", *LONG, "--backend", "reference", "--force", number=signal.SIGTERM)
        self.assertEqual(self.path("a.exr").read_text(), "precious")
        self.assertEqual(self.leftovers(), ["a.exr"])

    def test_bench_keeps_its_samples(self):
        # 30 samples or more of a tenth of a second.
        self.interrupt_once("measuring: reference [1-9]", "bench", "--effort", "thorough", "-i", "synthetic:noise:128x128",
                            "--op", "convolve:kernel=motion,size=63", "--backend", "reference", "--report", "r.json")
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual(record["entries"][0]["status"], "done")
        self.assertGreater(len(record["entries"][0]["samples_ns"]), 0)
        self.assertEqual(self.leftovers(), ["r.json"])

    def test_bench_before_the_first_sample(self):
        # No report is written before the input is loaded; afterwards one run takes minutes.
        for after in (1.5, 5, 15, 45, 90):
            self.interrupt("bench", "-i", "synthetic:noise:2048x2048", *LONG, "--backend", "reference", "--report", "r.json", after=after)
            if self.path("r.json").exists():
                break
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual(record["entries"][0]["status"], "cancelled")
        # It replaces no report, even with --force.
        self.path("r.json").write_text("precious")
        self.interrupt("bench", "-i", "synthetic:noise:2048x2048", *LONG, "--backend", "reference", "--report", "r.json", "--force", after=after)
        self.assertEqual(self.path("r.json").read_text(), "precious")

    def test_sweep_keeps_finished_points(self):
        # The second point takes minutes.
        self.interrupt_once("size=16[^0-9][^|]*reference", "bench", "--effort", "quick", "-i", "synthetic:noise:64x64", *LONG,
                            "--backend", "reference", "--sweep", "size=16,2048", "--report", "r.json")
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual((record["sweep"]["value"], record["entries"][0]["status"]), ("16", "done"))


class Readers(CommandLineTest):
    """`info` ends within a second of a signal while it reads a file of any format."""

    def make_files(self):
        for name in ("a.exr", "a.png", "a.tif", "a.hdr", "a.pfm", "a.jpg"):
            self.cli("run", "-i", "synthetic:noise:3000x2000,channels=3", "-o", name, *SAME)
            yield name
        for name in ("a.nii.gz", "a.raw"):
            self.cli("run", "-i", "synthetic:noise:300x300x150", "-o", name, *SAME)
            yield name
        zeros = bombs.gzip_member(bytes(bombs.ZEROS))
        for name, content in (("skipped.nrrd", bombs.nrrd("4 4 4", more="byte skip: 2147483647\n") + zeros * 33),
                              ("samples.nrrd", bombs.nrrd("1024 1024 64") + zeros),
                              ("samples.mha", bombs.mha("1024 1024 64") + bombs.zlib.compress(bytes(bombs.ZEROS))),
                              ("samples.dcm", bombs.dicom_deflated(8192, 2)),
                              ("texts.png", bombs.png(bombs.png_chunk(b"tEXt", b"k\0v") * 300000)),
                              ("strips.tif", bombs.tiff(8000, 8000, bombs.zlib.compress(bytes(8000)), 1))):
            self.path(name).write_bytes(content)
            yield name

    def test_end_within_a_second(self):
        for name in self.make_files():
            with self.subTest(name):
                begin = time.monotonic()
                self.cli("info", name, "--allow-large")
                whole = time.monotonic() - begin
                waits = iter((0.3, 0.15, 0.5, 0.05, 0.7, 0.02, 0.4, 0))

                def attempt():
                    process = self.start("info", name, "--allow-large")
                    if not self.wait_until_interruptible(process, signal.SIGTERM):
                        return None
                    time.sleep(whole * next(waits))
                    asked = time.monotonic()
                    process.send_signal(signal.SIGTERM)
                    process.communicate(timeout=PATIENCE)
                    seconds = time.monotonic() - asked
                    if process.returncode == SUCCESS:
                        return None  # it was done
                    self.assertEqual(process.returncode, TERMINATED)
                    return seconds

                # The watchdog waits a second before it ends work that does not stop.
                self.promptly(1.2, attempt, attempts=8)
            self.path(name).unlink()


if __name__ == "__main__":
    unittest.main()
