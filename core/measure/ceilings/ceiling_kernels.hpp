// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of ceilings.cpp, each for the widest vectors that this processor has.
#pragma once

#include <cstddef>
#include <vector>

namespace parallax {

struct CeilingKernel {
    const char* name;  ///< "copy", "triad", "copy-streaming", "triad-streaming"
    int arrays;        ///< 2: a = b; 3: a = b + 3 * c
    bool streaming;    ///< writes past the caches: for the memory level
    /// Arrays are aligned to 64 bytes, n is a multiple of 64.
    void (*run)(double* a, const double* b, const double* c, std::size_t n);
};
std::vector<CeilingKernel> availableCeilingKernels();

struct FmaKernel {
    const char* name;     ///< "scalar", "avx2", "avx512"
    double flopsPerLoop;  ///< two an FMA and lane
    /// Returns something that depends on all of it, so that nothing can be left out.
    float (*run)(int loops);
};
std::vector<FmaKernel> availableFmaKernels();

}  // namespace parallax
