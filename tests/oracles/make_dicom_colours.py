#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes colour and deflated DICOM files to dicom/, and dicom/colours.txt with what pydicom reads from them.

Needs numpy, Pillow, pydicom, SimpleITK (from PyPI).

Lines of colours.txt: "name of the file | number of the frame | width height | largest code | tolerance | codes of red, green, blue of each pixel, rows first".
The codes are those of pydicom; those of JPEG are SimpleITK's, whose decoder may round in another way. Lines with one code for each pixel are
of grey volumes, whose frames are slices.
"""
import io
import pathlib

import numpy as np
import PIL.Image
import pydicom
import SimpleITK as sitk
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.pixels import apply_color_lut, pixel_array
from pydicom.uid import DeflatedExplicitVRLittleEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian, JPEGBaseline8Bit, RLELossless

FOLDER = pathlib.Path(__file__).resolve().parent / "dicom"
WIDTH, HEIGHT = 6, 5
SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7"
lines = []
instances = 0


def codes(seed, *shape, largest=255):
    return np.random.default_rng(seed).integers(0, largest + 1, shape).astype(np.uint8 if largest < 256 else np.uint16)


def base(photometric, samples, bits, pixels, frames=1, planar=0, syntax=ExplicitVRLittleEndian):
    global instances
    instances += 1
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = SECONDARY_CAPTURE
    meta.MediaStorageSOPInstanceUID = f"1.2.826.0.1.3680043.10.543.7.{instances}"
    meta.TransferSyntaxUID = syntax
    data = Dataset()
    data.file_meta = meta
    data.SOPClassUID, data.SOPInstanceUID = SECONDARY_CAPTURE, meta.MediaStorageSOPInstanceUID
    data.SeriesInstanceUID, data.SeriesNumber, data.InstanceNumber, data.Modality = "1.2.826.0.1.3680043.10.543.8", 3, 1, "US"
    data.Rows, data.Columns = HEIGHT, WIDTH
    if frames > 1:
        data.NumberOfFrames = frames
    data.SamplesPerPixel, data.PhotometricInterpretation = samples, photometric
    if samples > 1:
        data.PlanarConfiguration = planar
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = bits, bits, bits - 1, 0
    data.PixelData = pixels.tobytes() + b"\0" * (pixels.nbytes % 2)
    return data


def line(name, frame, values, largest, tolerance=0):
    lines.append(" | ".join([name, str(frame), f"{WIDTH} {HEIGHT}", str(largest), str(tolerance), " ".join(str(int(v)) for v in values.ravel())]))


def write(name, data, frames=1, largest=255):
    path = FOLDER / name
    data.save_as(str(path), enforce_file_format=True)
    for i in range(frames):
        line(name, i, pixel_array(pydicom.dcmread(str(path)), index=i), largest)


def palette(descriptor, words, seed, largest, syntax=ExplicitVRLittleEndian):
    """Indices reach beyond both ends of the palette."""
    entries, first, bits = descriptor
    data = base("PALETTE COLOR", 1, 8, codes(seed, HEIGHT, WIDTH, largest=largest), syntax=syntax)
    for k, colour in enumerate(("Red", "Green", "Blue")):
        setattr(data, f"{colour}PaletteColorLookupTableDescriptor", [entries, first, bits])
        setattr(data, f"{colour}PaletteColorLookupTableData", codes(seed + 1 + k, entries, largest=65535 if words else 255).tobytes())
    return data


def main():
    write("rgb.dcm", base("RGB", 3, 8, codes(1, HEIGHT, WIDTH, 3)))
    write("rgb_implicit.dcm", base("RGB", 3, 8, codes(2, HEIGHT, WIDTH, 3), syntax=ImplicitVRLittleEndian))
    write("rgb_planes.dcm", base("RGB", 3, 8, codes(3, 3, HEIGHT, WIDTH), planar=1))
    write("rgb_16.dcm", base("RGB", 3, 16, codes(4, HEIGHT, WIDTH, 3, largest=65535)), largest=65535)
    write("ybr.dcm", base("YBR_FULL", 3, 8, codes(5, HEIGHT, WIDTH, 3)))
    write("ybr_planes.dcm", base("YBR_FULL", 3, 8, codes(6, 3, HEIGHT, WIDTH), planar=1))
    write("ybr_422.dcm", base("YBR_FULL_422", 3, 8, codes(7, HEIGHT, WIDTH // 2, 4)))
    for name, data, largest in (("palette_8.dcm", palette((40, 10, 8), False, 10, 60), 255),
                                ("palette_16.dcm", palette((40, 10, 16), True, 20, 60), 65535),
                                ("palette_implicit.dcm", palette((256, 0, 16), True, 30, 255, ImplicitVRLittleEndian), 65535)):
        data.save_as(str(FOLDER / name), enforce_file_format=True)
        line(name, 0, apply_color_lut(data.pixel_array, data), largest)
    write("rgb_frames.dcm", base("RGB", 3, 8, codes(40, 3, HEIGHT, WIDTH, 3), frames=3), frames=3)
    write("rgb_deflated.dcm", base("RGB", 3, 8, codes(41, 3, HEIGHT, WIDTH, 3), frames=3, syntax=DeflatedExplicitVRLittleEndian), frames=3)
    for name, data, frames, largest in (("rgb_rle.dcm", base("RGB", 3, 8, codes(42, 2, HEIGHT, WIDTH, 3), frames=2), 2, 255),
                                        ("rgb_16_rle.dcm", base("RGB", 3, 16, codes(43, HEIGHT, WIDTH, 3, largest=65535)), 1, 65535),
                                        ("ybr_rle.dcm", base("YBR_FULL", 3, 8, codes(44, HEIGHT, WIDTH, 3) // 64 * 64), 1, 255)):
        data.compress(RLELossless, generate_instance_uid=False)
        write(name, data, frames, largest=largest)

    # A smooth picture: of noise, JPEG keeps little.
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    smooth = np.stack([40 * x, 50 * y, 255 - 20 * (x + y)], axis=-1).astype(np.uint8)
    stream = io.BytesIO()
    PIL.Image.fromarray(smooth).save(stream, "JPEG", quality=95, subsampling="4:2:2")
    data = base("YBR_FULL_422", 3, 8, smooth, syntax=JPEGBaseline8Bit)
    data.PixelData = encapsulate([stream.getvalue()])
    data["PixelData"].is_undefined_length = True
    data.save_as(str(FOLDER / "ybr_jpeg.dcm"), enforce_file_format=True)
    line("ybr_jpeg.dcm", 0, sitk.GetArrayFromImage(sitk.ReadImage(str(FOLDER / "ybr_jpeg.dcm"))), 255, tolerance=3)

    # Grey frames in a deflated file.
    frames = codes(50, 3, HEIGHT, WIDTH, largest=4095)
    data = base("MONOCHROME2", 1, 16, frames, frames=3, syntax=DeflatedExplicitVRLittleEndian)
    data.PixelSpacing, data.SpacingBetweenSlices = [1, 1], 1
    data.save_as(str(FOLDER / "grey_deflated.dcm"), enforce_file_format=True)
    line("grey_deflated.dcm", 0, pixel_array(pydicom.dcmread(str(FOLDER / "grey_deflated.dcm"))), 65535)
    (FOLDER / "colours.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
