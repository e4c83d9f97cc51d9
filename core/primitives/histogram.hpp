// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of values in bins of equal width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/image/host_device.hpp"

namespace parallax {

/// Bin k holds first + k / perUnit <= value < first + (k + 1) / perUnit; values outside are counted in the first or last bin.
template <class T>
struct BinScale {
    T first = 0;
    T perUnit = 0;
    int bins = 1;

    /// Distance from `first` in bins, clamped to [0, bins]; 0 for NaN.
    PARALLAX_HOST_DEVICE T position(T value) const {
        const T t = (value - first) * perUnit;
        return t > T(0) ? (t < T(bins) ? t : T(bins)) : T(0);
    }
    PARALLAX_HOST_DEVICE int binAt(T position) const {
        const int k = static_cast<int>(position);
        return k < bins ? k : bins - 1;
    }
    PARALLAX_HOST_DEVICE int binOf(T value) const { return binAt(position(value)); }
};

class Histogram {
public:
    explicit Histogram(int bins) : counts_(static_cast<std::size_t>(bins)) {}
    void add(int bin, std::uint64_t n = 1) { counts_[static_cast<std::size_t>(bin)] += n; }
    /// Adds the counts of another block with the same bins; the order does not matter.
    void merge(const Histogram& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    }
    const std::vector<std::uint64_t>& counts() const { return counts_; }
    std::uint64_t total() const {
        std::uint64_t n = 0;
        for (const std::uint64_t c : counts_) n += c;
        return n;
    }

private:
    std::vector<std::uint64_t> counts_;
};

}  // namespace parallax
