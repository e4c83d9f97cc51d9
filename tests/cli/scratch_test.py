# SPDX-License-Identifier: GPL-3.0-or-later
"""Images and volumes larger than memory: in scratch files, with the same bytes as in memory."""
import os
import pathlib
import resource
import signal
import tempfile
import time
import unittest

from command_line import BLUR, FAILED, MEMORY, PATIENCE, SAME, USAGE, CommandLineTest

MEBI = 1 << 20
LIMIT = 110  # MiB; the image below has 48, its result too


def data_segment(limit):
    """As ulimit -d: counts memory, and no files that are mapped."""
    return lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def file_size(limit):
    """As ulimit -f."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


class Scratch(CommandLineTest):
    def setUp(self):
        super().setUp()
        # The temporary folder of the tests may be in memory.
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="parallax_scratch_", dir="/var/tmp"))
        self.addCleanup(os.rmdir, self.scratch)  # fails if anything was left
        self.backend = "openmp" if self.available("openmp") else "reference"

    def limited(self, *arguments, limit=LIMIT, **options):
        return self.json("run", *arguments, "--backend", self.backend, "--threads", 2, "--memory-limit", limit, "--scratch", self.scratch,
                         "--force", **options)

    def make(self, name, kind="noise:2048x2048,channels=3", *options):
        self.cli("run", "-i", f"synthetic:{kind}", "-o", name, *SAME, "--backend", self.backend, *options)

    def assert_same(self, source, steps, ending, limit=LIMIT, **options):
        """Runs in memory and within a limit, and compares the files. Returns the memory of the latter."""
        self.cli("run", "-i", source, "-o", f"whole{ending}", *steps, "--backend", self.backend, "--threads", 2, "--force")
        out = self.limited("-i", source, "-o", f"limited{ending}", *steps, limit=limit, **options)
        self.assertEqual(self.path(f"whole{ending}").read_bytes(), self.path(f"limited{ending}").read_bytes(), f"{source} {steps}")
        memory = out["memory"]
        self.assertGreater(memory["scratch_bytes"], 0, f"{source} {steps}")
        self.assertLessEqual(memory["peak_anonymous_bytes"], limit * MEBI, f"{source} {steps}")
        return memory

    def operators(self):
        operation = next(o for o in self.json("operations")["operations"] if o["id"] == "tonemap")
        parameter = next(p for p in operation["parameters"] if p["key"] == "operator")
        return [c["key"] for c in parameter["choices"]]

    def test_tone_mapping_has_the_same_bytes(self):
        self.make("in.exr")
        for operator in self.operators():
            self.assert_same("in.exr", ["--op", f"tonemap:operator={operator}"], ".exr")

    def test_wavelets_and_solvers_have_the_same_bytes(self):
        self.make("in.exr")
        for steps in (["wavelet-denoise"], ["wavelet-compress"], ["dwt:levels=3", "idwt"], ["poisson"], ["diffuse:weights=uniform,time=2"],
                      ["convolve:size=5", "convolve:kernel=sobel-x", "convolve:size=3"]):
            self.assert_same("in.exr", [word for step in steps for word in ("--op", step)], ".exr")

    def test_formats_of_images(self):
        steps = ["--op", "convolve:size=3", "--op", "tonemap:operator=local"]
        for ending in (".png", ".tif"):
            self.make(f"in{ending}", "checker:2048x2048,channels=3")
            self.assert_same(f"in{ending}", steps, ending)

    def test_volumes(self):
        self.make("in.nii", "noise:200x200x300")
        self.make("in.raw", "noise:200x200x300")
        for name in ("in.nii", "raw:200x200x300,type=float32:in.raw"):
            for steps in (["wavelet-denoise:axes=all"], ["convolve:axes=xyz,size=3", "dwt", "idwt"]):
                self.assert_same(name, [word for step in steps for word in ("--op", step)], ".nii")

    def test_every_backend_of_the_processor(self):
        self.make("in.exr")
        for backend in ("reference", "opencv"):
            if self.available(backend):
                self.backend = backend
                self.assert_same("in.exr", ["--op", "convolve:kernel=box,size=3", *SAME, *SAME], ".exr")

    def test_memory_that_the_system_grants_suffices(self):
        """No limit of our own: the system refuses memory beyond the data segment."""
        self.make("in.exr")
        steps = ["--op", "wavelet-denoise", "--op", "tonemap:operator=local"]
        self.cli("run", "-i", "in.exr", "-o", "whole.exr", *steps, "--backend", self.backend, "--threads", 2)
        allowed = 130 * MEBI
        out, err = self.cli("run", "-i", "in.exr", "-o", "limited.exr", *steps, "--backend", self.backend, "--threads", 2, "--scratch",
                            self.scratch, environment={"OMP_STACKSIZE": "1M", "MALLOC_ARENA_MAX": "1"}, preexec_fn=data_segment(allowed))
        self.assertEqual(self.path("whole.exr").read_bytes(), self.path("limited.exr").read_bytes())
        self.assertIn(str(self.scratch), err)
        self.assertRegex(err, r"memory: \d+ MiB estimated, \d+ MiB at most, and \d+ MiB in scratch files")

    def test_damaged_and_whole_image_inputs_leave_the_strips(self):
        # One step from EXR to EXR, which would be streamed; this operator needs the whole image.
        self.make("in.exr")
        _, err = self.cli("run", "-i", "in.exr", "-o", "out.exr", "--op", "tonemap", "--backend", self.backend, "--memory-limit", 80,
                          "--scratch", self.scratch)
        self.assertIn("memory is short", err)

    def test_enough_memory_takes_no_scratch_file(self):
        memory = self.json("run", "-i", "synthetic:noise:1024x1024,channels=3", "-o", "a.exr", *BLUR, "--backend", self.backend,
                           "--scratch", self.scratch)["memory"]
        self.assertEqual(memory["scratch_bytes"], 0)
        self.assertGreater(memory["estimated_bytes"], 24 * MEBI - 1)
        self.assertGreaterEqual(memory["peak_bytes"], memory["buffers_bytes"])

    def test_too_little_disk_is_refused(self):
        self.make("in.exr")
        work = ["run", "-i", "in.exr", "-o", "out.exr", "--op", "tonemap", *BLUR, "--backend", self.backend, "--memory-limit", LIMIT,
                "--scratch", self.scratch]
        _, err = self.cli(*work, environment={"PARALLAX_SCRATCH_LIMIT": "10"}, code=MEMORY)
        self.assertIn("has room for 10 MiB", err)
        _, err = self.cli(*work, preexec_fn=file_size(20 * MEBI), code=MEMORY)
        self.assertIn("ulimit -f", err)
        self.assertFalse(self.path("out.exr").exists())

    def test_folders_that_cannot_hold_scratch_files(self):
        work = ["run", "-i", "synthetic:noise:2048x2048,channels=3", "-o", "out.exr", "--op", "tonemap", "--backend", self.backend]
        _, err = self.cli(*work, "--scratch", "missing", code=USAGE)
        self.assertIn("does not exist", err)
        self.path("file").write_text("")
        self.assertIn("is not a folder", self.cli(*work, "--scratch", "file", code=USAGE)[1])
        if pathlib.Path("/dev/shm").is_dir():
            self.assertIn("tmpfs", self.cli(*work, "--scratch", "/dev/shm", code=USAGE)[1])
        if os.geteuid() != 0:
            self.assertIn("cannot be written", self.cli(*work, "--scratch", "/usr", code=USAGE)[1])
        # From the environment: only where scratch files are needed.
        _, err = self.cli(*work, "--memory-limit", 60, environment={"PARALLAX_SCRATCH": "/missing"}, code=MEMORY)
        self.assertIn("'/missing' does not exist", err)
        self.cli(*work, environment={"PARALLAX_SCRATCH": "/missing"})
        _, err = self.cli(*work, "--memory-limit", 60, "--scratch", "none", "--force", code=MEMORY)
        self.assertIn("switched off", err)

    def test_bench_refuses(self):
        _, err = self.bench_quick("-i", "synthetic:noise:2048x2048,channels=3", "--op", "convolve", "--backend", self.backend, code=FAILED,
                                  preexec_fn=data_segment(100 * MEBI), environment={"MALLOC_ARENA_MAX": "1"})
        self.assertIn("measurements use no scratch files", err)

    def test_batch_of_large_images(self):
        for number in range(2):
            self.make(f"in{number}.exr", f"noise:2048x2048,channels=3,seed={number}")
        steps = ["--op", "tonemap:operator=local", "--op", "convolve:size=3"]
        for number in range(2):
            self.cli("run", "-i", f"in{number}.exr", "-o", f"one{number}.exr", *steps, "--backend", self.backend)
        out = self.json("run", "-i", "in*.exr", "-o", "all_{name}.exr", *steps, "--backend", self.backend, "--memory-limit", 90, "--scratch",
                        self.scratch)
        self.assertEqual(out["done"], 2)
        self.assertTrue(any("scratch files" in note for item in out["items"] for note in item.get("notes", [])))
        for number in range(2):
            self.assertEqual(self.path(f"one{number}.exr").read_bytes(), self.path(f"all_in{number}.exr").read_bytes())

    def start_long(self):
        return self.start("run", "-i", "synthetic:noise:4096x4096,channels=3", "-o", "out.exr", "--op", "wavelet-denoise", "--op",
                          "tonemap:operator=local", "--op", "convolve:size=31,kernel=box", "--backend", "reference", "--memory-limit", 100,
                          "--scratch", self.scratch)

    def scratch_of(self, process):
        """Whether a process has mapped a scratch file."""
        maps = pathlib.Path(f"/proc/{process.pid}/maps").read_text()
        return str(self.scratch) in maps

    def wait_for_scratch(self, process):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and process.poll() is None:
            if self.scratch_of(process):
                return
            time.sleep(0.01)
        self.fail("it took no scratch file")

    def test_a_killed_process_leaves_nothing(self):
        process = self.start_long()
        self.wait_for_scratch(process)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assertEqual(self.leftovers(), [])

    def test_is_cancelled_promptly(self):
        def attempt():
            process = self.start_long()
            self.wait_for_scratch(process)
            time.sleep(0.5)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
            return time.monotonic() - start

        self.promptly(1, attempt)


if __name__ == "__main__":
    unittest.main()
