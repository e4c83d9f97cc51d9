// SPDX-License-Identifier: GPL-3.0-or-later
// The transfer function of a rendering: colour and opacity of each sample value.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/image/host_device.hpp"

namespace parallax::render {

struct CurveNode {
    double value = 0;
    double opacity = 0;            ///< of a layer as thick as the finest spacing, 0 to 0.999
    double colour[3] = {1, 1, 1};  ///< linear RGB
};

/// Reads "VALUE:OPACITY[:#RRGGBB]" nodes, separated by blanks, with ascending values; colours are sRGB and white by default. Throws
/// Error(usage) for fewer than 2 or more than 64 nodes, values beyond 1e30 or all within 1e-30, and for anything that is not a node.
std::vector<CurveNode> parseCurve(std::string_view text);

constexpr int kTableIntervals = 1024;

/// Whether a value in [from, to] may have an opacity above 0. Other arguments: members of a TransferTable.
PARALLAX_HOST_DEVICE inline bool mayBeOpaque(double low, double perUnit, const std::int32_t* opaque, float from, float to) {
    const double first = floor((static_cast<double>(from) - low) * perUnit), last = floor((static_cast<double>(to) - low) * perUnit);
    // One entry more on either side, since positions are rounded; none where all values are beyond an end of the curve.
    const int begin = first < 1 ? 0 : first > kTableIntervals + 1 ? kTableIntervals : static_cast<int>(first) - 1;
    const int end = last < -1 ? 1 : last > kTableIntervals - 2 ? kTableIntervals + 1 : static_cast<int>(last) + 3;
    return opaque[end] > opaque[begin];
}

/// The curve at equidistant values, for layers as thick as the step of the rays. Between entries it is linear, beyond the ends constant.
struct TransferTable {
    static constexpr int kIntervals = kTableIntervals;
    double low = 0, perUnit = 0;  ///< value v is at entry (v - low) * perUnit
    std::vector<float> entries;  ///< R, G, B, opacity of kIntervals + 1 values; the last is there twice, so that every entry has a next one
    std::vector<std::int32_t> opaque;                      ///< [i]: entries before i with an opacity above 0; kIntervals + 2 numbers
    double largestColourStep = 0, largestOpacityStep = 0;  ///< between neighbouring entries

    bool isOpaque(float from, float to) const { return mayBeOpaque(low, perUnit, opaque.data(), from, to); }
};
TransferTable makeTable(const std::vector<CurveNode>& nodes, double step);

}  // namespace parallax::render
