#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints NumPy's statistics of a box of a formula, as tests/gui/volume/volume_box_test.cpp expects them."""
import numpy as np

z, y, x = np.mgrid[0:20, 0:30, 0:40]
a = (((x * 7 + y * 13 + z * 29) % 101) * 1.5 - 40).astype(np.float32)
b = (a + ((x * 3 + y * 5 + z * 11) % 17 - 8) * 0.25).astype(np.float32)
a[7, 12, 9] = np.nan
box = np.s_[5:14, 8:22, 6:31]
for name, samples in (("A", a[box]), ("B", b[box]), ("B - A", b[box] - a[box])):
    v = samples[np.isfinite(samples)].astype(np.float64)
    numbers = [v.mean(), v.std(), v.min(), *np.percentile(v, [1, 5, 25, 50, 75, 95, 99]), v.max()]
    print(name, v.size, samples.size - v.size, *(repr(float(n)) for n in numbers))
