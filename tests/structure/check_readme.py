#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The README's table of options has every one that CMake knows; what is installed refers to nothing that is not."""
import pathlib
import re
import sys

root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
problems = []

readme = (root / "README.md").read_text(encoding="utf-8")
options = set()
for file in [root / "CMakeLists.txt", *(f for folder in ("core", "gpu", "ui", "app", "packaging", "tests") for f in (root / folder).rglob("*")
                                        if f.name == "CMakeLists.txt" or f.suffix == ".cmake")]:
    options |= set(re.findall(r"(?:option|set)\((PARALLAX_\w+)(?:\s+\"[^\"]*\"\s+CACHE|\s+\"[^\"]*\"\s+(?:ON|OFF)\))", file.read_text(encoding="utf-8")))
if len(options) < 5:
    problems.append(f"only {sorted(options)} found in the CMake files: does this script still read them?")
problems += [f"README.md: the option {o} is missing in the table" for o in sorted(options) if not re.search(rf"^\| `{o}` \|", readme, re.M)]

installed = build / "packaging" / "README.md"
if installed.exists():
    text = installed.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]*)\)", text)
    problems += [f"the installed README refers to {t}" for t in targets if t not in ("CHANGELOG.md", "LICENSE") and not t.startswith("#")]
    if "man parallax-cli" not in text.split("##")[0]:
        problems.append("the installed README does not begin with what is installed")

print("\n".join(problems))
sys.exit(1 if problems else 0)
