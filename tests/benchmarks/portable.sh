#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Copies benchmarks (default: those of the operations), all backends and the libraries that they need into a folder, for a machine on which
# only a C library is installed, no older than the one here. There:
#   python3 convolution_tables.py --build FOLDER, python3 tone_mapping_tables.py --build FOLDER, python3 wavelet.py FOLDER/bin/bench_wavelet,
#   python3 solvers.py --bin FOLDER (PROGRAMs: bench_gpu_solvers parallax-cli)
#   bin/bench_volume_rendering (PROGRAMs with a window draw offscreen, without OpenGL)
#   python3 scaling/ranks.py --bin FOLDER/bin (PROGRAMs: parallax-cli parallax-worker; with the Open MPI of that machine, of the same major version)
# Usage: tests/benchmarks/portable.sh BUILD FOLDER [PROGRAM]...
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: tests/benchmarks/portable.sh BUILD FOLDER [PROGRAM]..." >&2; exit 2; }
build=$1
folder=$2
shift 2
[ $# -gt 0 ] || set -- bench_convolution bench_tone_mapping bench_wavelet parallax-cli

mkdir -p "$folder/bin" "$folder/libexec" "$folder/lib/parallax"
for program; do
  [ -x "$build/bin/$program" ] || { echo "portable: $build/bin/$program is not built" >&2; exit 1; }
  cp "$build/bin/$program" "$folder/libexec/"
done
cp -L "$build/lib/libparallax_core.so.0" "$folder/lib/"
cp "$build"/lib/parallax/libparallax_backend_*.so "$folder/lib/parallax/"
# Programs with a window draw into memory.
if ldd "$folder"/libexec/* | grep libQt6Gui >/dev/null; then
  mkdir -p "$folder/lib/platforms"
  cp -L "$(qtpaths6 --query QT_INSTALL_PLUGINS)/platforms/libqoffscreen.so" "$folder/lib/platforms/"
fi
ldd "$folder"/libexec/* "$folder"/lib/parallax/*.so $(find "$folder/lib/platforms" -name '*.so' 2>/dev/null) | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
  while read -r library; do
    case $(basename "$library") in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux* | libparallax_core.so.* | libmpi.so.* | libopen-*.so.*) ;;
      *) cp -L "$library" "$folder/lib/" ;;
    esac
  done
strip --strip-unneeded "$folder"/lib/*.so* "$folder"/lib/parallax/*.so "$folder"/libexec/* 2>/dev/null || true
# Plug-ins are searched beside the program; libraries beside it take precedence over those of the system.
for program; do
  cat >"$folder/bin/$program" <<EOF
#!/bin/sh
here=\$(cd "\$(dirname "\$0")" && pwd)
if [ -d "\$here/../lib/platforms" ]; then export QT_QPA_PLATFORM=offscreen QT_PLUGIN_PATH="\$here/../lib"; fi
LD_LIBRARY_PATH="\$here/../lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" exec "\$here/../libexec/$program" "\$@"
EOF
  chmod +x "$folder/bin/$program"
done
du -sh "$folder" | sed 's/\s.*/ in all/'
