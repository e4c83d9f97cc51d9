# SPDX-License-Identifier: GPL-3.0-or-later
"""The measuring about itself: self-check."""
import unittest

from command_line import INPUT, SUCCESS, UNAVAILABLE, UNTRUSTWORTHY, USAGE, CommandLineTest
import json

SMALL = ["-i", "synthetic:noise:32x32", "--backend", "reference", "--trials", "3"]


class SelfCheck(CommandLineTest):
    def test_the_exit_code_follows_the_checks(self):
        process = self.start("self-check", *SMALL, "--json")
        out, err = process.communicate(timeout=300)
        r = json.loads(out)
        self.assertEqual((r["schema"], r["schema_version"]), ("parallax.self-check", 1))
        same = r["same_work"]
        self.assertEqual(same["trials"], 3)
        self.assertEqual(same["same"] + same["undecided"] + same["faster"] + same["slower"], 3)
        self.assertEqual([s["true_ratio"] for s in r["slowed"]], [1.25, 1.25])
        self.assertTrue(r["complete"])
        self.assertEqual(r["passed"], same["passed"] and r["stages"]["passed"] and all(s["passed"] for s in r["slowed"]))
        for name in ("timer_resolution", "clock_read", "empty_stage", "run"):
            self.assertGreater(r["overhead_ns"][name], 0, name)
        # Whether it passes is the machine's affair, what follows from it is not.
        self.assertEqual(process.returncode, SUCCESS if r["passed"] else UNTRUSTWORTHY, err)

    def test_text(self):
        process = self.start("self-check", *SMALL)
        out, _ = process.communicate(timeout=300)
        for word in ("same work: 3 trials", "truth 1.2500", "stages: ", "overhead: "):
            self.assertIn(word, out)

    def test_what_cannot_be_checked(self):
        self.cli("self-check", "--backend", "nonsense", code=USAGE)
        self.cli("self-check", "--backend", "reference.nonsense", code=USAGE)
        self.cli("self-check", "--trials", "0", code=USAGE)
        self.cli("self-check", "-i", "missing.png", code=INPUT)
        self.cli("self-check", "--backend", "cuda", environment={"CUDA_VISIBLE_DEVICES": "-1"}, code=UNAVAILABLE)


if __name__ == "__main__":
    unittest.main()
