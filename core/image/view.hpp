// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer, shape and strides of samples, for host and device code.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/image/host_device.hpp"
#include "core/image/shape.hpp"

namespace parallax {

/// Non-owning, trivially copyable view of samples. Strides count elements, not bytes; x has stride 1.
template <class T>
struct View {
    T* data = nullptr;
    Shape shape;
    std::int64_t rowStride = 0;
    std::int64_t sliceStride = 0;
    std::int64_t channelStride = 0;

    PARALLAX_HOST_DEVICE constexpr T* row(std::int64_t y, std::int64_t z = 0, std::int64_t c = 0) const {
        return data + y * rowStride + z * sliceStride + c * channelStride;
    }
    PARALLAX_HOST_DEVICE constexpr T& at(std::int64_t x, std::int64_t y, std::int64_t z = 0, std::int64_t c = 0) const {
        return row(y, z, c)[x];
    }
    /// One channel, as a view of its own.
    PARALLAX_HOST_DEVICE constexpr View channel(std::int64_t c) const {
        View v = *this;
        v.data = row(0, 0, c);
        v.shape.channels = 1;
        return v;
    }
    PARALLAX_HOST_DEVICE constexpr bool contiguous() const {
        return rowStride == shape.width && sliceStride == shape.width * shape.height && channelStride == shape.pixels();
    }
    constexpr operator View<const T>() const requires(!std::is_const_v<T>) { return {data, shape, rowStride, sliceStride, channelStride}; }
};

/// View of densely packed samples.
template <class T>
PARALLAX_HOST_DEVICE constexpr View<T> denseView(T* data, const Shape& shape) {
    return {data, shape, shape.width, shape.width * shape.height, shape.pixels()};
}

}  // namespace parallax
