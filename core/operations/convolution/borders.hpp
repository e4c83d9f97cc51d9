// SPDX-License-Identifier: GPL-3.0-or-later
// Which sample stands for one outside of the image. The one definition that every backend obeys.
//
// name        here        OpenCV              numpy.pad
// replicate   aaa|abcd|ddd  BORDER_REPLICATE    edge
// constant    vvv|abcd|vvv  BORDER_CONSTANT     constant
// reflect     cba|abcd|dcb  BORDER_REFLECT      symmetric
// reflect101  dcb|abcd|cba  BORDER_REFLECT_101  reflect
// wrap        bcd|abcd|abc  BORDER_WRAP         wrap
#pragma once

#include <cstdint>

#include "parallax/image/host_device.hpp"

namespace parallax {

/// Values as in Border (parameters.hpp), which device code does not include.
enum class BorderRule { replicate, constant, reflect, reflect101, wrap };

/// Index in [0, n) that stands for i, any distance outside; -1 where the constant value stands. n >= 1.
PARALLAX_HOST_DEVICE inline std::int64_t borderIndex(std::int64_t i, std::int64_t n, BorderRule rule) {
    if (i >= 0 && i < n) return i;
    switch (rule) {
        case BorderRule::replicate: return i < 0 ? 0 : n - 1;
        case BorderRule::constant: return -1;
        case BorderRule::reflect: {
            const std::int64_t period = 2 * n;
            std::int64_t m = i % period;
            if (m < 0) m += period;
            return m < n ? m : period - 1 - m;
        }
        case BorderRule::reflect101: {
            if (n == 1) return 0;
            const std::int64_t period = 2 * n - 2;
            std::int64_t m = i % period;
            if (m < 0) m += period;
            return m < n ? m : period - m;
        }
        case BorderRule::wrap: {
            const std::int64_t m = i % n;
            return m < 0 ? m + n : m;
        }
    }
    return 0;
}

}  // namespace parallax
