# SPDX-License-Identifier: GPL-3.0-or-later
"""The chart of a run of convolution_tables.py: one SVG with what can be compared at a glance. Standard library only."""
import html
import math

WIDTH, MARGIN, LABELS = 1100, 28, 330
COLOURS = {"ours": "#0b6e99", "ours2": "#57a6c8", "peer": "#c2703d", "peer2": "#dfa777", "plain": "#8a8f98", "plain2": "#b9bdc4",
           "met": "#2e7d4f", "missed": "#b3382c"}
# Colour and label of each series.
SERIES = {
    "openmp": ("ours", "Parallax openmp"), "openmp.direct": ("ours2", "Parallax openmp.direct"), "openmp.fft": ("ours2", "openmp.fft"),
    "opencv": ("peer", "OpenCV filter2D"), "halide": ("peer2", "Halide"), "copy": ("plain2", "copy"),
    "cuda": ("ours", "Parallax cuda"), "cuda.npp": ("peer", "NPP"), "cupy": ("peer2", "CuPy"), "cudnn": ("peer2", "cuDNN"),
    "cuda.naive": ("plain", "naive"), "cuda.tiled": ("plain2", "tiled"),
}


def text(x, y, s, size=12, anchor="start", colour="#24292f", weight="normal"):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}">{html.escape(s)}</text>'


def rectangle(x, y, w, h, colour, more=""):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(w, 0.5):.1f}" height="{h:.1f}" fill="{colour}" {more}/>'


def short(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


class Page:
    def __init__(self):
        self.parts, self.y = [], MARGIN

    def title(self, words, note=""):
        self.parts.append(text(MARGIN, self.y + 16, words, 17, weight="bold"))
        self.y += 26
        if note:
            self.parts.append(text(MARGIN, self.y + 8, note, 12, colour="#57606a"))
            self.y += 20

    def bars(self, groups, unit):
        """Draws bars; groups: (heading, [(label, value, colour)]); longer is better."""
        largest = max((v for _, bars in groups for _, v, _ in bars), default=0)
        if largest <= 0:
            return
        scale = (WIDTH - LABELS - 150) / largest
        for heading, bars in groups:
            self.parts.append(text(MARGIN, self.y + 12, heading, 12, weight="bold"))
            for words, value, colour in bars:
                self.parts.append(text(LABELS - 8, self.y + 12, words, 12, "end"))
                self.parts.append(rectangle(LABELS, self.y + 2, value * scale, 12, COLOURS[colour]))
                self.parts.append(text(LABELS + value * scale + 6, self.y + 12, f"{short(value)} {unit}", 11, colour="#57606a"))
                self.y += 16
            self.y += 6
        self.y += 14

    def lines(self, series, unit):
        """series: (words, colour, dashed, {size: value}), both axes logarithmic."""
        points = [(x, y) for *_, values in series for x, y in values.items() if y > 0]
        if not points:
            return
        left, top, width, height = LABELS, self.y + 8, WIDTH - LABELS - 230, 240
        x0, x1 = (math.log2(f(x for x, _ in points)) for f in (min, max))
        y0, y1 = math.floor(math.log10(min(y for _, y in points))), math.ceil(math.log10(max(y for _, y in points)))
        px = lambda x: left + width * ((math.log2(x) - x0) / (x1 - x0) if x1 > x0 else 0.5)
        py = lambda y: top + height - height * (math.log10(y) - y0) / max(y1 - y0, 1)
        for decade in range(y0, y1 + 1):
            y = py(10.0 ** decade)
            self.parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#d8dee4"/>')
            self.parts.append(text(left - 8, y + 4, f"{10.0 ** decade:g}", 11, "end", "#57606a"))
        for x in sorted({x for x, _ in points}):
            self.parts.append(text(px(x), top + height + 18, f"{x}\u00b2", 11, "middle", "#57606a"))
        self.parts.append(text(MARGIN, top + 12, unit, 12, colour="#57606a"))
        ends = []
        for words, colour, dashed, values in series:
            if not values:
                continue
            path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in sorted(values.items()))
            dash = 'stroke-dasharray="5 4"' if dashed else ""
            self.parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[colour]}" stroke-width="2" {dash}/>')
            for x, y in values.items():
                fill = "#ffffff" if dashed else COLOURS[colour]
                self.parts.append(f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{fill}" stroke="{COLOURS[colour]}"/>')
            last = max(values)
            ends.append([py(values[last]), words, colour])
        # Labels at the right end of each line, moved apart where they would overlap.
        ends.sort()
        for i in range(1, len(ends)):
            ends[i][0] = max(ends[i][0], ends[i - 1][0] + 14)
        for y, words, colour in ends:
            self.parts.append(text(left + width + 14, y + 4, words, 12, colour=COLOURS[colour]))
        self.y = max(top + height, ends[-1][0]) + 44

    def targets(self, targets):
        """Draws a bar for each target: its length is the attained share, the line is the target."""
        line = LABELS + 250 + 200
        for t in targets:
            self.parts.append(text(LABELS + 240, self.y + 12, f"{t.where}: {t.what}", 12, "end"))
            if t.measured is None:
                self.parts.append(text(line + 8, self.y + 12, f"not measured: {t.note}", 11, colour="#57606a"))
            else:
                length = min(t.attained, 1.9) * 200
                self.parts.append(rectangle(LABELS + 250, self.y + 2, length, 12, COLOURS[t.verdict]))
                limit = f"{'at most' if t.at_most else 'at least'} {t.limit:g}"
                self.parts.append(text(LABELS + 250 + max(length, 200) + 8, self.y + 12, f"{short(t.measured)} {t.unit}, {limit}: {t.verdict}", 11, colour="#57606a"))
            self.y += 17
        self.parts.append(f'<line x1="{line}" x2="{line}" y1="{self.y - 17 * len(targets):.1f}" y2="{self.y}" stroke="#24292f" stroke-dasharray="3 3"/>')
        self.y += 20


def usable(r):
    return not r["skipped"] and r["agrees"] != "false" and r["compute_ms"] not in ("", 0) and r["table"] not in ("machine", "ceilings")


def rate_groups(rows, table, names, size, weights="random"):
    """GFLOP/s for each k."""
    groups = {}
    for r in rows:
        if r["table"] == table and r["target"] in names and int(r["size"]) == size and r["weights"] == weights and usable(r):
            colour, words = SERIES[r["target"]]
            groups.setdefault(int(r["kernel"]), []).append((words, float(r["gflops"]), colour))
    return [(f"{k} x {k}", bars) for k, bars in sorted(groups.items())]


def over_sizes(rows, table, target, column="gflops"):
    return {int(r["size"]): float(r[column]) for r in rows if r["table"] == table and r["target"] == target and usable(r) and float(r[column] or 0) > 0}


def theirs(rows, table, target, to_rate=False):
    values = {}
    for r in rows:
        if r["table"] != table or r["target"] != target or r["theirs"] == "":
            continue
        size, value = int(r["size"]), float(r["theirs"])
        values[size] = 2 * int(r["kernel"]) ** 2 * size * size / value * 1e-6 if to_rate else value
    return values


def chart(rows, targets, name):
    page = Page()
    where = next((f"{r['device']}, {r['choice']}" for r in rows if r["table"] == "machine"), name)
    page.title(f"Convolution: {where}", "float32, one channel, edges repeated; medians of samples in turns; GFLOP/s count 2 k\u00b2 a pixel, also where fewer are done")
    one = rate_groups(rows, "one-thread", ["openmp", "opencv", "halide"], 4096)
    if one:
        page.title("One thread of the processor, 4096 x 4096", "random weights: no shortcut for separable kernels")
        page.bars(one, "GFLOP/s")
    everything = rate_groups(rows, "all-threads", ["openmp", "opencv", "halide"], 4096)
    if everything:
        page.title("All threads of the processor, 4096 x 4096")
        page.bars(everything, "GFLOP/s")
    gpu = rate_groups(rows, "gpu", ["cuda", "cuda.npp", "cupy", "cudnn", "cuda.tiled", "cuda.naive"], 8192)
    if gpu:
        page.title("GPU, compute, 8192 x 8192")
        page.bars(gpu, "GFLOP/s")
    for table, words, to_rate in (("system-1", "Earlier system 1: k = 7", False), ("system-2", "Earlier system 2: 5 x 5 ones", True)):
        scalar = sorted({r["target"] for r in rows if r["table"] == table and r["target"].startswith("openmp.scalar@")})
        series = []
        for target in scalar:
            series.append(("serial" if target == "openmp.scalar@1" else "OpenMP over rows", "plain" if target == "openmp.scalar@1" else "plain2", False,
                           over_sizes(rows, table, target)))
        ours = next((r["target"] for r in rows if r["table"] == table and r["target"].startswith("openmp@")), "")
        series += [("Parallax openmp", "ours2", False, over_sizes(rows, table, ours)), ("naive", "peer2", False, over_sizes(rows, table, "cuda.naive")),
                   ("tiled", "peer", False, over_sizes(rows, table, "cuda.tiled")), ("Parallax cuda", "ours", False, over_sizes(rows, table, "cuda")),
                   ("theirs, serial", "plain", True, theirs(rows, table, "openmp.scalar@1", to_rate)),
                   ("theirs, naive", "peer2", True, theirs(rows, table, "cuda.naive", to_rate)),
                   ("theirs, tiled", "peer", True, theirs(rows, table, "cuda.tiled", to_rate))]
        if any(values for *_, values in series):
            page.title(words, "compute; theirs dashed, on their own machines")
            page.lines(series, "GFLOP/s")
    page.title("Targets", "a bar that reaches the line meets its target")
    page.targets(targets)
    height = page.y + MARGIN
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n<title>Convolution on {html.escape(name)}</title>\n'
            f'<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(page.parts) + "\n</svg>\n")
