// SPDX-License-Identifier: GPL-3.0-or-later
// Stream-ordered device memory: one pool per device and process, which keeps released memory for the next run.
#pragma once

#include <cstdint>
#include <memory>

#include "core/image/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

class MemoryPool {
public:
    /// Returns the pool of a device, created on first use and never destroyed: buffers may be released until the process ends.
    static MemoryPool& of(int device);
    /// Returns the bytes that the pool of a device holds unused; 0 without a pool.
    static std::uint64_t idleBytes(int device);

    /// Allocates memory for work in this stream. If there is not enough, returns idle memory to the driver and tries again. Throws
    /// Error(memory) with the numbers.
    void* allocate(std::size_t bytes, cudaStream_t stream);
    void release(void* p, cudaStream_t stream) noexcept;
    /// Lets kernels of another device access all memory of the pool, also that allocated later. Throws Error(failed) without a path
    /// between the devices.
    void giveAccess(int peer);
    /// Returns idle memory to the driver.
    void trim() noexcept;

    std::uint64_t usedBytes() const { return attribute(cudaMemPoolAttrUsedMemCurrent); }
    /// The most bytes in use since the last call.
    std::uint64_t takePeakBytes();
    std::uint64_t reservedBytes() const { return attribute(cudaMemPoolAttrReservedMemCurrent); }

private:
    explicit MemoryPool(int device);
    std::uint64_t attribute(cudaMemPoolAttr which) const noexcept;

    int device_;
    cudaMemPool_t pool_ = nullptr;
};

/// Makes the allocator of a session, ordered by its stream. Buffers keep the stream alive.
std::shared_ptr<Allocator> makeStreamAllocator(MemoryPool& pool, std::shared_ptr<Stream> stream);

}  // namespace parallax::gpu
