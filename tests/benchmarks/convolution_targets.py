# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the measured convolution with its targets."""
import dataclasses

import convolution_stated as stated


@dataclasses.dataclass
class Target:
    where: str      # "GPU" or "CPU"
    what: str
    limit: float
    unit: str
    at_most: bool   # or at least
    measured: float | None = None
    note: str = ""  # why nothing was measured, or what it is of

    @property
    def verdict(self):
        if self.measured is None:
            return "not measured"
        return "met" if (self.measured <= self.limit if self.at_most else self.measured >= self.limit) else "missed"

    @property
    def attained(self):
        """Returns 1 if the target is just met, more if it is exceeded."""
        if not self.measured:
            return None
        return self.limit / self.measured if self.at_most else self.measured / self.limit


class Rows:
    """Measured rows by table, size, kernel, weights and target."""

    def __init__(self, rows):
        self.rows = rows

    def find(self, table, size, kernel, target, weights="random"):
        for r in self.rows:
            if (r["table"], int(r["size"]), str(r["kernel"]), r["target"], r["weights"]) == (table, size, str(kernel), target, weights):
                return r
        return None

    def value(self, table, size, kernel, target, weights="random", column="compute_ms"):
        """The figure and, if there is none, the reason."""
        r = self.find(table, size, kernel, target, weights)
        if r is None:
            return None, "not in this run"
        if r["skipped"]:
            return None, f"{target}: {r['skipped']}"
        if r["agrees"] == "false":
            return None, f"{target}: the result is wrong"
        return float(r[column]), ""

    def ratio(self, over, under):
        (a, why_a), (b, why_b) = self.value(*over), self.value(*under)
        if a is None or b is None:
            return None, why_a or why_b
        return a / b, ""


def gpu_targets(rows):
    targets = []
    on = next((r["device"] for r in rows.rows if r["target"].startswith("cuda") and r["device"]), "")
    h200 = "H200" in on
    elsewhere = f"stated for the H200, this is {on}" if on else "no GPU in this run"

    def add(what, limit, unit, at_most, value, why):
        targets.append(Target("GPU", what, limit, unit, at_most, value, why))

    for (size, k), limit in stated.GPU_MS.items():
        value, why = rows.value("gpu", size, k, "cuda") if h200 else (None, elsewhere)
        add(f"compute, {size}\u00b2, k = {k}", limit, "ms", True, value, why)
    for (size, k), limit in stated.GPU_SEPARABLE_MS.items():
        value, why = rows.value("gpu", size, k, "cuda.separable", "separable") if h200 else (None, elsewhere)
        add(f"separable, {size}\u00b2, {k} x {k}", limit, "ms", True, value, why)
    for size, k in stated.GPU_MS:
        value, why = rows.ratio(("gpu", size, k, "cuda.npp"), ("gpu", size, k, "cuda")) if on else (None, elsewhere)
        add(f"against NPP, {size}\u00b2, k = {k}", 1, "x", False, value, why)
    end, why = rows.value("host-to-host", 8192, 7, "cuda+overlapped+pinned", column="end_to_end_ms")
    link, no_link = rows.value("ceilings", 0, "", "link", "")
    if end is not None and link is None:
        end, why = None, no_link
    add("host to host, 8192\u00b2, k = 7, against one copy of the image over the link", stated.HOST_TO_HOST, "x", True,
        end / link if end is not None else None, why)
    value, why = rows.ratio(("gpu", 4096, 31, "cuda.fft", "random", "max_error"), ("gpu", 4096, 31, "cuda.direct", "random", "max_error"))
    add("error of transforms against the direct form, k = 31", stated.ACCURACY, "x", True, value, why)
    return targets


def cpu_targets(rows, threads):
    targets = []

    def add(what, limit, at_most, value, why):
        targets.append(Target("CPU", what, limit, "x", at_most, value, why))

    for k, limit in stated.CPU_AGAINST_OPENCV.items():
        add(f"one thread, 4096\u00b2, k = {k}, against OpenCV", limit, False, *rows.ratio(("one-thread", 4096, k, "opencv"), ("one-thread", 4096, k, "openmp")))
    for k in stated.CPU_AGAINST_OPENCV:
        add(f"one thread, 4096\u00b2, k = {k}, against Halide", 1, False, *rows.ratio(("one-thread", 4096, k, "halide"), ("one-thread", 4096, k, "openmp")))
    few = f"this machine has {threads}"
    value, why = rows.ratio(("all-threads", 4096, 11, "openmp.direct@1"), ("all-threads", 4096, 11, "openmp.direct"))
    if threads != stated.CPU_THREADS:
        value, why = None, few + (f", there {value:.2f} x" if value else "")
    add(f"{stated.CPU_THREADS} threads against one, 4096\u00b2, k = 11", stated.CPU_SCALING, False, value, why)
    value, why = rows.ratio(("all-threads", 4096, 3, "copy"), ("all-threads", 4096, 3, "openmp.direct"))
    if threads != stated.CPU_THREADS:
        value, why = None, few + (f", there {value:.2f} x" if value else "")
    add(f"{stated.CPU_THREADS} threads, 4096\u00b2, k = 3, against a copy", stated.CPU_COPY_LIMIT, False, value, why)
    add("error of transforms against the direct form, k = 31", stated.ACCURACY, True,
        *rows.ratio(("large-kernels", 4096, 31, "openmp.fft", "random", "max_error"), ("large-kernels", 4096, 31, "openmp.direct", "random", "max_error")))
    return targets
