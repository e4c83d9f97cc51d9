// SPDX-License-Identifier: GPL-3.0-or-later
// Effect of NaN and infinities on the sums whose windows contain them. Finite samples do not matter then: a NaN gives NaN, and so do an
// infinity under a weight of 0 and infinities of both signs; others give the infinity of their sign.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operations/convolution/kernel.hpp"

namespace parallax {

class NotFinite {
public:
    explicit NotFinite(const Kernel& kernel);
    static std::uint64_t bytes(const Kernel& kernel, std::int64_t columns, std::int64_t rows);

    /// Starts the next tile.
    void clear() { any_ = false; }
    /// Notes the samples of row y of a tile of columns x rows results; result (x, y) is the sum over samples (x + u, y + v).
    void addRow(const float* samples, std::int64_t count, std::int64_t y, std::int64_t columns, std::int64_t rows);
    /// Corrects the results of row y whose windows contain one.
    void apply(float* results, std::int64_t y, std::int64_t columns) const;

private:
    int width_, height_;
    std::vector<std::uint8_t> effects_[3];  ///< of NaN, +infinity, -infinity on the results to their left: reversed rows of weights
    std::vector<std::uint8_t> flags_;
    bool any_ = false;
};

}  // namespace parallax
