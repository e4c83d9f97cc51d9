// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of the tuned primitives as data. Measure with bench_gpu_primitives.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax::gpu {

/// One pass over an array: blocks of threads, each with several 16-byte loads on their way at a time.
struct StreamTuning {
    int threads;  ///< of a block
    int vectors;  ///< 16-byte loads of a thread before the first is used
    int blocks;   ///< that must fit on a multiprocessor: limits registers
    PARALLAX_HOST_DEVICE constexpr int step() const { return threads * vectors * 4; }  ///< elements of a block at a time
};

/// 6 blocks of 256 threads with 64 bytes on their way each are 96 KiB a multiprocessor, where the latency of memory under load times
/// its rate asks for some 30 KiB. Not measured yet.
inline constexpr StreamTuning kReductionTuning{.threads = 256, .vectors = 4, .blocks = 6};

/// How an array is cut into the parts that one block each reduces. Depends on the length alone, never on the device or on the order
/// in which blocks happen to run: so the result is the same everywhere. A block that is done makes room for another one, which evens
/// out that some multiprocessors are slower than others.
struct Chunks {
    std::int64_t length;  ///< elements, a multiple of the step
    std::int64_t count;   ///< at least 1

    static constexpr std::int64_t kFew = 1024;        ///< below, chunks get shorter instead of fewer ...
    static constexpr std::int64_t kUsualSteps = 4;    ///< ... than this many steps; not measured yet
    static constexpr std::int64_t kMany = 8192;       ///< above, they get longer: one block combines what all of them left
    static constexpr std::int64_t kMostSteps = 1024;  ///< so that 32-bit counters suffice

    static constexpr Chunks of(std::int64_t n, const StreamTuning& tuning) {
        const std::int64_t step = tuning.step(), steps = std::max<std::int64_t>((n + step - 1) / step, 1);
        std::int64_t each = std::clamp<std::int64_t>(steps / kFew, 1, kUsualSteps);
        each = std::min(std::max(each, (steps + kMany - 1) / kMany), kMostSteps);
        return {each * step, (steps + each - 1) / each};
    }
};

/// The histogram in shared memory.
struct HistogramTuning {
    int threads = 512;
    int vectors = 4;
    int blocks = 3;               ///< that must fit on a multiprocessor: limits registers
    int copies = 32;              ///< of the histogram in a block: with 32 each lane has a bank of its own and never waits for another
    int sharedBytes = 36 * 1024;  ///< that several copies may take; more bins get fewer copies. 256 bins: 32, 1024: 8
    PARALLAX_HOST_DEVICE constexpr int step() const { return threads * vectors * 4; }
};
/// Not measured yet.
inline constexpr HistogramTuning kHistogramTuning{};

/// Threads of a block of the textbook variants.
inline constexpr int kTextbookThreads = 256;

}  // namespace parallax::gpu
