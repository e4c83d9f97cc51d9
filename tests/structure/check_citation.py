#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks CITATION.cff: the keys that the Citation File Format 1.2.0 asks for, and that version, date, licence and address are those of the
project. Usage: check_citation.py SOURCE_DIR"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

root = pathlib.Path(sys.argv[1])
text = (root / "CITATION.cff").read_text(encoding="utf-8")
# The part of YAML that the file is written in.
values = {key: value.strip().strip('"') for key, value in re.findall(r"^([a-z-]+):(.*)$", text, re.M)}
problems = []


def expect(key, expected):
    if values.get(key) != expected:
        problems.append(f"CITATION.cff: {key} is {values.get(key)!r}; {expected!r} expected")


expect("cff-version", "1.2.0")
expect("type", "software")
expect("title", "Parallax")
expect("license", "GPL-3.0-or-later")
version = re.search(r"^project\(Parallax VERSION (\S+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"), re.M).group(1)
expect("version", version)
info = ET.parse(root / "packaging/io.github.parallax.Parallax.metainfo.xml").getroot()
newest = info.find("releases/release")
if newest.get("version") == version:
    expect("date-released", newest.get("date"))
expect("repository-code", next(url.text for url in info.findall("url") if url.get("type") == "vcs-browser"))
if not values.get("message"):
    problems.append("CITATION.cff: no message")
if not re.search(r"^authors:\n  - (name|family-names): \S", text, re.M):
    problems.append("CITATION.cff: no authors")
known = {"cff-version", "message", "type", "title", "abstract", "authors", "version", "date-released", "license", "repository-code", "keywords"}
problems += [f"CITATION.cff: unknown key {key}" for key in values if key not in known]
print("\n".join(problems))
sys.exit(1 if problems else 0)
