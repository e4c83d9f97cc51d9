#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes packages in build/package/deb or build/package/rpm, for the system that it runs on: parallax and, if nvcc is found,
# parallax-backend-cuda with code for every GPU architecture, and if Open MPI is found, parallax-worker. Beside Debian packages lies their bill
# of materials, parallax.spdx.json.
# Usage: packaging/make_packages.sh [deb|rpm] [CMAKE-OPTION]...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kind=deb
case ${1:-} in
    deb | rpm) kind=$1; shift ;;
    -*|"") ;;
    *) echo "usage: packaging/make_packages.sh [deb|rpm] [CMAKE-OPTION]..." >&2; exit 2 ;;
esac
if [ "$kind" = deb ] && ! command -v file >/dev/null 2>&1; then
    echo "make_packages: the program 'file' is missing, which CPack needs to find dependencies. Install it with: bash packaging/dependencies.sh" >&2
    exit 1
fi
if [ "$kind" = rpm ] && ! command -v rpmbuild >/dev/null 2>&1; then
    echo "make_packages: the program 'rpmbuild' is missing. It is in the package rpm-build, on Debian and Ubuntu in rpm" >&2
    exit 1
fi
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi
# Libraries below /usr go to the library folder of this system.
cmake --preset package -DCMAKE_INSTALL_PREFIX=/usr -DPARALLAX_BUILD_TESTS=OFF -DPARALLAX_BUILD_BENCHMARKS=OFF "$@"
cmake --build --preset package
rm -rf "build/package/$kind"
cpack --config build/package/CPackConfig.cmake -G "${kind^^}" -B "build/package/$kind"
ls -l "build/package/$kind"/*."$kind"
if [ "$kind" = deb ]; then
    installed=$(mktemp -d)
    trap 'rm -rf "$installed"' EXIT
    cmake --install build/package --prefix "$installed" >/dev/null
    python3 packaging/sbom.py "$installed" >build/package/deb/parallax.spdx.json
fi
