#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes filter_tables.cpp: the scaling filters of the wavelet families, computed with 60 digits. Needs mpmath.

Orthogonal families give the synthesis low-pass filter, biorthogonal ones analysis and synthesis; every other filter follows
(filters.cpp). Positions and zeros around a filter are those of PyWavelets.

db    Spectral factorisation of P_N(y) = sum_k C(N - 1 + k, k) y^k, y = sin^2(w / 2), all roots inside the unit circle: the
      extremal phase (Daubechies, Ten Lectures on Wavelets, 1992, sections 6.1 and 6.4).
sym   The same product with the other root of some of the pairs: nearly linear phase (ibid., section 8.1.1). Criteria for "nearly"
      differ; SYM_ROOTS says which pairs the tables in common use take from outside.
coif  6 K taps with 2 K vanishing moments of the wavelet and 2 K - 1 of the scaling function (Daubechies, Orthonormal bases of
      compactly supported wavelets II, SIAM J. Math. Anal. 24, 1993): orthogonality and moments by Gauss-Newton, from the three to
      five decimals in COIF_START, which say which of the solutions is meant.
bior  Splines of order Nr and their duals, P_N with N = (Nr + Nd) / 2 (Cohen, Daubechies, Feauveau, Biorthogonal bases of
      compactly supported wavelets, Comm. Pure Appl. Math. 45, 1992, section 6.A); 4.4, 5.5 and 6.8 share the roots of P_N between
      both filters (section 6.C; 4.4 is the 9/7 pair).
dmey  No formula gives the table in common use, an approximation of Meyer's filter by 62 taps that is good to a few 1e-4:
      DMEY holds it, as published with PyWavelets and MATLAB's Wavelet Toolbox.
"""
import pathlib

from mpmath import binomial, conj, im, lu_solve, matrix, mp, mpf, nstr, polyroots, re, sqrt

mp.dps = 60

# For each pair of roots of P_N in the order of pairs(): 1 takes the one outside of the unit circle.
SYM_ROOTS = {
    2: "0", 3: "0", 4: "01", 5: "10", 6: "101", 7: "100", 8: "0101", 9: "0110", 10: "10110", 11: "01100", 12: "101001",
    13: "001011", 14: "0011001", 15: "0010110", 16: "10010110", 17: "01111000", 18: "101110001", 19: "001001011",
    20: "1010001110",
}
COIF_START = {
    1: "-0.073 0.338 0.853 0.385 -0.073 -0.016",
    2: "0.016 -0.041 -0.067 0.386 0.813 0.417 -0.076 -0.059 0.024 0.006 -0.002 -0.001",
    3: "-0.004 0.008 0.023 -0.066 -0.061 0.405 0.794 0.428 -0.072 -0.082 0.035 0.016 -0.009 -0.003 0.001 0.000 "
       "-0.000 -0.000",
    4: "0.0009 -0.0016 -0.0073 0.0161 0.0267 -0.0813 -0.0561 0.4153 0.7822 0.4344 -0.0666 -0.0962 0.0393 0.0251 "
       "-0.0152 -0.0057 0.0038 0.0013 -0.0006 -0.0003 0.0001 0.0000 -0.0000 -0.0000",
    5: "-0.00021 0.00036 0.00218 -0.00416 -0.01013 0.02341 0.02817 -0.09192 -0.05205 0.42157 0.77429 0.43798 "
       "-0.06204 -0.10556 0.04129 0.03267 -0.01976 -0.00916 0.00676 0.00243 -0.00166 -0.00064 0.00030 0.00014 "
       "-0.00004 -0.00002 0.00000 0.00000 -0.00000 -0.00000",
}
# Half of the filter, which is symmetric about its 31st tap; the 62nd is 0.
DMEY = """
-1.009999956941423e-12 8.519459636796214e-09 -1.111944952595278e-08 -1.0798819539621958e-08 6.066975741351135e-08
-1.0866516536735883e-07 8.200680650386481e-08 1.1783004497663934e-07 -5.506340565252278e-07 1.1307947017916706e-06
-1.489549216497156e-06 7.367572885903746e-07 3.20544191334478e-06 -1.6312699734552807e-05 6.554305930575149e-05
-0.0006011502343516092 -0.002704672124643725 0.002202534100911002 0.006045814097323304 -0.006387718318497156
-0.011061496392513451 0.015270015130934803 0.017423434103729693 -0.03213079399021176 -0.024348745906078023
0.0637390243228016 0.030655091960824263 -0.13284520043622938 -0.035087555656258346 0.44459300275757724
0.7445855923188063
""".split()
# rec_lo takes this many zeros at pi and these groups of roots of P_N (real ones first, then conjugate pairs); dec_lo has the rest.
BIOR_SHARED = {"4.4": (4, "10"), "5.5": (6, "10"), "6.8": (6, "010")}
BIOR = ["1.1", "1.3", "1.5", "2.2", "2.4", "2.6", "2.8", "3.1", "3.3", "3.5", "3.7", "3.9", "4.4", "5.5", "6.8"]


def multiply(a, b):
    out = [mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def roots_of_p(n):
    if n == 1:
        return []
    return polyroots([binomial(n - 1 + k, k) for k in range(n)][::-1], maxsteps=500, extraprec=800)


def inside_and_outside(y):
    """The two z with y = (2 - z - 1/z) / 4."""
    b = 1 - 2 * y
    r = sqrt(b * b - 1)
    return sorted((b + r, b - r), key=abs)


def pairs(n):
    """[(roots inside, roots outside)], conjugate roots together so that coefficients stay real."""
    found = []
    for y in roots_of_p(n):
        if abs(im(y)) < mpf(10) ** -40:
            i, o = inside_and_outside(re(y))
            found.append(([i], [o]))
        elif im(y) > 0:
            i, o = inside_and_outside(y)
            found.append(([i, conj(i)], [o, conj(o)]))
    return found


def scaling_filter(n, roots):
    p = [mpf(1)]
    for _ in range(n):
        p = multiply(p, [mpf(1), mpf(1)])
    for r in roots:
        p = multiply(p, [mpf(1), -r])
    p = [re(x) for x in p]
    total = sum(p)
    return [x * sqrt(2) / total for x in p]


def daubechies(n):
    return scaling_filter(n, [r for inside, _ in pairs(n) for r in inside])


def symlet(n):
    return scaling_filter(n, [r for outside, pair in zip(SYM_ROOTS[n], pairs(n)) for r in pair[int(outside)]])


def coiflet(k):
    h = [mpf(x) for x in COIF_START[k].split()]
    n = 6 * k
    assert len(h) == n
    for _ in range(60):
        rows, rest = [], []
        for m in range(3 * k):
            row = [mpf(0)] * n
            for i in range(n - 2 * m):
                row[i] += h[i + 2 * m]
                row[i + 2 * m] += h[i]
            rows.append(row)
            rest.append(sum(h[i] * h[i + 2 * m] for i in range(n - 2 * m)) - (1 if m == 0 else 0))
        for p in range(2 * k):
            # Moments about the centre 2 K, in units that keep the system well conditioned.
            power = [((i - 2 * k) / mpf(3 * k)) ** p for i in range(n)]
            for row, wanted in (([(-1) ** i * x for i, x in enumerate(power)], 0), (power, sqrt(2) if p == 0 else 0)):
                rows.append(row)
                rest.append(sum(x * y for x, y in zip(row, h)) - wanted)
        step = lu_solve(matrix(rows), -matrix(rest))  # least squares: some equations follow from others
        h = [x + y for x, y in zip(h, step)]
        if mp.norm(step) < mpf(10) ** -45:
            return h
    raise RuntimeError(f"coif{k} does not converge")


def symmetric_filter(zeros_at_pi, y_roots):
    p = [mpf(1)]
    for _ in range(zeros_at_pi):
        p = multiply(p, [mpf(1) / 2, mpf(1) / 2])
    for r in y_roots:
        p = multiply(p, [mpf(1) / (4 * r), 1 - mpf(1) / (2 * r), mpf(1) / (4 * r)])
    return [re(x) * sqrt(2) for x in p]


def biorthogonal(name):
    """dec_lo and rec_lo, both of the same even length."""
    nr, nd = (int(x) for x in name.split("."))
    n = (nr + nd) // 2
    ys = roots_of_p(n)
    if name in BIOR_SHARED:
        zeros, taken = BIOR_SHARED[name]
        groups = [[re(y)] for y in ys if abs(im(y)) < mpf(10) ** -40] + [[y, conj(y)] for y in ys if im(y) > mpf(10) ** -40]
        rec = symmetric_filter(zeros, [y for t, g in zip(taken, groups) if t == "1" for y in g])
        dec = symmetric_filter(2 * n - zeros, [y for t, g in zip(taken, groups) if t == "0" for y in g])
    else:
        rec = symmetric_filter(nr, [])
        dec = symmetric_filter(nd, ys)
    length = max(len(rec), len(dec))
    length += length % 2
    if len(rec) % 2 == 0:
        return pad(dec, (length - len(dec)) // 2, length), pad(rec, (length - len(rec)) // 2, length)
    # Odd lengths: the centre of the analysis filter lies at length / 2, that of the synthesis filter one earlier.
    return pad(dec, length // 2 - len(dec) // 2, length), pad(rec, length // 2 - 1 - len(rec) // 2, length)


def pad(taps, front, length):
    return [mpf(0)] * front + list(taps) + [mpf(0)] * (length - front - len(taps))


def text(x):
    t = nstr(x, 17, min_fixed=-5, max_fixed=5)
    return "0" if x == 0 else t


def array(name, taps):
    lines, line = [], "   "
    for i, x in enumerate(taps):
        item = " " + text(x) + ("," if i + 1 < len(taps) else "};")
        if len(line) + len(item) > 140:
            lines.append(line)
            line = "   "
        line += item
    return f"constexpr double {name}[] = {{\n" + "\n".join(lines + [line]) + "\n"


def main():
    arrays, rows = [], []

    def add(key, rec, dec=None):
        name = "k" + key[0].upper() + key[1:].replace(".", "_")
        if dec is None:
            arrays.append(array(name, rec))
            rows.append(f'    {{"{key}", {len(rec)}, {name}, nullptr}},')
        else:
            arrays.append(array(name + "Dec", dec) + array(name + "Rec", rec))
            rows.append(f'    {{"{key}", {len(rec)}, {name}Rec, {name}Dec}},')

    for n in range(1, 21):
        add(f"db{n}", daubechies(n))
    for n in range(2, 21):
        add(f"sym{n}", symlet(n))
    for k in range(1, 6):
        add(f"coif{k}", coiflet(k))
    for name in BIOR:
        dec, rec = biorthogonal(name)
        add(f"bior{name}", rec, dec)
    half = [mpf(x) for x in DMEY]
    add("dmey", half + half[-2::-1] + [mpf(0)])
    out = pathlib.Path(__file__).with_name("filter_tables.cpp")
    out.write_text(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n"
        "// Written by make_filters.py, which says where the numbers come from. Not to be edited.\n"
        '#include "core/operations/wavelet/filter_tables.hpp"\n\n'
        "namespace parallax {\nnamespace {\n\n// clang-format off\n" + "".join(arrays)
        + "\nconstexpr FilterTable kTables[] = {\n" + "\n".join(rows)
        + "\n};\n// clang-format on\n\n}  // namespace\n\n"
        "std::span<const FilterTable> filterTables() { return kTables; }\n\n}  // namespace parallax\n",
        encoding="ascii")


main()
