// SPDX-License-Identifier: GPL-3.0-or-later
// Owner of samples in a memory space.
#pragma once

#include <cstddef>
#include <memory>

#include "core/image/memory_space.hpp"
#include "core/image/shape.hpp"
#include "core/image/view.hpp"

namespace parallax {

enum class SampleType { float32, float64 };

constexpr std::size_t bytesPerSample(SampleType t) { return t == SampleType::float32 ? 4 : 8; }

/// Source of memory. Each buffer shares ownership of its allocator.
class Allocator {
public:
    virtual ~Allocator() = default;
    virtual MemorySpace space() const = 0;
    /// Returns at least `bytes` bytes, aligned to 64. Throws Error(memory).
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* p, std::size_t bytes) noexcept = 0;
};

/// The process-wide allocator of pageable host memory. Not initialised; blocks of a page or more start on page boundaries.
std::shared_ptr<Allocator> hostAllocator();

/// Where samples are in a buffer. Between rows there may be padding, which is never read for its value and may be overwritten by anyone.
struct Layout {
    Shape shape;
    std::int64_t rowStride;  ///< samples from one row to the next, at least the width
    /// Densely packed.
    constexpr Layout(const Shape& s) : Layout(s, s.width) {}
    constexpr Layout(const Shape& s, std::int64_t stride) : shape(s), rowStride(stride) {}
    constexpr bool operator==(const Layout&) const = default;
    template <class T>
    constexpr View<T> view(T* data) const {
        return {data, shape, rowStride, rowStride * shape.height, rowStride * shape.height * shape.depth};
    }
};

/// Samples of one layout. Move-only, copied by clone(). Contents start undefined.
class Buffer {
public:
    Buffer() = default;
    /// Throws Error(memory) if the size overflows or if there is not enough memory.
    explicit Buffer(const Shape& shape, SampleType type = SampleType::float32, std::shared_ptr<Allocator> allocator = hostAllocator());
    explicit Buffer(const Layout& layout, SampleType type = SampleType::float32, std::shared_ptr<Allocator> allocator = hostAllocator());
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    const Shape& shape() const { return layout_.shape; }
    const Layout& layout() const { return layout_; }
    SampleType type() const { return type_; }
    MemorySpace space() const { return space_; }
    std::size_t bytes() const { return bytes_; }  ///< with padding
    bool empty() const { return data_ == nullptr; }
    void* data() { return data_; }
    const void* data() const { return data_; }

    /// T must match type(); the view is valid as long as the buffer.
    template <class T = float>
    View<T> view() {
        return layout_.view(static_cast<T*>(data_));
    }
    template <class T = float>
    View<const T> view() const {
        return layout_.view(static_cast<const T*>(data_));
    }

    /// Deep copy of a host-accessible buffer.
    Buffer clone() const;

private:
    Layout layout_{Shape{}};
    SampleType type_ = SampleType::float32;
    MemorySpace space_ = MemorySpace::host;
    std::size_t bytes_ = 0;
    void* data_ = nullptr;
    std::shared_ptr<Allocator> allocator_;
};

/// Bytes of a buffer. Throws Error(memory) if the product overflows or is not positive.
std::size_t checkedBytes(const Layout& layout, SampleType type);

}  // namespace parallax
