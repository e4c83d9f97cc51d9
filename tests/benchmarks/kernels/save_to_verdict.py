#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time from saving a kernel of the convolution until its verdict: it is compiled, checked on all problems, and measured quickly. The window does
the same after each save, without the reference on the measured image. Exit code 1 beyond the limit, for the median.
Usage: save_to_verdict.py [--language c++|cuda] [--runs N] PARALLAX_CLI"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LIMITS = {"c++": 2.5, "cuda": 1.5}  # s
ENDINGS = {"c++": ".cpp", "cuda": ".cu"}


def run(program, *arguments, folder):
    """Returns the seconds that it took, and its standard output."""
    start = time.monotonic()
    out = subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return time.monotonic() - start, out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=LIMITS, default="c++")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("program", metavar="PARALLAX_CLI")
    arguments = parser.parse_args()
    program, file = str(pathlib.Path(arguments.program).resolve()), "mine" + ENDINGS[arguments.language]
    compiles, checks, measurements = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "kernel", "new", "--op", "convolve", "-o", file], cwd=folder, check=True, stderr=subprocess.DEVNULL)
        for number in range(arguments.runs):
            with (pathlib.Path(folder) / file).open("a", encoding="utf-8") as source:
                source.write(f"enum {{ kSaved{number} = {number} }};\n")  # a compiler cache does not know it
            seconds, out = run(program, "kernel", "check", file, "--json", folder=folder)
            compiles.append(json.loads(out)["compile_seconds"])
            checks.append(seconds - compiles[-1])
            seconds, _ = run(program, "bench", "-i", "synthetic:noise:2048x2048", "--op", "convolve", "--kernel", file, "--backend",
                             "user" if arguments.language == "c++" else "user-cuda", "--effort", "quick", "--no-history", folder=folder)
            measurements.append(seconds - compiles[-1])  # which is compiled again here
    total = statistics.median(map(sum, zip(compiles, checks, measurements)))
    parts = ", ".join(f"{name} {statistics.median(times):.2f} s"
                      for name, times in (("compile", compiles), ("check", checks), ("measure and verify", measurements)))
    print(f"{total:.2f} s from saving to the verdict, median of {arguments.runs} runs (limit {LIMITS[arguments.language]} s): {parts}")
    return total > LIMITS[arguments.language]


if __name__ == "__main__":
    sys.exit(main())
