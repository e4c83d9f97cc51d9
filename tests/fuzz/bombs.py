#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes small files that ask for much memory, time or output, and folders that do not end. Usage: bombs.py FOLDER"""
import os
import pathlib
import struct
import sys
import zlib

ZEROS = 64 << 20


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(chunks=b"", width=1, height=1, depth=8, colour=0, samples=None):
    rows = samples if samples is not None else zlib.compress(b"\0\0")
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunks + png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b"")


def deflated_zeros(count, final=b"\x03\0"):
    """A raw deflate stream of `count` times 64 MiB of zeros: blocks between full flushes can be repeated."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = compressor.compress(bytes(ZEROS)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return block * count + final


def zlib_zeros(count):
    return b"\x78\x9c" + deflated_zeros(count) + b"\0\0\0\1"  # the checksum comes too late to matter


def gzip_member(data):
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    return compressor.compress(data) + compressor.flush()


def exr_attribute(name, kind, value, size=None):
    return name + b"\0" + kind + b"\0" + struct.pack("<i", len(value) if size is None else size) + value


def exr_header(width=1, height=1, channels=(b"Y",), more=b"", compression=0):
    entries = b"".join(c + b"\0" + struct.pack("<iiii", 2, 0, 1, 1) for c in channels) + b"\0"
    box = struct.pack("<iiii", 0, 0, width - 1, height - 1)
    return (exr_attribute(b"channels", b"chlist", entries) + exr_attribute(b"compression", b"compression", bytes([compression]))
            + exr_attribute(b"dataWindow", b"box2i", box) + exr_attribute(b"displayWindow", b"box2i", box)
            + exr_attribute(b"lineOrder", b"lineOrder", b"\0") + exr_attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1))
            + exr_attribute(b"screenWindowCenter", b"v2f", bytes(8)) + exr_attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)) + more + b"\0")


def exr(header, blocks=(), lines=1, flags=2):
    """`blocks`: packed samples of the blocks of scan lines."""
    start = struct.pack("<Ii", 20000630, flags) + header
    at, table, body = len(start) + 8 * len(blocks), b"", []
    for i, block in enumerate(blocks):
        table += struct.pack("<Q", at)
        body.append(struct.pack("<ii", i * lines, len(block)) + block)
        at += 8 + len(block)
    return start + table + b"".join(body)


def exr_zip(data):
    even_odd = data[0::2] + data[1::2]
    differences = bytearray(even_odd[:1])
    differences += bytes((b - a + 128) & 255 for a, b in zip(even_odd, even_odd[1:])) if any(data) else b"\x80" * (len(data) - 1)
    return zlib.compress(bytes(differences), 9)


def nrrd(sizes, encoding="gzip", more=""):
    return f"NRRD0004\ntype: uint8\ndimension: {len(sizes.split())}\nsizes: {sizes}\nencoding: {encoding}\n{more}\n".encode()


def mha(sizes):
    return (f"ObjectType = Image\nNDims = 3\nDimSize = {sizes}\nElementType = MET_UCHAR\nCompressedData = True\n"
            "ElementDataFile = LOCAL\n").encode()


def nifti(width, height, depth):
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, width, height, depth, 1, 1, 1, 1)
    struct.pack_into("<hh", header, 70, 2, 8)  # uint8
    struct.pack_into("<8f", header, 76, 1, 1, 1, 1, 1, 1, 1, 1)
    struct.pack_into("<f", header, 108, 352)
    header[344:348] = b"n+1\0"
    return bytes(header)


def dicom_deflated(side=32768, blocks=32):
    """Square, of 16 bits, with `blocks` times 64 MiB of zeros as samples."""
    def element(group, number, kind, value):
        value += b"\0" * (len(value) % 2)
        if kind in (b"OW", b"OB"):
            return struct.pack("<HH2sHI", group, number, kind, 0, len(value)) + value
        return struct.pack("<HH2sH", group, number, kind, len(value)) + value

    meta = element(2, 0x10, b"UI", b"1.2.840.10008.1.2.1.99")
    body = element(8, 0x60, b"CS", b"CT")
    for number, value in ((2, 1), (0x10, side), (0x11, side), (0x100, 16), (0x101, 16), (0x102, 15), (0x103, 0)):
        body += element(0x28, number, b"US", struct.pack("<H", value))
    body += element(0x28, 4, b"CS", b"MONOCHROME2")
    body += struct.pack("<HH2sHI", 0x7fe0, 0x10, b"OW", 0, 2 * side * side)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    start = compressor.compress(body) + compressor.flush(zlib.Z_FULL_FLUSH)
    return bytes(128) + b"DICM" + meta + start + deflated_zeros(blocks)


def tiff(width, height, strip, rows):
    """All strips are the same bytes of the file."""
    count = (height + rows - 1) // rows
    offsets_at = 8 + 2 + 12 * 10 + 4
    sizes_at = offsets_at + 4 * count
    data_at = sizes_at + 4 * count
    entries = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 8), (262, 3, 1, 1), (273, 4, count, offsets_at),
               (277, 3, 1, 1), (278, 4, 1, rows), (279, 4, count, sizes_at), (339, 3, 1, 1)]
    directory = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", *e) for e in entries) + bytes(4)
    return (b"II*\0" + struct.pack("<I", 8) + directory + struct.pack(f"<{count}I", *[data_at] * count)
            + struct.pack(f"<{count}I", *[len(strip)] * count) + strip)


def tiff_pages(count):
    out = bytearray(b"II*\0" + struct.pack("<I", 8))
    for i in range(count):
        at = len(out)
        directory = struct.pack("<H", 1) + struct.pack("<HHII", 256, 4, 1, 1)
        out += directory + struct.pack("<I", at + len(directory) + 4 if i + 1 < count else 0)
    return bytes(out)


def jpeg_scans(side, count):
    """A progressive JPEG of empty scans: each says in some bytes that no block of the picture has coefficients."""
    def segment(marker, data):
        return bytes([0xff, marker]) + struct.pack(">H", len(data) + 2) + data

    blocks = ((side + 7) // 8) ** 2
    runs = -(-blocks // 32767)
    bits = "".join("0" + "1" * 14 for _ in range(runs))
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    table = segment(0xc4, b"\x10\x01" + bytes(15) + b"\xe0")  # one code: a run of up to 32,767 blocks that end
    scan = segment(0xda, b"\1\1\0\1\x3f\0") + data
    return (b"\xff\xd8" + segment(0xdb, b"\0" + b"\1" * 64) + segment(0xc2, struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0")
            + table + scan * count + b"\xff\xd9")


def webp(side):
    """Lossless, all pixels alike."""
    size = struct.pack("<I", (side - 1) | (side - 1) << 14 | 1 << 28)
    data = b"\x2f" + size + b"\x07\x10\x11\x11\x88\x88\xfe\x07\0"
    body = b"WEBPVP8L" + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def bmp(side):
    """Runs of 8 bits that end at once: all other pixels are 0."""
    data = b"\0\1"
    header = struct.pack("<IiiHHIIiiII", 40, side, side, 1, 8, 1, len(data), 0, 0, 256, 0)
    return b"BM" + struct.pack("<IHHI", 54 + 1024 + len(data), 0, 0, 54 + 1024) + header + bytes(1024) + data


def files():
    """Names and contents."""
    text = png_chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * (60 << 20), 9))
    yield "texts.png", png(text * 40)
    yield "five_texts.png", png(text * 5)
    yield "many_texts.png", png(png_chunk(b"tEXt", b"k\0v") * 300000)
    yield "profile.png", png(png_chunk(b"iCCP", b"p\0\0" + zlib.compress(bytes(ZEROS), 9)))
    for name in (b"tEXt", b"iTXt", b"zTXt", b"sPLT", b"pCAL", b"sCAL", b"eXIf"):
        yield f"declared_{name.decode()}.png", png(struct.pack(">I", 0x7fffffff) + name + b"k\0v")
    yield "bits.png", png(width=30000, height=30000, depth=1, samples=zlib_zeros(2))
    yield "colours.png", png(width=16384, height=16384, depth=16, colour=6, samples=zlib_zeros(33))
    # OpenEXR
    yield "attributes.exr", exr(exr_header(more=b"".join(exr_attribute(b"a%d" % i, b"int", bytes(4)) for i in range(300000))), [bytes(4)])
    yield "attribute.exr", exr(exr_header(more=exr_attribute(b"huge", b"string", b"x", 0x7fffffff)), [bytes(4)])
    yield "texts.exr", exr(exr_header(more=exr_attribute(b"long", b"string", b"x" * (40 << 20))), [bytes(4)])
    names = sorted(b"c%05d" % i for i in range(35000))
    yield "channels.exr", exr(exr_header(64, 64, names), [bytes(4)])
    part = exr_attribute(b"name", b"string", b"p%d") + exr_attribute(b"type", b"string", b"scanlineimage") + exr_attribute(b"chunkCount", b"int", struct.pack("<i", 1))
    parts = b"".join(exr_header(more=part.replace(b"p%d", b"p%d" % (i % 10))) for i in range(20000))
    yield "parts.exr", exr(parts + b"\0", flags=2 | 0x1000)
    side = 20000
    block = exr_zip(bytes(16 * side * 4))
    yield "samples.exr", exr(exr_header(side, side, compression=3), [block] * (side // 16), 16)
    yield "damaged.exr", exr(exr_header(64, 800000, compression=3), [b"\x78\x9cdamaged"] * 50000, 16)
    yield "damaged_piz.exr", exr(exr_header(64, 800000, compression=4), [b"\1\2\3damaged"] * 25000, 32)
    # Volumes
    member = gzip_member(bytes(ZEROS))
    yield "samples.nrrd", nrrd("2048 1024 1024") + member * 32
    yield "skipped.nrrd", nrrd("4 4 4", more="byte skip: 2147483647\n") + member * 33
    yield "tail.nrrd", nrrd("4 4 4") + member * 1300
    yield "empty_members.nrrd", nrrd("4 4 4") + gzip_member(bytes(64)) + gzip_member(b"") * 2000000
    yield "keys.nrrd", nrrd("4 4 4", "raw", "".join(f"k{i}:=v\n" for i in range(1500000))) + bytes(64)
    yield "samples.nii.gz", gzip_member(nifti(2048, 1024, 1024)) + member * 32
    yield "samples.mha", mha("2048 1024 1024") + zlib_zeros(32)
    yield "samples.dcm", dicom_deflated()
    yield "samples.tif", tiff(30000, 30000, zlib.compress(bytes(30000 * 100), 9), 100)
    yield "pages.tif", tiff_pages(300000)
    line = b"\0\0\0\x80" + b"\1\1\1\xff\1\1\1\xff\1\1\1\x0f"
    yield "runs.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 100 +X 1048576\n" + line * 100
    yield "header.hdr", b"#?RADIANCE\n" + b"a=b\n" * 2000000
    # Through OpenCV
    yield "scans.jpg", jpeg_scans(4400, 100000)
    yield "declared.jpg", jpeg_scans(65500, 1)
    yield "samples.webp", webp(16384)
    yield "samples.bmp", bmp(30000)
    yield "declared.pgm", b"P5 60000 60000 255\n" + bytes(100)
    yield "text.pbm", b"P1 1000000 1000\n" + b"1" * 100
    yield "declared.pfm", b"Pf\n60000 60000\n-1\n" + bytes(100)
    yield "declared.raw.json", (b'{"schema": "parallax.raw-volume", "schema_version": 1, "data": "declared.raw.json", "type": "uint8", '
                                b'"width": 100000, "height": 100000, "depth": 1000}')
    yield "nested.raw.json", b'{"schema": "parallax.raw-volume", "x": ' + b"[" * 20000000
    yield "lists.raw.json", b'{"schema": "parallax.raw-volume", "x": [' + b"[]," * 5000000 + b"0]}"
    yield "text.raw.json", b'{"schema": "parallax.raw-volume", "x": "' + b"x" * (100 << 20) + b'"}'


def texts():
    """Names and contents of recipes and records."""
    for schema in ("recipe", "record"):
        start = f'{{"schema": "parallax.{schema}", "schema_version": 1, "steps": '.encode()
        yield f"nested.{schema}.json", start + b"[" * 20000000
        yield f"lists.{schema}.json", start + b"[" + b"[]," * 20000000 + b"0]}"
        yield f"keys.{schema}.json", start + b"{" + b"".join(b'"k%d":0,' % i for i in range(2000000)) + b'"k":0}}'
        yield f"text.{schema}.json", start + b'"' + b"x" * (100 << 20) + b'"}'
        yield f"steps.{schema}.json", start + b"[" + b",".join([b'{"operation": "convolve", "parameters": {}}'] * 200000) + b"]}"


def make_folder(folder):
    """More files than a series has, and deeper folders."""
    deep = folder / "deep"
    deep.mkdir()
    here = os.open(deep, os.O_RDONLY)
    for _ in range(500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    wide = folder / "wide"
    for i in range(100):
        (wide / str(i)).mkdir(parents=True)
        for k in range(1100):
            os.close(os.open(wide / str(i) / str(k), os.O_CREAT | os.O_WRONLY))


def make_pipe(folder):
    (folder / "pipe.nhdr").write_bytes(nrrd("4 4 4", "raw", "line skip: 3\ndata file: pipe.raw\n"))
    os.mkfifo(folder / "pipe.raw")


def make(folder):
    """Returns what `info` is to be given."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, content in files():
        (folder / name).write_bytes(content)
        made.append(name)
    make_pipe(folder)
    make_folder(folder)
    return made + ["pipe.nhdr", "deep", "wide"]


if __name__ == "__main__":
    print("\n".join(make(sys.argv[1])))
