// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction set of the vector code of this backend, chosen at run time.
#pragma once

#include <string>
#include <string_view>

// Not compiled: the oldest instruction sets, those without new float arithmetic, and those whose vector size is unknown at compile time,
// since vectors are members. To be used before Highway is included in every file that it compiles for several targets.
#define PARALLAX_UNUSED_SIMD_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

namespace parallax {

/// "AVX-512", "AVX2", ...: in use on this CPU.
std::string openmpVectorInstructions();
/// Floats of a vector.
int openmpVectorLanes();
/// Vectors of 16 floats are processed in two halves, at the rate of those of eight, as by Zen 4 (AMD family 25).
bool openmpVectorsAtHalfRate();
/// Limits the instruction set to "AVX-512", "AVX2", "SSE4" or "SSE2"; empty: no limit. Called before the first run. Throws
/// Error(usage) for another name.
void limitVectorInstructions(std::string_view best);

}  // namespace parallax
