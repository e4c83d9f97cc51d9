#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares pairs of processes with the same code: each self-check of one trial starts a program and a process for its kernel. Programs are
run in turn. Prints the verdicts and the spread of the ratios of each program.
Usage: process_pairs.py [--pairs N] [--threads N] PARALLAX_CLI..."""
import argparse
import collections
import json
import os
import statistics
import subprocess

CHECK = ["self-check", "-i", "synthetic:noise:256x256", "--backend", "openmp", "--trials", "1", "--json"]


def pair(program, threads):
    done = subprocess.run([program, *CHECK, "--threads", str(threads)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    kernel = json.loads(done.stdout)["kernel"]
    if kernel["skipped"]:
        raise SystemExit(kernel["skipped"])
    return next(v for v in ("same", "undecided", "faster", "slower") if kernel[v]).upper(), kernel["median_ratio"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("programs", nargs="+", metavar="PARALLAX_CLI")
    arguments = parser.parse_args()
    found = {program: [] for program in arguments.programs}
    for _ in range(arguments.pairs):
        for program in arguments.programs:
            found[program].append(pair(program, arguments.threads))
    print(f"load average {os.getloadavg()[1]:.1f}")
    for program, pairs in found.items():
        verdicts = collections.Counter(verdict for verdict, _ in pairs)
        ratios = [ratio for _, ratio in pairs]
        spread = statistics.stdev(ratios) if len(ratios) > 1 else 0
        print(f"{program}: {', '.join(f'{n} {v}' for v, n in verdicts.most_common())}; ratio {min(ratios):.4f} to {max(ratios):.4f}, "
              f"median {statistics.median(ratios):.4f}, standard deviation {spread:.4f}")


if __name__ == "__main__":
    main()
