// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of ceilings.cpp for the widest vectors of this CPU.
#pragma once

#include <cstddef>
#include <vector>

namespace parallax {

struct CeilingKernel {
    const char* name;  ///< "copy", "triad", "copy-streaming", "triad-streaming"
    int arrays;        ///< 2: a = b; 3: a = b + 3 * c
    bool streaming;    ///< non-temporal stores, for the memory level
    /// Arrays are aligned to 64 bytes, n is a multiple of 64.
    void (*run)(double* a, const double* b, const double* c, std::size_t n);
};
std::vector<CeilingKernel> availableCeilingKernels();

struct FmaKernel {
    const char* name;     ///< "scalar", "avx2", "avx512"
    double flopsPerLoop;  ///< two for each FMA and lane
    /// Returns a value that depends on all operations, so that none is optimised away.
    float (*run)(int loops);
};
std::vector<FmaKernel> availableFmaKernels();

}  // namespace parallax
