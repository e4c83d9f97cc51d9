// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "core/image/image.hpp"

namespace parallax::ui {

/// b - a as one channel: of all channels the difference of largest magnitude, with its sign. NaN where only one of the two
/// is NaN, 0 where both are; an infinity against something else gives an infinity. Throws Error(cancelled).
Image signedDifference(const Image& a, const Image& b, const std::stop_token& stop, std::shared_ptr<Allocator> memory = hostAllocator());

/// |b - a| / max(|a|, |b|) as one channel, the largest of all channels: 0 where they agree, 1 where only one of them is 0, at
/// most 2. Finite against infinity is infinity, NaN as in signedDifference(). Throws Error(cancelled).
Image relativeDifference(const Image& a, const Image& b, const std::stop_token& stop, std::shared_ptr<Allocator> memory = hostAllocator());

/// Ranges for a colour map, of magnitudes of finite samples.
struct DifferenceRange {
    double typical = 0;  ///< 99 % of the samples that differ lie within it: one outlier must not hide all the others
    double largest = 0;
    bool infinite = false;  ///< there are infinite samples
};
DifferenceRange rangeOf(const Image& difference);

}  // namespace parallax::ui
