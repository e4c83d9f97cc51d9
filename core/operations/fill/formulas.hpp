// SPDX-License-Identifier: GPL-3.0-or-later
// The samples that are filled, for host and device code alike. Decisions are comparisons of input samples, so all backends agree.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "core/image/host_device.hpp"
#include "core/operations/fill/parameters.hpp"

namespace parallax::filling {

enum class Kind : std::uint8_t {
    known,    ///< keeps its value, which its neighbours see
    missing,  ///< is replaced
    unusable  ///< infinite, but not to be filled: interpolated like missing ones, and keeps its value in the result
};

/// The numbers that decide.
struct Criterion {
    MissingSamples missing = MissingSamples::nan;
    double threshold = 1, factor = 10, black = 0.01;
    int radius = 2;  ///< of the window of fireflies
};

PARALLAX_HOST_DEVICE inline bool isFinite(float v) { return fabsf(v) <= FLT_MAX; }

/// Kind of a sample, without fireflies. `alpha`: of its pixel; 1 if alpha does not decide.
PARALLAX_HOST_DEVICE inline Kind kindOf(float v, float alpha, const Criterion& c) {
    if (v != v) return Kind::missing;
    bool isMissing = false;
    switch (c.missing) {
        case MissingSamples::nan: break;
        case MissingSamples::nonFinite:
        case MissingSamples::fireflies: isMissing = !isFinite(v); break;
        case MissingSamples::above: isMissing = static_cast<double>(v) >= c.threshold; break;
        case MissingSamples::below: isMissing = static_cast<double>(v) <= c.threshold; break;
        case MissingSamples::transparent: isMissing = alpha <= 0; break;
    }
    return isMissing ? Kind::missing : isFinite(v) ? Kind::known : Kind::unusable;
}

/// Whether a neighbour in the window is so dark that it makes `v` a firefly. Negative neighbours count as 0.
PARALLAX_HOST_DEVICE inline bool isFarBelow(float neighbour, float v, const Criterion& c) {
    return c.factor * ((neighbour > 0 ? static_cast<double>(neighbour) : 0.0) + c.black) < static_cast<double>(v);
}

/// Whether the finite sample v at x, y exceeds factor * (m + black), with m the lower median of the finite samples in its window, which
/// ends at the border of the image. at(x, y): samples of the slice. It does exactly if at least half of them are far below v.
template <class At>
PARALLAX_HOST_DEVICE bool isFirefly(float v, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, const Criterion& c,
                                    At&& at) {
    if (!isFarBelow(0, v, c)) return false;
    const int side = 2 * c.radius + 1;
    int below = 0, others = 0;
    for (int dy = -c.radius; dy <= c.radius; ++dy)
        for (int dx = -c.radius; dx <= c.radius; ++dx) {
            if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
            const float neighbour = at(x + dx, y + dy);
            if (!isFinite(neighbour)) continue;
            if (isFarBelow(neighbour, v, c)) ++below;
            else if (2 * ++others > side * side) return false;
        }
    return below >= others;
}

}  // namespace parallax::filling
