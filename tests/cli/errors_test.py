# SPDX-License-Identifier: GPL-3.0-or-later
"""Help, mistakes in what is typed, and where output goes."""
import subprocess
import unittest

from command_line import BLUR, OUTPUT, PROGRAM, USAGE, CommandLineTest

COMMANDS = ("info", "devices", "operations", "run", "bench", "compare", "diff", "report")


class Help(CommandLineTest):
    def test_help_starts_with_examples(self):
        out, err = self.cli("--help")
        self.assertEqual(err, "")
        self.assertLess(out.index("Examples"), out.index("Usage"))
        for command in COMMANDS:
            self.assertIn(command, out)

    def test_help_of_every_command_both_ways(self):
        for command in COMMANDS:
            for arguments in ((command, "--help"), ("help", command)):
                out, _ = self.cli(*arguments)
                self.assertIn("parallax-cli " + command, out)
                self.assertIn("--help", out)
        self.assertIn("Examples", self.cli("help")[0])
        _, err = self.cli("help", "nonsense", code=USAGE)
        self.assertIn("nonsense", err)

    def test_version_lists_build_and_backends(self):
        out, _ = self.cli("--version")
        self.assertIn("parallax-cli ", out)
        for backend in ("reference", "openmp", "opencv", "cuda"):
            self.assertIn(backend, out)

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
        self.usage("compare", "one.json")
        self.usage("diff", "one.png")
        self.usage("operations", "nonsense", word="nonsense")

    def test_operations_as_typed(self):
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
        run("convolve:kernel=nonsense", "gaussian")
        run("convolve:sigma=nan", "sigma")
        run("convolve:kernel=custom,weights='1,2;3", "weights")
        run("", "")
        run(":", "")
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", word="--op")

    def test_generated_inputs_as_typed(self):
        for text in ("synthetic:", "synthetic:nonsense:8x8", "synthetic:noise", "synthetic:noise:8", "synthetic:noise:0x8", "synthetic:noise:8x-8",
                     "synthetic:noise:8x8,channels=0", "synthetic:noise:8x8,more=1", "synthetic:noise:99999999999999999999x8"):
            self.usage("run", "-i", text, "-o", "a.exr", *BLUR)

    def test_backends_as_typed(self):
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--backend", "nonsense", word="reference")
        self.usage("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", *BLUR, "--backend", "reference.nonsense", word="serial")
        self.usage("bench", "-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--backend", "reference.nonsense", word="serial")
        self.usage("bench", "-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference.", word="reference.")

    def test_modes_as_typed(self):
        work = ["-i", "synthetic:noise:8x8", *BLUR]
        for bad in ("reference+", "+pinned", "reference++pinned", "reference+pinned+pinned"):
            self.usage("bench", *work, "--backend", bad, word="BACKEND.VARIANT")
        for command in (["run", "-o", "a.exr"], ["bench"], ["bench", "--backend", "reference"]):
            self.usage(*command, *work, "--backend", "reference.serial+pinned", word="'reference' has no mode 'pinned'")
        # A backend that could be loaded says what it has, with and without a device.
        cuda = next(b for b in self.json("devices")["backends"] if b["id"] == "cuda")
        if not cuda["modes"]:
            self.skipTest("no backend with modes was built")
        names = [m["name"] for m in cuda["modes"]]
        self.assertEqual(names, ["graph", "graph+pinned", "overlapped", "overlapped+pinned", "pinned"])
        self.usage("run", *work, "-o", "a.exr", "--backend", "cuda.direct+quick", word="known are " + ", ".join(names))
        self.usage("bench", *work, "--backend", "cuda+overlapped+graph", word="graph+overlapped of backend 'cuda' do not go together")
        self.usage("run", *work, "-o", "a.exr", "--backend", "cuda+pinned+quick", word="no mode 'quick'")


class Streams(CommandLineTest):
    def test_full_standard_output_is_an_error(self):
        for arguments in (("info", "synthetic:noise:8x8"), ("devices",), ("operations",), ("diff", "synthetic:noise:8x8", "synthetic:noise:8x8"), ("--version",), ("--help",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                _, err = self.cli(*arguments, stdout=full, code=OUTPUT)
            self.assertIn("output", err)

    def test_a_reader_that_goes_away_is_no_error_message(self):
        process = self.start("operations", "convolve", "--json", stdout=subprocess.PIPE)
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        process.wait()
        self.assertEqual(err, "")

    def test_no_progress_and_no_colours_without_a_terminal(self):
        out, err = self.bench_quick("-i", "synthetic:noise:16x16", *BLUR, "--backend", "reference")
        self.assertNotIn("\033", out + err)
        self.assertNotIn("\r", err)

    def test_the_environment_does_not_change_numbers(self):
        plain = self.cli("info", "synthetic:noise:16x16", "--json")[0]
        self.assertEqual(plain, self.cli("info", "synthetic:noise:16x16", "--json", environment={"LC_ALL": "de_DE.UTF-8"})[0])

    def test_runs_from_anywhere(self):
        out = subprocess.run([PROGRAM, "--version"], cwd="/", capture_output=True, text=True, check=True).stdout
        self.assertEqual(out, self.cli("--version")[0])


if __name__ == "__main__":
    unittest.main()
