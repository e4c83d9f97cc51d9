# SPDX-License-Identifier: GPL-3.0-or-later
"""DICOM series and NIfTI files for the command line tests, written with the standard library."""
import pathlib
import struct

LONG = {b"OB", b"OW", b"SQ", b"UN"}


def element(tag, vr, value):
    if isinstance(value, str):
        value = value.encode("latin-1")
    if isinstance(value, int):
        value = struct.pack("<H", value)
    if len(value) % 2:
        value += b"\0" if vr == b"UI" else b" "
    head = struct.pack("<HH", tag >> 16, tag & 0xFFFF) + vr
    return head + (struct.pack("<HI", 0, len(value)) if vr in LONG else struct.pack("<H", len(value))) + value


def write_dicom(path, z, instance, width=6, height=5, series=1, uid="1.2.3.4", more=None, pixels=None):
    """A slice of 16-bit signed samples: 10 * instance + x + 100 * y unless given, less an intercept of 1024."""
    values = {
        0x00080018: (b"UI", f"{uid}.{instance}"),
        0x00080060: (b"CS", "CT"),
        0x0020000E: (b"UI", uid),
        0x00200011: (b"IS", str(series)),
        0x00200013: (b"IS", str(instance)),
        0x00200032: (b"DS", f"-12.5\\-20\\{z:g}"),
        0x00200037: (b"DS", "1\\0\\0\\0\\1\\0"),
        0x00280002: (b"US", 1),
        0x00280004: (b"CS", "MONOCHROME2"),
        0x00280010: (b"US", height),
        0x00280011: (b"US", width),
        0x00280030: (b"DS", "0.5\\0.75"),
        0x00280100: (b"US", 16),
        0x00280101: (b"US", 16),
        0x00280102: (b"US", 15),
        0x00280103: (b"US", 1),
        0x00281052: (b"DS", "-1024"),
        0x00281053: (b"DS", "1"),
    }
    values.update(more or {})
    if pixels is None:
        pixels = [10 * instance + x + 100 * y for y in range(height) for x in range(width)]
    syntax = element(0x00020010, b"UI", "1.2.840.10008.1.2.1")
    data = bytes(128) + b"DICM" + element(0x00020000, b"UL", struct.pack("<I", len(syntax))) + syntax
    data += b"".join(element(tag, *values[tag]) for tag in sorted(values))
    data += element(0x7FE00010, b"OW", struct.pack(f"<{len(pixels)}h", *pixels))
    pathlib.Path(path).write_bytes(data)


def write_series(folder, positions, **options):
    """Writes slices under names in another order."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for i, z in enumerate(positions):
        write_dicom(folder / f"IM{(7 * i + 3) % 101:03d}", z, i + 1, **options)


def read_nifti(data):
    """(dimensions, samples, spacing, rows of the affine in RAS) of a NIfTI-1 file with samples as they are saved."""
    assert data[344:348] == b"n+1\0", data[344:348]
    dims = struct.unpack_from("<8h", data, 40)
    kind = {(4, 16): "h", (512, 16): "H", (16, 32): "f"}[struct.unpack_from("<hh", data, 70)]
    offset = int(struct.unpack_from("<f", data, 108)[0])
    n = dims[1] * dims[2] * dims[3]
    rows = [struct.unpack_from("<4f", data, 280 + 16 * i) for i in range(3)]
    return dims[1:4], struct.unpack_from(f"<{n}{kind}", data, offset), struct.unpack_from("<3f", data, 80), rows
