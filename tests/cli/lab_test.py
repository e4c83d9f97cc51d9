# SPDX-License-Identifier: GPL-3.0-or-later
"""The measuring about itself and its machine: self-check, ceilings."""
import json
import os
import unittest

from command_line import BLUR, INPUT, PATIENCE, SUCCESS, UNAVAILABLE, UNTRUSTWORTHY, USAGE, CommandLineTest

SMALL = ["-i", "synthetic:noise:32x32", "--backend", "reference", "--trials", "3"]


class SelfCheck(CommandLineTest):
    def test_the_exit_code_follows_the_checks(self):
        process = self.start("self-check", *SMALL, "--json")
        out, err = process.communicate(timeout=PATIENCE)
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
        out, _ = process.communicate(timeout=PATIENCE)
        for word in ("same work: 3 trials", "truth 1.2500", "stages: ", "overhead: "):
            self.assertIn(word, out)

    def test_what_cannot_be_checked(self):
        self.cli("self-check", "--backend", "nonsense", code=USAGE)
        self.cli("self-check", "--backend", "reference.nonsense", code=USAGE)
        self.cli("self-check", "--trials", "0", code=USAGE)
        self.cli("self-check", "-i", "missing.png", code=INPUT)
        self.cli("self-check", "--backend", "cuda", environment={"CUDA_VISIBLE_DEVICES": "-1"}, code=UNAVAILABLE)


class Ceilings(CommandLineTest):
    def test_measured_once_and_kept(self):
        here = {"XDG_CACHE_HOME": str(self.path("cache"))}
        first = self.json("ceilings", environment=here)
        self.assertEqual((first["schema"], first["schema_version"], first["measured_before"]), ("parallax.ceilings", 1, False))
        self.assertTrue({"copy", "triad", "fma"} <= {c["name"] for c in first["ceilings"]})
        second = self.json("ceilings", environment=here)
        self.assertTrue(second["measured_before"])
        self.assertEqual(second["ceilings"], first["ceilings"])
        self.assertIn("--fresh", self.cli("ceilings", environment=here)[0])
        record = json.loads(self.bench_quick("-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference", "--json", environment=here)[0])
        self.assertEqual(record["machine"]["ceilings"], first["ceilings"])

    def test_one_number_of_threads_is_not_kept(self):
        here = {"XDG_CACHE_HOME": str(self.path("cache"))}
        self.assertEqual({c["threads"] for c in self.json("ceilings", "--threads", "1", environment=here)["ceilings"]}, {1})
        self.assertEqual(self.leftovers(), [])
        self.cli("ceilings", "--threads", "0", code=USAGE)

    def test_one_backend(self):
        here = {"XDG_CACHE_HOME": str(self.path("cache")), "CUDA_VISIBLE_DEVICES": "-1"}
        # What a processor backend computes on is the processor.
        first = self.json("ceilings", "--backend", "reference", environment=here)
        self.assertTrue(all("backend" not in c for c in first["ceilings"]))
        self.cli("ceilings", "--backend", "cuda", code=UNAVAILABLE, environment=here)
        self.cli("ceilings", "--backend", "nonsense", code=USAGE, environment=here)
        self.cli("ceilings", "--backend", "reference", "--device", "3", code=UNAVAILABLE, environment=here)


class Profile(CommandLineTest):
    WORK = ["-i", "synthetic:noise:64x64", *BLUR, "--backend", "reference"]

    def test_one_run(self):
        j = self.json("profile", *self.WORK, "--warm-up", "2")
        self.assertEqual((j["schema"], j["schema_version"], j["runs"], j["warm_up"]), ("parallax.profile", 1, 1, 2))
        self.assertEqual(j["implementations"], ["convolve / reference / serial"])
        self.assertGreater(j["stages_ns"]["compute"], 0)
        self.assertEqual(j["compute_ns"], j["stages_ns"]["compute"])
        out, err = self.cli("profile", *self.WORK)
        self.assertEqual(out, "")
        self.assertIn("one to look at", err)
        self.assertEqual(self.leftovers(), [])

    def test_perf_is_told_when_to_look(self):
        control, ack = self.path("control"), self.path("ack")
        os.mkfifo(control)
        os.mkfifo(ack)
        # As perf opens them: both ends, so that neither waits for the other.
        with open(os.open(control, os.O_RDWR), "rb", buffering=0) as commands, open(os.open(ack, os.O_RDWR), "wb", buffering=0) as answers:
            process = self.start("profile", *self.WORK, "--perf-control", f"{control},{ack}")
            heard = []
            while len(heard) < 2:
                line = b""
                while not line.endswith(b"\n"):
                    line += commands.read(1)
                heard.append(line)
                self.assertIsNone(process.poll(), "it goes on before the answer")
                answers.write(b"ack\n\0")  # with the zero that perf sends, too
            self.assertEqual(heard, [b"enable\n", b"disable\n"])
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, SUCCESS, err)

    def test_what_cannot_be_profiled(self):
        self.cli("profile", "-i", "synthetic:noise:8x8", *BLUR, code=USAGE)
        self.cli("profile", "-i", "missing.png", *BLUR, "--backend", "reference", code=INPUT)
        self.cli("profile", *self.WORK, "--perf-control", "missing", code=INPUT)
        self.cli("profile", *self.WORK, "--warm-up", "-1", code=USAGE)


if __name__ == "__main__":
    unittest.main()
