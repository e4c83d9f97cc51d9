#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavelet transforms beside PyWavelets, the memory's floor and the earlier system's figures, as a table and as CSV.

Writes FOLDER/NAME.csv and FOLDER/NAME.svg.

Usage: wavelet.py BENCH_WAVELET [--shape WxHxD] [--threads 1,16] [--backend NAME,...] [--rounds N] [--name NAME] [--folder DIR]
       wavelet.py --from FILE.csv                      tables and chart of an earlier run
       wavelet.py --kernels LOG --machine "NVIDIA H200" --name h200      what bench_gpu_wavelet printed, as CSV alone
       wavelet.py --sizes RUN.json --name sizes-h200   medians of a sweep over sizes (bench_wavelet --sweep), as CSV alone

PyWavelets (single thread, `pip install PyWavelets`) runs in the same rounds as ours, so that a slow moment of the machine meets both;
without it its column stays empty. The floor is a copy of as many bytes as the transform must read and write, by as many threads. The
earlier system's figures are those that its authors reported for 512 x 512 x 78, one level: serial on their processor, and three CUDA
kernels on an RTX 3060; they stand there for comparison and were not measured here.
"""
import argparse
import csv
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

from convolution_charts import MARGIN, WIDTH, Page

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
COLUMNS = FIELDS + ["machine", "note"]
TARGET = 8  # times PyWavelets, one thread, db4


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def peers(shape):
    """Returns samples of PyWavelets by case; empty if it is not installed."""
    if pywt is None:
        return None
    data = numpy.random.default_rng(1).random(shape[::-1], dtype=numpy.float32)
    coefficients = {"one": pywt.dwtn(data, "db4"), "three": pywt.wavedecn(data, "db4", level=3)}
    return lambda case: CASES[case](data, coefficients)


def measure(arguments):
    shape = tuple(int(n) for n in arguments.shape.split("x"))
    command = [arguments.program, "--shape", arguments.shape, "--threads", arguments.threads, "--backend", arguments.backend, "--samples",
               str(arguments.samples), "--case", ";".join(CASES), "--json"]
    peer = peers(shape)
    ours, theirs = {}, {case: [] for case in CASES}
    load = os.getloadavg()[0]
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
    note = f"{os.cpu_count()} processors, load {load:.1f} before" + (f"; PyWavelets {pywt.__version__}" if pywt else "; no PyWavelets")
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
                     "estimated_mb": f"{samples[0]['estimated_bytes'] / 1e6:.0f}", "agrees": agrees, "machine": processor(), "note": note})
    for name, ms in EARLIER.items():
        rows.append({"case": "one level", "shape": "512x512x78", "target": "earlier system: " + name, "ms": ms,
                     "note": "as its authors reported it; not measured here"})
    return [{c: str(r.get(c, "")) for c in COLUMNS} for r in rows]


def print_tables(rows):
    own = [r for r in rows if not r["target"].startswith("earlier")]
    if own:
        print(f"{own[0]['machine']}, {own[0]['note']}")
    widths = [max(len(f), *(len(r[f]) for r in rows)) for f in FIELDS]
    for row in [dict(zip(FIELDS, FIELDS))] + rows:
        print("  ".join(row[f].ljust(w) if f in ("case", "target") else row[f].rjust(w) for f, w in zip(FIELDS, widths)))
    single = {(r["case"], r["target"]): float(r["ms"]) for r in own if r["threads"] == "1"}
    for r in own:
        if int(r["threads"]) > 1 and (r["case"], r["target"]) in single:
            print(f"{r['case']}, {r['target']}: {r['threads']} threads are {single[r['case'], r['target']] / float(r['ms']):.1f} x one thread, "
                  f"at {100 / float(r['times_floor']):.0f} % of the copy's bandwidth")
        if r["threads"] == "1" and "db4,levels=1" in r["case"] and r["speedup"]:
            verdict = "met" if float(r["speedup"]) >= TARGET else "MISSED"
            print(f"target: {r['case']}, {r['target']}, one thread, at least {TARGET} x PyWavelets: {r['speedup']} x, {verdict}")


def short_case(case):
    """Returns the label of a bar, as in: dwt db4, 1 level."""
    operation, parameters = case.split(":")
    values = dict(p.split("=") for p in parameters.split(","))
    return f"{operation} {values['wavelet']}, {values['levels']} level" + ("s" if values["levels"] != "1" else "")


def chart(rows):
    own = [r for r in rows if not r["target"].startswith("earlier")]
    page = Page()
    page.title("Wavelet transforms: milliseconds of compute, the shorter the better", f"{own[0]['machine']}, {own[0]['note']}; {own[0]['shape']} float32")
    groups = {}
    for r in own:
        bars = groups.setdefault(short_case(r["case"]), [])
        threads = f"{r['threads']} thread" + ("s" if r["threads"] != "1" else "")
        bars.append((f"Parallax {r['target']}, {threads}", float(r["ms"]), "ours"))
        bars.append((f"floor: a copy, {threads}", float(r["floor_ms"]), "plain2"))
    for r in own:
        if r["pywavelets_ms"] and not any(words.startswith("PyW") for words, *_ in groups[short_case(r["case"])]):
            groups[short_case(r["case"])].append(("PyWavelets, 1 thread", float(r["pywavelets_ms"]), "peer"))
    page.bars(list(groups.items()), "ms")
    page.title("The earlier system, one level", "512 x 512 x 78, as its authors reported it: serial on their processor, kernels on an RTX 3060")
    page.bars([("dwt, one level", [(r["target"].split(": ")[1], float(r["ms"]), "plain") for r in rows if r["target"].startswith("earlier")])], "ms")
    height = page.y + MARGIN
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n<title>Wavelet transforms</title>\n'
            f'<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(page.parts) + "\n</svg>\n")


def kernels(log, machine):
    """Returns rows of the output of bench_gpu_wavelet: transforms of one and of three levels, without its trials."""
    rows, levels, shape, floor = [], 0, "", 0.0
    for line in log.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"(\d+) x (\d+) x (\d+), levels (\d+) \(floor ([\d.]+) ms\)", line):
            shape, levels, floor = "x".join(found.groups()[:3]), int(found[4]), float(found[5])
        elif not line.startswith("  "):
            levels = 0
        elif levels in (1, 3) and (found := re.match(r"  (\w+), (forward|inverse) .*queued +([\d.]+) ms, off by (\S+)", line)):
            ms = float(found[3])
            rows.append({"case": f"{'dwt' if found[2] == 'forward' else 'idwt'}:wavelet=db4,levels={levels}", "shape": shape,
                         "target": f"cuda.{found[1]}", "threads": 0, "ms": f"{ms:.4f}", "floor_ms": f"{floor:.4f}",
                         "times_floor": f"{ms / floor:.2f}", "machine": machine,
                         "note": "kernels alone (bench_gpu_wavelet), medians, the device kept busy before; compared with the passes, off by "
                                 f"at most {found[4]}; floor: a copy of the volume on the device, of one level"})
    return rows


def sizes(report):
    """Rows of a sweep's report. End to end is the sum of all stages of a run; runs of which stages overlap have no such sum."""
    rows = []
    for record in json.loads(report.read_text(encoding="utf-8"))["records"]:
        shape = record["input"]
        for e in record["entries"]:
            samples = e["samples_ns"]
            if e["status"] == "done" and "overlapped" not in e["modes"]:
                rows.append({"size": record["sweep"]["value"], "shape": f"{shape['width']}x{shape['height']}x{shape['depth']}",
                             "target": e["label"], "threads": e["threads"], "samples": len(samples),
                             "compute_ms": f"{statistics.median(s['compute'] for s in samples) * 1e-6:.4f}",
                             "end_to_end_ms": f"{statistics.median(sum(s.values()) for s in samples) * 1e-6:.4f}"})
    return rows


def write(rows, path, columns=COLUMNS):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--shape", default="512x512x78")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--backend", default="openmp")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=5, help="of ours in each round")
    parser.add_argument("--name", help="of the files; default: the processor's name")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent / "results" / "wavelet")
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    parser.add_argument("--kernels", type=pathlib.Path)
    parser.add_argument("--machine", default="")
    parser.add_argument("--sizes", type=pathlib.Path)
    arguments = parser.parse_args()
    if source := arguments.kernels or arguments.sizes:
        rows = kernels(source, arguments.machine) if arguments.kernels else sizes(source)
        if not rows:
            parser.error(f"{source} holds no measurements of wavelets")
        path = arguments.folder / f"{arguments.name or source.stem}.csv"
        write(rows, path, COLUMNS if arguments.kernels else list(rows[0]))
        print(f"written: {path}")
        return 0
    if not arguments.program and not arguments.source:
        parser.error("the program bench_wavelet, --from, --kernels or --sizes")
    if arguments.source:
        with open(arguments.source, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = measure(arguments)
    print_tables(rows)
    name = arguments.name or (arguments.source.stem if arguments.source else re.sub(r"[^a-z0-9]+", "-", processor().lower()).strip("-"))
    write(rows, arguments.folder / f"{name}.csv")
    (arguments.folder / f"{name}.svg").write_text(chart(rows), encoding="utf-8")
    print(f"written: {arguments.folder}/{name}.csv, {name}.svg")
    return 0 if all(r["agrees"] in ("True", "") for r in rows) else 7


if __name__ == "__main__":
    sys.exit(main())
