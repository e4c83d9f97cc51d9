# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-check, ceilings and profile."""
import json
import os
import pathlib
import select
import signal
import time
import unittest

from command_line import BLUR, INPUT, PATIENCE, SUCCESS, UNAVAILABLE, UNTRUSTWORTHY, USAGE, CommandLineTest

SMALL = ["-i", "synthetic:noise:32x32", "--backend", "reference"]


class SelfCheck(CommandLineTest):
    def test_exit_code_follows_the_checks(self):
        process = self.start("self-check", *SMALL, "--trials", "2", "--json")
        out, err = process.communicate(timeout=PATIENCE)
        r = json.loads(out)
        self.assertEqual((r["schema"], r["schema_version"]), ("parallax.self-check", 1))
        same = r["same_work"]
        self.assertEqual(same["trials"], 2)
        self.assertEqual(same["same"] + same["undecided"] + same["faster"] + same["slower"], 2)
        self.assertEqual([s["true_ratio"] for s in r["slowed"]], [1.25, 1.25])
        self.assertTrue(r["complete"])
        kernel = r["kernel"]
        self.assertEqual((kernel["skipped"], kernel["trials"]), ("", 2))
        self.assertEqual(kernel["same"] + kernel["undecided"] + kernel["faster"] + kernel["slower"], 2)
        # UNDECIDED is no failure of a backend against itself, but a kernel in a process of its own must be SAME.
        self.assertEqual(kernel["passed"], kernel["same"] == 2)
        self.assertEqual(kernel["same_share"], kernel["same"] / 2)
        cuda = r["cuda_kernel"]
        self.assertEqual(cuda["trials"], 0 if cuda["skipped"] else 2)
        self.assertEqual(r["passed"], all(check["passed"] for check in (same, kernel, cuda, r["stages"], *r["slowed"])))
        for name in ("timer_resolution", "clock_read", "empty_stage", "run"):
            self.assertGreater(r["overhead_ns"][name], 0, name)
        # Whether it passes depends on the machine; the exit code must agree.
        self.assertEqual(process.returncode, SUCCESS if r["passed"] else UNTRUSTWORTHY, err)

    def test_text(self):
        process = self.start("self-check", *SMALL, "--trials", "1")
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertRegex(out, r"kernel in C\+\+ in a process of its own against the same code in this one: SAME in (0|100)\.0 % of 1 trial \(95 % required")
        for word in ("A/A comparison, 1 trial: ", "kernel in CUDA in a process of its own against 'cuda.naive': ", "true ratio 1.2500", "stages: ", "overhead: "):
            self.assertIn(word, out)

    def test_skips_the_kernel_without_a_compiler(self):
        process = self.start("self-check", *SMALL, "--trials", "1", environment={"PATH": "/nowhere"})
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertIn("skipped  kernel in C++ in a process of its own against the same code in this one: Kernels cannot be compiled", out)
        self.assertNotIn("incomplete", out)

    def noting_host(self):
        """A variable that names a host of kernels which notes each of its starts."""
        host = pathlib.Path(os.environ["PARALLAX_CLI"]).with_name("parallax-kernel-host")
        noting = self.path("host.sh")
        noting.write_text(f'#!/bin/sh\necho "$*" >> {self.path("starts.txt")}\nexec {host} "$@"\n')
        noting.chmod(0o755)
        return {"PARALLAX_KERNEL_HOST": str(noting)}

    def kernel_starts(self):
        starts = self.path("starts.txt")
        return len([line for line in starts.read_text().splitlines() if not line.startswith("--")]) if starts.exists() else 0

    def test_each_trial_of_the_kernel_has_a_process_of_its_own(self):
        process = self.start("self-check", *SMALL, "--trials", "3", "--json", environment=self.noting_host())
        out, _ = process.communicate(timeout=PATIENCE)
        # One more loads the kernel when it is opened. Trials that are not SAME end the check early.
        trials = json.loads(out)["kernel"]["trials"]
        self.assertIn(trials, (1, 2, 3))
        self.assertGreaterEqual(self.kernel_starts(), trials + 1)

    def test_names_the_checks_that_it_did_not_reach(self):
        process = self.start("self-check", *SMALL, environment=self.noting_host())
        while self.kernel_starts() < 2:  # the second is the first trial: kernels are compared first
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertIn("not run  A/A comparison\n", out)
        self.assertIn("not run  5 runs against 4\n", out)
        self.assertTrue(out.endswith("incomplete\n"), out)

    def test_invalid_requests(self):
        self.cli("self-check", "--backend", "nonsense", code=USAGE)
        self.cli("self-check", "--backend", "reference.nonsense", code=USAGE)
        self.cli("self-check", "--trials", "0", code=USAGE)
        self.cli("self-check", "-i", "missing.png", code=INPUT)
        self.cli("self-check", "--backend", "cuda", environment={"CUDA_VISIBLE_DEVICES": "-1"}, code=UNAVAILABLE)


class Ceilings(CommandLineTest):
    def test_results_are_saved(self):
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

    def test_chosen_thread_counts_are_not_saved(self):
        here = {"XDG_CACHE_HOME": str(self.path("cache"))}
        self.assertEqual({c["threads"] for c in self.json("ceilings", "--threads", "1", environment=here)["ceilings"]}, {1})
        self.assertEqual(self.leftovers(), [])
        self.cli("ceilings", "--threads", "0", code=USAGE)

    def test_one_backend(self):
        here = {"XDG_CACHE_HOME": str(self.path("cache")), "CUDA_VISIBLE_DEVICES": "-1"}
        # A CPU backend has the ceilings of the CPU.
        first = self.json("ceilings", "--backend", "reference", "--threads", "1", environment=here)
        self.assertTrue(all("backend" not in c for c in first["ceilings"]))
        self.cli("ceilings", "--backend", "cuda", code=UNAVAILABLE, environment=here)
        self.cli("ceilings", "--backend", "nonsense", code=USAGE, environment=here)
        self.cli("ceilings", "--backend", "reference", "--device", "3", code=UNAVAILABLE, environment=here)


class Profile(CommandLineTest):
    WORK = ["-i", "synthetic:noise:64x64", *BLUR, "--backend", "reference"]

    def test_profiles_one_run(self):
        j = self.json("profile", *self.WORK, "--warm-up", "2")
        self.assertEqual((j["schema"], j["schema_version"], j["runs"], j["warm_up"]), ("parallax.profile", 1, 1, 2))
        self.assertEqual(j["implementations"], ["convolve / reference / serial"])
        self.assertGreater(j["stages_ns"]["compute"], 0)
        self.assertEqual(j["compute_ns"], j["stages_ns"]["compute"])
        out, err = self.cli("profile", *self.WORK)
        self.assertEqual(out, "")
        self.assertIn("3 warm-up runs and 1 profiled run: ", err)
        self.assertEqual(self.leftovers(), [])

    def test_controls_perf(self):
        control, ack = self.path("control"), self.path("ack")
        os.mkfifo(control)
        os.mkfifo(ack)
        # Opened for reading and writing as perf does, so that neither side blocks.
        with open(os.open(control, os.O_RDWR), "rb", buffering=0) as commands, open(os.open(ack, os.O_RDWR), "wb", buffering=0) as answers:
            process = self.start("profile", *self.WORK, "--perf-control", f"{control},{ack}")
            heard = []
            while len(heard) < 2:
                line = b""
                while not line.endswith(b"\n"):
                    if select.select([commands], [], [], 0.1)[0]:
                        line += commands.read(1)
                    elif process.poll() is not None:
                        self.fail(f"it ended without a command: {process.communicate()}")
                heard.append(line)
                self.assertIsNone(process.poll(), "it continued before the answer")
                answers.write(b"ack\n\0")  # perf sends a zero byte too
            self.assertEqual(heard, [b"enable\n", b"disable\n"])
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, SUCCESS, err)

    def test_invalid_requests(self):
        self.cli("profile", "-i", "synthetic:noise:8x8", *BLUR, code=USAGE)
        self.cli("profile", "-i", "missing.png", *BLUR, "--backend", "reference", code=INPUT)
        self.cli("profile", *self.WORK, "--perf-control", "missing", code=INPUT)
        self.cli("profile", *self.WORK, "--warm-up", "-1", code=USAGE)


if __name__ == "__main__":
    unittest.main()
