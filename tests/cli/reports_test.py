# SPDX-License-Identifier: GPL-3.0-or-later
"""compare and report: what is made from records."""
import copy
import json
import unittest

from command_line import BLUR, INPUT, OUTPUT, REGRESSION, SUCCESS, USAGE, CommandLineTest


def slower(record, factor):
    changed = copy.deepcopy(record)
    for entry in changed["entries"]:
        for sample in entry["samples_ns"]:
            sample["compute"] = int(sample["compute"] * factor)
    return changed


class Reports(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.record = json.loads(self.bench_quick("-i", "synthetic:noise:32x32", *BLUR, "--backend", "reference", "--json")[0])
        # Times by hand: the machine's own noise would decide otherwise.
        for i, sample in enumerate(self.record["entries"][0]["samples_ns"]):
            sample["compute"] = 100000 + 10 * (i % 7)
        self.write("base.json", self.record)

    def write(self, name, record):
        self.path(name).write_text(json.dumps(record))

    def test_same_times_are_the_same(self):
        out, _ = self.cli("compare", "base.json", "base.json", "--fail-on-regression", "1")
        self.assertIn("SAME", out)

    def test_a_regression_beyond_the_limit(self):
        self.write("new.json", slower(self.record, 1.2))
        for limit, code in ((10, REGRESSION), (50, SUCCESS)):
            out, _ = self.cli("compare", "base.json", "new.json", "--fail-on-regression", limit, code=code)
            self.assertIn("SLOWER", out)
            self.assertEqual("REGRESSION" in out, code == REGRESSION)
        self.cli("compare", "base.json", "new.json")  # without a limit it only tells
        self.assertIn("FASTER", self.cli("compare", "new.json", "base.json", "--fail-on-regression", "10")[0])
        j = self.json("compare", "base.json", "new.json", "--fail-on-regression", "10", code=REGRESSION)
        self.assertEqual((j["schema"], j["schema_version"]), ("parallax.comparison", 1))
        entry = j["comparisons"][0]["entries"][0]
        self.assertEqual((entry["verdict"], entry["regression"]), ("SLOWER", True))
        self.assertLessEqual(entry["ratio_low"], 1.2001)
        self.assertGreaterEqual(entry["ratio_high"], 1.1999)

    def test_what_is_different_is_said(self):
        other = copy.deepcopy(self.record)
        other["machine"]["cpu"] = "Another"
        other["input"]["hash"] = "0"
        other["recipe"] = ["convolve:size=9"]
        self.write("other.json", other)
        out, _ = self.cli("compare", "base.json", "other.json")
        for word in ("machines", "input", "recipes"):
            self.assertIn(word, out)

    def test_nothing_in_common_cannot_pass(self):
        other = copy.deepcopy(self.record)
        other["entries"][0]["label"] = "another"
        self.write("other.json", other)
        self.cli("compare", "base.json", "other.json", "--fail-on-regression", "10", code=USAGE)

    def test_files_that_are_no_reports(self):
        self.path("text.json").write_text("not json")
        self.path("other.json").write_text('{"schema": "something else"}')
        self.path("empty.json").write_text("")
        for name in ("missing.json", "text.json", "other.json", "empty.json", "."):
            self.cli("compare", "base.json", name, code=INPUT)
            self.cli("report", name, "-o", "out.html", code=INPUT)
        self.assertNotIn("out.html", self.leftovers())

    def test_every_format(self):
        for name, start in (("r.html", "<!DOCTYPE html>"), ("r.csv", "record,"), ("r.md", "# "), ("r.json", "{")):
            self.cli("report", "base.json", "-o", name)
            self.assertTrue(self.path(name).read_text().startswith(start), name)
        self.assertEqual(json.loads(self.path("r.json").read_text())["entries"][0]["samples_ns"], self.record["entries"][0]["samples_ns"])
        for fetching in ("http:", "https:", "src=", "<script", "<link"):
            self.assertNotIn(fetching, self.path("r.html").read_text())

    def test_outputs(self):
        self.cli("report", "base.json", "-o", "r.pdf", code=USAGE)
        self.cli("report", "base.json", "-o", "r.doc", code=USAGE)
        self.cli("report", "base.json", "-o", "missing/r.md", code=OUTPUT)
        self.path("r.md").write_text("precious")
        self.cli("report", "base.json", "-o", "r.md", code=OUTPUT)
        self.assertEqual(self.path("r.md").read_text(), "precious")
        self.cli("report", "base.json", "-o", "r.md", "--force")
        self.assertTrue(self.path("r.md").read_text().startswith("# "))


if __name__ == "__main__":
    unittest.main()
