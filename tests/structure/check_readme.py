#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks README and manual: length, links, the table of CMake options, and the installed copy. Usage: check_readme.py SOURCE BUILD"""
import pathlib
import re
import sys

root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
manual = root / "resources" / "manual"
MOST_LINES = 150
MOST_PICTURE_BYTES = 3_000_000
problems = []


def text_of(path):
    return path.read_text(encoding="utf-8")


def anchors(path):
    """Names of the headings, as Git hosts derive them."""
    body = re.sub(r"```.*?```", "", text_of(path), flags=re.S)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", body, re.M)}


lines = text_of(root / "README.md").count("\n")
if lines > MOST_LINES:
    problems.append(f"README.md has {lines} lines; {MOST_LINES} at most: move text to resources/manual")

pages = sorted(manual.glob("*.md"))
if len(pages) < 10:
    problems.append(f"only {len(pages)} pages in {manual}")
used = set()
for page in [root / "README.md", root / "CONTRIBUTING.md", *pages]:
    for target in re.findall(r"\]\(([^)\s]*)\)", re.sub(r"```.*?```", "", text_of(page), flags=re.S)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        if not file.exists():
            problems.append(f"{page.relative_to(root)}: {target} does not exist")
        elif anchor and anchor not in anchors(file):
            problems.append(f"{page.relative_to(root)}: {target}: no such heading")
        used.add(file.resolve())
for page in pages:
    outside = [t for t in re.findall(r"\]\(([^)\s]*)\)", text_of(page)) if t.startswith("..")]
    problems += [f"{page.name}: {t} leaves the manual, which is also installed alone" for t in outside]
index = text_of(manual / "index.md")
problems += [f"index.md does not link to {p.name}" for p in pages if p.name != "index.md" and f"({p.name})" not in index]
pictures = sorted((manual / "pictures").glob("*"))
problems += [f"pictures/{p.name} is not used" for p in pictures if p.resolve() not in used]
total = sum(p.stat().st_size for p in pictures)
if total > MOST_PICTURE_BYTES:
    problems.append(f"pictures of the manual have {total} bytes; {MOST_PICTURE_BYTES} at most")

options = set()
for file in [root / "CMakeLists.txt", *(f for folder in ("core", "gpu", "ui", "app", "packaging", "tests") for f in (root / folder).rglob("*")
                                        if f.name == "CMakeLists.txt" or f.suffix == ".cmake")]:
    options |= set(re.findall(r"(?:option|set)\((PARALLAX_\w+)(?:\s+\"[^\"]*\"\s+CACHE|\s+\"[^\"]*\"\s+(?:ON|OFF)\))", text_of(file)))
if len(options) < 5:
    problems.append(f"only {sorted(options)} found in the CMake files: does this script still read them?")
building = text_of(manual / "building.md")
problems += [f"building.md: option {o} is missing from the table" for o in sorted(options) if not re.search(rf"^\| `{o}` \|", building, re.M)]

installed = build / "packaging" / "README.md"
if installed.exists():
    text = text_of(installed)
    targets = re.findall(r"\]\(([^)]*)\)", text)
    for t in targets:
        if t.startswith("manual/"):
            if not (root / "resources" / t.partition("#")[0]).exists():
                problems.append(f"the installed README refers to {t}")
        elif t not in ("CHANGELOG.md", "LICENSE") and not t.startswith("#"):
            problems.append(f"the installed README refers to {t}")
    if "man parallax-cli" not in text.split("##")[0]:
        problems.append("the installed README does not begin with what is installed")

print("\n".join(problems))
sys.exit(1 if problems else 0)
