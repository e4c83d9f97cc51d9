#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One command for the table of the solvers: the Poisson equation with a 5-point stencil in double on a GPU (bench_gpu_solvers) and on the CPU
(parallax-cli), beside peers and targets. Peers that are installed run on the same machine: CuPy (conjugate gradients with a stored matrix, its
product by cuSPARSE, and two cosine transforms) and, with --pyamg, PyAMG. Others are stated: AmgX as measured on an H200, and an earlier CUDA
system as its authors reported it for an A100.

Targets in ms hold for an H200. On another GPU they are multiplied by the ratio of the copy rates, since all of these times depend on memory.

Writes FOLDER/NAME.csv (every measurement) if there is a name, and prints the table. The exit code is 1 when a target was missed and 7 when a
result was wrong.

Usage: solvers.py [--bin DIR] [--only cpu|gpu] [--quick] [--pyamg] [--name NAME] [--folder DIR]
       solvers.py --from FILE.csv...      the table of earlier measurements, of a GPU and of a CPU for instance
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FIELDS = ["program", "machine", "copy_gb_s", "threads", "work", "size", "borders", "method", "tolerance", "iterations", "iteration_ms", "all_ms",
          "residual", "reached", "skipped"]
SIZES = [512, 4096, 10000, 15000, 16384, 20000]
PEER_SIZES = [10000, 15000, 20000]
CPU_SIZE = 2048
# Measured on an H200 with AmgX' own 5-point example: ms of an iteration of conjugate gradients, and of a solve to 1e-8 with aggregation AMG,
# which had not arrived there after 500 iterations.
AMGX_ITERATION = {10000: 6.08}
AMGX_SOLVE = {4096: 4200, 10000: 22000}
# As its authors reported: the product of an earlier system with a stored stencil, A100.
EARLIER_PRODUCT = {20000: 12.86}
PYAMG_STATED = {"Ruge-Stuben": 11.1, "smoothed aggregation": 21.7}  # s, one thread, PyAMG 5.4: core/solvers/README.md
H200_COPY = 4189  # GB/s


# ---- measurements -------------------------------------------------------------------------------------------------------------------


def row(**values):
    return {f: str(values.get(f, "")) for f in FIELDS}


def bench_gpu(program, quick):
    command = [program, "--csv", *(["--quick"] if quick else [])]
    for size in SIZES:
        command += ["--size", str(size)]
    print("+", *command, file=sys.stderr, flush=True)
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if out.returncode == 5:
        print(out.stdout, file=sys.stderr)
        return []
    if out.returncode not in (0, 7):  # 7: a result is wrong, and its row says so
        raise SystemExit(f"{program} ended with {out.returncode}: {out.stdout[-500:]}")
    return [row(program="ours", machine=r["device"], **{f: r[f] for f in FIELDS if f in r}) for r in csv.DictReader(out.stdout.splitlines())]


def milliseconds(cupy, call, samples):
    """Returns the median time between two events."""
    times = []
    for _ in range(samples + 2):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end))
    return statistics.median(times[2:])


def laplacian(cupy, size):
    """Returns the 5-point stencil with Dirichlet borders as a matrix of compressed rows, made on the device."""
    from cupyx.scipy import sparse

    neighbours = cupy.full(size, 2, dtype=cupy.int64)
    neighbours[0] = neighbours[-1] = 1
    begin = cupy.zeros(size * size + 1, dtype=cupy.int32)
    begin[1:] = cupy.cumsum((neighbours[:, None] + neighbours[None, :] + 1).reshape(-1))
    columns = cupy.empty(int(begin[-1]), dtype=cupy.int32)
    values = cupy.empty(int(begin[-1]), dtype=cupy.float64)
    fill = cupy.ElementwiseKernel(
        "raw int32 begin, int32 width", "raw int32 columns, raw float64 values",
        """
        const int x = i % width, y = i / width;
        int at = begin[i];
        auto put = [&](int column, double value) { columns[at] = column; values[at++] = value; };
        if (y > 0) put(i - width, -1);
        if (x > 0) put(i - 1, -1);
        put(i, 4);
        if (x + 1 < width) put(i + 1, -1);
        if (y + 1 < width) put(i + width, -1);
        """, "fill_laplacian")
    fill(begin, size, columns, values, size=size * size)
    return sparse.csr_matrix((values, columns, begin), shape=(size * size, size * size))


def cupy_product(matrix, vector):
    """Returns a product by cuSPARSE; `matrix @ vector` may use another library."""
    try:
        from cupyx import cusparse
    except ImportError:  # older versions
        from cupy import cusparse
    out = vector.copy()
    return lambda: cusparse.spmv(matrix, vector, out)


def cupy_iteration(cupy, matrix, quick):
    """Returns the ms of an iteration: the difference of two solves that end after a number of iterations."""
    from cupyx.scipy.sparse import linalg

    b = cupy.random.random(matrix.shape[0])

    def solve(iterations):
        try:
            linalg.cg(matrix, b, tol=0, atol=0, maxiter=iterations)
        except TypeError:  # newer versions
            linalg.cg(matrix, b, rtol=0, atol=0, maxiter=iterations)

    few, many = 5, 25
    samples = 3 if quick else 7
    return (milliseconds(cupy, lambda: solve(many), samples) - milliseconds(cupy, lambda: solve(few), samples)) / (many - few)


def cupy_rows(sizes, quick):
    """Measures CuPy; a row without a time has the reason."""
    rows = []
    try:
        import cupy
        from cupyx.scipy import fft, sparse  # noqa: F401

        machine = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as e:  # whatever a package that is not ours has to say
        reason = "not installed" if isinstance(e, ImportError) else f"{type(e).__name__}: {e}"
        return [row(program="CuPy", work="product", size=sizes[0], skipped=reason)]

    def add(work, size, borders, method, measure):
        print(f"+ CuPy, {work}, {method}, {size} x {size}", file=sys.stderr, flush=True)
        base = dict(program="CuPy", machine=machine, work=work, size=size, borders=borders, method=method)
        try:
            field, ms = measure()
            rows.append(row(**base, **{field: f"{ms:.5f}"}))
        except Exception as e:
            rows.append(row(**base, skipped=f"{type(e).__name__}: {e}"))
        cupy.get_default_memory_pool().free_all_blocks()

    def transforms(size):
        x = cupy.random.random((size, size))
        return "all_ms", milliseconds(cupy, lambda: fft.idctn(fft.dctn(x, norm="ortho"), norm="ortho"), 3 if quick else 7)

    for size in sizes:
        matrix = None
        try:
            matrix = laplacian(cupy, size)
        except Exception as e:
            rows.append(row(program="CuPy", machine=machine, work="product", size=size, skipped=f"{type(e).__name__}: {e}"))
        if matrix is not None:
            vector = cupy.random.random(size * size)
            add("product", size, "Dirichlet", "csr", lambda: ("iteration_ms", milliseconds(cupy, cupy_product(matrix, vector), 15)))
            add("Poisson", size, "Dirichlet", "csr", lambda: ("iteration_ms", cupy_iteration(cupy, matrix, quick)))
            del matrix, vector
            cupy.get_default_memory_pool().free_all_blocks()
    add("Poisson", 10000, "Neumann", "two cosine transforms", lambda: transforms(10000))
    return rows


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "processor"


def copy_rates(cli, threads):
    """Returns GB/s of a copy in memory by number of threads."""
    out = subprocess.run([cli, "ceilings", "--threads", ",".join(map(str, threads)), "--json"], capture_output=True, text=True)
    ceilings = json.loads(out.stdout)["ceilings"] if out.returncode == 0 else []
    return {c["threads"]: c["value"] for c in ceilings if (c["name"], c["level"]) == ("copy", "memory")}


def cpu_rows(cli, quick):
    """The fastest of several runs, as each is the first of its process."""
    counts = sorted({1, len(os.sched_getaffinity(0))})
    rows, rates = [], copy_rates(cli, counts)
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            command = [cli, "run", "-i", f"synthetic:noise:{CPU_SIZE}x{CPU_SIZE}", "--op", "poisson:tolerance=1e-8", "--backend", "openmp.multigrid",
                       "--threads", str(count), "-o", os.path.join(folder, "p.exr"), "--json", "--force"]
            print("+", *command, file=sys.stderr, flush=True)
            times = []
            for _ in range(3 if quick else 9):
                out = subprocess.run(command, stdout=subprocess.PIPE, text=True)
                if out.returncode != 0:
                    raise SystemExit(f"{cli} ended with {out.returncode}")
                record = json.loads(out.stdout)
                times.append(record["compute_ns"] * 1e-6)
            statistic = {s["key"]: s["value"] for s in record["findings"]}
            rows.append(row(program="ours", machine=cpu_name(), copy_gb_s=f"{rates.get(count, 0):.1f}", threads=count, work="Poisson", size=CPU_SIZE,
                            borders="Dirichlet", method="multigrid", tolerance=1e-8, iterations=int(statistic["iterations"]),
                            all_ms=f"{min(times):.3f}", residual=f"{statistic['residual']:.3e}",
                            reached="yes" if statistic["residual"] <= 1.5e-8 else "NO"))
    return rows


def pyamg_rows():
    try:
        import numpy
        import pyamg
    except ImportError:
        return [row(program="PyAMG", work="Poisson", size=CPU_SIZE, skipped="not installed")]
    matrix = pyamg.gallery.poisson((CPU_SIZE, CPU_SIZE), format="csr")
    b = numpy.random.default_rng(1).random(matrix.shape[0])
    rows = []
    for name, make in (("Ruge-Stuben", pyamg.ruge_stuben_solver), ("smoothed aggregation", pyamg.smoothed_aggregation_solver)):
        print(f"+ PyAMG, {name}", file=sys.stderr, flush=True)
        start = time.perf_counter()
        residuals = []
        make(matrix).solve(b, tol=1e-8, accel="cg", residuals=residuals)
        rows.append(row(program="PyAMG", machine=cpu_name(), threads=1, work="Poisson", size=CPU_SIZE, borders="Dirichlet", method=name,
                        tolerance=1e-8, iterations=len(residuals) - 1, all_ms=f"{(time.perf_counter() - start) * 1e3:.1f}"))
    return rows


# ---- the table ----------------------------------------------------------------------------------------------------------------------


class Measured:
    """Finds measurements by what was measured."""

    def __init__(self, rows):
        self.rows = rows

    def find(self, program, work, size, method, field, **more):
        """Returns a number, or None."""
        for r in self.rows:
            if (r["program"], r["work"], r["size"], r["method"]) == (program, work, str(size), method) and not r["skipped"] and \
                    all(r[k] == v for k, v in more.items()) and r[field] and float(r[field]) > 0:
                return float(r[field])
        return None

    def reason(self, program, work, size, method):
        for r in self.rows:
            if r["program"] == program and r["work"] == work and r["size"] == str(size) and r["method"] in (method, "") and r["skipped"]:
                return r["skipped"]
        return ""


def text(ms):
    if ms is None:
        return ""
    return f"{ms / 1000:.3g} s" if ms >= 1000 else f"{ms:.3g} ms" if ms < 100 else f"{ms:.0f} ms"


class Table:
    def __init__(self, measured):
        self.measured = measured
        gpu = next((r for r in measured.rows if r["program"] == "ours" and not r["threads"] and float(r["copy_gb_s"] or 0) > 0), None)
        self.gpu = gpu["machine"] if gpu else ""
        self.copy = float(gpu["copy_gb_s"]) if gpu else 0
        self.scale = 1 if not gpu or "H200" in self.gpu else H200_COPY / self.copy
        self.lines = []

    def add(self, work, ours, peer="", target="", met=None):
        self.lines.append((work, ours, peer, target, {None: "", True: "yes", False: "NO"}[met]))

    def gpu_time(self, work, case, field, limit=None, peers=()):
        """A time, its peers and a limit in ms on an H200. `case`: work, size, method and borders of the measurement."""
        what, size, method, borders = case
        ms = self.measured.find("ours", what, size, method, field, borders=borders)
        if ms is None:
            return self.add(work, self.measured.reason("ours", what, size, method) or "not measured", "; ".join(peers))
        target = ""
        if limit:
            target = f"<= {limit:g} ms" + (f" (here {limit * self.scale:.3g})" if self.scale != 1 else "")
        self.add(work, text(ms), "; ".join(peers), target, ms <= limit * self.scale if limit else None)

    def cupy(self, what, size, method, field, stated=""):
        ms = self.measured.find("CuPy", what, size, method, field)
        if ms is not None:
            return [f"CuPy {text(ms)}"]
        return [f"CuPy {stated} (stated, H200)"] if stated else []

    def print(self):
        if self.gpu:
            print(f"{self.gpu}, device copy {self.copy:.0f} GB/s" +
                  (f"; targets for an H200 ({H200_COPY} GB/s) are multiplied by {self.scale:.2f} here" if self.scale != 1 else ""))
        cpu = next((r for r in self.measured.rows if r["threads"]), None)
        if cpu:
            print(cpu["machine"])
        print("\n| work | ours | peer | target | met |\n|---|---:|---|---|---|")
        for line in self.lines:
            print("| " + " | ".join(line) + " |")
        skipped = [r for r in self.measured.rows if r["skipped"]]
        if skipped:
            print("\nNot measured:")
            for r in skipped:
                print(f"* {r['program']}, {r['work']}, {r['size']} x {r['size']} {r['method']}: {r['skipped']}")


def add_iterations_of_krylov(table):
    limits = {"cg": 1.7}
    for size in PEER_SIZES:
        amgx = [f"AmgX {AMGX_ITERATION[size]} ms (stated, H200)"] if size in AMGX_ITERATION else []
        cupy = table.cupy("Poisson", size, "csr", "iteration_ms", "6.97 ms" if size == 10000 else "")
        for method in ("cg", "textbook", "csr", "multigrid"):
            table.gpu_time(f"{size}^2: iteration of `{method}`", ("Poisson", size, method, "Dirichlet"), "iteration_ms",
                           limits.get(method) if size == 10000 else None, amgx + cupy if method != "multigrid" else [])


def add_products(table):
    for size in PEER_SIZES:
        cupy = table.cupy("product", size, "csr", "iteration_ms", "3.15 ms" if size == 10000 else "")
        earlier = [f"an earlier system {EARLIER_PRODUCT[size]} ms (stated, A100)"] if size in EARLIER_PRODUCT else []
        table.gpu_time(f"{size}^2: product of `cg` alone", ("product", size, "cg", "Dirichlet"), "iteration_ms", 0.42 if size == 10000 else None,
                       cupy + earlier)
        ours = table.measured.find("ours", "product", size, "csr", "iteration_ms")
        theirs = table.measured.find("CuPy", "product", size, "csr", "iteration_ms")
        if ours is None:
            table.gpu_time(f"{size}^2: product of `csr` alone", ("product", size, "csr", "Dirichlet"), "iteration_ms")
        else:
            table.add(f"{size}^2: product of `csr` alone", text(ours), "; ".join(cupy), "within 5 % of cuSPARSE, in this run",
                      abs(ours / theirs - 1) <= 0.05 if theirs else None)


def add_solves(table):
    for size, limit in ((4096, 15), (10000, 60)):
        for borders in ("Dirichlet", "Neumann"):
            table.gpu_time(f"{size}^2: Poisson to 1e-8, `multigrid`, {borders}", ("Poisson", size, "multigrid", borders), "all_ms", limit,
                           [f"AmgX, aggregation AMG, more than {text(AMGX_SOLVE[size])} (stated, H200)"])
    for size in (4096, 10000):
        peer = table.cupy("Poisson", size, "two cosine transforms", "all_ms", "22.2 ms" if size == 10000 else "")
        peer = [p + " for two cosine transforms" for p in peer]
        table.gpu_time(f"{size}^2: Poisson, `dct`, Neumann", ("Poisson", size, "dct", "Neumann"), "all_ms", 8 if size == 10000 else None, peer)
        table.gpu_time(f"{size}^2: Poisson, `dct`, Dirichlet", ("Poisson", size, "dct", "Dirichlet"), "all_ms")
    edges = "diffuse:weights=edges of RGB"
    for tolerance, limit in (("0.0001", 12), ("1e-08", None)):
        for method in ("multigrid", "cg"):
            find = lambda field: table.measured.find("ours", edges, 4096, method, field, tolerance=tolerance)  # noqa: E731
            ms, iterations = find("all_ms"), find("iterations")
            if ms is None:
                continue
            reached = table.measured.find("ours", edges, 4096, method, "all_ms", tolerance=tolerance, reached="yes") is not None
            ours = f"{text(ms)}, {iterations:.0f} iterations" + ("" if reached else ", not reached")
            ask = limit if method == "multigrid" else None
            table.add(f"4096^2 RGB: `diffuse:weights=edges` to {float(tolerance):.0e}, `{method}`", ours, "",
                      (f"<= {ask} ms" + (f" (here {ask * table.scale:.3g})" if table.scale != 1 else "")) if ask else "",
                      ms <= ask * table.scale and reached if ask else None)


def add_iteration_counts(table):
    for borders in ("Dirichlet", "Neumann"):
        few, many = (table.measured.find("ours", "Poisson", size, "multigrid", "iterations", borders=borders) for size in (512, 16384))
        if few and many:
            table.add(f"iterations of `multigrid` to 1e-8, 512^2 and 16384^2, {borders}", f"{few:.0f}, {many:.0f}", "", "grow by at most 2",
                      many - few <= 2)
    for size in (512, 4096):
        count = table.measured.find("ours", "diffuse:weights=edges of RGB", size, "multigrid", "iterations", tolerance="1e-08")
        if count:
            table.add(f"iterations of `multigrid` to 1e-8, weights of edges, contrast 1e4, {size}^2", f"{count:.0f}", "", "<= 40", count <= 40)


def add_cpu(table):
    rows = {int(r["threads"]): r for r in table.measured.rows if r["program"] == "ours" and r["threads"]}
    if not rows:
        return
    one = rows.get(1)
    peers = [f"PyAMG, {r['method']}, {text(float(r['all_ms']))}" for r in table.measured.rows if r["program"] == "PyAMG" and not r["skipped"]]
    peers = peers or [f"PyAMG, {name}, {s} s (stated)" for name, s in PYAMG_STATED.items()]
    work = f"CPU, {CPU_SIZE}^2: Poisson to 1e-8, `openmp.multigrid`"
    if one:
        ms = float(one["all_ms"])
        table.add(f"{work}, one thread", f"{text(ms)}, {one['iterations']} iterations", "; ".join(peers), "<= 350 ms", ms <= 350)
    for count, r in sorted(rows.items()):
        if count == 1 or not one:
            continue
        speedup = float(one["all_ms"]) / float(r["all_ms"])
        rates = float(r["copy_gb_s"] or 0), float(one["copy_gb_s"] or 0)
        bandwidth = rates[0] / rates[1] if all(rates) else 0
        bound = min(8.0, 0.8 * bandwidth) if bandwidth else 8.0
        judged = speedup >= bound if count >= 16 else None
        note = f"; copies are {bandwidth:.1f}x as fast" if bandwidth else ""
        table.add(f"{work}, {count} threads", f"{text(float(r['all_ms']))}, {speedup:.1f}x one thread{note}", "",
                  "16 threads: 8x, or 80 % of the gain of copies", judged)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, help="folder with bench_gpu_solvers and parallax-cli, or the folder above [build/release]")
    parser.add_argument("--only", choices=["cpu", "gpu"])
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    parser.add_argument("--pyamg", action="store_true", help="measure PyAMG too, which takes a minute")
    parser.add_argument("--name", help="name of the file of measurements [none is written]")
    parser.add_argument("--folder", default=HERE / "results" / "solvers", type=pathlib.Path)
    parser.add_argument("--from", dest="source", nargs="+", type=pathlib.Path, help="files of earlier measurements: nothing is measured")
    options = parser.parse_args()
    if options.source:
        rows = [r for file in options.source for r in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    else:
        folder = options.bin or ROOT / "build" / "release"
        if (folder / "bin").is_dir():
            folder = folder / "bin"
        rows = []
        if options.only != "cpu":
            program = folder / "bench_gpu_solvers"
            if not program.exists():
                raise SystemExit(f"{program} was not found: build it, name the folder with --bin, or use --only cpu")
            rows += bench_gpu(program.resolve(), options.quick)
            if rows:
                rows += cupy_rows(PEER_SIZES, options.quick)
        if options.only != "gpu":
            rows += cpu_rows((folder / "parallax-cli").resolve(), options.quick)
            if options.pyamg:
                rows += pyamg_rows()
    if options.name:
        options.folder.mkdir(parents=True, exist_ok=True)
        with (options.folder / f"{options.name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    table = Table(Measured(rows))
    if table.gpu:
        add_iterations_of_krylov(table)
        add_products(table)
        add_solves(table)
        add_iteration_counts(table)
    add_cpu(table)
    table.print()
    if any(r["program"] == "ours" and r["reached"] == "NO" and not r["work"].startswith("diffuse") for r in rows):
        return 7
    return 1 if any(line[-1] == "NO" for line in table.lines) else 0


if __name__ == "__main__":
    sys.exit(main())
