#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares folders with catalogs: a forgotten line, README or licence tag is found here and not by a user."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
problems = []


def read(path):
    return path.read_text(encoding="utf-8")


# Every operation's folder has a README and is listed.
catalog = read(root / "core/operations/catalog.cpp")
for folder in sorted(p for p in (root / "core/operations").iterdir() if p.is_dir()):
    if not (folder / "README.md").exists():
        problems.append(f"{folder.name}: no README.md")
    for needed in ("parameters.hpp", "reference.cpp"):
        if not (folder / needed).exists():
            problems.append(f"{folder.name}: no {needed}")
    if f"operations/{folder.name}/" not in catalog:
        problems.append(f"{folder.name}: not in core/operations/catalog.cpp")
    for backend in ("openmp", "opencv"):
        if list(folder.glob(f"{backend}*.cpp")) and f"operations/{folder.name}/" not in read(root / f"core/backends/{backend}/catalog.cpp"):
            problems.append(f"{folder.name}: not in core/backends/{backend}/catalog.cpp")
    if (root / "gpu/operations" / folder.name).exists() and f"operations/{folder.name}/" not in read(root / "gpu/catalog.cpp"):
        problems.append(f"{folder.name}: not in gpu/catalog.cpp")

# Every backend's folder is a known backend.
known = read(root / "core/backends/known_backends.cpp")
for folder in (p for p in (root / "core/backends").iterdir() if p.is_dir()):
    if folder.name not in known:
        problems.append(f"backend {folder.name}: not in known_backends.cpp")

# Sources carry their licence.
for pattern in ("core/**/*.[ch]pp", "gpu/**/*.[ch]pp", "gpu/**/*.cu*", "ui/**/*.[ch]pp", "app/**/*.[ch]pp", "tests/**/*.[ch]pp"):
    for path in root.glob(pattern):
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in read(path)[:200]:
            problems.append(f"{path.relative_to(root)}: no SPDX line")

# Only the image layer's own headers may be included by it, and so on; the build enforces it, this names the culprit.
order = ["image", "primitives", "engine", "operations"]
for i, layer in enumerate(order):
    for path in (root / "core" / layer).rglob("*.[ch]pp"):
        if re.match(r"(openmp|opencv)", path.name):
            continue
        for other in re.findall(r'#include "parallax/(\w+)/', read(path)):
            if other in order and (order.index(other) > i or (layer, other) == ("engine", "primitives")):
                problems.append(f"{path.relative_to(root)} includes {other}, which lies above it")

print("\n".join(problems) if problems else "folders and catalogs agree")
sys.exit(1 if problems else 0)
