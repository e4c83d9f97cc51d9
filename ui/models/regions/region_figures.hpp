// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the regions of an output, such as the sub-bands of a transform.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/engine/operation/capabilities.hpp"

namespace parallax::ui {

/// Statistics of the finite samples of one region in one channel.
struct RegionFigures {
    std::int64_t finite = 0, zero = 0;
    double energy = 0;  ///< sum of squares
    double mean = 0, low = 0, high = 0;
    /// The value shown as middle grey: 0 for details, the median for an approximation.
    double middle = 0;
    /// 95 % of the samples are this close to the middle; unlike the RMS insensitive to a few outliers. Middle and typical are estimates
    /// from about ten thousand samples.
    double typical = 0;

    double rms() const;
    /// Largest magnitude.
    double largest() const;
    /// Largest distance from the middle.
    double reach() const;
};

/// Throws Error(cancelled) when stopped. Regions lie within the view.
RegionFigures figuresOf(const View<const float>& channel, const Region& region, const std::stop_token& stop = {});

/// Returns a display gain for each region, at least 1, with which its typical values fill the range from black to white.
std::vector<double> automaticGains(const std::vector<RegionFigures>& figures);
/// The distance from the middle that is drawn black or white at gain 1: the largest of all regions with middle 0, or the region's own.
double viewedReach(const std::vector<RegionFigures>& figures, std::size_t region);

}  // namespace parallax::ui
