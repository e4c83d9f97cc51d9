#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The measured memory bandwidth of this processor (`parallax-cli ceilings`) against STREAM: compiles stream.cpp beside this file with
OpenMP, runs both in turn, and prints the ratio of their best figures for each number of threads. Exits with 1 when one differs
by more than 5 %.

STREAM's loops stay loops with ordinary stores, as those of "copy" and "triad" are, and work on as many bytes. A machine that others
keep busy gives no figures worth comparing: more rounds help, since the best of all counts.

Usage: stream_ratio.py PARALLAX_CLI [--threads N,...] [--rounds N]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ALLOWED = 0.05


def compiled(folder, name, *flags):
    program = pathlib.Path(folder) / name
    subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-march=native", "-fopenmp", *flags,
                    str(pathlib.Path(__file__).with_name("stream.cpp")), "-o", str(program)], check=True)
    return program


def stream(program, threads, size):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="true", OMP_DYNAMIC="false")
    passes = max(5, min(40, int(4e10 / size)))
    out = subprocess.run([program, str(size), str(passes)], env=environment, check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def ceilings(cli, threads):
    out = subprocess.run([cli, "ceilings", "--fresh", "--threads", str(threads), "--json"], check=True, capture_output=True, text=True).stdout
    return {c["name"]: c for c in json.loads(out)["ceilings"] if c["level"] == "memory"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--threads", default=f"1,{len(os.sched_getaffinity(0))}", help="default: one and all")
    parser.add_argument("--rounds", type=int, default=3, help="of both programs in turn; the best of all counts")
    a = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        # Without the option the compiler may call the C library's copy, which may write past the caches.
        program = compiled(folder, "stream", "-fno-tree-loop-distribute-patterns")
        print(f"{'threads':>7} {'kernel':<8} {'Parallax':>10} {'STREAM':>10} {'ratio':>8}")
        for threads in dict.fromkeys(int(t) for t in a.threads.split(",")):
            ours, theirs = {}, {}
            for _ in range(a.rounds):
                measured = ceilings(a.cli, threads)
                for name, c in measured.items():
                    ours[name] = max(ours.get(name, 0), c["value"])
                size = measured["triad"]["bytes"]
                for name, value in stream(program, threads, size).items():
                    theirs[name] = max(theirs.get(name, 0), value)
            for name in ("copy", "triad"):
                ratio = ours[name] / theirs[name]
                ok = abs(ratio - 1) <= ALLOWED
                good = good and ok
                print(f"{threads:>7} {name:<8} {ours[name]:>10.2f} {theirs[name]:>10.2f} {ratio:>8.3f} {'ok' if ok else 'BEYOND 5 %'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
