# SPDX-License-Identifier: GPL-3.0-or-later
import json
import pathlib
import struct
import unittest

import json_schema
from command_line import BLUR, DISAGREE, INPUT, OUTPUT, SAME, USAGE, CommandLineTest, write_png


class Info(CommandLineTest):
    def test_stored_samples_of_a_png(self):
        write_png(self.path("a.png"), 4, 2, lambda x, y: (10 + x, 20, 255 if y else 0))
        j = self.json("info", "a.png")
        self.assertEqual((j["schema"], j["schema_version"]), ("parallax.info", 1))
        item = j["items"][0]
        self.assertEqual((item["path"], item["kind"], item["format"]), ("a.png", "image", "PNG"))
        self.assertEqual((item["width"], item["height"], item["depth"]), (4, 2, 1))
        self.assertEqual([(c["name"], c["type"], c["min"], c["max"], c["mean"]) for c in item["channels"]],
                         [("R", "uint8", 10, 13, 11.5), ("G", "uint8", 20, 20, 20), ("B", "uint8", 0, 255, 127.5)])
        self.assertEqual([(c["nan"], c["inf"]) for c in item["channels"]], [(0, 0)] * 3)
        self.assertEqual(item["warnings"], [])

    def test_values_at_positions(self):
        item = self.json("info", "synthetic:impulse:5x5", "--at", "2,2", "--at", "0,0,0")["items"][0]
        self.assertEqual([(s["x"], s["y"], s["z"], s["values"]["Y"]) for s in item["samples"]], [(2, 2, 0, 1), (0, 0, 0, 0)])
        # sRGB 255 is 1 in linear light.
        write_png(self.path("a.png"), 2, 1, lambda x, y: (255 * x,), channels=1)
        self.assertEqual(self.json("info", "a.png", "--at", "1,0")["items"][0]["samples"][0]["values"], {"Y": 1})

    def test_states_the_meaning_of_values(self):
        write_png(self.path("a.png"), 2, 1, lambda x, y: (255, 0, 0, 128), channels=4)
        self.assertIn("  at 1,0: R=0.501960814 G=0 B=0 A=0.501960814 (linear light, colours multiplied by alpha)\n", self.cli("info", "a.png", "--at", "1,0")[0])
        self.assertEqual(self.json("info", "a.png", "--at", "1,0")["items"][0]["sample_values"], "linear light, colours multiplied by alpha")
        write_png(self.path("b.png"), 1, 1, lambda x, y: (255, 0, 0))
        self.assertIn("B=0 (linear light)\n", self.cli("info", "b.png", "--at", "0,0")[0])
        self.path("v.bin").write_bytes(bytes(8 * 4))
        out, _ = self.cli("info", "raw:2x2x2,spacing=0.5x0.5x2,origin=1x2x3,unit=HU:v.bin", "--at", "1,0,1")
        # Raw samples have no orientation.
        self.assertIn("spacing 0.5 x 0.5 x 2 mm, origin (1, 2, 3) mm\n  orientation unknown\n", out)
        self.assertIn("  at 1,0,1 (1.5, 2, 5 mm): Y=0 (HU)\n", out)

    def test_values_tell_every_float_from_its_neighbours(self):
        # Two neighbouring floats, which six digits do not tell apart.
        self.path("a.pfm").write_bytes(b"Pf\n2 1\n-1.0\n" + struct.pack("<2f", 0.1, struct.unpack("<f", struct.pack("<I", 0x3dccccce))[0]))
        out, _ = self.cli("info", "a.pfm", "--at", "0,0", "--at", "1,0")
        self.assertIn("at 0,0: Y=0.100000001 (", out)
        self.assertIn("at 1,0: Y=0.100000009 (", out)

    def test_a_channel_without_finite_samples(self):
        nan, infinite, one = bytes.fromhex("0000c07f"), bytes.fromhex("0000807f"), bytes.fromhex("0000803f")
        self.path("none.pfm").write_bytes(b"Pf\n2 2\n-1.0\n" + 3 * nan + infinite)
        self.path("some.pfm").write_bytes(b"Pf\n2 2\n-1.0\n" + 3 * nan + one)
        none, some = self.json("info", "none.pfm", "some.pfm")["items"]
        self.assertEqual([none["channels"][0][k] for k in ("min", "max", "mean", "nan", "inf")], [None, None, None, 3, 1])
        self.assertEqual([some["channels"][0][k] for k in ("min", "max", "mean", "nan", "inf")], [1, 1, 1, 3, 0])
        out, _ = self.cli("info", "none.pfm", "some.pfm")
        self.assertIn("no finite samples; 3 NaN, 1 infinite\n", out)
        self.assertIn("1 to 1, mean 1; 3 NaN, 0 infinite\n", out)

    def test_invalid_positions(self):
        for place in ("2", "2,", "a,b", "1,2,3,4", "1.5,2", "5,0", "0,-1", "0,0,1"):
            self.cli("info", "synthetic:impulse:5x5", "--at", place, code=USAGE)

    def test_bad_file_among_several(self):
        write_png(self.path("a.png"), 2, 2, lambda x, y: (0, 0, 0))
        self.path("broken.png").write_bytes(self.path("a.png").read_bytes()[:40])
        self.path("empty.exr").write_bytes(b"")
        self.path("unknown.xyz").write_bytes(b"nothing that anyone knows")
        out, err = self.cli("info", "a.png", "broken.png", "missing.png", "empty.exr", "unknown.xyz", ".", "synthetic:noise:3x3", code=INPUT)
        for name in ("broken.png", "missing.png", "empty.exr", "unknown.xyz"):
            self.assertIn(name, err)
        self.assertIn("a.png", out)
        self.assertIn("synthetic:noise:3x3", out)
        # Periods at the end of messages of libraries do not end ours.
        self.path("cut.exr").write_bytes(b"\x76\x2f\x31\x01\x02\0\0\0chan")
        self.assertNotIn("..", self.cli("info", "cut.exr", code=INPUT)[1])
        items = self.json("info", "a.png", "missing.png", "synthetic:noise:3x3", code=INPUT)["items"]
        self.assertEqual(len(items), 2)

    def test_text_output(self):
        out, err = self.cli("info", "synthetic:gradient:8x4,channels=3")
        self.assertEqual(err, "")
        self.assertIn("8 x 4", out)

    def test_header_alone(self):
        write_png(self.path("a.png"), 2, 3, lambda x, y: (255, 0, 0))
        data = self.path("a.png").read_bytes()
        at = data.index(b"IDAT")
        self.path("damaged.png").write_bytes(data[:at + 6] + b"\x55" * 4 + data[at + 10:])
        self.cli("info", "damaged.png", code=INPUT)
        self.cli("info", "damaged.png", "--statistics", code=INPUT)
        for name in ("a.png", "damaged.png"):
            item = self.json("info", name, "--header")["items"][0]
            self.assertEqual((item["width"], item["height"], item["statistics"]), (2, 3, False))
            self.assertEqual({key: item["channels"][0][key] for key in ("name", "type", "min", "max", "nan")},
                             {"name": "R", "type": "uint8", "min": None, "max": None, "nan": None})
            self.assertIn("samples not read", self.cli("info", name, "--header")[0])
        self.assertTrue(self.json("info", "a.png")["items"][0]["statistics"])
        for wrong in (["--statistics"], ["--at", "0,0"]):
            self.cli("info", "a.png", "--header", *wrong, code=USAGE)

    def test_samples_of_large_files_are_read_on_request(self):
        # 288 MB as float.
        with open(self.path("large.pfm"), "wb") as file:
            file.write(b"PF\n6000 4000\n-1.0\n")
            file.truncate(file.tell() + 6000 * 4000 * 12)
        self.assertEqual(self.json("info", "large.pfm")["items"][0]["channels"][0]["max"], None)
        self.assertEqual(self.json("info", "large.pfm", "--statistics")["items"][0]["channels"][0]["max"], 0)
        self.assertEqual(self.json("info", "large.pfm", "--at", "5,5")["items"][0]["channels"][0]["max"], 0)

    def test_volumes(self):
        item = self.json("info", "synthetic:shepp-logan:8x8x4")["items"][0]
        self.assertEqual((item["kind"], item["depth"]), ("volume", 4))


class Diff(CommandLineTest):
    def setUp(self):
        super().setUp()
        write_png(self.path("a.png"), 4, 4, lambda x, y: (0, 0, 0))
        write_png(self.path("b.png"), 4, 4, lambda x, y: (255, 0, 0) if (x, y) == (2, 1) else (0, 0, 0))

    def test_identical_images(self):
        j = self.json("diff", "a.png", "a.png", "--tolerance", "0")
        self.assertEqual((j["schema"], j["max_abs"], j["within_tolerance"], j["psnr_db"]), ("parallax.diff", 0, True, "inf"))

    def test_metrics_and_positions(self):
        j = self.json("diff", "a.png", "b.png")
        self.assertEqual(j["max_abs"], 1)
        self.assertAlmostEqual(j["mean_abs"], 1 / 48)
        self.assertEqual({k: j["worst"][0][k] for k in ("x", "y", "channel", "a", "b")}, {"x": 2, "y": 1, "channel": "R", "a": 0, "b": 1})
        out, _ = self.cli("diff", "a.png", "b.png")
        for word in ("max abs", "mean abs", "RMSE", "relative L2", "PSNR", "NaN", "at 2,1"):
            self.assertIn(word, out)

    def test_encoded_values_are_those_of_the_codes(self):
        # A difference of one code, in the dark and in the light.
        write_png(self.path("c.png"), 2, 1, lambda x, y: (20 + 200 * x,) * 3)
        write_png(self.path("d.png"), 2, 1, lambda x, y: (21 + 200 * x,) * 3)
        j = self.json("diff", "c.png", "d.png", "--light", "encoded")
        self.assertEqual(j["light"], "encoded")
        self.assertAlmostEqual(j["max_abs"], 1 / 255, places=6)
        self.assertAlmostEqual(j["rmse"], 1 / 255, places=6)
        self.assertEqual(j["peak"], 1)
        self.assertAlmostEqual(j["psnr_db"], 48.1308, places=3)  # 20 log10(255), as programs have it that use the codes
        linear = self.json("diff", "c.png", "d.png")
        self.assertEqual(linear["light"], "linear")
        self.assertGreater(linear["max_abs"], 1.5 / 255)
        self.cli("diff", "synthetic:noise:8x8x4", "synthetic:noise:8x8x4", "--light", "encoded", code=USAGE)

    def test_the_peak_does_not_depend_on_the_order(self):
        write_png(self.path("dark.png"), 2, 1, lambda x, y: (50,) * 3)
        write_png(self.path("light.png"), 2, 1, lambda x, y: (250,) * 3)
        a, b = self.json("diff", "dark.png", "light.png"), self.json("diff", "light.png", "dark.png")
        self.assertEqual((a["peak"], a["psnr_db"]), (b["peak"], b["psnr_db"]))

    def test_json_follows_its_schema(self):
        schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "resources/schemas/diff.schema.json").read_text())
        volume = "synthetic:noise:12x12x4"
        self.path("light.pfm").write_bytes(b"PF\n1 1\n-1.0\n" + struct.pack("<3f", 8, 8, 8))
        for pair in (("a.png", "b.png"), ("a.png", "b.png", "--tolerance", "2"), ("light.pfm", "light.pfm"), (volume, volume),
                     ("b.png", "a.png", "--map", "m.pfm", "--map-kind", "ssim"), ("a.png", "b.png", "--light", "encoded")):
            self.assertEqual(json_schema.errors(self.json("diff", *pair), schema, strict=True), [], pair)
        self.assertNotEqual(json_schema.errors(dict(self.json("diff", "a.png", "b.png"), flip={"kind": "odd"}), schema), [])

    def test_perceptual_metrics(self):
        j = self.json("diff", "a.png", "b.png")
        self.assertEqual(j["schema_version"], 1)
        self.assertEqual(j["flip"]["kind"], "ldr")
        self.assertEqual(j["flip"]["pixels_per_degree"], 67)
        self.assertNotIn("ssim_linear", j)
        self.assertTrue(0 < j["flip"]["mean"] < j["flip"]["max"] <= 1)
        self.assertTrue(-1 <= j["ssim"] < 1)
        # All but one sample are equal; from 0 to 1 there are 0x3f800000 floats.
        self.assertEqual(j["ulp"], {"largest": 0x3F800000, "compared": 48, "distribution": [{"up_to": 0, "samples": 47}, {"up_to": 1 << 30, "samples": 1}]})
        same = self.json("diff", "b.png", "b.png")
        self.assertEqual((same["ssim"], same["flip"]["mean"], same["ulp"]["largest"]), (1, 0, 0))
        out, _ = self.cli("diff", "a.png", "b.png")
        for word in ("SSIM ", "FLIP ", "ULP ", "67 pixels per degree"):
            self.assertIn(word, out)
        self.assertNotEqual(self.json("diff", "a.png", "b.png", "--ppd", "20")["flip"]["mean"], j["flip"]["mean"])
        self.cli("diff", "a.png", "b.png", "--ppd", "0", code=USAGE)

    def test_high_dynamic_range(self):
        pixel = lambda v: b"PF\n1 1\n-1.0\n" + struct.pack("<3f", v, v, v)
        self.path("c.pfm").write_bytes(pixel(8))
        self.path("d.pfm").write_bytes(pixel(6))
        j = self.json("diff", "c.pfm", "d.pfm")
        self.assertEqual((j["flip"]["kind"], j["flip"]["exposures"], j["ssim_linear_range"]), ("hdr", 2, 8))
        self.assertGreater(j["flip"]["mean"], 0)
        self.assertIn("HDR-FLIP", self.cli("diff", "c.pfm", "d.pfm")[0])
        # Both are white on a display.
        standard = self.json("diff", "c.pfm", "d.pfm", "--range", "ldr")
        self.assertEqual((standard["flip"]["kind"], standard["flip"]["mean"], standard["ssim"]), ("ldr", 0, 1))

    def test_error_maps(self):
        for kind, largest in (("absolute", 1), ("ssim", None), ("flip", self.json("diff", "a.png", "b.png")["flip"]["max"])):
            self.cli("diff", "a.png", "b.png", "--map", f"{kind}.pfm", "--map-kind", kind)
            item = self.json("info", f"{kind}.pfm", "--at", "2,1")["items"][0]
            self.assertEqual((item["width"], item["height"], len(item["channels"])), (4, 4, 1))
            if largest is not None:
                self.assertAlmostEqual(item["channels"][0]["max"], largest, places=6)
                self.assertAlmostEqual(item["samples"][0]["values"]["Y"], largest, places=6)
        self.cli("diff", "a.png", "b.png", "--map", "flip.pfm", code=OUTPUT)
        self.cli("diff", "a.png", "b.png", "--map", "flip.pfm", "--force")
        self.cli("diff", "a.png", "b.png", "--map", "x.pfm", "--map-kind", "other", code=USAGE)

    def test_volumes_have_no_flip(self):
        j = self.json("diff", "synthetic:shepp-logan:12x12x4", "synthetic:noise:12x12x4")
        self.assertNotIn("flip", j)
        self.assertNotIn("ssim", j)
        self.assertTrue(-1 <= j["ssim_linear"] < 1)
        self.cli("diff", "synthetic:noise:12x12x4", "synthetic:noise:12x12x4", "--map", "x.nrrd", "--map-kind", "flip", code=USAGE)

    def test_tolerance_decides_the_exit_code(self):
        self.cli("diff", "a.png", "b.png")  # no tolerance, no failure
        self.cli("diff", "a.png", "b.png", "--tolerance", "1")
        _, err = self.cli("diff", "a.png", "b.png", "--tolerance", "0.99", code=DISAGREE)
        self.assertIn("0.99", err)
        self.assertFalse(self.json("diff", "a.png", "b.png", "--tolerance", "0", code=DISAGREE)["within_tolerance"])
        self.cli("diff", "a.png", "b.png", "--tolerance", "-1", code=USAGE)

    def test_nan_in_one_image_exceeds_any_tolerance(self):
        one = b"PF\n2 1\n-1.0\n" + bytes.fromhex("0000803f" * 6)
        self.path("one.pfm").write_bytes(one)
        self.path("nan.pfm").write_bytes(one[:-4] + bytes.fromhex("0000c07f"))
        j = self.json("diff", "one.pfm", "nan.pfm", "--tolerance", "1e9", code=DISAGREE)
        self.assertEqual(j["nan_mismatches"], 1)
        self.cli("diff", "nan.pfm", "nan.pfm", "--tolerance", "0")

    def test_incompatible_inputs(self):
        self.cli("diff", "a.png", "missing.png", code=INPUT)
        self.cli("diff", "a.png", "synthetic:noise:5x4,channels=3", code=USAGE)
        self.assertIn("with 1 channel against", self.cli("diff", "synthetic:noise:5x4", "synthetic:noise:5x5", code=USAGE)[1])

    def test_finds_the_effect_of_a_convolution(self):
        self.cli("run", "-i", "b.png", "-o", "same.png", *SAME, "--backend", "reference")
        self.cli("run", "-i", "b.png", "-o", "blurred.png", *BLUR, "--backend", "reference")
        self.cli("diff", "b.png", "same.png", "--tolerance", "0")
        self.cli("diff", "b.png", "blurred.png", "--tolerance", "0.1", code=DISAGREE)


if __name__ == "__main__":
    unittest.main()
