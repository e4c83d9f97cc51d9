#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes volume_convolution.txt: what SciPy makes of the same correlations in three dimensions. Needs numpy and scipy.

First line: "width height depth | input samples". Then a case a line: "step | voxel spacing x y z | output samples", x fastest, then y, z.
Gaussians, boxes, Sobel and the Laplacian are SciPy's own filters; other kernels are correlated with the weights below.
"""
import numpy
from scipy import ndimage

MODES = {"replicate": "nearest", "constant": "constant", "reflect": "reflect", "reflect101": "mirror", "wrap": "wrap"}
ONE = (1.0, 1.0, 1.0)
CT = (0.5, 0.5, 1.5)  # mm along x, y, z
CUSTOM = numpy.array([[[1, 2, 1], [0, -1, 0.5]], [[3, 1, 0], [2, 2, -4]], [[0, 1, 1], [1, 0, 0.25]]])  # three slices of 3 x 2
CUSTOM_TEXT = "|".join(";".join(" ".join(f"{w:g}" for w in row) for row in plane) for plane in CUSTOM)


def offsets(size, spacing):
    """Squared distances to the centre of a cube, indexed z, y, x."""
    lines = [((numpy.arange(size) - (size - 1) / 2) * s) ** 2 for s in spacing]
    return lines[2][:, None, None] + lines[1][None, :, None] + lines[0][None, None, :]


def blurred(size, sigma, spacing):
    sigmas = [sigma / s for s in reversed(spacing)]
    return lambda a, **border: ndimage.gaussian_filter(a, sigmas, radius=size // 2, **border)


def correlated(kernel):
    return lambda a, **border: ndimage.correlate(a, kernel, **border)


def log(size, sigma, spacing=ONE):
    r2 = offsets(size, spacing) / sigma**2
    k = (r2 - 3) / sigma**2 * numpy.exp(-r2 / 2) / (2 * numpy.pi * sigma**2) ** 1.5 * numpy.prod(spacing)
    return k - k.mean()


def around(size):
    k = numpy.full((size,) * 3, 1.0)
    k[(size // 2,) * 3] = 1 - size**3
    return k / (size**3 - 1)


def product(x, y, z):
    return numpy.array(z, float)[:, None, None] * numpy.array(y, float)[None, :, None] * numpy.array(x, float)


def sharpened(size, amount, blur):
    k = -amount * blur
    k[(size // 2,) * 3] += 1 + amount
    return k


def gaussian(size, sigma):
    k = numpy.exp(-offsets(size, ONE) / (2 * sigma**2))
    return k / k.sum()


def sobel(axis):
    """SciPy's filter; beyond a constant border it pads filtered lines by the same constant, where the kernel as a whole is the definition."""
    factors = [[1, 2, 1]] * 3
    factors[2 - axis] = [-1, 0, 1]
    whole = correlated(product(*factors))
    return lambda a, **border: whole(a, **border) if border["mode"] == "constant" else ndimage.sobel(a, axis, **border)


STEP, SMOOTH = [-1, 0, 1], [3, 10, 3]
FILTERS = {
    "kernel=gaussian,size=5,sigma=1.2": (ONE, blurred(5, 1.2, ONE)),
    "kernel=gaussian,size=7": (ONE, blurred(7, 0.3 * (3 - 1) + 0.8, ONE)),
    "kernel=gaussian,size=5,sigma=1.1,sigma-unit=mm": (CT, blurred(5, 1.1, CT)),
    "kernel=box,size=4": (ONE, lambda a, **border: ndimage.uniform_filter(a, 4, **border)),
    "kernel=sobel-x,size=3": (ONE, sobel(2)),
    "kernel=sobel-y,size=3": (ONE, sobel(1)),
    "kernel=sobel-z,size=3": (ONE, sobel(0)),
    "kernel=scharr-x,size=3": (ONE, correlated(product(STEP, SMOOTH, SMOOTH))),
    "kernel=scharr-z,size=3": (ONE, correlated(product(SMOOTH, SMOOTH, STEP))),
    "kernel=prewitt-y,size=5": (ONE, correlated(product([1] * 5, [-2, -1, 0, 1, 2], [1] * 5))),
    "kernel=laplacian,size=3": (ONE, ndimage.laplace),
    "kernel=laplacian,size=5": (ONE, correlated(around(5))),
    "kernel=log,size=5,sigma=0.9": (ONE, correlated(log(5, 0.9))),
    "kernel=log,size=5,sigma=0.8,sigma-unit=mm": (CT, correlated(log(5, 0.8, CT))),
    "kernel=sharpen,size=3,amount=0.7": (ONE, correlated(sharpened(3, 0.7, numpy.full((3, 3, 3), 1 / 27)))),
    "kernel=unsharp,size=5,sigma=1,amount=2": (ONE, correlated(sharpened(5, 2, gaussian(5, 1)))),
    f"kernel=custom,weights='{CUSTOM_TEXT}'": (ONE, correlated(CUSTOM)),
    f"kernel=custom,weights='{CUSTOM_TEXT}',normalise=true,offset=2,scale=3": (
        ONE,
        lambda a, **border: 2 + 3 * ndimage.correlate(a, CUSTOM / CUSTOM.sum(), **border),
    ),
    # SciPy's convolution turns the kernel; of an even extent its origin then lies on the element that lies on the voxel here.
    f"kernel=custom,weights='{CUSTOM_TEXT}',flip=true": (
        ONE,
        lambda a, **border: ndimage.correlate(a, CUSTOM[::-1, ::-1, ::-1], origin=(0, -1, 0), **border),
    ),
}


def text(samples):
    return " ".join(f"{v:.8g}" for v in samples.ravel())


def main():
    volume = numpy.random.default_rng(27).random((5, 6, 7)).astype(numpy.float32)
    with open("volume_convolution.txt", "w", encoding="ascii") as out:
        out.write(f"7 6 5 | {text(volume)}\n")
        for name, (spacing, apply) in FILTERS.items():
            for border, mode in MODES.items():
                result = apply(volume.astype(float), mode=mode, cval=0.5)
                step = f"convolve:axes=xyz,{name},border={border},border-value=0.5"
                out.write(f"{step} | {spacing[0]} {spacing[1]} {spacing[2]} | {text(result)}\n")


if __name__ == "__main__":
    main()
