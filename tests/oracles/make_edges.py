#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes edges.txt: what SciPy makes of the same gradients. Needs numpy and scipy.

First line: "width height depth | input samples". Then a case a line: "step | output samples", x fastest, then y, z.
Sobel and Prewitt are SciPy's own filters, Scharr the correlation with the weights below.
"""
import numpy
from scipy import ndimage

MODES = {"replicate": "nearest", "constant": "constant", "reflect": "reflect", "reflect101": "mirror", "wrap": "wrap"}
SMOOTHING = {"sobel": [1, 2, 1], "scharr": [3, 10, 3], "prewitt": [1, 1, 1]}
OWN = {"sobel": ndimage.sobel, "prewitt": ndimage.prewitt}


def weights(name, axis, dimensions):
    kernel = numpy.ones(())
    for a in range(dimensions):
        kernel = numpy.multiply.outer(kernel, [-1, 0, 1] if a == axis else SMOOTHING[name])
    return kernel


def derivative(name, samples, axis, **border):
    # SciPy pads the lines of its second pass by the same constant, so beyond a constant border the whole window is the definition.
    if name in OWN and border["mode"] != "constant":
        return OWN[name](samples, axis, **border)
    return ndimage.correlate(samples, weights(name, axis, samples.ndim), **border)


def magnitude(name, samples, **border):
    return numpy.sqrt(sum(derivative(name, samples, axis, **border) ** 2 for axis in range(samples.ndim)))


def text(samples):
    return " ".join(f"{v:.8g}" for v in samples.ravel())


def main():
    volume = numpy.random.default_rng(41).random((4, 5, 6)).astype(numpy.float32)
    with open("edges.txt", "w", encoding="ascii") as out:
        out.write(f"6 5 4 | {text(volume)}\n")
        for name in SMOOTHING:
            for border, mode in MODES.items():
                options = {"mode": mode, "cval": 0.5}
                step = f"edges:filter={name},border={border},border-value=0.5"
                slices = [magnitude(name, plane.astype(float), **options) for plane in volume]
                out.write(f"{step} | {text(numpy.stack(slices))}\n")
                out.write(f"{step},axes=xyz | {text(magnitude(name, volume.astype(float), **options))}\n")


if __name__ == "__main__":
    main()
