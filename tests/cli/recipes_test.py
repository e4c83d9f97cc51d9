# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import json
import pathlib
import unittest

import json_schema
from command_line import FAILED, INPUT, SUCCESS, UNAVAILABLE, USAGE, CommandLineTest

IMAGE = ["-i", "synthetic:noise:48x32,channels=3"]
REFERENCE = ["--backend", "reference"]
TWO = ["--op", "convolve:size=3", "--recipe", "convolve:size=7 | tonemap"]
NO_GPU = {"CUDA_VISIBLE_DEVICES": "-1"}
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "resources/schemas/run-record.schema.json"


class RecipesTest(CommandLineTest):
    def record(self, *arguments, **options):
        return json.loads(self.bench_quick(*IMAGE, *arguments, "--json", **options)[0])

    def labels(self, *arguments, **options):
        return [e["label"] for e in self.record(*arguments, *REFERENCE, **options)["entries"]]

    def recipe_file(self, name, *steps):
        self.path(name).write_text(json.dumps({"schema": "parallax.recipe", "schema_version": 1, "steps": [
            {"operation": operation, "parameters": parameters} for operation, parameters in steps]}))
        return name

    def mistake(self, *arguments, code=USAGE, words=()):
        out, err = self.bench_quick(*IMAGE, *REFERENCE, *arguments, code=code)
        self.assertEqual(out, "")
        self.assertEqual(len(err.splitlines()), 1, err)
        for word in words:
            self.assertIn(word, err)


class Measuring(RecipesTest):
    def test_rows_are_recipes_times_backends(self):
        self.need("openmp")
        r = self.record(*TWO, *REFERENCE, "--backend", "openmp")
        self.assertEqual([e["label"] for e in r["entries"]], ["A/reference", "A/openmp", "A/openmp.scalar:1t", "B/reference", "B/openmp"])
        self.assertEqual((r["schema_version"], r["baseline"]), (4, "A/openmp.scalar:1t"))
        self.assertEqual(r["recipe"], ["A=convolve:size=3", "B=convolve:size=7 | tonemap"])
        for e in r["entries"]:
            self.assertEqual((e["status"], e["verification"]), ("done", "agrees"), e["label"])
            self.assertGreater(len(e["samples_ns"]), 0)
        # Each against its own reference.
        self.assertEqual([e["difference"]["max_abs"] for e in r["entries"] if e["backend"] == "reference"], [0, 0])
        self.assertEqual(json_schema.errors(r, json.loads(SCHEMA.read_text()), strict=True), [])

    def test_table_names_recipes_and_compares_rows(self):
        # Long enough that other programs do not decide the verdict.
        out, _ = self.bench_quick(*IMAGE, "--op", "convolve:size=3", "--recipe", "large=convolve:size=31", *REFERENCE,
                                  environment={"PARALLAX_SAMPLING_SECONDS": "3"})
        lines = out.splitlines()
        self.assertEqual(lines[:2], ["A=convolve:size=3", "large=convolve:size=31"])
        self.assertTrue(lines[2].startswith("recipe/backend  "), out)
        row = {line.split()[0]: line for line in lines[3:5]}
        self.assertIn("baseline", row["A/reference"])
        self.assertIn("SLOWER", row["large/reference"])

    def test_one_recipe_is_measured_as_before(self):
        for recipe in (["--op", "convolve:size=7"], ["--recipe", "convolve:size=7"], ["--recipe", self.recipe_file("r.json", ("convolve", {"size": 7}))]):
            r = self.record(*recipe, *REFERENCE)
            self.assertEqual((r["schema_version"], r["recipe"]), (1, ["convolve:size=7"]))
            self.assertEqual(r["entries"][0]["label"], "reference")
        # A name that was given is kept.
        self.assertEqual(self.labels("--recipe", "soft=convolve:size=7"), ["soft/reference"])

    def test_forms_of_a_recipe(self):
        self.recipe_file("r.json", ("convolve", {"size": 9}), ("tonemap", {}))
        self.recipe_file("convolve", ("convolve", {"size": 11}))
        self.recipe_file("a=b.json", ("convolve", {"size": 13}))
        self.path("tonemap").mkdir()  # a folder is no recipe
        r = self.record("--recipe", "r.json", "--recipe", "file=./r.json", "--recipe", "convolve", "--recipe", "a=b.json", "--recipe", "tonemap", "--recipe",
                        "steps=convolve:kernel=custom,weights='0 1 0; 1 1 1; 0 1 0'|convolve", *REFERENCE)
        self.assertEqual(r["recipe"], ["A=convolve:size=9 | tonemap", "file=convolve:size=9 | tonemap", "C=convolve:size=11", "D=convolve:size=13", "E=tonemap",
                                       "steps=convolve:kernel=custom,weights='0 1 0; 1 1 1; 0 1 0' | convolve"])

    def test_baseline_is_a_backend_a_recipe_or_a_row(self):
        self.need("openmp")
        work = [*TWO, "--backend", "openmp", "--backend", "openmp.scalar", "--threads", "1"]
        for named, label in ((None, "A/openmp.scalar:1t"), ("openmp.scalar", "A/openmp.scalar:1t"), ("B", "B/openmp:1t"), ("B/openmp.scalar", "B/openmp.scalar:1t"),
                             ("B/openmp:1t", "B/openmp:1t")):
            self.assertEqual(self.record(*work, *(["--baseline", named] if named else []))["baseline"], label)
        self.assertEqual(self.record(*TWO, "--backend", "openmp", *REFERENCE, "--baseline", "B")["baseline"], "B/reference")
        for bad in ("C", "C/openmp", "B/nonsense", "nonsense", "B/"):
            self.bench_quick(*IMAGE, *work, "--baseline", bad, code=USAGE)

    def test_reports_name_the_recipe(self):
        files = ["r.json", "r.csv", "r.html", "r.md", "r.tex"]
        self.bench_quick(*IMAGE, *TWO, *REFERENCE, *(word for f in files for word in ("--report", f)))
        with open(self.path("r.csv"), newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual({(r["recipe_name"], r["recipe"], r["label"]) for r in rows},
                         {("A", "convolve:size=3", "A/reference"), ("B", "convolve:size=7 | tonemap", "B/reference")})
        for name in ("r.html", "r.md", "r.tex"):
            text = self.path(name).read_text(encoding="utf-8")
            for word in ("A: Convolution: ", "B: Convolution: ", "B/reference", "ecipe/backend"):
                self.assertIn(word, text, name)
        self.assertIn("B=convolve:size=7 | tonemap", self.path("r.html").read_text(encoding="utf-8"))
        self.cli("report", "r.json", "-o", "again.csv")
        self.assertEqual(self.path("again.csv").read_bytes(), self.path("r.csv").read_bytes())
        self.cli("report", "r.json", "-o", "redacted.json", "--redact")
        self.assertIn("--recipe 'convolve:size=7 | tonemap'", json.loads(self.path("redacted.json").read_text())["command"])

    def test_record_is_repeated_and_compared(self):
        self.bench_quick(*IMAGE, *TWO, *REFERENCE, "--baseline", "B", "--report", "r.json")
        out, err = self.bench_quick("--from", "r.json", "--report", "again.json")
        self.assertIn("against r.json:\nA/reference ", out)
        self.assertNotIn("different recipes", out + err)
        before, after = (json.loads(self.path(n).read_text()) for n in ("r.json", "again.json"))
        for key in ("recipe", "baseline", "schema_version"):
            self.assertEqual(before[key], after[key])
        self.assertEqual([e["label"] for e in self.json("compare", "r.json", "again.json")["comparisons"][0]["entries"]],
                         ["A/reference", "B/reference"])
        self.bench_quick(*IMAGE, "--op", "convolve:size=3", "--recipe", "convolve:size=9", *REFERENCE, "--report", "changed.json")
        self.assertIn("different recipes", self.cli("compare", "r.json", "changed.json")[0])

    def test_sweeps(self):
        records = self.record(*TWO, *REFERENCE, "--sweep", "convolve.size=3,5")["records"]
        self.assertEqual([r["recipe"] for r in records],
                         [["A=convolve:size=3", "B=convolve:size=3 | tonemap"], ["A=convolve", "B=convolve | tonemap"]])
        # Recipes without the operation stay as they are.
        records = self.record(*TWO, *REFERENCE, "--sweep", "tonemap.key=0.1,0.2")["records"]
        self.assertEqual([r["recipe"] for r in records], [["A=convolve:size=3", "B=convolve:size=7 | tonemap:key=0.1"],
                                                          ["A=convolve:size=3", "B=convolve:size=7 | tonemap:key=0.2"]])
        self.bench_quick(*IMAGE, *TWO, *REFERENCE, "--sweep", "size=16,32", "--report", "r.html", "--report", "r.json")
        self.assertIn("B/reference", self.path("r.html").read_text(encoding="utf-8"))
        self.assertEqual(json.loads(self.path("r.json").read_text())["schema_version"], 2)
        self.mistake(*TWO, "--sweep", "idwt.levels=1,2", words=["no recipe has the operation 'idwt'"])


class Mistakes(RecipesTest):
    def test_names(self):
        one = ["--recipe", "x=convolve"]
        self.mistake(*one, "--recipe", "x=tonemap", words=["Two recipes have the name 'x'"])
        self.mistake("--op", "convolve", "--recipe", "A=tonemap", words=["Two recipes have the name 'A'", "A, B, C"])
        for bad in ("=convolve", "my blur=convolve", "größe=convolve", "a,b=convolve", "x" * 33 + "=convolve"):
            self.mistake("--recipe", bad, words=["is not a recipe name"])
        self.mistake("--recipe", "openmp=convolve", words=["a backend has this name"])
        self.labels("--recipe", "v1.2_x-y=convolve")

    def test_empty_recipes(self):
        for empty in ("", " ", "x=", "x= "):
            self.mistake("--recipe", empty, words=["The recipe is empty"])
        for empty in ("convolve|", "|convolve", "convolve||tonemap", "x=|"):
            self.mistake("--recipe", empty, words=["A step is empty"])
        self.mistake(words=["No operation given"])
        # A recipe file without steps is a row that fails.
        self.recipe_file("none.json")
        entries = self.record("--op", "convolve", "--recipe", "none.json", *REFERENCE, code=FAILED)["entries"]
        self.assertEqual([e["status"] for e in entries], ["done", "failed"])

    def test_unknown_operations_parameters_and_files(self):
        self.mistake("--op", "convolve", "--recipe", "convolv:size=3", words=["convolv"])
        self.mistake("--op", "convolve", "--recipe", "convolve:sise=3", words=["sise"])
        self.mistake("--op", "convolve", "--recipe", "missing.json", code=INPUT, words=["missing.json"])
        self.mistake("--op", "convolve", "--recipe", "convolv", code=INPUT, words=["neither a recipe file nor an operation 'convolv'"])
        self.path("bad.json").write_text("{")
        self.mistake("--op", "convolve", "--recipe", "bad.json", code=INPUT, words=["bad.json"])

    def test_number_of_recipes_is_limited(self):
        many = [word for size in range(26) for word in ("--recipe", f"convolve:size={size + 1}")]
        labels = self.labels(*many)
        self.assertEqual((len(labels), labels[0], labels[25]), (26, "A/reference", "Z/reference"))
        self.mistake(*many, "--recipe", "tonemap", words=["Too many recipes: 27 are given, at most 26 are possible"])
        self.mistake(*many, "--op", "tonemap", words=["27 are given"])

    def test_a_recipe_that_cannot_run_leaves_the_others(self):
        # The image holds no coefficients.
        work = ["--op", "convolve", "--recipe", "idwt:levels=9", *REFERENCE]
        out, err = self.bench_quick(*IMAGE, *work, "--report", "r.json", code=FAILED)
        entries = json.loads(self.path("r.json").read_text())["entries"]
        self.assertEqual([e["status"] for e in entries], ["done", "failed"])
        self.assertIn("coefficients", entries[1]["reason"])
        self.assertIn("B/reference: failed: ", out)
        self.assertIn("'B/reference' failed", err)
        # None can run: the exit code is that of the reason.
        _, err = self.bench_quick(*IMAGE, "--recipe", "idwt:levels=9", "--recipe", "idwt:levels=8", *REFERENCE, code=USAGE)
        self.assertIn("coefficients", err)

    def test_backends(self):
        self.mistake(*TWO, "--backend", "nonsense", words=["nonsense"])
        self.need("openmp")
        labels = [(e["label"], e["status"]) for e in self.record(*TWO, *REFERENCE, "--backend", "cuda", environment=NO_GPU)["entries"]]
        self.assertEqual(labels, [("A/reference", "done"), ("A/cuda", "skipped"), ("A/openmp.scalar:1t", "done"), ("B/reference", "done"),
                                  ("B/cuda", "skipped")])
        self.bench_quick(*IMAGE, *TWO, "--backend", "cuda", environment=NO_GPU, code=UNAVAILABLE)
        # A variant that one recipe lacks is a row with the reason; one that none has is a mistake.
        variant = ["--backend", "openmp.separable"]
        entries = self.record("--op", "convolve:kernel=gaussian", "--recipe", "tonemap", *variant, code=FAILED)["entries"]
        self.assertEqual([e["status"] for e in entries], ["done", "failed"])
        self.assertIn("no variant 'separable' of 'tonemap'", entries[1]["reason"])
        self.mistake(*TWO, "--backend", "openmp.nonsense", words=["no variant 'nonsense' of 'convolve'"])
        self.bench_quick(*IMAGE, *TWO, "--backend", "openmp", "--require-backend", "openmp")

    def test_notes_name_the_recipe(self):
        _, err = self.bench_quick(*IMAGE, "--op", "convolve", "--recipe", "odd=convolve:amount=2", *REFERENCE)
        self.assertIn("note: Recipe odd: Parameter 'amount' of convolve has no effect here", err)


class Completion(RecipesTest):
    def words(self, word, command="bench"):
        lines = self.cli("complete", command, "--recipe", word)[0].splitlines()
        return {line.split("\t")[0] for line in lines[:-1]}, lines[-1]

    def test_completes_steps_behind_names_and_bars(self):
        words, kind = self.words("")
        self.assertIn("convolve", words)
        self.assertTrue(kind.startswith(":files"))
        self.assertIn("x=convolve", self.words("x=")[0])
        self.assertIn("x=convolve:size=", self.words("x=convolve:")[0])
        self.assertIn("x=convolve:size=3|tonemap", self.words("x=convolve:size=3|to")[0])
        self.assertIn("convolve | tonemap:key=", self.words("convolve | tonemap:k")[0])
        # A recipe of 'run' is a file.
        self.assertEqual(self.words("", "run"), (set(), ":files"))


if __name__ == "__main__":
    unittest.main()
