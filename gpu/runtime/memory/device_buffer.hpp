// SPDX-License-Identifier: GPL-3.0-or-later
// A typed, stream-ordered array: weights, tables, workspace of an execution.
#pragma once

#include <memory>
#include <span>

#include "core/image/buffer.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

template <class T>
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    DeviceBuffer(std::shared_ptr<Allocator> allocator, std::size_t size) : allocator_(std::move(allocator)), size_(size) {
        if (size_ > 0) data_ = static_cast<T*>(allocator_->allocate(size_ * sizeof(T)));
    }
    /// Copies from pageable host memory, which may be released when this returns.
    DeviceBuffer(std::shared_ptr<Allocator> allocator, std::span<const T> values, cudaStream_t stream)
        : DeviceBuffer(std::move(allocator), values.size()) {
        if (size_ > 0)
            check(cudaMemcpyAsync(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream),
                  "Weights could not be uploaded");
    }
    ~DeviceBuffer() {
        if (data_) allocator_->release(data_, size_ * sizeof(T));
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(allocator_, other.allocator_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    std::shared_ptr<Allocator> allocator_;
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace parallax::gpu
