// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/measure/sampling/statistics.hpp"

namespace parallax {

enum class Verdict { faster, slower, same, undecided };
std::string_view verdictName(Verdict verdict);  ///< "FASTER", ...

/// Differences up to this are no verdict's business: code placed in other memory differs from itself by as much (Mytkowicz et al.,
/// "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009), which no number of samples averages out.
inline constexpr double kNegligibleRatio = 0.02;

/// From the interval of the speedup (baseline time / time), by a region of practical equivalence of 1 +- 2 % (Kruschke, "Rejecting
/// or accepting parameter values in Bayesian estimation", 2018): SAME when the interval lies within it, FASTER or SLOWER when it
/// lies outside of it, UNDECIDED when it reaches over one of its ends. A winner is never forced. Give the 99 % interval
/// (RatioIntervals::sure): sampling ends when intervals are narrow, so that a 95 % interval would name a winner between equals
/// more often than once in twenty.
Verdict judge(const Interval& speedup);

}  // namespace parallax
