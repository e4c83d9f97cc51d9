#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the whole test suite several times in random order beside a changing load, and appends a row for each completed run to a table.

    tests/repeat.py build/release -n 20
    tests/repeat.py build/release -n 3 --table /tmp/gui.csv -- -R gui

What follows -- goes to ctest. Rows of several days and machines add up. An interrupted run leaves no row. The output of a run with failures is
kept in BUILD/Testing/repeated-*.log.
"""
import argparse
import csv
import datetime
import io
import itertools
import multiprocessing
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests/results/repeated.csv"
COLUMNS = ["date", "commit", "machine", "load", "order", "tests", "skipped", "failed", "wall_s", "cpu_s"]


def alive(parent):
    return os.getppid() == parent


def hog(parent):
    while alive(parent):
        sum(range(100_000))


def bandwidth(parent):
    block = bytes(64 << 20)
    while alive(parent):
        bytearray(block)


def disk(parent):
    with tempfile.TemporaryFile() as file:
        while alive(parent):
            file.seek(0)
            file.write(os.urandom(8 << 20))
            file.flush()
            os.fsync(file.fileno())


def bursts(parent):
    while alive(parent):
        end = time.monotonic() + 0.2
        while time.monotonic() < end:
            sum(range(10_000))
        time.sleep(0.2)


# Name of each step, and its processes for two processors.
STEPS = [("idle", []), ("1 hog", [hog]), ("2 hogs", 2 * [hog]), ("4 hogs", 4 * [hog]), ("memory", 2 * [bandwidth]), ("disk", [disk]),
         ("bursts", 4 * [bursts]), ("pauses", [])]


def change_load(group, ended, seconds):
    """Takes one step after the other until `ended`. Pauses stop all processes of the suite, as a host does that takes a virtual machine off
    its processors."""
    pairs = max(1, len(os.sched_getaffinity(0)) // 2)
    for name, work in itertools.cycle(STEPS):
        processes = [multiprocessing.Process(target=w, args=(os.getpid(),), daemon=True) for w in pairs * work]
        for p in processes:
            p.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until and not ended.is_set():
            if name == "pauses":
                try:
                    os.killpg(group, signal.SIGSTOP)
                    time.sleep(0.3)
                    os.killpg(group, signal.SIGCONT)
                except ProcessLookupError:
                    break
            ended.wait(1)
        for p in processes:
            p.kill()
            p.join()
        if ended.is_set():
            return


def commit():
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout.strip()

    return git("rev-parse", "--short=10", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def run(options, number):
    """One run of the suite. Returns its row."""
    row = {"date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"), "commit": commit(), "order": "random",
           "machine": f"{platform.machine()}, {len(os.sched_getaffinity(0))} CPUs",
           "load": options.load}
    ended = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.xml"
        begin = time.monotonic()
        ctest = subprocess.Popen(["ctest", "--test-dir", options.build, "-j", str(options.jobs), "--schedule-random", "--timeout", "3600",
                                  "--output-on-failure", "--output-junit", result, *options.ctest],
                                 stdout=subprocess.DEVNULL if options.quiet else None, preexec_fn=os.setpgrp)
        load = threading.Thread(target=change_load, args=(ctest.pid, ended, options.seconds))
        try:
            if options.load == "changing":
                load.start()
            _, status, used = os.wait4(ctest.pid, 0)  # with the processor time of all tests
            ctest.returncode = os.waitstatus_to_exitcode(status)
        finally:
            ended.set()
            if options.load == "changing":
                load.join()
            if ctest.poll() is None:
                os.killpg(ctest.pid, signal.SIGCONT)
                os.killpg(ctest.pid, signal.SIGTERM)
                ctest.wait()
        tests = xml.etree.ElementTree.parse(result).getroot().findall("testcase")
    if not tests:
        sys.exit("repeat: no test was run")
    failed = sorted(t.get("name") for t in tests if t.get("status") == "fail")
    row.update(tests=len(tests), skipped=sum(t.get("status") in ("notrun", "disabled") for t in tests), failed=" ".join(failed) or "none",
               wall_s=round(time.monotonic() - begin), cpu_s=round(used.ru_utime + used.ru_stime))
    if failed:
        log = pathlib.Path(options.build) / f"Testing/repeated-{row['date'].replace(':', '')}.log"
        log.write_bytes((pathlib.Path(options.build) / "Testing/Temporary/LastTest.log").read_bytes())
        print(f"repeat: run {number}: {' '.join(failed)} failed; output in {log}", file=sys.stderr)
    return row


def append(table, row):
    table.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    if not table.exists():
        writer.writeheader()
    writer.writerow(row)
    with open(table, "a", encoding="utf-8") as file:
        file.write(text.getvalue())


def interrupt(number, _):
    raise KeyboardInterrupt(number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder")
    parser.add_argument("-n", "--runs", type=int, default=20, help="number of runs [20]")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="tests at a time [2]")
    parser.add_argument("--seconds", type=float, default=20, help="seconds until the load changes [20]")
    parser.add_argument("--load", choices=["changing", "shared", "none"], default="changing",
                        help="changing; shared: that of another run on the same processors; none, to compare times [changing]")
    parser.add_argument("--table", type=pathlib.Path, default=TABLE, help=f"table to append to [{TABLE.relative_to(ROOT)}]")
    parser.add_argument("--quiet", action="store_true", help="do not show the output of ctest")
    given = sys.argv[1:]
    split = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:split])
    options.ctest = given[split + 1:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    # As the presets and run.sh have it.
    for name, value in (("QT_QPA_PLATFORM", "offscreen"), ("LC_ALL", "C.UTF-8"), ("OMP_WAIT_POLICY", "passive")):
        os.environ.setdefault(name, value)
    failures = 0
    for number in range(1, options.runs + 1):
        row = run(options, number)
        append(options.table, row)
        failures += row["failed"] != "none"
        print(f"repeat: run {number} of {options.runs}: {row['tests']} tests, failed: {row['failed']}, {row['wall_s']} s", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
