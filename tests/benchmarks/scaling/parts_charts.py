#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts of what `bench_gpu_parts` and `bench_gpu_device_groups` printed: speedup over devices for each work, in an SVG beside the file that
holds their output. Prints what has an efficiency (speedup divided by devices) below 0.9 on the most devices. Standard library only.

Usage: parts_charts.py [FILE.md]...         [all in tests/benchmarks/results/parts]
       parts_charts.py --check [FILE.md]... exit code 1 if a chart is not that of its file
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(FOLDER))
from convolution_charts import COLOURS, text  # noqa: E402

COLUMNS, WIDTH, HEIGHT = 4, 272, 216
LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 24, 42, 196, 140
HEADER = 66
LEAST = 0.9
COMPUTE, WHOLE = "compute", "end to end"


class Work:
    def __init__(self, name, size):
        self.name, self.size = name, size
        self.speedups = {COMPUTE: {}, WHOLE: {}}

    def worse(self):
        """Kinds of time with an efficiency below LEAST on the most devices."""
        for kind, speedups in self.speedups.items():
            if speedups and speedups[max(speedups)] / max(speedups) < LEAST:
                yield kind, max(speedups), speedups[max(speedups)]


def name_of(steps, target):
    """A short name of steps and target: 'dwt > idwt, fused+pinned'."""
    names = " > ".join(re.sub(r":.*", "", step) for step in steps.split(" > "))
    choice = re.search(r"(?:operator|weights)=(\w+)", steps)
    return f"{names}{' ' + choice[1] if choice else ''}, {target.removeprefix('cuda.')}"


def works_of(markdown):
    """The name of the device and all works of the output."""
    device, works, group = "", [], ""
    for line in markdown.split("\n"):
        if match := re.fullmatch(r"(NVIDIA .*), \d+ device\(s\)", line):
            device = match[1]
        elif match := re.fullmatch(r"(\S.*), (cuda\.\S+), (\d+ x \d+ x \d+)", line):
            works.append(Work(name_of(match[1], match[2]), match[3].removesuffix(" x 1")))
        elif match := re.match(r" +(\d+): compute .* ([\d.]+) x +end to end .* ([\d.]+) x ", line):
            works[-1].speedups[COMPUTE][int(match[1])] = float(match[2])
            works[-1].speedups[WHOLE][int(match[1])] = float(match[3])
        elif match := re.fullmatch(r"Conjugate gradients, (\d+ x \d+)", line):
            group = match[1]
            works.append(Work("cg, one iteration", group))
        elif group and line.strip() == "multigrid":
            works.append(Work("multigrid, one cycle", group))
        elif group and (match := re.match(r" +(\d+) +[\d.]+ ms +([\d.]+)(?! \(as a group\))(?= |$)", line)):
            works[-1].speedups[COMPUTE].setdefault(int(match[1]), float(match[2]))
    return device, works


def panel(work, most, x, y):
    px = lambda devices: x + LEFT + PLOT_WIDTH * (devices - 1) / (most - 1)
    py = lambda speedup: y + TOP + PLOT_HEIGHT * (1 - (speedup - 1) / (most - 1))
    parts = [text(x + 4, y + 16, work.name, 12, weight="bold"), text(x + 4, y + 31, work.size, 11, colour="#57606a")]
    for n in range(1, most + 1):
        parts.append(f'<line x1="{px(1):.1f}" x2="{px(most):.1f}" y1="{py(n):.1f}" y2="{py(n):.1f}" stroke="#d8dee4"/>')
        parts += [text(px(1) - 8, py(n) + 4, str(n), 11, "end", "#57606a"), text(px(n), py(1) + 17, str(n), 11, "middle", "#57606a")]
    parts.append(f'<line x1="{px(1):.1f}" y1="{py(1):.1f}" '
                 f'x2="{px(most):.1f}" y2="{py(most):.1f}" stroke="{COLOURS["plain"]}" stroke-dasharray="4 4"/>')
    labels = []
    for kind, colour in ((WHOLE, COLOURS["peer"]), (COMPUTE, COLOURS["ours"])):
        points = sorted(work.speedups[kind].items())
        if not points:
            continue
        line = " ".join(f"{px(n):.1f},{py(s):.1f}" for n, s in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{px(n):.1f}" cy="{py(s):.1f}" r="3" fill="{colour}"/>' for n, s in points]
        labels.append([py(points[-1][1]) + 4, f"{points[-1][1]:.2f}", colour])
    labels.sort()
    if len(labels) == 2 and labels[1][0] - labels[0][0] < 12:  # apart, so that both can be read
        labels[0][0], labels[1][0] = (sum(label[0] for label in labels) / 2 + shift for shift in (-6, 6))
    return parts + [text(px(most) + 8, at, words, 11, colour=colour, weight="bold") for at, words, colour in labels]


def chart(device, works):
    most = max(max(work.speedups[COMPUTE]) for work in works)
    rows = -(-len(works) // COLUMNS)
    width, height = COLUMNS * WIDTH + 20, HEADER + rows * HEIGHT + 8
    parts = [text(14, 26, f"Speedup over devices: {device}", 17, weight="bold")]
    x = 14
    for words, colour, dash in ((COMPUTE, COLOURS["ours"], ""), (WHOLE, COLOURS["peer"], ""), ("ideal", COLOURS["plain"], 'stroke-dasharray="4 4"')):
        parts.append(f'<line x1="{x}" x2="{x + 26}" y1="46" y2="46" stroke="{colour}" stroke-width="2" {dash}/>')
        parts.append(text(x + 32, 50, words, 12))
        x += 124
    parts.append(text(x, 50, "across: devices; up: speedup", 12, colour="#57606a"))
    for i, work in enumerate(works):
        parts += panel(work, most, 10 + i % COLUMNS * WIDTH, HEADER + i // COLUMNS * HEIGHT)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n<title>Speedup over devices</title>\n'
            f'<rect width="100%" height="100%" rx="6" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def main(arguments):
    check = "--check" in arguments
    files = [pathlib.Path(a) for a in arguments if a != "--check"] or sorted((FOLDER / "results" / "parts").glob("*.md"))
    old = []
    for file in files:
        device, works = works_of(file.read_text())
        if not works or not all(work.speedups[COMPUTE] for work in works):
            sys.exit(f"{file} holds no complete output of bench_gpu_parts")
        svg = file.with_suffix(".svg")
        drawn = chart(device, works)
        if check:
            if not svg.exists() or svg.read_text() != drawn:
                old.append(svg)
            continue
        svg.write_text(drawn)
        print(f"{svg.name}: {len(works)} works; with an efficiency below {LEAST}:")
        for work in works:
            for kind, devices, speedup in work.worse():
                print(f"  {work.name}, {work.size}, {devices} devices, {kind}: {speedup:.3f} ({100 * speedup / devices:.0f} %)")
    if old:
        sys.exit("\n".join(f"{svg} is not the chart of {svg.with_suffix('.md').name}: run tests/benchmarks/scaling/parts_charts.py" for svg in old))


if __name__ == "__main__":
    main(sys.argv[1:])
