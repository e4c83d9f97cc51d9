// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/memory/pinned_allocator.hpp"

#include "core/image/recycling_allocator.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/per_device.hpp"

namespace parallax::gpu {
namespace {

class PinnedAllocator final : public Allocator {
public:
    explicit PinnedAllocator(int device) : device_(device) {}
    MemorySpace space() const override { return MemorySpace::pinned; }
    void* allocate(std::size_t bytes) override {
        const CurrentDevice current(device_);
        void* p = nullptr;
        const cudaError_t error = cudaHostAlloc(&p, bytes, cudaHostAllocPortable);
        // The operating system limits page-locked memory, so another device or a CPU backend would not help.
        if (error == cudaErrorMemoryAllocation) {
            (void)cudaGetLastError();
            throw Error(ErrorCode::memory, "Memory of the host could not be page-locked",
                        std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB were requested",
                        "Do not use the modes 'pinned' and 'overlapped', or use a smaller image");
        }
        check(error, "Memory of the host could not be page-locked");
        return p;
    }
    void release(void* p, std::size_t) noexcept override {
        const CurrentDevice current(device_, std::nothrow);
        checkNoThrow(cudaFreeHost(p));
    }

private:
    int device_;
};

}  // namespace

bool isPinned(const void* host) {
    cudaPointerAttributes attributes{};
    return checkNoThrow(cudaPointerGetAttributes(&attributes, host)) && attributes.type == cudaMemoryTypeHost;
}

std::shared_ptr<Allocator> pinnedAllocator(int device) {
    static auto* allocators = new PerDevice<std::shared_ptr<Allocator>>;
    return allocators->of(device, [&] { return std::make_shared<PinnedAllocator>(device); });
}

std::shared_ptr<Allocator> recyclingPinnedAllocator(int device) {
    static auto* allocators = new PerDevice<std::shared_ptr<Allocator>>;
    return allocators->of(device, [&] { return std::make_shared<RecyclingAllocator>(kKeptPinnedBytes, pinnedAllocator(device)); });
}

}  // namespace parallax::gpu
