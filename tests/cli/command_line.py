# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of the command line tests: runs the program in a temporary folder and creates files."""
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

PROGRAM = os.environ.get("PARALLAX_CLI", "parallax-cli")

# Seconds after which a wait has failed; the machine may be busy. Successful waits end with their condition.
PATIENCE = 600

# Exit codes as in the man page.
SUCCESS, FAILED, USAGE, INPUT, OUTPUT, UNAVAILABLE, MEMORY, DISAGREE, REGRESSION = range(9)
UNTRUSTWORTHY, INTERRUPTED, TERMINATED = 10, 130, 143

# Variables that set options of commands.
SETTING = re.compile(
    "PARALLAX_(INFO|DEVICES|OPERATIONS|RUN|BENCH|BASELINES|CEILINGS|COMPARE|DIFF|PROFILE|REPORT|SELF_CHECK|KERNEL_(NEW|HEADER|CHECK|BENCH))_")

BLUR = ["--op", "convolve:kernel=gaussian,size=3"]
# Identity: a single weight of 1.
SAME = ["--op", "convolve:kernel=box,size=1"]


def write_png(path, width, height, pixel, channels=3):
    """8-bit PNG; pixel(x, y) gives a tuple of samples."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))

    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    pathlib.Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def slowness():
    """Wall time over CPU time of a short loop: 1 on an idle machine, 4 where four programs share a CPU."""
    begin, processor = time.monotonic(), time.thread_time()
    while time.thread_time() - processor < 0.01:
        pass
    return max(1.0, (time.monotonic() - begin) / (time.thread_time() - processor))


def needs_test_data(path):
    """Skips a class of tests that need public files, of which `path` is one. PARALLAX_DATA_TESTS=apart leaves them to a separate run, as in
    CTest, which reports them as skipped where the files are absent."""
    apart = os.environ.get("PARALLAX_DATA_TESTS") == "apart"
    reason = "run as a separate test" if apart else f"no test data: {path} is missing; set PARALLAX_TEST_DATA to their folder"
    return unittest.skipIf(apart or not path.exists(), reason)


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parallax_cli_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        # History, baselines and settings of the program, instead of those of the person who runs the tests.
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="parallax_cli_data_"))
        self.addCleanup(shutil.rmtree, self.data, ignore_errors=True)

    def path(self, name):
        return self.folder / name

    def start(self, *arguments, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        own = {"XDG_DATA_HOME": str(self.data), "XDG_CONFIG_HOME": str(self.data / "config")}
        inherited = {name: value for name, value in os.environ.items() if not SETTING.match(name)}
        environment = {**inherited, **own, **options.pop("environment", {})}
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment,
                                stdin=subprocess.DEVNULL, text=True, **options)

    def wait_until_interruptible(self, process, number=signal.SIGINT):
        """Waits until the process handles signals. False if it succeeded before that was seen, as on a busy machine."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and process.poll() is None:
            # One thread waits for the signals; all threads block them.
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
            blocked = next((int(line.split()[1], 16) for line in status if line.startswith("SigBlk:")), 0)
            if blocked >> (number - 1) & 1:
                return True
            time.sleep(0.005)
        if process.poll() == SUCCESS:
            return False
        if process.poll() is None:
            process.kill()
        out, err = process.communicate()
        self.fail(f"it does not handle signal {number}, exit code {process.returncode}\nstdout: {out}\nstderr: {err}")

    def promptly(self, limit, attempt, attempts=5):
        """Checks that one of several attempts takes at most `limit` seconds, divided by the slowness of the machine. `attempt` returns seconds,
        or None if there was nothing to measure."""
        took = []
        for _ in range(attempts):
            before = slowness()
            seconds = attempt()
            if seconds is None:
                took.append("nothing to measure")
                continue
            slow = max(before, slowness())
            took.append(f"{seconds:.2f} s on a machine {slow:.1f} times as slow")
            if seconds / slow <= limit:
                return
        self.fail(f"not within {limit} s: {', '.join(took)}")

    def cli(self, *arguments, code=SUCCESS, **options):
        """Runs to the end, checks the exit code and returns (stdout, stderr)."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, code, f"{' '.join(map(str, arguments))}\nstdout: {out}\nstderr: {err}")
        return out, err

    def json(self, *arguments, code=SUCCESS, **options):
        return json.loads(self.cli(*arguments, "--json", code=code, **options)[0])

    def bench_quick(self, *arguments, code=SUCCESS, environment=None, **options):
        """A few samples: no test depends on the times."""
        options["environment"] = {"PARALLAX_SAMPLING_SECONDS": "0.05", **(environment or {})}
        return self.cli("bench", "--effort", "quick", *arguments, code=code, **options)

    def available(self, backend):
        return any(b["id"] == backend and b["available"] for b in self.json("devices")["backends"])

    def need(self, backend):
        if not self.available(backend):
            self.skipTest(f"backend {backend} is not available here")

    def assert_hosts(self, entry, ranks):
        """An entry of a record has so many ranks, all on this machine."""
        hosts = entry["hosts"]
        self.assertEqual([(h["name"], h["ranks"]) for h in hosts], [(os.uname().nodename, ranks)])
        self.assertGreaterEqual(hosts[0]["threads"], ranks)
        self.assertNotEqual(hosts[0]["processor"], "")

    def leftovers(self):
        """Names of all files in the folder; none may be temporary."""
        return sorted(p.name for p in self.folder.iterdir())
