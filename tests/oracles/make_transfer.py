#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes transfer.txt: linear light of 8-bit codes by transfer characteristics of ITU-T H.273, from the formulas of the standards with 40 digits.

Needs mpmath (from PyPI). Lines: "characteristic code light". BT.709 (1): peak 1. PQ (16, SMPTE ST 2084): 1 is 203 cd/m2. HLG (18, ITU-R
BT.2100, light of the scene): 1 is the light of 75 % of the signal.
"""
import pathlib

from mpmath import exp, log, mp, mpf

mp.dps = 40


def bt709(v):
    # The encoding is 4.5 L below L = 0.018 and 1.099 L^0.45 - 0.099 above.
    return v / mpf("4.5") if v < mpf("0.081") else ((v + mpf("0.099")) / mpf("1.099")) ** (1 / mpf("0.45"))


def pq(v):
    m1, m2 = mpf("0.1593017578125"), mpf("78.84375")
    c1, c2, c3 = mpf("0.8359375"), mpf("18.8515625"), mpf("18.6875")
    p = v ** (1 / m2)
    return 10000 * (max(p - c1, 0) / (c2 - c3 * p)) ** (1 / m1) / 203


def hlg(v):
    a = mpf("0.17883277")
    b, c = 1 - 4 * a, mpf("0.5") - a * log(4 * a)

    def light(x):
        return x * x / 3 if x <= mpf("0.5") else (exp((x - c) / a) + b) / 12
    return light(v) / light(mpf("0.75"))


def main():
    lines = [f"{number} {code} {mp.nstr(curve(mpf(code) / 255), 12)}"
             for number, curve in ((1, bt709), (16, pq), (18, hlg)) for code in range(256)]
    (pathlib.Path(__file__).resolve().parent / "transfer.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
