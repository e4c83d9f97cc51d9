// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers of ordinary host memory through page-locked blocks. The driver copies ordinary memory through one small buffer with one
// thread, at a tenth of the link's speed. Here several lanes share the work: each copies pieces into (or out of) one of its two blocks
// while the copy engine moves the other one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

struct StagingTuning {
    int maximumLanes = 8;                                ///< threads that copy; one alone reaches a fifth of the link
    std::size_t largestPiece = std::size_t{2} << 20;     ///< bytes of a block; small enough to stay in the processor's cache
    std::size_t smallestPiece = std::size_t{256} << 10;  ///< below, waking another thread costs more than it brings
};
inline constexpr StagingTuning kStagingTuning{};
/// Page-locked memory of the host that an engine takes at most.
constexpr std::uint64_t stagingBytes() { return 2 * static_cast<std::uint64_t>(kStagingTuning.maximumLanes) * kStagingTuning.largestPiece; }

class StagingEngine {
public:
    /// The engine of a device, made on first use with its threads and blocks, and kept.
    static StagingEngine& of(int device);

    /// Enqueues the transfer in the order of the stream; `host` may change when it returns.
    void upload(void* device, const void* host, std::size_t bytes, Stream& stream);
    /// After what is in the stream; complete when it returns.
    void download(void* host, const void* device, std::size_t bytes, Stream& stream);
    std::size_t pinnedBytes() const;

private:
    explicit StagingEngine(int device);
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax::gpu
