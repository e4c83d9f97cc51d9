# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavelets on the command line: round trips of CT volumes, and the difference from the original."""
import math
import os
import pathlib
import random
import unittest

from command_line import CommandLineTest, needs_test_data
from made_volumes import write_dicom

FOLDER = pathlib.Path(os.environ.get("PARALLAX_TEST_DATA") or os.environ["PARALLAX_TEST_DATA_DEFAULT"]).resolve() / "dicom"
PROMISE = 1e-3  # Hounsfield units
ROUND_TRIP = ["--op", "dwt:wavelet=db4,levels=3", "--op", "idwt:wavelet=db4,levels=3"]
BACKENDS = ("reference", "openmp")


class RoundTrip(CommandLineTest):
    def check(self, source):
        for backend in BACKENDS:
            if not self.available(backend):
                continue
            report = self.json("run", "-i", source, "-o", "out.nii.gz", "--force", *ROUND_TRIP, "--backend", backend)
            told = report["against_original"]
            self.assertLess(told["max_abs"], PROMISE, f"{source} on {backend}")
            self.assertEqual((told["nan_mismatches"], told["infinity_mismatches"]), (0, 0))
            self.assertGreater(told["psnr_db"] if told["psnr_db"] != "inf" else 1e9, 120)

    def test_full_range_series(self):
        # 12-bit noise: neighbours are uncorrelated, and every level has large coefficients.
        width, height, depth = 33, 21, 7
        numbers = random.Random(7)
        self.path("ct").mkdir()
        for i in range(depth):
            write_dicom(self.path("ct") / f"S{(5 * i + 2) % 11:02d}", 2.0 * i, i + 1, width=width, height=height,
                        pixels=[numbers.randrange(0, 4096) for _ in range(width * height)])
        self.check("ct")

    def test_odd_sizes(self):
        for size in ("1x1x1", "7x5x3", "65x2x9", "128x127x13"):
            self.check(f"synthetic:shepp-logan:{size}")

    def test_coefficient_files_record_their_transform(self):
        self.cli("run", "-i", "synthetic:shepp-logan:33x31x17", "-o", "c.raw", "--op", "dwt:wavelet=sym5,mode=periodization,levels=2", "--backend", "reference")
        self.cli("run", "-i", "c.raw", "-o", "back.raw", "--op", "idwt", "--backend", "reference")
        self.cli("diff", "back.raw", "synthetic:shepp-logan:33x31x17", "--tolerance", "1e-6")
        self.assertNotIn("facts", self.path("back.raw.json").read_text())
        _, err = self.cli("run", "-i", "synthetic:shepp-logan:16x16x16", "-o", "c.nii", "--op", "dwt:wavelet=haar,levels=2", "--backend", "reference")
        if "c.nii" in self.leftovers():
            self.assertIn("wavelet=haar mode=symmetric levels=2 axes=xyz shape=16x16x16", err)

    def test_error_only_if_the_result_approximates_the_input(self):
        report = self.json("run", "-i", "synthetic:noise:40x30", "-o", "c.exr", "--op", "dwt:levels=2")
        self.assertNotIn("against_original", report)
        report = self.json("run", "-i", "synthetic:noise:40x30", "-o", "d.exr", "--op", "wavelet-compress:keep=10", "--backend", "reference")
        told = report["against_original"]
        difference = self.json("run", "-i", "synthetic:noise:40x30", "-o", "e.exr", "--op", "wavelet-compress:keep=100", "--backend", "reference")
        self.assertLess(difference["against_original"]["max_abs"], 1e-5)
        self.assertGreater(told["max_abs"], 0.1)
        self.cli("run", "-i", "synthetic:noise:40x30", "-o", "original.exr", "--op", "convolve:kernel=box,size=1", "--backend", "reference")
        seen = self.json("diff", "original.exr", "d.exr")
        self.assertAlmostEqual(told["max_abs"], seen["max_abs"], delta=1e-5 * seen["max_abs"])
        self.assertAlmostEqual(told["rmse"], seen["rmse"], delta=1e-5 * seen["rmse"])
        # The peak of told is that of the original, that of diff the larger one of both.
        self.assertAlmostEqual(told["psnr_db"], seen["psnr_db"] + 20 * math.log10(told["peak"] / seen["peak"]), places=2)


@needs_test_data(FOLDER)
class PublicSeries(RoundTrip):
    test_full_range_series = test_odd_sizes = None
    test_error_only_if_the_result_approximates_the_input = test_coefficient_files_record_their_transform = None

    def test_every_series_round_trip(self):
        seen = 0
        for item in self.json("info", FOLDER)["items"]:
            if item["kind"] != "volume":
                continue
            with self.subTest(series=item["path"]):
                self.check(item["path"])
            seen += 1
        self.assertGreater(seen, 4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
