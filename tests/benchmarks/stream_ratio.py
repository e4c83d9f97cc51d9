#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The measured memory bandwidth of this processor (what `parallax-cli ceilings` measures, here through bench_ceilings) against STREAM:
compiles stream.cpp beside this file, runs both programs in turn, and prints the ratio of their best figures for each loop and number
of threads, with that of the medians beside it. Exits with 1 when a ratio is outside 0.95..1.05: that of the best figures where the rounds
agree; where they differ by more than a tenth, as on a machine that others use, the best of few rounds is a matter of luck, and the ratio of
the medians counts.

Like is compared with like: "copy" and "triad" with STREAM's loops compiled to ordinary stores (without the option a compiler may call
the C library's memcpy instead, which may write past the caches), "copy-streaming" and "triad-streaming" with loops that write past the
caches; both on as many bytes, in huge pages where the system has them. With plain pages the rate depends on which the system happened to
give, for the same loop by some twenty percent: what STREAM does with them is printed below for information.

Usage: stream_ratio.py BENCH_CEILINGS [--threads N,...] [--rounds N] [--seconds S]
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

LOW, HIGH = 0.95, 1.05
AGREE = 1.1  # the largest over the smallest ratio of rounds that agree


def compiled(folder, name, *flags):
    program = pathlib.Path(folder) / name
    subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-march=native", "-fopenmp", *flags,
                    str(pathlib.Path(__file__).with_name("stream.cpp")), "-o", str(program)], check=True)
    return program


def calls_memcpy(program):
    """Returns whether the compiled STREAM calls the C library to copy; None if unknown."""
    try:
        names = subprocess.run(["nm", "--undefined-only", program], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return "memcpy" in names or "memmove" in names


def stream(program, threads, size, seconds, form, pages):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="true", OMP_PLACES="cores", OMP_DYNAMIC="false",
                       OMP_WAIT_POLICY="active")
    done = subprocess.run([program, str(size), str(seconds), form, pages], env=environment, capture_output=True, text=True)
    if done.returncode == 3:
        return {}
    done.check_returncode()
    ending = "-streaming" if form == "streaming" else ""
    return {name + ending: figures for name, figures in json.loads(done.stdout).items() if isinstance(figures, dict)}


class Series:
    """Best and median of each round, by name."""

    def __init__(self):
        self.best, self.median = {}, {}

    def add(self, figures):
        for name, f in figures.items():
            self.best.setdefault(name, []).append(f["best"])
            self.median.setdefault(name, []).append(f["median"])


def huge_pages():
    try:
        return pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text().strip()
    except OSError:
        return "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="bench_ceilings")
    parser.add_argument("--threads", default=f"1,{len(os.sched_getaffinity(0))}", help="default: one and all")
    parser.add_argument("--rounds", type=int, default=6, help="of all programs in turn; the best of all counts")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each loop in a round, at least; ten passes at least")
    a = parser.parse_args()
    good = True
    print(f"transparent huge pages: {huge_pages()}; load before: {os.getloadavg()[0]:.1f}; {a.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        loops = compiled(folder, "stream", "-fno-tree-loop-distribute-patterns")
        if calls_memcpy(loops):
            print("the compiled STREAM calls memcpy: its stores may bypass the caches")
        for threads in dict.fromkeys(int(t) for t in a.threads.split(",")):
            ours, theirs, plain = Series(), Series(), Series()
            for _ in range(a.rounds):
                out = subprocess.run([a.program, str(threads), "memory", str(a.seconds)], check=True, capture_output=True, text=True).stdout
                measured = json.loads(out)
                ours.add(measured)
                size = measured["triad"]["bytes"]
                theirs.add(stream(loops, threads, size, a.seconds, "ordinary", "huge"))
                theirs.add(stream(loops, threads, size, a.seconds, "streaming", "huge"))
                plain.add(stream(loops, threads, size, a.seconds, "ordinary", "plain"))
            print(f"\n{threads} thread{'s' if threads > 1 else ''}, {size / 1e6:.0f} MB; GB/s")
            print(f"{'loop':<16} {'Parallax':>9} {'median':>8} {'STREAM':>9} {'median':>8} {'ratio':>7}  {LOW}..{HIGH}   of medians   of rounds")
            for name in ours.best:
                if name not in theirs.best:
                    continue
                best, other = max(ours.best[name]), max(theirs.best[name])
                typical, usual = statistics.median(ours.median[name]), statistics.median(theirs.median[name])
                rounds = sorted(x / y for x, y in zip(ours.best[name], theirs.best[name]))
                ratio = best / other
                agree = rounds[-1] <= AGREE * rounds[0]
                ok = LOW <= (ratio if agree else typical / usual) <= HIGH
                good = good and ok
                print(f"{name:<16} {best:>9.2f} {typical:>8.2f} {other:>9.2f} {usual:>8.2f} {ratio:>7.3f}  {'ok' if ok else 'OUTSIDE':<10} "
                      f"{typical / usual:>12.3f}{' ' if agree else '*'}  {rounds[0]:.3f}..{rounds[-1]:.3f}", flush=True)
            for name in plain.best:
                print(f"  for information, STREAM {name} in plain pages: best {max(plain.best[name]):.2f}, "
                      f"median {statistics.median(plain.median[name]):.2f}")
    print("\n*: the rounds differ by more than a tenth: the ratio of the medians counts")
    print("all within the limits" if good else "OUTSIDE the limits")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
