// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax {

/// Extent in samples. x is fastest, channels are planar. An image has depth 1. Sizes are 64-bit.
struct Shape {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t depth = 1;
    std::int64_t channels = 1;

    /// Samples of one channel.
    PARALLAX_HOST_DEVICE constexpr std::int64_t pixels() const { return width * height * depth; }
    PARALLAX_HOST_DEVICE constexpr std::int64_t samples() const { return pixels() * channels; }
    PARALLAX_HOST_DEVICE constexpr bool empty() const { return samples() <= 0; }

    friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

}  // namespace parallax
