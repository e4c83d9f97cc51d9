#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes volumes/: NRRD and MetaImage files as SimpleITK and pynrrd write them, and volumes.txt with what is in them.

Needs numpy, SimpleITK, pynrrd (from PyPI).

Lines of volumes.txt: "name of the file | number of the volume in it | width height depth | spacing | origin | direction, row by row, or
unknown | samples, x fastest". Millimetres in LPS. Files of SimpleITK are read back by it, and those of pynrrd as well where it can;
the numbers are those that were written in any case.
"""
import bz2
import pathlib

import nrrd
import numpy as np
import SimpleITK as sitk

FOLDER = pathlib.Path(__file__).resolve().parent / "volumes"
# A rotation about an oblique axis, orthonormal to the last digit that is written.
A, B = 0.3, -0.5
ROTATION = (np.array([[np.cos(A), -np.sin(A), 0], [np.sin(A), np.cos(A), 0], [0, 0, 1]])
            @ np.array([[1, 0, 0], [0, np.cos(B), -np.sin(B)], [0, np.sin(B), np.cos(B)]]))
SPACING, ORIGIN = (0.75, 1.25, 2.5), (-12.5, 7.25, 100.125)
SIZE = (5, 4, 3)
lines = []


def samples(dtype, seed, size=SIZE):
    """Numbers that every type holds, and some only it does; indexed z, y, x."""
    generator = np.random.default_rng(seed)
    n = int(np.prod(size))
    if np.issubdtype(dtype, np.floating):
        return generator.integers(-4096, 4096, n).astype(dtype).reshape(size[::-1]) / dtype(16)
    info = np.iinfo(dtype)
    low, high = max(info.min, -(1 << 20)), min(info.max, 1 << 20)
    values = generator.integers(low, high, n, endpoint=True).astype(dtype)
    values[:2] = low, high
    return values.reshape(size[::-1])


def note(name, volume, array, spacing=SPACING, origin=ORIGIN, direction=ROTATION):
    depth = array.shape[0] if array.ndim == 3 else 1
    shape = [array.shape[-1], array.shape[-2], depth]
    spacing = list(spacing) + [1] * (3 - len(spacing))
    origin = list(origin) + [0] * (3 - len(origin))
    known = "unknown" if direction is None else " ".join(repr(float(v)) for v in np.asarray(direction).ravel())
    lines.append(" | ".join([name, str(volume), " ".join(map(str, shape)), " ".join(repr(float(s)) for s in spacing),
                             " ".join(repr(float(o)) for o in origin), known, " ".join(repr(float(v)) for v in array.ravel())]))


def place(image):
    image.SetSpacing(SPACING)
    image.SetOrigin(ORIGIN)
    image.SetDirection(ROTATION.ravel().tolist())
    return image


def by_sitk(name, array, compressed, vector=False):
    image = place(sitk.GetImageFromArray(array, isVector=vector))
    path = FOLDER / name
    sitk.WriteImage(image, str(path), compressed)
    back = sitk.ReadImage(str(path))
    assert np.array_equal(sitk.GetArrayFromImage(back), array), name
    assert np.allclose(back.GetDirection(), ROTATION.ravel(), atol=1e-12) and np.allclose(back.GetOrigin(), ORIGIN), name
    if vector:
        for i in range(array.shape[-1]):
            note(name, i, array[..., i])
    else:
        note(name, 0, array)


def by_pynrrd(name, array, header, volumes, expected, **options):
    """`array` with the fastest axis first, as pynrrd takes it; `volumes` as they are to be read, indexed z, y, x."""
    path = FOLDER / name
    nrrd.write(str(path), array, header, index_order="F", **options)
    back, _ = nrrd.read(str(path), index_order="F")
    assert np.array_equal(back, array), name
    for i, volume in enumerate(volumes):
        note(name, i, volume, **expected)


def mha(fields):
    return ("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n" + fields
            + "DimSize = 5 4 3\nElementType = MET_SHORT\nElementDataFile = LOCAL\n")


def nrrd_header(fields):
    return "NRRD0004\ntype: int16\ndimension: 3\nsizes: 5 4 3\n" + fields + "endian: little\nencoding: raw\n\n"


def by_hand(name, header, array, oriented):
    (FOLDER / name).write_bytes(header.encode() + array.astype("<i2").tobytes())
    back = sitk.ReadImage(str(FOLDER / name))
    assert np.array_equal(sitk.GetArrayFromImage(back), array), name
    note(name, 0, array, back.GetSpacing(), back.GetOrigin(), np.reshape(back.GetDirection(), (3, 3)) if oriented else None)


def of_files(name, header, array, read_back=True):
    """Spacings without an orientation. SimpleITK reads all but bzip2 back."""
    path = FOLDER / name
    path.write_text(header)
    if read_back:
        assert np.array_equal(sitk.GetArrayFromImage(sitk.ReadImage(str(path))), array), name
    note(name, 0, array, SPACING, (), None)


def main():
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for number, dtype in enumerate([np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]):
        by_sitk(f"sitk_{np.dtype(dtype).name}.nrrd", samples(dtype, number), number % 2 == 0)
        by_sitk(f"sitk_{np.dtype(dtype).name}.mha", samples(dtype, number + 10), number % 2 == 1)
    by_sitk("sitk_beside.nhdr", samples(np.int16, 20), False)
    by_sitk("sitk_beside_gzip.nhdr", samples(np.int16, 21), True)
    by_sitk("sitk_apart.mhd", samples(np.int16, 22), False)
    by_sitk("sitk_apart_zlib.mhd", samples(np.int16, 23), True)
    vector = np.stack([samples(np.int16, 24 + i) for i in range(3)], axis=-1)
    by_sitk("sitk_vector.nrrd", vector, True, vector=True)
    by_sitk("sitk_vector.mha", vector, False, vector=True)

    flat = samples(np.float32, 30, (5, 4, 1))[0]
    image = sitk.GetImageFromArray(flat)
    image.SetSpacing(SPACING[:2])
    for name in ("sitk_flat.nrrd", "sitk_flat.mha"):
        sitk.WriteImage(image, str(FOLDER / name))
        note(name, 0, flat, SPACING[:2], (), None)
    series = [samples(np.int16, 31 + i) for i in range(2)]
    image = sitk.JoinSeries([place(sitk.GetImageFromArray(s)) for s in series])
    sitk.WriteImage(image, str(FOLDER / "sitk_series.mha"), True)
    for i, s in enumerate(series):
        note("sitk_series.mha", i, s)

    # Spaces other than LPS, and axes that are none of space: first as 3D Slicer saves sequences, last as others do.
    array = samples(np.int16, 40).T
    columns = ROTATION * np.array(SPACING)  # of each axis in LPS
    for space, signs in (("right-anterior-superior", (-1, -1, 1)), ("left-anterior-superior", (1, -1, 1)), ("left-posterior-superior", (1, 1, 1))):
        flip = np.array(signs)
        header = {"space": space, "space directions": (flip[:, None] * columns).T, "space origin": flip * np.array(ORIGIN),
                  "kinds": ["domain"] * 3, "encoding": "gzip"}
        by_pynrrd(f"pynrrd_{space}.nrrd", array, header, [array.T], {})
    header = {"space": "left-posterior-superior", "space origin": np.array(ORIGIN), "encoding": "raw"}
    volumes = [samples(np.float32, 41 + i) for i in range(2)]
    directions = columns.T
    none = np.full((1, 3), np.nan)
    by_pynrrd("pynrrd_list_first.nrrd", np.stack([v.T for v in volumes]),
              header | {"space directions": np.vstack([none, directions]), "kinds": ["list", "domain", "domain", "domain"]}, volumes, {})
    by_pynrrd("pynrrd_list_last.nrrd", np.stack([v.T for v in volumes], axis=-1),
              header | {"space directions": np.vstack([directions, none]), "kinds": ["domain", "domain", "domain", "list"], "encoding": "gzip"},
              volumes, {})
    unplaced = {"origin": (), "direction": None}
    by_pynrrd("pynrrd_spacings.nrrd", array, {"spacings": list(SPACING), "encoding": "raw"}, [array.T], unplaced)
    big = samples(np.int16, 43)
    by_pynrrd("pynrrd_big_endian.nrrd", big.T.astype(">i2"), {"spacings": list(SPACING), "endian": "big", "encoding": "raw"}, [big], unplaced)
    by_pynrrd("pynrrd_apart.nhdr", array, {"spacings": list(SPACING), "encoding": "gzip"}, [array.T], unplaced, detached_header=True)

    # Headers that say less, as programs without an orientation write them: what SimpleITK reads from them.
    array = samples(np.int16, 50)
    by_hand("partial_offset.mha", mha("Offset = -12.5 7.25 100.125\nElementSpacing = 0.75 1.25 2.5\n"), array, True)
    by_hand("partial_position.mha", mha("Position = -12.5 7.25 100.125\nElementSpacing = 0.75 1.25 2.5\n"), array, True)
    by_hand("partial_matrix.mha", mha("TransformMatrix = 0 1 0 -1 0 0 0 0 1\nElementSpacing = 0.75 1.25 2.5\n"), array, True)
    mins = "spacings: 0.75 1.25 2.5\naxis mins: -12.5 7.25 100.125\n"
    by_hand("partial_mins.nrrd", nrrd_header(mins), array, False)
    by_hand("partial_mins_node.nrrd", nrrd_header(mins + "centerings: node node node\n"), array, False)
    by_hand("partial_mins_cell.nrrd", nrrd_header(mins + "centers: cell cell cell\n"), array, False)

    # Samples in several files: a list, and patterns that count up and down.
    by_pynrrd("pynrrd_bzip2.nrrd", array.T, {"spacings": list(SPACING), "encoding": "bzip2"}, [array], unplaced)
    array = samples(np.int16, 60)
    for k in range(3):
        (FOLDER / f"slice_{k + 8:02}.raw").write_bytes(array[k].astype("<i2").tobytes())
        (FOLDER / f"slice_{k + 8:02}.raw.bz2").write_bytes(bz2.compress(b"skip" + array[k].astype("<i2").tobytes()))
    names = "".join(f"slice_{k + 8:02}.raw\n" for k in range(3))
    start = "NRRD0004\ntype: int16\ndimension: 3\nsizes: 5 4 3\nspacings: 0.75 1.25 2.5\nendian: little\n"
    of_files("files_list.nhdr", start + "encoding: raw\ndata file: LIST\n" + names, array)
    of_files("files_list_of_slices.nhdr", start + "encoding: raw\ndata file: LIST 2\n" + names, array)
    of_files("files_up.nhdr", start + "encoding: raw\ndata file: slice_%02d.raw 8 10 1\n", array)
    of_files("files_down.nhdr", start + "encoding: raw\ndata file: ./slice_%02d.raw 10 8 -1 2\n", array[::-1])
    of_files("files_bzip2.nhdr", start + "encoding: bzip2\nbyte skip: 4\ndata file: slice_%02d.raw.bz2 8 10 1\n", array, False)
    meta = ("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nElementSpacing = 0.75 1.25 2.5\n"
            "DimSize = 5 4 3\nElementType = MET_SHORT\nElementDataFile = ")
    of_files("files_list.mhd", meta + "LIST\n" + names, array)
    of_files("files_up.mhd", meta + "slice_%02d.raw 8 10 1\n", array)
    (FOLDER / "volumes.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
