# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import json
import pathlib
import unittest

import json_schema
from command_line import BLUR, DISAGREE, FAILED, INPUT, OUTPUT, PATIENCE, SUCCESS, UNAVAILABLE, UNTRUSTWORTHY, USAGE, CommandLineTest

IMAGE = ["-i", "synthetic:noise:48x32,channels=3"]
REFERENCE = ["--backend", "reference"]
NO_GPU = {"CUDA_VISIBLE_DEVICES": "-1"}


class Bench(CommandLineTest):
    def record(self, *arguments, **options):
        return json.loads(self.bench_quick(*IMAGE, *BLUR, *arguments, "--json", **options)[0])

    def test_table_and_three_reports(self):
        for backend in ("openmp", "opencv"):
            self.need(backend)
        self.cli("run", *IMAGE, "-o", "sample.exr", "--op", "convolve:kernel=box,size=1", "--backend", "reference")
        out, err = self.bench_quick("-i", "sample.exr", "--op", "convolve:kernel=gaussian,size=7", "--backend", "reference", "--backend", "openmp",
                                    "--backend", "opencv", "--report", "r.json", "--report", "r.csv", "--report", "r.html")
        for word in ("compute", "end to end", "speedup", "95 % interval", "max error", "baseline", "reference", "openmp", "opencv", " ok"):
            self.assertIn(word, out)
        for name in ("r.json", "r.csv", "r.html"):
            self.assertIn("wrote " + name, err)
        record = json.loads(self.path("r.json").read_text())
        self.assertEqual((record["schema"], record["schema_version"]), ("parallax.run-record", 4))
        self.assertEqual([e["label"] for e in record["entries"]], ["reference", "openmp", "opencv", "openmp.scalar:1t"])
        self.assertEqual(record["baseline"], "openmp.scalar:1t")
        self.assertRegex(out, r"(?m)^reference .* oracle +oracle ")
        for e in record["entries"]:
            self.assertEqual((e["status"], e["verification"]), ("done", "agrees"))
            self.assertGreater(len(e["samples_ns"]), 0)
        with open(self.path("r.csv"), newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        samples = [r for r in rows if r["kind"] == "sample" and r["label"] == "openmp"]
        self.assertEqual([int(s["compute_ns"]) for s in samples], [s["compute"] for s in record["entries"][1]["samples_ns"]])
        self.assertIn("<svg", self.path("r.html").read_text())
        self.assertEqual(self.leftovers(), ["r.csv", "r.html", "r.json", "sample.exr"])

    def test_record_holds_its_command(self):
        self.assertIn("bench --effort quick -i synthetic:noise:48x32,channels=3 --op convolve:", self.record(*REFERENCE)["command"])

    def test_several_entries_of_one_backend(self):
        self.need("openmp")
        r = self.record("--backend", "openmp", "--backend", "openmp.scalar", "--threads", "1")
        self.assertEqual([e["label"] for e in r["entries"]], ["openmp:1t", "openmp.scalar:1t"])
        self.assertEqual([e["threads"] for e in r["entries"]], [1, 1])
        self.assertEqual([e["verification"] for e in r["entries"]], ["agrees", "agrees"])

    def test_judges_by_the_residual_where_the_reference_takes_too_long(self):
        self.need("openmp")
        work = ["-i", "synthetic:noise:512x512", "--op"]
        limited = {"environment": {"PARALLAX_REFERENCE_SECONDS": "0.1", "PARALLAX_SAMPLING_SECONDS": "0.05"}}
        out, err = self.bench_quick(*work, "poisson", "--backend", "openmp.dct", "--report", "r.json", "--report", "r.html", **limited)
        self.assertRegex(out, r"[0-9.e-]+ ok: relative residual")
        self.assertRegex(out + err, r"judged by the operation itself and not compared with the reference, which would take about \d+ second")
        entry = json.loads(self.path("r.json").read_text())["entries"][0]
        self.assertEqual(entry["verification"], "holds")
        self.assertLessEqual(entry["judgements"][0]["value"], entry["judgements"][0]["bound"])
        self.assertNotIn("difference", entry)
        self.assertIn("ok: relative residual", self.path("r.html").read_text())
        self.assertRegex(self.cli("report", "r.json", "-o", "again.md")[1], "again.md")
        self.assertIn("ok: relative residual", self.path("again.md").read_text())
        # A solve that ends early is wrong by the same measure.
        out, err = self.bench_quick(*work, "poisson:iterations=2", "--backend", "openmp.cg", code=DISAGREE, **limited)
        self.assertIn("DISAGREES: relative residual", out)
        self.assertIn("fails the judgement of its operation", err)
        # A bound that would let zeros pass says nothing.
        out, err = self.bench_quick("-i", "synthetic:noise:2048x2048", "--op", "poisson", "--backend", "openmp.dct", **limited)
        self.assertIn("inconclusive: relative residual", out)
        self.assertIn("the bound of its own judgement", err)

    def test_tolerance_that_allows_any_result_is_inconclusive(self):
        self.need("openmp")
        report = ["--backend", "reference", "--backend", "openmp", "--report", "r.json", "--force"]
        steps = ["--op", "convolve:size=5", "--op", "tonemap"]
        out, _ = self.bench_quick(*IMAGE, *steps, *report)
        entry = json.loads(self.path("r.json").read_text())["entries"][1]
        self.assertEqual(entry["verification"], "agrees")
        self.assertIn(entry["judged_step"], ("convolve", "tonemap"))
        self.assertLess(entry["tolerance"], 1)
        self.assertIn(f"ok, step {entry['judged_step']}", out)
        # Tone mapping of negative light: its own tolerance exceeds the result.
        out, err = self.bench_quick(*IMAGE, "--op", "convolve:kernel=laplacian", "--op", "tonemap", *report)
        self.assertEqual(json.loads(self.path("r.json").read_text())["entries"][1]["verification"], "not judged")
        self.assertIn("inconclusive", out)
        self.assertIn("verification of 'openmp' is inconclusive", err)

    def test_baseline(self):
        self.need("openmp")
        self.assertEqual(self.record("--backend", "openmp", *REFERENCE)["baseline"], "openmp.scalar:1t")
        self.assertEqual(self.record("--backend", "openmp", *REFERENCE, "--baseline", "reference")["baseline"], "reference")
        # One thread of openmp is serial, but not plain.
        self.assertEqual(self.record("--backend", "openmp", "--threads", "1", *REFERENCE)["baseline"], "openmp.scalar:1t")
        # Wavelets have no plain loops.
        waves = self.bench_quick(*IMAGE, "--op", "dwt", "--backend", "openmp", *REFERENCE, "--report", "w.json", "--force")[0]
        self.assertIn("openmp:1t", waves)
        self.assertEqual(json.loads(self.path("w.json").read_text())["baseline"], "openmp:1t")
        for named in ("openmp", "openmp:2t"):
            self.assertEqual(self.record("--backend", "openmp", "--baseline", named, "--threads", "2")["baseline"], "openmp:2t")
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--baseline", "nonsense", code=USAGE)
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--baseline", "openmp@x", code=USAGE)

    def test_encoded_values_are_measured_and_recorded(self):
        record = self.record(*REFERENCE, "--light", "encoded")
        self.assertEqual(record["input"]["light"], "encoded")
        linear = self.record(*REFERENCE)
        self.assertNotIn("light", linear["input"])
        self.assertNotEqual(record["input"]["hash"], linear["input"]["hash"])
        # Measured again, and in sweeps over the size, it is the same.
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--light", "encoded", "--report", "e.json", "--report", "e.html", "--sweep", "size=8,16")
        self.assertIn("as encoded values", self.path("e.html").read_text(encoding="utf-8"))
        self.cli("bench", "--effort", "quick", "--from", "e.json", "--report", "again.json")
        before, after = (json.loads(self.path(name).read_text())["records"] for name in ("e.json", "again.json"))
        self.assertEqual([r["input"] for r in before], [r["input"] for r in after])
        self.assertEqual({r["input"]["light"] for r in after}, {"encoded"})
        self.cli("bench", "--from", "e.json", "--light", "encoded", code=USAGE)
        self.bench_quick("-i", "synthetic:noise:8x8x4", *BLUR, *REFERENCE, "--light", "encoded", code=USAGE)
        self.cli("profile", *IMAGE, *BLUR, *REFERENCE, "--light", "encoded")

    def test_mistakes_give_the_same_errors_as_run(self):
        no_coefficients = ["-i", "synthetic:noise:8x8", "--op", "idwt", *REFERENCE]
        said = [self.cli(command, *no_coefficients, *more, code=USAGE)[1].splitlines()[-1]
                for command, more in (("run", ["-o", "a.exr"]), ("bench", []), ("profile", []))]
        self.assertEqual(len(set(said)), 1, said)
        self.assertTrue(said[0].startswith("parallax-cli: The image does not hold these"), said[0])
        self.bench_quick(*no_coefficients, "--sweep", "idwt.levels=3,4", code=USAGE)
        # Some points of a sweep may be invalid.
        self.bench_quick(*no_coefficients, "--sweep", "idwt.levels=1,3", code=FAILED)
        # Detected before measuring.
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--report", "a.json", "--report", "./a.json", code=USAGE)
        self.assertEqual(self.leftovers(), [])

    def test_device_applies_to_backends_with_devices(self):
        self.need("openmp")
        labels = [e["label"] for e in self.record(*REFERENCE, "--backend", "cuda", "--device", "1", environment=NO_GPU)["entries"]]
        self.assertEqual(labels, ["reference", "cuda#1", "openmp.scalar:1t"])  # the last one is the baseline

    def test_devices_of_parts(self):
        self.need("openmp")
        for given, label in (("1,3", "cuda@2#1,3"), ("3,1,0", "cuda@2#3,1"), ("0,1", "cuda@2"), ("2", "cuda@2#2")):
            more = ["--backend", "cuda@3"] if given.count(",") == 2 else []
            labels = [e["label"] for e in self.record(*REFERENCE, "--backend", "cuda@2", *more, "--device", given, environment=NO_GPU)["entries"]]
            self.assertIn(label, labels)
        # CPU backends have no devices to choose from.
        labels = [e["label"] for e in self.record(*REFERENCE, "--backend", "openmp@3", "--backend", "cuda@2", "--device", "0,2",
                                                  environment=NO_GPU)["entries"]]
        self.assertEqual(labels[:3], ["reference", "openmp@3", "cuda@2#0,2"])
        work = ["bench", *IMAGE, *BLUR, *REFERENCE, "--backend", "cuda@3"]
        for given, word in (("0,1", "needs 3 devices"), ("0,1,2,4", "of which 3 would be used"), ("1,1,2", "twice"), ("0,-1", "whole number")):
            self.assertIn(word, self.cli(*work, "--device", given, code=USAGE, environment=NO_GPU)[1])

    def test_notes_sweeps_and_parameters_without_effect(self):
        _, err = self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--sweep", "convolve.amount=1,2")
        self.assertIn("note: sweeping 'convolve.amount' has no effect", err)
        _, err = self.bench_quick(*IMAGE, "--op", "convolve:amount=2", *REFERENCE, "--sweep", "convolve.size=3,5")
        self.assertNotIn("sweeping", err)
        _, err = self.bench_quick(*IMAGE, "--op", "convolve:amount=2", *REFERENCE)
        self.assertIn("note: Parameter 'amount' of convolve has no effect here", err)

    def test_unavailable_backends_are_listed_with_the_reason(self):
        out, _ = self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--backend", "cuda", environment=NO_GPU)
        self.assertIn("cuda: skipped: ", out)

    def test_unavailable_backend_alone_or_required_is_an_error(self):
        out, err = self.bench_quick(*IMAGE, *BLUR, "--backend", "cuda", environment=NO_GPU, code=UNAVAILABLE)
        self.assertIn("cuda", err)
        for required in ("cuda", "cuda.tiled"):
            out, err = self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--backend", "cuda", "--require-backend", required, environment=NO_GPU,
                                        code=UNAVAILABLE)
            self.assertEqual(out, "")
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--require-backend", "reference")
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--require-backend", "nonsense", code=USAGE)

    def test_label_lists_modes_in_order(self):
        out, _ = self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--backend", "cuda.direct+pinned+overlapped", "--json", environment=NO_GPU)
        entry = json.loads(out)["entries"][1]
        self.assertEqual((entry["label"], entry["backend"], entry["status"]), ("cuda.direct+overlapped+pinned", "cuda", "skipped"))

    def test_unsupported_problem_is_skipped_or_an_error_if_required(self):
        # OpenCV does not follow the reference for infinite samples.
        self.need("opencv")
        self.path("inf.pfm").write_bytes(b"Pf\n4 4\n-1.0\n" + bytes.fromhex("0000803f" * 15 + "0000807f"))
        work = ["-i", "inf.pfm", *BLUR, *REFERENCE, "--backend", "opencv"]
        entry = json.loads(self.bench_quick(*work, "--json")[0])["entries"][1]
        self.assertEqual(entry["status"], "skipped")
        self.assertNotEqual(entry["reason"], "")
        self.bench_quick(*work, "--require-backend", "opencv", code=UNAVAILABLE)

    def test_strict_fails_exactly_if_there_are_warnings(self):
        process = self.start("bench", "--effort", "quick", *IMAGE, *BLUR, *REFERENCE, "--json", "--strict")
        out, err = process.communicate(timeout=PATIENCE)
        record = json.loads(out)
        doubts = record["warnings"] + [w for e in record["entries"] for w in e["warnings"]]
        self.assertEqual(process.returncode, UNTRUSTWORTHY if doubts else SUCCESS, err)

    def test_checks_reports_before_measuring(self):
        for report, code in (("r.xlsx", USAGE), ("r", USAGE), ("r.doc", USAGE), ("missing/r.json", OUTPUT)):
            out, _ = self.bench_quick("-i", "missing.png", *BLUR, *REFERENCE, "--report", report, code=code)
            self.assertEqual(out, "")
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--report", "/proc/r.json", code=OUTPUT)
        self.path("r.json").write_text("precious")
        self.bench_quick("-i", "missing.png", *BLUR, *REFERENCE, "--report", "r.json", code=OUTPUT)
        self.assertEqual(self.path("r.json").read_text(), "precious")
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--report", "r.json", "--force")
        self.assertNotEqual(self.path("r.json").read_text(), "precious")
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--report", "t.md", "--report", "t.md", code=USAGE)

    def test_missing_input_and_unknown_effort(self):
        self.bench_quick("-i", "missing.png", *BLUR, *REFERENCE, code=INPUT)
        _, err = self.cli("bench", *IMAGE, *BLUR, *REFERENCE, "--effort", "heroic", code=USAGE)
        self.assertIn("thorough", err)


class Sweep(CommandLineTest):
    def records(self, *arguments):
        return json.loads(self.bench_quick(*IMAGE, *BLUR, *REFERENCE, *arguments, "--json")[0])["records"]

    def test_generates_sizes(self):
        records = self.records("--sweep", "size=8,16")
        self.assertEqual([(r["input"]["width"], r["input"]["height"], len(r["input"]["channels"])) for r in records], [(8, 8, 3), (16, 16, 3)])

    def test_crops_or_tiles_files(self):
        self.cli("run", *IMAGE, "-o", "a.exr", "--op", "convolve:kernel=box,size=1", *REFERENCE)
        out, _ = self.bench_quick("-i", "a.exr", *BLUR, *REFERENCE, "--sweep", "size=16,64", "--json")
        self.assertEqual([r["input"]["width"] for r in json.loads(out)["records"]], [16, 64])

    def test_parameters(self):
        records = self.records("--sweep", "convolve.size=3,5,7")
        self.assertEqual([r["recipe"] for r in records], [["convolve:size=3"], ["convolve"], ["convolve:size=7"]])

    def test_threads(self):
        self.need("openmp")
        records = self.records("--backend", "openmp", "--baseline", "openmp", "--sweep", "threads=1,2")
        self.assertEqual([r["entries"][1]["label"] for r in records], ["openmp:1t", "openmp:2t"])
        self.assertEqual([r["baseline"] for r in records], ["openmp:1t", "openmp:2t"])

    def test_parts(self):
        self.need("openmp")
        records = self.records("--backend", "openmp", "--baseline", "openmp", "--sweep", "parts=1,2,3")
        self.assertEqual([r["entries"][1]["label"] for r in records], ["openmp", "openmp@2", "openmp@3"])
        self.assertEqual([r["baseline"] for r in records], ["openmp", "openmp@2", "openmp@3"])
        self.assertEqual([r["sweep"] for r in records], [{"axis": "parts", "value": v} for v in "123"])
        for r in records:
            self.assertEqual([e["verification"] for e in r["entries"]], ["agrees"] * 2, r["sweep"])

    def test_weak_scaling(self):
        records = self.records("--sweep", "weak=1,2,3")
        self.assertEqual([r["entries"][0]["label"] for r in records], ["reference", "reference@2", "reference@3"])
        heights = [r["input"]["height"] for r in records]
        self.assertEqual(heights, [heights[0], 2 * heights[0], 3 * heights[0]])
        self.assertEqual({e["verification"] for r in records for e in r["entries"]}, {"agrees"})

    def test_sweeps_over_parts_have_a_cost_model(self):
        here = {"XDG_CACHE_HOME": str(self.path("cache"))}
        arguments = (*IMAGE, "--op", "convolve:size=3", "--op", "convolve:size=3", *REFERENCE, "--sweep", "parts=1,2")
        schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "resources/schemas/run-record.schema.json").read_text(encoding="utf-8"))
        without = json.loads(self.bench_quick(*arguments, "--json", environment=here)[0])
        self.assertEqual([(m["label"], m["missing"]) for m in without["models"]], [("reference", "latency")])
        self.cli("ceilings", environment=here)
        self.bench_quick(*arguments, "--report", "r.json", "--report", "r.md", environment=here)
        report = json.loads(self.path("r.json").read_text(encoding="utf-8"))
        for document in (without, report):
            self.assertEqual(json_schema.errors(document, schema), [])
        model = report["models"][0]
        self.assertEqual(model["from"]["traffic"], report["records"][1]["entries"][0]["traffic"])
        self.assertEqual(model["from"]["traffic"]["messages"], 1)
        self.assertEqual(model["predictions"][-1]["parts"], 1024)
        self.assertIn("predicted by the cost model", self.path("r.md").read_text(encoding="utf-8"))

    def test_reports_contain_all_points(self):
        self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--sweep", "size=8,16", "--report", "r.csv", "--report", "r.html", "--report", "r.json")
        with open(self.path("r.csv"), newline="", encoding="utf-8") as f:
            self.assertEqual({r["width"] for r in csv.DictReader(f)}, {"8", "16"})
        self.assertIn("16 × 16", self.path("r.html").read_text(encoding="utf-8"))
        self.cli("report", "r.json", "-o", "again.csv")
        self.assertEqual(self.path("again.csv").read_bytes(), self.path("r.csv").read_bytes())

    def test_checks_every_value_before_measuring(self):
        for sweep in ("size", "size=", "size=8,", "size=8,x", "size=8,0", "nonsense=1", "threads=0", "parts=0", "convolve.size=3,999", "convolve.sise=3", "tone.size=3"):
            out, _ = self.bench_quick(*IMAGE, *BLUR, *REFERENCE, "--sweep", sweep, code=USAGE)
            self.assertEqual(out, "", sweep)

    def test_keeps_points_before_one_that_is_too_large(self):
        process = self.start("bench", "--effort", "quick", *IMAGE, *BLUR, *REFERENCE, "--sweep", "size=8,1000000", "--report", "r.json")
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 6, err)
        self.assertEqual(json.loads(self.path("r.json").read_text())["input"]["width"], 8)


if __name__ == "__main__":
    unittest.main()
