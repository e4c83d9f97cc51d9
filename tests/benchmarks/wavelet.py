#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavelet transforms beside PyWavelets, the memory's floor and the earlier system's figures, as a table and as CSV.

Usage: wavelet.py BENCH_WAVELET [--shape WxHxD] [--threads 1,16] [--backend NAME,...] [--rounds N] [--csv FILE]

PyWavelets (single thread, `pip install PyWavelets`) runs in the same rounds as ours, so that a slow moment of the machine meets both;
without it its column stays empty. The floor is a copy of as many bytes as the transform must read and write, by as many threads. The
earlier system's figures are those that its authors reported for 512 x 512 x 78, one level: serial on their processor, and three CUDA
kernels on an RTX 3060; they stand there for comparison and were not measured here.
"""
import argparse
import csv
import json
import os
import platform
import statistics
import subprocess
import sys
import time

try:
    import numpy
    import pywt
except ImportError:
    pywt = None

CASES = {
    "dwt:wavelet=haar,levels=1": lambda x, c: pywt.dwtn(x, "haar"),
    "dwt:wavelet=db4,levels=1": lambda x, c: pywt.dwtn(x, "db4"),
    "dwt:wavelet=db4,levels=3": lambda x, c: pywt.wavedecn(x, "db4", level=3),
    "idwt:wavelet=db4,levels=1": lambda x, c: pywt.idwtn(c["one"], "db4"),
    "idwt:wavelet=db4,levels=3": lambda x, c: pywt.waverecn(c["three"], "db4"),
    "dwt:wavelet=db20,levels=1": lambda x, c: pywt.dwtn(x, "db20"),
}
EARLIER = {"serial": 170.8, "CUDA, coefficients in global memory": 31.97, "CUDA, shared memory": 12.44, "CUDA, constant memory": 4.43}
FIELDS = ["case", "shape", "target", "threads", "ms", "fastest_ms", "floor_ms", "times_floor", "pywavelets_ms", "speedup", "gflops",
          "estimated_mb", "agrees"]


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def peers(shape):
    """Samples of PyWavelets by case, empty without it."""
    if pywt is None:
        return None
    data = numpy.random.default_rng(1).random(shape[::-1], dtype=numpy.float32)
    coefficients = {"one": pywt.dwtn(data, "db4"), "three": pywt.wavedecn(data, "db4", level=3)}
    return lambda case: CASES[case](data, coefficients)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--shape", default="512x512x78")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--backend", default="openmp")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=5, help="of ours in each round")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    shape = tuple(int(n) for n in arguments.shape.split("x"))
    command = [arguments.program, "--shape", arguments.shape, "--threads", arguments.threads, "--backend", arguments.backend, "--samples",
               str(arguments.samples), "--case", ";".join(CASES), "--json"]
    peer = peers(shape)
    ours, theirs = {}, {case: [] for case in CASES}
    for _ in range(arguments.rounds):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 7):
            sys.exit(done.stderr)
        for row in json.loads(done.stdout)["results"]:
            ours.setdefault((row["case"], row["target"], row.get("threads", 0)), []).append(row)
        for case in CASES:
            if peer:
                start = time.perf_counter()
                peer(case)
                theirs[case].append((time.perf_counter() - start) * 1e3)
    rows = []
    for (case, target, threads), samples in ours.items():
        if samples[0].get("skipped"):
            continue
        ms = statistics.median(s["compute_ms"] for s in samples)
        floor = statistics.median(s["floor_ms"] for s in samples)
        other = statistics.median(theirs[case]) if theirs[case] else None
        agrees = all(s["agrees"] for s in samples)
        rows.append({"case": case, "shape": arguments.shape, "target": target, "threads": threads, "ms": f"{ms:.2f}",
                     "fastest_ms": f"{min(s['fastest_ms'] for s in samples):.2f}", "floor_ms": f"{floor:.2f}", "times_floor": f"{ms / floor:.2f}",
                     "pywavelets_ms": f"{other:.1f}" if other else "", "speedup": f"{other / ms:.1f}" if other and agrees else "",
                     "gflops": f"{statistics.median(s['gflops'] for s in samples):.1f}",
                     "estimated_mb": f"{samples[0]['estimated_bytes'] / 1e6:.0f}", "agrees": agrees})
    print(f"{processor()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
          + (f"; PyWavelets {pywt.__version__}, one thread" if pywt else "; PyWavelets is not here"))
    widths = [max(len(f), *(len(str(r[f])) for r in rows)) for f in FIELDS]
    for row in [dict(zip(FIELDS, FIELDS))] + rows:
        print("  ".join(str(row[f]).ljust(w) if f in ("case", "target") else str(row[f]).rjust(w) for f, w in zip(FIELDS, widths)))
    print("earlier system, 512 x 512 x 78, one level, ms: " + ", ".join(f"{name} {ms}" for name, ms in EARLIER.items()))
    single = {r["case"]: float(r["ms"]) for r in rows if r["threads"] == 1}
    for r in rows:
        if r["threads"] > 1 and r["case"] in single:
            print(f"{r['case']}, {r['target']}: {r['threads']} threads are {single[r['case']] / float(r['ms']):.1f} x one thread, "
                  f"at {100 / float(r['times_floor']):.0f} % of the copy's bandwidth")
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS + ["machine", "earlier_ms"], lineterminator="\n")
            writer.writeheader()
            for row in rows:
                writer.writerow({**row, "machine": processor(), "earlier_ms": ""})
            for name, ms in EARLIER.items():
                writer.writerow({"case": "one level", "shape": "512x512x78", "target": "earlier system: " + name, "earlier_ms": ms})
    return 0 if all(r["agrees"] for r in rows) else 7


if __name__ == "__main__":
    sys.exit(main())
