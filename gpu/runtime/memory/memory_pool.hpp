// SPDX-License-Identifier: GPL-3.0-or-later
// Stream-ordered device memory. One pool a device and process; released memory stays in it, so that the next run does not
// ask the driver again.
#pragma once

#include <cstdint>
#include <memory>

#include "core/image/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

class MemoryPool {
public:
    /// The pool of a device, made on first use. Never destroyed: buffers may be released until the process ends.
    static MemoryPool& of(int device);
    /// Bytes that the pool of a device holds but nobody uses; 0 when there is no pool yet.
    static std::uint64_t idleBytes(int device);

    int device() const { return device_; }
    /// Memory for work in this stream. When there is not enough, idle memory is given back and the allocation tried once more.
    /// Throws Error(memory) with the numbers.
    void* allocate(std::size_t bytes, cudaStream_t stream);
    void release(void* p, cudaStream_t stream) noexcept;
    /// Gives idle memory back to the driver.
    void trim() noexcept;

    std::uint64_t usedBytes() const { return attribute(cudaMemPoolAttrUsedMemCurrent); }
    std::uint64_t reservedBytes() const { return attribute(cudaMemPoolAttrReservedMemCurrent); }

private:
    explicit MemoryPool(int device);
    std::uint64_t attribute(cudaMemPoolAttr which) const noexcept;

    int device_;
    cudaMemPool_t pool_ = nullptr;
};

/// Allocator of a session: memory belongs to the order of its stream. Buffers keep the stream alive.
std::shared_ptr<Allocator> makeStreamAllocator(MemoryPool& pool, std::shared_ptr<Stream> stream);

}  // namespace parallax::gpu
