#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh checkout to a comparison: installs what is missing, builds Release, and opens the window on the bundled sample; without
# a display it does the same work in the terminal and leaves images, reports and a screenshot in out/.
set -euo pipefail
cd "$(dirname "$0")/.."

bash packaging/dependencies.sh
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ ! -f build/release/build.ninja ]; then
    if ! cmake --preset release -DPARALLAX_BUILD_TESTS=OFF -DPARALLAX_BUILD_BENCHMARKS=OFF >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    sed -n '/^-- Parallax /,/^-- $/p' "$log"
fi
# Quiet when there is nothing to do.
if ! cmake --build --preset release -- -n 2>/dev/null | grep -q 'no work to do'; then
    cmake --build --preset release
fi

bin=build/release/bin
sample=resources/samples/atrium.exr
if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/parallax" --demo "$sample"
fi

echo "There is no display: comparing the backends in the terminal."
mkdir -p out
operation=convolve:kernel=gaussian,size=7
mapfile -t backends < <("$bin/parallax-cli" devices --json |
    python3 -c 'import json, sys
for b in json.load(sys.stdin)["backends"]:
    if b["available"]: print(b["id"])')
arguments=()
for backend in "${backends[@]}"; do arguments+=(--backend "$backend"); done
"$bin/parallax-cli" bench -i "$sample" --op "$operation" "${arguments[@]}" --effort quick --force \
    --report out/report.json --report out/report.csv --report out/report.html --report out/report.md
for backend in "${backends[@]}"; do
    for format in exr png; do
        "$bin/parallax-cli" run -i "$sample" -o "out/atrium_$backend.$format" --op "$operation" --backend "$backend" --force 2>>"$log" ||
            { cat "$log" >&2; exit 1; }
    done
done
QT_QPA_PLATFORM=offscreen "$bin/parallax" --screenshot out/screenshot.png "$sample"
echo
echo "In $(pwd)/out:"
ls -1 out
