// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace parallax {

/// A histogram of any number of samples, for one thread: 32-bit counters, which take half the cache, are added to 64-bit ones before one
/// of them could overflow.
class BucketCounts {
public:
    /// `most`: samples between two moves.
    explicit BucketCounts(std::size_t buckets, std::int64_t most = std::numeric_limits<std::uint32_t>::max())
        : small_(buckets), most_(most) {}

    void clear() {
        std::fill(small_.begin(), small_.end(), 0U);
        large_.clear();
        counted_ = 0;
    }
    /// Returns the counters for this many further samples, at most `most`, each of which adds 1 to its bucket.
    std::uint32_t* forNext(std::int64_t samples) {
        if (samples > most_ - counted_) move();
        counted_ += samples;
        return small_.data();
    }
    std::int64_t operator[](std::size_t bucket) const { return (large_.empty() ? 0 : large_[bucket]) + small_[bucket]; }

private:
    void move() {
        large_.resize(small_.size());
        for (std::size_t i = 0; i < small_.size(); ++i) large_[i] += small_[i];
        std::fill(small_.begin(), small_.end(), 0U);
        counted_ = 0;
    }
    std::vector<std::uint32_t> small_;
    std::vector<std::int64_t> large_;  ///< empty until it is needed
    std::int64_t most_, counted_ = 0;
};

}  // namespace parallax
