// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/openmp/not_finite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parallax {
namespace {

constexpr std::uint8_t kNan = 1, kPlus = 2, kMinus = 4;

}  // namespace

NotFinite::NotFinite(const Kernel& kernel) : width_(kernel.width), height_(kernel.height) {
    for (int v = 0; v < height_; ++v)
        for (int u = width_ - 1; u >= 0; --u) {
            const double w = kernel.at(u, v);
            effects_[0].push_back(kNan);
            effects_[1].push_back(w == 0 ? kNan : w > 0 ? kPlus : kMinus);
            effects_[2].push_back(w == 0 ? kNan : w > 0 ? kMinus : kPlus);
        }
}

std::uint64_t NotFinite::bytes(const Kernel& kernel, std::int64_t columns, std::int64_t rows) {
    return 3 * static_cast<std::uint64_t>(kernel.taps()) + static_cast<std::uint64_t>(columns * rows);
}

void NotFinite::addRow(const float* samples, std::int64_t count, std::int64_t y, std::int64_t columns, std::int64_t rows) {
    for (std::int64_t x = 0; x < count; ++x) {
        const float s = samples[x];
        if (std::isfinite(s)) continue;
        if (!any_) flags_.assign(static_cast<std::size_t>(columns * rows), 0);
        any_ = true;
        const std::vector<std::uint8_t>& effects = effects_[std::isnan(s) ? 0 : s > 0 ? 1 : 2];
        // Weight u meets this sample for the result at x - u.
        const std::int64_t first = std::max<std::int64_t>(0, x - width_ + 1), last = std::min(columns - 1, x);
        for (std::int64_t v = std::max<std::int64_t>(0, y - rows + 1); v < std::min<std::int64_t>(height_, y + 1); ++v) {
            const std::uint8_t* effect = effects.data() + v * width_ + (first - (x - width_ + 1));
            std::uint8_t* flags = flags_.data() + (y - v) * columns + first;
            for (std::int64_t i = 0; i <= last - first; ++i) flags[i] |= effect[i];
        }
    }
}

void NotFinite::apply(float* results, std::int64_t y, std::int64_t columns) const {
    if (!any_) return;
    const std::uint8_t* flags = flags_.data() + y * columns;
    for (std::int64_t x = 0; x < columns; ++x) {
        if (flags[x] == 0) continue;
        const bool nan = (flags[x] & kNan) != 0 || (flags[x] & (kPlus | kMinus)) == (kPlus | kMinus);
        results[x] = nan                       ? std::numeric_limits<float>::quiet_NaN()
                     : (flags[x] & kPlus) != 0 ? std::numeric_limits<float>::infinity()
                                               : -std::numeric_limits<float>::infinity();
    }
}

}  // namespace parallax
