# SPDX-License-Identifier: GPL-3.0-or-later
"""Options from the environment and from a configuration file."""
import json
import shlex
import unittest

from command_line import BLUR, INPUT, USAGE, CommandLineTest

NOISE = ["-i", "synthetic:noise:16x16"]
RUN = ["run", *NOISE, "-o", "out.pfm", "--force", "--dry-run", *BLUR]


class Settings(CommandLineTest):
    def default_file(self, text):
        """Writes the file that is read without --config."""
        file = self.data / "config" / "parallax" / "cli.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def file(self, text):
        self.path("own.toml").write_text(text)
        return "own.toml"

    def test_option_before_variable_before_file_before_default(self):
        """Each refused value names where it comes from."""
        variable = {"PARALLAX_BENCH_EFFORT": "of-variable"}
        bench = ["bench", *NOISE, *BLUR, "--backend", "reference"]
        self.default_file("[bench]\neffort = \"of-file\"\n")
        _, err = self.cli(*bench, "--effort", "of-option", code=USAGE, environment=variable)
        self.assertIn("--effort: 'of-option' is none of", err)
        _, err = self.cli(*bench, code=USAGE, environment=variable)
        self.assertIn("Cannot use PARALLAX_BENCH_EFFORT: --effort: 'of-variable' is none of", err)
        # An empty variable sets nothing.
        _, err = self.cli(*bench, code=USAGE, environment={"PARALLAX_BENCH_EFFORT": ""})
        self.assertIn("--effort: 'of-file' is none of", err)
        self.default_file("")
        self.bench_quick(*bench[1:])

    def test_values_take_effect(self):
        self.default_file("[run]\nbackend = \"reference\"\njson = true\n")
        out, _ = self.cli("run", *NOISE, "-o", "a.pfm", *BLUR)
        self.assertEqual(json.loads(out)["backend"], "reference")
        # A switch that is on can be switched off.
        out, _ = self.cli("run", *NOISE, "-o", "b.pfm", *BLUR, "--json=false")
        self.assertFalse(out.startswith("{"), out)
        out, _ = self.cli("run", *NOISE, "-o", "c.pfm", *BLUR, environment={"PARALLAX_RUN_JSON": "false"})
        self.assertFalse(out.startswith("{"), out)

    def test_a_chosen_file_replaces_the_default_one(self):
        self.default_file("[operations]\njson = true\n")
        self.assertTrue(self.cli("operations")[0].startswith("{"))
        self.assertFalse(self.cli("--config", self.file("[run]\nforce = true\n"), "operations")[0].startswith("{"))
        self.assertFalse(self.cli("--config", "/dev/null", "operations")[0].startswith("{"))

    def test_tables_of_other_commands_have_no_effect(self):
        chosen = self.file("[info]\njson = true\nallow-large = true\n[kernel.check]\nlimit = 5\n[operations]\n")
        self.assertFalse(self.cli("--config", chosen, "operations")[0].startswith("{"))
        _, err = self.cli("operations", environment={"PARALLAX_INFO_AT": "nonsense", "PARALLAX_RUN_THREADS": "nonsense"})
        self.assertEqual(err, "")

    def test_commands_of_commands(self):
        _, err = self.cli("--config", self.file("[kernel.check]\nlimit = 0\n"), "kernel", "check", "a.cpp", code=USAGE)
        self.assertIn("Cannot use 'limit' in [kernel.check] of 'own.toml': --limit: '0' is not a number", err)
        _, err = self.cli("kernel", "check", "a.cpp", code=USAGE, environment={"PARALLAX_KERNEL_CHECK_LIMIT": "0"})
        self.assertIn("Cannot use PARALLAX_KERNEL_CHECK_LIMIT: --limit: '0' is not a number", err)

    def test_settings_suffice_for_required_options(self):
        profile = ["profile", *NOISE, *BLUR, "--warm-up", "0"]
        _, err = self.cli(*profile, code=USAGE)
        self.assertIn("--backend is required", err)
        self.cli(*profile, environment={"PARALLAX_PROFILE_BACKEND": "reference"})
        # Still missing with other settings.
        _, err = self.cli(*profile, code=USAGE, environment={"PARALLAX_PROFILE_JSON": "true"})
        self.assertIn("--backend is required", err)

    def test_arguments_without_a_name_follow_two_hyphens(self):
        self.cli("run", *NOISE, "-o", "a.pfm", *BLUR)
        out, _ = self.cli("info", "--", "a.pfm", environment={"PARALLAX_INFO_JSON": "true"})
        self.assertTrue(out.startswith("{"), out)

    def test_options_win_over_settings_that_they_exclude(self):
        self.default_file("[bench]\nredact = true\nbackend = [\"openmp\"]\nlight = \"encoded\"\n")
        self.bench_quick(*NOISE, *BLUR, "--backend", "reference", "--patient", "--report", "a.json")
        # The report defines the backends and the light.
        self.bench_quick("--from", "a.json")

    def test_unknown_names_are_errors(self):
        for text, says in (
                ("[bench]\nefort = \"quick\"\n", r"Unknown key 'efort' in \[bench\] of 'own.toml': known are .*effort.*Correct or remove it"),
                ("[benhc]\neffort = \"quick\"\n", r"Unknown table \[benhc\] in 'own.toml': known are .*bench.*Correct or remove it"),
                ("[kernel.chekc]\n", r"Unknown table \[kernel.chekc\] in 'own.toml': known are .*check"),
                ("effort = \"quick\"\n", r"The key 'effort' is outside of any table in 'own.toml'. Put it below the name of a command"),
                ("[kernel]\nlimit = 3\n", r"Unknown key 'limit' in \[kernel\] of 'own.toml': this command has no settings"),
                # Inputs, outputs and steps belong on the command line.
                ("[run]\ninput = \"a.exr\"\n", r"Unknown key 'input' in \[run\]"),
                ("[run]\nop = \"convolve\"\n", r"Unknown key 'op' in \[run\]"),
                ("[run]\nhelp = true\n", r"Unknown key 'help' in \[run\]"),
                ("[run]\nconfig = \"b.toml\"\n", r"Unknown key 'config' in \[run\]")):
            # Also while another command runs.
            _, err = self.cli("--config", self.file(text), "devices", code=USAGE)
            self.assertRegex(err, says)

    def test_wrong_values_name_file_and_key(self):
        for text, says in (
                ("threads = \"many\"", "Cannot use 'threads' in [run] of 'own.toml': --threads: 'many' is not a whole number from 0 to 4096. "
                                       "Correct or remove it"),
                ("json = \"perhaps\"", "Cannot use 'json' in [run] of 'own.toml': Could not convert: --json = perhaps. Correct or remove it"),
                ("depth = [\"8\", \"16\"]", "Cannot use 'depth' in [run] of 'own.toml': --depth may be given only once. Correct or remove it"),
                # Only the command knows the backends.
                ("backend = \"opnemp\"", "note: --backend=opnemp is set by 'backend' in [run] of 'own.toml'")):
            _, err = self.cli("--config", self.file(f"[run]\n{text}\n"), *RUN, code=USAGE)
            self.assertIn(says, err)

    def test_missing_files(self):
        _, err = self.cli("--config", "none.toml", "devices", code=INPUT)
        self.assertIn("Cannot read the configuration file 'none.toml': it does not exist. Check the name after --config", err)
        _, err = self.cli("--config", self.folder, "devices", code=INPUT)
        self.assertIn("it is a folder", err)

    def test_help_does_not_need_a_valid_file(self):
        self.default_file("[nonsense]\n")
        self.cli("devices", code=USAGE)
        self.assertIn("--config FILE", self.cli("--help")[0])
        self.cli("run", "--help")
        self.cli("--version")

    def test_records_have_the_settings_as_options(self):
        chosen = self.file("[bench]\nbackend = [\"reference\", \"openmp\"]\nenergy = false\nreport = \"a b.json\"\n")
        self.cli("--config", chosen, "bench", *NOISE, *BLUR, environment={
            "PARALLAX_BENCH_CACHE": "cold", "PARALLAX_BENCH_EFFORT": "quick", "PARALLAX_SAMPLING_SECONDS": "0.05"})
        record = json.loads(self.path("a b.json").read_text())
        words = shlex.split(record["command"])
        self.assertEqual(words[:2], ["parallax-cli", "bench"])
        for word in ("--backend=reference", "--backend=openmp", "--report=a b.json", "--cache=cold", "--effort=quick"):
            self.assertIn(word, words)
        # The recorded command repeats the measurement without the settings.
        self.cli(*words[1:], "--force", environment={"PARALLAX_SAMPLING_SECONDS": "0.05"})
        again = json.loads(self.path("a b.json").read_text())
        for key in ("recipe", "protocol"):
            self.assertEqual(again[key], record[key])
        self.assertEqual([e["label"] for e in again["entries"]], [e["label"] for e in record["entries"]])


if __name__ == "__main__":
    unittest.main()
