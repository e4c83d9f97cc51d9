// SPDX-License-Identifier: GPL-3.0-or-later
// Shrinkage of one coefficient, defined once for host and device code.
#pragma once

#include <cmath>
#include <limits>

#include "core/image/host_device.hpp"

namespace parallax {

enum class ShrinkageMethod { soft, hard, garrote };

template <class T>
inline constexpr T kLargestFinite = std::numeric_limits<T>::max();

/// One coefficient after thresholding; those that are not finite stay what they are. With |d| <= t:
///   soft     0, else d moved towards 0 by t (Donoho 1995)
///   garrote  0, else d - t^2 / d (Gao 1998): between hard and soft, continuous
///   hard     0 for |d| < t, else d
template <class T>
PARALLAX_HOST_DEVICE T shrunk(T d, T t, ShrinkageMethod method) {
    const T magnitude = std::fabs(d);
    if (!(magnitude <= kLargestFinite<T>)) return d;
    switch (method) {
        case ShrinkageMethod::soft: return magnitude <= t ? T(0) : d - std::copysign(t, d);
        case ShrinkageMethod::garrote: return magnitude <= t ? T(0) : d - t * (t / d);
        case ShrinkageMethod::hard: return magnitude < t ? T(0) : d;
    }
    return d;
}

/// Returns the magnitude from which coefficients are kept if `magnitude` is the smallest kept one: slightly less, so that those which
/// would be equal without rounding stay together.
template <class T>
PARALLAX_HOST_DEVICE T keptFrom(T magnitude) {
    return magnitude * (T(1) - T(1e-5));
}

}  // namespace parallax
