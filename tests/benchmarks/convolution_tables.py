#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One command for the convolution's tables: those of the two earlier systems (serial, OpenMP, naive, tiled and ours, 1024^2 to 16384^2,
compute and end to end, with theirs beside), the peers (OpenCV, Halide, NPP, CuPy, cuDNN), and each target with its measured figure.
Runs bench_convolution, which measures through the engine, and uses what the machine has; what is missing is a row with the reason.

Writes FOLDER/NAME.csv (every row), FOLDER/NAME-targets.csv and FOLDER/NAME.svg, and prints the tables.

Usage: convolution_tables.py [--build DIR] [--only cpu|gpu] [--quick] [--name NAME] [--folder DIR] [--peers FILE.csv]
       convolution_tables.py --from FILE.csv           tables, targets and chart of an earlier run
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import convolution_charts
import convolution_stated as stated
import convolution_targets

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ["table", "size", "kernel", "weights", "target", "threads", "device", "variant", "choice", "compute_ms", "fastest_ms",
           "end_to_end_ms", "gflops", "samples", "max_error", "tolerance", "agrees", "skipped", "theirs", "theirs_unit", "theirs_end_to_end_ms"]
IMAGE_MB = 8192 * 8192 * 4 * 1e-6


class Bench:
    def __init__(self, program, quick):
        self.program, self.quick, self.rows = program, quick, []

    def log(self, text):
        print(f"[{time.monotonic() - START:5.0f} s] {text}", file=sys.stderr, flush=True)

    def call(self, *arguments):
        out = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if out.returncode not in (0, 7):  # 7: a result is wrong, and its row says so
            raise RuntimeError(out.stderr.strip() or f"{self.program} ended with {out.returncode}")
        return json.loads(out.stdout)

    def run(self, table, sizes, kernels, targets, threads=1, weights="random", samples=11, limit=4.0):
        self.log(f"{table}: {weights} weights, k = {', '.join(map(str, kernels))}, {', '.join(map(str, sizes))}: {' '.join(targets)}")
        if self.quick:
            samples, limit = min(samples, 5), limit / 4
        answer = self.call("--json", "--size", ",".join(map(str, sizes)), "--kernel", ",".join(map(str, kernels)), "--backend", ",".join(targets),
                           "--threads", str(threads), "--weights", weights, "--samples", str(samples), "--limit", str(limit),
                           "--seconds", "0.1" if self.quick else "0.4")
        for r in answer["results"]:
            self.add(table, r)

    def add(self, table, row):
        text = {k: ("true" if v is True else "false" if v is False else v) for k, v in row.items()}
        self.rows.append({c: text.get(c, "") for c in COLUMNS} | {"table": table})


def measure_cpu(bench, threads):
    bench.run("one-thread", [4096], [3, 5, 7, 11, 15], ["openmp", "openmp.direct", "opencv", "halide", "copy"], threads=1, samples=15)
    # More samples: on a shared host, times of 16 threads vary by more than 10 % from second to second.
    bench.run("all-threads", [4096], [3, 5, 7, 11, 15], ["openmp.direct@1", "openmp.direct", "openmp", "opencv", "halide", "copy"], threads=threads,
              samples=25)
    bench.run("large-kernels", [4096], [15, 21, 31], ["openmp.direct", "openmp.fft", "openmp"], threads=threads, samples=7)
    bench.run("large-kernels", [4096], [7, 15, 31], ["openmp.direct", "openmp.separable", "openmp"], threads=threads, weights="separable", samples=7)
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= threads]
    for name in ("openmp.scalar", "openmp.direct"):
        bench.run("scaling", [4096], [7], [f"{name}@{n}" for n in counts], samples=5, limit=2)


def earlier_systems(bench, threads, cpu, gpu, sizes):
    """Rows beside the earlier systems: serial, OpenMP over rows, naive, tiled."""
    processor = ["openmp.scalar@1", f"openmp.scalar@{threads}", f"openmp@{threads}"] if cpu else []
    device = ["cuda.naive", "cuda.tiled", "cuda"] if gpu else []
    for size in sizes:
        # A sample of the serial form of a large image takes seconds.
        bench.run("system-1", [size], [7], processor + device, limit=1.5)
        bench.run("system-2", [size], [5], processor + device, weights="ones", limit=1.5)


def measure_gpu(bench):
    names = ["cuda", "cuda.direct", "cuda.npp", "cuda.tiled", "cuda.naive"]
    bench.run("gpu", [8192], [3, 5, 7, 11, 15], names, samples=15, limit=0.5)
    bench.run("gpu", [4096], [31], names + ["cuda.fft"], samples=15, limit=0.5)
    bench.run("gpu", [1024], [3, 5, 7], names, samples=60, limit=0.5)
    bench.run("gpu", [8192], [7, 11, 15], ["cuda", "cuda.direct", "cuda.separable"], weights="separable", samples=15, limit=0.5)
    bench.run("host-to-host", [8192], [7], ["cuda", "cuda+pinned", "cuda+overlapped", "cuda+overlapped+pinned"], samples=15, limit=1)
    bench.log("CuPy, cuDNN")
    peers = subprocess.run([sys.executable, HERE / "convolution_gpu_peers.py", "8192:3,5,7,11,15", "4096:31", "1024:3,5,7"],
                           capture_output=True, text=True, timeout=120)
    if peers.returncode == 0:
        for r in json.loads(peers.stdout)["results"]:
            bench.add("gpu", r)
    bench.log("the link")
    for c in bench.call("--ceilings")["ceilings"]:
        if c["level"] == "pinned":
            bench.add("ceilings", {"size": 0, "target": c["name"], "device": c["device"], "compute_ms": IMAGE_MB / c["value"]})
    links = [r for r in bench.rows if r["table"] == "ceilings"]
    if links:  # one copy of 8192^2 samples, the slower way
        slowest = max(links, key=lambda r: r["compute_ms"])
        bench.rows.append(slowest | {"target": "link"})


def keep_peers(rows, path):
    """Returns rows of CuPy and cuDNN from an earlier run on such a device, if they are not installed."""
    with open(path, newline="") as f:
        earlier = {(r["table"], r["size"], r["kernel"], r["target"]): r for r in csv.DictReader(f) if r["target"] in ("cupy", "cudnn") and not r["skipped"]}
    on = {r["device"] for r in rows if r["target"].startswith("cuda") and r["device"]}
    for i, r in enumerate(rows):
        kept = earlier.get((r["table"], str(r["size"]), str(r["kernel"]), r["target"]))
        if r["skipped"] and kept and kept["device"] in on:
            rows[i] = {c: kept.get(c, "") for c in COLUMNS} | {"choice": "of an earlier run"}


def add_theirs(rows):
    names = {"openmp.scalar@1": "serial", "cuda.naive": "naive", "cuda.tiled": "tiled"}
    for r in rows:
        size, k = int(r["size"] or 0), r["kernel"]
        value, unit, end = "", "", ""
        if r["table"] == "system-1" and r["target"] in names:
            value, unit = stated.SYSTEM_1[names[r["target"]]].get(size, ""), "GFLOP/s"
            end = stated.SYSTEM_1_END_TO_END.get(size, "") if r["target"] == "cuda.naive" else ""
        elif r["table"] == "system-2" and r["target"] in names:
            value, unit = stated.SYSTEM_2[names[r["target"]]].get(size, ""), "ms"
        elif r["table"] == "scaling" and r["target"].startswith("openmp.scalar@"):
            value, unit = stated.SYSTEM_1_THREADS.get(int(r["target"].split("@")[1]), ""), "GFLOP/s"
        elif r["table"] == "gpu" and r["weights"] == "random":
            value, unit = stated.PEERS_H200.get(r["target"], {}).get((size, int(k)), ""), "ms"
        elif r["table"] == "one-thread" and r["target"] == "opencv":
            value, unit = stated.OPENCV_STATED.get(int(k), ""), "ms"
        r["theirs"], r["theirs_unit"], r["theirs_end_to_end_ms"] = value, unit if value != "" else "", end


def machine(before):
    """Returns a row that names the CPU and its load."""
    try:
        with open("/proc/cpuinfo") as f:
            model = next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        model = "processor"
    count = len(os.sched_getaffinity(0))
    load = f"load {before:.1f} before, {os.getloadavg()[0]:.1f} after, on {count} processors"
    return {c: "" for c in COLUMNS} | {"table": "machine", "size": 0, "threads": count, "device": model, "choice": load}


TITLES = {
    "one-thread": "One thread, 4096 x 4096 (theirs: OpenCV 4.6 on a 2-core Sapphire Rapids)",
    "all-threads": "All threads, 4096 x 4096",
    "large-kernels": "Transforms and separable kernels, all threads, 4096 x 4096",
    "scaling": "Threads, 4096 x 4096, k = 7 (theirs: OpenMP over rows, 2 x EPYC 7413)",
    "system-1": "Earlier system 1, k = 7 (theirs: 2 x EPYC 7413, RTX 3090)",
    "system-2": "Earlier system 2, 5 x 5 ones (theirs: GTX 1660 Super)",
    "gpu": "GPU and its peers (theirs: peers on an H200 when the targets were set)",
    "host-to-host": "From host to host, ordinary and page-locked memory, in one go and in strips that overlap",
    "ceilings": "One copy of 8192 x 8192 samples over the link, page-locked memory",
}


def print_tables(rows, targets):
    for r in rows:
        if r["table"] == "machine":
            print(f"{r['device']}: {r['choice']}")
    for table, title in TITLES.items():
        some = [r for r in rows if r["table"] == table]
        if not some:
            continue
        print(f"\n{title}\n  {'size':>6} {'k':>3} {'weights':<10}{'':<18}{'thr':>4} {'compute ms':>11} {'end to end':>11} {'GFLOP/s':>9} {'theirs':>16}")
        for r in some:
            head = f"  {r['size']:>6} {r['kernel']:>3} {r['weights']:<10}{r['target']:<18}"
            if r["skipped"]:
                print(f"{head}     {r['skipped']}")
                continue
            number = lambda c, digits: f"{float(r[c]):.{digits}f}" if r[c] not in ("", 0, "0") else ""
            theirs = f"{r['theirs']} {r['theirs_unit']}" if r["theirs"] != "" else ""
            if r["theirs_end_to_end_ms"] != "":
                theirs += f", {r['theirs_end_to_end_ms']} ms"
            wrong = "  WRONG" if r["agrees"] == "false" else ""
            choice = f"  {r['variant']}: {r['choice']}" if r["choice"] and r["choice"] != "asked for by name" and r["variant"] else ""
            print(f"{head}{r['threads'] or '':>4} {number('compute_ms', 4):>11} {number('end_to_end_ms', 4):>11} {number('gflops', 1):>9} {theirs:>16}{wrong}{choice}")
    print("\nTargets")
    for t in targets:
        measured = f"{t.measured:.4g} {t.unit}" if t.measured is not None else ""
        print(f"  {t.where} {t.what:<75} {'at most' if t.at_most else 'at least'} {t.limit:g} {t.unit:<3} {measured:>12}  {t.verdict}{': ' + t.note if t.note else ''}")


def write_csv(path, columns, rows):
    with open(path, "w", newline="") as f:
        writer = csv.DictWriter(f, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def finish(rows, folder, name):
    threads = max([int(r["threads"] or 0) for r in rows if r["table"] in ("all-threads", "scaling")], default=0)
    indexed = convolution_targets.Rows(rows)
    targets = []
    if any(r["table"] == "one-thread" for r in rows):
        targets += convolution_targets.cpu_targets(indexed, threads)
    if any(r["table"] == "gpu" for r in rows):
        targets += convolution_targets.gpu_targets(indexed)
    print_tables(rows, targets)
    folder.mkdir(parents=True, exist_ok=True)
    write_csv(folder / f"{name}.csv", COLUMNS, rows)
    write_csv(folder / f"{name}-targets.csv", ["where", "target", "limit", "measured", "unit", "verdict", "note"],
              [{"where": t.where, "target": t.what, "limit": f"{'<=' if t.at_most else '>='} {t.limit:g}",
                "measured": f"{t.measured:.5g}" if t.measured is not None else "", "unit": t.unit, "verdict": t.verdict, "note": t.note} for t in targets])
    (folder / f"{name}.svg").write_text(convolution_charts.chart(rows, targets, name))
    print(f"\nwritten: {folder}/{name}.csv, {name}-targets.csv, {name}.svg")


def default_name(rows):
    device = next((r["device"] for r in rows if r["target"].startswith("cuda") and r["device"]), "")
    device = device or next((r["device"] for r in rows if r["device"]), "machine")
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="build folder with bin/bench_convolution; default: build/release, then build/gpu-only")
    parser.add_argument("--only", choices=["cpu", "gpu"])
    parser.add_argument("--quick", action="store_true", help="fewer samples, images up to 4096 x 4096 for the earlier systems")
    parser.add_argument("--name", help="of the files; default: the GPU's or the processor's name")
    parser.add_argument("--folder", default=HERE / "results" / "convolution", type=pathlib.Path)
    parser.add_argument("--peers", type=pathlib.Path, help="a CSV file of an earlier run, for CuPy and cuDNN where they are not installed")
    parser.add_argument("--from", dest="source", type=pathlib.Path, help="a CSV file of an earlier run: nothing is measured")
    a = parser.parse_args()
    if a.source:
        with open(a.source, newline="") as f:
            rows = list(csv.DictReader(f))
        add_theirs(rows)
        finish(rows, a.folder, a.name or a.source.stem)
        return 0
    builds = [pathlib.Path(a.build)] if a.build else [HERE.parents[1] / "build" / b for b in ("release", "gpu-only")]
    program = next((b / "bin" / "bench_convolution" for b in builds if (b / "bin" / "bench_convolution").exists()), None)
    if not program:
        print("bench_convolution is not built: cmake --preset release && cmake --build --preset release --target bench_convolution", file=sys.stderr)
        return 2
    bench = Bench(program, a.quick)
    # Finds the available backends by a run on a small image.
    probe = {r["target"]: r for r in bench.call("--json", "--size", "64", "--kernel", "3", "--samples", "1", "--seconds", "0", "--backend", "openmp,cuda")["results"]}
    cpu, gpu = a.only != "gpu", a.only != "cpu"
    if cpu and "skipped" in probe["openmp"]:
        print(f"no rows of the processor: {probe['openmp']['skipped']}")
        cpu = False
    if gpu and "skipped" in probe["cuda"]:
        print(f"no rows of a GPU: {probe['cuda']['skipped']}")
        gpu = False
    if not cpu and not gpu:
        return 1
    threads = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    sizes = [1024, 2048, 4096] if a.quick else [1024, 2048, 4096, 8192, 16384]
    if cpu:
        measure_cpu(bench, threads)
    earlier_systems(bench, threads, cpu, gpu, sizes)
    if gpu:
        measure_gpu(bench)
        if a.peers:
            keep_peers(bench.rows, a.peers)
    bench.rows.insert(0, machine(load))
    add_theirs(bench.rows)
    finish(bench.rows, a.folder, a.name or default_name(bench.rows))
    return 7 if any(r["agrees"] == "false" for r in bench.rows) else 0


START = time.monotonic()
if __name__ == "__main__":
    sys.exit(main())
