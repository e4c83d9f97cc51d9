# SPDX-License-Identifier: GPL-3.0-or-later
"""A CT series is filtered in three dimensions, rendered, measured and saved as DICOM, NIfTI and picture, and opened again by SimpleITK and pydicom."""
import math
import re
import sys
import unittest

from command_line import INPUT, OUTPUT, SUCCESS, USAGE, CommandLineTest
from made_volumes import write_dicom

try:
    import numpy as np
    import pydicom
    import SimpleITK as sitk
except ImportError as missing:
    print(f"skipped: {missing.name} is missing; pip install numpy pydicom SimpleITK")
    sys.exit(77)  # as CTest expects

WIDTH, HEIGHT, DEPTH = 24, 20, 11
SPACING = (0.75, 0.5, 2.5)
ROW = np.array([math.cos(0.3), math.sin(0.3), 0])
COLUMN = np.array([-math.sin(0.3) * math.cos(0.2), math.cos(0.3) * math.cos(0.2), math.sin(0.2)])
NORMAL = np.cross(ROW, COLUMN)
ORIGIN = np.array([-31.25, -40.5, 103])
CT_IMAGE, SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.7"
PATIENT = {
    0x00100010: (b"PN", "Mustermann^Erika"),
    0x00100020: (b"LO", "PAT-Kennung"),
    0x00080020: (b"DA", "20200131"),
    0x0020000D: (b"UI", "1.2.3.77"),
    0x00200052: (b"UI", "1.2.3.78"),
}
SIGMA, SIZE = 0.9, 5
FILTER = ["--op", f"convolve:kernel=gaussian,size={SIZE},sigma={SIGMA},axes=xyz", "--backend", "openmp"]


def phantom():
    """A ball of 700 HU with a shell of 1,300 in air, and a ramp, as int16; z, y, x."""
    z, y, x = np.mgrid[0:DEPTH, 0:HEIGHT, 0:WIDTH]
    radius = np.sqrt(((x - 12) * SPACING[0] / 8) ** 2 + ((y - 9) * SPACING[1] / 4) ** 2 + ((z - 5) * SPACING[2] / 11) ** 2)
    return np.where(radius < 0.8, 700, np.where(radius < 1, 1300, -1000 + 3 * x)).astype(np.int16)


def filtered(volume):
    """The same window, of separate weights; the border is replicated."""
    k = np.arange(SIZE) - SIZE // 2
    weights = np.exp(-(k / SIGMA) ** 2 / 2)
    weights /= weights.sum()
    out = volume.astype(np.float64)
    for axis in range(3):
        out = np.apply_along_axis(lambda line: np.convolve(np.pad(line, SIZE // 2, mode="edge"), weights, mode="valid"), axis, out)
    return out


def largest_error(text):
    """The rounding error that the program states; 0 if it rounded nothing."""
    found = re.search(r"the largest error is ([0-9.e+-]+)", text)
    return float(found[1]) if found else 0.0


def read_series(folder):
    return sitk.ReadImage(sitk.ImageSeriesReader.GetGDCMSeriesFileNames(str(folder)))


class Derived(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.path("ct").mkdir()
        self.volume = phantom()
        for i in range(DEPTH):
            position = ORIGIN + i * SPACING[2] * NORMAL
            where = {0x00200032: (b"DS", "\\".join(f"{v:.10g}" for v in position)),
                     0x00200037: (b"DS", "\\".join(f"{v:.10g}" for v in (*ROW, *COLUMN)))}
            write_dicom(self.path("ct") / f"IM{(7 * i + 3) % 101:03d}", 0, i + 1, width=WIDTH, height=HEIGHT,
                        pixels=[int(v) + 1024 for v in self.volume[i].ravel()], more={0x00080016: (b"UI", CT_IMAGE), **where, **PATIENT})
        self.source = read_series(self.path("ct"))

    def same_geometry(self, image, tolerance=1e-6):
        for get in ("GetSize", "GetSpacing", "GetOrigin", "GetDirection"):
            np.testing.assert_allclose(getattr(image, get)(), getattr(self.source, get)(), atol=tolerance, rtol=0, err_msg=get)

    def slices(self, folder):
        return [pydicom.dcmread(p) for p in sorted(self.path(folder).iterdir())]

    def test_the_series_is_what_was_made(self):
        self.assertEqual(self.source.GetSize(), (WIDTH, HEIGHT, DEPTH))
        np.testing.assert_allclose(self.source.GetSpacing(), SPACING, atol=1e-6)
        np.testing.assert_array_equal(sitk.GetArrayFromImage(self.source), self.volume)

    def test_a_filtered_series_opens_elsewhere_with_its_geometry_and_values(self):
        _, err = self.cli("run", "-i", "ct", "-o", "out/", *FILTER)
        error = largest_error(err)
        expected = filtered(self.volume)
        self.assertLess(error, (expected.max() - expected.min()) / 65535)
        back = read_series(self.path("out"))
        self.same_geometry(back)
        np.testing.assert_allclose(sitk.GetArrayFromImage(back), expected, atol=error + 1e-3)
        self.cli("run", "-i", "ct", "-o", "out.nii.gz", *FILTER)
        nifti = sitk.ReadImage(str(self.path("out.nii.gz")))
        self.same_geometry(nifti, 1e-4)  # NIfTI-1 has a geometry of float32
        np.testing.assert_allclose(sitk.GetArrayFromImage(back), sitk.GetArrayFromImage(nifti), atol=1.001 * error)
        self.assertGreater(np.abs(sitk.GetArrayFromImage(back) - self.volume).max(), 100, "something was filtered")

    def test_measures_agree_with_another_reader(self):
        self.cli("run", "-i", "ct", "-o", "out/", *FILTER)
        back = read_series(self.path("out"))
        values = sitk.GetArrayFromImage(back)
        item = self.json("info", "out", "--at", "11,9,5", "--at", "3,17,9")["items"][0]
        self.assertEqual((item["unit"], item["kind"]), ("HU", "volume"))
        for sample in item["samples"]:
            x, y, z = sample["x"], sample["y"], sample["z"]
            self.assertAlmostEqual(sample["values"]["Y"], float(values[z, y, x]), places=3)
            np.testing.assert_allclose(sample["position"], back.TransformIndexToPhysicalPoint((x, y, z)), atol=1e-6)
        channel = item["channels"][0]
        for key, value in (("min", values.min()), ("max", values.max()), ("mean", values.mean())):
            self.assertAlmostEqual(channel[key], float(value), delta=1e-3, msg=key)

    def test_integers_stay_what_they_are(self):
        _, err = self.cli("run", "-i", "ct", "-o", "out/")
        self.assertNotIn("rounded", err)
        back = read_series(self.path("out"))
        self.same_geometry(back)
        np.testing.assert_array_equal(sitk.GetArrayFromImage(back), self.volume)

    def test_files_are_derived_ct_images_without_a_patient(self):
        self.cli("run", "-i", "ct", "-o", "out/", *FILTER)
        source = {d.InstanceNumber: d for d in map(pydicom.dcmread, self.path("ct").iterdir())}
        slices = self.slices("out")
        self.assertEqual([p.name for p in sorted(self.path("out").iterdir())], [f"image_{i + 1:04d}.dcm" for i in range(DEPTH)])
        self.assertEqual(len({d.SOPInstanceUID for d in slices}), DEPTH)
        for i, d in enumerate(slices):
            self.assertEqual((d.SOPClassUID, d.file_meta.MediaStorageSOPClassUID, d.Modality), (CT_IMAGE, CT_IMAGE, "CT"))
            self.assertEqual(d.file_meta.TransferSyntaxUID, pydicom.uid.ExplicitVRLittleEndian)
            self.assertEqual(list(d.ImageType), ["DERIVED", "SECONDARY", "AXIAL"])
            self.assertEqual((d.InstanceNumber, d.RescaleType, d.BitsAllocated, d.PatientIdentityRemoved), (i + 1, "HU", 16, "YES"))
            self.assertIn("convolve:axes=xyz", d.DerivationDescription)
            self.assertTrue(d.SeriesInstanceUID.startswith("2.25.") and d.SOPInstanceUID.startswith("2.25."))
            self.assertEqual((str(d.PatientName), d.PatientID, d.StudyDate), ("", "", ""))
            self.assertNotIn(d.StudyInstanceUID, ("1.2.3.77", ""))
            self.assertNotIn("SourceImageSequence", d)
            np.testing.assert_allclose(d.ImagePositionPatient, source[i + 1].ImagePositionPatient, atol=1e-8)
            np.testing.assert_allclose(d.ImageOrientationPatient, source[i + 1].ImageOrientationPatient, atol=1e-8)
            np.testing.assert_allclose((*d.PixelSpacing, d.SpacingBetweenSlices), (SPACING[1], SPACING[0], SPACING[2]), atol=1e-8)
        bytes_of_all = b"".join(p.read_bytes() for p in self.path("out").iterdir())
        for text in (b"Mustermann", b"Kennung", b"20200131", b"1.2.3.77", b"1.2.3.78"):
            self.assertNotIn(text, bytes_of_all)

    def test_the_patient_is_copied_on_request(self):
        self.cli("run", "-i", "ct", "-o", "out/", *FILTER, "--keep-patient")
        source = {d.InstanceNumber: d for d in map(pydicom.dcmread, self.path("ct").iterdir())}
        for i, d in enumerate(self.slices("out")):
            self.assertEqual((str(d.PatientName), d.PatientID, d.StudyDate), ("Mustermann^Erika", "PAT-Kennung", "20200131"))
            self.assertEqual((d.StudyInstanceUID, d.FrameOfReferenceUID), ("1.2.3.77", "1.2.3.78"))
            self.assertNotEqual(d.SeriesInstanceUID, source[i + 1].SeriesInstanceUID)
            (reference,) = d.SourceImageSequence
            self.assertEqual((reference.ReferencedSOPClassUID, reference.ReferencedSOPInstanceUID), (CT_IMAGE, source[i + 1].SOPInstanceUID))
            self.assertNotIn("PatientIdentityRemoved", d)
        self.cli("run", "-i", "ct", "-o", "mip.dcm", "--op", "render", "--backend", "openmp", "--keep-patient")
        self.assertEqual(len(pydicom.dcmread(self.path("mip.dcm")).SourceImageSequence), DEPTH, "a picture of the whole series")
        _, err = self.cli("run", "-i", "synthetic:noise:8x8x4", "-o", "other/", "--keep-patient", code=USAGE)
        self.assertIn("not DICOM", err)
        _, err = self.cli("run", "-i", "ct", "-o", "a.nii", "--keep-patient", code=USAGE)
        self.assertIn("--keep-patient", err)

    def test_the_same_run_writes_the_same_files(self):
        for name in ("a/", "b/"):
            self.cli("run", "-i", "ct", "-o", name, *FILTER)
        for path in self.path("a").iterdir():
            self.assertEqual(path.read_bytes(), (self.path("b") / path.name).read_bytes())

    def test_a_tilted_gantry_stays_tilted(self):
        self.path("tilted").mkdir()
        for i in range(5):
            write_dicom(self.path("tilted") / str(i), 4 * i, i + 1, more={0x00080016: (b"UI", CT_IMAGE), 0x00200037: (b"DS", "1\\0\\0\\0\\0.8\\-0.6")})
        self.cli("run", "-i", "tilted", "-o", "out/", "--op", "convolve:kernel=gaussian,size=3", "--backend", "openmp")
        for i, d in enumerate(self.slices("out")):
            np.testing.assert_allclose(d.ImagePositionPatient, (-12.5, -20, 4 * i), atol=1e-9)
            np.testing.assert_allclose(d.ImageOrientationPatient, (1, 0, 0, 0, 0.8, -0.6), atol=1e-9)
            self.assertAlmostEqual(d.SpacingBetweenSlices, 3.2, msg="4 mm along z are 3.2 mm across the slices")

    def test_renderings_are_secondary_captures(self):
        _, err = self.cli("run", "-i", "ct", "-o", "mip.dcm", *FILTER[:2], "--op", "render:view=xz,width=40,height=30", "--backend", "openmp")
        error = largest_error(err)
        self.cli("run", "-i", "ct", "-o", "mip.pfm", *FILTER[:2], "--op", "render:view=xz,width=40,height=30", "--backend", "openmp")
        self.assertLessEqual(self.json("diff", "mip.dcm", "mip.pfm", "--tolerance", str(1.001 * error))["max_abs"], 1.001 * error)
        picture = pydicom.dcmread(self.path("mip.dcm"))
        self.assertEqual((picture.SOPClassUID, picture.ConversionType, picture.Modality), (SECONDARY_CAPTURE, "WSD", "CT"))
        self.assertNotIn("ImagePositionPatient", picture)
        values = sitk.GetArrayFromImage(sitk.ReadImage(str(self.path("mip.dcm"))))[0]
        self.assertEqual(values.shape, (30, 40))
        self.assertAlmostEqual(float(values.max()), self.json("info", "mip.pfm")["items"][0]["channels"][0]["max"], delta=1.001 * error)
        for name in ("skin.dcm", "skin.png"):
            self.cli("run", "-i", "ct", "-o", name, "--op", "render:mode=surface,threshold=200,width=41,height=31", "--backend", "openmp",
                     *(["--depth", "8"] if name.endswith("png") else []))
        colours = pydicom.dcmread(self.path("skin.dcm"))
        self.assertEqual((colours.SOPClassUID, colours.PhotometricInterpretation, colours.BitsAllocated), (SECONDARY_CAPTURE, "RGB", 8))
        expected = sitk.GetArrayFromImage(sitk.ReadImage(str(self.path("skin.png"))))
        np.testing.assert_array_equal(colours.pixel_array, expected)
        np.testing.assert_array_equal(sitk.GetArrayFromImage(sitk.ReadImage(str(self.path("skin.dcm"))))[0], expected)
        self.assertGreater(len(np.unique(expected)), 10)

    def test_volumes_of_other_formats_keep_their_geometry(self):
        sitk.WriteImage(self.source, str(self.path("in.nii")))
        self.cli("run", "-i", "in.nii", "-o", "out/")
        back = read_series(self.path("out"))
        np.testing.assert_array_equal(sitk.GetArrayFromImage(back), self.volume)
        self.same_geometry(back, 1e-4)
        first = self.slices("out")[0]
        self.assertEqual((first.SOPClassUID, first.Modality), (SECONDARY_CAPTURE, "OT"), "nothing says what it is")

    def test_slices_are_single_files(self):
        first = min(self.path("ct").iterdir())
        self.cli("run", "-i", f"ct/{first.name}", "-o", "slice.dcm", "--op", "convolve:kernel=gaussian,size=3", "--backend", "openmp")
        slice_, source = pydicom.dcmread(self.path("slice.dcm")), pydicom.dcmread(first)
        np.testing.assert_allclose(slice_.ImagePositionPatient, source.ImagePositionPatient, atol=1e-8)
        self.assertEqual(slice_.SOPClassUID, CT_IMAGE)

    def test_nothing_is_replaced_unasked(self):
        self.cli("run", "-i", "ct", "-o", "out/")
        _, err = self.cli("run", "-i", "ct", "-o", "out/", code=OUTPUT)
        self.assertIn("not empty", err)
        self.cli("run", "-i", "ct", "-o", "out/", "--force", *FILTER)
        (self.path("out") / "mine.txt").write_text("mine")
        self.cli("run", "-i", "ct", "-o", "out/", "--force", code=OUTPUT)
        self.assertTrue((self.path("out") / "mine.txt").exists())
        _, err = self.cli("run", "-i", "ct", "-o", "volume.dcm", code=USAGE)
        self.assertIn("a folder of DICOM images (NAME/)", err)
        self.cli("run", "-i", "none", "-o", "new/", code=INPUT)
        self.assertEqual(self.leftovers(), ["ct", "out"])

    def test_a_batch_writes_a_folder_for_each_volume(self):
        for name in ("a.nii", "b.nii"):
            sitk.WriteImage(self.source, str(self.path(name)))
        self.cli("run", "-i", "*.nii", "-o", "out/{name}/", *FILTER)
        self.assertEqual(sorted(p.name for p in self.path("out").iterdir()), ["a", "b"])
        self.assertEqual(len(self.slices("out/b")), DEPTH)
        self.cli("run", "-i", "*.nii", "-o", "out/{name}/", *FILTER, code=OUTPUT)
        out, _ = self.cli("run", "-i", "*.nii", "-o", "out/{name}/", *FILTER, "--resume", "--json", code=SUCCESS)
        self.assertIn('"up_to_date": 2', out)


if __name__ == "__main__":
    unittest.main()
