// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/measure/sampling/statistics.hpp"

namespace parallax {

enum class Verdict { faster, slower, same, undecided };
std::string_view verdictName(Verdict verdict);  ///< "FASTER", ...

/// Smaller differences are negligible: the placement of code and buffers changes times by as much (Mytkowicz et al., ASPLOS 2009).
inline constexpr double kNegligibleRatio = 0.02;

/// Verdict on the interval of a speedup (baseline time / time) by a region of practical equivalence of 1 +- 2 % (Kruschke 2018): SAME if
/// the interval lies within it, FASTER or SLOWER if it lies outside, else UNDECIDED. Pass the 99 % interval (RatioIntervals::sure):
/// sampling stops when intervals are narrow, so that 95 % intervals would be wrong more often than once in twenty.
Verdict judge(const Interval& speedup);

}  // namespace parallax
