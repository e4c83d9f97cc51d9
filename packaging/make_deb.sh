#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the Debian packages in build/package/deb, for the system that it runs on: parallax and, if nvcc is found, parallax-backend-cuda with
# code for every GPU architecture, and if Open MPI is found, parallax-worker. Usage: packaging/make_deb.sh [CMAKE-OPTION]...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v file >/dev/null 2>&1; then
    echo "make_deb: the program 'file' is missing, which CPack needs to find dependencies. Install it with: bash packaging/dependencies.sh" >&2
    exit 1
fi
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then export PATH="$PATH:/usr/local/cuda/bin"; fi
# Libraries below /usr go to the library folder of this system.
cmake --preset package -DCMAKE_INSTALL_PREFIX=/usr -DPARALLAX_BUILD_TESTS=OFF -DPARALLAX_BUILD_BENCHMARKS=OFF "$@"
cmake --build --preset package
rm -rf build/package/deb
cpack --config build/package/CPackConfig.cmake -B build/package/deb
ls -l build/package/deb/*.deb
