#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes wavelets.txt: what PyWavelets makes of the same transforms. Needs numpy, PyWavelets and scikit-image.

filter KEY NAME TAPS...                          the filters of every wavelet
dwt WAVELET MODE LEVELS AXES W H D : MW MH MD : SUMS...     coeffs_to_array(wavedecn(...)) of the samples below
idwt WAVELET MODE LEVELS AXES W H D : MW MH MD : SUMS...    waverecn of a mosaic that holds the samples below in its bands, cut to W H D
values WAVELET MODE LEVELS AXES W H D : COEFFICIENTS...     a small mosaic in full
threshold METHOD T : D SHRUNK ...                           pywt.threshold
firm LOW HIGH : D SHRUNK ...                                pywt.threshold_firm
noise W H D MASKED : SIGMA                                  skimage.restoration.estimate_sigma of random samples, which
                                                            are 0 where x < MASKED

Sample i, counted with x fastest, is sample(i); sums are those of value i times weight(i, k) for k = 0 and 1, which hardly any wrong value,
place or sign leaves as they are.
"""
import warnings

import numpy
import pywt
from skimage.restoration import estimate_sigma

MODES = ["zero", "constant", "symmetric", "reflect", "periodic", "smooth", "antisymmetric", "antireflect", "periodization"]
WAVELETS = (["haar"] + [f"db{n}" for n in range(1, 21)] + [f"sym{n}" for n in range(2, 21)] + [f"coif{n}" for n in range(1, 6)]
            + [f"{f}{n}" for f in ("bior", "rbio") for n in ("1.1", "1.3", "1.5", "2.2", "2.4", "2.6", "2.8", "3.1", "3.3", "3.5", "3.7",
                                                             "3.9", "4.4", "5.5", "6.8")] + ["dmey"])


def sample(i):
    """From -16 to 15.875 in eighths: exact in float32."""
    return ((i * 7919 + 13) * (i + 17) % 256) / 8 - 16


def random_samples(count):
    """From -256 to 256: exact in float32, without the patterns of sample()."""
    values, state = [], 1
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        values.append(state // 2**16 / 64 - 256)
    return numpy.array(values)


def weight(i, k):
    return ((i + 1) * (101, 733)[k] % 1009) / 1009 - 0.5


def samples(shape):
    return sample(numpy.arange(numpy.prod(shape, dtype=numpy.int64))).reshape(shape)


def sums(array):
    i = numpy.arange(array.size)
    return " ".join(repr(float(numpy.dot(array.ravel(), weight(i, k)))) for k in range(2))


def numpy_axes(axes):
    return tuple(sorted(2 - "xyz".index(a) for a in axes))


def mosaic(image, wavelet, mode, levels, axes):
    coeffs = pywt.wavedecn(image, wavelet, mode=mode, level=levels, axes=numpy_axes(axes))
    return pywt.coeffs_to_array(coeffs, axes=numpy_axes(axes))


def extent(array):
    return " ".join(str(n) for n in array.shape[::-1])


def transform(out, wavelet, mode, levels, axes, width, height, depth):
    image = samples((depth, height, width))
    try:
        array, _ = mosaic(image, wavelet, mode, levels, axes)
    except ValueError:
        assert "reflect" in mode  # PyWavelets does not reflect a single sample
        return
    out.write(f"dwt {wavelet} {mode} {levels} {axes} {width} {height} {depth} : {extent(array)} : {sums(array)}\n")


def inverse(out, wavelet, mode, levels, axes, width, height, depth):
    array, slices = mosaic(samples((depth, height, width)), wavelet, mode, levels, axes)
    filled = samples(array.shape)
    coeffs = pywt.array_to_coeffs(filled, slices, output_format="wavedecn")
    back = pywt.waverecn(coeffs, wavelet, mode=mode, axes=numpy_axes(axes))[:depth, :height, :width]
    out.write(f"idwt {wavelet} {mode} {levels} {axes} {width} {height} {depth} : {extent(array)} : {sums(back)}\n")


def main():
    warnings.simplefilter("ignore")
    with open("wavelets.txt", "w", encoding="ascii") as out:
        out.write(f"# Written by make_wavelets.py with PyWavelets {pywt.__version__}\n")
        for key in WAVELETS:
            w = pywt.Wavelet(key)
            # One low-pass and one high-pass filter: the others hold the same numbers in another order or sign.
            for name in ("dec_lo", "rec_hi") if key[0] in "hdsc" else ("dec_lo", "rec_lo"):
                out.write(f"filter {key} {name} " + " ".join(repr(float(x)) for x in getattr(w, name)) + "\n")
        for key in WAVELETS:
            transform(out, key, "symmetric", 2, "x", 67, 1, 1)
            transform(out, key, "periodization", 2, "x", 50, 1, 1)
            inverse(out, key, "symmetric", 2, "x", 67, 1, 1)
            inverse(out, key, "periodization", 2, "x", 51, 1, 1)
        for mode in MODES:
            for key in ("haar", "db4", "bior4.4", "rbio3.1", "db10"):
                for n in (1, 2, 3, 7, 16, 33):
                    for levels in (1, 3):
                        transform(out, key, mode, levels, "x", n, 1, 1)
            for key in ("db2", "bior2.2"):
                transform(out, key, mode, 2, "xy", 13, 10, 1)
                transform(out, key, mode, 2, "xyz", 9, 6, 5)
                transform(out, key, mode, 1, "yz", 4, 7, 1)
                transform(out, key, mode, 2, "xz", 5, 3, 8)
                transform(out, key, mode, 2, "y", 3, 11, 2)
                inverse(out, key, mode, 2, "xy", 13, 10, 1)
                inverse(out, key, mode, 2, "xyz", 9, 6, 5)
                inverse(out, key, mode, 1, "z", 3, 2, 9)
        for wavelet, mode, levels, axes, size in (("haar", "symmetric", 2, "xy", (4, 4, 1)), ("db2", "symmetric", 1, "xy", (5, 3, 1)),
                                                  ("db3", "periodization", 2, "xy", (6, 5, 1)), ("haar", "zero", 1, "xyz", (2, 2, 3))):
            array, _ = mosaic(samples(size[::-1]), wavelet, mode, levels, axes)
            out.write(f"values {wavelet} {mode} {levels} {axes} {size[0]} {size[1]} {size[2]} : "
                      + " ".join(repr(float(v)) for v in array.ravel()) + "\n")
        d = numpy.array([-5.0, -2.5, -2.0, -1.0, 0.0, 0.5, 1.999, 2.0, 2.001, 3.0, 100.0])
        for method in ("soft", "hard", "garrote"):
            for t in (0.5, 2.0):
                with numpy.errstate(divide="ignore"):
                    shrunk = pywt.threshold(d, t, method)
                out.write(f"threshold {method} {t} :" + "".join(f" {float(a)!r} {float(b)!r}" for a, b in zip(d, shrunk)) + "\n")
        for low, high in ((0.5, 1.0), (2.0, 2.4), (1.0, 50.0)):
            shrunk = pywt.threshold_firm(d, low, high)
            out.write(f"firm {low} {high} :" + "".join(f" {float(a)!r} {float(b)!r}" for a, b in zip(d, shrunk)) + "\n")
        for width, height, depth in ((200, 90, 1), (31, 17, 1), (40, 30, 20)):
            for masked in (0, width // 4, 2 * width // 3):
                image = random_samples(width * height * depth).reshape(depth, height, width)
                image[:, :, :masked] = 0
                sigma = estimate_sigma(image[0] if depth == 1 else image)
                out.write(f"noise {width} {height} {depth} {masked} : {float(sigma)!r}\n")


main()
