#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders a small picture of the bundled scene with the faults of an unfinished rendering, as atrium-damaged.exr (linear, half float).

Faults, by a fixed seed: fireflies (single pixels of 50 to 5,000 times the light of their surroundings, and at least 100), NaN pixels, a bucket
of 12 x 12 pixels that is NaN, and single channels that are infinite. Needs Python 3 and NumPy, takes about half a minute on one core and gives
the same bytes each time with the same NumPy.
    python3 damage_scene.py [--out FOLDER]
"""
import argparse
from pathlib import Path

import numpy as np

import render_scene

SCALE, SAMPLES = 4, 16
FIREFLIES, NAN_PIXELS, INFINITE, BUCKET = 60, 25, 8, (130, 84, 12)


def damaged(image):
    _, height, width = image.shape
    random = np.random.default_rng(23)
    places = random.permutation(width * height)
    y, x = places // width, places % width
    image = image.copy()
    at = slice(0, FIREFLIES)
    image[:, y[at], x[at]] = np.maximum(image[:, y[at], x[at]] * np.exp(random.uniform(np.log(50), np.log(5000), FIREFLIES)), 100)
    at = slice(FIREFLIES, FIREFLIES + NAN_PIXELS)
    image[:, y[at], x[at]] = np.nan
    at = slice(at.stop, at.stop + INFINITE)
    image[random.integers(0, 3, INFINITE), y[at], x[at]] = np.inf
    x0, y0, size = BUCKET
    image[:, y0:y0 + size, x0:x0 + size] = np.nan
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, help="folder for atrium-damaged.exr")
    options = parser.parse_args()
    image = damaged(render_scene.glare(render_scene.render(SAMPLES, SCALE, lambda text: print(text, flush=True))))
    options.out.mkdir(parents=True, exist_ok=True)
    render_scene.write_exr(options.out / "atrium-damaged.exr", image, infinite=True)
    faults = (~np.isfinite(image)).any(axis=0).sum()
    print(f"{image.shape[2]} x {image.shape[1]}, {faults} pixels that are not finite, largest finite sample {image[np.isfinite(image)].max():.4g}")


if __name__ == "__main__":
    main()
