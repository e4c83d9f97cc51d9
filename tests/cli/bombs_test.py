# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that ask for much memory, time or output (tests/fuzz/bombs.py): `info` describes or refuses each with little of them."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "fuzz"))
import bombs  # noqa: E402
from command_line import BLUR, INPUT, MEMORY, PATIENCE, PROGRAM, SUCCESS, TERMINATED, USAGE, CommandLineTest  # noqa: E402

SECONDS, MEGABYTES, OUTPUT_BYTES = 2, 500, 20 << 20


class Bombs(CommandLineTest):
    def run_once(self, *arguments):
        """Exit code, seconds, megabytes and bytes of output."""
        with open(self.path("output.txt"), "wb") as output:
            begin = time.monotonic()
            process = self.start(*arguments, stdout=output, stderr=output)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - begin
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, seconds, usage.ru_maxrss / 1024, self.path("output.txt").stat().st_size

    def test_info_needs_little(self):
        for name in bombs.make(self.path("bombs")):
            with self.subTest(name):
                def attempt():
                    code, seconds, megabytes, size = self.run_once("info", "--statistics", self.path("bombs") / name)
                    text = self.path("output.txt").read_bytes()[:2000]
                    self.assertIn(code, (SUCCESS, INPUT, MEMORY), text)
                    self.assertLess(megabytes, MEGABYTES, text)
                    self.assertLess(size, OUTPUT_BYTES)
                    return seconds

                self.promptly(SECONDS, attempt)

    def test_recipes_and_records_need_little(self):
        for name, content in bombs.texts():
            self.path(name).write_bytes(content)
            commands = [("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", "--recipe", name)] if ".recipe." in name else [
                ("report", name, "-o", "r.html"), ("compare", name, name), ("bench", "--from", name)]
            for command in commands:
                with self.subTest(command):
                    def attempt():
                        code, seconds, megabytes, _ = self.run_once(*command)
                        text = self.path("output.txt").read_bytes()[:2000]
                        self.assertIn(code, (USAGE, INPUT), text)
                        self.assertLess(megabytes, MEGABYTES, text)
                        return seconds

                    self.promptly(SECONDS, attempt)
            self.path(name).unlink()

    def test_other_commands_keep_the_budget(self):
        folder = self.path("bombs")
        folder.mkdir()
        chosen = ("samples.exr", "samples.nrrd", "samples.mha", "bits.png")
        for name, content in bombs.files():
            if name not in chosen:
                continue
            (folder / name).write_bytes(content)
            code, _, megabytes, _ = self.run_once("bench", "-i", folder / name, "--op", "convolve", "--backend", "reference")
            self.assertEqual(code, MEMORY, name)
            self.assertLess(megabytes, MEGABYTES)
            self.assertIn("--allow-large", self.path("output.txt").read_text())
        _, err = self.cli("run", "-i", folder / "bits.png", "-o", "a.png", "--op", "convolve", "--memory-limit", "100", "--scratch",
                          "none", "--allow-large", code=MEMORY)
        self.assertIn("--memory-limit", err)

    def test_allow_large(self):
        # 300 MiB of samples from 70 KB: not read unless asked for, and too many unless allowed.
        self.path("large.nrrd").write_bytes(bombs.nrrd("1024 1024 75") + bombs.gzip_member(bytes(75 << 20)))
        item = self.json("info", "large.nrrd")["items"][0]
        self.assertEqual((item["depth"], item["statistics"], item["channels"][0]["max"]), (75, False, None))
        _, err = self.cli("info", "large.nrrd", "--statistics", code=MEMORY)
        self.assertIn("--allow-large", err)
        item = self.json("info", "large.nrrd", "--statistics", "--allow-large")["items"][0]
        self.assertEqual((item["depth"], item["statistics"], item["channels"][0]["max"]), (75, True, 0))

    def test_a_blocked_read_ends_after_a_signal(self):
        os.mkfifo(self.path("pipe.json"))

        def attempt():
            process = self.start("run", "-i", "synthetic:noise:8x8", "-o", "a.exr", "--recipe", "pipe.json")
            self.assertTrue(self.wait_until_interruptible(process, signal.SIGTERM))
            time.sleep(0.5)
            asked = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, TERMINATED)
            return time.monotonic() - asked

        self.promptly(1.5, attempt)

    def test_a_pipe_beside_a_header_is_refused(self):
        bombs.make_pipe(self.folder)
        _, err = self.cli("info", "pipe.nhdr", code=INPUT)
        self.assertIn("not an ordinary file", err)


class Names(CommandLineTest):
    def test_control_characters_do_not_reach_the_terminal(self):
        name = "a\033[31mred\a\nline.png"
        out, err = self.cli("info", name, code=INPUT)
        self.assertNotIn("\033", out + err)
        self.assertNotIn("\a", out + err)
        self.assertIn("a\\x1b[31mred\\x07", err)

    def bytes_of(self, *arguments, code=SUCCESS):
        """stdout and stderr; both are UTF-8."""
        process = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(process.returncode, code, process.stderr)
        return process.stdout.decode(), process.stderr.decode()

    def test_names_need_not_be_utf8(self):
        """Files are opened and saved under them; every text that is written is UTF-8."""
        image, result, volume = b"caf\xe9 \xff.png", b"out\xff.exr", b"v\xff.raw"
        _, err = self.bytes_of("run", "-i", "synthetic:noise:8x8", "-o", image, *BLUR)
        self.assertIn("wrote caf\\xe9 \\xff.png", err)
        out, _ = self.bytes_of("info", image)
        self.assertIn("caf\\xe9 \\xff.png", out)
        self.assertIn("\ufffd", json.loads(self.bytes_of("info", image, "--json")[0])["items"][0]["path"])
        out, _ = self.bytes_of("run", "-i", image, "-o", result, *BLUR, "--json")
        self.assertEqual(json.loads(out)["width"], 8)
        self.assertIn(result, os.listdir(os.fsencode(self.folder)))
        self.bytes_of("run", "-i", "synthetic:noise:8x8x4", "-o", volume, *BLUR)
        for name in (volume, volume + b".json"):  # the description cannot hold the name of its samples
            self.assertEqual(json.loads(self.bytes_of("info", name, "--json")[0])["items"][0]["depth"], 4)
        self.bytes_of("diff", image, image)
        for command in (("info", b"no\xff.png"), ("run", "-i", image, "-o", "b.exr", "--recipe", b"no\xff.json")):
            _, err = self.bytes_of(*command, code=INPUT)
            self.assertIn("no\\xff", err)
        reports = [b"r\xff." + kind for kind in (b"json", b"html", b"csv", b"md", b"tex")]
        self.bytes_of("bench", "--effort", "quick", "-i", image, *BLUR, "--backend", "reference", *[a for r in reports for a in ("--report", r)])
        for report in reports:
            text = pathlib.Path(os.fsdecode(os.path.join(os.fsencode(self.folder), report))).read_text(encoding="utf-8")
            self.assertIn("caf\u00e9", text)
        self.bytes_of("report", reports[0], "-o", b"again\xff.html")
        self.bytes_of("compare", reports[0], reports[0])


class Limits(CommandLineTest):
    def test_the_limit_on_the_size_of_files_is_an_error(self):
        done = subprocess.run(["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", os.environ.get("PARALLAX_CLI", "parallax-cli"), "run", "-i",
                               "synthetic:noise:256x256", "-o", "a.exr", "--op", "convolve"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(self.leftovers(), [])


class Kills(CommandLineTest):
    def test_a_kill_while_replacing_mixes_no_files(self):
        """Samples and description are of the old or of the new volume, or are refused."""
        def run(size, value, *more):
            return ["run", "-i", f"synthetic:gradient:{size}", "-o", "a.raw", "--op", f"convolve:kernel=custom,weights=0,offset={value}", "--backend",
                    "reference", *more]

        self.cli(*run("64x32x16", 1))
        samples = self.path("a.raw").stat().st_size
        seconds = None
        for attempt in range(24):
            begin = time.monotonic()
            process = self.start(*run("32x64x16", 2, "--force"))
            if seconds is not None:
                time.sleep(seconds * attempt / 20)
                process.kill()
            process.communicate(timeout=PATIENCE)
            seconds = seconds or time.monotonic() - begin
            done = subprocess.run([os.environ.get("PARALLAX_CLI", "parallax-cli"), "info", "a.raw", "--json"], cwd=self.folder, capture_output=True,
                                  text=True, check=False)
            if done.returncode == SUCCESS:
                item = json.loads(done.stdout)["items"][0]
                self.assertIn((item["width"], item["channels"][0]["max"]), ((64, 1), (32, 2)))
            # A complete file has a temporary name for the moment in which it replaces another one; nothing incomplete ever has a name.
            for name in self.leftovers():
                if ".json" in name:
                    json.loads(self.path(name).read_text())
                else:
                    self.assertEqual(self.path(name).stat().st_size, samples, name)
                self.path(name).unlink()
            self.cli(*run("64x32x16", 1))


if __name__ == "__main__":
    unittest.main()
