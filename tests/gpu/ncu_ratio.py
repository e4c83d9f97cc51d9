#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compute times of the CUDA backend's own clock against the durations that Nsight Compute measures (gpu__time_duration.sum), for
each implementation. Exits with 1 when one differs by more than 3 %, with 77 when ncu is missing or may not count here.

Clocks stay as they are and caches stay warm (--clock-control none --cache-control none): else ncu would measure another device than the
one that the program runs on. The kernels of several runs after the warm-up are measured, and their median taken.

Usage: ncu_ratio.py PROGRAM [--op STEP] [--size N] [--runs N] [VARIANT...]     PROGRAM: build/gpu-only/bin/bench_gpu_durations
"""
import argparse
import csv
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

METRIC = "gpu__time_duration.sum"
ALLOWED = 0.03
TO_NS = {"nsecond": 1, "ns": 1, "usecond": 1e3, "us": 1e3, "msecond": 1e6, "ms": 1e6, "second": 1e9, "s": 1e9}


def durations(text):
    """Nanoseconds of each kernel, in order, from the CSV of ncu; it has one row a kernel (or one a metric of a kernel)."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise ValueError("ncu gave no table:\n" + text[-2000:])
    rows = list(csv.reader(lines[start:]))
    head = rows[0]
    number = lambda cell: float(cell.replace(",", ""))  # thousands are separated in some locales
    if METRIC in head:
        column = head.index(METRIC)
        unit = TO_NS[rows[1][column]]
        return [unit * number(r[column]) for r in rows[2:] if len(r) == len(head)]
    name, unit, value = (head.index(c) for c in ("Metric Name", "Metric Unit", "Metric Value"))
    return [TO_NS[r[unit]] * number(r[value]) for r in rows[1:] if len(r) == len(head) and r[name] == METRIC]


def run(command):
    process = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return process.returncode, process.stdout, process.stderr


def find_ncu():
    return shutil.which("ncu") or next((str(p) for p in sorted(pathlib.Path("/usr/local").glob("cuda*/bin/ncu")) +
                                        sorted(pathlib.Path("/opt/nvidia/nsight-compute").glob("*/ncu"))), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("variants", nargs="*", help="default: every one of the operation")
    parser.add_argument("--op", default="convolve:size=15")
    parser.add_argument("--size", default="16384")
    parser.add_argument("--runs", type=int, default=9)
    a = parser.parse_intermixed_args()
    ncu = find_ncu()
    if not ncu:
        print("ncu is not installed")
        return 77
    good = True
    variants = a.variants
    if not variants:
        code, out, err = run([a.program, "--op", a.op, "--list"])
        if code != 0:
            print(f"the program failed ({code}): {out}{err}")
            return 1
        variants = out.split()
    for variant in variants:
        work = [a.program, "--op", a.op, "--size", a.size, "--runs", str(a.runs), "--variant", variant]
        code, out, err = run([*work, "--measure"])
        if code != 0:
            print(f"{variant}: the program failed ({code}): {out}{err}")
            return 1
        own = json.loads(out.strip().splitlines()[-1])["compute_ns"]
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "ncu.csv"
            code, out, err = run([ncu, "--csv", "--page", "raw", "--print-units", "base", "--metrics", METRIC, "--clock-control", "none",
                                  "--cache-control", "none", "--profile-from-start", "off", "--log-file", str(log), *work, "--profile"])
            text = log.read_text() if log.exists() else ""
        if "ERR_NVGPUCTRPERM" in text + out + err:
            print("ncu may not read the counters of this GPU (ERR_NVGPUCTRPERM); bench_gpu_durations needs no such permission")
            return 77
        if code != 0:
            print(f"{variant}: ncu failed ({code}): {text[-1500:]}{out[-500:]}{err[-500:]}")
            return 1
        kernels = durations(text)
        if not kernels or len(kernels) % a.runs:
            print(f"{variant}: {len(kernels)} kernels in {a.runs} runs")
            return 1
        each = len(kernels) // a.runs
        measured = statistics.median(sum(kernels[i * each:(i + 1) * each]) for i in range(a.runs))
        ratio = own / measured
        ok = abs(ratio - 1) <= ALLOWED
        good = good and ok
        print(f"{variant:<8} own clock {own * 1e-6:10.4f} ms, ncu {measured * 1e-6:10.4f} ms ({each} kernel(s) a run), ratio {ratio:.4f} "
              f"{'ok' if ok else 'BEYOND 3 %'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
