#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds words that the glossary replaces, and habits of language that CONTRIBUTING asks to avoid, in sources, strings, documents and tests.

Usage: check_language.py SOURCE_DIR [--report]     --report: counts for each folder, and exit status 0
"""
import collections
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
GLOSSARY = root / "resources" / "manual" / "glossary.md"

# Words of the glossary's second column that are also right elsewhere, so that no pattern can tell. Reviewers look for them.
NOT_SEARCHED = {
    "engine": "the class that runs pipelines; a copy engine of a GPU",
    "implementation": "the interface that a backend implements",
    "processor": "the hardware: multiprocessor, signal processor, /proc/cpuinfo",
    "card": "a wildcard; a network card",
    "filter": "the verb, and the weights of a wavelet",
    "effect": "plain English",
    "work": "plain English; the flops and bytes of an operation",
    "operation": "has its own line in the glossary",
    "margin": "the space around widgets",
    "finding": "the gerund; findings and the type Finding are searched",
    "undecided": "the verdict of a timing comparison",
    "where they lie": "files lie in folders",
    "reading": "the gerund",
    "options": "those of the command line and of CMake",
}
# What is searched in the place of a word that has other forms.
FORMS = {
    "roof": r"roofs?(?!line)",
    "doubtful samples": r"doubtful samples?",
}
HABITS = [
    (r"\bnobody\b", "no one, users"),
    (r"\bwhoever\b", "the one who, callers"),
    (r"\banew\b", "again"),
    (r"\bonce more\b", "again"),
    (r"\bto and fro\b", "back and forth"),
    (r"\bgoes by way of\b", "via"),
    (r"\b(?:by itself|by themselves)\b", "automatically, alone"),
    (r"\bnot none\b", "some"),
    (r"\bfindings\b|\bFinding\b", "statistics"),
]
# At the beginning of a comment, a docstring or a text of the window: fragments without a subject and a verb.
BEGINNING = r'(?:^\s*(?:///?<?|#|\*|""")\s*|//[/!]?<?\s+|tr\("|"""|\.B |help\(\) const override \{ return ")'
FRAGMENTS = [
    (r"(?:That|Those) (?:of|which|that)\b", "name the thing"),
    (r"Of (?:the|a|an|each|all|this|every)\b", "begin with the thing, and use a verb"),
    (r"What (?:is|are|was|were|has|have|the|a|an|it|they)\b(?![^.\n]*\?)", "name the thing"),
    (r"Whose\b(?![^.\n]*\?)", "name the thing"),
]
NAMES = [
    (r"\b(?:goOn|findOut|takesComparison|samePlaces|OwnLines|kMost[A-Z]\w*)\b", "a name that says the role"),
    (r"\bTEST(?:_F|_P)?\(\s*\w+,\s*(?:What|Whose|Those|Nobody|Whoever)\w*", "a name that states the behaviour"),
    (r"\bvoid (?:what|whose|those|nobody|whoever)[A-Z]\w*\(", "a name that states the behaviour"),
]
SUFFIXES = {".cpp", ".hpp", ".cu", ".cuh", ".h", ".py", ".sh", ".cmake", ".md", ".1", ".xml", ".desktop", ".in"}
SKIPPED = (
    "resources/translations/",      # follows the texts of the window
    "resources/manual/glossary.md",  # lists the words
    "tests/structure/check_language.py",
    "tests/benchmarks/results/",    # data
)
# Folders whose texts are still to be rewritten: counted, not refused. Remove a folder when the report shows 0 for it.
PENDING = ()
# (end of a path, text on the line): why it stays.
ALLOWED = {
    ("", '"findings"'): "a key of stable JSON",
    ("", '"not judged"'): "a value of stable JSON and CSV",
    ("", '"roof_gflops"'): "a column of stable CSV",
}


def glossary_words():
    section = GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1]
    for line in section.splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[0] not in ("use", "---") and cells[1] != "-":
            for word in cells[1].split(","):
                yield word.strip(), cells[0]


def patterns():
    words = list(glossary_words())
    if len(words) < 20:
        sys.exit(f"only {len(words)} words found in {GLOSSARY}: does this script still read it?")
    unknown = set(NOT_SEARCHED) - {w for w, _ in words}
    if unknown:
        sys.exit(f"NOT_SEARCHED names words that the glossary does not list: {sorted(unknown)}")
    for word, instead in words:
        if word not in NOT_SEARCHED:
            yield re.compile(rf"(?<![A-Za-z]){FORMS.get(word, re.escape(word))}(?![A-Za-z])", re.I), f"{instead} (glossary)"
    for text, instead in HABITS:
        yield re.compile(text, 0 if "Finding" in text or "none" in text else re.I), instead
    for text, instead in FRAGMENTS:
        yield re.compile(BEGINNING + text, re.M), instead
    for text, instead in NAMES:
        yield re.compile(text), instead


def files():
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    names = listed.stdout.split("\0") if listed.returncode == 0 else [str(p.relative_to(root)) for p in root.rglob("*")
                                                                       if not p.relative_to(root).parts[0].startswith(("build", "out", "."))]
    for name in sorted(filter(None, names)):
        path = root / name
        if (path.suffix in SUFFIXES or path.name == "CMakeLists.txt") and not name.startswith(SKIPPED) and path.is_file():
            yield name, path.read_text(encoding="utf-8")


problems, used = collections.defaultdict(list), set()
searched, count = list(patterns()), 0
for name, text in files():
    count += 1
    for pattern, instead in searched:
        for match in pattern.finditer(text):
            line = text[text.rfind("\n", 0, match.end() - 1) + 1 : text.find("\n", match.end() - 1)]
            allowed = next((key for key in ALLOWED if name.endswith(key[0]) and key[1] in line), None)
            if allowed:
                used.add(allowed)
                continue
            number = text.count("\n", 0, match.end() - 1) + 1
            problems[name].append((number, match.group(0).strip(), instead, line.strip()[:120]))
if count < 300:
    sys.exit(f"only {count} files found below {root}")
total = sum(len(found) for found in problems.values())
if "--report" in sys.argv:
    folders = collections.Counter()
    for name, found in problems.items():
        folders["/".join(name.split("/")[:3])] += len(found)
    for folder, number in folders.most_common():
        print(f"{number:5} {folder}")
    kinds = collections.Counter((f[1].lower(), f[2]) for found in problems.values() for f in found)
    for (words, instead), number in kinds.most_common(40):
        print(f"{number:5} {words!r}: {instead}")
    print(f"{total} in {count} files")
    sys.exit(0)
pending = collections.Counter()
for name, found in sorted(problems.items()):
    if folder := next((p for p in PENDING if name.startswith(p)), None):
        pending[folder] += len(found)
        continue
    for number, words, instead, line in sorted(found):
        print(f"{name}:{number}: {words!r}: {instead}\n    {line}")
for folder in PENDING:
    print(f"pending in {folder}: {pending[folder]}")
total -= sum(pending.values())
for key in sorted(set(ALLOWED) - used):
    print(f"ALLOWED has {key}, which is nowhere any longer: remove it")
print(f"{total} in {count} files")
sys.exit(1 if total or set(ALLOWED) - used else 0)
