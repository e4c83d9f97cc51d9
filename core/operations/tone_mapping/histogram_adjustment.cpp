// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/histogram_adjustment.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <numeric>

namespace parallax {
namespace {

constexpr double kTrimmingTolerance = 0.025;  // of [WRP97]

/// Returns the sum of the removed counts.
double trim(std::vector<double>& counts, double ceilingPerTotal) {
    double total = 0, taken = 0, inTurn = 0;
    for (const double c : counts) total += c;
    const double tolerance = kTrimmingTolerance * total;
    do {
        inTurn = 0;
        const double ceiling = total * ceilingPerTotal;
        for (double& c : counts)
            if (c > ceiling) {
                inTurn += c - ceiling;
                c = ceiling;
            }
        taken += inTurn;
        total -= inTurn;
    } while (inTurn > tolerance);
    return taken;
}

}  // namespace

BinScale<double> adjustmentScale(const ToneMappingPlan& plan, const ToneStatistics& statistics) {
    const int bins = plan.parameters.bins;
    const double range = statistics.logarithms.range();
    return {statistics.logarithms.empty() ? 0 : statistics.logarithms.minimum, range > 0 ? bins / range : 0, bins};
}

AdjustmentCurve adjustmentCurve(const ToneMappingPlan& plan, const ToneStatistics& statistics, const Histogram& histogram) {
    const ToneMappingParameters& p = plan.parameters;
    AdjustmentCurve curve;
    curve.scale = adjustmentScale(plan, statistics);
    curve.logRange = std::log(p.displayRange);
    curve.perRange = 1 / (p.displayRange - 1);
    const double range = statistics.logarithms.range();
    // With the ceiling, contrast must not grow: a range that fits the display stays. Without a range there is nothing to distribute.
    if (range <= 0 || (p.ceiling && range <= curve.logRange)) {
        const double largest = statistics.luminance.empty() ? 0 : statistics.luminance.maximum;
        curve.linear = largest > 0 ? std::min(1 / largest, static_cast<double>(FLT_MAX)) : 1;
        return curve;
    }
    std::vector<double> counts(histogram.counts().begin(), histogram.counts().end());
    if (p.ceiling) curve.trimmed = trim(counts, range / p.bins / curve.logRange) / static_cast<double>(histogram.total());
    curve.cumulative.push_back(0);
    std::partial_sum(counts.begin(), counts.end(), std::back_inserter(curve.cumulative));
    for (const double total = curve.cumulative.back(); double& c : curve.cumulative) c /= total;
    return curve;
}

double AdjustmentCurve::operator()(double luminance, double delta) const {
    if (linear > 0) return luminance * linear;
    const double position = scale.position(tone::brightness(luminance, delta));
    const int k = scale.binAt(position);
    const double below = cumulative[static_cast<std::size_t>(k)], above = cumulative[static_cast<std::size_t>(k) + 1];
    return tone::displayed(below + (above - below) * (position - k), logRange, perRange);
}

}  // namespace parallax
