// SPDX-License-Identifier: GPL-3.0-or-later
// What is in the regions of an output, as the bands of a transform.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/engine/operation/capabilities.hpp"

namespace parallax::ui {

/// Of the finite samples of one region in one channel.
struct RegionFigures {
    std::int64_t finite = 0, zero = 0;
    double energy = 0;  ///< sum of squares
    double mean = 0, low = 0, high = 0;
    /// The value that is shown in the middle between black and white: 0 for details, which lie on both sides of it; the median of an
    /// approximation, which does not.
    double middle = 0;
    /// 95 % are this close to the middle. Unlike the RMS it does not follow a few lights that outshine everything. Both are estimates from
    /// some ten thousand samples spread over the region.
    double typical = 0;

    double rms() const;
    /// Largest magnitude.
    double largest() const;
    /// Largest distance from the middle.
    double reach() const;
};

/// Throws Error(cancelled) when stopped. Regions lie within the view.
RegionFigures figuresOf(const View<const float>& channel, const Region& region, const std::stop_token& stop = {});

/// Factors for viewing, one a region: details of all regions share one scale, on which a band of small ones would be flat grey. With these
/// what is typical of each band fills the range from black to white, but never less than it would without.
std::vector<double> automaticGains(const std::vector<RegionFigures>& figures);
/// What is drawn from black to white, on both sides of the middle, at a gain of 1: the largest distance of all regions that have the middle
/// 0, or the region's own.
double viewedReach(const std::vector<RegionFigures>& figures, std::size_t region);

}  // namespace parallax::ui
