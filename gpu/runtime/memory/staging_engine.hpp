// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers of pageable host memory through page-locked blocks. The driver does this with one thread and a small buffer, at a tenth of
// the link's speed. Here several lanes share the work: each copies pieces into (or out of) one of its two blocks while the copy engine
// transfers the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

inline constexpr int kMaxStagingLanes = 8;  ///< copying threads; a single one reaches a fifth of the link's rate
/// Bytes of a block, which should stay in the CPU's cache.
inline constexpr std::size_t kLargestStagedPiece = std::size_t{2} << 20;
/// Bytes below which waking another thread costs more than it saves.
inline constexpr std::size_t kSmallestStagedPiece = std::size_t{256} << 10;
/// Upper bound of the page-locked memory of an engine.
constexpr std::uint64_t stagingBytes() { return std::uint64_t{2 * kMaxStagingLanes} * kLargestStagedPiece; }

/// Rows that follow each other on the host and begin `devicePitch` bytes apart on the device.
struct RowTransfer {
    std::size_t rowBytes = 0, devicePitch = 0, rows = 0;
    static constexpr RowTransfer dense(std::size_t bytes) { return {bytes, bytes, 1}; }
};

class StagingEngine {
public:
    /// Returns the engine of a device, created on first use.
    static StagingEngine& of(int device);

    /// Enqueues the transfer in the order of the stream; `host` may change when this returns.
    void upload(void* device, const void* host, const RowTransfer& all, Stream& stream);
    /// Ordered after earlier work of the stream; complete when this returns.
    void download(void* host, const void* device, const RowTransfer& all, Stream& stream);

private:
    explicit StagingEngine(int device);
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax::gpu
