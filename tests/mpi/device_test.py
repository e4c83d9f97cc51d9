# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranks on CUDA devices, which the emulated device gives every machine: the samples of one process, and errors of one rank."""
import json
import os
import pathlib
import subprocess
import sys
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from worker_test import MEMORY, UNAVAILABLE, Ends as EndsOfRanks, WorkerTest  # noqa: E402

# Takes a minute: conjugate gradients, whose kernels wait for each other.
LONG = ["-i", "synthetic:noise:700x700", "--op", "poisson", "--backend", "cuda.cg"]


class DeviceTest(WorkerTest):
    def setUp(self):
        super().setUp()
        # Fewer devices than most tests have ranks: they share them.
        self.use_devices(2)
        self.need("cuda")

    def use_devices(self, count):
        devices = unittest.mock.patch.dict(os.environ, PARALLAX_EMULATED_DEVICES=str(count))
        devices.start()
        self.addCleanup(devices.stop)


class Run(DeviceTest):
    def test_writes_the_bytes_of_one_device(self):
        steps = ["--op", "convolve:size=7", "--op", "wavelet-denoise", "--op", "convolve:size=3"]
        self.assert_same("image.exr", "synthetic:noise:90x71,channels=3", steps, [1, 2, 3], "cuda")
        self.assert_same("blocking.exr", "synthetic:noise:90x71", ["--op", "convolve:size=5,border=wrap"], [3], "cuda+blocking", at_once="cuda")

    def test_adds_sums_as_several_devices_of_one_process_do(self):
        input = "synthetic:noise:400x310,channels=3"
        for operator in ("global", "local", "histogram"):
            steps = ["--op", f"tonemap:operator={operator}"]
            self.assert_same(f"{operator}.exr", input, steps, [2], "cuda", at_once="cuda@2")
            out, _ = self.worker(2, "run", "-i", input, *steps, "-o", "ranks.exr", "--backend", "cuda", "--json", "--force")
            one = self.json("run", "-i", input, *steps, "-o", "one.exr", "--backend", "cuda@2", "--force")
            self.assertEqual(json.loads(out)["findings"], one["findings"])

    def test_divides_volumes_and_changes_sizes(self):
        self.assert_same("volume.nii", "synthetic:shepp-logan:40x30x9", ["--op", "convolve:size=3", "--op", "wavelet-denoise"], [3], "cuda")
        self.assert_same("round.exr", "synthetic:zone-plate:61x47", ["--op", "dwt:levels=2", "--op", "idwt"], [3], "cuda")

    def test_computes_with_more_ranks_than_rows(self):
        self.assert_same("thin.exr", "synthetic:noise:50x2", ["--op", "convolve:size=5,border=reflect"], [3], "cuda")

    def test_streams_strips_of_files(self):
        self.cli("run", "-i", "synthetic:noise:90x71", "-o", "in.exr", "--op", "convolve:kernel=box,size=1")
        self.assert_same("strips.exr", "in.exr", ["--op", "convolve:size=5"], [2], "cuda", options=["--strips"])

    def test_solves_with_the_kernels_of_several_devices(self):
        self.use_devices(3)
        self.assert_same("poisson.exr", "synthetic:noise:40x30", ["--op", "poisson"], [3], "cuda.cg", at_once="cuda.cg@3")
        self.assert_same("cycles.exr", "synthetic:noise:60x50", ["--op", "poisson"], [2], "cuda.multigrid", at_once="cuda.multigrid@2")
        self.assert_same("diffused.exr", "synthetic:noise:30x20", ["--op", "diffuse:weights=perona-malik"], [2], "cuda.cg",
                         at_once="cuda.cg@2")
        fireflies = ["--op", "fill:missing=fireflies,factor=1.5"]
        self.assert_same("filled.exr", "synthetic:noise:40x30", fireflies, [3], "cuda.cg", at_once="cuda.cg@3")

    def test_solves_several_steps_on_fewer_devices_than_ranks(self):
        self.use_devices(1)
        steps = ["--op", "poisson", "--op", "convolve:size=3", "--op", "diffuse"]
        self.worker(2, "run", "-i", "synthetic:noise:30x20", "-o", "ranks.exr", *steps, "--backend", "cuda")
        self.cli("run", "-i", "synthetic:noise:30x20", "-o", "one.exr", *steps, "--backend", "cuda")
        self.assertLess(self.json("diff", "one.exr", "ranks.exr")["max_abs"], 1e-4)

    def test_describes_the_run(self):
        out, _ = self.worker(2, "run", "-i", "synthetic:noise:50x40", "-o", "out.exr", "--op", "convolve", "--backend", "cuda", "--json")
        run = json.loads(out)
        self.assertEqual(run["label"], "cuda@2")
        self.assertIn("on 2 ranks, which exchange through page-locked host memory", json.dumps(run))
        for stage in ("upload", "compute", "exchange", "download"):
            self.assertIn(stage, run["stages_ns"])

    def test_takes_the_devices_that_are_named(self):
        arguments = ["run", "-i", "synthetic:noise:50x40", "-o", "out.exr", "--op", "convolve", "--backend", "cuda", "--force"]
        self.worker(3, *arguments, "--device", "1,0")
        self.worker(2, *arguments, "--device", "1")
        _, err = self.worker(2, *arguments, "--device", "2", code=UNAVAILABLE)
        self.assertIn("no device 2", err)
        _, err = self.worker(2, *arguments, "--device", "0,5", code=UNAVAILABLE)
        self.assertRegex(err, r"(?m)^parallax-worker: .*CUDA device 5 does not exist.*; rank 1 on \S+")
        self.assertEqual(err.count("parallax-worker: "), 1, err)

    def test_measures_ranks_beside_one_device(self):
        with unittest.mock.patch.dict(os.environ, PARALLAX_SAMPLING_SECONDS="0.05"):
            self.worker(2, "bench", "--effort", "quick", "-i", "synthetic:noise:60x50", "--op", "convolve:size=5", "--backend", "cuda.direct@1",
                        "--backend", "cuda.direct", "--backend", "cuda.direct+blocking", "--report", "ranks.json")
        record = json.loads(self.path("ranks.json").read_text())
        self.assertEqual([(e["label"], e["verification"]) for e in record["entries"]],
                         [("cuda.direct", "agrees"), ("cuda.direct@2", "agrees"), ("cuda.direct+blocking@2", "agrees")])
        self.assertGreater(record["entries"][1]["traffic"]["bytes"], 0)


class Backend(DeviceTest):
    """The ranks that the command line starts."""

    def setUp(self):
        super().setUp()
        self.need("mpi")

    def test_offers_devices_to_ranks(self):
        ranks = next(b for b in self.json("devices")["backends"] if b["id"] == "mpi")
        self.assertIn("cuda", [i["variant"] for i in ranks["implementations"] if i["operation"] == "convolve"])
        self.assertIn("cuda.direct", [i["variant"] for i in ranks["implementations"] if i["operation"] == "convolve"])

    def test_computes_the_samples_of_one_device(self):
        for name, backend, steps in [("a.nii", "cuda", ["--op", "convolve:size=5", "--op", "wavelet-denoise"]),
                                     ("b.nii", "cuda@2", ["--op", "tonemap"])]:
            self.cli("run", "-i", "synthetic:noise:90x71", *steps, "-o", f"one-{name}", "--backend", backend)
            run = self.json("run", "-i", "synthetic:noise:90x71", *steps, "-o", name, "--backend", "mpi.cuda@2")
            self.assertEqual(self.path(name).read_bytes(), self.path(f"one-{name}").read_bytes(), name)
            self.assertIn("Emulated device", run["device"])

    def test_starts_a_rank_for_each_device_unless_ranks_are_named(self):
        run = self.json("run", "-i", "synthetic:noise:64x64", "-o", "out.exr", "--op", "convolve", "--backend", "mpi.cuda.direct")
        self.assertEqual(run["label"], "mpi.cuda.direct@2")

    def test_says_why_there_are_no_devices(self):
        with unittest.mock.patch.dict(os.environ, PARALLAX_PLUGIN_PATH=str(self.folder)):
            if self.available("cuda"):
                self.skipTest("there is a CUDA device")
            _, err = self.cli("run", "-i", "synthetic:noise:50x40", "-o", "out.exr", "--op", "convolve", "--backend", "mpi.cuda@2",
                              code=UNAVAILABLE)
        self.assertRegex(err, r"'mpi.cuda@2' cannot do this: backend 'cuda' is not available: \S+")


class Errors(DeviceTest):
    def test_names_the_rank_whose_device_has_too_little_memory(self):
        limited = ["env", "PARALLAX_CUDA_MEMORY_LIMIT=1"]
        for steps in (["--op", "convolve:size=5"], ["--op", "poisson"]):
            _, err = self.worker(2, "run", "-i", "synthetic:noise:600x600", "-o", "out.exr", *steps, "--backend", "cuda", code=MEMORY,
                                 others=limited)
            self.assertRegex(err, r"(?m)^parallax-worker: Not enough memory on .*; rank 1 on \S+\. ")
            self.assertEqual(err.count("parallax-worker: "), 1, err)
            self.assertEqual(self.leftovers(), [])

    def test_names_a_rank_without_devices(self):
        _, err = self.worker(2, "run", "-i", "synthetic:noise:50x40", "-o", "out.exr", "--op", "convolve", "--backend", "cuda",
                             code=UNAVAILABLE, others=["env", f"PARALLAX_PLUGIN_PATH={self.folder}"])
        self.assertRegex(err, r"(?m)^parallax-worker: Backend 'cuda' is not available: .*; rank 1 on \S+")
        self.assertEqual(self.leftovers(), [])

    def test_refuses_to_solve_where_ranks_share_no_memory(self):
        # As in another container: rank 1 does not find the process of rank 0.
        apart = ["unshare", "--pid", "--fork", "--mount-proc"]
        if subprocess.run([*apart, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("this system makes no namespaces")
        arguments = ["run", "-i", "synthetic:noise:40x30", "-o", "out.exr", "--backend", "cuda"]
        _, err = self.worker(2, *arguments, "--op", "poisson", code=UNAVAILABLE, others=apart)
        self.assertRegex(err, r"(?m)^parallax-worker: .*cannot map that of rank 0; rank 1 on \S+\. Use ranks of one machine")
        self.assertEqual(err.count("parallax-worker: "), 1, err)
        self.worker(2, *arguments, "--op", "convolve:size=5", others=apart)

    def test_refuses_modes_that_ranks_do_not_have(self):
        for mode, reason in [("overlapped", "Ranks have the rows of their parts only"), ("pinned", "Ranks have their rows in pageable memory"),
                             ("graph", "the mode 'graph' does not work on parts")]:
            _, err = self.worker(2, "run", "-i", "synthetic:noise:50x40", "-o", "out.exr", "--op", "convolve", "--backend", f"cuda+{mode}",
                                 code=UNAVAILABLE)
            self.assertIn(reason, err)


class Ends(EndsOfRanks):
    """As ranks on processors, while kernels of one rank wait for those of another."""
    RUN = LONG
    use_devices = DeviceTest.use_devices

    def setUp(self):
        super().setUp()
        self.use_devices(2)
        self.need("cuda")


del EndsOfRanks, WorkerTest

if __name__ == "__main__":
    unittest.main()
