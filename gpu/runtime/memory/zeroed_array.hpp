// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "gpu/runtime/memory/device_buffer.hpp"

namespace parallax::gpu {

/// Returns an array of at least one element, whose bytes the stream sets to 0. Throws Error(memory).
template <class T>
DeviceBuffer<T> zeroedArray(std::shared_ptr<Allocator> allocator, std::int64_t size, cudaStream_t stream) {
    DeviceBuffer<T> array(std::move(allocator), static_cast<std::size_t>(std::max<std::int64_t>(size, 1)));
    check(cudaMemsetAsync(array.data(), 0, array.size() * sizeof(T), stream), "Device memory could not be cleared");
    return array;
}

}  // namespace parallax::gpu
