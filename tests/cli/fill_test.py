# SPDX-License-Identifier: GPL-3.0-or-later
"""Filling and replacing of missing samples on the command line, and the repair of the bundled damaged rendering."""
import json
import math
import pathlib
import struct
import unittest

from command_line import USAGE, CommandLineTest

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "resources/samples/atrium-damaged.exr"
# As written by resources/samples/damage_scene.py, whose faults do not overlap.
NAN, INFINITE, FIREFLIES = (25 + 12 * 12) * 3, 8, 60


class Fill(CommandLineTest):
    def channels(self, path):
        return self.json("info", path)["items"][0]["channels"]

    def found(self, result):
        return {f["key"]: f["value"] for f in result["findings"]}

    def run_on(self, backend, source, step, target):
        return self.json("run", "-i", source, "-o", target, "--op", step, "--backend", backend)

    def test_repairs_the_damaged_sample(self):
        for backend in ("reference", "openmp"):
            with self.subTest(backend):
                nan = self.found(self.run_on(backend, SAMPLE, "fill", f"{backend}-nan.exr"))
                self.assertEqual((nan["filled"], nan["unfilled"]), (NAN, 0))
                both = self.found(self.run_on(backend, SAMPLE, "fill:preset=non-finite", f"{backend}-finite.exr"))
                self.assertEqual((both["filled"], both["unfilled"]), (NAN + INFINITE, 0))
                self.assertLessEqual(both["residual"], 1e-10)
                flies = self.found(self.run_on(backend, SAMPLE, "fill:preset=fireflies", f"{backend}-clean.exr"))
                self.assertGreaterEqual(flies["filled"], NAN + INFINITE + 3 * FIREFLIES)
        self.assertLess(self.json("diff", "reference-clean.exr", "openmp-clean.exr")["max_abs"], 1e-4)

    def test_replaces_nan_and_infinity(self):
        size = 37 * 29 * 5
        samples = [math.sin(i) * 1000 for i in range(size)]
        for i, special in enumerate((math.nan, math.inf, -math.inf, -math.nan)):
            samples[100 + i::211] = [special] * len(samples[100 + i::211])
        self.path("in.bin").write_bytes(struct.pack(f"<{size}f", *samples))
        exact = struct.unpack(f"<{size}f", self.path("in.bin").read_bytes())

        def replaced(v, nan, low, high):  # as numpy.nan_to_num
            return nan if math.isnan(v) else v if math.isfinite(v) else high if v > 0 else low
        largest = 3.4028234663852886e+38
        for step, values in (("repair", (0, 0, 0)), ("repair:nan=0.5,low=-3,high=7.25", (0.5, -3, 7.25)),
                             ("repair:preset=largest", (0, -largest, largest))):
            expected = struct.pack(f"<{size}f", *(replaced(v, *values) for v in exact))
            for backend in ("reference", "openmp", "openmp@3"):
                with self.subTest(step, backend=backend):
                    target = f"{backend}-{values[2]}.raw"
                    self.run_on(backend, f"raw:37x29x5:{self.path('in.bin')}", step, target)
                    self.assertEqual(self.path(target).read_bytes(), expected)
        # Recorded.
        self.bench_quick("-i", f"raw:37x29x5:{self.path('in.bin')}", "--op", "repair:high=9", "--backend", "openmp", "--report", "b.json")
        self.assertEqual(json.loads(self.path("b.json").read_text())["recipe"], ["repair:high=9"])

    def test_replaces_nan_before_other_steps(self):
        self.json("run", "-i", SAMPLE, "-o", "blurred.exr", "--op", "repair", "--op", "convolve:size=9", "--backend", "openmp")
        for channel in self.channels("blurred.exr"):
            self.assertEqual((channel["nan"], channel["inf"]), (0, 0))

    def test_interpolates_biharmonically(self):
        step = "fill:preset=non-finite,interpolation=biharmonic"
        for backend in ("reference", "openmp", "openmp.cg"):
            found = self.found(self.run_on(backend, SAMPLE, step, f"{backend}.exr"))
            self.assertEqual((found["filled"], found["unfilled"]), (NAN + INFINITE, 0))
            self.assertLessEqual(found["residual"], 1e-10)
        self.assertLess(self.json("diff", "reference.exr", "openmp.exr")["max_abs"], 1e-4)
        self.assertLess(self.json("diff", "reference.exr", "openmp.cg.exr")["max_abs"], 1e-4)
        self.run_on("openmp", SAMPLE, "fill:preset=non-finite", "harmonic.exr")
        self.assertGreater(self.json("diff", "harmonic.exr", "openmp.exr")["max_abs"], 1e-3)

    def test_the_first_part_solves_the_biharmonic_equation(self):
        one = self.found(self.run_on("openmp", SAMPLE, "fill:interpolation=biharmonic", "one.exr"))
        self.assertEqual(self.found(self.run_on("openmp@3", SAMPLE, "fill:interpolation=biharmonic", "parts.exr")), one)
        self.assertEqual(self.path("one.exr").read_bytes(), self.path("parts.exr").read_bytes())

    def test_states_what_was_filled(self):
        _, err = self.cli("run", "-i", SAMPLE, "-o", "a.exr", "--op", "fill", "--backend", "openmp")
        self.assertIn(f"filled samples: {NAN}", err.replace(",", ""))

    def test_warns_of_channels_without_known_samples(self):
        _, err = self.cli("run", "-i", "synthetic:noise:16x12", "-o", "a.exr", "--op", "fill:missing=below,threshold=2", "--backend", "openmp")
        self.assertIn("192 missing samples keep their values", err)
        self.assertEqual(self.json("diff", "synthetic:noise:16x12", "a.exr")["max_abs"], 0)

    def test_rejects_transparent_pixels_without_alpha(self):
        _, err = self.cli("run", "-i", "synthetic:noise:16x12,channels=3", "-o", "a.exr", "--op", "fill:preset=transparent", code=USAGE)
        self.assertIn("no alpha channel", err)

    def test_fills_volumes(self):
        result = self.run_on("openmp", "synthetic:shepp-logan:24x20x16", "fill:missing=above,threshold=0.9", "a.nii")
        self.assertGreater(self.found(result)["filled"], 100)

    def test_bench_verifies_and_judges(self):
        self.bench_quick("-i", SAMPLE, "--op", "fill:preset=non-finite", "--backend", "openmp.multigrid", "--backend", "openmp.cg",
                         "--report", "a.json")
        record = json.loads(self.path("a.json").read_text())
        for entry in record["entries"]:
            self.assertTrue(entry["judgements"])
            for j in entry["judgements"]:
                self.assertLessEqual(j["value"], j["bound"])


if __name__ == "__main__":
    unittest.main()
