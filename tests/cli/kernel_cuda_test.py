# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels in CUDA: compiled by NVRTC and nvcc where they are installed, and run on the emulated device, or a real one if there is one."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from command_line import DISAGREE, FAILED, INPUT, INTERRUPTED, SUCCESS, UNAVAILABLE, UNTRUSTWORTHY, USAGE, CommandLineTest

HOST = pathlib.Path(os.environ.get("PARALLAX_CLI", "parallax-cli")).with_name("parallax-kernel-host")
EMULATED = os.environ.get("PARALLAX_EMULATED_DRIVER", "")

START = """#include <parallax/convolve.h>

// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8))
__global__ void faulty(parallax_input in, parallax_output out, parallax_convolve p, parallax_context context) {{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = x + y * (int)out.row;
    if (x >= in.width || y >= in.height) return;
    {body}
}}
"""
# 15 x 15 samples do not end at a multiple of 256 bytes: the next ones are poison.
IMAGE = ["-i", "synthetic:noise:15x15", "-o", "a.exr", "--force", "--op", "convolve"]
# Body of a kernel, and the message that it leads to.
FAULTS = [
    ("out.data[(1ll << 40) + i] = 1;", "it used an address that is not in its memory"),
    ("out.data[i] = in.data[i + 4000000];", "it used an address that is not in its memory"),
    ("out.data[i] = 1; out.data[in.width * in.height] = 1;", "it wrote 1 sample beyond the last sample of an image"),
    ("out.data[i] = 1; out.data[-3] = 1;", "it wrote 1 sample before the first sample of an image"),
    ("out.data[i] = 1; if (i == 20) ((float *)in.data)[i] = -7;", "it wrote to its input, which is not to be changed, first at x = 5, y = 1"),
    ("if (i != 7) out.data[i] = 1;", "it did not write 1 of 225 samples, the first at x = 7, y = 0"),
    ("volatile int n = 1; while (n) {} out.data[i] = 1;", "it did not return within 1 s"),
    # Threads that wait at different barriers, which the emulated device takes for what a real one ends by an error.
    ("if (x < 16) __syncthreads(); else __syncthreads();", "the device ended it"),
]
HOSTED = """#include <parallax/convolve.h>
__global__ void copy(const float *in, float *out, int64_t n) {
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *context) {
    const int64_t n = in->width * in->height * in->depth * in->channels;
    copy<<<(n + 255) / 256, 256, 0, context->stream>>>(in->data, out->data, n);
}
"""
# In place of NVIDIA's, which needs a real device: keeps its command, writes a report, and runs the program.
STANDS_FOR_SANITIZER = """#!{python}
import os, pathlib, sys
log = sys.argv.index("--log-file") + 1
pathlib.Path({command!r}).write_text(chr(10).join(sys.argv[1:]))
pathlib.Path(sys.argv[log]).write_text({report!r})
os.execv(sys.argv[log + 1], sys.argv[log + 1:])
"""
NO_TOOLKIT = {"PARALLAX_KERNEL_NVRTC": "/nowhere", "CUDA_HOME": "/nowhere", "PATH": "/nowhere"}


def has_nvrtc():
    # Without a source it fails with 1, without NVRTC with 3.
    return subprocess.run([HOST, "--nvrtc", "/nowhere", "/nowhere", "/nowhere"], capture_output=True, check=False).returncode != 3


def has_device():
    return subprocess.run([HOST, "--devices"], capture_output=True, check=False).returncode == 0


def has_nvcc():
    return shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists()


class CudaTest(CommandLineTest):
    def write(self, name, text):
        self.path(name).write_text(text)
        return name

    def samples(self):
        """Operation and name of each sample, but for the one that is wrong."""
        return [(operation, name) for operation in ("convolve", "dwt", "poisson", "tonemap")
                for name in self.cli("kernel", "new", "--op", operation, "--language", "cuda", "--list")[0].split() if name != "off_by_one"]

    def sample(self, operation, name):
        file = f"{operation}-{name}.cu"
        self.cli("kernel", "new", "--op", operation, "--sample", name, "-o", file)
        return file


class WithoutDevice(CudaTest):
    """No test here needs a device; where there is one it is hidden."""

    def refused(self, file, code, environment=None):
        return self.cli("kernel", "check", file, code=code, environment={"CUDA_VISIBLE_DEVICES": "-1", **(environment or {})})[1]

    @unittest.skipUnless(has_nvrtc(), "NVRTC is not installed")
    def test_all_samples_compile(self):
        self.assertGreaterEqual(len(self.samples()), 4)
        for operation, name in [*self.samples(), ("convolve", "off_by_one")]:
            if operation == "poisson" and not has_nvcc():
                continue  # has a function on the host
            with self.subTest(operation=operation, name=name):
                err = self.refused(self.sample(operation, name), UNAVAILABLE)
                self.assertIn("was compiled and cannot run: ", err)

    @unittest.skipUnless(has_nvrtc(), "NVRTC is not installed")
    def test_every_operation_has_a_kernel_to_begin_with(self):
        for operation in self.json("operations")["operations"]:
            with self.subTest(operation["id"]):
                self.cli("kernel", "new", "--op", operation["id"], "--language", "cuda", "-o", "first.cu", "--force")
                self.assertIn("was compiled and cannot run: ", self.refused("first.cu", UNAVAILABLE))

    @unittest.skipUnless(has_nvrtc(), "NVRTC is not installed")
    def test_errors_of_the_compiler_name_file_and_line(self):
        source = self.write("typo.cu", START.format(body="int x = unknown;\n").replace("int x = unknown;", "\nint z = unknown;"))
        err = self.refused(source, INPUT)
        self.assertIn("typo.cu:8: error: identifier \"unknown\" is undefined", err)

    @unittest.skipUnless(has_nvrtc(), "NVRTC is not installed")
    def test_options_in_the_file(self):
        text = START.format(body="out.data[i] = VALUE;")
        self.assertIn("error", self.refused(self.write("a.cu", text), INPUT))
        self.assertIn("was compiled", self.refused(self.write("a.cu", "// options: -DVALUE=1\n" + text), UNAVAILABLE))

    def test_comments_that_are_wrong_name_their_line(self):
        source = self.write("a.cu", START.format(body="").replace("block(32, 8)", "blocks(32, 8)"))
        self.assertIn("a.cu:3: error: 'blocks(32, 8)", self.refused(source, INPUT))

    def test_without_nvrtc_and_nvcc(self):
        source = self.write("a.cu", START.format(body=""))
        err = self.refused(source, UNAVAILABLE, NO_TOOLKIT)
        self.assertIn("PARALLAX_KERNEL_NVRTC names, and there is no nvcc. Install the CUDA toolkit", err)
        err = self.refused(source, UNAVAILABLE, {"PARALLAX_KERNEL_NVCC": "/no/such/compiler"})
        self.assertIn("PARALLAX_KERNEL_NVCC", err)
        err = self.refused(self.write("b.cu", HOSTED), UNAVAILABLE, NO_TOOLKIT)
        self.assertIn("needs nvcc", err)
        self.assertIn("// launch: ", err)

    @unittest.skipUnless(has_nvcc(), "nvcc is not installed")
    def test_nvcc_compiles_what_nvrtc_does_not(self):
        for name, text, environment in (("a.cu", START.format(body="out.data[i] = 1;"), {"PARALLAX_KERNEL_NVRTC": "/nowhere"}), ("b.cu", HOSTED, {})):
            with self.subTest(name):
                self.assertIn("was compiled and cannot run: ", self.refused(self.write(name, text), UNAVAILABLE, environment))

    def test_without_a_kernel_the_backend_says_how_to_open_one(self):
        self.assertIn("No kernel in CUDA is open", self.cli("run", *IMAGE, "--backend", "user-cuda", code=UNAVAILABLE)[1])

    def test_without_compute_sanitizer(self):
        self.assertNotIn("compute-sanitizer", self.refused(self.write("a.cu", START.format(body="")), UNAVAILABLE, NO_TOOLKIT))
        _, err = self.cli("kernel", "check", "a.cu", "--sanitize", code=UNAVAILABLE, environment={"CUDA_VISIBLE_DEVICES": "-1", **NO_TOOLKIT})
        self.assertIn("compute-sanitizer was not found. Install it with the CUDA toolkit", err)

    def test_language_and_name_agree(self):
        self.cli("kernel", "new", "--op", "convolve", "--language", "cuda", "-o", "a.cpp", code=USAGE)
        self.cli("kernel", "new", "--op", "convolve", "--language", "c++", "-o", "a.cu", code=USAGE)
        self.cli("kernel", "new", "--op", "convolve", "-o", "a.cu")
        self.assertIn("__global__", self.path("a.cu").read_text())


@unittest.skipUnless((pathlib.Path(EMULATED) / "libcuda.so.1").exists(), "the emulated device is not built")
class OnEmulatedDevice(CudaTest):
    def setUp(self):
        super().setUp()
        # The host alone sees the emulated driver and compiler.
        host = self.path("host.sh")
        host.write_text(f"#!/bin/sh\nLD_LIBRARY_PATH='{EMULATED}' exec '{HOST}' \"$@\"\n")
        host.chmod(0o755)
        os.environ["PARALLAX_KERNEL_HOST"] = str(host)
        self.addCleanup(os.environ.pop, "PARALLAX_KERNEL_HOST")
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{EMULATED}:{path}"
        self.addCleanup(os.environ.__setitem__, "PATH", path)

    def faulty(self, body):
        return self.write("faulty.cu", START.format(body=body))

    def use_small_blocks(self, file):
        """Each thread that waits at a barrier takes its time on this device: sums by few small blocks are as right and six times as fast."""
        text = self.path(file).read_text()
        for line, small in (("#define THREADS 256", "#define THREADS 32"), ("s->blocks < 1024 ? s->blocks : 1024", "s->blocks < 4 ? s->blocks : 4")):
            self.assertIn(line, text)
            text = text.replace(line, small)
        self.write(file, text)

    def test_the_samples_are_right_and_the_wrong_one_is_not(self):
        for operation, name in [*self.samples(), ("convolve", "off_by_one")]:
            with self.subTest(operation=operation, name=name):
                wrong = name == "off_by_one"
                file = self.sample(operation, name)
                if operation == "poisson":
                    self.use_small_blocks(file)
                result = self.json("kernel", "check", file, "--limit", "600", code=DISAGREE if wrong else SUCCESS)
                self.assertGreater(result["checked"], 50)
                self.assertEqual(result["passed"], not wrong)
                if operation == "poisson":
                    continue  # has a function on the host, and its compiler tells no resources
                self.assertGreater(result["functions"][0]["registers"], 0)
                self.assertEqual(result["functions"][0]["occupancy"], 1)

    def test_faults_are_named(self):
        for body, message in FAULTS:
            with self.subTest(body):
                limit = "1" if "within" in message else "600"
                _, err = self.cli("run", *IMAGE, "--kernel", self.faulty(body), "--backend", "user-cuda.faulty", "--limit", limit, code=FAILED)
                self.assertIn("The kernel 'faulty' failed: ", err)
                self.assertIn(message, err)
                self.assertFalse(self.path("a.exr").exists())

    def test_the_report_of_compute_sanitizer_is_shown(self):
        report = ["========= COMPUTE-SANITIZER", "========= Invalid __global__ write of size 4 bytes",
                  "=========     at faulty(parallax_input)+0x1a0 in faulty.cu:7", "=========     by thread (0,0,0) in block (0,0,0)"]
        tool = self.path("compute-sanitizer")
        tool.write_text(STANDS_FOR_SANITIZER.format(python=sys.executable, command=str(self.path("command.txt")), report="\n".join(report)))
        tool.chmod(0o755)
        path = {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        kernel = ["--kernel", self.faulty("out.data[(1ll << 40) + i] = 1;"), "--backend", "user-cuda", "--sanitize"]
        _, err = self.cli("run", *IMAGE, *kernel, code=FAILED, environment=path)
        self.assertIn("Invalid __global__ write of size 4 bytes at faulty(parallax_input)+0x1a0 in faulty.cu:7 (compute-sanitizer)", err)
        command = self.path("command.txt").read_text().splitlines()
        self.assertEqual(command[:2], ["--tool", "memcheck"])
        self.assertIn(str(self.path("host.sh")), command)
        # It runs to its end where the device reports no error.
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cu")
        _, err = self.cli("run", *IMAGE, "--kernel", "mine.cu", "--backend", "user-cuda", "--sanitize", environment=path)
        self.assertIn("times are not measured", err)

    def test_a_check_goes_on_after_an_error_of_the_device(self):
        out, _ = self.cli("kernel", "check", self.faulty("if (in.width > 4) out.data[1ll << 50] = 1; out.data[i] = 0;"), code=DISAGREE)
        self.assertIn("Too many crashes", out)

    def test_bench_compares_it_and_records_its_resources(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cu")
        record = self.json("kernel", "bench", "mine.cu", "-i", "synthetic:noise:64x64", "--against", "reference", "--effort", "quick",
                           environment={"PARALLAX_SAMPLING_SECONDS": "0.05"})
        row = next(e for e in record["entries"] if e["label"] == "user-cuda.mine")
        self.assertEqual(row["verification"], "agrees")
        self.assertEqual(row["device"], "Emulated device (no GPU)")
        self.assertGreater(len(row["samples_ns"]), 1)
        details = next(b for b in record["tool"]["backends"] if b["id"] == "user-cuda")["details"]
        self.assertEqual(details["mine"], "NVRTC 13.0 for sm_90")
        self.assertIn("naive(): 32 registers, no shared memory, no local memory, occupancy 100 %", details["mine: naive"])

    def test_self_check_compares_the_built_in_variant_with_the_same_code(self):
        plugins = pathlib.Path(EMULATED).parents[1] / "plugins"
        if not any(plugins.glob("*cuda*")):
            self.skipTest("the emulated backend is not built")
        process = self.start("self-check", "-i", "synthetic:noise:48x32", "--backend", "reference", "--trials", "2", "--json",
                             environment={"PARALLAX_PLUGIN_PATH": str(plugins)})
        out, err = process.communicate()
        self.assertIn(process.returncode, (SUCCESS, UNTRUSTWORTHY), err)
        kernel = json.loads(out)["cuda_kernel"]
        self.assertEqual(kernel["skipped"], "")
        self.assertIn(kernel["trials"], (1, 2))  # the second is only made if the first is SAME
        self.assertEqual(kernel["same"] + kernel["undecided"] + kernel["faster"] + kernel["slower"], kernel["trials"])
        self.assertEqual(kernel["passed"], kernel["same"] == 2)
        self.assertIn("NVRTC", kernel["compiler"])

    def test_several_kernels_and_steps(self):
        self.cli("kernel", "new", "--op", "convolve", "--sample", "tiled", "-o", "my tiles.cu")
        arguments = ["-i", "synthetic:noise:33x17,channels=3", "--op", "convolve:size=7,border=wrap", "--op", "convolve:size=3", "--kernel", "my tiles.cu"]
        self.cli("run", *arguments, "-o", "a.exr", "--backend", "user-cuda.my-tiles")
        self.cli("run", *arguments, "-o", "b.exr", "--backend", "reference")
        self.assertLess(self.json("diff", "a.exr", "b.exr")["max_abs"], 1e-6)
        # One in C++ of the same name is another backend.
        self.cli("kernel", "new", "--op", "convolve", "-o", "my tiles.cpp")
        self.cli("bench", *arguments, "--kernel", "my tiles.cpp", "--backend", "user.my-tiles", "--backend", "user-cuda.my-tiles", "--effort", "quick",
                 environment={"PARALLAX_SAMPLING_SECONDS": "0.05"})

    def test_refuses_what_its_comments_do_not_allow(self):
        file = self.sample("convolve", "tiled")
        _, err = self.cli("run", "-i", "synthetic:noise:16x9", "-o", "a.exr", "--op", "convolve:size=127", "--kernel", file, "--backend", "user-cuda", code=UNAVAILABLE)
        self.assertIn("does not fit into 48 KiB of shared memory", err)
        text = START.format(body="out.data[i] = 1;").replace("(ceil(width, 32)", "(width - 15")
        _, err = self.cli("run", *IMAGE, "--kernel", self.write("a.cu", text), "--backend", "user-cuda", code=UNAVAILABLE)
        self.assertIn("a.cu:3: error: grid(...): 'width - 15' is 0", err)
        _, err = self.cli("run", *IMAGE, "--kernel", self.write("a.cu", text.replace("width - 15", "widht")), "--backend", "user-cuda", code=INPUT)
        self.assertIn("a.cu:3: error: 'widht': there is no 'widht'", err)

    def test_functions_and_constants_must_be_there(self):
        text = START.format(body="out.data[i] = 1;")
        _, err = self.cli("kernel", "check", self.write("a.cu", START.format(body="").replace("parallax_input in", "parallax_input &in")), code=FAILED)
        self.assertIn("it has no function faulty() with the parameters", err)
        small = "// constant: taps\n__constant__ float weights[2];\n" + text.replace("= 1;", "= weights[0];")
        _, err = self.cli("run", *IMAGE, "--kernel", self.write("a.cu", small), "--backend", "user-cuda", code=FAILED)
        self.assertIn("'weights' has 8 bytes, and ", err)

    def test_workspace_and_prepare(self):
        source = self.write("careful.cu", """#include <parallax/convolve.h>
// workspace: width * 4
// requires: channels != 3 "three channels are too many"
// prepare: block(32) grid(ceil(width, 32))
__global__ void fill(parallax_input in, parallax_output out, parallax_convolve p, parallax_context c) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    if (x < in.width) ((float *)c.workspace)[x] = 2;
}
// launch: block(32) grid(ceil(width, 32), height)
__global__ void scale(parallax_input in, parallax_output out, parallax_convolve p, parallax_context c) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y;
    if (x < in.width) out.data[x + y * out.row] = ((float *)c.workspace)[x] * in.data[x + y * in.row];
}
""")
        arguments = ["--op", "convolve:kernel=custom,weights=2", "--kernel", source, "--backend"]
        self.cli("run", "-i", "synthetic:noise:45x9", "-o", "a.exr", *arguments, "user-cuda")
        self.cli("run", "-i", "synthetic:noise:45x9", "-o", "b.exr", *arguments, "reference")
        self.assertEqual(self.json("diff", "a.exr", "b.exr")["max_abs"], 0)
        _, err = self.cli("run", "-i", "synthetic:noise:16x9,channels=3", "-o", "c.exr", *arguments, "user-cuda", code=UNAVAILABLE)
        self.assertIn("three channels are too many", err)

    def test_an_unknown_device_is_refused(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cu")
        _, err = self.cli("run", *IMAGE, "--kernel", "mine.cu", "--backend", "user-cuda", "--device", "3", code=UNAVAILABLE)
        self.assertIn("has no device 3", err)

    def test_ctrl_c_ends_a_kernel_that_does_not_return(self):
        self.faulty("volatile int n = 1; while (n) {} out.data[i] = 1;")
        process = self.start("run", *IMAGE, "--kernel", "faulty.cu", "--backend", "user-cuda")
        self.assertTrue(self.wait_until_interruptible(process))
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)


@unittest.skipUnless(has_device(), "there is no device of CUDA")
class OnARealDevice(CudaTest):
    def test_the_way_of_a_new_user(self):
        image, step = ["-i", "synthetic:noise:2048x2048"], ["--op", "convolve:size=9"]
        self.cli("kernel", "new", "--op", "convolve", "--language", "cuda", "-o", "mine.cu")
        right = self.path("mine.cu").read_text()
        # Edit one line wrong, and see where it differs.
        self.assertIn("x + u - (int)p.left, ", right)
        self.write("mine.cu", right.replace("x + u - (int)p.left, ", "x + u - (int)p.left + 1, "))
        out, _ = self.cli("kernel", "check", "mine.cu", code=DISAGREE)
        self.assertRegex(out, r"x = \d+, y = \d+.*: \S+ instead of \S+, where \S+ is allowed")
        for backend in ("user-cuda.mine", "cuda"):
            self.cli("run", *image, "-o", f"{backend}.exr", *step, "--kernel", "mine.cu", "--backend", backend)
        worst = self.json("diff", "cuda.exr", "user-cuda.mine.exr")["worst"][0]
        self.assertGreater(abs(worst["a"] - worst["b"]), 0.01)
        # Mend it, and make it faster.
        self.write("mine.cu", right)
        self.assertIn("passed", self.cli("kernel", "check", "mine.cu")[0])
        self.cli("kernel", "new", "--op", "convolve", "--language", "cuda", "--sample", "tiled", "-o", "faster.cu")
        self.assertIn("passed", self.cli("kernel", "check", "faster.cu")[0])
        # Export the report.
        self.cli("bench", *image, *step, "--kernel", "mine.cu", "--kernel", "faster.cu", "--backend", "user-cuda.mine", "--backend",
                 "user-cuda.faster", "--backend", "cuda", "--effort", "quick", "--report", "r.json", "--report", "r.html")
        rows = {e["label"]: e for e in json.loads(self.path("r.json").read_text())["entries"]}
        self.assertEqual({row["verification"] for row in rows.values()}, {"agrees"})
        compute = {name: min(s["compute"] for s in row["samples_ns"]) for name, row in rows.items()}
        self.assertLess(compute["user-cuda.faster"], compute["user-cuda.mine"])
        self.assertLess(compute["cuda"], compute["user-cuda.faster"])
        html = self.path("r.html").read_text()
        self.assertIn("user-cuda.faster", html)
        self.assertIn("A block of 32 x 8 threads loads the samples", html)

    def test_the_samples_are_right_and_the_wrong_one_is_not(self):
        for operation, name in [*self.samples(), ("convolve", "off_by_one")]:
            if operation == "poisson" and not has_nvcc():
                continue  # has a function on the host
            with self.subTest(operation=operation, name=name):
                wrong = name == "off_by_one"
                result = self.json("kernel", "check", self.sample(operation, name), code=DISAGREE if wrong else SUCCESS)
                self.assertGreater(result["checked"], 50)
                self.assertEqual(result["passed"], not wrong)


if __name__ == "__main__":
    unittest.main()
