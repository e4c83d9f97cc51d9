#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts the benchmark of the convolution with all of its backends and the libraries that they need into a folder, for a machine on which
# nothing is installed (the C library apart, which must be no older than here). There: python3 convolution_tables.py --build FOLDER
# Usage: tests/benchmarks/portable.sh BUILD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: tests/benchmarks/portable.sh BUILD FOLDER" >&2; exit 2; }
build=$1
folder=$2
[ -x "$build/bin/bench_convolution" ] || { echo "portable: $build/bin/bench_convolution is not built" >&2; exit 1; }

mkdir -p "$folder/bin" "$folder/libexec" "$folder/lib/parallax"
cp "$build/bin/bench_convolution" "$folder/libexec/"
cp -L "$build/lib/libparallax_core.so.0" "$folder/lib/"
cp "$build"/lib/parallax/libparallax_backend_*.so "$folder/lib/parallax/"
ldd "$folder/libexec/bench_convolution" "$folder"/lib/parallax/*.so | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
  while read -r library; do
    case $(basename "$library") in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux* | libparallax_core.so.*) ;;
      *) cp -L "$library" "$folder/lib/" ;;
    esac
  done
strip --strip-unneeded "$folder"/lib/*.so* "$folder"/lib/parallax/*.so "$folder"/libexec/* 2>/dev/null || true
# Plug-ins are looked for beside the program that runs; libraries beside it come before those of the system.
cat >"$folder/bin/bench_convolution" <<'EOF'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH="$here/../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/../libexec/bench_convolution" "$@"
EOF
chmod +x "$folder/bin/bench_convolution"
du -sh "$folder" | sed 's/\s.*/ in all/'
