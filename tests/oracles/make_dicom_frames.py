#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes dicom/: multi-frame DICOM files as pydicom writes them, and dicom/frames.txt with what is in them.

Needs numpy, pydicom, SimpleITK (from PyPI).

Lines of frames.txt: "name of the file | number of the volume in it | width height depth | spacing | origin | direction, row by row |
samples, x fastest". Samples are those of pydicom with the rescale of each frame; sizes and geometries are those that were written, and SimpleITK's where it
reads the file as one volume.
"""
import pathlib

import numpy as np
import pydicom
import SimpleITK as sitk
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import ExplicitVRLittleEndian, ImplicitVRLittleEndian, RLELossless

FOLDER = pathlib.Path(__file__).resolve().parent / "dicom"
WIDTH, HEIGHT, FRAMES = 5, 4, 3
SPACING = (0.75, 1.25, 2.5)  # x, y, z
ORIGIN = np.array([-12.5, 7.25, 100.0])
ROW, COLUMN = np.array([1.0, 0, 0]), np.array([0, 0.8, -0.6])
NORMAL = np.cross(ROW, COLUMN)
lines = []


def item(**attributes):
    data = Dataset()
    for name, value in attributes.items():
        setattr(data, name, value)
    return Sequence([data])


def frames(seed, n=FRAMES):
    return np.random.default_rng(seed).integers(0, 4096, (n, HEIGHT, WIDTH)).astype(np.uint16)


def position(k):
    return [float(v) for v in ORIGIN + k * SPACING[2] * NORMAL]


def base(samples, sop_class, modality, syntax):
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = sop_class
    meta.MediaStorageSOPInstanceUID = "1.2.826.0.1.3680043.10.543.1"
    meta.TransferSyntaxUID = syntax
    data = Dataset()
    data.file_meta = meta
    data.SOPClassUID, data.SOPInstanceUID = sop_class, meta.MediaStorageSOPInstanceUID
    data.SeriesInstanceUID, data.SeriesNumber, data.InstanceNumber, data.Modality = "1.2.826.0.1.3680043.10.543.2", 7, 1, modality
    data.Rows, data.Columns, data.NumberOfFrames = HEIGHT, WIDTH, len(samples)
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 12, 11, 0
    data.PixelData = samples.tobytes()
    return data


def enhanced(samples, places, syntax=ExplicitVRLittleEndian, slopes=None, more=None):
    """An Enhanced CT image: orientation, pixel measures and, without `slopes`, the rescale are shared."""
    data = base(samples, "1.2.840.10008.5.1.4.1.1.2.1", "CT", syntax)
    shared = Dataset()
    shared.PlaneOrientationSequence = item(ImageOrientationPatient=[float(v) for v in (*ROW, *COLUMN)])
    shared.PixelMeasuresSequence = item(PixelSpacing=[SPACING[1], SPACING[0]], SliceThickness=SPACING[2])
    if slopes is None:
        shared.PixelValueTransformationSequence = item(RescaleIntercept=-1024, RescaleSlope=1, RescaleType="HU")
    data.SharedFunctionalGroupsSequence = Sequence([shared])
    groups = []
    for i, place in enumerate(places):
        group = Dataset()
        group.FrameContentSequence = item(InStackPositionNumber=place + 1, StackID="1")
        group.PlanePositionSequence = item(ImagePositionPatient=position(place))
        if slopes is not None:
            group.PixelValueTransformationSequence = item(RescaleIntercept=-10, RescaleSlope=slopes[i], RescaleType="US")
        if more:
            more(group, i)
        groups.append(group)
    data.PerFrameFunctionalGroupsSequence = Sequence(groups)
    return data


def write(name, data, volumes, origin, direction, spacing, rescale, check):
    """`volumes`: the frames of each volume in the order of their positions."""
    path = FOLDER / name
    data.save_as(str(path), enforce_file_format=True)
    stored = pydicom.dcmread(str(path)).pixel_array.astype(np.float64)
    for number, order in enumerate(volumes):
        values = np.stack([stored[i] * rescale(i)[0] + rescale(i)[1] for i in order])
        lines.append(" | ".join([name, str(number), f"{WIDTH} {HEIGHT} {len(order)}", " ".join(repr(float(v)) for v in spacing),
                                 " ".join(repr(float(v)) for v in origin), " ".join(repr(float(v)) for v in np.ravel(direction)),
                                 " ".join(repr(float(np.float32(v))) for v in values.ravel())]))
        if check:
            image = sitk.ReadImage(str(path))
            assert image.GetSize() == (WIDTH, HEIGHT, len(order)), name
            assert np.allclose(image.GetSpacing(), spacing) and np.allclose(image.GetOrigin(), origin), (name, image.GetOrigin())
            assert np.allclose(image.GetDirection(), np.ravel(direction), atol=1e-6), (name, image.GetDirection())
            assert np.array_equal(sitk.GetArrayFromImage(image).astype(np.float64), values), name


def main():
    FOLDER.mkdir(exist_ok=True)
    direction = np.stack([ROW, COLUMN, NORMAL], axis=1)
    hounsfield = lambda i: (1, -1024)
    ascending = [list(range(FRAMES))]
    write("enhanced.dcm", enhanced(frames(1), range(FRAMES)), ascending, ORIGIN, direction, SPACING, hounsfield, True)
    data = enhanced(frames(2), range(FRAMES), ImplicitVRLittleEndian)
    write("enhanced_implicit.dcm", data, ascending, ORIGIN, direction, SPACING, hounsfield, True)
    write("enhanced_any_order.dcm", enhanced(frames(3), [2, 0, 1]), [[1, 2, 0]], ORIGIN, direction, SPACING, hounsfield, False)
    slopes = [1, 0.5, 0.25]
    write("enhanced_rescaled.dcm", enhanced(frames(4), range(FRAMES), slopes=slopes), ascending, ORIGIN, direction, SPACING,
          lambda i: (slopes[i], -10), False)
    data = enhanced(frames(5), range(FRAMES))
    data.compress(RLELossless, generate_instance_uid=False)
    write("enhanced_rle.dcm", data, ascending, ORIGIN, direction, SPACING, hounsfield, True)

    # Two phases, and two values of diffusion weighting, of the same places; then places that repeat without a reason.
    def phase(group, i):
        group.FrameContentSequence[0].TemporalPositionIndex = i % 2 + 1
    places = [0, 0, 1, 1, 2, 2]
    two = [[0, 2, 4], [1, 3, 5]]
    write("phases.dcm", enhanced(frames(6, 6), places, more=phase), two, ORIGIN, direction, SPACING, hounsfield, False)

    def weighting(group, i):
        group.MRDiffusionSequence = item(DiffusionBValue=1000.0 * (i % 2))
    write("diffusion.dcm", enhanced(frames(7, 6), places, more=weighting), two, ORIGIN, direction, SPACING, hounsfield, False)
    write("repeated.dcm", enhanced(frames(8, 6), places), two, ORIGIN, direction, SPACING, hounsfield, False)

    # Frames without positions of their own.
    data = base(frames(9), "1.2.840.10008.5.1.4.1.1.7.3", "OT", ExplicitVRLittleEndian)
    data.PixelSpacing, data.SpacingBetweenSlices = [SPACING[1], SPACING[0]], SPACING[2]
    write("plain.dcm", data, ascending, (0, 0, 0), np.eye(3), SPACING, lambda i: (1, 0), False)
    (FOLDER / "frames.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
