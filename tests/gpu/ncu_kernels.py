#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Nsight Compute says of the kernels of each implementation, as a Markdown table: time, bytes of device memory, use of the
multiply-add units and of the memory, warps at work, registers, and what warps wait for most. Exits with 77 when ncu is missing or may
not count here.

Clocks and caches stay as they are. A run with several kernels gets one row for each.

Usage: ncu_kernels.py PROGRAM [--size N] STEP=VARIANT...     PROGRAM: build/gpu-only/bin/bench_gpu_durations
       as in: ncu_kernels.py PROGRAM --size 8192 convolve:size=7=direct convolve:kernel=gaussian,size=7=separable
"""
import argparse
import csv
import pathlib
import re
import sys
import tempfile

from ncu_ratio import find_ncu, run

SECTIONS = ("SpeedOfLight", "WarpStateStats", "Occupancy", "LaunchStats", "MemoryWorkloadAnalysis")
METRICS = ("gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
           "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "sm__inst_issued.avg.pct_of_peak_sustained_active",
           "smsp__cycles_active.avg.per_second")
STALL = re.compile(r"smsp__average_warps?_(?:issue_stalled|latency_issue_stalled)_(\w+?)(?:_per_issue_active)?\.ratio")


def table(text):
    """One dictionary a kernel: metric -> number, where it is one. Units are base units."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise ValueError("ncu gave no table:\n" + text[-2000:])
    rows = list(csv.reader(lines[start:]))
    for cells in rows[2:]:
        kernel = {}
        for name, cell in zip(rows[0], cells):
            try:
                kernel[name] = float(cell.replace(",", ""))
            except ValueError:
                kernel[name] = cell
        yield kernel


def stalls(kernel):
    """What warps wait for, the longest first; cycles a warp for each instruction that is issued."""
    found = {}
    for name, value in kernel.items():
        match = STALL.fullmatch(name)
        if match and isinstance(value, float) and match.group(1) != "selected":
            found[match.group(1)] = max(value, found.get(match.group(1), 0))
    return sorted(found.items(), key=lambda item: -item[1])


def number(kernel, name):
    value = kernel.get(name)
    return value if isinstance(value, float) else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work", nargs="+", metavar="STEP=VARIANT")
    parser.add_argument("--size", default="8192")
    a = parser.parse_intermixed_args()
    ncu = find_ncu()
    if not ncu:
        print("ncu is not installed")
        return 77
    print(f"| {a.size} x {a.size} | kernel | ms | read MB | written MB | FMA % | issue % | DRAM % | L1 % | warps % | registers | longest waits |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|")
    for item in a.work:
        step, _, variant = item.rpartition("=")
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "ncu.csv"
            command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(METRICS)]
            for section in SECTIONS:
                command += ["--section", section]
            command += ["--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off", "--log-file", str(log),
                        a.program, "--op", step, "--size", a.size, "--runs", "1", "--variant", variant, "--profile"]
            code, out, err = run(command)
            text = log.read_text() if log.exists() else ""
        if "ERR_NVGPUCTRPERM" in text + out + err:
            print("ncu may not read the counters of this GPU (ERR_NVGPUCTRPERM)")
            return 77
        if code != 0:
            print(f"{item}: ncu failed ({code}): {text[-1500:]}{out[-500:]}{err[-500:]}")
            return 1
        for kernel in table(text):
            name = re.sub(r"[(<].*", "", str(kernel.get("Kernel Name", "?"))).split("::")[-1].split()[-1]
            waits = ", ".join(f"{what.replace('_', ' ')} {cycles:.1f}" for what, cycles in stalls(kernel)[:3])
            print(f"| {step} {variant} | {name} | {number(kernel, 'gpu__time_duration.sum') * 1e-6:.4f} "
                  f"| {number(kernel, 'dram__bytes_read.sum') * 1e-6:.0f} | {number(kernel, 'dram__bytes_write.sum') * 1e-6:.0f} "
                  f"| {number(kernel, 'sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active'):.0f} "
                  f"| {number(kernel, 'sm__inst_issued.avg.pct_of_peak_sustained_active'):.0f} "
                  f"| {number(kernel, 'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed'):.0f} "
                  f"| {number(kernel, 'l1tex__throughput.avg.pct_of_peak_sustained_active'):.0f} "
                  f"| {number(kernel, 'sm__warps_active.avg.pct_of_peak_sustained_active'):.0f} "
                  f"| {number(kernel, 'launch__registers_per_thread'):.0f} | {waits} |", flush=True)
            print(f"<!-- clock {number(kernel, 'smsp__cycles_active.avg.per_second') * 1e-9:.3f} GHz while active -->", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
