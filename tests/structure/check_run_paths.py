#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no built program or library looks for libraries in the current folder. Usage: check_run_paths.py BUILD_FOLDER"""
import os
import re
import subprocess
import sys


def binaries(folder):
    """Programs and shared libraries below a folder."""
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if os.path.islink(path) or not (os.access(path, os.X_OK) or ".so" in name):
                continue
            with open(path, "rb") as file:
                # ET_EXEC or ET_DYN
                head = file.read(18)
            if head[:4] == b"\x7fELF" and head[16] in (2, 3):
                yield path


def unsafe(entry):
    """Whether the loader takes an entry of a run path relative to the current folder; an empty one is the folder itself."""
    return not entry.startswith(("/", "$ORIGIN", "${ORIGIN}"))


found, wrong = 0, []
for binary in binaries(sys.argv[1]):
    section = subprocess.run(["readelf", "-dW", binary], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout
    for path in re.findall(r"\((?:RPATH|RUNPATH)\)\s+Library (?:rpath|runpath): \[(.*)\]", section):
        found += 1
        if any(unsafe(entry) for entry in path.split(":")):
            wrong.append(f"{binary}: {path}")
if not found:
    sys.exit(f"No built program below {sys.argv[1]} has a run path")
if wrong:
    sys.exit("Libraries would be loaded from the current folder:\n" + "\n".join(wrong))
