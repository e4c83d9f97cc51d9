#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes convolution.txt: what SciPy makes of the same correlations. Needs numpy and scipy.

Each case: a line "step | width height | input samples | output samples", samples row by row.
"""
import numpy
from scipy import ndimage

MODES = {"replicate": "nearest", "constant": "constant", "reflect": "reflect", "reflect101": "mirror", "wrap": "wrap"}


def gaussian(size, sigma):
    x = numpy.arange(size) - (size - 1) / 2
    k = numpy.exp(-(x[:, None] ** 2 + x[None, :] ** 2) / (2 * sigma**2))
    return k / k.sum()


SOBEL_X = numpy.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], float)
KERNELS = {
    "kernel=gaussian,size=5,sigma=1.2": gaussian(5, 1.2),
    "kernel=gaussian,size=7": gaussian(7, 0.3 * (3 - 1) + 0.8),
    "kernel=box,size=4": numpy.full((4, 4), 1 / 16),
    "kernel=sobel-x,size=3": SOBEL_X,
    "kernel=sobel-y,size=3": SOBEL_X.T,
    "kernel=scharr-x,size=3": numpy.array([[-3, 0, 3], [-10, 0, 10], [-3, 0, 3]], float),
    "kernel=prewitt-y,size=3": numpy.array([[-1, -1, -1], [0, 0, 0], [1, 1, 1]], float),
    "kernel=laplacian,size=3": numpy.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], float),
    "kernel=custom,weights='1 2 3;4 5 6',normalise=false": numpy.array([[1, 2, 3], [4, 5, 6]], float),
}


def correlate(image, kernel, border, value):
    # SciPy's origin 0 is size // 2, as here.
    return ndimage.correlate(image, kernel, mode=MODES[border], cval=value)


def main():
    image = numpy.random.default_rng(20).random((9, 13)).astype(numpy.float32)
    with open("convolution.txt", "w", encoding="ascii") as out:
        for text, kernel in KERNELS.items():
            for border in MODES:
                for flip in (False, True):
                    # Turned by 180 degrees, the same element stays on the pixel: for even sizes the anchor moves.
                    k = kernel[::-1, ::-1] if flip else kernel
                    if flip and (k.shape[0] % 2 == 0 or k.shape[1] % 2 == 0):
                        continue
                    result = correlate(image.astype(float), k, border, 0.5)
                    step = f"convolve:{text},border={border},border-value=0.5,flip={'true' if flip else 'false'}"
                    samples = [" ".join(f"{v:.9g}" for v in a.ravel()) for a in (image, result)]
                    out.write(f"{step} | {image.shape[1]} {image.shape[0]} | {samples[0]} | {samples[1]}\n")


if __name__ == "__main__":
    main()
