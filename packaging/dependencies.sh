#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Parallax needs and what is missing, and says nothing about what is there.
# Usage: packaging/dependencies.sh [--runtime-and-build | --with-tests] [--with-peers]
# Knows Debian 12 and 13 and Ubuntu 24.04. CUDA is not installed: it is used if nvcc is found.
set -euo pipefail

usage() {
    echo "usage: dependencies.sh [--runtime-and-build | --with-tests] [--with-peers]"
    echo "  --runtime-and-build  what building and running needs (default)"
    echo "  --with-tests         that and what the tests need"
    echo "  --with-peers         and what only the benchmarks compare with: Halide, which brings LLVM"
}
with_tests=no
with_peers=no
for argument in "$@"; do
    case $argument in
        --runtime-and-build) ;;
        --with-tests) with_tests=yes ;;
        --with-peers) with_peers=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done

# Names of Debian 12, mostly those of Debian 13 and Ubuntu 24.04 too. Where a newer system has merged a package into another or calls
# it otherwise, that name stands after a bar: the first one that the system knows is taken.
packages=(
    build-essential cmake ninja-build ccache git ca-certificates python3
    file  # making packages
    qt6-base-dev
    "libqt6opengl6-dev|qt6-base-dev"  # newer systems have it inside qt6-base-dev
    qt6-svg-dev qt6-tools-dev qt6-l10n-tools  # the last two: translations
    libqcustomplot-dev
    qt6-translations-l10n  # Qt's own texts, as those of dialog buttons
    qt6-qpa-plugins qt6-wayland libgl1-mesa-dri fonts-dejavu-core
    # Not libopencv-dev, which brings every module: 155 packages more.
    libopencv-core-dev libopencv-imgproc-dev libopencv-imgcodecs-dev libopencv-photo-dev
    libopenexr-dev libpng-dev libtiff-dev zlib1g-dev libhwy-dev libcli11-dev nlohmann-json3-dev libfmt-dev
    libcairo2-dev  # PDF reports
    libgdcm-dev libnifti2-dev  # compressed DICOM, NIfTI
    libfftw3-dev    # convolution by transforms
)
test_packages=(libgtest-dev libgmock-dev xvfb xauth openbox man-db poppler-utils qpdf)
[ "$with_tests" = yes ] && packages+=("${test_packages[@]}")
[ "$with_peers" = yes ] && packages+=("libhalide14-0-dev|libhalide17-1-dev|libhalide19-dev")

id=unknown
version=
if [ -r /etc/os-release ]; then
    # shellcheck disable=SC1091
    id=$(. /etc/os-release && echo "${ID:-unknown}")
    # shellcheck disable=SC1091
    version=$(. /etc/os-release && echo "${VERSION_ID:-}")
fi

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    {
        echo "dependencies: this script installs packages on Debian and Ubuntu; this system is '$id${version:+ $version}'."
        echo "Install the equivalent of these packages of Debian 12, then run 'cmake --preset release' and 'cmake --build --preset release':"
        printf '  %s\n' "${packages[@]%%|*}"
    } >&2
    exit 1
fi

# One question for everything that is installed.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' || true)
is_installed() { grep -qxF -- "$1" <<<"$installed"; }
is_known() { apt-cache policy "$1" 2>/dev/null | grep -q '^ *Candidate: [^(]'; }
# Sets `missing` to the names, in this system's words, of what is not installed.
find_missing() {
    local entry name names
    missing=()
    for entry in "${packages[@]}"; do
        IFS='|' read -r -a names <<<"$entry"
        for name in "${names[@]}"; do
            is_installed "$name" && continue 2
            # The first one that the system knows, and the last one in any case. Asked only where there is a choice.
            [ "$name" = "${names[-1]}" ] || ! is_known "$name" || break
        done
        missing+=("$name")
    done
}
find_missing
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "dependencies: installing needs root, and there is no sudo. As root, run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        return 1
    fi
}
# sudo may ask for a password: let it do so on the terminal, not in the log.
[ ${#as_root[@]} -eq 0 ] || sudo -v
if ! quietly apt-get update -qq; then
    echo "dependencies: the package lists could not be refreshed; going on with those that are here." >&2
fi
find_missing  # the fresh lists may know more names
echo "Installing ${#missing[@]} missing packages (this may take some minutes): ${missing[*]}"
if ! quietly apt-get install -y -qq --no-install-recommends "${missing[@]}"; then
    echo "dependencies: apt-get could not install: ${missing[*]}" >&2
    echo "The lines above say why. The script knows Debian 12 and 13 and Ubuntu 24.04; this is '$id${version:+ $version}'." >&2
    exit 1
fi
