# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C at every stage: exit code 130, finished work kept, nothing half-written."""
import json
import signal
import time
import unittest

from command_line import BLUR, INTERRUPTED, CommandLineTest

# Some minutes of work for the reference.
LONG = ["--op", "convolve:kernel=motion,size=127"]


class Interrupt(CommandLineTest):
    def interrupt(self, *arguments, after=1.0, number=signal.SIGINT):
        process = self.start(*arguments)
        self.wait_until_interruptible(process, number)
        time.sleep(after)
        self.assertIsNone(process.poll(), "it ended before it could be interrupted")
        asked = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        return out, err, time.monotonic() - asked

    def test_run_leaves_nothing(self):
        _, _, seconds = self.interrupt("run", "-i", "synthetic:noise:2048x2048", "-o", "a.exr", *LONG, "--backend", "reference", after=1.5)
        self.assertLess(seconds, 5)
        self.assertEqual(self.leftovers(), [])

    def test_run_leaves_the_old_output(self):
        self.path("a.exr").write_text("precious")
        self.interrupt("run", "-i", "synthetic:noise:2048x2048", "-o", "a.exr", *LONG, "--backend", "reference", "--force", number=signal.SIGTERM)
        self.assertEqual(self.path("a.exr").read_text(), "precious")
        self.assertEqual(self.leftovers(), ["a.exr"])

    def test_bench_keeps_the_samples_that_it_has(self):
        out, _, _ = self.interrupt("bench", "--effort", "thorough", "-i", "synthetic:noise:128x128", *BLUR, "--backend", "reference",
                                   "--report", "r.json", after=2)
        self.assertIn("reference", out)
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual(record["entries"][0]["status"], "done")
        self.assertGreater(len(record["entries"][0]["samples_ns"]), 0)
        self.assertEqual(self.leftovers(), ["r.json"])

    def test_bench_before_the_first_sample(self):
        self.interrupt("bench", "-i", "synthetic:noise:2048x2048", *LONG, "--backend", "reference", "--report", "r.json", after=1.5)
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual(record["entries"][0]["status"], "cancelled")

    def test_sweep_keeps_the_points_that_it_has(self):
        self.interrupt("bench", "--effort", "thorough", "-i", "synthetic:noise:64x64", *BLUR, "--backend", "reference",
                       "--sweep", "size=16,32,64,128", "--report", "r.json", after=2)
        self.assertTrue(self.path("r.json").exists())


if __name__ == "__main__":
    unittest.main()
