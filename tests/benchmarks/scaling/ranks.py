#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One command for the table of MPI ranks: strong and weak scaling of parallax-worker with one thread for each rank, against one rank, against
threads of one process on the same cores, and overlapped against blocking exchange, beside the targets and an earlier system as its authors
reported it (convolution with k = 7 on 4096^2, 2x EPYC 7413: 1.78, 3.52, 6.74 and 12.61 GFLOP/s with 1, 2, 4 and 8 ranks, and 1.83 to 6.89
with 1 to 16 threads). The measured memory bandwidth stands beside each speedup: work whose bytes reach it cannot be faster.

Rows that need more ranks than the machine has cores are left out; --quick measures small images on the cores that there are, to check the
script, and compares with no target. Writes FOLDER/NAME.json (all records) if there is a name, and prints the table. The exit code is 1 when a
target was missed and 7 when a result was wrong.

Where time on a machine is short, each line of the table is measured alone, in less than a minute: --only and --ranks choose it, --seconds limits
the timing samples of each of its measurements, --skip leaves out comparisons, and --add collects the lines in one file:

    ranks.py --only 'weak' --ranks 32 --seconds 2 --name NAME
    ranks.py --only 'convolve k=7, 16384' --seconds 2 --skip threads --name NAME --add

Usage: ranks.py [--bin DIR] [--cores N] [--quick] [--only LINE]... [--ranks N,...] [--seconds S] [--skip ceilings|threads|blocking]...
                [--launcher 'mpirun --bind-to core -n {ranks}'] [--name NAME [--add]] [--folder DIR]
       ranks.py --from FILE.json          the table of an earlier measurement
"""
import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONVOLVE = ["--op", "convolve:kernel=gaussian,size=7", "direct"]
# Screened, so that the serial row takes some 20 iterations: the time of one is what scales.
POISSON = ["--op", "poisson:screening=0.1,tolerance=1e-4", "cg"]
# Rows of the table: work, steps and variant, side of the image, ranks, least speedup. `weak`: the side is that of each rank.
STRONG = [("convolve k=7", CONVOLVE, 4096, 8, 7.7), ("convolve k=7", CONVOLVE, 4096, 16, 14.5), ("convolve k=7", CONVOLVE, 16384, 32, 25),
          ("poisson, CG", POISSON, 4096, 16, 12), ("tone mapping, global", ["--op", "tonemap", ""], 4096, 16, 13)]
WEAK = ("convolve k=7", CONVOLVE, 2048, [1, 2, 4, 8, 16, 32], 0.9)
HIDDEN = 0.85     # share of the blocking exchange that computing hides at 8 ranks, 4096^2
BEST_SHARE = 1.05  # ranks against threads of one process
EARLIER = {("convolve k=7", 4096, 8): "6.85x"}
EARLIER_THREADS = "MPI 1.8x OpenMP at 8"


class Programs:
    def __init__(self, options):
        self.bin = pathlib.Path(options.bin)
        self.launcher = options.launcher
        self.effort = "quick" if options.quick else "normal"
        self.environment = dict(os.environ)
        if options.seconds:
            self.environment["PARALLAX_SAMPLING_SECONDS"] = str(options.seconds)

    def bench(self, ranks, input, work, backends, sweep=""):
        """Returns the record of one run of parallax-worker."""
        *steps, variant = work
        names = [name.replace("openmp", "openmp." + variant) if variant else name for name in backends]
        command = [*shlex.split(self.launcher.format(ranks=ranks)), str(self.bin / "parallax-worker"), "bench", "-i", input, *steps, "--threads",
                   "1", "--effort", self.effort, "--json"]
        for name in names:
            command += ["--backend", name]
        return self.run(command + (["--sweep", sweep] if sweep else []))

    def threads(self, threads, input, work):
        *steps, variant = work
        command = [str(self.bin / "parallax-cli"), "bench", "-i", input, *steps, "--threads", str(threads), "--effort", self.effort, "--json",
                   "--backend", "openmp" + ("." + variant if variant else "")]
        return self.run(command)

    def ceilings(self, cores):
        return self.run([str(self.bin / "parallax-cli"), "ceilings", "--threads", f"1,{cores}", "--json"])

    def run(self, command):
        print("+", shlex.join(command), file=sys.stderr, flush=True)
        begin = time.monotonic()
        out = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=self.environment)
        print(f"  {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
        if out.returncode not in (0, 7):  # 7: a result is wrong, and its row says so
            raise SystemExit(f"{command[0]} ended with {out.returncode}")
        return json.loads(out.stdout)


def records_of(measured):
    return measured if isinstance(measured, list) else measured.get("records", [measured])


def ns(entry, stages=("compute", "exchange")):
    """Returns the median of the sum of these stages."""
    return statistics.median(sum(sample.get(stage, 0) for stage in stages) for sample in entry["samples_ns"])


def parts(entry):
    return int(entry["label"].rpartition("@")[2].split(":")[0]) if "@" in entry["label"] else 1


def bandwidth_of(ceilings):
    """Returns the highest measured rate of a copy in memory in GB/s."""
    found = []

    def search(node):
        if isinstance(node, dict):
            if node.get("level") == "memory" and node.get("unit") == "GB/s" and not node.get("device"):
                found.append(node["value"])
            for value in node.values():
                search(value)
        elif isinstance(node, list):
            for value in node:
                search(value)

    search(ceilings)
    return max(found, default=0)


def name_of(work, side):
    """Returns what the first column of the table says, which --only looks at."""
    return f"{work}, {side}^2"


def measure(programs, options, keep, earlier):
    """Calls keep(result) after each row, so that an interrupted run loses the last one only. `earlier`: a result to add the rows to."""
    cores, quick = options.cores, options.quick
    result = earlier or {"cores": cores, "quick": quick, "ceilings": {}, "strong": [], "weak": []}
    named = lambda name: not options.only or any(o in name for o in options.only)  # noqa: E731
    counted = lambda ranks: ranks <= cores and (not options.ranks or ranks in options.ranks)  # noqa: E731
    if not result["ceilings"] and "ceilings" not in options.skip:
        result["ceilings"] = programs.ceilings(cores)
    groups = {}
    for work, steps, side, ranks, target in STRONG:
        if quick:
            side, ranks, target = 512, min(ranks, cores), None
        if counted(ranks) and named(name_of(work, side)):
            groups.setdefault((work, side), [steps, {}])[1][ranks] = target
    for (work, side), (steps, targets) in groups.items():
        input, most = f"synthetic:noise:{side}x{side}", max(targets)
        backends = ["openmp@1", *(f"openmp@{r}" for r in targets if r > 1)]
        if "blocking" not in options.skip:
            backends += [f"openmp+blocking@{r}" for r in targets if r > 1]
        [record] = records_of(programs.bench(most, input, steps, backends))
        row = {"work": work, "side": side, "targets": targets, "record": record, "threads": {}}
        for ranks in targets if "threads" not in options.skip else []:
            [row["threads"][ranks]] = records_of(programs.threads(ranks, input, steps))
        result["strong"].append(row)
        keep(result)
    work, steps, side, counts, target = WEAK
    side = 256 if quick else side
    counts = [c for c in counts if c == 1 or counted(c)]
    if named("weak: " + name_of(work, side)) and len(counts) > 1:
        sweep = "weak=" + ",".join(map(str, counts))
        records = records_of(programs.bench(max(counts), f"synthetic:noise:{side}x{side}", steps, ["openmp"], sweep))
        result["weak"].append({"work": work, "side": side, "target": None if quick else target, "records": records})
        keep(result)
    return result


def table(result):
    """Returns the lines of the table, and how many targets were missed and results were wrong."""
    bandwidth = bandwidth_of(result["ceilings"])
    lines, missed, wrong = [["work", "ranks", "one rank", "ranks", "speedup", "target", "GB/s of measured", "earlier system"]], 0, 0

    def judge(reached, target, at_bandwidth):
        nonlocal missed
        if target is None:
            return "-"
        ok = reached >= target
        missed += not (ok or at_bandwidth)
        return f">= {target:g} " + ("reached" if ok else "at the bandwidth" if at_bandwidth else "MISSED")

    def bandwidth_text(entry, duration):
        rate = entry["bytes"] / duration
        return rate >= 0.9 * bandwidth > 0, f"{rate:.1f}" + (f" of {bandwidth:.1f}" if bandwidth else "")

    for row in result["strong"]:
        entries = [e for e in row["record"]["entries"] if e["samples_ns"]]
        wrong += sum(e["verification"] == "disagrees" for e in entries)
        one = next(e for e in entries if parts(e) == 1)
        name = name_of(row["work"], row["side"])
        for ranks, target in ((int(r), t) for r, t in row["targets"].items()):
            found = {"+blocking" in e["label"]: e for e in entries if parts(e) == ranks and (ranks > 1 or e is one)}
            if not found:
                continue
            ours = found[False]
            speedup = ns(one) / ns(ours)
            limited, text = bandwidth_text(ours, ns(ours))
            lines.append([name, str(ranks), f"{ns(one) / 1e6:.3f} ms", f"{ns(ours) / 1e6:.3f} ms", f"{speedup:.2f}x",
                          judge(speedup, target, limited), text, EARLIER.get((row["work"], row["side"], ranks), "-")])
            if threads := row["threads"].get(ranks) or row["threads"].get(str(ranks)):
                other = next(e for e in threads["entries"] if e["samples_ns"] and "scalar" not in e["label"])
                share = ns(ours) / ns(other)
                lines.append(["  against threads of one process", str(ranks), f"{ns(other) / 1e6:.3f} ms", f"{ns(ours) / 1e6:.3f} ms",
                              f"{1 / share:.2f}x", judge(1 / share, 1 / BEST_SHARE if target else None, False), "",
                              EARLIER_THREADS if ranks == 8 else "-"])
            if True in found:
                own, blocking = ns(ours, ["exchange"]), ns(found[True], ["exchange"])
                hidden = 1 - own / blocking if blocking > 0 else 0
                judged = HIDDEN if target and (row["side"], ranks) == (4096, 8) else None
                lines.append(["  exchange, blocking and overlapped", str(ranks), f"{blocking / 1e6:.3f} ms", f"{own / 1e6:.3f} ms",
                              f"{100 * hidden:.0f} % hidden", judge(hidden, judged, False), "", "blocking only"])
    for row in result["weak"]:
        first = None
        for record in row["records"]:
            entry = next((e for e in record["entries"] if e["samples_ns"] and "scalar" not in e["label"]), None)
            if entry is None:
                continue
            wrong += entry["verification"] == "disagrees"
            first = first or entry
            efficiency = ns(first) / ns(entry)
            limited, text = bandwidth_text(entry, ns(entry))
            lines.append([f"weak: {name_of(row['work'], row['side'])} a rank", str(parts(entry)), f"{ns(first) / 1e6:.3f} ms", f"{ns(entry) / 1e6:.3f} ms",
                          f"{100 * efficiency:.0f} %", judge(efficiency, row["target"], limited), text, "-"])
    return lines, missed, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=ROOT / "build" / "release" / "bin")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append", metavar="LINE", help="lines of the table with this in their first column")
    parser.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")], metavar="N,...", help="lines with these numbers of ranks")
    parser.add_argument("--seconds", type=float, metavar="S", help="upper limit of the timing samples of a measurement, each of several in a line")
    parser.add_argument("--skip", action="append", default=[], choices=["ceilings", "threads", "blocking"], help="leave out this measurement")
    parser.add_argument("--launcher", default="mpirun --bind-to core -n {ranks}")
    parser.add_argument("--name")
    parser.add_argument("--add", action="store_true", help="add the lines to those that FOLDER/NAME.json has")
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--from", dest="earlier")
    options = parser.parse_args()
    file = pathlib.Path(options.folder) / f"{options.name}.json"

    def keep(result):
        if options.name:
            file.write_text(json.dumps(result))

    if options.earlier:
        result = json.loads(pathlib.Path(options.earlier).read_text())
    else:
        earlier = json.loads(file.read_text()) if options.name and options.add and file.exists() else None
        result = measure(Programs(options), options, keep, earlier)
    lines, missed, wrong = table(result)
    widths = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
    sys.exit(7 if wrong else 1 if missed else 0)


if __name__ == "__main__":
    main()
