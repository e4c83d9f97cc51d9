# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes on the command line: DICOM, NIfTI and raw samples, and the privacy of patient data."""
import gzip
import json
import os
import pathlib
import re
import signal
import struct
import time
import unittest

from command_line import BLUR, INPUT, MEMORY, OUTPUT, PATIENCE, SAME, SUCCESS, TERMINATED, UNAVAILABLE, USAGE, CommandLineTest, needs_test_data
from made_volumes import read_nifti, write_dicom, write_series

FOLDER = pathlib.Path(os.environ.get("PARALLAX_TEST_DATA") or os.environ["PARALLAX_TEST_DATA_DEFAULT"]).resolve()
# Letters, and dates with a leading zero: short digit strings occur in reports by chance.
PATIENT = {
    0x00100010: (b"PN", "Mustermann^Erika"),
    0x00100020: (b"LO", "PAT-Kennung"),
    0x00100030: (b"DA", "09640812"),
    0x00080080: (b"LO", "Hospital of Nowhere"),
    0x00080090: (b"PN", "Referrer^Rita"),
    0x00080020: (b"DA", "09840229"),
    0x0008103E: (b"LO", "Abdomen Erika 5mm"),
}
NAMES = ("Mustermann", "Erika", "Kennung", "Nowhere", "Referrer")
DATES = re.compile(r"(?<![0-9.])(?:09640812|09840229)")


class Series(CommandLineTest):
    def test_info_of_a_series(self):
        write_series(self.path("ct"), [0, 2.5, 5, 7.5])
        item = self.json("info", "ct", "--at", "2,1,3", "--patient")["items"][0]
        self.assertEqual((item["kind"], item["format"], item["width"], item["height"], item["depth"]), ("volume", "DICOM", 6, 5, 4))
        self.assertEqual(item["spacing"], [0.75, 0.5, 2.5])
        self.assertEqual(item["origin"], [-12.5, -20, 0])
        self.assertEqual(item["direction"], [1, 0, 0, 0, 1, 0, 0, 0, 1])
        self.assertEqual(item["unit"], "HU")
        self.assertEqual((item["series"]["uid"], item["series"]["number"], item["series"]["modality"], item["series"]["files"]), ("1.2.3.4", 1, "CT", 4))
        plain = self.json("info", "ct")["items"][0]
        self.assertEqual((plain["series"]["uid"], plain["series"]["description"]), (None, None), "they may identify the patient")
        channel = item["channels"][0]
        self.assertEqual((channel["type"], channel["min"], channel["max"]), ("int16", 10 - 1024, 445 - 1024))
        self.assertEqual(item["samples"][0]["values"]["Y"], 40 + 2 + 100 - 1024)
        self.assertEqual(item["samples"][0]["position"], [-11, -19.5, 7.5])
        self.assertEqual(item["warnings"], [])
        out, err = self.cli("info", "ct")
        self.assertIn("6 x 5 x 4", out)
        self.assertIn("spacing 0.75 x 0.5 x 2.5 mm, origin (-12.5, -20, 0) mm (LPS)\n  axes x to L, y to P, z to S\n", out)
        self.assertIn("HU", out)
        self.assertIn("  series 1: CT, 4 files\n", out)
        self.assertEqual(err, "")

    def test_several_series_of_a_folder(self):
        write_series(self.path("study/a"), [0, 1, 2])
        write_series(self.path("study/b"), [0, 3], series=7, uid="1.2.3.99")
        items = self.json("info", "study")["items"]
        self.assertEqual([(i["path"], i["depth"]) for i in items], [("study#1", 3), ("study#7", 2)])
        _, err = self.cli("run", "-i", "study", "-o", "out.nii", *BLUR, code=INPUT)
        self.assertIn("7: CT, 6 x 5 x 2, 3 mm", err)
        self.cli("run", "-i", "study#7", "-o", "out.nii", *BLUR, "--backend", "reference")
        self.assertEqual(self.json("info", "out.nii")["items"][0]["depth"], 2)
        self.assertEqual(self.json("info", "study#1.2.3.99")["items"][0]["depth"], 2)
        self.cli("info", "study#9", code=INPUT)

    def test_states_irregularities_in_numbers(self):
        write_series(self.path("ct"), [0, 2, 4, 8, 10])
        item = self.json("info", "ct")["items"][0]
        self.assertIn("1 slice is missing", item["warnings"][0])
        self.assertIn("4 mm instead of 2 mm", item["warnings"][0])
        self.assertEqual(item["slice_positions"], [0, 2, 4, 8, 10])
        _, err = self.cli("run", "-i", "ct", "-o", "out.nii.gz", *SAME, "--backend", "reference")
        self.assertIn("1 slice is missing", err)
        self.assertIn("uneven slice distances were not saved", err)

    def test_resamples_uneven_slices_on_request(self):
        write_series(self.path("ct"), [0, 2, 4, 8, 10])
        out, _ = self.cli("info", "ct")
        self.assertIn("note: its slices are unevenly spaced; 'parallax-cli run --resample' puts them on a regular grid", out)
        _, err = self.cli("run", "-i", "ct", "-o", "out.nii", "--resample")
        self.assertIn("note: Resampled to a regular grid of 6 x 5 x 6 by linear interpolation: slices 2 mm apart (about the median distance)", err)
        self.assertNotIn("were not saved", err)
        dims, samples, spacing, _ = read_nifti(self.path("out.nii").read_bytes())
        self.assertEqual((dims, spacing), ((6, 5, 6), (0.75, 0.5, 2)))
        # Slices differ by 10; the missing one is between its neighbours.
        self.assertEqual(samples[::30], tuple(10 * n - 1024 for n in (1, 2, 3, 3.5, 4, 5)))
        item = self.json("info", "out.nii")["items"][0]
        self.assertNotIn("irregular", item)
        # Steps work on the regular grid.
        self.cli("run", "-i", "ct", "-o", "filtered.nii", "--resample", *SAME, "--backend", "reference")
        self.assertEqual(self.json("diff", "out.nii", "filtered.nii", "--tolerance", "0")["max_abs"], 0)

    def test_resamples_a_tilted_series_on_request(self):
        tilt = "1\\0\\0\\0\\0.8\\-0.6"  # slices that lean by the angle of 3, 4, 5, and follow each other along z
        write_series(self.path("ct"), [0, 5, 10], more={0x00200037: (b"DS", tilt)})
        self.assertEqual(self.json("info", "ct")["items"][0]["irregular"], "its slices are sheared")
        _, err = self.cli("run", "-i", "ct", "-o", "sheared.nii", *SAME, "--backend", "reference")
        self.assertIn("its slices are sheared; --resample puts them on a regular grid", err)
        _, err = self.cli("run", "-i", "ct", "-o", "out.nii", "--resample")
        self.assertNotIn("straightened", err)
        # 3 mm sideways for each slice are six rows of 0.5 mm; 4 mm remain between slices.
        self.assertIn("grid of 6 x 17 x 3 by linear interpolation: slices 4 mm apart, -1014 outside of the old ones", err)
        item = self.json("info", "out.nii", "--at", "2,0,2", "--at", "2,12,2", "--at", "2,12,0")["items"][0]
        self.assertNotIn("irregular", item)
        before = self.json("info", "ct", "--at", "2,0,2", "--at", "2,0,0")["items"][0]
        places = {s["values"]["Y"]: s["position"] for s in item["samples"]}
        for sample in before["samples"]:
            value = sample["values"]["Y"]
            self.assertIn(value, places)
            for a, b in zip(sample["position"], places[value]):
                self.assertAlmostEqual(a, b, places=4)

    def test_resampling_refuses_what_it_does_not_change(self):
        write_series(self.path("ct"), [0, 2, 4])
        _, err = self.cli("run", "-i", "ct", "-o", "out.nii", "--resample", code=USAGE)
        self.assertIn("on a regular grid already", err)
        _, err = self.cli("run", "-i", "synthetic:noise:8x8", "-o", "out.exr", "--resample", code=USAGE)
        self.assertIn("not a volume", err)
        _, err = self.cli("run", "-i", "a.exr", "-o", "out.exr", "--resample", "--strips", *SAME, code=USAGE)
        self.assertIn("mutually exclusive", err)
        self.assertFalse(self.path("out.nii").exists())

    def test_operations_keep_the_geometry(self):
        write_series(self.path("ct"), [-3, -1, 1])
        self.cli("run", "-i", "ct", "-o", "blurred.nii.gz", *BLUR, "--backend", "reference")
        before, after = (self.json("info", name)["items"][0] for name in ("ct", "blurred.nii.gz"))
        for key in ("width", "height", "depth", "spacing", "origin", "direction"):
            self.assertEqual(before[key], after[key], key)
        # The identity keeps samples and geometry.
        self.cli("run", "-i", "ct", "-o", "same.nii", *SAME, "--backend", "reference")
        j = self.json("diff", "ct", "same.nii", "--tolerance", "0")
        self.assertEqual((j["max_abs"], j["same_geometry"]), (0, True))

    def test_backends_agree_on_volumes(self):
        write_series(self.path("ct"), [0, 1, 2])
        self.cli("run", "-i", "ct", "-o", "reference.nii", "--op", "convolve:kernel=gaussian,size=5", "--backend", "reference")
        for backend in ("openmp", "opencv"):
            if not self.available(backend):
                continue
            self.cli("run", "-i", "ct", "-o", f"{backend}.nii", "--op", "convolve:kernel=gaussian,size=5", "--backend", backend)
            self.cli("diff", "reference.nii", f"{backend}.nii", "--tolerance", "1e-2")

    def test_rendering_makes_a_picture_of_a_volume(self):
        write_series(self.path("ct"), [0, 2, 4])
        self.cli("run", "-i", "ct", "-o", "front.exr", "--op", "render:view=xz,width=12,height=10", "--backend", "reference")
        self.cli("run", "-i", "ct", "-o", "surface.png", "--op", "render:mode=surface,threshold=0,width=12,height=10", "--backend", "reference")
        front, surface = (self.json("info", name)["items"][0] for name in ("front.exr", "surface.png"))
        for item, channels in ((front, 1), (surface, 3)):
            self.assertEqual((item["width"], item["height"], item["depth"], len(item["channels"])), (12, 10, 1, channels))
        self.assertIsNone(front.get("spacing"), "a picture has no geometry")
        # The channels of a result are those of the next step.
        self.cli("run", "-i", "ct", "-o", "red.exr", "--op", "render:mode=surface,threshold=0", "--op", "diffuse:weights=uniform,channels=R",
                 "--backend", "reference")
        self.cli("run", "-i", "ct", "-o", "{name}.png", "--op", "render:mode=surface,threshold=0", "--backend", "reference",
                 "--dry-run")
        _, err = self.cli("run", "-i", "ct", "-o", "parts.exr", "--op", "render", "--backend", "reference@2", code=UNAVAILABLE)
        self.assertIn("Rays cross the whole volume", err)
        _, err = self.cli("run", "-i", "ct", "-o", "none.exr", "--op", "render:mode=transfer,curve='1:0'", "--backend", "reference", code=USAGE)
        self.assertIn("needs two nodes or more", err)

    def test_image_formats_reject_volumes(self):
        write_series(self.path("ct"), [0, 1])
        for name in ("out.png", "out.exr", "out.tif"):
            _, err = self.cli("run", "-i", "ct", "-o", name, *SAME, "--backend", "reference", code=USAGE)
            self.assertIn("nii", err)
        self.assertEqual(self.leftovers(), ["ct"])

    def test_loading_can_be_interrupted(self):
        big = [0] * (512 * 512)
        self.path("ct").mkdir()
        count, wanted = 0, 64

        def attempt():
            nonlocal count, wanted
            while count < wanted:
                count += 1
                write_dicom(self.path("ct") / str(count), count, count, width=512, height=512, pixels=big)
            process = self.start("info", "ct")
            if self.wait_until_interruptible(process, signal.SIGTERM):
                process.terminate()
            started = time.monotonic()
            _, err = process.communicate(timeout=PATIENCE)
            if process.returncode == SUCCESS:
                wanted *= 2  # loaded before the signal
                return None
            self.assertEqual(process.returncode, TERMINATED, err)
            return time.monotonic() - started

        self.promptly(5, attempt)


class Patients(CommandLineTest):
    def setUp(self):
        super().setUp()
        write_series(self.path("Mustermann"), [0, 1, 2, 4], more=PATIENT)
        damaged = self.path("Mustermann") / "Erika_Kennung.dcm"
        damaged.write_bytes((self.path("Mustermann") / "IM003").read_bytes()[:300])

    def check(self, text):
        for name in NAMES:
            self.assertNotIn(name, text)
        self.assertNotRegex(text, DATES)

    def test_info_omits_patient_data(self):
        # The folder named after the patient is below the given one, as in a study on a disc.
        out, err = self.cli("info", ".")
        self.check(out + err)
        out, err = self.cli("info", ".", "--json")
        self.check(out + err)
        # Free text may name the patient in any way.
        self.assertNotIn("SeriesDescription", out)

    def test_patient_option_shows_patient_data(self):
        patient = self.json("info", ".", "--patient")["items"][0]["patient"]
        self.assertEqual((patient["PatientName"], patient["PatientBirthDate"], patient["InstitutionName"]),
                         ("Mustermann^Erika", "09640812", "Hospital of Nowhere"))

    def test_outputs_omit_patient_data(self):
        self.cli("run", "-i", "Mustermann", "-o", "a.nii", *BLUR, "--backend", "reference")
        self.cli("run", "-i", "Mustermann", "-o", "a.raw", *BLUR, "--backend", "reference")
        write_dicom(self.path("one.dcm"), 0, 1, more=PATIENT)
        self.cli("run", "-i", "one.dcm", "-o", "a.exr", *BLUR, "--backend", "reference")
        for name in ("a.nii", "a.raw", "a.raw.json", "a.exr"):
            self.check(self.path(name).read_bytes().decode("latin-1"))

    def test_reports_omit_patient_data(self):
        _, err = self.bench_quick("-i", "Mustermann", *BLUR, "--backend", "reference", "--report", "r.json", "--report", "r.html", "--report", "r.csv",
                                  "--report", "r.md")
        self.assertIn("--patient", err)
        for name in ("r.json", "r.html", "r.csv", "r.md"):
            self.check(self.path(name).read_text())
        self.bench_quick("-i", "Mustermann", *BLUR, "--backend", "reference", "--report", "kept.json", "--patient")
        self.assertIn("Mustermann", self.path("kept.json").read_text())


class Nifti(CommandLineTest):
    def test_written_files_follow_the_standard(self):
        write_series(self.path("ct"), [1, 3.5, 6])
        self.cli("run", "-i", "ct", "-o", "a.nii.gz", *SAME, "--backend", "reference")
        dims, samples, spacing, rows = read_nifti(gzip.decompress(self.path("a.nii.gz").read_bytes()))
        self.assertEqual((dims, spacing), ((6, 5, 3), (0.75, 0.5, 2.5)))
        self.assertEqual(rows, [(-0.75, 0, 0, 12.5), (0, -0.5, 0, 20), (0, 0, 2.5, 1)])
        self.assertEqual(samples[0], 10 - 1024)
        self.assertEqual(samples[(2 * 5 + 3) * 6 + 4], 30 + 4 + 300 - 1024)

    def test_windows_in_three_dimensions(self):
        write_series(self.path("ct"), [0, 2.5, 5, 7.5])
        # The slice before, repeated at the first one.
        self.cli("run", "-i", "ct", "-o", "before.nii", "--backend", "reference", "--op", "convolve:axes=xyz,kernel=custom,weights=1|0|0")
        _, samples, spacing, _ = read_nifti(self.path("before.nii").read_bytes())
        self.assertEqual(spacing, (0.75, 0.5, 2.5))
        self.assertEqual(samples[::30], tuple(10 * n - 1024 for n in (1, 1, 2, 3)))
        # A sigma of 1 mm reaches little further than a slice of 2.5 mm, but over several rows of 0.5 mm.
        blur = "convolve:axes=xyz,kernel=gaussian,size=5,sigma=1,sigma-unit=mm,border=constant,border-value=0"
        out = self.json("run", "-i", "ct", "-o", "soft.nii", "--backend", "reference", "--op", blur)
        self.assertIn("cuts the Gaussian off", json.dumps(out))
        _, err = self.cli("run", "-i", "ct", "-o", "no.nii", "--op", "convolve:kernel=sobel-z,size=3", code=USAGE)
        self.assertIn("axes=xyz", err)
        if self.available("opencv"):
            _, err = self.cli("run", "-i", "ct", "-o", "no.nii", "--backend", "opencv", "--op", "convolve:axes=xyz", code=UNAVAILABLE)
            self.assertIn("no window in three dimensions", err)
        if self.available("openmp"):
            # The serial baseline of speedups filters in three dimensions, too.
            out, _ = self.bench_quick("-i", "ct", "--op", "convolve:axes=xyz", "--backend", "reference", "--backend", "openmp")
            self.assertRegex(out, r"(?m)^openmp +.* [0-9.]+x \(")
            self.assertRegex(out, r"(?m)^openmp.scalar:1t .* baseline")
            _, err = self.cli("run", "-i", "ct", "-o", "no.nii", "--backend", "openmp@2", "--op", "convolve:axes=xyz", code=UNAVAILABLE)
            self.assertIn("needs those around it", err)

    def test_integers_stay_integers_unless_they_are_filtered(self):
        write_series(self.path("ct"), [1, 3.5, 6])
        for output, options, stored in (("same.nii.gz", [*SAME], "int16"), ("same.nii", [*SAME], "int16"),
                                        ("float.nii", [*SAME, "--depth", "float"], "float"), ("blurred.nii", [*BLUR], "float")):
            self.cli("run", "-i", "ct", "-o", output, *options, "--backend", "reference")
            self.assertEqual(self.json("info", output)["items"][0]["channels"][0]["type"], stored, output)
        self.cli("diff", "ct", "same.nii.gz", "--tolerance", "0")
        self.cli("diff", "ct", "float.nii", "--tolerance", "0")

    def test_files_are_atomic(self):
        write_series(self.path("ct"), [1, 2])
        _, err = self.cli("run", "-i", "synthetic:noise:4x4,channels=3", "-o", "rgb.raw", *SAME, "--backend", "reference", code=USAGE)
        self.assertIn("it has 3 channels, and the format has no place for that", err)
        for name in ("a.nii", "a.nii.gz", "a.raw"):
            self.path(name).write_text("old")
            self.cli("run", "-i", "ct", "-o", name, *SAME, "--backend", "reference", code=OUTPUT)
            self.assertEqual(self.path(name).read_text(), "old")
            self.cli("run", "-i", "ct", "-o", name, *SAME, "--backend", "reference", "--force")
            self.assertGreater(self.path(name).stat().st_size, 100)
        # The description file counts too.
        self.path("b.raw.json").write_text("old")
        self.cli("run", "-i", "ct", "-o", "b.raw", *SAME, "--backend", "reference", code=OUTPUT)
        self.assertFalse(self.path("b.raw").exists())
        self.assertFalse([n for n in self.leftovers() if n.endswith(".tmp")])

    def test_volumes_of_a_file(self):
        header = bytearray(352)
        struct.pack_into("<i", header, 0, 348)
        struct.pack_into("<8h", header, 40, 4, 3, 2, 2, 3, 1, 1, 1)
        struct.pack_into("<hh", header, 70, 4, 16)
        struct.pack_into("<8f", header, 76, 1, 1, 1, 1, 1, 0, 0, 0)
        struct.pack_into("<f", header, 108, 352)
        header[344:348] = b"n+1\0"
        self.path("t.nii").write_bytes(bytes(header) + struct.pack("<36h", *range(36)))
        item = self.json("info", "t.nii", "--at", "0,0,0")["items"][0]
        self.assertEqual((item["volumes"], item["volume"], item["samples"][0]["values"]["Y"]), (3, 0, 0))
        self.assertIn("3 volumes", " ".join(item["warnings"]))
        item = self.json("info", "t.nii#2", "--at", "0,0,0")["items"][0]
        self.assertEqual((item["volume"], item["samples"][0]["values"]["Y"]), (2, 24))
        self.cli("info", "t.nii#3", code=INPUT)


class Described(CommandLineTest):
    def test_nrrd_and_meta_image(self):
        samples = struct.pack("<24h", *range(-12, 12))
        self.path("a.nrrd").write_bytes(
            b"NRRD0004\ntype: short\ndimension: 3\nspace: RAS\nsizes: 4 3 2\nspace directions: (-0.5,0,0) (0,-0.75,0) (0,0,2)\n"
            b"endian: little\nencoding: gzip\nspace origin: (10,20,-30)\n\n" + gzip.compress(samples))
        self.path("a.mha").write_bytes(
            b"ObjectType = Image\nNDims = 3\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = -10 -20 -30\nElementSpacing = 0.5 0.75 2\n"
            b"DimSize = 4 3 2\nElementType = MET_SHORT\nElementDataFile = LOCAL\n" + samples)
        for name, kind in (("a.nrrd", "NRRD"), ("a.mha", "MetaImage")):
            item = self.json("info", name, "--at", "3,2,1")["items"][0]
            self.assertEqual((item["kind"], item["format"], item["spacing"], item["origin"]), ("volume", kind, [0.5, 0.75, 2], [-10, -20, -30]))
            self.assertEqual(item["direction"], [1, 0, 0, 0, 1, 0, 0, 0, 1])
            self.assertEqual(item["samples"][0]["values"]["Y"], 11)
            self.cli("run", "-i", name, "-o", f"{kind}.nii.gz", *SAME, "--backend", "reference")
        j = self.json("diff", "a.mha", "NRRD.nii.gz", "--tolerance", "0")
        self.assertEqual((j["max_abs"], j["same_geometry"]), (0, True))


class Raw(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.values = [x + 10 * y + 100 * z - 1024.5 for z in range(4) for y in range(3) for x in range(5)]
        self.path("flat.bin").write_bytes(struct.pack("<60f", *self.values))

    def test_round_trip(self):
        item = self.json("info", "raw:5x3x4,spacing=0.5x0.5x2,unit=HU:flat.bin", "--at", "4,2,3")["items"][0]
        self.assertEqual((item["kind"], item["format"], item["spacing"], item["unit"]), ("volume", "raw", [0.5, 0.5, 2], "HU"))
        self.assertEqual(item["samples"][0]["values"]["Y"], 324 - 1024.5)
        self.cli("run", "-i", "raw:5x3x4,spacing=0.5x0.5x2:flat.bin", "-o", "out.raw", *SAME, "--backend", "reference")
        self.assertEqual(self.path("out.raw").read_bytes(), self.path("flat.bin").read_bytes())
        described = json.loads(self.path("out.raw.json").read_text())
        self.assertEqual((described["schema"], described["width"], described["depth"], described["data"]), ("parallax.raw-volume", 5, 4, "out.raw"))
        self.cli("diff", "out.raw.json", "raw:5x3x4:flat.bin", "--tolerance", "0")
        self.assertFalse(self.json("diff", "out.raw.json", "raw:5x3x4:flat.bin")["same_geometry"])

    def test_size_mismatch(self):
        _, err = self.cli("info", "raw:5x3x5:flat.bin", code=INPUT)
        self.assertIn("240 bytes", err)
        self.assertIn("need 300", err)
        self.cli("info", "raw:5x3x4,type=int99:flat.bin", code=USAGE)
        self.cli("info", "raw:5x3x4", code=USAGE)
        self.cli("info", "raw:100000x100000x1000000000:flat.bin", code=MEMORY)
        _, err = self.cli("info", "flat.raw", code=INPUT)
        self.path("flat.raw").write_bytes(self.path("flat.bin").read_bytes())
        _, err = self.cli("info", "flat.raw", code=INPUT)
        self.assertIn("raw:WxH", err)


@needs_test_data(FOLDER / "facts.json")
class RealVolumes(CommandLineTest):
    """`info --json` against the recorded facts; the tests of core/io compare every sample."""

    def setUp(self):
        super().setUp()
        self.entries = json.loads((FOLDER / "facts.json").read_text())["entries"]

    def of(self, *kinds):
        return [e for e in self.entries if e["kind"] in kinds]

    def test_series(self):
        for e in self.of("dicom_series"):
            with self.subTest(e["path"]):
                f = e["facts"]["series"][0]
                places = [a for v in f["voxels"] for a in ("--at", f"{v['x']},{v['y']},{v['z']}")]
                item = self.json("info", FOLDER / e["path"], *places, "--patient")["items"][0]
                self.assertEqual([item["width"], item["height"], item["depth"]], f["volume_dims_xyz"])
                for sample, v in zip(item["samples"], f["voxels"]):
                    self.assertAlmostEqual(sample["values"]["Y"], v["hu"], places=3)
                self.assertAlmostEqual(item["channels"][0]["mean"], f["hu"]["mean"], places=2)
                self.assertAlmostEqual(item["spacing"][0], f["pixel_spacing"][1])
                for i in range(3):
                    self.assertAlmostEqual(item["origin"][i], f["origin"][i], places=4)
                    self.assertAlmostEqual(item["direction"][3 * i], f["orientation"][i], places=4)
                    self.assertAlmostEqual(item["direction"][3 * i + 1], f["orientation"][3 + i], places=4)
                self.assertEqual(item["series"]["uid"], f["series_uid"])
                if item["depth"] > 1:
                    self.assertAlmostEqual(item["spacing"][2], f["steps_between_positions_mm"][0], places=3)
                    self.assertAlmostEqual(item["series"]["slice_distances"]["min"], f["slice_distances"][0], places=3)

    def test_single_files(self):
        for e in self.of("dicom"):
            with self.subTest(e["path"]):
                item = self.json("info", FOLDER / e["path"])["items"][0]
                self.assertAlmostEqual(item["channels"][0]["min"], e["facts"]["hu"]["min"], places=3)
                self.assertAlmostEqual(item["channels"][0]["max"], e["facts"]["hu"]["max"], places=3)

    def test_nifti(self):
        for e in self.of("nifti"):
            with self.subTest(e["path"]):
                f = e["facts"]
                item = self.json("info", FOLDER / e["path"])["items"][0]
                self.assertEqual([item["width"], item["height"], item["depth"]], f["dims"][:3])
                for a, b in zip(item["spacing"], f["pixdim"]):
                    self.assertAlmostEqual(a, b, places=4)

    def test_rejected_files(self):
        for e in self.of("dicom_bad", "nifti_bad"):
            with self.subTest(e["path"]):
                if e["expect"] == "refuse":
                    _, err = self.cli("info", FOLDER / e["path"], code=INPUT)
                    self.assertIn(e["path"].split("/")[-1], err)

    def test_round_trip_through_nifti(self):
        source = FOLDER / "dicom/slicer_cthead"
        for name in ("a.nii.gz", "a.raw"):
            self.cli("run", "-i", source, "-o", name, *SAME, "--backend", "reference")
            j = self.json("diff", source, name, "--tolerance", "0")
            self.assertTrue(j["same_geometry"])


if __name__ == "__main__":
    unittest.main()
