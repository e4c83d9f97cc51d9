#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes gradient_tone_mapping.txt: results of tonemap:operator=gradient on small images, in the format of tone_mapping.txt.

Needs numpy and scipy. An implementation of Fattal, Lischinski, Werman, Gradient Domain High Dynamic Range Compression, 2002, with the
definitions of core/operations/tone_mapping/README.md, by whole arrays: the pyramid by scipy.ndimage, the Poisson equation by a sparse
direct solver, or by cosine transforms for the larger images. Both are compared here.
"""
import math

import numpy as np
import scipy.fft
import scipy.ndimage
import scipy.sparse
import scipy.sparse.linalg

REC709 = np.array([0.2126, 0.7152, 0.0722])


def pyramid(logarithms, levels):
    all_levels = [logarithms]
    while True:
        fine = all_levels[-1]
        coarse = [(n + 1) // 2 for n in fine.shape]
        if len(all_levels) == levels or min(fine.shape) < 2 or (levels == 0 and min(coarse) < 32):
            return all_levels
        binomial = np.array([1, 4, 6, 4, 1]) / 16
        smooth = scipy.ndimage.correlate1d(scipy.ndimage.correlate1d(fine, binomial, 0, mode="nearest"), binomial, 1, mode="nearest")
        all_levels.append(smooth[::2, ::2])


def magnitude(plane):
    difference = np.array([-1.0, 0.0, 1.0])
    return np.hypot(scipy.ndimage.correlate1d(plane, difference, 0, mode="nearest"),
                    scipy.ndimage.correlate1d(plane, difference, 1, mode="nearest"))


def interpolated(coarse, shape):
    y, x = np.mgrid[0:shape[0], 0:shape[1]] / 2
    return scipy.ndimage.map_coordinates(coarse, [y, x], order=1, mode="nearest")


def attenuation(levels, alpha, beta, noise):
    product = None
    for plane in reversed(levels):
        g = magnitude(plane)
        mean = max(g.mean(), 0.01)
        phi = ((g + noise * mean) / (alpha * mean))**(beta - 1)
        product = phi if product is None else phi * interpolated(product, plane.shape)
    return product


def differences(n):
    return scipy.sparse.diags_array([-np.ones(n - 1), np.ones(n - 1)], offsets=[0, 1], shape=(n - 1, n))


def by_sparse_solver(gx, gy, shape):
    """The least squares problem of the two fields, whose normal equations are the Poisson equation."""
    h, w = shape
    dx = scipy.sparse.kron(scipy.sparse.eye_array(h), differences(w))
    dy = scipy.sparse.kron(differences(h), scipy.sparse.eye_array(w))
    a = (dx.T @ dx + dy.T @ dy).tolil()
    b = dx.T @ gx.ravel() + dy.T @ gy.ravel()
    # One value may be chosen freely.
    a[0, :] = 0
    a[0, 0] = 1
    b[0] = 0
    return scipy.sparse.linalg.spsolve(a.tocsc(), b).reshape(shape)


def by_cosines(gx, gy, shape):
    h, w = shape
    b = np.zeros(shape)
    b[:, :-1] -= gx
    b[:, 1:] += gx
    b[:-1] -= gy
    b[1:] += gy
    eigenvalue = (2 - 2 * np.cos(np.pi * np.arange(h) / h))[:, None] + (2 - 2 * np.cos(np.pi * np.arange(w) / w))[None]
    eigenvalue[0, 0] = 1
    return scipy.fft.idctn(scipy.fft.dctn(b) / eigenvalue)


def gradient(image, alpha=0.5, beta=0.9, noise=0.1, levels=0, clip_white=0.5, clip_black=0.1, delta=1e-5, saturation=1.0, sparse=True):
    luminance = np.abs(image[0] if image.shape[0] == 1 else np.tensordot(REC709, image, 1))
    average = math.exp(np.log(delta + luminance).mean())
    relative = luminance / average + delta
    logarithms = np.log(relative)
    phi = attenuation(pyramid(logarithms, levels), alpha, beta, noise)
    gx = np.diff(logarithms, axis=1) * (phi[:, 1:] + phi[:, :-1]) / 2
    gy = np.diff(logarithms, axis=0) * (phi[1:] + phi[:-1]) / 2
    result = by_cosines(gx, gy, logarithms.shape)
    if sparse:
        other = by_sparse_solver(gx, gy, logarithms.shape)
        assert np.abs((result - result.mean()) - (other - other.mean())).max() < 1e-10
        result = other
    ordered = np.sort(result.ravel())
    n = ordered.size
    white, black = ordered[n - 1 - int(clip_white / 100 * (n - 1))], ordered[int(clip_black / 100 * (n - 1))]
    level = min(math.exp(black - white), 0.5)
    display = np.clip((np.exp(result - white) - level) / (1 - level), 0, 8)
    ratio = np.abs(image) / average / relative
    return np.sign(image) * ratio**(1.0 if image.shape[0] == 1 else saturation) * display


def srgb(x):
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.maximum(x, 1e-9)**(1 / 2.4) - 0.055)


WRITTEN = {}


def write(out, step, image, result):
    if id(image) not in WRITTEN:
        WRITTEN[id(image)] = f"image{len(WRITTEN) + 1}"
        samples = " ".join(f"{v:.9g}" for v in image.ravel())
        out.write(f"image | {WRITTEN[id(image)]} | {image.shape[2]} {image.shape[1]} {image.shape[0]} | {samples}\n")
    samples = " ".join(f"{v:.7g}" for v in result.ravel())
    out.write(f"gradient | tonemap:{step} | 1e-05 | {WRITTEN[id(image)]} | {samples}\n")


def main():
    rng = np.random.default_rng(2002)
    single = np.float32
    colour = np.exp2(rng.uniform(-7, 5, (3, 17, 23))).astype(single).astype(float)
    y, x = np.mgrid[0:67, 0:70]
    # A bright disc on a dark ground with a gradient and a black corner.
    disc = np.where((x - 44)**2 + (y - 30)**2 < 150, 300.0, 0.02 + 0.01 * x + 0.003 * np.sin(y))
    disc[:5, :6] = 0
    scene = disc[None].astype(single).astype(float)
    toned = np.stack([disc, disc * 0.8 + 0.01, disc * 0.5])[:, 0:40, 20:61].astype(single).astype(float)
    with open("gradient_tone_mapping.txt", "w", encoding="ascii") as out:
        write(out, "operator=gradient", colour, gradient(colour))
        write(out, "operator=gradient,levels=3,saturation=0.6", colour, gradient(colour, levels=3, saturation=0.6))
        write(out, "operator=gradient,alpha=0.1,beta=0.8,noise=0.02,levels=16", colour,
              gradient(colour, alpha=0.1, beta=0.8, noise=0.02, levels=16))
        write(out, "operator=gradient,beta=1,clip-white=0,clip-black=0", colour, gradient(colour, beta=1, clip_white=0, clip_black=0))
        write(out, "operator=gradient", scene, gradient(scene, sparse=False))
        write(out, "operator=gradient,levels=2,clip-white=10,clip-black=5,delta=0.01", scene,
              gradient(scene, levels=2, clip_white=10, clip_black=5, delta=0.01))
        write(out, "operator=gradient,levels=4,encoding=srgb", toned, srgb(gradient(toned, levels=4)))
        write(out, "preset=fattal", toned, gradient(toned, alpha=0.1, beta=0.85, saturation=0.5))


if __name__ == "__main__":
    main()
