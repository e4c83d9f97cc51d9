// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "parallax/measure/statistics.hpp"

namespace parallax {

enum class Verdict { faster, slower, same, undecided };
std::string_view verdictName(Verdict verdict);  ///< "FASTER", ...

/// From the interval of the speedup (baseline time / time). SAME when it lies within 1 +- 2 %; UNDECIDED when it reaches over 1
/// and further. A winner is never forced. Give the 99 % interval (RatioIntervals::sure): sampling ends when intervals are
/// narrow, so that a 95 % interval would name a winner between equals more often than once in twenty.
Verdict judge(const Interval& speedup);

}  // namespace parallax
