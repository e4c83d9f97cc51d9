#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One command for the tables of tone mapping: every operator on every backend and variant that this machine has, with floor, peer and target
beside each time. Runs bench_tone_mapping with one thread and with all of them at 4096 x 4096, and on a GPU at 8192 x 8192.

Writes FOLDER/NAME.csv (every row) and FOLDER/NAME-targets.csv, and prints the tables. The exit code is 1 when a target was missed and 7 when a
result was wrong.

Usage: tone_mapping_tables.py [--build DIR] [--only cpu|gpu] [--quick] [--name NAME] [--folder DIR]
       tone_mapping_tables.py --from FILE... [--name NAME]      tables and targets of earlier runs: CSV files, or logs of bench_tone_mapping as
                                                                tests/gpu/device_run.sh leaves them; with a name they are joined and written
"""
import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Speedup of all threads over one, on 16 cores.
SCALING_THREADS, SCALING = 16, 10


def bench(program, *arguments):
    print("+", program, *arguments, file=sys.stderr, flush=True)
    out = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    if out.returncode not in (0, 7):  # 7: a result is wrong, and its row says so
        raise SystemExit(f"{program} ended with {out.returncode}")
    return list(csv.DictReader(out.stdout.splitlines()))


def has_gpu(cli):
    out = subprocess.run([cli, "devices"], capture_output=True, text=True).stdout
    return any(re.match(r"cuda\b", line) and "not available" not in line for line in out.splitlines())


def processor_name():
    try:
        for line in open("/proc/cpuinfo", encoding="ascii"):
            if line.startswith("model name"):
                return re.sub(r"[^a-z0-9]+", "-", re.sub(r"\(.*?\)|CPU|@.*", "", line.split(":")[1]).lower()).strip("-")
    except OSError:
        pass
    return "processor"


def rows_of(file):
    """Returns the rows of a CSV file, or of a log with other lines before the table."""
    lines = file.read_text(encoding="utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("operator,backend,")), None)
    if first is None:
        raise SystemExit(f"{file} has no table of bench_tone_mapping")
    return list(csv.DictReader(lines[first:]))


def number(text, digits=2):
    if not text:
        return ""
    value = float(text)
    return f"{value:.{digits}f}" if value else ""


def table(rows, title):
    if not rows:
        return
    print(f"\n### {title}\n")
    print("| operator | backend | compute ms | end to end ms | floor ms | times the floor | peer ms | times as fast | target ms | error |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for r in rows:
        name = f"{r['backend']}.{r['variant']}"
        if r["skipped"]:
            print(f"| {r['operator']} | {name} | {r['skipped']} | | | | | | | |")
            continue
        error = f"{float(r['max_error']):.1e}" if r["agrees"] == "yes" else "WRONG"
        print(f"| {r['operator']} | {name} | {number(r['compute_ms'])} | {number(r['end_to_end_ms'])} | {number(r['floor_ms'])} | "
              f"{number(r['times_floor'])} | {number(r['peer_ms'])} | {number(r['speedup_over_peer'])} | {number(r['target_ms'])} | {error} |")


def targets(rows):
    """Returns each target with its measurement; for a backend, that of its default variant, the first that could run."""
    found, seen = [], set()
    for r in rows:
        if r["skipped"] or not r["target_ms"] or not float(r["target_ms"]):
            continue
        key = (r["operator"], r["backend"], r["threads"], r["size"])
        if key in seen or r["backend"] == "opencv":
            continue
        seen.add(key)
        where = f", {r['threads']} thread(s)" if r["threads"] != "0" else ""
        found.append({"target": f"{r['operator']}, {r['size']} x {r['size']} RGB, {r['backend']}.{r['variant']}{where}",
                      "asked": f"at most {number(r['target_ms'])} ms", "measured": f"{number(r['compute_ms'])} ms",
                      "met": "yes" if float(r["compute_ms"]) <= float(r["target_ms"]) and r["agrees"] == "yes" else "NO"})
    one = {(r["operator"], r["backend"], r["variant"]): float(r["compute_ms"]) for r in rows if r["threads"] == "1"}
    for r in rows:
        single = one.get((r["operator"], r["backend"], r["variant"]))
        if r["skipped"] or r["backend"] != "openmp" or r["variant"] != "simd" or int(r["threads"] or 0) < SCALING_THREADS or not single:
            continue
        speedup = single / float(r["compute_ms"])
        found.append({"target": f"{r['operator']}, {r['threads']} threads against one, openmp.simd", "asked": f"at least {SCALING} x",
                      "measured": f"{speedup:.1f} x", "met": "yes" if speedup >= SCALING else "NO"})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, help="build folder with bin/bench_tone_mapping; default: build/release, then build/gpu-only")
    parser.add_argument("--only", choices=["cpu", "gpu"])
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    parser.add_argument("--name", help="of the files; default: the processor's name")
    parser.add_argument("--folder", default=HERE / "results" / "tone_mapping", type=pathlib.Path)
    parser.add_argument("--from", dest="source", nargs="+", type=pathlib.Path, help="CSV files or logs of earlier runs: nothing is measured")
    options = parser.parse_args()
    if options.source:
        rows = [row for file in options.source for row in rows_of(file)]
    else:
        builds = [options.build] if options.build else [ROOT / "build" / "release", ROOT / "build" / "gpu-only"]
        build = next((b for b in builds if (b / "bin" / "bench_tone_mapping").exists()), None)
        if build is None:
            raise SystemExit("bench_tone_mapping was not found: build it, or name the build folder with --build")
        program, cli = build / "bin" / "bench_tone_mapping", build / "bin" / "parallax-cli"
        samples = ["--samples", 5 if options.quick else 15, "--seconds", 0.2 if options.quick else 1]
        rows = []
        if options.only != "gpu":
            rows += bench(program, "--backend", "openmp,opencv", "--size", 4096, "--threads", 1, *samples)
            if len(os.sched_getaffinity(0)) > 1:
                rows += bench(program, "--backend", "openmp,opencv", "--size", 4096, "--threads", 0, *samples)
        if options.only == "gpu" or (options.only is None and cli.exists() and has_gpu(cli)):
            rows += bench(program, "--backend", "cuda", "--size", 8192, "--threads", 0, *samples)
    name = options.name or (None if options.source else processor_name())
    if name:
        options.folder.mkdir(parents=True, exist_ok=True)
        with (options.folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    for threads in sorted({int(r["threads"]) for r in rows if r["threads"]}):
        some = [r for r in rows if r["threads"] == str(threads)]
        size = some[0]["size"]
        table(some, f"{size} x {size} RGB, " + ("on the device" if threads == 0 else f"{threads} thread{'s' if threads > 1 else ''}"))
    skipped = {(r["operator"], r["backend"], r["variant"]): r for r in rows if r["skipped"]}
    table(list(skipped.values()), "Not done, and why")
    reached = targets(rows)
    print("\n### Targets\n\n| target | asked for | measured | met |\n|---|---|---|---|")
    for t in reached:
        print(f"| {t['target']} | {t['asked']} | {t['measured']} | {t['met']} |")
    if name:
        with (options.folder / f"{name}-targets.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["target", "asked", "measured", "met"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(reached)
    if any(r["agrees"] == "NO" for r in rows):
        return 7
    return 0 if all(t["met"] == "yes" for t in reached) else 1


if __name__ == "__main__":
    sys.exit(main())
