# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion of parallax-cli in bash, zsh and fish, each in the real shell, and the answers of the program that they show."""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ.get("PARALLAX_CLI", "parallax-cli")
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "packaging" / "completions"
PATIENCE = 600


def shell(name):
    return unittest.skipUnless(shutil.which(name), f"no {name} here")


class Completion(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # All programs but Python, which completion must not need.
        programs = self.folder / "bin"
        programs.mkdir()
        for path in (path for folder in ("/usr/bin", "/bin") for path in pathlib.Path(folder).iterdir()):
            if not path.name.startswith("python") and not os.path.lexists(programs / path.name):
                os.symlink(path, programs / path.name)
        (programs / "parallax-cli").unlink(missing_ok=True)
        os.symlink(os.path.abspath(PROGRAM), programs / "parallax-cli")
        (self.folder / "photo.png").touch()
        self.environment = dict(os.environ, PATH=str(programs), HOME=str(self.folder), LC_ALL="C.UTF-8", TERM="dumb")

    def answer(self, *words):
        lines = subprocess.run([PROGRAM, "complete", *words], capture_output=True, text=True, check=True).stdout.splitlines()
        return [line.split("\t")[0] for line in lines[:-1]], lines[-1]

    def test_answers_of_the_program(self):
        self.assertEqual(self.answer("be"), (["bench"], ":"))
        self.assertEqual(self.answer("run", "--effo"), ([], ":"))
        self.assertEqual(self.answer("bench", "--effort", ""), (["quick", "normal", "thorough"], ":"))
        self.assertEqual(self.answer("run", "--op", "conv"), (["convolve"], ":open"))
        self.assertEqual(self.answer("run", "--op", "convolve:size=3,kernel=ga"), (["convolve:size=3,kernel=gaussian"], ":open"))
        self.assertEqual(self.answer("run", "--op", "convolve:siz"), (["convolve:size="], ":open"))
        self.assertEqual(self.answer("run", "-i", ""), ([], ":files"))
        self.assertEqual(self.answer("run", "-i", "synthetic:zo"), (["synthetic:zone-plate:"], ":filesopen"))
        self.assertEqual(self.answer("operations", "idw"), (["idwt"], ":"))
        self.assertIn("reference", self.answer("bench", "--backend", "")[0])
        # Options that are given once are not offered again; --op can be repeated.
        words = self.answer("run", "--json", "--op", "dwt", "--")[0]
        self.assertNotIn("--json", words)
        self.assertIn("--op", words)

    def test_choices_are_those_of_the_program(self):
        for command, option in (("run", "--depth"), ("run", "--encoding"), ("bench", "--effort"), ("diff", "--range"), ("diff", "--map-kind")):
            needed = ["-i", "a", "-o", "b"] if command == "run" else []
            said = subprocess.run([PROGRAM, command, *needed, option, "nonsense"], capture_output=True, text=True).stderr
            self.assertIn(f"'nonsense' is none of {', '.join(self.answer(command, option, '')[0])}. ", said)

    def bash(self, line):
        script = f"""source {SCRIPTS}/parallax-cli.bash
COMP_LINE=$1 COMP_POINT=${{#1}} COMP_WORDS=(parallax-cli) COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_parallax_cli
printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", line], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        return done.stdout.split()

    @shell("bash")
    def test_bash(self):
        self.assertEqual(self.bash("parallax-cli sel"), ["self-check"])
        self.assertEqual(self.bash("parallax-cli bench --effort q"), ["quick"])
        self.assertEqual(self.bash("parallax-cli run --op convolve:kernel=ga"), ["gaussian"])
        self.assertEqual(self.bash("parallax-cli bench --recipe soft=convolve:kernel=ga"), ["gaussian"])
        self.assertEqual(self.bash("parallax-cli bench --recipe ph"), ["photo.png"])
        self.assertEqual(self.bash("parallax-cli info ph"), ["photo.png"])

    def fish(self, line):
        source = f"source {SCRIPTS}/parallax-cli.fish; complete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", source], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        return [text.split("\t")[0] for text in done.stdout.splitlines()]

    @shell("fish")
    def test_fish(self):
        self.assertEqual(self.fish("parallax-cli sel"), ["self-check"])
        self.assertEqual(self.fish("parallax-cli bench --effort q"), ["quick"])
        self.assertEqual(self.fish("parallax-cli run --op convolve:kernel=ga"), ["convolve:kernel=gaussian"])
        self.assertEqual(self.fish("parallax-cli bench --recipe soft=convolve:kernel=ga"), ["soft=convolve:kernel=gaussian"])
        self.assertEqual(self.fish("parallax-cli info ph"), ["photo.png"])

    def zsh(self, line):
        """Types a line and Tab into an interactive zsh and returns the line that results."""
        site = self.folder / "functions"
        site.mkdir(exist_ok=True)
        shutil.copy(SCRIPTS / "parallax-cli.zsh", site / "_parallax-cli")
        result = self.folder / "line"
        result.unlink(missing_ok=True)
        (self.folder / ".zshrc").write_text(
            f"fpath=({site} $fpath); autoload -Uz compinit; compinit -D -u\n"
            f"keep() {{ print -r -- \"$BUFFER\" >{result}.new; mv {result}.new {result}; exit 0 }}; zle -N keep; bindkey '^X' keep\n"
            "bindkey '^I' complete-word; print READY; PS1='> '\n")
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(shutil.which("zsh"), ["zsh", "-i"], dict(self.environment, ZDOTDIR=str(self.folder)))
        shown, sent, deadline = "", False, time.monotonic() + PATIENCE
        while not result.exists() and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    shown += os.read(terminal, 65536).decode(errors="replace")
                except OSError:
                    break
            if not sent and "READY" in shown and "> " in shown.split("READY", 1)[1]:
                os.write(terminal, (line + "\t\x18").encode())
                sent = True
        os.close(terminal)
        os.waitpid(child, 0)
        self.assertTrue(result.exists(), shown)
        return result.read_text().rstrip("\n")

    @shell("zsh")
    def test_zsh(self):
        self.assertEqual(self.zsh("parallax-cli sel").rstrip(), "parallax-cli self-check")
        self.assertEqual(self.zsh("parallax-cli bench --effort q").rstrip(), "parallax-cli bench --effort quick")
        self.assertEqual(self.zsh("parallax-cli run --op convolve:kernel=ga"), "parallax-cli run --op convolve:kernel=gaussian")
        self.assertEqual(self.zsh("parallax-cli bench --recipe soft=convolve:kernel=ga"),
                         "parallax-cli bench --recipe soft=convolve:kernel=gaussian")
        self.assertEqual(self.zsh("parallax-cli info ph").rstrip(), "parallax-cli info photo.png")


if __name__ == "__main__":
    unittest.main()
