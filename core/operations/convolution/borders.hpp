// SPDX-License-Identifier: GPL-3.0-or-later
// Border modes: the sample that replaces one outside the image, the same for every backend.
//
// name        pattern     OpenCV              numpy.pad
// replicate   aaa|abcd|ddd  BORDER_REPLICATE    edge
// constant    vvv|abcd|vvv  BORDER_CONSTANT     constant
// reflect     cba|abcd|dcb  BORDER_REFLECT      symmetric
// reflect101  dcb|abcd|cba  BORDER_REFLECT_101  reflect
// wrap        bcd|abcd|abc  BORDER_WRAP         wrap
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax {

enum class BorderMode { replicate, constant, reflect, reflect101, wrap };

/// Returns the index in [0, n) that replaces i, at any distance outside, or -1 for the constant value. n >= 1. Integer is std::int64_t, or
/// int in device code, where 64-bit arithmetic is slow; 2 n must fit.
template <class Integer>
PARALLAX_HOST_DEVICE constexpr Integer borderIndex(Integer i, Integer n, BorderMode rule) {
    if (i >= 0 && i < n) return i;
    switch (rule) {
        case BorderMode::replicate: return i < 0 ? 0 : n - 1;
        case BorderMode::constant: return -1;
        case BorderMode::reflect: {
            const Integer period = 2 * n;
            Integer m = i % period;
            if (m < 0) m += period;
            return m < n ? m : period - 1 - m;
        }
        case BorderMode::reflect101: {
            if (n == 1) return 0;
            const Integer period = 2 * n - 2;
            Integer m = i % period;
            if (m < 0) m += period;
            return m < n ? m : period - m;
        }
        case BorderMode::wrap: {
            const Integer m = i % n;
            return m < 0 ? m + n : m;
        }
    }
    return 0;
}

}  // namespace parallax
