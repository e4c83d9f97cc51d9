// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sampling/reference_cost.hpp"

namespace parallax::ui {

/// Work of the reference that the window starts on its own, as a check or as the default of B, takes at most this long. Longer checks are
/// left to the benchmark.
inline constexpr double kLongestCheckSeconds = 6;
inline constexpr double kUncheckedFlops = kLongestCheckSeconds * kReferenceFlopsPerSecond;

}  // namespace parallax::ui
