#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tiff/: small TIFF files made by tifffile, and tiff.txt with the numbers stored in them.

Needs numpy, Pillow, tifffile and imagecodecs (from PyPI).

Lines of tiff.txt: "file | page | width height channels | channel names | type | maximum of a code, 0 for numbers | straight, associated
or none | CRC-32 of the stored numbers as little-endian floats, channel by channel, x fastest". The numbers are those that tifffile reads back.
"""
import pathlib
import zlib

import numpy as np
import PIL.Image
import PIL.ImageOps
import tifffile

FOLDER = pathlib.Path(__file__).resolve().parent / "tiff"
WIDTH, HEIGHT = 21, 18  # more than one tile of 16 x 16, and no multiple of it
NAMES = {1: "Y", 2: "Y A", 3: "R G B", 4: "R G B A"}
lines = []


def samples(dtype, channels, seed):
    """Numbers over the whole range of a type, indexed y, x, channel."""
    generator = np.random.default_rng(seed)
    shape = (HEIGHT, WIDTH, channels)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (generator.integers(-4000, 4000, shape) / 64).astype(dtype)
    info = np.iinfo(dtype)
    if dtype.itemsize >= 4:  # whole numbers that float holds
        return generator.integers(max(info.min, -(1 << 24)), 1 << 24, shape).astype(dtype)
    values = generator.integers(info.min, info.max + 1, shape).astype(dtype)
    values[0, 0, :], values[0, 1, :] = info.min, info.max
    return values


def note(name, page, stored, kind, maximum, alpha="none", names=None):
    crc = zlib.crc32(np.moveaxis(stored, -1, 0).astype("<f4").tobytes())
    height, width, channels = stored.shape
    lines.append(f"{name} | {page} | {width} {height} {channels} | {names or NAMES[channels]} | {kind} | {maximum} | {alpha} | {crc:08x}")


def kind_of(dtype):
    return {"float16": "half", "float32": "float", "float64": "double"}.get(np.dtype(dtype).name, np.dtype(dtype).name)


def save(name, stored, alpha="none", names=None, expected=None, maximum=None, **options):
    """`stored` is indexed y, x, channel; options are those of tifffile.imwrite."""
    data = stored[..., 0] if stored.shape[-1] == 1 else stored
    if options.get("planarconfig") == "separate":
        data = np.moveaxis(stored, -1, 0)
    options.setdefault("photometric", "rgb" if stored.shape[-1] in (3, 4) else "minisblack")
    tifffile.imwrite(FOLDER / name, data, metadata=None, software=None, **options)
    assert np.array_equal(tifffile.imread(FOLDER / name), data), name
    if maximum is None:
        maximum = {"uint8": 255, "uint16": 65535}.get(stored.dtype.name, 0)
    note(name, 0, stored if expected is None else expected, kind_of(stored.dtype), maximum, alpha, names)


def turned():
    """Every orientation; the upright picture is that of Pillow."""
    for orientation in range(2, 9):
        stored = samples("uint8", 3, 87)
        picture = PIL.Image.fromarray(stored)
        picture.getexif()[274] = orientation
        upright = np.asarray(PIL.ImageOps.exif_transpose(picture))
        save(f"turned_{orientation}_uint8.tif", stored, expected=upright, extratags=[(274, 3, 1, orientation, True)])


def main():
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    types = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32", "float64")
    for seed, dtype in enumerate(types):
        save(f"strips_{dtype}.tif", samples(dtype, 1, seed), rowsperstrip=5)
        save(f"tiles_{dtype}.tif", samples(dtype, 3, seed + 20), tile=(16, 16), byteorder=">")
        save(f"planes_{dtype}.tif", samples(dtype, 3, seed + 40), planarconfig="separate", bigtiff=True, rowsperstrip=7)
    for dtype in ("uint8", "uint16", "float32"):
        predictor = 3 if dtype == "float32" else 2
        for compression in ("lzw", "deflate"):
            save(f"{compression}_{dtype}.tif", samples(dtype, 3, 60), compression=compression, predictor=predictor, tile=(16, 32))
        for channels in (2, 4):
            stored = samples(dtype, channels, 70 + channels)
            # No alpha of 0, which would hide the colours; floats must stay exact when they are multiplied by it.
            stored[..., -1] = 0.25 if dtype == "float32" else np.maximum(stored[..., -1], 1)
            save(f"alpha_unassociated_{channels}_{dtype}.tif", stored, "straight", extrasamples=["unassalpha"], byteorder=">")
            colours, a = stored[..., :-1], stored[..., -1:]
            if dtype != "float32":
                colours = np.minimum(colours, a)
            save(f"alpha_associated_{channels}_{dtype}.tif", np.concatenate([colours, a], -1), "associated", extrasamples=["assocalpha"])
    save("packbits_uint8.tif", samples("uint8", 1, 80) // 64 * 64, compression="packbits")
    save("planes_tiles_uint16.tif", samples("uint16", 3, 81), planarconfig="separate", tile=(16, 16), bigtiff=True, byteorder=">")
    five = samples("uint16", 5, 82)
    save("five_planes_uint16.tif", five, names="C0 C1 C2 C3 C4", planarconfig="separate", extrasamples=["unspecified"] * 4)
    save("five_samples_float32.tif", samples("float32", 5, 83), names="C0 C1 C2 C3 C4", extrasamples=["unspecified"] * 4)
    save("rgb_and_two_uint8.tif", samples("uint8", 5, 84), names="R G B C3 C4", photometric="rgb", extrasamples=["unspecified"] * 2)
    for dtype, maximum in (("uint8", 255), ("uint16", 65535)):
        white = samples(dtype, 1, 85)
        save(f"white_{dtype}.tif", white, photometric="miniswhite", expected=maximum - white)
    save("white_float32.tif", samples("float32", 1, 86), photometric="miniswhite")
    turned()

    bits = samples("uint8", 1, 88) > 127
    tifffile.imwrite(FOLDER / "bilevel.tif", bits[..., 0], photometric="minisblack", metadata=None, software=None)
    note("bilevel.tif", 0, bits, "uint1", 1)
    index = samples("uint8", 1, 89)
    for name, factor, kind, maximum in (("palette.tif", 257, "uint8", 255), ("palette_fine.tif", 1, "uint16", 65535)):
        table = np.random.default_rng(90).integers(0, 256 if factor > 1 else 65536, (3, 256)).astype(np.uint16)
        tifffile.imwrite(FOLDER / name, index[..., 0], photometric="palette", colormap=table * factor, metadata=None, software=None)
        note(name, 0, np.moveaxis(table[:, index[..., 0]], 0, -1), kind, maximum)

    with tifffile.TiffWriter(FOLDER / "pages.tif", bigtiff=True) as writer:
        for page, (dtype, channels) in enumerate((("uint8", 1), ("uint16", 3), ("float32", 1))):
            stored = samples(dtype, channels, 91 + page)[:HEIGHT - page, :WIDTH - 2 * page]
            writer.write(stored[..., 0] if channels == 1 else stored, photometric="rgb" if channels == 3 else "minisblack", metadata=None, software=None)
            note("pages.tif", page, stored, kind_of(dtype), {"uint8": 255, "uint16": 65535}.get(dtype, 0))
    (FOLDER / "tiff.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
