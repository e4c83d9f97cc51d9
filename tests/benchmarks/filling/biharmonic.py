#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Iterations and time of fill:interpolation=biharmonic on square holes in smooth, noisy surroundings, one thread, the fastest of three runs.

Usage: biharmonic.py PARALLAX_CLI [WIDTH...]
"""
import array
import json
import math
import os
import random
import subprocess
import sys
import tempfile

MARGIN = 20


def write_hole(path, width):
    noise = random.Random(1)
    n = width + 2 * MARGIN
    hole = range(MARGIN, MARGIN + width)
    samples = array.array("f", (math.nan if x in hole and y in hole else math.sin(x / 9) * math.cos(y / 13) + 0.3 * noise.random()
                                for y in range(n) for x in range(n)))
    if sys.byteorder == "big":
        samples.byteswap()
    with open(path, "wb") as file:
        file.write(f"Pf\n{n} {n}\n-1.0\n".encode())
        samples.tofile(file)


def run(program, path, variant):
    command = [program, "run", "-i", path, "-o", path + ".out.pfm", "--force", "--op", "fill:interpolation=biharmonic,iterations=1000000",
               "--backend", "openmp." + variant, "--threads", "1", "--json"]
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout)
    found = {f["key"]: f["value"] for f in result["findings"]}
    return result["compute_ns"] / 1e9, int(found["iterations"]), found["residual"]


def main():
    program, *widths = sys.argv[1:]
    print("width  variant    iterations  residual  seconds")
    with tempfile.TemporaryDirectory() as folder:
        for width in map(int, widths or ["1", "10", "30", "100", "300"]):
            path = os.path.join(folder, "hole.pfm")
            write_hole(path, width)
            for variant in ("multigrid", "cg"):
                seconds, iterations, residual = min(run(program, path, variant) for _ in range(3))
                print(f"{width:5}  {variant:9}  {iterations:10}  {residual:8.1e}  {seconds:7.3f}", flush=True)


main()
