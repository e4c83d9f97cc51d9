# SPDX-License-Identifier: GPL-3.0-or-later
"""compare, report, bench --from and the JSON schema."""
import copy
import csv
import hashlib
import json
import os
import pathlib
import statistics
import threading
import unittest

import json_schema
from command_line import BLUR, INPUT, OUTPUT, REGRESSION, SUCCESS, USAGE, CommandLineTest


def slower(record, factor):
    changed = copy.deepcopy(record)
    for entry in changed["entries"]:
        for sample in entry["samples_ns"]:
            sample["compute"] = int(sample["compute"] * factor)
    return changed


class Reports(CommandLineTest):
    measured = None

    def setUp(self):
        super().setUp()
        if Reports.measured is None:  # once for all tests
            Reports.measured = json.loads(self.bench_quick("-i", "synthetic:noise:32x32", *BLUR, "--backend", "reference", "--json")[0])
        self.record = copy.deepcopy(Reports.measured)
        # Fixed times and blocks: the noise of the machine must not decide the verdicts.
        entry = self.record["entries"][0]
        entry["samples_ns"] = [dict(entry["samples_ns"][0], compute=100000 + 10 * (i % 7)) for i in range(70)]
        entry["blocks"] = list(range(0, 70, 7))
        self.write("base.json", self.record)

    def write(self, name, record):
        self.path(name).write_text(json.dumps(record))

    def test_same_times_are_same(self):
        out, _ = self.cli("compare", "base.json", "base.json", "--fail-on-regression", "1")
        self.assertIn("SAME", out)

    def test_regression_beyond_the_limit(self):
        self.write("new.json", slower(self.record, 1.2))
        for limit, code in ((10, REGRESSION), (50, SUCCESS)):
            out, _ = self.cli("compare", "base.json", "new.json", "--fail-on-regression", limit, code=code)
            self.assertIn("SLOWER", out)
            self.assertEqual("REGRESSION" in out, code == REGRESSION)
        self.cli("compare", "base.json", "new.json")  # without a limit it only reports
        self.assertIn("FASTER", self.cli("compare", "new.json", "base.json", "--fail-on-regression", "10")[0])
        j = self.json("compare", "base.json", "new.json", "--fail-on-regression", "10", code=REGRESSION)
        self.assertEqual((j["schema"], j["schema_version"]), ("parallax.comparison", 1))
        entry = j["comparisons"][0]["entries"][0]
        self.assertEqual((entry["verdict"], entry["regression"]), ("SLOWER", True))
        self.assertLessEqual(entry["ratio_low"], 1.2001)
        self.assertGreaterEqual(entry["ratio_high"], 1.1999)

    def test_bench_again_fails_on_a_regression(self):
        # No machine is as fast as the second report says.
        self.write("fast.json", slower(self.record, 1e-4))
        for report, limit, code in (("base.json", "1e6", SUCCESS), ("fast.json", "10", REGRESSION)):
            out, _ = self.cli("bench", "--from", report, "--fail-on-regression", limit, code=code)
            self.assertIn("against " + report, out)
            self.assertEqual("REGRESSION" in out, code == REGRESSION)
        self.assertNotIn("REGRESSION", self.cli("bench", "--from", "fast.json")[0])
        _, err = self.bench_quick("-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--fail-on-regression", "5", code=USAGE)
        self.assertIn("--from", err)

    def test_saved_baselines_are_compared_by_name(self):
        self.write("fast.json", slower(self.record, 1e-4))
        self.cli("baselines", "save", "release 1.0", "fast.json")
        self.cli("baselines", "save", "release 1.0", "base.json", code=OUTPUT)
        self.cli("baselines", "save", "old", "base.json")
        self.cli("baselines", "save", "a/b", "base.json", code=USAGE)
        self.assertEqual([b["name"] for b in self.json("baselines", "list")["baselines"]], ["old", "release 1.0"])
        measure = ["-i", "synthetic:noise:64x64", *BLUR, "--backend", "reference", "--compare-with", "release 1.0", "--compare-with", "mine=base.json"]
        judged = {"environment": {"PARALLAX_SAMPLING_SECONDS": "0.5"}}  # a busy machine takes longer for the blocks that a verdict needs
        out, _ = self.bench_quick(*measure, **judged)
        heading = next(line for line in out.splitlines() if line.startswith("time now / before"))
        self.assertLess(heading.index("release 1.0"), heading.index("mine"))
        self.assertIn("SLOWER", out)
        reports = [self.path(f"compared.{e}") for e in ("html", "md", "tex", "csv", "json")]
        out, _ = self.bench_quick(*measure, "--fail-on-regression", "10", *(a for r in reports for a in ("--report", str(r))), code=REGRESSION, **judged)
        self.assertIn("REGRESSION", out)
        for report in reports[:3]:
            self.assertIn("Comparison with 2 baselines", report.read_text(encoding="utf-8"))
            self.assertIn("SLOWER, REGRESSION", report.read_text(encoding="utf-8"))
        with reports[3].open(encoding="utf-8") as f:
            rows = [row for row in csv.DictReader(f) if row["kind"] == "comparison"]
        self.assertEqual({row["baseline"] for row in rows}, {"release 1.0", "mine"})
        self.assertEqual(next(row["verdict"] for row in rows if row["baseline"] == "release 1.0"), "SLOWER")
        document = json.loads(reports[4].read_text(encoding="utf-8"))
        schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "resources/schemas/run-record.schema.json").read_text(encoding="utf-8"))
        self.assertEqual(json_schema.errors(document, schema), [])
        compared = document["comparisons"]
        self.assertEqual([c["baseline"] for c in compared], ["release 1.0", "mine"])
        self.assertTrue(compared[0]["entries"][0]["regression"])
        # The comparison stays in other formats of the report.
        self.cli("report", str(reports[4]), "-o", "again.md")
        self.assertIn("SLOWER, REGRESSION", self.path("again.md").read_text(encoding="utf-8"))
        # Alone, the one that nothing is slower than passes.
        self.bench_quick(*measure[:-4], "--compare-with", "mine=base.json", "--fail-on-regression", "1e6", **judged)
        self.cli("baselines", "rename", "release 1.0", "first")
        self.cli("baselines", "remove", "old")
        _, err = self.bench_quick(*measure, code=USAGE)
        self.assertIn("saved are first", err)
        self.bench_quick(*measure[:-4], "--save-baseline", "first", code=OUTPUT)
        self.bench_quick(*measure[:-4], "--save-baseline", "first", "--force")
        self.bench_quick(*measure[:-4], "--compare-with", "first", "--compare-with", "first", code=USAGE)
        listed = self.json("baselines", "list")["baselines"]
        self.assertEqual([b["name"] for b in listed], ["first"])
        self.assertEqual(json.loads(pathlib.Path(listed[0]["file"]).read_text())["recipe"], ["convolve:size=3"])

    def test_history_of_the_window_gets_the_measurement(self):
        def kept():
            return sorted((self.data / "parallax" / "history").glob("*.json"))
        before = len(kept())
        measure = ["-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference"]
        self.bench_quick(*measure, "--report", "r.json")
        self.assertEqual(len(kept()), before + 1)
        self.assertEqual(kept()[-1].read_text(), self.path("r.json").read_text())
        self.bench_quick(*measure, "--no-history")
        self.assertEqual(len(kept()), before + 1)
        settings = self.data / "config" / "parallax"
        settings.mkdir(parents=True)
        (settings / "parallax.conf").write_text("[history]\nkeep=false\n")
        self.bench_quick(*measure)
        self.assertEqual(len(kept()), before + 1)
        (settings / "parallax.conf").write_text("[history]\nmax-runs=1\n")
        self.bench_quick(*measure)
        self.assertEqual(len(kept()), 1)
        # A history that cannot be written does not stop the measurement.
        self.path("file").write_text("")
        _, err = self.bench_quick(*measure, environment={"XDG_DATA_HOME": str(self.path("file"))})
        self.assertIn("not kept in the history", err)

    def test_checksums_are_those_of_the_samples(self):
        self.cli("run", "-i", "synthetic:noise:40x30", *BLUR, "--backend", "reference", "-o", "blurred.raw", "--force")
        digest = hashlib.sha256(self.path("blurred.raw").read_bytes()).hexdigest()
        run = self.json("run", "-i", "synthetic:noise:40x30", *BLUR, "--backend", "reference", "-o", "blurred.raw", "--force")
        self.assertEqual(run["result_sha256"], digest)
        self.bench_quick("-i", "synthetic:noise:40x30", *BLUR, "--backend", "reference", "--report", "r.json")
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual(record["entries"][0]["sha256"], digest)
        self.assertEqual(record["input"]["sha256"], run["input_sha256"])
        self.cli("report", "r.json", "-o", "r.html")
        self.assertIn("SHA-256 of the result of reference: " + digest, self.path("r.html").read_text())
        out, _ = self.cli("bench", "--from", "r.json")
        self.assertIn("same result", out)
        record["entries"][0]["sha256"] = "0" * 64
        self.write("other.json", record)
        self.assertIn("other bits in the result", self.cli("bench", "--from", "other.json")[0])

    def test_cold_caches_are_stated(self):
        measure = ["-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--cache", "cold", "--report", "cold.json"]
        out, _ = self.bench_quick(*measure)
        self.assertIn("cold caches: emptied before each timing sample", out)
        record = json.loads(self.path("cold.json").read_text())
        self.assertEqual((record["schema_version"], record["protocol"]["cold_caches"]), (6, True))
        out, _ = self.cli("bench", "--from", "cold.json")
        self.assertIn("cold caches", out, "it is measured as before")
        out, _ = self.cli("bench", "--from", "cold.json", "--cache", "warm")
        self.assertIn("Caches changed from 'cold' to 'warm'", out)
        self.bench_quick(*measure[:-3], "lukewarm", code=USAGE)

    def test_emptied_caches_of_a_device_make_a_run_slower(self):
        self.need("cuda")
        medians = {}
        for cache in ("warm", "cold"):
            self.cli("bench", "-i", "synthetic:noise:256x256", "--op", "convolve:size=3", "--backend", "cuda.naive", "--cache", cache, "--effort",
                     "quick", "--report", f"{cache}.json")
            entry, = json.loads(self.path(f"{cache}.json").read_text())["entries"]
            medians[cache] = statistics.median(s["compute"] for s in entry["samples_ns"])
        self.assertGreater(medians["cold"], 1.1 * medians["warm"])

    def test_energy_of_a_fake_counter(self):
        zone = self.path("powercap") / "intel-rapl:0"
        zone.mkdir(parents=True)
        (zone / "name").write_text("package-0\n")
        (zone / "max_energy_range_uj").write_text("1000000000000\n")
        counter = zone / "energy_uj"
        counter.write_text("1000\n")
        environment = {"PARALLAX_POWERCAP": str(self.path("powercap"))}
        measure = ["-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--energy"]
        out, _ = self.bench_quick(*measure, environment=environment)
        self.assertIn("energy: not available: the counter of RAPL (package-0) did not move", out)
        done = threading.Event()

        def run_counter():
            microjoules = 1000
            while not done.wait(0.002):
                microjoules += 100000
                (zone / "next").write_text(f"{microjoules}\n")
                os.replace(zone / "next", counter)
        thread = threading.Thread(target=run_counter)
        thread.start()
        try:
            out, _ = self.bench_quick(*measure, "--report", "r.json", "--report", "r.csv", environment=environment)
        finally:
            done.set()
            thread.join()
        self.assertRegex(out, r"max error +energy")
        energy = json.loads(self.path("r.json").read_text())["entries"][0]["energy"]
        self.assertEqual(energy["source"], "RAPL (package-0)")
        self.assertGreater(energy["joules"], 0)
        self.assertGreater(energy["runs"], 0)
        rows = list(csv.DictReader(self.path("r.csv").read_text().splitlines()))
        self.assertAlmostEqual(float(rows[0]["energy_j"]), energy["joules"] / energy["runs"])
        devices = self.json("devices", environment=environment)["backends"]
        host = next(b for b in devices if b["id"] == "reference")["devices"][0]
        self.assertEqual(host["details"]["energy counter"], "RAPL (package-0)")
        counter.unlink()
        host = next(b for b in self.json("devices", environment=environment)["backends"] if b["id"] == "reference")["devices"][0]
        self.assertIn("not available: RAPL cannot be read", host["details"]["energy counter"])

    def test_warns_of_differences(self):
        other = copy.deepcopy(self.record)
        other["machine"]["cpu"] = "Another"
        other["input"].update(hash="0", sha256="0" * 64)
        other["recipe"] = ["convolve:size=9"]
        self.write("other.json", other)
        out, _ = self.cli("compare", "base.json", "other.json")
        for word in ("machines", "input", "recipes"):
            self.assertIn(word, out)

    def test_nothing_in_common_is_an_error(self):
        other = copy.deepcopy(self.record)
        other["entries"][0]["label"] = "another"
        self.write("other.json", other)
        self.cli("compare", "base.json", "other.json", "--fail-on-regression", "10", code=USAGE)

    def test_rejects_other_files(self):
        self.path("text.json").write_text("not json")
        self.path("other.json").write_text('{"schema": "something else"}')
        self.path("empty.json").write_text("")
        for name in ("missing.json", "text.json", "other.json", "empty.json", "."):
            self.cli("compare", "base.json", name, code=INPUT)
            self.cli("report", name, "-o", "out.html", code=INPUT)
        self.assertNotIn("out.html", self.leftovers())

    def test_every_format(self):
        for name, start in (("r.html", "<!DOCTYPE html>"), ("r.csv", "record,"), ("r.md", "# "), ("r.tex", "% Tables"), ("r.json", "{")):
            self.cli("report", "base.json", "-o", name)
            self.assertTrue(self.path(name).read_text().startswith(start), name)
        self.assertEqual(json.loads(self.path("r.json").read_text())["entries"][0]["samples_ns"], self.record["entries"][0]["samples_ns"])
        for fetching in ("http:", "https:", "src=", "<script", "<link"):
            self.assertNotIn(fetching, self.path("r.html").read_text())

    def test_output_files(self):
        self.cli("report", "base.json", "-o", "r.doc", code=USAGE)
        self.cli("report", "base.json", "-o", "missing/r.md", code=OUTPUT)
        self.path("r.md").write_text("precious")
        self.cli("report", "base.json", "-o", "r.md", code=OUTPUT)
        self.assertEqual(self.path("r.md").read_text(), "precious")
        self.cli("report", "base.json", "-o", "r.md", "--force")
        self.assertTrue(self.path("r.md").read_text().startswith("# "))


class Schema(CommandLineTest):
    """Records conform to the published schema, which lists every field of theirs."""

    def setUp(self):
        super().setUp()
        path = pathlib.Path(__file__).parents[2] / "resources" / "schemas" / "run-record.schema.json"
        self.schema = json.loads(path.read_text())

    def check(self, report):
        self.assertEqual(json_schema.errors(report, self.schema, strict=True), [])

    def test_one_record_with_an_absent_backend(self):
        out, _ = self.bench_quick("-i", "synthetic:noise:32x32,channels=3", *BLUR, "--backend", "reference", "--backend", "cuda", "--json",
                                  environment={"CUDA_VISIBLE_DEVICES": "-1"})
        self.check(json.loads(out))

    def test_a_sweep(self):
        self.check(json.loads(self.bench_quick("-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--sweep", "size=8,16", "--json")[0]))

    def test_same_bits(self):
        self.need("openmp")
        arguments = ["-i", "synthetic:noise:64x48", *BLUR, "--backend", "openmp", "--same-bits", "--metrics"]
        record = json.loads(self.bench_quick(*arguments, "--json")[0])
        self.check(record)
        [entry] = record["entries"]
        self.assertEqual((len(entry["bits"]["hash"]), entry["bits"]["others"]), (16, 0))
        self.assertGreater(entry["bits"]["runs"], len(entry["samples_ns"]))
        out, _ = self.bench_quick(*arguments, "--report", "r.html", "--report", "r.md")
        same = rf"same bits in [0-9]+ runs \(hash {entry['bits']['hash']}\)"
        self.assertRegex(out, r"ULP, " + same)
        self.assertRegex(out, r"; first run [0-9.]+ [mun]?s")
        for name in ("r.html", "r.md"):
            self.assertRegex(self.path(name).read_text(), same)

    def test_memory(self):
        self.need("openmp")
        arguments = ["-i", "synthetic:noise:512x256,channels=3", *BLUR, "--backend", "openmp", "--backend", "reference"]
        out, _ = self.bench_quick(*arguments, "--report", "r.json", "--report", "r.csv", "--report", "r.md")
        record = json.loads(self.path("r.json").read_text())
        self.check(record)
        result = 512 * 256 * 3 * 4
        for entry in record["entries"]:
            self.assertGreaterEqual(entry["estimated_host_bytes"], result)
            self.assertGreaterEqual(entry["peak_host_bytes"], result)
            self.assertNotIn("peak_device_bytes", entry, "the device is the processor")
        for row in csv.DictReader(self.path("r.csv").read_text().splitlines()):
            entry = next(e for e in record["entries"] if e["label"] == row["label"])
            self.assertEqual(row["peak_host_bytes"], str(entry["peak_host_bytes"]))
        for text in (out, self.path("r.md").read_text()):
            self.assertRegex(text, r"memory [0-9.]+ [KM]iB \([0-9.]+ [KM]iB estimated\)")
        # Records of older versions have the estimate alone.
        for entry in record["entries"]:
            del entry["peak_host_bytes"]
        self.check(record)
        self.path("old.json").write_text(json.dumps(record))
        self.cli("report", "old.json", "-o", "old.md")
        self.assertRegex(self.path("old.md").read_text(), r"openmp: memory [0-9.]+ [KM]iB estimated\n")

    def test_metrics(self):
        self.need("openmp")
        for name in ("synthetic:hdr-ramp:64x48,channels=3", "synthetic:noise:64x48,channels=3", "synthetic:shepp-logan:12x10x8"):
            out, _ = self.bench_quick("-i", name, *BLUR, "--backend", "reference", "--backend", "openmp", "--metrics", "--json")
            record = json.loads(out)
            self.check(record)
            reference, openmp, _ = record["entries"]  # and the baseline
            self.assertNotIn("metrics", reference)
            metrics = openmp["metrics"]
            self.assertEqual(metrics["max_ulp"] == 0, openmp["difference"]["max_abs"] == 0)
            if "noise" in name:  # both results in files give the same
                for backend in ("reference", "openmp"):
                    self.cli("run", "-i", name, *BLUR, "--backend", backend, "-o", backend + ".exr")
                files = json.loads(self.cli("diff", "reference.exr", "openmp.exr", "--json")[0])
                self.assertEqual((metrics["ssim"], metrics["flip"], metrics["max_ulp"]),
                                 (files["ssim"], files["flip"]["mean"], files["ulp"]["largest"]))
            self.assertEqual("flip" in metrics, "shepp" not in name)
            self.assertEqual("ssim_linear" in metrics, "noise" not in name)
            self.assertEqual(metrics["high_dynamic_range"], "hdr" in name)

    def test_schema_rejects_errors(self):
        good = json.loads(self.bench_quick("-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--json")[0])
        self.check(good)
        for change in (lambda r: r.pop("entries"), lambda r: r["entries"][0].update(status="asleep"), lambda r: r.update(schema_version=7),
                       lambda r: r["entries"][0]["samples_ns"][0].update(compute="fast"), lambda r: r.update(surprise=1),
                       lambda r: r["input"].update(hash="xyz"), lambda r: r["input"].update(sha256="xyz"), lambda r: r["entries"][0]["samples_ns"][0].update(lunch=1)):
            bad = copy.deepcopy(good)
            change(bad)
            self.assertNotEqual(json_schema.errors(bad, self.schema, strict=True), [])


class Again(CommandLineTest):
    def test_repeats_a_report(self):
        self.bench_quick("-i", "synthetic:noise:32x32", *BLUR, "--backend", "reference", "--report", "a.json")
        out, _ = self.cli("bench", "--from", "a.json", "--report", "b.json")
        for word in ("against a.json:", "time x", "reference"):
            self.assertIn(word, out)
        self.assertNotIn("changed from", out)
        a, b = (json.loads(self.path(n).read_text()) for n in ("a.json", "b.json"))
        for key in ("recipe", "protocol", "baseline", "input"):
            self.assertEqual(a[key], b[key], key)
        self.assertIn("--from a.json", b["command"])
        a["tool"]["git"] = "0000000"
        self.path("old.json").write_text(json.dumps(a))
        self.assertIn("Version changed from '", self.cli("bench", "--from", "old.json")[0])

    def test_repeats_a_sweep(self):
        self.bench_quick("-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--sweep", "convolve.size=3,5", "--report", "a.json")
        out, err = self.cli("bench", "--from", "a.json", "--json")
        self.assertEqual([r["recipe"] for r in json.loads(out)["records"]], [r["recipe"] for r in json.loads(self.path("a.json").read_text())["records"]])
        self.assertIn("time x", err)

    def test_invalid_requests(self):
        self.bench_quick("-i", "synthetic:noise:8x8", *BLUR, "--backend", "reference", "--report", "a.json")
        self.cli("bench", "--from", "a.json", *BLUR, code=USAGE)
        self.cli("bench", "--from", "a.json", "--backend", "reference", code=USAGE)
        self.cli("bench", "--from", "missing.json", code=INPUT)
        self.cli("bench", "-i", "synthetic:noise:8x8", *BLUR, code=USAGE)
        self.cli("bench", *BLUR, "--backend", "reference", code=USAGE)


class Redacted(CommandLineTest):
    def test_omits_names_of_files_and_host(self):
        self.cli("run", "-i", "synthetic:noise:16x16", "-o", "patient.exr", *BLUR, "--backend", "reference")
        self.bench_quick("-i", "patient.exr", *BLUR, "--backend", "reference", "--report", "plain.json")
        self.bench_quick("-i", "patient.exr", *BLUR, "--backend", "reference", "--report", "a.json", "--redact")
        self.cli("report", "plain.json", "-o", "b.json", "--redact")
        self.assertIn("patient", self.path("plain.json").read_text())
        for name in ("a.json", "b.json"):
            text = self.path(name).read_text()
            self.assertNotIn("patient", text)
            record = json.loads(text)
            self.assertEqual((record["machine"]["host"], record["input"]["name"]), ("", "redacted.exr"))


if __name__ == "__main__":
    unittest.main()
