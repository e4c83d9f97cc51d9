# SPDX-License-Identifier: GPL-3.0-or-later
"""Help, usage errors and output streams."""
import pathlib
import re
import shutil
import subprocess
import unittest

from command_line import BLUR, INPUT, OUTPUT, PROGRAM, UNAVAILABLE, USAGE, CommandLineTest

COMMANDS = ("baselines", "baselines list", "baselines save", "baselines rename", "baselines remove",
            "info", "devices", "operations", "run", "bench", "compare", "diff", "report", "self-check", "ceilings", "profile", "kernel",
            "kernel new", "kernel header", "kernel check", "kernel bench")
PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "packaging"


class Help(CommandLineTest):
    def test_help_starts_with_examples(self):
        out, err = self.cli("--help")
        self.assertEqual(err, "")
        self.assertLess(out.index("Examples"), out.index("Usage"))
        for command in COMMANDS:
            self.assertIn(command.split()[0], out)

    def test_help_of_every_command(self):
        for command in COMMANDS:
            out, _ = self.cli(*command.split(), "--help")
            Help.texts[command] = out
            self.assertIn("parallax-cli " + command, out)
            self.assertIn("--help", out)
            self.assertEqual(self.cli("help", *command.split())[0], out)
        self.assertIn("Examples", self.cli("help")[0])
        _, err = self.cli("help", "nonsense", code=USAGE)
        self.assertRegex(err, "Unknown command 'nonsense': known are .*run.*See 'parallax-cli --help'")
        _, err = self.cli("help", "kernel", "nonsense", code=USAGE)
        self.assertRegex(err, "Unknown command 'nonsense': known are .*new.*See 'parallax-cli kernel --help'")
        _, err = self.cli("help", "run", "fast", code=USAGE)
        self.assertIn("Unknown command 'fast': 'run' has no commands of its own. See 'parallax-cli run --help'", err)

    def test_errors_name_the_help_of_the_innermost_command(self):
        _, err = self.cli("kernel", code=USAGE)
        self.assertIn("No command given. See 'parallax-cli kernel --help'", err)
        _, err = self.cli("kernel", "nonsense", code=USAGE)
        self.assertRegex(err, "Unknown command 'nonsense': known are .*new.*See 'parallax-cli kernel --help'")
        _, err = self.cli("kernel", "new", "--nonsense", code=USAGE)
        self.assertIn("See 'parallax-cli kernel new --help'", err)
        _, err = self.cli("kernel", "check", code=USAGE)
        self.assertIn("FILE is required. See 'parallax-cli kernel check --help'", err)

    def test_completion_of_help(self):
        offered = lambda *words: {line.split("\t")[0] for line in self.cli("complete", "help", *words)[0].splitlines()} - {":"}
        self.assertLessEqual({"run", "kernel"}, offered(""))
        self.assertEqual(offered("kernel", ""), {c.split()[1] for c in COMMANDS if c.startswith("kernel ")})
        self.assertEqual(offered("run", ""), set())

    texts = {}  # help of each command, fetched once

    def options(self, command):
        """Long names of the options in the help of a command."""
        if command not in Help.texts:
            Help.texts[command] = self.cli(*command.split(), "--help")[0]
        return set(re.findall(r"(--[a-z][a-z-]*)", "\n".join(re.findall(r"^  (-\S+)", Help.texts[command], re.M)))) - {"--help", "--help-all"}

    def test_help_names_arguments_as_the_man_page_does(self):
        for command, usage in (("info", "[OPTIONS] PATH..."), ("compare", "[OPTIONS] BASE.json NEW.json"), ("diff", "[OPTIONS] A B"),
                               ("operations", "[OPTIONS] [ID]"), ("report", "[OPTIONS] RUN.json"), ("run", "[OPTIONS]")):
            self.options(command)
            self.assertIn(f"\n\nUsage: parallax-cli {command} {usage}\n", Help.texts[command])
        for command in COMMANDS:
            self.options(command)
            # Lists of validators and other noise of the parser.
            for noise in ("{", "Excludes", "... ...", "REQUIRED", "SUBCOMMAND"):
                self.assertNotIn(noise, re.sub(r"\{[a-z]+\}", "", Help.texts[command]), command)
        self.assertIn("\n\nUsage: parallax-cli [OPTIONS] COMMAND\n", self.cli("--help")[0])

    def test_help_of_every_command_has_valid_examples(self):
        for command in COMMANDS:
            self.options(command)
            examples = re.findall(r"^  parallax-cli (.*)$", Help.texts[command], re.M)
            self.assertTrue(examples, command)
            for example in examples:
                self.assertTrue(example.startswith(command), example)
                # "kernel" has examples of its own commands.
                called = max((c for c in COMMANDS if f"{example} ".startswith(f"{c} ")), key=len)
                self.options(called)
                for option in re.findall(r" (--?[a-z][a-z-]*)", example):
                    self.assertRegex(Help.texts[called], rf"(?m)^  (-\w,)?{option}\b", example)

    def test_completion_and_man_page_list_every_option(self):
        page = (PACKAGING / "parallax-cli.1").read_text().replace("\\-", "-")
        synopsis = page[page.index(".SH SYNOPSIS"):page.index(".SH EXAMPLES")]
        for command in COMMANDS:
            options = self.options(command)
            words = {line.split("\t")[0] for line in self.cli("complete", *command.split(), "--")[0].splitlines()}
            self.assertEqual(words - {"--help", "--help-all", ":"}, options, command)
            said = "".join(part for part in synopsis.split(".YS") if re.search(rf"^\.B {command}$", part, re.M))
            # -i stands for --input and -o for --output.
            long = set(re.findall(r"(--[a-z][a-z-]*)", said))
            long |= {name for short, name in (("i", "--input"), ("o", "--output")) if re.search(rf"(?<![\w-])-{short}\b", said)}
            self.assertEqual(long, options, command)

    def test_man_pages_have_no_warnings(self):
        if not shutil.which("groff"):
            self.skipTest("no groff here")
        for page in ("parallax-cli.1", "parallax.1"):
            done = subprocess.run(["groff", "-man", "-t", "-ww", "-Tutf8", PACKAGING / page], capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")

    def test_help_of_run_names_every_format(self):
        _, err = self.cli("run", "-i", "synthetic:noise:8x8", "-o", "a.xyz", "--op", "convolve", code=USAGE)
        known = re.search(r"known extensions are ([\w., ]+)\. ", err)[1].split(", ")
        self.assertIn("exr", known)
        written = re.search(r"images:(.*?); volumes and single-channel images:(.*?);", self.cli("run", "--help")[0], re.S)
        self.assertEqual(sorted((written[1] + written[2]).split()), sorted("." + e for e in known))

    def test_version_lists_build_and_backends(self):
        out, _ = self.cli("--version")
        self.assertIn("parallax-cli ", out)
        for backend in ("reference", "openmp", "opencv", "cuda"):
            self.assertIn(backend, out)
        for library in ("OpenEXR", "libpng", "libtiff", "zlib"):
            self.assertRegex(out, rf"\nlibraries: .*{library} \d+\.\d")
        if self.available("openmp"):
            self.assertRegex(out, r"\n  openmp +available: OpenMP \d{6}, .*vector instructions")
        cuda = re.search(r"\n  cuda .*", out)[0]
        self.assertRegex(cuda, r"not available: .*|available: compiler .*CUDA runtime \d+")

    def test_several_pages_tell_how_to_open_another(self):
        pages = pathlib.Path(__file__).resolve().parents[1] / "oracles/tiff/pages.tif"
        for path, tells in ((pages, True), (f"{pages}#1", False)):
            _, err = self.cli("run", "-i", path, "-o", self.path(f"{tells}.pfm"), "--op", "convolve:size=3", "--backend", "reference")
            self.assertEqual("note: The file holds 3 pages; the first was opened" in err, tells, err)
            self.assertEqual("note: '#N' after its name opens another one, '#0' to '#2'" in err, tells, err)

    def test_text_with_the_name_of_an_image(self):
        self.path("notes.png").write_text("Dear diary,\ntoday I renamed a file.\n")
        _, err = self.cli("info", "notes.png", code=INPUT)
        self.assertIn("this is not a PNG; the content looks like text", err)
        # A picture that is a text opens by its own name.
        self.path("grey.pgm").write_text("P2\n2 1\n255\n0 255\n")
        self.cli("info", "grey.pgm")

    def test_devices_and_operations(self):
        j = self.json("devices")
        self.assertEqual((j["schema"], j["schema_version"]), ("parallax.devices", 1))
        for b in j["backends"]:
            self.assertTrue(b["available"] or b["reason"], b["id"])
            if b["available"]:
                self.assertTrue(b["devices"] and b["implementations"], b["id"])
            for m in b["modes"]:
                self.assertEqual(m["name"], "+".join(m["modes"]))
                self.assertTrue(m["summary"], m["name"])
        self.assertIn("reference", self.cli("devices")[0])
        operation = self.json("operations", "convolve")["operations"][0]
        size = next(p for p in operation["parameters"] if p["key"] == "size")
        self.assertEqual((size["minimum"], size["maximum"]), (1, 127))
        self.assertIn("kernel=", self.cli("operations", "convolve")[0])
        self.assertIn("convolve", self.cli("operations")[0])


class Mistakes(CommandLineTest):
    def usage(self, *arguments, word=""):
        out, err = self.cli(*arguments, code=USAGE)
        self.assertEqual(out, "")
        self.assertIn(word, err)
        # One line, like every other error.
        self.assertTrue(err.splitlines()[-1].startswith("parallax-cli: "), err)
        self.assertEqual(self.leftovers(), [])

    def test_commands_and_options(self):
        self.usage()
        self.usage("nonsense", word="nonsense")
        self.usage("--nonsense")
        self.usage("run")
        self.usage("run", "-i", "synthetic:noise:8x8", *BLUR, word="--output")
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--nonsense", word="--nonsense")
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--threads", "many")
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--threads", "-1")
        self.usage("bench", "-i", "synthetic:noise:8x8", *BLUR, word="--backend")
        self.usage("info")
        self.usage("compare", "one.json", word="NEW.json is required")
        self.usage("diff", "one.png")
        self.usage("operations", "nonsense", word="nonsense")

    def test_errors_state_problem_and_help(self):
        work = ["run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR]
        self.usage(*work, "--threads", word="--threads needs a value. See 'parallax-cli run --help'")
        self.usage(*work, "--threads", "1", "--threads", "2", word="--threads may be given only once")
        self.usage(*work, "--nonsense", "more", word="Unexpected argument: '--nonsense' 'more'")
        self.usage("--nonsense", word="Unexpected argument: '--nonsense'")
        self.usage(word="No command given")
        self.usage(*work, "--depth", "12", word="--depth: '12' is none of 8, 16, half, float. See 'parallax-cli run --help'")
        self.usage("diff", "a.png", "b.png", "--range", "HDR", word="--range: 'HDR' is none of auto, ldr, hdr. See 'parallax-cli diff --help'")
        self.usage("ceilings", "--device", "0", word="--device needs --backend")
        self.usage(*work, "--recipe", "r.json", word="--op and --recipe are mutually exclusive. Give one of them")

    def test_numbers_are_decimal(self):
        work = ["run", "-i", "synthetic:noise:8x8", *BLUR, "--backend", "openmp"]
        for number in ("0x2", "2.0", "1e0", "+-2", " 2", "2 ", "'2", ""):
            self.usage(*work, "-o", "a.exr", f"--threads={number}", word="--threads")
        same = ["diff", "synthetic:noise:8x8", "synthetic:noise:8x8"]
        for number in ("0x10", "0x1p3", "nan", "inf", "-1", "1,5", "1e999", ""):
            self.usage(*same, f"--tolerance={number}", word="--tolerance")
        # Leading zeros do not make a number octal.
        if self.available("openmp"):
            for number in ("010", "+10", "10"):
                self.assertEqual(self.json(*work, "-o", "a.exr", "--force", "--threads", number)["threads"], 10)
        for number in ("010", "1e-5", "+.5"):
            self.assertTrue(self.json(*same, "--tolerance", number)["within_tolerance"])
        self.assertEqual(self.json(*same, "--tolerance", "010")["tolerance"], 10)

    def test_unknown_vector_instructions(self):
        _, err = self.cli("devices", environment={"PARALLAX_SIMD": "nonsense"}, code=USAGE)
        self.assertIn("allowed are AVX-512, AVX2, SSE4 and SSE2", err)
        for known in ("SSE4", "SSE2"):
            self.cli("devices", environment={"PARALLAX_SIMD": known})

    def test_range_errors_are_short(self):
        for arguments in (("diff", "a.png", "b.png", "--tolerance", "-1"), ("compare", "a.json", "b.json", "--fail-on-regression", "-1"),
                          ("run", "-i", "a.png", "-o", "a.exr", *BLUR, "--memory-limit", "0")):
            _, err = self.cli(*arguments, code=USAGE)
            self.assertLess(len(err), 160, err)

    def test_unknown_device(self):
        work = ["-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--device", "3"]
        for command in (["run", "-o", "a.exr"], ["bench"], ["profile"]):
            _, err = self.cli(*command, *work, code=UNAVAILABLE)
            self.assertIn("Backend 'reference' has no device 3", err)

    def test_invalid_operations(self):
        def run(op, word):
            self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", "--op", op, word=word)

        run("nonsense", "nonsense")
        run("nonsense:size=3", "nonsense")
        run("convolve:sise=3", "sise")
        run("convolve:size=three", "three")
        run("convolve:size=0", "size")
        run("convolve:size=128", "127")
        run("convolve:size", "size")
        run("convolve:size=3.5", "3.5")
        run("convolve:sigma=1,kernel=gaussian,sigma=2", "'sigma' is given twice")
        run("tonemap:preset=paper,preset=pfstools", "'preset' is given twice")
        run("convolve:kernel=nonsense", "gaussian")
        run("convolve:sigma=nan", "sigma")
        run("convolve:kernel=custom,weights='1,2;3", "weights")
        run("", "")
        run(":", "")
        self.usage("profile", "-i", "synthetic:noise:8x8", "--backend", "reference", word="--op")

    def test_notes_parameters_without_effect(self):
        work = ["run", "-i", "synthetic:noise:8x8", "--backend", "reference", "--force", "-o", "a.exr"]
        op = "convolve:weights=1 2 1,angle=30"
        _, err = self.cli(*work, "--op", op)
        self.assertIn("note: Parameter 'weights' of convolve has no effect here: it matters only with kernel = custom, and kernel is gaussian", err)
        self.assertIn("'angle'", err)
        self.assertEqual(len(self.json(*work, "--op", op)["notes"]), 2)
        for fine in ("convolve:sigma=1", "convolve:kernel=custom,weights=1 2 1", "tonemap:preset=pfstools,operator=local"):
            self.assertNotIn("no effect", self.cli(*work, "--op", fine)[1])
        self.assertNotIn("notes", self.json(*work, "--op", "convolve:sigma=1"))

    def test_invalid_generated_inputs(self):
        for text in ("synthetic:", "synthetic:nonsense:8x8", "synthetic:noise", "synthetic:noise:8", "synthetic:noise:0x8", "synthetic:noise:8x-8",
                     "synthetic:noise:8x8,channels=0", "synthetic:noise:8x8,seed=1,seed=2", "synthetic:noise:8x8,more=1", "synthetic:noise:99999999999999999999x8"):
            self.usage("run", "-i", text, "-o", "a.exr", *BLUR)

    def test_invalid_backends(self):
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--backend", "nonsense", word="reference")
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--backend", "reference.nonsense", word="serial")
        self.usage("bench", "-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--backend", "reference.nonsense", word="serial")
        self.usage("bench", "-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference.", word="reference.")

    def test_invalid_modes(self):
        work = ["-i", "synthetic:noise:8x8", *BLUR]
        for bad in ("reference+", "+pinned", "reference++pinned", "reference+pinned+pinned"):
            self.usage("bench", *work, "--backend", bad, word="BACKEND[.VARIANT]")
        for command in (["run", "-o", "a.exr"], ["bench"], ["bench", "--backend", "reference"]):
            self.usage(*command, *work, "--backend", "reference.serial+pinned", word="'reference' has no mode 'pinned'")
        # A loaded backend lists its modes, with and without a device.
        cuda = next(b for b in self.json("devices")["backends"] if b["id"] == "cuda")
        if not cuda["modes"]:
            self.skipTest("no backend with modes was built")
        names = [m["name"] for m in cuda["modes"]]
        self.assertEqual(names, ["graph", "graph+pinned", "overlapped", "overlapped+pinned", "pinned"])
        self.usage("run", *work, "-o", "a.exr", "--backend", "cuda.direct+quick", word="known are " + ", ".join(names))
        self.usage("bench", *work, "--backend", "cuda+overlapped+graph", word="graph+overlapped of backend 'cuda' cannot be combined")
        self.usage("run", *work, "-o", "a.exr", "--backend", "cuda+pinned+quick", word="no mode 'quick'")


class Streams(CommandLineTest):
    def test_full_standard_output_is_an_error(self):
        for arguments in (("info", "synthetic:noise:8x8"), ("devices",), ("operations",), ("diff", "synthetic:noise:8x8", "synthetic:noise:8x8"), ("--version",), ("--help",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                _, err = self.cli(*arguments, stdout=full, code=OUTPUT)
            self.assertIn("output", err)

    def test_closed_pipe_is_silent(self):
        process = self.start("operations", "convolve", "--json", stdout=subprocess.PIPE)
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        process.wait()
        self.assertEqual(err, "")

    def test_an_early_end_of_the_reader_keeps_the_report(self):
        process = self.start("bench", "--effort", "quick", "-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference", "--json", "--report", "r.json",
                             stdout=subprocess.PIPE)
        process.stdout.close()
        process.stderr.read()
        process.stderr.close()
        process.wait()
        self.assertTrue(self.path("r.json").exists())

    def test_closed_streams_leave_files_intact(self):
        # The next open file would get the number of a closed stream.
        self.cli("run", "-i", "synthetic:noise:64x64", "-o", "whole.exr", *BLUR, "--backend", "reference")
        for closed in ("1>&-", "2>&-", "0<&- 1>&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", PROGRAM, "run", "-i", "synthetic:noise:64x64", "-o", "a.exr", "--force", *BLUR,
                                   "--backend", "reference"], cwd=self.folder, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.path("a.exr").read_bytes(), self.path("whole.exr").read_bytes(), closed)
        done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", PROGRAM, "devices"], capture_output=True, check=False)
        self.assertEqual(done.returncode, OUTPUT)

    def test_no_progress_and_no_colours_without_a_terminal(self):
        out, err = self.bench_quick("-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference")
        self.assertNotIn("\033", out + err)
        self.assertNotIn("\r", err)

    def test_numbers_do_not_depend_on_the_locale(self):
        plain = self.cli("info", "synthetic:noise:16x16", "--json")[0]
        self.assertEqual(plain, self.cli("info", "synthetic:noise:16x16", "--json", environment={"LC_ALL": "de_DE.UTF-8"})[0])

    def test_runs_from_anywhere(self):
        out = subprocess.run([PROGRAM, "--version"], cwd="/", capture_output=True, text=True, check=True).stdout
        self.assertEqual(out, self.cli("--version")[0])


if __name__ == "__main__":
    unittest.main()
