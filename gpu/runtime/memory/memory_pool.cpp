// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/memory/memory_pool.hpp"

#include <algorithm>
#include <string>

#include "gpu/runtime/per_device.hpp"

namespace parallax::gpu {
namespace {

PerDevice<MemoryPool*>& pools() {
    static auto* all = new PerDevice<MemoryPool*>;
    return *all;
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB"; }

class StreamAllocator final : public Allocator {
public:
    StreamAllocator(MemoryPool& pool, std::shared_ptr<Stream> stream) : pool_(pool), stream_(std::move(stream)) {}
    MemorySpace space() const override { return MemorySpace::device; }
    void* allocate(std::size_t bytes) override { return pool_.allocate(bytes, stream_->get()); }
    void release(void* p, std::size_t) noexcept override { pool_.release(p, stream_->get()); }

private:
    MemoryPool& pool_;
    std::shared_ptr<Stream> stream_;
};

}  // namespace

MemoryPool::MemoryPool(int device) : device_(device) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = cudaMemHandleTypeNone;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    check(cudaMemPoolCreate(&pool_, &properties), "The memory pool of the CUDA device could not be created");
    // Keep all memory at synchronisation points.
    std::uint64_t keepAll = ~std::uint64_t{0};
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keepAll),
          "The memory pool of the CUDA device could not be set up");
}

MemoryPool& MemoryPool::of(int device) {
    return *pools().of(device, [&] {
        const CurrentDevice current(device);
        return new MemoryPool(device);
    });
}

std::uint64_t MemoryPool::idleBytes(int device) {
    const MemoryPool* const pool = pools().of(device, [] { return nullptr; });
    if (!pool) return 0;
    const std::uint64_t used = pool->usedBytes(), reserved = pool->reservedBytes();
    return reserved > used ? reserved - used : 0;
}

std::uint64_t MemoryPool::attribute(cudaMemPoolAttr which) const noexcept {
    std::uint64_t value = 0;
    checkNoThrow(cudaMemPoolGetAttribute(pool_, which, &value));
    return value;
}

std::uint64_t MemoryPool::takePeakBytes() {
    const std::uint64_t peak = std::max(usedBytes(), attribute(cudaMemPoolAttrUsedMemHigh));
    std::uint64_t zero = 0;  // the only value that is allowed
    checkNoThrow(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &zero));
    return peak;
}

void* MemoryPool::allocate(std::size_t bytes, cudaStream_t stream) {
    const CurrentDevice current(device_);
    void* p = nullptr;
    cudaError_t error = cudaMallocFromPoolAsync(&p, bytes, pool_, stream);
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        // Released memory becomes idle when its stream has reached the release.
        checkNoThrow(cudaDeviceSynchronize());
        trim();
        error = cudaMallocFromPoolAsync(&p, bytes, pool_, stream);
    }
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        std::size_t free = 0, total = 0;
        checkNoThrow(cudaMemGetInfo(&free, &total));
        throw Error(ErrorCode::memory, "Not enough memory on the CUDA device",
                    mebibytes(bytes) + " were requested, " + mebibytes(free) + " of " + mebibytes(total) + " are free", kMemoryAdvice);
    }
    check(error, "Memory of the CUDA device could not be allocated");
    return p;
}

void MemoryPool::giveAccess(int peer) {
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = peer;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    check(cudaMemPoolSetAccess(pool_, &access, 1), "A CUDA device could not be given access to the memory of another one");
}

void MemoryPool::release(void* p, cudaStream_t stream) noexcept {
    const CurrentDevice current(device_, std::nothrow);
    checkNoThrow(cudaFreeAsync(p, stream));
}

void MemoryPool::trim() noexcept { checkNoThrow(cudaMemPoolTrimTo(pool_, 0)); }

std::shared_ptr<Allocator> makeStreamAllocator(MemoryPool& pool, std::shared_ptr<Stream> stream) {
    return std::make_shared<StreamAllocator>(pool, std::move(stream));
}

}  // namespace parallax::gpu
