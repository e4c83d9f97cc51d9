// SPDX-License-Identifier: GPL-3.0-or-later
// Ward Larson, Rushmeier, Piatko 1997 [WRP97]: display luminance follows the cumulative distribution of the image's brightness, and a
// ceiling keeps contrast from growing beyond that of the scene.
#pragma once

#include <vector>

#include "core/operations/tone_mapping/plan.hpp"
#include "core/primitives/histogram.hpp"

namespace parallax {

/// Brightness -> light of the display in [0, 1].
struct AdjustmentCurve {
    BinScale<double> scale;             ///< of brightness log(delta + luminance)
    std::vector<double> cumulative;     ///< at the bin edges, bins + 1 of them, from 0 to 1; between them it is linear
    double logRange = 0, perRange = 0;  ///< see tone::displayed()
    double trimmed = 0;                 ///< share of the counts that the ceiling removed
    /// The image has no more contrast than the display: light is luminance times this. 0: the curve above is used.
    double linear = 0;

    double operator()(double luminance, double delta) const;
};

/// Returns the scale of the bins: brightness from the smallest to the largest of the image.
BinScale<double> adjustmentScale(const ToneMappingPlan& plan, const ToneStatistics& statistics);

/// Counts and ceiling to curve. The ceiling is the linear one: no bin may hold more than total * width / log(display range), counts
/// above are removed, which lowers the ceiling, until a turn removes at most 2.5 % of all counts.
AdjustmentCurve adjustmentCurve(const ToneMappingPlan& plan, const ToneStatistics& statistics, const Histogram& histogram);

}  // namespace parallax
