#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds Release, and the compute core alone, and runs the whole test suite.
# Usage: tests/run.sh [--no-install] [CTEST-OPTION]...     as in: tests/run.sh -R conformance
# PARALLAX_EMULATED_DEVICE: is the CUDA backend tested without a GPU? OFF, SOME (the default) or ON.
# PARALLAX_TEST_DATA names the folder of public test files, with its facts.json (default: one named data, beside the checkout or in a folder
# there).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

install=yes
if [ "${1:-}" = --no-install ]; then
    install=no
    shift
fi
[ "$install" = no ] || bash packaging/dependencies.sh --with-tests
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Said here as well as in the defaults: quickstart.sh may have left the tests out of this tree.
if ! cmake --preset release -DPARALLAX_BUILD_TESTS=ON -DPARALLAX_BUILD_BENCHMARKS=ON \
    -DPARALLAX_EMULATED_DEVICE="${PARALLAX_EMULATED_DEVICE:-SOME}" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
sed -n '/^-- Parallax /,$p' "$log"
cmake --build --preset release

# The compute core, its tests and benchmarks build without what the application needs. Nothing of it is run, so nothing is optimised.
cmake --preset gpu-only -B build/core-alone -DPARALLAX_CUDA=OFF -DCMAKE_BUILD_TYPE=None >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build build/core-alone

data=missing
for folder in ${PARALLAX_TEST_DATA:-../data ../*/data}; do [ ! -e "$folder/facts.json" ] || data=$folder; done
[ "$data" != missing ] || echo "run: no public test files (PARALLAX_TEST_DATA names their folder): what needs them is left out."
export LC_ALL=C.UTF-8
# The preset makes a run without any test an error; the summary is printed by ctest.
results=$PWD/build/release/Testing/results.xml
if QT_QPA_PLATFORM=offscreen ctest --preset release --output-on-failure --output-junit "$results" "$@"; then exit 0; else status=$?; fi
# Again at the end, where it is seen: the last lines of each test that failed.
python3 - "$results" <<'END'
import sys, xml.etree.ElementTree
for test in xml.etree.ElementTree.parse(sys.argv[1]).iter("testcase"):
    if test.find("failure") is not None:
        print(f"\n--- {test.get('name')}", *(test.findtext("system-out") or "").splitlines()[-40:], sep="\n")
END
exit "$status"
