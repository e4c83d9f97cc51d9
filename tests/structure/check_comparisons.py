#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that each row of a table of proofs names tests that exist, or a sentence of the manual, or says what is missing.

The tables: tests/oracles/comparisons.md, what differed from other programs; tests/features.md, what people expect.
Usage: check_comparisons.py SOURCE_DIR
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sources = "\n".join(p.read_text(encoding="utf-8") for folder in ("unit", "io", "conformance", "gpu", "report", "measure", "cli", "packaging")
                    for p in sorted((root / "tests" / folder).rglob("*")) if p.suffix in (".cpp", ".py"))
windows = {p.stem: p.read_text(encoding="utf-8") for p in (root / "tests/gui").rglob("*_test.cpp")}
pages = {p.name: " ".join(p.read_text(encoding="utf-8").split()) for p in (root / "resources/manual").glob("*.md")}
problems = []


def check(table, least):
    rows = [line for line in (root / table).read_text(encoding="utf-8").splitlines()
            if line.startswith("| ") and not line.startswith("| what ")]
    if len(rows) < least:
        problems.append(f"{table}: only {len(rows)} rows found")
    for row in rows:
        title, proofs = row.split("|")[1].strip(), int("| missing" in row)
        for suite, test in re.findall(r"`([A-Z]\w+)\.([A-Z]\w+)`", row):
            proofs += 1
            if not re.search(rf"TEST(_F|_P)?\({suite}, {test}\)", sources):
                problems.append(f"{title}: there is no test {suite}.{test}")
        for program, function in re.findall(r"`(\w+_test)::(\w+)`", row):
            proofs += 1
            if f"void {function}()" not in windows.get(program, ""):
                problems.append(f"{title}: {program} has no function {function}")
        for test in re.findall(r"`(test_\w+)`", row):
            proofs += 1
            if f"def {test}(" not in sources:
                problems.append(f"{title}: there is no test {test}")
        for page, sentence in re.findall(r'(\w+\.md), "([^"]+)"', row):
            proofs += 1
            if sentence not in pages.get(page, ""):
                problems.append(f'{title}: {page} does not say "{sentence}"')
        if proofs == 0:
            problems.append(f"{title}: neither a test nor a sentence of the manual is named")


check("tests/oracles/comparisons.md", 25)
check("tests/features.md", 100)
print("\n".join(problems))
sys.exit(1 if problems else 0)
