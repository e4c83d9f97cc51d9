#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that each row of tests/oracles/comparisons.md names tests that exist, or a decision and a sentence of the manual.

Usage: check_comparisons.py SOURCE_DIR
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
rows = [line for line in (root / "tests/oracles/comparisons.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
if len(rows) < 25:
    sys.exit(f"only {len(rows)} rows found")
sources = "\n".join(p.read_text(encoding="utf-8") for folder in ("unit", "io", "conformance", "report", "measure", "cli")
                    for p in sorted((root / "tests" / folder).glob("*")) if p.suffix in (".cpp", ".py"))
pages = {p.name: " ".join(p.read_text(encoding="utf-8").split()) for p in (root / "resources/manual").glob("*.md")}
problems = []
for row in rows:
    title, proofs = row.split("|")[1].strip(), 0
    for suite, test in re.findall(r"`([A-Z]\w+)\.([A-Z]\w+)`", row):
        proofs += 1
        if not re.search(rf"TEST(_F|_P)?\({suite}, {test}\)", sources):
            problems.append(f"{title}: there is no test {suite}.{test}")
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
print("\n".join(problems))
sys.exit(1 if problems else 0)
