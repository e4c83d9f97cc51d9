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

/// Densely packed samples of one shape. Move-only, copied by clone(). Contents start undefined.
class Buffer {
public:
    Buffer() = default;
    /// Throws Error(memory) if the size overflows or if there is not enough memory.
    explicit Buffer(const Shape& shape, SampleType type = SampleType::float32, std::shared_ptr<Allocator> allocator = hostAllocator());
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    const Shape& shape() const { return shape_; }
    SampleType type() const { return type_; }
    MemorySpace space() const { return space_; }
    std::size_t bytes() const { return bytes_; }
    bool empty() const { return data_ == nullptr; }
    void* data() { return data_; }
    const void* data() const { return data_; }

    /// T must match type(); the view is valid as long as the buffer.
    template <class T = float>
    View<T> view() {
        return denseView(static_cast<T*>(data_), shape_);
    }
    template <class T = float>
    View<const T> view() const {
        return denseView(static_cast<const T*>(data_), shape_);
    }

    /// Deep copy of a host-accessible buffer.
    Buffer clone() const;

private:
    Shape shape_;
    SampleType type_ = SampleType::float32;
    MemorySpace space_ = MemorySpace::host;
    std::size_t bytes_ = 0;
    void* data_ = nullptr;
    std::shared_ptr<Allocator> allocator_;
};

/// Bytes of a dense buffer. Throws Error(memory) if the product overflows or is not positive.
std::size_t checkedBytes(const Shape& shape, SampleType type);

}  // namespace parallax
