# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that users write: made, checked, measured, and what happens when they are wrong."""
import json
import os
import shutil
import re
import signal
import subprocess
import time
import unittest

from command_line import DISAGREE, FAILED, INPUT, INTERRUPTED, OUTPUT, SUCCESS, UNAVAILABLE, USAGE, CommandLineTest

START = """// options: -DCASE={case} -w
#include <parallax/convolve.h>
#include <stdlib.h>
#include <unistd.h>
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *p, const parallax_context *) {{
    const int64_t samples = in->width * in->height * in->depth * in->channels;
    {body}
}}
"""
IMAGE = ["-i", "synthetic:noise:16x16", "-o", "a.exr", "--force", "--op", "convolve"]
# Body of a kernel, and the message that it leads to.
FAULTS = [
    ("for (int64_t i = 0; i < samples; ++i) out->data[i] = in->data[i + 64];", "beyond the last sample of an image"),
    ("for (int64_t i = 0; i <= samples; ++i) out->data[i] = 1;", "it wrote 1 sample beyond the last sample"),
    ("*(volatile float *)out->data = in->data[-2000];", "before the first sample of an image"),
    ("((volatile float *)in->data)[3] = 1;", "it wrote to its input"),
    ("*(volatile int *)nullptr = 1;", "it wrote through a null pointer\n"),
    ("out->data[1ll << 52] = 0;", "an address that is not in its memory"),
    ("for (int64_t i = 1; i < samples; ++i) out->data[i] = 1;", "it did not write 1 of 256 samples, the first at x = 0, y = 0"),
    ("volatile int64_t zero = 0; out->data[0] = (float)(p->size / zero);", "it divided a whole number by zero"),
    ("volatile float line[10 << 20]; for (int i = 0; i < 10 << 20; ++i) line[i] = 1; out->data[0] = line[5];", "its stack overflowed"),
    ("struct Deep { static int er(volatile int *n) { volatile int more = *n + 1; return er(&more) + more; } }; volatile int n = 0; out->data[0] = Deep::er(&n);",
     "its stack overflowed"),
    ("exit(3);", "it ended its process by exit(3)"),
    ("if (fork() == 0) { sleep(3); _exit(0); } _exit(3);", "it ended its process by exit(3)"),
    ("abort();", "it ended itself by abort()"),
    ("throw 3;", "it threw something"),
    ("for (volatile int64_t i = 0;; i = i + 1) {}", "it did not return within 0.5 s"),
    ("for (;;) *(volatile char *)malloc(1 << 30) = 1;", "it wrote through a null pointer after memory had run out, where malloc() returns null"),
    ("free(malloc(1ll << 60)); out->data[0] = *(volatile float *)malloc(1ll << 60);", "it read through a null pointer after memory had run out"),
    ("for (;;) *(volatile char *)new char[1 << 30] = 1;", "std::bad_alloc"),
    ("for (;;) free(calloc(1, 1 << 20)), ((volatile char *)malloc(1ll << 60))[0] = 1;", "it wrote through a null pointer"),
]
# The same with --sanitize; 15 x 15 samples do not end at a page, so that a few bytes more are memory that only a sanitizer notices.
SMALL = ["-i", "synthetic:noise:15x15", *IMAGE[2:]]
SANITIZED_FAULTS = [
    ("for (int64_t i = 0; i < samples; ++i) out->data[i] = in->data[i + 1];", "it read 4 bytes beside an image or its workspace at "),
    ("for (int64_t i = 0; i <= samples; ++i) out->data[i] = 1;", "it wrote 4 bytes beside an image or its workspace at "),
    ("out->data[0] = in->data[-1];", "it read 4 bytes beside an image or its workspace at "),
    ("out->data[0] = ((volatile float *)in->data)[1 << 22];", "it read memory outside of what it has at "),
    ("float *volatile line = (float *)malloc(40); line[10] = 1; out->data[0] = line[10];", "it wrote 4 bytes outside of what it has at "),
    ("volatile int bits = 40; out->data[0] = (float)(1 << bits);", "shift exponent 40 is too large for 32-bit type 'int' at "),
]


class Kernels(CommandLineTest):
    def write(self, name, text):
        self.path(name).write_text(text)
        return name

    def faulty(self, case, body):
        return self.write("faulty.cpp", START.format(case=case, body=body))

    def test_the_samples_are_right_and_the_wrong_one_is_not(self):
        samples = {name: self.cli("kernel", "new", "--op", name, "--list")[0].split() for name in ("convolve", "dwt", "poisson", "tonemap")}
        self.assertIn("off_by_one", samples["convolve"])
        for operation, name in ((operation, name) for operation, names in samples.items() for name in names):
            with self.subTest(operation=operation, name=name):
                self.cli("kernel", "new", "--op", operation, "--sample", name, "-o", f"{operation}-{name}.cpp")
                wrong = name == "off_by_one"
                result = self.json("kernel", "check", f"{operation}-{name}.cpp", code=DISAGREE if wrong else SUCCESS)
                self.assertGreater(result["checked"], 50)
                self.assertEqual(result["passed"], not wrong)
                if wrong:
                    self.assertGreater(result["failures"], 100)
                    self.assertTrue(result["failed"][0]["worst"])

    def test_the_command_that_is_shown_repeats_the_failure(self):
        self.cli("kernel", "new", "--op", "convolve", "--sample", "off_by_one", "-o", "wrong.cpp")
        out, _ = self.cli("kernel", "check", "wrong.cpp", code=DISAGREE)
        self.assertIn("FAILED", out)
        place = re.search(r"x = (\d+), y = (\d+).*: (\S+) instead of (\S+), where", out)
        expected, repeated, compared = self.shown(out, "see the difference:", 3)
        for command in (expected, repeated):
            self.assertEqual(self.shell(command).returncode, SUCCESS, command)
        shown = self.shell(compared).stdout
        self.assertIn(f"at {place[1]},{place[2]} Y: {place[4]} and {place[3]}", shown)
        self.assertEqual(self.shell(repeated).returncode, SUCCESS, "and again")

    def test_the_command_that_is_shown_repeats_the_crash(self):
        source = self.faulty(0, "*(volatile int *)nullptr = 1;")
        out, _ = self.cli("kernel", "check", source, code=DISAGREE)
        (command,) = self.shown(out, "try it:", 1)
        run = self.shell(command)
        self.assertEqual(run.returncode, FAILED)
        self.assertIn("it wrote through a null pointer\n", run.stderr)

    def shown(self, out, heading, count):
        """The commands below a heading of what `kernel check` prints."""
        lines = [line.strip() for line in out.splitlines()]
        at = lines.index(heading)
        return lines[at + 1 : at + 1 + count]

    def shell(self, command):
        program = os.environ["PARALLAX_CLI"]
        return subprocess.run(command.replace("parallax-cli", program, 1), shell=True, cwd=self.folder, capture_output=True, text=True)

    def test_every_operation_has_a_kernel_to_begin_with(self):
        for operation in self.json("operations")["operations"]:
            name = operation["id"]
            with self.subTest(name):
                self.cli("kernel", "new", "--op", name, "-o", f"{name}.cpp")
                header, _ = self.cli("kernel", "header", name)
                for parameter in operation["parameters"]:
                    self.assertIn(parameter["key"].replace("-", "_"), header)
                # It compiles and runs; that its result is right is up to its author.
                process = self.start("run", "-i", "synthetic:noise:16x16", "-o", "a.exr", "--force", "--kernel", f"{name}.cpp", "--backend",
                                     f"user.{name}", "--op", name)
                _, err = process.communicate(timeout=60)
                self.assertIn(process.returncode, (SUCCESS, FAILED, INPUT, USAGE), err)
                self.assertNotIn("compile", err)

    def test_bench_compares_it_with_others(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        record = self.json("kernel", "bench", "mine.cpp", "-i", "synthetic:noise:256x256", "--against", "openmp", "--effort", "quick")
        rows = {e["label"]: e for e in record["entries"]}
        self.assertEqual(set(rows), {"user.mine", "openmp"})
        for row in rows.values():
            self.assertEqual(row["verification"], "agrees")
            self.assertGreater(len(row["samples_ns"]), 1)

    def test_bench_compares_several_kernels_with_the_first(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        self.cli("kernel", "new", "--op", "convolve", "--sample", "blocked", "-o", "faster.cpp")
        record = self.json("kernel", "bench", "mine.cpp", "faster.cpp", "-i", "synthetic:noise:128x128", "--effort", "quick",
                           environment={"PARALLAX_SAMPLING_SECONDS": "0.2"})
        self.assertEqual([e["label"] for e in record["entries"]], ["user.mine", "user.faster", "openmp"])
        self.assertEqual(record["baseline"], "user.mine")
        self.cli("kernel", "new", "--op", "tonemap", "-o", "other.cpp")
        _, err = self.cli("kernel", "bench", "mine.cpp", "other.cpp", code=USAGE)
        self.assertIn("one computes convolve, the other tonemap", err)
        self.path("folder").mkdir()
        self.cli("kernel", "new", "--op", "convolve", "-o", "folder/mine.cpp")
        _, err = self.cli("kernel", "bench", "mine.cpp", "folder/mine.cpp", code=USAGE)
        self.assertIn("Two kernels have the name 'user.mine'", err)

    def test_measured_runs_have_different_stack_addresses(self):
        # The same address in each run makes times of one process differ from those of another.
        source = self.write("noting.cpp", """#include <parallax/convolve.h>
#include <stdio.h>
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *) {
    fprintf(stderr, "stack %d\\n", (int)((intptr_t)__builtin_frame_address(0) % 4096));
    for (int64_t i = 0; i < in->width * in->height; ++i) out->data[i] = in->data[i];
}
""")
        # Alone, as samples between those of other backends wait for their threads, longer on a busy machine.
        _, err = self.cli("bench", "--kernel", source, "--backend", "user.noting", "-i", "synthetic:noise:16x16", "--op",
                          "convolve:kernel=box,size=1", "--effort", "quick")
        places = [line for line in err.splitlines() if line.startswith("stack ")]
        self.assertGreater(len(places), 50)
        self.assertGreater(len(set(places)), 30)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "there is one processor")
    def test_samples_of_several_threads_are_second_runs(self):
        # The first fetches what the copies between the processes left in the caches of one processor.
        self.write("noting.cpp", """#include <parallax/convolve.h>
#include <stdio.h>
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *) {
    fputs("run\\n", stderr);
    for (int64_t i = 0; i < in->width * in->height; ++i) out->data[i] = in->data[i];
}
""")
        for threads, twice in (("2", True), ("1", False)):
            out, err = self.cli("bench", "--kernel", "noting.cpp", "--backend", "user.noting", "-i", "synthetic:noise:16x16", "--op",
                                "convolve:kernel=box,size=1", "--effort", "quick", "--threads", threads, "--json",
                                environment={"PARALLAX_SAMPLING_SECONDS": "0.05"})
            runs = sum(line == "run" for line in err.splitlines())
            entry = json.loads(out)["entries"][0]
            samples, others = len(entry["samples_ns"]), 3 * (len(entry["blocks"]) + 1)  # others: first runs of blocks, and to warm up
            if twice:
                self.assertGreaterEqual(runs, 2 * samples)
            else:
                self.assertLessEqual(runs, samples + others)

    def test_caches_of_its_process_are_not_emptied(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        out, _ = self.cli("bench", "--kernel", "mine.cpp", "--backend", "user.mine", "--backend", "openmp", "-i", "synthetic:noise:16x16", "--op",
                          "convolve", "--effort", "quick", "--cache", "cold", environment={"PARALLAX_SAMPLING_SECONDS": "0.05"})
        self.assertIn("each run copies the image through them into the process of the kernel", out)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "there is one processor")
    def test_it_runs_on_the_processors_of_its_caller(self):
        everywhere = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, everywhere)
        self.write("mine.cpp", START.format(case=0, body="""cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (int64_t i = 0; i < samples; ++i) out->data[i] = CPU_COUNT(&allowed);""").replace("#include", "#include <sched.h>\n#include", 1))
        for processors in ({min(everywhere)}, everywhere):
            os.sched_setaffinity(0, processors)
            self.cli("run", *IMAGE, "--kernel", "mine.cpp", "--backend", "user.mine", "--threads", "2")
            channel = self.json("info", "a.exr", "--statistics")["items"][0]["channels"][0]
            self.assertEqual((channel["min"], channel["max"]), (len(processors), len(processors)))

    def test_records_hold_the_source(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        bench = ["bench", "-i", "synthetic:noise:64x64", "--op", "convolve", "--kernel", "mine.cpp", "--backend", "user.mine", "--effort", "quick"]
        self.cli(*bench, "--threads", "1", "--report", "a.json", "--report", "a.html")
        record = json.loads(self.path("a.json").read_text())
        self.assertEqual(record["schema_version"], 5)
        self.assertEqual({e["threads"] for e in record["entries"] if e["backend"] == "user"}, {1})
        kernel = next(b for b in record["tool"]["backends"] if b["id"] == "user.mine")["details"]
        self.assertEqual(kernel["source"], self.path("mine.cpp").read_text())
        self.assertEqual((kernel["operation"], kernel["language"]), ("convolve", "C++"))
        self.assertIn("-march=native", kernel["command"])
        self.assertIn("#include &lt;parallax/convolve.h&gt;", self.path("a.html").read_text())

        self.cli("report", "a.json", "--redact", "-o", "redacted.json")
        redacted = self.path("redacted.json").read_text()
        self.assertNotIn("parallax/convolve.h", redacted)
        self.assertNotIn("-march=native", redacted)

        with self.path("mine.cpp").open("ab") as source:
            source.write(b"// chang\xe9\n")
        reports = [self.path(f"b.{ending}") for ending in ("json", "csv", "tex", "md", "html")]
        self.cli(*bench, "--threads", "1", *(word for report in reports for word in ("--report", report)))
        for report in reports:
            report.read_text(encoding="utf-8")
        out, _ = self.cli("compare", "a.json", "b.json")
        self.assertIn("'user.mine' of convolve: its source changed", out)

    def test_is_a_backend_of_run_and_bench(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "my blur.cpp")
        kernel = ["--kernel", "my blur.cpp"]
        self.cli("run", "-i", "synthetic:noise:33x17,channels=3", "-o", "a.exr", "--op", "convolve:size=7,border=wrap", *kernel, "--backend", "user.my-blur")
        self.cli("run", "-i", "synthetic:noise:33x17,channels=3", "-o", "b.exr", "--op", "convolve:size=7,border=wrap", "--backend", "reference")
        self.assertLess(self.json("diff", "a.exr", "b.exr")["max_abs"], 1e-6)
        # Two steps: the result of the first stays in the memory of the kernel.
        self.cli("run", "-i", "synthetic:noise:33x17x5", "-o", "a.nii", "--op", "convolve", "--op", "convolve:size=3", *kernel, "--backend", "user")
        self.cli("bench", "-i", "synthetic:noise:64x64", "--op", "convolve", *kernel, "--backend", "user.my-blur", "--effort", "quick")

    def test_faults_are_named(self):
        for case, (body, message) in enumerate(FAULTS):
            with self.subTest(body):
                limit = "0.5" if "within" in message else "600"
                _, err = self.cli("run", *IMAGE, "--kernel", self.faulty(case, body), "--backend", "user.faulty", "--limit", limit, code=FAILED)
                self.assertIn("The kernel 'faulty' failed: ", err)
                self.assertIn(message, err)
                self.assertFalse(self.path("a.exr").exists())

    def test_a_sanitizer_names_the_line(self):
        compilers = [c for c in ("g++", "clang++") if shutil.which(c)]
        for compiler, (case, (body, message)) in ((c, f) for c in compilers for f in enumerate(SANITIZED_FAULTS)):
            with self.subTest(compiler=compiler, body=body):
                source = self.faulty(case, body)
                line = self.path(source).read_text().split("\n").index("    " + body) + 1
                _, err = self.cli("run", *SMALL, "--kernel", source, "--backend", "user.faulty", "--sanitize", code=FAILED,
                                  environment={"PARALLAX_KERNEL_CXX": compiler})
                self.assertIn("The kernel 'faulty' failed: ", err)
                self.assertIn(f"{message}{self.path(source).resolve()}:{line}", err)

    def test_a_sanitizer_finds_nothing_in_a_sample(self):
        self.cli("kernel", "new", "--op", "convolve", "--sample", "blocked", "-o", "mine.cpp")
        temporary = self.path("a folder: it's temporary")
        temporary.mkdir()
        result = self.json("kernel", "check", "mine.cpp", "--sanitize", environment={"TMPDIR": str(temporary)})
        self.assertTrue(result["passed"])
        self.assertEqual(os.listdir(temporary), [])
        run = ["run", *IMAGE, "--kernel", "mine.cpp", "--backend", "user", "--sanitize"]
        self.assertIn("times are not measured", self.cli(*run)[1])
        self.assertNotIn("compute_ns", self.json(*run))

    def test_the_way_of_a_new_user(self):
        step = ["--op", "convolve:size=5"]
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        right = self.path("mine.cpp").read_text()
        # Edit one line wrong, and see where it differs.
        self.write("mine.cpp", right.replace("x + u - p->left, ", "x + u - p->left + 1, "))
        out, _ = self.cli("kernel", "check", "mine.cpp", code=DISAGREE)
        self.assertRegex(out, r"x = \d+, y = \d+.*: \S+ instead of \S+, where \S+ is allowed")
        for backend in ("user.mine", "reference"):
            self.cli("run", "-i", "synthetic:noise:64x48", "-o", f"{backend}.exr", *step, "--kernel", "mine.cpp", "--backend", backend)
        worst = self.json("diff", "reference.exr", "user.mine.exr")["worst"][0]
        self.assertGreater(abs(worst["a"] - worst["b"]), 0.01)
        # Mend it, and make it faster.
        self.write("mine.cpp", right)
        self.assertIn("passed", self.cli("kernel", "check", "mine.cpp")[0])
        self.cli("kernel", "new", "--op", "convolve", "--sample", "blocked", "-o", "faster.cpp")
        self.assertIn("passed", self.cli("kernel", "check", "faster.cpp")[0])
        # Export the report.
        self.cli("bench", "-i", "synthetic:noise:256x256", *step, "--kernel", "mine.cpp", "--kernel", "faster.cpp", "--backend", "user.mine",
                 "--backend", "user.faster", "--effort", "quick", "--report", "r.json", "--report", "r.html")
        rows = {e["backend"] + "." + e["variant"]: e for e in json.loads(self.path("r.json").read_text())["entries"]}
        self.assertEqual({row["verification"] for row in rows.values()}, {"agrees"})
        compute = {name: min(s["compute"] for s in row["samples_ns"]) for name, row in rows.items()}
        self.assertLess(compute["user.faster"], compute["user.mine"] / 2)
        html = self.path("r.html").read_text()
        self.assertIn("user.faster", html)
        self.assertIn("blocked in registers along both axes", html)

    def test_where_there_is_no_sanitizer(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        compiler = self.path("without")
        compiler.write_text('#!/bin/sh\ncase "$1" in -print-file-name=*) echo libasan.so;; *) exec c++ "$@";; esac\n')
        compiler.chmod(0o755)
        _, err = self.cli("kernel", "check", "mine.cpp", "--sanitize", code=UNAVAILABLE, environment={"PARALLAX_KERNEL_CXX": str(compiler)})
        self.assertIn("has no AddressSanitizer. Install it", err)
        # Measurements would be those of the sanitizer.
        _, err = self.cli("kernel", "bench", "mine.cpp", "--sanitize", code=USAGE)
        self.assertIn("'kernel check'", err)
        _, err = self.cli("bench", *IMAGE[:2], "--op", "convolve", "--kernel", "mine.cpp", "--sanitize", code=USAGE)
        self.assertIn("'kernel check'", err)
        _, err = self.cli("run", *IMAGE, "--sanitize", code=USAGE)
        self.assertIn("--kernel", err)

    def test_a_check_goes_on_after_a_crash(self):
        body = "if (samples > 20) *(volatile int *)nullptr = 1; for (int64_t i = 0; i < samples; ++i) out->data[i] = in->data[i];"
        out, _ = self.cli("kernel", "check", self.faulty(0, body), code=DISAGREE)
        self.assertIn("Too many crashes", out)
        self.assertIn("problem that fails", out)

    def test_errors_of_the_compiler_name_file_and_line(self):
        source = self.write("typo.cpp", "#include <parallax/convolve.h>\n\nint x = unknown;\n")
        _, err = self.cli("kernel", "check", source, code=INPUT)
        self.assertIn("typo.cpp:3:9: error", err)

    def test_refuses_what_is_no_kernel(self):
        for name, text, message in [("a.cpp", "int x;", "includes no parallax/OPERATION.h"), ("a.cpp", "#include <parallax/unheard-of.h>", "no operation"),
                                    ("a.cu", "", "includes no parallax/OPERATION.h"), ("a.txt", "", "does not end in .cpp"), ("b.cpp", "#include <parallax/convolve.h>", "parallax_kernel")]:
            with self.subTest(message):
                _, err = self.cli("kernel", "check", self.write(name, text), code=FAILED if name == "b.cpp" else INPUT)
                self.assertIn(message, err)
        _, err = self.cli("kernel", "check", "absent.cpp", code=INPUT)
        self.assertIn("no such file", err)
        _, err = self.cli("run", *IMAGE, "--backend", "user", code=UNAVAILABLE)
        self.assertIn("No kernel is open", err)
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        _, err = self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp", code=OUTPUT)
        self.assertIn("--force", err)
        self.cli("kernel", "new", "--op", "convolve", "--sample", "unheard-of", "-o", "x.cpp", code=USAGE)

    def test_without_a_compiler(self):
        self.cli("kernel", "new", "--op", "convolve", "-o", "mine.cpp")
        _, err = self.cli("kernel", "check", "mine.cpp", code=UNAVAILABLE, environment={"PARALLAX_KERNEL_CXX": "/no/such/compiler"})
        self.assertIn("PARALLAX_KERNEL_CXX", err)
        program = os.environ["PARALLAX_CLI"]
        _, err = self.cli("kernel", "check", "mine.cpp", code=UNAVAILABLE, environment={"PATH": "/nowhere"})
        self.assertIn("Install g++", err)
        self.assertTrue(os.path.exists(program))

    def test_writing_beyond_the_workspace_is_named(self):
        for bytes_, written, code in [(100, 99, SUCCESS), (100, 100, FAILED), (4096, 4096, FAILED)]:
            with self.subTest(bytes=bytes_, written=written):
                source = self.write("wide.cpp", f"""#include <parallax/convolve.h>
int64_t parallax_workspace(const parallax_input *, const parallax_convolve *, const parallax_context *) {{ return {bytes_}; }}
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *c) {{
    ((volatile char *)c->workspace)[{written}] = 1;
    for (int64_t i = 0; i < in->width * in->height; ++i) out->data[i] = in->data[i];
}}
""")
                _, err = self.cli("run", *IMAGE, "--kernel", source, "--backend", "user.wide", code=code)
                if written == 100:
                    self.assertIn("it wrote beyond the 100 bytes of its workspace", err)

    def test_a_kernel_may_refuse_and_prepare(self):
        source = self.write("careful.cpp", """#include <parallax/convolve.h>
const char *parallax_refuses(const parallax_input *in, const parallax_convolve *) { return in->channels == 3 ? "three channels are too many" : nullptr; }
int64_t parallax_workspace(const parallax_input *in, const parallax_convolve *, const parallax_context *) { return in->width * 4; }
void parallax_prepare(const parallax_input *in, const parallax_convolve *, const parallax_context *c) {
    for (int64_t x = 0; x < in->width; ++x) ((float *)c->workspace)[x] = 2;
}
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *c) {
    for (int64_t i = 0; i < in->width * in->height; ++i) out->data[i] = ((float *)c->workspace)[i % in->width] * in->data[i];
}
""")
        arguments = ["--op", "convolve:kernel=custom,weights=2", "--kernel", source, "--backend"]
        self.cli("run", "-i", "synthetic:noise:16x9", "-o", "a.exr", *arguments, "user")
        self.cli("run", "-i", "synthetic:noise:16x9", "-o", "b.exr", *arguments, "reference")
        self.assertEqual(self.json("diff", "a.exr", "b.exr")["max_abs"], 0)
        _, err = self.cli("run", "-i", "synthetic:noise:16x9,channels=3", "-o", "c.exr", *arguments, "user", code=UNAVAILABLE)
        self.assertIn("three channels are too many", err)

    def test_a_mistake_in_what_it_refuses_is_no_refusal(self):
        mistakes = (("*(volatile int *)nullptr = in != nullptr;", "it wrote through a null pointer"),
                    ("for (volatile int i = 0;; i = i + 1) {}", "it did not return within 0.5 s"))
        for body, message in mistakes:
            with self.subTest(message):
                source = self.write("faulty.cpp", f"""#include <parallax/convolve.h>
const char *parallax_refuses(const parallax_input *in, const parallax_convolve *) {{ {body} return nullptr; }}
void parallax_kernel(const parallax_input *, const parallax_output *, const parallax_convolve *, const parallax_context *) {{}}
""")
                limit = ["--limit", "0.5"]
                _, err = self.cli("run", *IMAGE, "--kernel", source, "--backend", "user", *limit, code=FAILED)
                self.assertIn(f"The kernel 'faulty' failed: in parallax_refuses(), {message}", err)
                out, _ = self.cli("kernel", "check", source, *limit, code=DISAGREE)
                self.assertIn(f"in parallax_refuses(), {message}", out)
                self.assertNotIn("refused", out)

    def test_kernels_to_begin_with_stay_within_an_image_of_another_size(self):
        for name in ("idwt", "render"):
            with self.subTest(name):
                self.cli("kernel", "new", "--op", name, "-o", f"{name}.cpp")
                out, _ = self.cli("kernel", "check", f"{name}.cpp", code=DISAGREE)
                self.assertNotIn("last sample", out)

    def test_every_parameter_is_changed(self):
        source = self.faulty(0, "for (int64_t i = 0; i < samples; ++i) out->data[i] = 1e6f;")
        steps = " ".join(failed["step"] for failed in self.json("kernel", "check", source, code=DISAGREE)["failed"])
        for change in ("kernel=scharr-x", "kernel=prewitt-y", "amount=", "channels=R", "border=wrap", "flip=true", "scale="):
            self.assertIn(change, steps)

    def test_what_it_keeps_from_run_to_run_is_found(self):
        bodies = {"accumulates": "float *sum = (float *)c->workspace; for (int64_t i = 0; i < n; ++i) out->data[i] = sum[i] += in->data[i];",
                  "computes_once": "static bool done; if (!done) for (int64_t i = 0; i < n; ++i) out->data[i] = in->data[i]; done = true;"}
        for name, body in bodies.items():
            with self.subTest(name):
                source = self.write(f"{name}.cpp", f"""#include <parallax/convolve.h>
const char *parallax_refuses(const parallax_input *, const parallax_convolve *p) {{ return p->size == 1 ? nullptr : "size is not 1"; }}
int64_t parallax_workspace(const parallax_input *in, const parallax_convolve *, const parallax_context *) {{
    return 4 * in->width * in->height * in->depth * in->channels;
}}
void parallax_prepare(const parallax_input *in, const parallax_convolve *, const parallax_context *c) {{
    for (int64_t i = 0; i < in->width * in->height * in->depth * in->channels; ++i) ((float *)c->workspace)[i] = 0;
}}
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *c) {{
    const int64_t n = in->width * in->height * in->depth * in->channels;
    {body}
}}
""")
                arguments = ["-i", "synthetic:noise:16x16", "--op", "convolve:kernel=box,size=1", "--effort", "quick"]
                self.cli("kernel", "bench", source, *arguments, code=DISAGREE if name == "accumulates" else FAILED,
                         environment={"PARALLAX_SAMPLING_SECONDS": "0.05"})
                self.cli("kernel", "check", source, code=DISAGREE)

    def test_a_few_samples_around_an_image_are_found(self):
        for first, last in ((0, 4), (-1, 0)):
            source = self.faulty(last, f"for (int64_t i = {first}; i < samples + {last}; ++i) out->data[i] = 1;")
            _, err = self.cli("run", *SMALL, "--kernel", source, "--backend", "user.faulty", code=FAILED)
            self.assertIn("it wrote a few samples before the first or beyond the last one", err)

    def test_names_of_standard_headers_beside_it_do_no_harm(self):
        self.write("vector", "this is no header\n")
        self.write("own.h", "#define FACTOR 1\n")
        source = self.write("beside.cpp", """#include <parallax/convolve.h>
#include <vector>
#include "own.h"
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *) {
    for (int64_t i = 0; i < in->width * in->height; ++i) out->data[i] = FACTOR * in->data[i];
}
""")
        self.cli("run", *IMAGE, "--kernel", source, "--backend", "user")

    def test_each_of_several_kernels_runs_its_own_code(self):
        operations = {"repair": ("ten", "10 * in->data[i]"), "convolve": ("more", "in->data[i] + 1")}
        for operation, (name, value) in operations.items():
            self.write(f"{name}.cpp", f"""#include <parallax/{operation}.h>
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_{operation} *, const parallax_context *) {{
    for (int64_t i = 0; i < in->width * in->height; ++i) out->data[i] = {value};
}}
""")
        both = ["--kernel", "ten.cpp", "--kernel", "more.cpp"]
        first, second = operations
        self.cli("run", "-i", "synthetic:noise:16x16", "-o", "both.pfm", *both, "--op", first, "--op", second, "--backend", "user")
        self.cli("run", "-i", "synthetic:noise:16x16", "-o", "first.pfm", *both, "--op", first, "--backend", "user")
        self.cli("run", "-i", "first.pfm", "-o", "second.pfm", *both, "--op", second, "--backend", "user")
        self.assertGreater(self.json("diff", "first.pfm", "second.pfm")["max_abs"], 0.9)
        self.assertEqual(self.json("diff", "both.pfm", "second.pfm")["max_abs"], 0)

    def hosts(self, program="kernel-host"):
        """Processes of a program that this test started."""
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.readlink(f"/proc/{name}/cwd") == str(self.folder) and program in os.readlink(f"/proc/{name}/exe"):
                    found.append(int(name))
            except OSError:
                pass
        return found

    def test_nothing_is_left_of_a_kernel_that_does_not_end(self):
        self.faulty(0, "for (volatile int64_t i = 0;; i = i + 1) {}")
        for number, code in ((signal.SIGINT, INTERRUPTED), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number):
                process = self.start("run", *IMAGE, "--kernel", "faulty.cpp", "--backend", "user")
                self.assertTrue(self.wait_until_interruptible(process))
                while process.poll() is None and not self.hosts():
                    time.sleep(0.01)
                time.sleep(0.2)
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, code)
                deadline = time.monotonic() + 60
                while self.hosts() and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertEqual(self.hosts(), [])

    def test_a_compiler_that_is_cancelled_ends(self):
        self.write("slow.cpp", """// options: -fconstexpr-loop-limit=2147483647 -fconstexpr-ops-limit=2147483647
#include <parallax/convolve.h>
constexpr int slow() { int n = 0; for (int i = 0; i < 2000000000; ++i) n ^= i; return n; }
constexpr int number = slow();
void parallax_kernel(const parallax_input *, const parallax_output *, const parallax_convolve *, const parallax_context *) {}
""")
        self.path("temporary").mkdir()
        process = self.start("run", *IMAGE, "--kernel", "slow.cpp", "--backend", "user", environment={"TMPDIR": str(self.path("temporary"))},
                             start_new_session=True)
        self.assertTrue(self.wait_until_interruptible(process))
        while process.poll() is None and not self.hosts("cc1plus"):
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        deadline = time.monotonic() + 5
        while self.hosts("cc1plus") and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(self.hosts("cc1plus"), [])
        self.assertEqual(os.listdir(self.path("temporary")), [])


if __name__ == "__main__":
    unittest.main()
