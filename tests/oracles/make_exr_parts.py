#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes exr/: files with parts, layers and views as OpenEXR writes them, and exr/parts.txt with what each choice selects.

Needs numpy and OpenEXR (from PyPI).

Lines of parts.txt: "file#choice | width height | names of the channels | samples, channel by channel, x fastest". The samples are those that OpenEXR reads
from the file.
"""
import pathlib

import numpy as np
import OpenEXR

FOLDER = pathlib.Path(__file__).resolve().parent / "exr"
WIDTH, HEIGHT = 6, 5
lines = []


def channels(names, seed, dtype=np.float16, width=WIDTH, height=HEIGHT):
    generator = np.random.default_rng(seed)
    return {name: generator.integers(-64, 64, (height, width)).astype(dtype) / dtype(8) for name in names}


def part(name, compression, data, **attributes):
    shared = (np.array([0, 0], np.int32), np.array([WIDTH - 1, HEIGHT - 1], np.int32))  # the same for all parts
    header = {"compression": compression, "type": OpenEXR.scanlineimage, "displayWindow": shared} | attributes
    return OpenEXR.Part(header, data, name)


def note(path, choice, number, stored, names):
    with OpenEXR.File(str(path), separate_channels=True) as file:
        planes = [file.parts[number].channels[c].pixels for c in stored]
    height, width = planes[0].shape
    lines.append(" | ".join([f"{path.name}{'#' if choice else ''}{choice}", f"{width} {height}", " ".join(names),
                             " ".join(repr(float(v)) for plane in planes for v in plane.ravel())]))


def main():
    FOLDER.mkdir(exist_ok=True)
    rgb = ["R", "G", "B"]
    passes = [f"diffuse.{c}" for c in rgb] + [f"key.light.{c}" for c in rgb] + ["Z"]
    for compression, kind in ((OpenEXR.ZIP_COMPRESSION, "zip"), (OpenEXR.PIZ_COMPRESSION, "piz")):
        path = FOLDER / f"parts_{kind}.exr"
        OpenEXR.File([part("beauty", compression, channels(rgb, 1)),
                      part("depth.raw", compression, channels(["Z"], 2, np.float32, 4, 40)),
                      part("passes", compression, channels(passes, 3, np.float32))]).write(str(path))
        for choice in ("", "beauty", "0"):
            note(path, choice, 0, rgb, rgb)
        for choice in ("depth.raw", "1"):
            note(path, choice, 1, ["Z"], ["Z"])
        note(path, "2", 2, ["Z"] + passes[:-1], ["Z"] + passes[:-1])
        for choice in ("passes.diffuse", "2.diffuse", "diffuse"):
            note(path, choice, 2, [f"diffuse.{c}" for c in rgb], rgb)
        note(path, "passes.key.light", 2, [f"key.light.{c}" for c in rgb], rgb)
        note(path, "key", 2, [f"key.light.{c}" for c in rgb], [f"light.{c}" for c in rgb])

        path = FOLDER / f"views_{kind}.exr"
        views = rgb + [f"right.{c}" for c in rgb] + ["depth.Z", "depth.right.Z"]
        OpenEXR.File({"compression": compression, "type": OpenEXR.scanlineimage, "multiView": ["left", "right"]},
                     channels(views, 4)).write(str(path))
        note(path, "left", 0, rgb, rgb)  # depth.Z is of no view
        note(path, "right", 0, ["depth.right.Z"] + [f"right.{c}" for c in rgb], ["depth.Z"] + rgb)
        note(path, "depth", 0, ["depth.Z", "depth.right.Z"], ["Z", "right.Z"])
    (FOLDER / "parts.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
