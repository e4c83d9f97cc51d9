#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden values of SSIM, FLIP, HDR-FLIP and ULP distance, to standard output: SSIM by scikit-image, FLIP by NVIDIA's flip-evaluator, ULP
distances by NumPy.

    pip install numpy scikit-image flip-evaluator && python3 make_metrics.py > metrics.txt

Lines: "image | NAME | W H C | samples of A, planar | samples of B", "METRIC | NAME | parameters | mean or value | samples of the map".
"""
import flip_evaluator
import numpy as np
from scipy.ndimage import gaussian_filter
from skimage.metrics import structural_similarity

random = np.random.default_rng(20)


def pattern(height, width, channels):
    y, x = np.mgrid[0:height, 0:width]
    a = np.stack([(0.5 + 0.5 * np.sin(x / 3 * (1 + c / 2) + y / 5 + c)) ** 2 for c in range(channels)], -1)
    a = np.clip(a + 0.05 * random.standard_normal(a.shape), 0, 1)
    b = np.clip(a + 0.1 * random.standard_normal(a.shape) * (random.random((height, width, 1)) < 0.4), 0, 1)
    b[height // 3 : height // 2] *= 0.8
    return a, b


def encoded(image):
    weights = np.array([0.2126, 0.7152, 0.0722]) if image.shape[2] == 3 else np.ones(1)
    y = np.clip(image.astype(np.float64) @ weights, 0, 1)
    return np.where(y <= 0.0031308, 12.92 * y, 1.055 * np.maximum(y, 1e-9) ** (1 / 2.4) - 0.055)


def replaced(a, b):
    """Samples that are not finite, as Parallax replaces them, and the pixels that then have an error of 1."""
    finite = np.isfinite(a).all(-1) & np.isfinite(b).all(-1)
    same = ((a == b) | (np.isnan(a) & np.isnan(b)) | (np.isfinite(a) & np.isfinite(b))).all(-1)
    return np.where(finite[..., None], a, 0), np.where(finite[..., None], b, 0), ~finite & ~same


def ssim(a, b, data_range):
    """Mean over the pixels whose window is inside, and the map."""
    if min(a.shape) >= 11:
        mean, full = structural_similarity(a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=data_range, full=True)
        return mean, full
    # scikit-image refuses images that are smaller than the window: the same formula with SciPy.
    blur = lambda v: gaussian_filter(v, 1.5, mode="reflect", truncate=3.5)
    ma, mb = blur(a), blur(b)
    va, vb, vab = blur(a * a) - ma * ma, blur(b * b) - mb * mb, blur(a * b) - ma * mb
    c1, c2 = (0.01 * data_range) ** 2, (0.03 * data_range) ** 2
    full = (2 * ma * mb + c1) * (2 * vab + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2))
    inset = [5 if n > 10 else 0 for n in a.shape]
    return full[inset[0] : a.shape[0] - inset[0], inset[1] : a.shape[1] - inset[1]].mean(), full


def text(values):
    return " ".join(f"{v:.9g}" for v in np.asarray(values).ravel())


def image(name, a, b):
    shape = f"{a.shape[1]} {a.shape[0]} {a.shape[2]}"
    print("image |", name, "|", shape, "|", text(a.transpose(2, 0, 1)), "|", text(b.transpose(2, 0, 1)))


def golden(name, a, b, ppd=67):
    a, b = a.astype(np.float32), b.astype(np.float32)
    image(name, a, b)
    x, y, wrong = replaced(a, b)
    if wrong.any():
        _, full = ssim(encoded(x), encoded(y), 1)
        full = np.where(wrong, 0, full)
        inset = [5 if n > 10 else 0 for n in full.shape]
        mean = full[inset[0] : full.shape[0] - inset[0], inset[1] : full.shape[1] - inset[1]].mean()
    else:
        mean, full = ssim(encoded(x), encoded(y), 1)
    print("ssim |", name, "| display |", f"{mean:.9g}", "|", text(1 - full))
    x, y = (np.repeat(v, 3, -1) if v.shape[2] == 1 else v for v in (x, y))
    high = a[np.isfinite(a)].max() > 1
    error, _, used = flip_evaluator.evaluate(x, y, "HDR" if high else "LDR", inputsRGB=False, applyMagma=False, parameters={"ppd": ppd})
    error = np.where(wrong, 1, np.asarray(error).reshape(a.shape[0], a.shape[1], -1)[..., 0].astype(np.float64))
    ordered = np.sort(error.ravel())
    sums = np.cumsum(ordered)
    quartiles = [ordered[np.searchsorted(sums, share * sums[-1])] for share in (0.25, 0.5, 0.75)]
    exposures = f" {used['startExposure']:.7g} {used['stopExposure']:.7g} {used['numExposures']}" if high else ""
    print("hdr-flip |" if high else "flip |", name, f"| {ppd} {text(quartiles)}{exposures} |", f"{error.mean():.9g}", "|", text(error))
    if high and not wrong.any():
        weights = np.array([0.2126, 0.7152, 0.0722])
        largest = float(max(a.max(), 0) - min(a.min(), 0))
        mean, full = ssim(a.astype(np.float64) @ weights, b.astype(np.float64) @ weights, largest)
        print("ssim |", name, f"| linear {largest:.9g} |", f"{mean:.9g}", "|", text(1 - full))


golden("odd", *pattern(17, 23, 3))
golden("few-pixels-a-degree", *pattern(17, 23, 3), ppd=30)
golden("grey", *pattern(12, 15, 1))
golden("flat", *pattern(3, 14, 3))
golden("pixel", *pattern(1, 1, 3))
a, b = pattern(15, 18, 3)
glow = np.exp(3 * np.sin(np.arange(18) / 4))[None, :, None]
golden("bright", a * glow, b * glow)
a, b = pattern(14, 16, 3)
a[3, 4, 1] = b[3, 4, 1] = np.nan
a[8, 8, 0] = np.nan
b[10, 2, 2] = np.inf
golden("not-finite", a, b)

bits = lambda *v: np.array(v, np.uint32).view(np.float32)
a = np.concatenate([bits(0, 0x80000000, 1, 0x3F800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0x80000001), random.standard_normal(56).astype(np.float32)])
b = np.concatenate([bits(0x80000000, 3, 0x80000001, 0x3F800001, 0x3F7FFFFF, 0x3F800000, 0xFF7FFFFF, 0x80000004), a[8:]])
for i in range(8, 64):
    for _ in range(i % 5):
        b[i] = np.nextafter(b[i], np.float32(np.inf), dtype=np.float32)
# Distance by NumPy: steps of the spacing between floats would lose exactness across zero, so integers in the order of the floats.
order = lambda v: np.where(v.view(np.int32) < 0, -(v.view(np.int32).astype(np.int64) & 0x7FFFFFFF), v.view(np.int32).astype(np.int64))
distances = np.abs(order(a) - order(b))
image("steps", a.reshape(1, -1, 1), b.reshape(1, -1, 1))
print("ulp | steps | |", distances.max(), "|", " ".join(map(str, distances)))
