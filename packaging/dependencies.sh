#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the packages that Parallax needs and that are missing.
# Usage: packaging/dependencies.sh [--runtime-and-build | --with-tests] [--with-peers]
# For Debian 12 and 13 and Ubuntu 24.04. CUDA is not installed; it is used if nvcc is found.
set -euo pipefail

usage() {
    echo "usage: dependencies.sh [--runtime-and-build | --with-tests] [--with-peers]"
    echo "  --runtime-and-build  packages for building and running (default)"
    echo "  --with-tests         also packages for the tests"
    echo "  --with-peers         also Halide (with LLVM), a peer of the benchmarks"
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

# Names of Debian 12. Alternatives for Debian 13 and Ubuntu 24.04 follow a bar; the first one that the system knows is installed.
packages=(
    build-essential cmake ninja-build ccache git ca-certificates python3
    file  # making packages
    qt6-base-dev
    "libqt6opengl6-dev|qt6-base-dev"  # part of qt6-base-dev on newer systems
    qt6-svg-dev qt6-tools-dev qt6-l10n-tools  # the last two: translations
    libqcustomplot-dev
    qt6-translations-l10n  # translations of Qt's own texts
    qt6-qpa-plugins qt6-wayland libgl1-mesa-dri fonts-dejavu-core
    # Not libopencv-dev, which brings every module: 155 packages more.
    libopencv-core-dev libopencv-imgproc-dev libopencv-imgcodecs-dev libopencv-photo-dev
    libopenexr-dev libpng-dev libtiff-dev zlib1g-dev libhwy-dev libcli11-dev nlohmann-json3-dev libfmt-dev
    libcairo2-dev  # PDF reports
    libisal-dev    # fast deflate for PNG and .nii.gz
    libgdcm-dev libnifti2-dev  # compressed DICOM, NIfTI
    libbz2-dev     # NRRD with bzip2
    libfftw3-dev    # openmp.fft, openmp.dct
    libopenmpi-dev openmpi-bin  # parallax-worker
)
test_packages=(libgtest-dev libgmock-dev xvfb xauth openbox x11-utils dbus man-db poppler-utils qpdf
    appstream desktop-file-utils shared-mime-info zsh fish rpm)  # desktop files and completions
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

# One query for all packages.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' || true)
is_installed() { grep -qxF -- "$1" <<<"$installed"; }
is_known() { apt-cache policy "$1" 2>/dev/null | grep -q '^ *Candidate: [^(]'; }
# Sets `missing` to the packages that are not installed, by their names on this system.
find_missing() {
    local entry name names
    missing=()
    for entry in "${packages[@]}"; do
        IFS='|' read -r -a names <<<"$entry"
        for name in "${names[@]}"; do
            is_installed "$name" && continue 2
            # The first name that the system knows, otherwise the last one.
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
# Asks for the password on the terminal, not in the log.
[ ${#as_root[@]} -eq 0 ] || sudo -v
if ! quietly apt-get update -qq; then
    echo "dependencies: the package lists could not be refreshed; using the existing ones." >&2
fi
find_missing  # the new lists may know more names
echo "Installing ${#missing[@]} missing packages (this may take some minutes): ${missing[*]}"
if ! quietly apt-get install -y -qq --no-install-recommends "${missing[@]}"; then
    echo "dependencies: apt-get could not install: ${missing[*]}" >&2
    echo "The lines above say why. The script knows Debian 12 and 13 and Ubuntu 24.04; this is '$id${version:+ $version}'." >&2
    exit 1
fi
