#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes exr/deep_*.exr, OpenEXR files with deep data, and exr/deep.txt with their flattened samples.

Needs numpy. With OpenEXR (from PyPI), the files are read back.

The samples of a pixel are homogeneous media between two depths, or points, which are media of no thickness. Light is added up along the ray
numerically, by the integral of emission times transmittance, and not with the formulas for splitting and merging samples.
Lines of deep.txt: "file | width height | names of the channels | samples, channel by channel, x fastest".
"""
import pathlib
import struct
import zlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "exr"
WIDTH, HEIGHT = 6, 5
HALF, FLOAT, UINT = 1, 2, 0
TYPES = {"A": HALF, "B": HALF, "G": HALF, "R": HALF, "Z": FLOAT, "ZBack": FLOAT, "id": UINT}
DTYPES = {HALF: "<f2", FLOAT: "<f4", UINT: "<u4"}
COMPRESSIONS = {"none": 0, "rle": 1, "zips": 2}


def samples_of(generator, volumes):
    """Samples of one pixel, colours multiplied by alpha, as the file holds them."""
    made = []
    for _ in range(generator.integers(0, 6)):
        alpha = generator.integers(0, 16) / 16  # below 1
        front = float(generator.integers(1, 8))
        back = front + (float(generator.integers(0, 4)) if volumes else 0)
        colours = generator.integers(0, 64, 3) / 32 * (alpha if alpha else 0.25)
        made.append({"A": alpha, "R": colours[0], "G": colours[1], "B": colours[2], "Z": front, "ZBack": back,
                     "id": int(generator.integers(1, 1000))})
    if made and generator.integers(0, 3) == 0:  # an opaque point behind everything
        made.insert(0, {"A": 1.0, "R": 0.5, "G": 0.25, "B": 2.0, "Z": 20.0, "ZBack": 20.0, "id": 7})
    for sample in made:
        for name in "ARGB":
            sample[name] = float(np.float16(sample[name]))
    return made


def through(media, light, seen):
    """Light and transmittance behind media of the given parts: pairs of a sample and the fraction of its thickness."""
    if len(media) == 1 and media[0][0]["A"] == 1:
        return {c: light[c] + seen * media[0][0][c] for c in "RGB"}, 0.0
    steps = 4000
    t = (np.arange(steps) + 0.5) / steps
    densities = [-np.log1p(-s["A"]) * part for s, part in media]
    transmitted = seen * np.exp(-sum(densities) * t)
    result = dict(light)
    for (s, part), density in zip(media, densities):
        for c in "RGB":
            emitted = s[c] * (density / s["A"] if s["A"] > 0 else part)
            result[c] += float(np.mean(transmitted) * emitted)
    return result, seen * float(np.exp(-sum(densities)))


def flattened(samples):
    if not samples:
        return dict.fromkeys(TYPES, 0.0)
    light, seen = dict.fromkeys("RGB", 0.0), 1.0
    depths = sorted({s["Z"] for s in samples} | {s["ZBack"] for s in samples})
    for i, depth in enumerate(depths):
        points = [(s, 1.0) for s in samples if s["Z"] == s["ZBack"] == depth]
        if points:
            light, seen = through(points, light, seen)
        if i + 1 < len(depths):
            step = depths[i + 1] - depth
            media = [(s, step / (s["ZBack"] - s["Z"])) for s in samples if s["Z"] <= depth and s["ZBack"] >= depths[i + 1]]
            if media:
                light, seen = through(media, light, seen)
    nearest = min(samples, key=lambda s: (s["Z"], s["ZBack"]))  # the first of several
    return light | {"A": 1 - seen, "Z": nearest["Z"], "ZBack": max(s["ZBack"] for s in samples), "id": float(nearest["id"])}


def packed(raw, compression):
    if compression == "none" or not raw:
        return raw
    swapped = np.frombuffer(raw[0::2] + raw[1::2], np.uint8).astype(np.int64)
    differences = np.concatenate([swapped[:1], (swapped[1:] - swapped[:-1] + 128) % 256]).astype(np.uint8).tobytes()
    if compression == "zips":
        small = zlib.compress(differences, 9)
    else:
        small, at = b"", 0
        while at < len(differences):
            run = 1
            while run < 128 and at + run < len(differences) and differences[at + run] == differences[at]:
                run += 1
            if run >= 3:
                small += struct.pack("b", run - 1) + differences[at:at + 1]
            else:
                run = min(100, len(differences) - at)
                small += struct.pack("b", -run) + differences[at:at + run]
            at += run
    return small if len(small) < len(raw) else raw


def attribute(name, kind, value):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value


def deep_file(pixels, names, compression, tile=None, corner=(3, -2)):
    height, width = len(pixels), len(pixels[0])
    x0, y0 = corner
    window = struct.pack("<4i", x0, y0, x0 + width - 1, y0 + height - 1)
    blocks = [(tx, ty, tx * tile[0], ty * tile[1], min(tile[0], width - tx * tile[0]), min(tile[1], height - ty * tile[1]))
              for ty in range(-(-height // tile[1])) for tx in range(-(-width // tile[0]))] if tile else \
        [(0, y, 0, y, width, 1) for y in range(height)]
    channels = b"".join(n.encode() + b"\0" + struct.pack("<iB3xii", TYPES[n], 0, 1, 1) for n in names) + b"\0"
    head = struct.pack("<ii", 20000630, 2 | 0x800) + attribute("channels", "chlist", channels)
    head += attribute("compression", "compression", bytes((COMPRESSIONS[compression],)))
    head += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
    head += attribute("lineOrder", "lineOrder", b"\0") + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    head += attribute("screenWindowCenter", "v2f", bytes(8)) + attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    head += attribute("type", "string", b"deeptile" if tile else b"deepscanline") + attribute("version", "int", struct.pack("<i", 1))
    head += attribute("chunkCount", "int", struct.pack("<i", len(blocks)))
    head += attribute("maxSamplesPerPixel", "int", struct.pack("<i", max(len(p) for row in pixels for p in row)))
    if tile:
        head += attribute("tiles", "tiledesc", struct.pack("<IIB", *tile, 0))
    head += b"\0"
    body, offsets = b"", []
    for tx, ty, left, top, w, h in blocks:
        counts, raw = b"", b""
        for y in range(top, top + h):
            row = pixels[y][left:left + w]
            counts += np.cumsum([len(p) for p in row]).astype("<i4").tobytes()
            for name in names:
                raw += np.array([s[name] for p in row for s in p], DTYPES[TYPES[name]]).tobytes()
        table, data = packed(counts, compression), packed(raw, compression)
        offsets.append(len(head) + 8 * len(blocks) + len(body))
        body += struct.pack("<4i", tx, ty, 0, 0) if tile else struct.pack("<i", y0 + top)
        body += struct.pack("<3Q", len(table), len(data), len(raw)) + table + data
    return head + struct.pack(f"<{len(blocks)}Q", *offsets) + body


def read_back(path, pixels, names):
    try:
        import OpenEXR
    except ImportError:
        return
    with OpenEXR.File(str(path), separate_channels=True) as file:
        for name in names:
            read = file.channels()[name].pixels
            for y, row in enumerate(pixels):
                for x, samples in enumerate(row):
                    values = [] if read[y, x] is None else list(np.atleast_1d(read[y, x]))
                    assert values == [s[name] for s in samples], (path.name, name, x, y)


def main():
    FOLDER.mkdir(exist_ok=True)
    lines = []
    every = sorted(TYPES)
    cases = [("zips", every, True, None), ("rle", every, True, None), ("none", ["A", "B", "G", "R", "Z"], False, None),
             ("zips", every, True, (4, 2)), ("none", ["A", "Z"], False, (3, 3))]
    for seed, (compression, names, volumes, tile) in enumerate(cases):
        generator = np.random.default_rng(seed)
        pixels = [[samples_of(generator, volumes) for _ in range(WIDTH)] for _ in range(HEIGHT)]
        path = FOLDER / f"deep_{compression}{'_tiles' if tile else ''}.exr"
        path.write_bytes(deep_file(pixels, names, compression, tile))
        read_back(path, pixels, names)
        flat = [[flattened(p) for p in row] for row in pixels]
        lines.append(" | ".join([path.name, f"{WIDTH} {HEIGHT}", " ".join(names),
                                 " ".join(f"{flat[y][x][name]:.9g}" for name in names for y in range(HEIGHT) for x in range(WIDTH))]))
    (FOLDER / "deep.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
