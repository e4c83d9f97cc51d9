#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that a program starts without X11, OpenGL and the libraries that bring them. Usage: check_libraries.py PROGRAM"""
import re
import subprocess
import sys

FORBIDDEN = r"lib(X11|xcb|GLX|GL|EGL|OpenGL|wayland-client|Qt6\w*|opencv_\w+|cairo|gdal)[-.]\S*"
output = subprocess.run(["ldd", sys.argv[1]], capture_output=True, text=True, check=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout
if "libc.so" not in output:
    sys.exit(f"ldd lists no libraries:\n{output}")
found = sorted({m.group(0) for m in re.finditer(FORBIDDEN, output)})
if found:
    sys.exit(f"{sys.argv[1]} loads {', '.join(found)} when it starts; parts that need them belong in a module (core/io/library_module.hpp)")
