#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the small image files of tests/io/files: well-formed ones of each kind, and damaged or hostile ones.

Standard library only, and the same bytes on every run. The samples follow one formula, which made_files_test.cpp repeats:
    value(x, y, c) = (x * 37 + y * 101 + c * 53 + x * y * 7) mod (maximum + 1)
Usage: make_files.py FOLDER
"""
import os
import struct
import sys
import zlib

WIDTH, HEIGHT = 13, 9  # odd, and more than one interlacing block
out = ""


def value(x, y, c, maximum):
    return (x * 37 + y * 101 + c * 53 + x * y * 7) % (maximum + 1)


def save(name, data):
    with open(os.path.join(out, name), "wb") as f:
        f.write(data)


# --- PNG

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind, data, crc=None):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) if crc is None else crc)


def pack_row(samples, depth):
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    if depth == 8:
        return bytes(samples)
    bits = "".join(format(s, f"0{depth}b") for s in samples)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def png(colour_type, depth, interlaced=False, extra=b"", before_palette=b"", size=(WIDTH, HEIGHT), header=None):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour_type]
    maximum = (1 << depth) - 1
    width, height = size
    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    raw = b""
    for x0, y0, dx, dy in passes:
        for y in range(y0, height, dy):
            row = [value(x, y, c, maximum) for x in range(x0, width, dx) for c in range(channels)]
            if row:
                raw += b"\0" + pack_row(row, depth)
    data = SIGNATURE + chunk(b"IHDR", header or struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, int(interlaced)))
    data += before_palette
    if colour_type == 3:
        data += chunk(b"PLTE", b"".join(bytes(((i * 11) % 256, (i * 29 + 5) % 256, (i * 71 + 9) % 256)) for i in range(maximum + 1)))
    return data + extra + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def icc_profile(gamma):
    """The least that readers accept: a display profile of RGB with one tone curve, a plain power."""
    tag = b"curv" + bytes(4) + struct.pack(">IHxx", 1, round(gamma * 256))
    rest = bytes(value(i, i * i, 3, 255) for i in range(200))  # libpng reads no chunk of less than 81 bytes
    size = 128 + 4 + 24 + len(tag) + len(rest)
    header = struct.pack(">I4sI4s4s4s12x4s", size, bytes(4), 0x02100000, b"mntr", b"RGB ", b"XYZ ", b"acsp")
    header += bytes(68 - len(header)) + struct.pack(">III", 0xF6D6, 0x10000, 0xD32D)
    header += bytes(128 - len(header))
    tags = b"rTRC" + struct.pack(">II", 156, len(tag)) + b"rest" + struct.pack(">II", 156 + len(tag), len(rest))
    return header + struct.pack(">I", 2) + tags + tag + rest


def make_png():
    for colour_type, name in ((0, "grey"), (2, "rgb"), (3, "palette"), (4, "grey_alpha"), (6, "rgb_alpha")):
        for depth in (1, 2, 4, 8, 16):
            if (depth < 8 and colour_type not in (0, 3)) or (depth == 16 and colour_type == 3):
                continue
            for interlaced in (False, True):
                save(f"png_{name}_{depth}{'_interlaced' if interlaced else ''}.png", png(colour_type, depth, interlaced))
    save("png_linear.png", png(0, 16, before_palette=chunk(b"gAMA", struct.pack(">I", 100000))))
    save("png_gamma18.png", png(0, 8, before_palette=chunk(b"gAMA", struct.pack(">I", 55556))))
    save("png_cicp_linear.png", png(2, 8, before_palette=chunk(b"cICP", bytes((1, 8, 0, 1)))))
    save("png_cicp_pq.png", png(2, 8, before_palette=chunk(b"cICP", bytes((9, 16, 0, 1)))))
    save("png_cicp_hlg.png", png(2, 8, before_palette=chunk(b"cICP", bytes((9, 18, 0, 1)))))
    save("png_cicp_bt709.png", png(0, 8, before_palette=chunk(b"cICP", bytes((1, 1, 0, 1)))))
    save("png_cicp_p3.png", png(2, 8, before_palette=chunk(b"cICP", bytes((12, 13, 0, 1)))))
    save("png_cicp_unknown.png", png(2, 8, before_palette=chunk(b"cICP", bytes((22, 13, 0, 1)))))
    exif = chunk(b"eXIf", b"MM\0*" + struct.pack(">IHHHIHxxI", 8, 1, 274, 3, 1, 6, 0))
    save("png_exif_before.png", png(2, 8, before_palette=exif))
    save("png_exif_behind.png", png(2, 8)[:-12] + exif + chunk(b"IEND", b""))
    save("png_icc_power.png", png(2, 8, before_palette=chunk(b"iCCP", b"Own power\0\0" + zlib.compress(icc_profile(1.8), 9))))
    save("png_grey_key.png", png(0, 8, extra=chunk(b"tRNS", struct.pack(">H", value(3, 2, 0, 255)))))
    save("png_palette_alpha.png", png(3, 4, extra=chunk(b"tRNS", bytes(range(0, 256, 16)))))
    save("png_texts.png", png(0, 8, extra=chunk(b"tEXt", b"Author\0J\xfcrgen") + chunk(b"iTXt", b"Title\0\0\0\0\0" + "Läufer".encode())
                              + chunk(b"pHYs", struct.pack(">IIB", 2000, 1000, 1))))
    # Damaged: each must be refused with libpng's reason.
    good = png(2, 8)
    save("bad_png_truncated.png", good[:-60])
    save("bad_png_no_data.png", SIGNATURE + good[8:33] + chunk(b"IEND", b""))
    save("bad_png_crc.png", good[:40] + bytes((good[40] ^ 1,)) + good[41:])
    save("bad_png_header_crc.png", good[:29] + b"\0\0\0\0" + good[33:])
    save("bad_png_signature.png", good.replace(b"\r\n", b"\n", 1))
    save("bad_png_depth.png", png(2, 8, header=struct.pack(">IIBBBBB", WIDTH, HEIGHT, 3, 2, 0, 0, 0)))
    save("bad_png_no_palette.png", SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)) + good[33:])
    save("bad_png_huge.png", png(6, 16, header=struct.pack(">IIBBBBB", 0x7ffffff0, 0x7ffffff0, 16, 6, 0, 0, 0)))
    save("bad_png_large.png", png(6, 16, header=struct.pack(">IIBBBBB", 30000, 30000, 16, 6, 0, 0, 1)))
    save("bad_png_zero.png", png(2, 8, header=struct.pack(">IIBBBBB", 0, HEIGHT, 8, 2, 0, 0, 0)))
    save("bad_png_text.png", b"this is a text with a wrong name\n")


# --- OpenEXR

HALF, FLOAT, UINT = 1, 2, 0
NO_COMPRESSION, ZIP_COMPRESSION = 0, 3


def attribute(name, kind, data):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(data)) + data


def exr_header(channels, window, compression=NO_COMPRESSION, extra=b"", display=None, tiles=None, channel_list=None):
    if channel_list is None:
        channel_list = b"".join(n.encode() + b"\0" + struct.pack("<iB3xii", t, 0, 1, 1) for n, t in sorted(channels)) + b"\0"
    flags = 2 | (0x200 if tiles else 0)
    data = struct.pack("<II", 20000630, flags)
    data += attribute("channels", "chlist", channel_list)
    data += attribute("compression", "compression", bytes((compression,)))
    data += attribute("dataWindow", "box2i", struct.pack("<4i", *window))
    data += attribute("displayWindow", "box2i", struct.pack("<4i", *(display or window)))
    data += attribute("lineOrder", "lineOrder", b"\0")
    data += attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    data += attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
    data += attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    if tiles:
        data += attribute("tiles", "tiledesc", struct.pack("<IIB", *tiles, 0))
    return data + extra + b"\0"


def exr_sample(x, y, c, kind):
    v = value(x, y, c, 1023)
    return {HALF: lambda: struct.pack("<e", v / 64), FLOAT: lambda: struct.pack("<f", v / 7), UINT: lambda: struct.pack("<I", v)}[kind]()


def zip_block(raw):
    """Even and odd bytes apart, then differences, then deflate; raw if that is not smaller."""
    split = bytearray(raw[0::2] + raw[1::2])
    for i in range(len(split) - 1, 0, -1):
        split[i] = (split[i] - split[i - 1] + 128) & 255
    packed = zlib.compress(bytes(split), 9)
    return packed if len(packed) < len(raw) else raw


def exr(channels, window, compression=NO_COMPRESSION, extra=b"", display=None, drop=0):
    """`drop` leaves out the last blocks: their places in the offset table stay 0, as when a program stopped while writing."""
    header = exr_header(channels, window, compression, extra, display)
    x0, y0, x1, y1 = window
    lines = 16 if compression == ZIP_COMPRESSION else 1
    blocks = []
    for top in range(y0, y1 + 1, lines):
        raw = b""
        for y in range(top, min(y1 + 1, top + lines)):
            for c, (_, kind) in enumerate(sorted(channels)):
                raw += b"".join(exr_sample(x - x0, y - y0, c, kind) for x in range(x0, x1 + 1))
        packed = zip_block(raw) if compression == ZIP_COMPRESSION else raw
        blocks.append(struct.pack("<ii", top, len(packed)) + packed)
    offsets, at = b"", len(header) + 8 * len(blocks)
    for i, b in enumerate(blocks):
        offsets += struct.pack("<Q", at if i < len(blocks) - drop else 0)
        at += len(b)
    return header + offsets + b"".join(blocks[:len(blocks) - drop])


def make_exr():
    rgb = [("R", HALF), ("G", HALF), ("B", HALF)]
    window = (-3, 5, -3 + WIDTH - 1, 5 + 20 - 1)  # 13 x 20: two ZIP blocks
    save("exr_none_half.exr", exr(rgb, window, display=(0, 0, 31, 31)))
    save("exr_zip_half.exr", exr(rgb, window, ZIP_COMPRESSION, display=(0, 0, 31, 31)))
    save("exr_none_mixed.exr", exr([("diffuse.R", FLOAT), ("id", UINT), ("Z", FLOAT), ("A", HALF)], (0, 0, WIDTH - 1, HEIGHT - 1)))
    own = attribute("mine", "ownType", bytes(range(17))) + attribute("owner", "string", b"J\xfcrgen")
    save("exr_zip_attributes.exr", exr(rgb, (0, 0, WIDTH - 1, HEIGHT - 1), ZIP_COMPRESSION, extra=own))
    save("exr_incomplete.exr", exr(rgb, window, ZIP_COMPRESSION, drop=1))
    # Damaged and hostile.
    good = exr(rgb, window, ZIP_COMPRESSION)
    header = exr_header(rgb, window, ZIP_COMPRESSION)
    save("bad_exr_truncated_header.exr", good[:100])
    save("bad_exr_only_header.exr", header)
    save("bad_exr_damaged_block.exr", good[:len(header) + 40] + bytes(80) + good[len(header) + 120:])
    save("bad_exr_offsets_outside.exr", header + struct.pack("<2Q", 1 << 40, (1 << 64) - 8) + good[len(header) + 16:])
    save("bad_exr_offsets_loop.exr", header + struct.pack("<2Q", 4, 4) + good[len(header) + 16:])
    save("bad_exr_huge_window.exr", exr_header(rgb, (0, 0, 99999, 9999)) + bytes(200))
    save("bad_exr_tall_window.exr", exr_header(rgb, (0, 0, 0, 0x3ffffffe)) + bytes(200))
    save("bad_exr_wide_window.exr", exr_header(rgb, (0, 0, 0x3ffffffe, 0)) + bytes(200))
    save("bad_exr_inverted_window.exr", exr_header(rgb, (10, 10, 0, 0)) + bytes(200))
    save("bad_exr_huge_tiles.exr", exr_header(rgb, (0, 0, 63, 63), tiles=(0x7fffffff, 0x7fffffff)) + bytes(200))
    save("bad_exr_large_tiles.exr", exr_header(rgb, (0, 0, 63, 63), tiles=(60000, 60000)) + bytes(200))
    save("bad_exr_no_channels.exr", exr_header(rgb, window, channel_list=b"\0") + bytes(200))
    save("bad_exr_channel_type.exr", exr_header(rgb, window, channel_list=b"R\0" + struct.pack("<iB3xii", 77, 0, 1, 1) + b"\0") + bytes(200))
    save("bad_exr_sampling.exr", exr_header(rgb, window, channel_list=b"R\0" + struct.pack("<iB3xii", 1, 0, 0, -1) + b"\0") + bytes(200))
    save("bad_exr_compression.exr", exr_header(rgb, window, compression=99) + bytes(200))
    save("bad_exr_attribute_size.exr", struct.pack("<II", 20000630, 2) + b"channels\0chlist\0" + struct.pack("<i", 0x7fffffff) + bytes(50))
    save("bad_exr_text.exr", b"not an image")


# --- Others: headers that promise more than there is.

# --- TIFF

def tiff(bits, samples, photometric, extra=(), planes=1, big_endian=False, constant=None):
    """Uncompressed, in one strip or one a plane. `extra` are further tags of one short number each."""
    order = ">" if big_endian else "<"
    maximum = (1 << bits) - 1
    def row(y, channels):
        numbers = [value(x, y, c, maximum) if constant is None else constant for x in range(WIDTH) for c in channels]
        return struct.pack(f"{order}{len(numbers)}H", *numbers) if bits == 16 else pack_row(numbers, bits)

    if planes == 2:
        pixels = b"".join(row(y, [c]) for c in range(samples) for y in range(HEIGHT))
    else:
        pixels = b"".join(row(y, range(samples)) for y in range(HEIGHT))
    strips = samples if planes == 2 else 1
    data, at = b"", 8

    def place(form, values):  # of what does not fit into an entry
        nonlocal data
        data += struct.pack(order + str(len(values)) + form, *values)
        return at + len(pixels) + len(pixels) % 2 + len(data) - struct.calcsize(order + str(len(values)) + form)

    def entry(tag, form, *values):
        packed = struct.pack(order + str(len(values)) + form, *values)
        inside = packed.ljust(4, b"\0") if len(packed) <= 4 else struct.pack(order + "I", place(form, values))
        return struct.pack(order + "HHI", tag, {"H": 3, "I": 4}[form], len(values)) + inside

    entries = [entry(256, "H", WIDTH), entry(257, "H", HEIGHT), entry(258, "H", *[bits] * samples), entry(259, "H", 1), entry(262, "H", photometric),
               entry(273, "I", *[at + i * len(pixels) // strips for i in range(strips)]), entry(277, "H", samples), entry(278, "H", HEIGHT),
               entry(279, "I", *[len(pixels) // strips] * strips), entry(284, "H", planes)]
    entries += [entry(tag, "H", number) for tag, number in extra]
    entries.sort(key=lambda e: struct.unpack(order + "H", e[:2]))
    body = pixels + bytes(len(pixels) % 2) + data
    directory = struct.pack(order + "H", len(entries)) + b"".join(entries) + bytes(4)
    return (b"MM" if big_endian else b"II") + struct.pack(order + "HI", 42, 8 + len(body)) + body + directory


def make_tiff():
    # The tags: 274 orientation, 338 what samples beyond the colours are (2: alpha that colours are not multiplied by).
    for bits in (8, 16):
        save(f"tiff_turned_{bits}.tif", tiff(bits, 3, 2, [(274, 6)]))
        save(f"tiff_white_{bits}.tif", tiff(bits, 1, 0, big_endian=True))
        save(f"tiff_alpha_{bits}.tif", tiff(bits, 4, 2, [(338, 2)]))
        save(f"tiff_planes_{bits}.tif", tiff(bits, 3, 2, planes=2))
        save(f"tiff_unnamed_{bits}.tif", tiff(bits, 3, 1))
        save(f"tiff_grey_alpha_{bits}.tif", tiff(bits, 2, 1, [(338, 2)]))
    for bits in (4, 12):  # packed
        save(f"tiff_packed_{bits}.tif", tiff(bits, 3, 2))
    save("full_scale_12.tif", tiff(12, 3, 2, constant=4095))
    save("bad_tiff_lab_16.tif", tiff(16, 3, 8))
    save("bad_tiff_24.tif", tiff(24, 1, 1))
    save("bad_tiff_big.tif", struct.pack("<2sHHHQ", b"II", 43, 8, 0, 16) + bytes(64))


def make_others():
    pixels = b"".join(struct.pack("<f", value(x, HEIGHT - 1 - y, 0, 255) / 16) for y in range(HEIGHT) for x in range(WIDTH))
    save("pfm_grey.pfm", b"Pf\n%d %d\n-1.0\n" % (WIDTH, HEIGHT) + pixels)
    save("pnm_10_bit.pgm", b"P5\n# ten bits\n%d %d\n1023\n" % (WIDTH, HEIGHT) +
         b"".join(struct.pack(">H", value(x, y, 0, 1023)) for y in range(HEIGHT) for x in range(WIDTH)))
    save("pnm_to_100.pgm", b"P5\n%d %d\n100\n" % (WIDTH, HEIGHT) + bytes(value(x, y, 0, 100) for y in range(HEIGHT) for x in range(WIDTH)))
    # Nothing behind the last number.
    save("pnm_text.pgm", b"P2\n%d %d\n15\n" % (WIDTH, HEIGHT) + b" ".join(b"%d" % value(x, y, 0, 15) for y in range(HEIGHT) for x in range(WIDTH)))
    save("bad_pfm_huge.pfm", b"PF\n900000 900000\n-1.0\n" + bytes(64))
    save("bad_pfm_negative.pfm", b"PF\n-4 4\n-1.0\n" + bytes(64))
    save("bad_hdr_huge.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 900000 +X 30000\n" + bytes(64))
    save("bad_hdr_truncated.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16 +X 16\n\2\2\0\20\x90")
    save("bad_bmp_huge.bmp", b"BM" + struct.pack("<IHHI", 100, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 30000, 30000, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(40))
    save("bad_pnm_huge.ppm", b"P6\n30000 30000\n255\n" + bytes(40))
    save("bad_jpeg_huge.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\0\x11\x08\xff\xf0\xff\xf0\3\1\x22\0\2\x11\1\3\x11\1" + bytes(40))
    entries = ((256, 4, 1, 60000), (257, 4, 1, 60000), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, 60000),
               (279, 4, 1, 8))
    save("bad_tiff_huge.tif", struct.pack("<2sHI", b"II", 42, 8) + struct.pack("<H", len(entries)) +
         b"".join(struct.pack("<HHII", *e) for e in entries) + bytes(4))
    save("bad_nifti.nii", bytes(344) + b"n+1\0")
    save("bad_dicom.dcm", bytes(128) + b"DICM" + bytes(20))
    save("bad_nothing.jpg", b"\0" * 40)


def main():
    global out
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    make_png()
    make_exr()
    make_tiff()
    make_others()


if __name__ == "__main__":
    main()
