// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/buffer.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {
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
