#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tone_mapping.txt: what the papers' equations, pfstools and OpenCV make of small images.

Needs numpy; scipy for the equations; the programs pfstmo_reinhard02 and pfstmo_reinhard05 (Debian package pfstmo); cv2 (python3-opencv).

Images: lines "image | name | width height channels | samples", channel by channel, row by row. Cases: lines "source | step | tolerance |
name of the image | samples of the result".
Sources and where their conventions differ from ours:
  paper     the equations as printed, in double, implemented here independently; Gaussians in two dimensions, not separated. Differences: none
            but rounding (what is added is said at each function).
  pfstools  2.2.0. reinhard02, global: luminance from its own XYZ matrix (0.212656, 0.715158, 0.072186), single precision. reinhard05: the
            first pixel is left out of the averages; single precision with a fast power. Images of a range of 14 stops, with black pixels
            (whose logarithm makes the contrast 0.3) and without dark ones: it does not scale samples. Its
            local operator is no oracle: the Debian build takes a pyramid of powers of 2 for the scales (make_tone_mapping.py --pyramid
            prints how far it is from the equations).
  opencv    TonemapReinhard, float32 throughout, results without the pixel that it makes NaN (black with full light adaptation).
"""
import math
import subprocess
import sys

import numpy as np
from scipy.special import erf

REC709 = np.array([0.2126, 0.7152, 0.0722])
REC601 = np.array([0.299, 0.587, 0.114])
PAPER02 = np.array([0.27, 0.67, 0.06])
PAPER05 = np.array([0.2125, 0.7154, 0.0721])
PAPER97 = np.array([0.265, 0.67, 0.065])
# pfstools' matrix from linear Rec. 709 to XYZ
TO_XYZ = np.array([[0.412424, 0.357579, 0.180464], [0.212656, 0.715158, 0.072186], [0.019332, 0.119193, 0.950444]])


def luminance(image, weights):
    return image[0] if image.shape[0] == 1 else np.tensordot(weights, image, 1)


def log_average(lw, delta):
    return math.exp(np.log(delta + lw).mean())


# Reinhard, Stark, Shirley, Ferwerda 2002, equations 1, 2 and 4. Colours keep their ratios.
def reinhard02_global(image, weights=REC709, key=0.18, delta=1e-5, white=0.0):
    lw = luminance(image, weights)
    average = log_average(lw, delta)
    l = key / average * lw
    l_white = l.max() if white == 0 else key / average * white
    ld = l * (1 + l / l_white**2) / (1 + l)
    return image * np.where(lw > 0, ld / np.where(lw > 0, lw, 1), 0)


# The same, equations 5 to 9. Added: the Gaussian is integrated over each pixel, cut off at 3 alpha1 s and normalised; edges repeat.
def gaussian(s):
    alpha = s / (2 * math.sqrt(2))
    r = math.ceil(3 * alpha)
    i = np.arange(-r, r + 1)
    one = 0.5 * (erf((i + 0.5) / alpha) - erf((i - 0.5) / alpha))
    two = np.outer(one, one)
    return two / two.sum()


def convolve(plane, kernel):
    r = kernel.shape[0] // 2
    h, w = plane.shape
    padded = np.pad(plane, r, mode="edge")
    out = np.zeros_like(plane)
    for v in range(2 * r + 1):
        for u in range(2 * r + 1):
            out += kernel[v, u] * padded[v:v + h, u:u + w]
    return out


def reinhard02_local(image, weights=REC709, key=0.18, delta=1e-5, phi=8.0, epsilon=0.05, scales=8, ratio=1.6, show_scale=False):
    lw = luminance(image, weights)
    l = key / log_average(lw, delta) * lw
    v1 = [convolve(l, gaussian(ratio**i)) for i in range(scales + 1)]
    chosen = np.zeros(l.shape, int)
    adaptation = v1[0].copy()
    for y in range(l.shape[0]):
        for x in range(l.shape[1]):
            for i in range(scales):
                centre, surround = v1[i][y, x], v1[i + 1][y, x]
                v = (centre - surround) / (2**phi * key / ratio**(2 * i) + centre)
                if abs(v) > epsilon:
                    break
                chosen[y, x] = i
                adaptation[y, x] = centre
    if show_scale:
        return np.repeat((chosen / (scales - 1))[None], image.shape[0], 0)
    ld = l / (1 + adaptation)
    return image * np.where(lw > 0, ld / np.where(lw > 0, lw, 1), 0)


# Reinhard, Devlin 2005, its results scaled to [0, 1]. `scaled`: the image first, too, as OpenCV does, with logarithms of at least 1e-4;
# else as printed, with the 2.3e-5 of the authors' program in the mean of the logarithms.
def reinhard05(image, weights=REC601, intensity=0.0, light=1.0, chromatic=0.0, contrast=0.0, scaled=True):
    i = (image - image.min()) / (image.max() - image.min()) if scaled else image
    l = luminance(i, weights)
    logs = np.log(np.maximum(l, 1e-4)) if scaled else np.log(l)
    mean = logs.mean() if scaled else np.log(2.3e-5 + l).mean()
    k = (logs.max() - mean) / (logs.max() - logs.min())
    m = contrast or 0.3 + 0.7 * k**1.4
    f = math.exp(-intensity)
    out = np.zeros_like(i)
    for c in range(i.shape[0]):
        local = chromatic * i[c] + (1 - chromatic) * l
        whole = chromatic * i[c].mean() + (1 - chromatic) * l.mean()
        adapted = light * local + (1 - light) * whole
        sigma = (f * adapted)**m
        out[c] = np.where(i[c] > 0, i[c] / np.where(i[c] > 0, i[c] + sigma, 1), 0)
    return (out - out.min()) / (out.max() - out.min())


# Ward Larson, Rushmeier, Piatko 1997. Added: all pixels count, brightness is log(delta + L), the linear case only where the image fits.
def histogram_adjustment(image, bins, display_range=100.0, ceiling=True, delta=1e-5, weights=REC709):
    lw = luminance(image, weights)
    b = np.log(delta + lw)
    width = (b.max() - b.min()) / bins
    if ceiling and b.max() - b.min() <= math.log(display_range):
        return image / lw.max()
    counts = np.zeros(bins)
    for value in b.ravel():
        counts[min(bins - 1, int((value - b.min()) / width))] += 1
    if ceiling:
        tolerance = 0.025 * counts.sum()
        while True:
            limit = counts.sum() * width / math.log(display_range)
            trimmings = np.maximum(counts - limit, 0).sum()
            counts = np.minimum(counts, limit)
            if trimmings <= tolerance:
                break
    cumulative = np.concatenate([[0], np.cumsum(counts)]) / counts.sum()
    p = np.interp(b, b.min() + width * np.arange(bins + 1), cumulative)
    ld = np.exp(math.log(1 / display_range) + (math.log(1) - math.log(1 / display_range)) * p)
    shown = (ld - 1 / display_range) / (1 - 1 / display_range)
    return image * (shown / lw)


def srgb(x):
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.maximum(x, 1e-9)**(1 / 2.4) - 0.055)


def pfs(image, command):
    """Through a program of pfstools: XYZ in, XYZ out, as its own stream."""
    rgb = np.repeat(image, 3, 0) if image.shape[0] == 1 else image
    h, w = rgb.shape[1:]
    xyz = np.tensordot(TO_XYZ, rgb, 1).astype("<f4")
    stream = f"PFS1\n{w} {h}\n3\n0\nX\n0\nY\n0\nZ\n0\nENDH".encode() + xyz.tobytes()
    out = subprocess.run(command, input=stream, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    planes = out[out.index(b"ENDH") + 4:]
    names = [line for line in out[:out.index(b"ENDH")].split(b"\n") if line in (b"X", b"Y", b"Z")]
    data = np.frombuffer(planes, "<f4").reshape(len(names), h, w).astype(float)
    mapped = np.tensordot(np.linalg.inv(TO_XYZ), np.stack([data[names.index(n)] for n in (b"X", b"Y", b"Z")]), 1)
    return mapped[:1] if image.shape[0] == 1 else mapped


def opencv(image, gamma, intensity, light, chromatic):
    import cv2
    interleaved = np.ascontiguousarray(image.transpose(1, 2, 0).astype(np.float32))
    return cv2.createTonemapReinhard(gamma, intensity, light, chromatic).process(interleaved).transpose(2, 0, 1)


def samples(image, digits):
    # Black is 0 / 0 for OpenCV: left out of the comparison as NaN.
    return " ".join("nan" if math.isnan(v) else f"{v:.{digits}g}" for v in image.ravel())


WRITTEN = {}


def write(out, source, step, tolerance, image, result):
    if id(image) not in WRITTEN:
        WRITTEN[id(image)] = f"image{len(WRITTEN) + 1}"
        out.write(f"image | {WRITTEN[id(image)]} | {image.shape[2]} {image.shape[1]} {image.shape[0]} | {samples(image, 9)}\n")
    out.write(f"{source} | tonemap:{step} | {tolerance:g} | {WRITTEN[id(image)]} | {samples(result, 7)}\n")


def main():
    rng = np.random.default_rng(11)
    by_hand = np.array([[[0.125, 0.25], [0.5, 4.0]]])  # logarithms are whole powers of 2: the average is 2^-0.5
    grey = np.exp2(rng.uniform(-8, 6, (1, 7, 9))).astype(np.float32).astype(float)
    colour = np.exp2(rng.uniform(-7, 5, (3, 6, 8))).astype(np.float32).astype(float)
    # A bright disc on a dark ground with a gradient: what the local operator is about.
    y, x = np.mgrid[0:20, 0:26]
    disc = np.where((x - 16)**2 + (y - 9)**2 < 26, 40.0, 0.02 + 0.01 * x)
    scene = disc[None].astype(np.float32).astype(float)
    toned = np.stack([disc, disc * 0.8 + 0.01, disc * 0.5])[:, 4:14, 6:20].astype(np.float32).astype(float)
    unit = rng.uniform(0.05, 0.95, (3, 24, 32)).astype(np.float32).astype(float)
    unit[0, 3, 4], unit[2, 5, 6] = 0, 1
    stops = np.exp2(rng.uniform(-8, 6, (3, 24, 32))).astype(np.float32).astype(float)
    holes = stops.copy()
    holes[:, 3:6, 4:9] = 0
    bright = np.exp2(rng.uniform(2, 9, (3, 24, 32))).astype(np.float32).astype(float)

    if "--pyramid" in sys.argv:
        for phi in (1, 8):
            mapped = pfs(scene, ["pfstmo_reinhard02", "-s", "-p", str(phi)])
            exact = reinhard02_local(scene, phi=phi)
            print(f"phi {phi}: mean difference {np.abs(mapped - exact).mean():.4f}, largest {np.abs(mapped - exact).max():.4f}, "
                  f"mean of the result {exact.mean():.4f}")
        return
    with open("tone_mapping.txt", "w", encoding="ascii") as out:
        write(out, "paper", "operator=global,delta=1e-10", 1e-6, by_hand, reinhard02_global(by_hand, delta=1e-10))
        write(out, "paper", "operator=global", 2e-6, grey, reinhard02_global(grey))
        write(out, "paper", "operator=global,key=0.4,white=9,delta=0.01,luminance=rec601", 2e-6, colour,
              reinhard02_global(colour, REC601, 0.4, 0.01, 9))
        write(out, "paper", "operator=global,encoding=srgb,luminance=paper", 2e-6, colour, srgb(reinhard02_global(colour, PAPER02)))
        write(out, "paper", "operator=global,encoding=gamma,gamma=2.4", 2e-6, grey, reinhard02_global(grey)**(1 / 2.4))
        for phi, epsilon in ((8, 0.05), (1, 0.05), (8, 0.005)):
            write(out, "paper", f"operator=local,phi={phi},epsilon={epsilon}", 2e-6, scene,
                  reinhard02_local(scene, phi=phi, epsilon=epsilon))
            write(out, "paper", f"operator=local,phi={phi},epsilon={epsilon},output=scale", 2e-6, scene,
                  reinhard02_local(scene, phi=phi, epsilon=epsilon, show_scale=True))
        write(out, "paper", "operator=local,scales=4,ratio=2,key=0.5,luminance=paper", 2e-6, toned,
              reinhard02_local(toned, PAPER02, key=0.5, scales=4, ratio=2))
        for text, parameters in (("", {}), (",intensity=2", {"intensity": 2}), (",light=0.3", {"light": 0.3}),
                                 (",chromatic=0.6,light=0.8", {"chromatic": 0.6, "light": 0.8}), (",contrast=0.5", {"contrast": 0.5})):
            write(out, "paper", "operator=photoreceptor,luminance=rec601" + text, 2e-6, colour, reinhard05(colour, **parameters))
        write(out, "paper", "operator=photoreceptor", 2e-6, grey, reinhard05(grey))
        for text, parameters in (("", {}), (",light=0.6,chromatic=0.3", {"light": 0.6, "chromatic": 0.3}), (",intensity=-1", {"intensity": -1})):
            write(out, "paper", "preset=paper,operator=photoreceptor" + text, 2e-6, colour,
                  reinhard05(colour, PAPER05, scaled=False, **parameters))
        write(out, "paper", "operator=photoreceptor,scaling=none", 2e-6, grey, reinhard05(grey, scaled=False))
        write(out, "paper", "operator=histogram,bins=20", 2e-6, colour, histogram_adjustment(colour, 20))
        write(out, "paper", "operator=histogram,bins=100,ceiling=false,display-range=50", 2e-6, colour,
              histogram_adjustment(colour, 100, 50, False))
        write(out, "paper", "operator=histogram,display-range=1000000", 2e-6, colour, histogram_adjustment(colour, 256, 1e6))
        write(out, "paper", "operator=histogram,bins=12", 2e-6, grey, histogram_adjustment(grey, 12))
        write(out, "paper", "preset=paper", 2e-6, colour, reinhard02_global(colour, PAPER02))
        write(out, "paper", "preset=paper,operator=local", 2e-6, toned, reinhard02_local(toned, PAPER02))
        write(out, "paper", "preset=paper,operator=histogram", 2e-6, colour, histogram_adjustment(colour, 100, weights=PAPER97))

        write(out, "pfstools", "preset=pfstools,operator=global", 2e-4, colour, pfs(colour, ["pfstmo_reinhard02"]))
        write(out, "pfstools", "preset=pfstools,operator=global,key=0.5", 2e-4, grey, pfs(grey, ["pfstmo_reinhard02", "-k", "0.5"]))
        for text, options in (("", []), (",intensity=1.5,light=0.4", ["-b", "1.5", "-l", "0.4"]),
                              (",chromatic=0.9", ["-c", "0.9"])):
            # It takes its results for encoded and decodes them.
            for image, tolerance in ((unit, 1e-3), (stops, 5e-4), (holes, 2e-3), (bright, 2e-3)):
                write(out, "pfstools", "preset=pfstools,operator=photoreceptor,encoding=decode" + text, tolerance, image,
                      pfs(image, ["pfstmo_reinhard05"] + options))
        write(out, "pfstools", "preset=pfstools05", 5e-4, stops, pfs(stops, ["pfstmo_reinhard05"]))

        for gamma, intensity, light, chromatic in ((1, 0, 1, 0), (1, 1, 0.5, 0), (2.2, -1, 0.8, 0.7), (1, 0, 0, 1)):
            step = f"preset=opencv,intensity={intensity},light={light},chromatic={chromatic}"
            if gamma != 1:
                step += f",encoding=gamma,gamma={gamma}"
            write(out, "opencv", step, 2e-5, colour, opencv(colour, gamma, intensity, light, chromatic))


if __name__ == "__main__":
    main()
