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


# Backends that are plug-ins are the folders with a CMakeLists.txt; files of operations are theirs by their names.
backends = root / "core/backends"
plugins = sorted(p.parent.name for p in backends.glob("*/CMakeLists.txt"))


def check_makers(headers, kind, listed):
    """What headers declare to make an operation or an implementation is called in the catalog."""
    for header in headers:
        for maker in re.findall(rf"std::unique_ptr<{kind}> (make\w+)\(", read(header)):
            if not re.search(rf"\b{maker}\(", read(listed)):
                problems.append(f"{header.relative_to(root)}: {maker}() is not in {listed.relative_to(root)}; "
                                "include the header there and add a line that calls it")


# Every operation's folder has a README, and what it makes is listed.
for folder in sorted(p for p in (root / "core/operations").iterdir() if p.is_dir()):
    if not (folder / "README.md").exists():
        problems.append(f"core/operations/{folder.name}: no README.md (formula, conventions, source)")
    for needed in ("parameters.hpp", "reference.cpp"):
        if not (folder / needed).exists():
            problems.append(f"core/operations/{folder.name}: no {needed}; see 'Add an operation' in CONTRIBUTING.md")
    if f"operations/{folder.name}/" not in read(root / "core/operations/catalog.cpp"):
        problems.append(f"core/operations/{folder.name}: core/operations/catalog.cpp includes nothing of it")
    check_makers(folder.glob("*.hpp"), "Operation", root / "core/operations/catalog.cpp")
    for backend in ["reference", *plugins]:
        pattern = "reference*" if backend == "reference" else f"{backend}/*"
        check_makers(folder.glob(f"{pattern}.hpp"), "Implementation", backends / backend / "catalog.cpp")
        if list(folder.glob(f"{pattern}.cpp")) and f"operations/{folder.name}/" not in read(backends / backend / "catalog.cpp"):
            problems.append(f"core/operations/{folder.name}: core/backends/{backend}/catalog.cpp includes nothing of it, "
                            f"so {pattern}.cpp is unused")
    if (root / "gpu/operations" / folder.name).exists():
        if f"operations/{folder.name}/" not in read(root / "gpu/catalog.cpp"):
            problems.append(f"gpu/operations/{folder.name}: gpu/catalog.cpp includes nothing of it")
        check_makers((root / "gpu/operations" / folder.name).glob("*.hpp"), "Implementation", root / "gpu/catalog.cpp")

# Every backend's folder is a known backend, and includes no other one's headers: they share an include root.
for folder in sorted(p for p in backends.iterdir() if p.is_dir()):
    listed = f'"{folder.name}"' if folder.name in plugins else f"core/backends/{folder.name}/"
    if listed not in read(backends / "known_backends.cpp"):
        problems.append(f"backend {folder.name}: not in known_backends.cpp")
for backend in plugins:
    others = "|".join(p.name for p in backends.iterdir() if p.is_dir() and p.name != backend)
    for path in [*(backends / backend).glob("*.[ch]pp"), *(root / "core/operations").glob(f"*/{backend}/*.[ch]pp")]:
        for other in re.findall(rf'#include "core/(?:backends/(?:{others})/|operations/\w+/(?:{others})/)[^"]*"', read(path)):
            problems.append(f"{path.relative_to(root)} belongs to {backend} and has {other}")

# Sources carry their licence.
for pattern in ("core/**/*.[ch]pp", "gpu/**/*.[ch]pp", "gpu/**/*.cu*", "ui/**/*.[ch]pp", "app/**/*.[ch]pp", "tests/**/*.[ch]pp"):
    for path in root.glob(pattern):
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in read(path)[:200]:
            problems.append(f"{path.relative_to(root)}: no SPDX line")

# Only the image layer's own headers may be included by it, and so on; the build enforces it, this names the culprit.
order = ["image", "primitives", "engine", "operations"]
for i, layer in enumerate(order):
    for path in (root / "core" / layer).rglob("*.[ch]pp"):
        if path.parent.name in plugins:
            continue
        for other in re.findall(r'#include "core/(\w+)/', read(path)):
            if other in order and (order.index(other) > i or (layer, other) == ("engine", "primitives")):
                problems.append(f"{path.relative_to(root)} includes {other}, which lies above it")

print("\n".join(problems) if problems else "folders and catalogs agree")
sys.exit(1 if problems else 0)
