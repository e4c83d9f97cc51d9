# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line tests share: running the program in a folder of its own, and files made on the fly."""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

PROGRAM = os.environ.get("PARALLAX_CLI", "parallax-cli")

# Seconds until something has surely gone wrong: others may work on the machine, too. Nothing waits longer than for what it waits for.
PATIENCE = 600

# The exit codes, as the man page has them.
SUCCESS, FAILED, USAGE, INPUT, OUTPUT, UNAVAILABLE, MEMORY, DISAGREE, REGRESSION = range(9)
UNTRUSTWORTHY, INTERRUPTED = 10, 130

BLUR = ["--op", "convolve:kernel=gaussian,size=3"]
# Weight 1 in the middle: what comes out is what went in.
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
    """How many times longer than its processor time a short loop takes now: 1 on an idle machine, 4 where four programs share a processor."""
    begin, processor = time.monotonic(), time.thread_time()
    while time.thread_time() - processor < 0.01:
        pass
    return max(1.0, (time.monotonic() - begin) / (time.thread_time() - processor))


def needs_test_data(path):
    """For classes of tests that need the public files: `path` is one of theirs. PARALLAX_DATA_TESTS=apart leaves them to a run of their own,
    as CTest does, so that they are reported as skipped where the files are absent."""
    apart = os.environ.get("PARALLAX_DATA_TESTS") == "apart"
    reason = "they are a test of their own" if apart else f"the test data are absent: no {path}; set PARALLAX_TEST_DATA to their folder"
    return unittest.skipIf(apart or not path.exists(), reason)


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="parallax_cli_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return self.folder / name

    def start(self, *arguments, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        environment = dict(os.environ, **options.pop("environment", {}))
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment,
                                stdin=subprocess.DEVNULL, text=True, **options)

    def wait_until_interruptible(self, process, number=signal.SIGINT):
        """Until then a signal ends the process as it ends any other: on a busy machine the start of a program takes its time. False if it
        had done its work before that was seen: this test may have been kept from running for longer."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and process.poll() is None:
            # A thread waits for the signals; all others have blocked them.
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
        self.fail(f"it does not wait for signal {number}, exit code {process.returncode}\nstdout: {out}\nstderr: {err}")

    def promptly(self, limit, attempt, attempts=5):
        """One of some attempts takes at most `limit` seconds, each divided by the slowness of the machine then: what is slow by design is
        slow each time. `attempt` returns seconds, or None if there was nothing to measure this time."""
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
        """Runs to the end; returns (stdout, stderr) after checking the exit code."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, code, f"{' '.join(map(str, arguments))}\nstdout: {out}\nstderr: {err}")
        return out, err

    def json(self, *arguments, code=SUCCESS, **options):
        return json.loads(self.cli(*arguments, "--json", code=code, **options)[0])

    def bench_quick(self, *arguments, code=SUCCESS, **options):
        return self.cli("bench", "--effort", "quick", *arguments, code=code, **options)

    def available(self, backend):
        return any(b["id"] == backend and b["available"] for b in self.json("devices")["backends"])

    def need(self, backend):
        if not self.available(backend):
            self.skipTest(f"backend {backend} is not available here")

    def leftovers(self):
        """Everything in the folder: temporary files must not stay."""
        return sorted(p.name for p in self.folder.iterdir())
