// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/host/host_memory.hpp"

namespace parallax {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kBlockToCheck = std::size_t{1} << 30;

class HostAllocator final : public Allocator {
public:
    MemorySpace space() const override { return MemorySpace::host; }

    void* allocate(std::size_t bytes) override {
        // Large blocks start on huge-page boundaries: fewer page faults and TLB misses. Others start on page boundaries, so that all runs
        // have the same buffer placement: a load waits for an earlier store with the same last 12 address bits ("4K aliasing"), which
        // changes times by up to 4 %.
        const bool large = bytes >= 2 * kHugePage;
        const std::size_t alignment = large ? kHugePage : bytes >= kPage ? kPage : kAlignment;
        if (bytes > std::numeric_limits<std::size_t>::max() - alignment) return fail(bytes);
        // Where the system overcommits memory, it grants any block and kills the process that writes to it.
        if (bytes >= kBlockToCheck)
            if (const HostMemory memory = hostMemory(); memory.total > 0 && bytes > memory.available + memory.swapFree) return fail(bytes);
        const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
        void* p = std::aligned_alloc(alignment, rounded ? rounded : alignment);
        if (!p) return fail(bytes);
        if (large) madvise(p, rounded, MADV_HUGEPAGE);
        return p;
    }
    void release(void* p, std::size_t) noexcept override { std::free(p); }

private:
    static void* fail(std::size_t bytes) {
        throw Error(ErrorCode::memory, "Not enough memory", std::to_string(bytes >> 20) + " MiB of host memory were refused",
                    "Close other images or use a smaller one");
    }
};

}  // namespace

std::shared_ptr<Allocator> hostAllocator() {
    static const std::shared_ptr<Allocator> allocator = std::make_shared<HostAllocator>();
    return allocator;
}

std::size_t checkedBytes(const Layout& layout, SampleType type) {
    const Shape& s = layout.shape;
    if (layout.rowStride < s.width) throw Error(ErrorCode::failed, "Rows of a buffer overlap");
    std::uint64_t n = bytesPerSample(type);
    for (const std::int64_t extent : {layout.rowStride, s.height, s.depth, s.channels}) {
        if (extent <= 0) throw Error(ErrorCode::usage, "An image needs at least one sample in each direction");
        if (__builtin_mul_overflow(n, static_cast<std::uint64_t>(extent), &n) ||
            n > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            throw Error(ErrorCode::memory, "The image is too large for 64-bit addresses",
                        std::to_string(s.width) + " x " + std::to_string(s.height) + " x " + std::to_string(s.depth) + " x " +
                            std::to_string(s.channels) + " samples");
        }
    }
    return n;
}

Buffer::Buffer(const Shape& shape, SampleType type, std::shared_ptr<Allocator> allocator)
    : Buffer(Layout(shape), type, std::move(allocator)) {}

Buffer::Buffer(const Layout& layout, SampleType type, std::shared_ptr<Allocator> allocator)
    : layout_(layout), type_(type), space_(allocator->space()), bytes_(checkedBytes(layout, type)), allocator_(std::move(allocator)) {
    data_ = allocator_->allocate(bytes_);
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(layout_, other.layout_);
    std::swap(type_, other.type_);
    std::swap(space_, other.space_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    std::swap(allocator_, other.allocator_);
    return *this;
}

Buffer::~Buffer() {
    if (data_) allocator_->release(data_, bytes_);
}

Buffer Buffer::clone() const {
    if (empty()) return {};
    if (!isHostAccessible(space_)) throw Error(ErrorCode::failed, "A device buffer cannot be cloned on the host");
    Buffer copy(layout_, type_);
    std::memcpy(copy.data_, data_, bytes_);
    return copy;
}

}  // namespace parallax
