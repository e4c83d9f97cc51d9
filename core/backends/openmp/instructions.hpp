// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction set that the vector code of this backend gets, chosen when the program runs.
#pragma once

#include <string>
#include <string_view>

// The oldest sets, and those that add nothing for float arithmetic, would only make the program larger. Vectors without a size known at
// compile time cannot be members. Every file that Highway compiles several times says this before it includes Highway.
#define PARALLAX_UNUSED_SIMD_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

namespace parallax {

/// "AVX-512", "AVX2", ...: what this processor gets.
std::string openmpVectorInstructions();
/// Floats of a vector of it.
int openmpVectorLanes();
/// Are vectors of 16 floats multiplied in two halves, at the rate of those of eight, as by a Zen 4 (AMD's family 25)?
bool openmpVectorsAtHalfRate();
/// Uses nothing better than "AVX-512", "AVX2" or "SSE4"; empty: the best there is. Before the first run. Throws
/// Error(usage) for another name.
void limitVectorInstructions(std::string_view best);

}  // namespace parallax
