#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds Release and runs the whole test suite. Usage: tests/run.sh [--no-install]
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${1:-}" = "--no-install" ] || bash packaging/dependencies.sh --with-tests
command -v nvcc >/dev/null 2>&1 || { [ -x /usr/local/cuda/bin/nvcc ] && export PATH="$PATH:/usr/local/cuda/bin"; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --preset release >"$log" 2>&1; then cat "$log" >&2; exit 1; fi
sed -n '/^-- Parallax /,$p' "$log"
cmake --build --preset release
QT_QPA_PLATFORM=offscreen ctest --preset release
