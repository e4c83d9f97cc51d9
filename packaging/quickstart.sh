#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds Release and opens the window on the bundled sample, with a comparison running.
# Without a display it compares the backends headless and leaves images, reports and a screenshot in out/.
# Usage: packaging/quickstart.sh [--headless] [--no-install]     Can be run again at any time, from anywhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

headless=no
install=yes
for argument in "$@"; do
    case $argument in
        --headless) headless=yes ;;
        --no-install) install=no ;;
        -h | --help) sed -n '3,5s/^# //p' packaging/quickstart.sh; exit 0 ;;
        *) echo "usage: quickstart.sh [--headless] [--no-install]" >&2; exit 2 ;;
    esac
done

bin=build/release/bin
sample=resources/samples/atrium.exr
operation=convolve:kernel=gaussian,size=7

[ "$install" = no ] || bash packaging/dependencies.sh --runtime-and-build

mkdir -p out
log=out/build.log
quietly() {
    if ! "$@" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        echo "quickstart: '$*' failed; its whole output is in $log." >&2
        exit 1
    fi
}
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi
# Without tests, whose packages only tests/run.sh installs. A tree that is configured already stays as it is.
if [ ! -e build/release/build.ninja ]; then
    echo "Configuring and building in build/release; the first time takes some minutes."
    quietly cmake --preset release -DPARALLAX_BUILD_TESTS=OFF -DPARALLAX_BUILD_BENCHMARKS=OFF
    sed -n 's/^--   backend /  backend /p' "$log"
fi
if [ -t 1 ] && ! cmake --build --preset release -- -n 2>/dev/null | grep -q 'no work to do'; then
    cmake --build --preset release
else
    quietly cmake --build --preset release
fi

if [ "$headless" = no ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "Opening $bin/parallax on $sample. The command line is $bin/parallax-cli; 'quickstart.sh --headless' needs no display."
    status=0
    "$bin/parallax" --demo "$sample" || status=$?
    # 134: Qt aborts when it cannot reach the display.
    [ "$status" -eq 134 ] || exit "$status"
    echo "quickstart: the display cannot be used; continuing without it." >&2
fi

# Prints the available backends, one per line; with "variants" also textbook variants of cuda.
list_targets() {
    "$bin/parallax-cli" devices --json | python3 -c '
import json, sys
for backend in json.load(sys.stdin)["backends"]:
    if not backend["available"]:
        continue
    print(backend["id"])
    if sys.argv[1] == "variants" and backend["id"] == "cuda":
        for implementation in backend["implementations"]:
            if implementation["operation"] == "convolve" and implementation["variant"] in ("naive", "tiled"):
                print("cuda." + implementation["variant"])
' "$1"
}
mapfile -t backends < <(list_targets plain)
mapfile -t targets < <(list_targets variants)
if [ ${#backends[@]} -eq 0 ]; then
    echo "quickstart: '$bin/parallax-cli devices' lists no available backend." >&2
    exit 1
fi

echo "No display: filtering $sample on ${backends[*]}."
arguments=()
for target in "${targets[@]}"; do arguments+=(--backend "$target"); done
for extension in json csv html md; do arguments+=(--report "out/report.$extension"); done
"$bin/parallax-cli" bench -i "$sample" --op "$operation" --effort quick "${arguments[@]}" --force
for backend in "${backends[@]}"; do
    for extension in exr png; do
        quietly "$bin/parallax-cli" run -i "$sample" --op "$operation" --backend "$backend" -o "out/atrium_$backend.$extension" --force
    done
done
export LC_ALL=C.UTF-8
QT_QPA_PLATFORM=offscreen quietly "$bin/parallax" --screenshot out/screenshot.png --force "$sample"
rm -f "$log"

cat <<END

Results in $PWD/out:
  atrium_<backend>.exr, .png   the filtered sample, for: ${backends[*]}
  report.html                  the report; also report.md, report.csv, report.json
  screenshot.png               the window with both results
Programs: $PWD/$bin/parallax and parallax-cli. Next: $bin/parallax-cli --help
END
