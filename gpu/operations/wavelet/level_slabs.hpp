// SPDX-License-Identifier: GPL-3.0-or-later
// One level of one axis in slabs: which coefficients or samples each slab makes, and what it reads for that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/operations/wavelet/extension.hpp"

namespace parallax::gpu {

/// Forward: coefficients [first, end) from the samples [from, to) of the finer side, counted on beyond the ends where the mode repeats the
/// signal. Inverse: pairs of samples from the coefficients [from, to) of both bands.
struct LevelSlab {
    std::int64_t first = 0, end = 0;
    std::int64_t from = 0, to = 0;
    std::int64_t carried = 0;  ///< of [from, to), from the front: those that the slab before has
    std::int64_t skip = 0;     ///< results before `first` that a transform of [from, to) alone makes in vain
    std::int64_t results() const { return end - first; }
    std::int64_t reads() const { return to - from; }
};
/// Results of a level of an axis of `samples`: coefficients of one band, and pairs of samples.
std::int64_t forwardResults(std::int64_t samples, int taps, ExtensionRule rule);
std::int64_t inverseResults(std::int64_t samples, int taps, ExtensionRule rule);
/// Slabs of these many results each, which are all of them. With a single one nothing is repeated or skipped; short axes have no more.
std::vector<LevelSlab> forwardSlabs(std::int64_t samples, int taps, ExtensionRule rule, std::span<const std::int64_t> sizes);
std::vector<LevelSlab> inverseSlabs(std::int64_t samples, int taps, ExtensionRule rule, std::span<const std::int64_t> sizes);

/// The sample or coefficient that stands for `i`, which may lie beyond the ends, with rules that repeat the signal of n.
std::int64_t repeatedIndex(std::int64_t i, std::int64_t n, ExtensionRule rule, bool forward);
/// Runs of consecutive indices that stand for [from, to): f(first index, offset from `from`, count).
template <class F>
void forRepeatedRuns(std::int64_t from, std::int64_t to, std::int64_t n, ExtensionRule rule, bool forward, F&& f) {
    for (std::int64_t i = from; i < to;) {
        const std::int64_t first = repeatedIndex(i, n, rule, forward);
        std::int64_t count = 1;
        while (i + count < to && repeatedIndex(i + count, n, rule, forward) == first + count) ++count;
        f(first, i - from, count);
        i += count;
    }
}

}  // namespace parallax::gpu
