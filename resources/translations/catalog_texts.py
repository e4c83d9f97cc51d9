#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes catalog_texts.cpp, from which Qt's tools learn the texts of operations, parameters and generated images.

The descriptions are in the code of the operations; parallax-cli prints them. Usage: catalog_texts.py PARALLAX-CLI [FILE]
"""
import json
import pathlib
import subprocess
import sys


def texts(node):
    """All titles, helps and special names below a node of the JSON."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("title", "help", "minimum_means", "group") and isinstance(value, str):
                yield value
            yield from texts(value)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value)


def main():
    output = subprocess.run([sys.argv[1], "operations", "--json"], check=True, capture_output=True, text=True).stdout
    lines = sorted({text for text in texts(json.loads(output)) if text})
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).with_name("catalog_texts.cpp")
    with target.open("w", encoding="utf-8") as file:
        file.write("// SPDX-License-Identifier: GPL-3.0-or-later\n"
                   "// Written by catalog_texts.py and read by lupdate alone; never compiled.\n"
                   "// clang-format off\n")
        for line in lines:
            file.write(f'QT_TRANSLATE_NOOP("catalog", {json.dumps(line, ensure_ascii=False)})\n')


main()
