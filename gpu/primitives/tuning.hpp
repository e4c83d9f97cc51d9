// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning parameters of the primitives. Measure with bench_gpu_primitives.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax::gpu {

/// One pass over an array: each thread has several 16-byte loads in flight.
struct StreamTuning {
    int threads;  ///< per block
    int vectors;  ///< 16-byte loads per thread before the first is used
    int blocks;   ///< that must fit on a multiprocessor: limits registers
    PARALLAX_HOST_DEVICE constexpr int step() const { return threads * vectors * 4; }  ///< elements of a block at a time
};

/// 6 blocks of 256 threads with 64 bytes in flight are 96 KiB per multiprocessor; memory latency under load times bandwidth requires about
/// 30 KiB. Not measured yet.
inline constexpr StreamTuning kReductionTuning{.threads = 256, .vectors = 4, .blocks = 6};

/// The parts of an array that one block each reduces. They depend on the length alone, so that results are the same on every device.
/// There are more chunks than blocks that run at once, which balances the load of the multiprocessors.
struct Chunks {
    std::int64_t length;  ///< elements, a multiple of the step
    std::int64_t count;   ///< at least 1

    static constexpr std::int64_t kFewChunks = 1024;   ///< below this, chunks get shorter instead of fewer ...
    static constexpr std::int64_t kUsualSteps = 4;     ///< ... than this many steps; not measured yet
    static constexpr std::int64_t kManyChunks = 8192;  ///< above this, they get longer: one block combines the results of all chunks
    static constexpr std::int64_t kMaxSteps = 1024;    ///< so that 32-bit counters suffice

    static constexpr Chunks of(std::int64_t n, const StreamTuning& tuning) {
        const std::int64_t step = tuning.step(), steps = std::max<std::int64_t>((n + step - 1) / step, 1);
        std::int64_t each = std::clamp<std::int64_t>(steps / kFewChunks, 1, kUsualSteps);
        each = std::min(std::max(each, (steps + kManyChunks - 1) / kManyChunks), kMaxSteps);
        return {each * step, (steps + each - 1) / each};
    }
};

/// The histogram in shared memory.
struct HistogramTuning {
    int threads = 512;
    int vectors = 4;
    int blocks = 3;               ///< that must fit on a multiprocessor: limits registers
    int copies = 32;              ///< of the histogram in a block: with 32, each lane has its own bank
    int sharedBytes = 36 * 1024;  ///< limit for all copies: 32 copies of 256 bins, 8 of 1024
    PARALLAX_HOST_DEVICE constexpr int step() const { return threads * vectors * 4; }
};
/// Not measured yet.
inline constexpr HistogramTuning kHistogramTuning{};
/// Returns the number of copies of a histogram with this many counts in a block, a power of 2.
constexpr int histogramCopies(int counts) {
    int copies = kHistogramTuning.copies;
    while (copies > 1 && counts * copies * static_cast<int>(sizeof(unsigned)) > kHistogramTuning.sharedBytes) copies /= 2;
    return copies;
}

/// Threads per block of the textbook variants.
inline constexpr int kTextbookThreads = 256;

}  // namespace parallax::gpu
