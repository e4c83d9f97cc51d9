#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two types of one name in one namespace are one type to the linker: whichever functions it keeps then work on both. No compiler
sees that, so every type outside of an unnamed namespace is looked for here. Usage: check_names.py SOURCE_DIR"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
FOLDERS = ("app", "core", "gpu", "ui")
# Folders of one program. Tests may repeat a name.
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/                                   # comments
      | R"([^(\s]*)\((?:.*?)\)\1"                            # raw strings
      | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'            # strings, characters
      | ^[ \t]*\#(?:\\\n|[^\n])*                             # directives
      | \bnamespace\b(?P<space>[^;{=]*)(?=\{)
      | (?<!enum\ )\b(?:struct|class|union|enum(?:\s+class|\s+struct)?)\s+(?:\[\[.*?\]\]\s*|alignas\([^)]*\)\s*)*(?P<type>\w+)\b(?!\s*::)(?=[^;(){}=<>,&*]*(?::(?!:)[^;{}()]*(?:<[^;{}]*>)?[^;{}]*)?\{)
      | [{}]""",
    re.X | re.S | re.M,
)


def definitions(text):
    """Qualified names of the types that are defined at namespace scope, but for those in unnamed namespaces."""
    scopes, pending = [], None  # of each brace: the name of its namespace, "" for an unnamed one, None for anything else
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if match.group("space") is not None:
            pending = match.group("space").replace("inline", "").strip()
        elif match.group("type"):
            if None not in scopes and "" not in scopes:
                yield "::".join([*scopes, match.group("type")])
        elif token == "{":
            scopes.append(pending)
            pending = None
        elif token == "}":
            if not scopes:
                raise ValueError("a closing brace too many")
            scopes.pop()


places = {}
for folder in FOLDERS:
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in (".hpp", ".cpp", ".cu", ".cuh"):
            try:
                for name in set(definitions(path.read_text(encoding="utf-8"))):
                    places.setdefault(name, []).append(str(path.relative_to(root)))
            except ValueError as problem:
                sys.exit(f"{path}: {problem}")
if len(places) < 300:
    sys.exit(f"only {len(places)} types found: this script no longer understands the sources")
twice = {name: files for name, files in places.items() if len(files) > 1}
for name, files in sorted(twice.items()):
    print(f"{name}: defined in {', '.join(files)}")
print(f"{len(places)} types")
sys.exit(1 if twice else 0)
