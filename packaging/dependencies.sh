#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Parallax needs and what is missing, and says nothing about what is there.
# Usage: packaging/dependencies.sh [--with-tests]
# Debian 12 and Ubuntu 24.04 or later. CUDA is not installed: it is used if nvcc is found.
set -euo pipefail

with_tests=no
[ "${1:-}" = "--with-tests" ] && with_tests=yes

# Debian 12                     Ubuntu 24.04, where it is called otherwise
packages=(
    build-essential cmake ninja-build ccache git ca-certificates python3
    qt6-base-dev
    libqt6opengl6-dev             # Ubuntu: part of qt6-base-dev
    libqt6svg6-dev                # Ubuntu: qt6-svg-dev
    libqcustomplot-dev
    libopencv-dev libopenexr-dev libpng-dev libhwy-dev libcli11-dev nlohmann-json3-dev libfmt-dev
    fonts-dejavu-core
)
test_packages=(libgtest-dev libgmock-dev xvfb)
[ "$with_tests" = yes ] && packages+=("${test_packages[@]}")

id=unknown version=0
# shellcheck disable=SC1091
[ -r /etc/os-release ] && { . /etc/os-release; id=${ID:-unknown} version=${VERSION_ID:-0}; }
if ! command -v apt-get >/dev/null 2>&1; then
    echo "dependencies: this script knows Debian 12 and Ubuntu 24.04, not '$id $version'." >&2
    echo "Install what these packages hold, by the names of your system, then build with 'cmake --preset release':" >&2
    printf '  %s\n' "${packages[@]}" >&2
    exit 1
fi

wanted=()
for package in "${packages[@]}"; do
    if [ "$id" = ubuntu ]; then
        case $package in
            libqt6opengl6-dev) continue ;;
            libqt6svg6-dev) package=qt6-svg-dev ;;
        esac
    fi
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || wanted+=("$package")
done
[ ${#wanted[@]} -eq 0 ] && exit 0

echo "Installing ${#wanted[@]} packages: ${wanted[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "dependencies: root is needed to install packages, and there is no sudo. As root: apt-get install ${wanted[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run() {
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        echo "dependencies: '$*' failed; its last words are above." >&2
        exit 1
    fi
}
run apt-get update -qq
run apt-get install -y -qq --no-install-recommends "${wanted[@]}"
