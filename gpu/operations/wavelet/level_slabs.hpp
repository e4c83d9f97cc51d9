// SPDX-License-Identifier: GPL-3.0-or-later
// One level of one axis in slabs: the results of each slab and the range that it reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/operations/wavelet/extension.hpp"

namespace parallax::gpu {

/// Forward: coefficients [first, end) from the samples [from, to) of the finer side, which extend beyond the ends if the mode repeats the
/// signal. Inverse: pairs of samples from the coefficients [from, to) of both bands.
struct LevelSlab {
    std::int64_t first = 0, end = 0;
    std::int64_t from = 0, to = 0;
    std::int64_t carried = 0;  ///< how many of [from, to), from the front, the previous slab has too
    std::int64_t skip = 0;     ///< results before `first` that a transform of [from, to) computes in vain
    std::int64_t results() const { return end - first; }
    std::int64_t reads() const { return to - from; }
};
/// Returns the results of a level of an axis of `samples`: coefficients of a band, or pairs of samples.
std::int64_t forwardResults(std::int64_t samples, int taps, WaveletMode rule);
std::int64_t inverseResults(std::int64_t samples, int taps, WaveletMode rule);
/// One slab with the results [first, end). Forward, fewer than all results need at least twice as many samples as taps.
LevelSlab forwardSlab(std::int64_t first, std::int64_t end, std::int64_t samples, int taps, WaveletMode rule);
LevelSlab inverseSlab(std::int64_t first, std::int64_t end, std::int64_t samples, int taps, WaveletMode rule);
/// Samples that the inverse makes of a slab. The first one is sample 2 * (slab.first - slab.skip) of the level.
std::int64_t inverseSamples(const LevelSlab& slab, std::int64_t samples, int taps, WaveletMode rule);
/// Returns slabs of `sizes` results. A single slab repeats and skips nothing; short axes always have a single one.
std::vector<LevelSlab> forwardSlabs(std::int64_t samples, int taps, WaveletMode rule, std::span<const std::int64_t> sizes);
std::vector<LevelSlab> inverseSlabs(std::int64_t samples, int taps, WaveletMode rule, std::span<const std::int64_t> sizes);

/// Returns the index in [0, n) for `i`, which may be beyond the ends, in modes that repeat the signal.
std::int64_t repeatedIndex(std::int64_t i, std::int64_t n, WaveletMode rule, bool forward);
/// Calls f(first index, offset from `from`, count) for runs of consecutive indices that make up [from, to).
template <class F>
void forRepeatedRuns(std::int64_t from, std::int64_t to, std::int64_t n, WaveletMode rule, bool forward, F&& f) {
    for (std::int64_t i = from; i < to;) {
        const std::int64_t first = repeatedIndex(i, n, rule, forward);
        std::int64_t count = 1;
        while (i + count < to && repeatedIndex(i + count, n, rule, forward) == first + count) ++count;
        f(first, i - from, count);
        i += count;
    }
}

}  // namespace parallax::gpu
