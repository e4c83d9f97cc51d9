// SPDX-License-Identifier: GPL-3.0-or-later
// Sum, minimum, maximum and number of values, of a block and of all blocks.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace parallax {

/// Callers add finite values only. The mean of no values is 0.
struct Reduction {
    double sum = 0;
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    std::int64_t count = 0;

    void add(double value) {
        sum += value;
        minimum = value < minimum ? value : minimum;
        maximum = value > maximum ? value : maximum;
        ++count;
    }
    void merge(const Reduction& next) {
        sum += next.sum;
        minimum = next.minimum < minimum ? next.minimum : minimum;
        maximum = next.maximum > maximum ? next.maximum : maximum;
        count += next.count;
    }
    bool empty() const { return count == 0; }
    double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
    /// maximum - minimum; 0 without values.
    double range() const { return count > 0 ? maximum - minimum : 0; }
};

/// Merges blocks in order: see blocks.hpp.
inline Reduction combine(std::span<const Reduction> blocks) {
    Reduction all;
    for (const Reduction& block : blocks) all.merge(block);
    return all;
}

/// Geometric mean, exp(mean), of values whose natural logarithms were added; 1 without values.
inline double logAverage(const Reduction& logarithms) { return std::exp(logarithms.mean()); }

}  // namespace parallax
