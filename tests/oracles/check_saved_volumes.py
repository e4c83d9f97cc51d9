#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves the integer and the oblique volumes of volumes/ with parallax-cli and compares what SimpleITK and nibabel read with the originals.

Needs numpy, SimpleITK, nibabel (from PyPI).
Usage: check_saved_volumes.py PATH-OF-PARALLAX-CLI
"""
import pathlib
import subprocess
import sys
import tempfile

import nibabel
import numpy as np
import SimpleITK as sitk

FOLDER = pathlib.Path(__file__).resolve().parent / "volumes"


def main():
    compared = 0
    with tempfile.TemporaryDirectory() as temporary:
        for name in ("sitk_int8.nrrd", "sitk_uint8.nrrd", "sitk_int16.mha", "sitk_uint16.nrrd", "sitk_float32.mha"):
            source = sitk.ReadImage(str(FOLDER / name))
            samples = sitk.GetArrayFromImage(source)
            integers = np.issubdtype(samples.dtype, np.integer)
            for extension in ("nrrd", "mha", "nii", "nii.gz"):
                target = pathlib.Path(temporary) / f"{name}.{extension}"
                subprocess.run([sys.argv[1], "run", "-i", FOLDER / name, "-o", target], check=True, stdout=subprocess.DEVNULL)
                saved = sitk.ReadImage(str(target))
                stored = sitk.GetArrayFromImage(saved)
                assert np.issubdtype(stored.dtype, np.integer) == integers, (target.name, stored.dtype)
                assert np.array_equal(stored, samples), target.name
                tolerance = 1e-6 if "nii" in extension else 1e-12  # NIfTI-1 has a geometry of float32
                for a, b in ((saved.GetSpacing(), source.GetSpacing()), (saved.GetOrigin(), source.GetOrigin()),
                             (saved.GetDirection(), source.GetDirection())):
                    assert np.allclose(a, b, rtol=tolerance, atol=10 * tolerance), (target.name, a, b)
                if "nii" in extension:
                    image = nibabel.load(str(target))
                    header = image.header
                    assert header["scl_slope"] in (0, 1) or np.isnan(header["scl_slope"]), target.name
                    assert header["scl_inter"] == 0 or np.isnan(header["scl_inter"]), target.name
                    assert np.array_equal(np.asarray(image.dataobj).T, samples), target.name
                compared += 1
    print(f"{compared} saved volumes are the same in SimpleITK and nibabel")


if __name__ == "__main__":
    main()
