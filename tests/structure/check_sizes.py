#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder holds one subject: at most some twenty sources. Usage: check_sizes.py SOURCE_DIR"""
import collections
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
MOST = 25
SOURCES = {".cpp", ".hpp", ".cu", ".cuh", ".h", ".py"}

listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
if listed.returncode == 0:
    names = [n for n in listed.stdout.split("\0") if n]
else:
    names = [str(p.relative_to(root)) for p in root.rglob("*") if not p.relative_to(root).parts[0].startswith(("build", "out", "."))]
folders = collections.Counter(str(pathlib.PurePosixPath(n).parent) for n in names if pathlib.PurePosixPath(n).suffix in SOURCES)
if len(folders) < 40:
    sys.exit(f"only {len(folders)} folders with sources found below {root}")
problems = []
for folder, count in sorted(folders.items()):
    if count > MOST:
        problems.append(f"{folder} has {count} sources; {MOST} at most: give parts of it folders of their own")
print("\n".join(problems))
sys.exit(1 if problems else 0)
