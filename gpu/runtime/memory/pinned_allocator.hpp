// SPDX-License-Identifier: GPL-3.0-or-later
// Page-locked host memory, and transfers of ordinary host memory through it. The driver copies ordinary memory through one
// small buffer with one thread, at a tenth of the link's speed. Here several lanes share the work: each copies pieces into (or
// out of) its own two pinned blocks while the copy engine moves the other one.
#pragma once

#include <memory>

#include "core/image/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

/// Allocator of pinned memory that every device can reach. It belongs to the context of this device, whichever one is current: where a
/// run uses another device, none of its memory is taken for a context on device 0. Throws Error(memory) with the bytes.
std::shared_ptr<Allocator> pinnedAllocator(int device);
/// The same for images and results: pinning takes the system longer than copying, so up to kKeptPinnedBytes of what was released are
/// kept for the next one of that size. One for each device.
std::shared_ptr<Allocator> recyclingPinnedAllocator(int device);
inline constexpr std::size_t kKeptPinnedBytes = std::size_t{1} << 30;
/// Does a device reach this host memory by itself?
bool isPinned(const void* host);

struct StagingTuning {
    int maximumLanes = 8;                                ///< threads that copy; one alone reaches a fifth of the link
    std::size_t largestPiece = std::size_t{2} << 20;     ///< bytes of a pinned block; small enough to stay in the processor's cache
    std::size_t smallestPiece = std::size_t{256} << 10;  ///< below, waking another thread costs more than it brings
};
inline constexpr StagingTuning kStagingTuning{};

class StagingEngine {
public:
    /// The engine of a device, made on first use (threads and pinned blocks included) and kept.
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
