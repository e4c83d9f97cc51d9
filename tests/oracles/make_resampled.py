#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes resampled.txt: volumes with uneven or sheared slices, and their samples on a regular grid.

Needs numpy, scipy and SimpleITK (from PyPI). The grid follows the rules of regular_grid.hpp; the samples are found by way of positions in
the patient: those of the new samples, carried back by the inverse matrix of the old ones, and interpolated by scipy. Volumes without uneven
slices are resampled by SimpleITK as well, which has to agree.

Lines, alternating between a volume and its result: "name | width height depth | spacing | origin | direction, row by row | positions of the
slices along the third axis, if uneven | padding, if any | samples, x fastest".
"""
import pathlib

import numpy as np
import SimpleITK as sitk
from scipy.ndimage import map_coordinates

lines = []


def line(name, array, spacing, origin, direction, places, padding):
    def numbers(values):
        return " ".join(repr(float(v)) for v in np.asarray(values).ravel())

    size = " ".join(map(str, array.shape[::-1]))
    lines.append(" | ".join([name, size, numbers(spacing), numbers(origin), numbers(direction),
                             "" if places is None else numbers(places), "" if padding is None else repr(float(padding)), numbers(array)]))


def grid(shape, spacing, origin, direction, places):
    """Size, spacing, origin and direction of the regular grid."""
    depth, height, width = shape
    x, y, along = direction.T
    normal = np.cross(x, y)
    normal *= np.sign(normal @ along)
    length = (depth - 1) * spacing[2] if places is None else places[-1]
    steps = depth - 1 if places is None else max(1, int(np.floor(length / spacing[2] + 0.5)))
    size, first = [], []
    for axis, count in ((x, width), (y, height)):
        moved = length * (along @ axis) / spacing[len(size)]
        low = int(np.floor(min(0, moved) + 1e-6))
        high = int(np.ceil(count - 1 + max(0, moved) - 1e-6))
        size.append(high - low + 1)
        first.append(low)
    new_origin = origin + x * spacing[0] * first[0] + y * spacing[1] * first[1]
    return (*size, steps + 1), np.array([spacing[0], spacing[1], length / steps * (normal @ along)]), new_origin, np.stack([x, y, normal], 1)


def resampled(array, spacing, origin, direction, places, fill):
    size, new_spacing, new_origin, new_direction = grid(array.shape, spacing, origin, direction, places)
    index = np.stack(np.meshgrid(*(np.arange(n) for n in size), indexing="ij"), -1).reshape(-1, 3)
    points = new_origin + (index * new_spacing) @ new_direction.T
    old = (points - origin) @ np.linalg.inv(direction).T  # mm along the old axes
    i, j = old[:, 0] / spacing[0], old[:, 1] / spacing[1]
    k = old[:, 2] / spacing[2] if places is None else np.interp(old[:, 2], places, np.arange(len(places)))
    coordinates = np.stack([k, j, i])
    nearest = np.round(coordinates)
    coordinates = np.where(np.abs(coordinates - nearest) < 1e-6, nearest, coordinates)
    values = map_coordinates(array.astype(float), coordinates, order=1, mode="constant", cval=np.nan, prefilter=False)
    limits = np.array(array.shape)[:, None] - 1
    values[np.any((coordinates < 0) | (coordinates > limits), axis=0)] = np.nan
    return values.reshape(size).transpose(2, 1, 0), new_spacing, new_origin, new_direction


def by_sitk(array, spacing, origin, direction, result, new_spacing, new_origin, new_direction):
    image = sitk.GetImageFromArray(array.astype(np.float64))
    image.SetSpacing(list(spacing))
    image.SetOrigin(list(origin))
    image.SetDirection(direction.ravel().tolist())
    out = sitk.Resample(image, result.shape[::-1], sitk.Transform(3, sitk.sitkIdentity), sitk.sitkLinear, list(new_origin),
                        list(new_spacing), new_direction.ravel().tolist(), float("nan"), sitk.sitkFloat64)
    theirs = sitk.GetArrayFromImage(out)
    known = ~np.isnan(result)
    # It extrapolates by half a sample at the edges, where the result here is padding.
    assert not np.isnan(theirs[known]).any()
    assert np.abs(theirs[known] - result[known]).max() < 1e-6, np.abs(theirs[known] - result[known]).max()


def add(name, size, spacing, origin, direction, places=None, padding=None, seed=0):
    generator = np.random.default_rng(seed)
    array = generator.integers(-1000, 2000, size[::-1]).astype(np.float64)
    if padding is not None:
        array[:, :2, :2] = padding
    spacing, origin, direction = np.array(spacing, float), np.array(origin, float), np.array(direction, float)
    # Samples to which padding contributes become padding.
    marked = np.where(array == padding, np.nan, array) if padding is not None else array
    result, *placed = resampled(marked, spacing, origin, direction, places, np.nan)
    if places is None and padding is None:
        by_sitk(array, spacing, origin, direction, result, *placed)
    fill = array.min() if padding is None else padding
    line(name, array, spacing, origin, direction, places, padding)
    line(name, np.where(np.isnan(result), fill, result), *placed, None, padding)


def tilted(degrees, axis=1, turn=np.eye(3)):
    """Axes of slices whose line of positions is off their normal, towards rows or columns."""
    t = np.radians(degrees)
    along = np.array([0, 0, np.cos(t)])
    along[axis] = np.sin(t)
    return turn @ np.stack([np.eye(3)[0], np.eye(3)[1], along], 1)


A = 0.4
TURN = np.array([[np.cos(A), 0, np.sin(A)], [0, 1, 0], [-np.sin(A), 0, np.cos(A)]])
add("gantry tilt", (5, 6, 4), (0.8, 0.9, 3), (-10, 5, 20), tilted(14), seed=1)
add("tilt to the other side, oblique", (6, 4, 4), (0.8, 0.9, 3), (-10, 5, 20), tilted(-20, 0, TURN), seed=2)
add("normal reversed", (4, 5, 3), (1, 1, 2), (0, 0, 0), tilted(10) @ np.diag([1, 1, -1]), seed=3)
add("a missing slice", (3, 3, 4), (1, 1, 5), (1, 2, 3), np.eye(3), places=[0, 5, 15, 20], seed=4)
add("uneven", (3, 4, 6), (1, 1.5, 2.5), (1, 2, 3), TURN, places=[0, 2.25, 4.75, 7.25, 11, 12], seed=5)
add("uneven and tilted", (5, 5, 5), (0.7, 0.7, 2), (0, 0, 0), tilted(25), places=[0, 2, 4, 7.5, 9.5], seed=6)
add("padding", (5, 6, 4), (0.8, 0.9, 3), (-10, 5, 20), tilted(14), padding=-2000, seed=7)
out = pathlib.Path(__file__).resolve().parent / "resampled.txt"
out.write_text("".join(s + "\n" for s in lines), encoding="utf-8")
