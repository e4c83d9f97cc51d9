# SPDX-License-Identifier: GPL-3.0-or-later
"""Tone mapping on the command line, and every EXR and Radiance file of the data folder with every operator.

PARALLAX_TONE_PICTURES=FOLDER keeps the images for inspection."""
import os
import pathlib
import re
import unittest

from command_line import USAGE, CommandLineTest, needs_test_data

DATA = pathlib.Path(os.environ.get("PARALLAX_TEST_DATA") or os.environ.get("PARALLAX_TEST_DATA_DEFAULT", ""))
OPERATORS = ("global", "local", "photoreceptor", "histogram")

# Notes that may be printed, and why. Any other note fails.
EXPLAINED = (
    (r"using backend \w+ \(choose another with --backend\)$", "no backend was named"),
    (r"Luminance and subsampled chroma were converted to R, G and B$", "a fact about the file, which has no R, G and B"),
    (r"The file has \d+ parts; part 0, '.*', was opened$", "a fact about the file; the other parts are not asked for"),
    (r"The samples are so large that intermediate results can exceed the range of float", "scale.hdr has samples up to 1.7e38"),
)


class ToneMapping(CommandLineTest):
    def test_prints_statistics(self):
        _, err = self.cli("run", "-i", "synthetic:hdr-ramp:64x16", "-o", "a.exr", "--op", "tonemap", "--backend", "reference")
        for word in ("log-average luminance", "largest luminance: 1024", "white point: 1024", "clipped: 0 %"):
            self.assertIn(word, err)
        j = self.json("run", "-i", "synthetic:hdr-ramp:64x16", "-o", "b.exr", "--op", "tonemap:white=1", "--backend", "reference")
        found = {f["key"]: f["value"] for f in j["findings"]}
        self.assertEqual(found["white"], 1)
        self.assertGreater(found["brighter"], 20)

    def test_presets_and_operators_are_listed(self):
        operation = self.json("operations", "tonemap")["operations"][0]
        self.assertEqual([p["key"] for p in operation["presets"]], ["paper", "pfstools", "pfstools05", "opencv", "fattal"])
        self.assertIn("brighter", [f["key"] for f in operation["findings"]])
        text = self.cli("operations", "tonemap")[0]
        for word in ("preset=paper", "only with operator = local", "operator=global|local|photoreceptor|histogram|gradient"):
            self.assertIn(word, text)
        _, err = self.cli("run", "-i", "synthetic:hdr-ramp:9x9", "-o", "a.exr", "--op", "tonemap:preset=unknown", code=USAGE)
        self.assertIn("known are paper, pfstools, pfstools05, opencv, fattal", err)

    def test_parameters_override_presets(self):
        common = ("run", "-i", "synthetic:hdr-ramp:40x30,channels=3", "--backend", "reference")
        self.cli(*common, "-o", "a.exr", "--op", "tonemap:operator=local,preset=pfstools,key=0.3")
        self.cli(*common, "-o", "b.exr", "--op", "tonemap:operator=local,phi=1,key=0.3")
        self.assertEqual(self.json("diff", "a.exr", "b.exr")["max_abs"], 0)

    def test_rejects_volumes(self):
        _, err = self.cli("run", "-i", "synthetic:shepp-logan:16x16x8", "-o", "a.nii", "--op", "tonemap", "--backend", "reference", code=USAGE)
        self.assertIn("volume of 8 slices", err)

    def test_bench_and_sweep(self):
        self.bench_quick("-i", "synthetic:hdr-ramp:96x64,channels=3", "--op", "tonemap", "--backend", "reference", "--sweep",
                         "tonemap.key=0.1,0.2", "--report", "a.json", "--report", "a.html", "--report", "a.md", "--report", "a.csv")
        self.assertIn("log-average luminance", self.path("a.html").read_text())
        self.assertIn("log-average luminance", self.path("a.md").read_text())


@needs_test_data(DATA / "exr")
class Files(CommandLineTest):
    def statistics(self, path):
        channels = self.json("info", path)["items"][0]["channels"]
        return {key: sum(c[key] for c in channels) for key in ("nan", "inf")}

    def test_every_exr_and_hdr(self):
        files = sorted(p for p in DATA.rglob("*") if p.suffix.lower() in (".exr", ".hdr") and p.is_file() and "_bad" not in str(p.relative_to(DATA))
                       and "_deep" not in str(p.relative_to(DATA))
                       and "nifti" not in str(p.relative_to(DATA)))  # there .hdr is an Analyze header
        self.assertGreater(len(files), 20)
        pictures = os.environ.get("PARALLAX_TONE_PICTURES")
        if pictures:
            pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
        mapped = 0
        for file in files:
            before = self.statistics(file)
            for operator in OPERATORS:
                # EXR, since other formats clip values above 1.
                command = ("run", "-i", file, "--op", f"tonemap:operator={operator}", "--force", "-o")
                _, err = self.cli(*command, self.path("out.exr"))
                for line in err.splitlines():
                    if "note:" in line:
                        self.assertTrue(any(re.search(pattern, line) for pattern, _ in EXPLAINED), f"{file.name}: {line}")
                after = self.statistics(self.path("out.exr"))
                self.assertGreaterEqual(before["nan"], after["nan"] and 1, f"{file.name}: NaN from nothing")
                # Other channels are copied.
                self.assertLessEqual(after["inf"], before["inf"], f"{file.name}: infinity from nothing")
                if pictures:
                    self.start(*command, pathlib.Path(pictures) / f"{file.parent.name}-{file.stem}-{operator}.png").communicate()
                mapped += 1
        self.assertEqual(mapped, 4 * len(files))


if __name__ == "__main__":
    unittest.main()
