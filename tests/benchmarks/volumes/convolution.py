#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Gaussian in three dimensions on one thread of `openmp` against scipy.ndimage.gaussian_filter, in turns on the same kind of volume
(noise, float32): the median of both, and of the ratios of turns. The radius is that of the window, so both sum the same samples. Results
are compared by tests/oracles/make_volume_convolution.py. Exits with 1 if the ratio is below --at-least.

Usage: volumes/convolution.py BENCH_VOLUME_CONVOLUTION [--extent N] [--size N] [--turns N] [--at-least RATIO]
"""
import argparse
import statistics
import subprocess
import sys
import time

import numpy
from scipy import ndimage


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--extent", type=int, default=512)
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--target", default="openmp")
    parser.add_argument("--at-least", type=float, default=4)
    arguments = parser.parse_args()
    sigma = 0.3 * ((arguments.size - 1) / 2 - 1) + 0.8
    volume = numpy.random.default_rng(1).random((arguments.extent,) * 3, dtype=numpy.float32)
    result = numpy.empty_like(volume)
    ours = subprocess.Popen([arguments.program, str(arguments.extent), "1", arguments.target, f"convolve:axes=xyz,size={arguments.size}"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(f"{ours.stdout.readline().strip()}, one thread, {arguments.extent}^3, {arguments.size}^3")

    def one_run():
        ours.stdin.write("\n")
        ours.stdin.flush()
        return float(ours.stdout.readline())

    def scipy_run():
        begin = time.perf_counter()
        ndimage.gaussian_filter(volume, sigma, output=result, mode="nearest", radius=arguments.size // 2)
        return 1e3 * (time.perf_counter() - begin)

    one_run(), scipy_run()
    turns = [(one_run(), scipy_run()) for _ in range(arguments.turns)]
    ours.stdin.close()
    ours.wait()
    for here, there in turns:
        print(f"  {here:9.1f} ms, scipy {there:9.1f} ms: {there / here:.2f}")
    ratio = statistics.median(there / here for here, there in turns)
    print(f"median {statistics.median(t[0] for t in turns):.1f} ms, scipy {statistics.median(t[1] for t in turns):.1f} ms, ratio {ratio:.2f}")
    return 0 if ratio >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
