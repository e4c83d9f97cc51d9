// SPDX-License-Identifier: GPL-3.0-or-later
// Shrinkage of one coefficient, defined once for host and device code.
#pragma once

#include <cmath>
#include <limits>

#include "core/image/host_device.hpp"

namespace parallax {

enum class ShrinkageMethod { soft, hard, garrote, firm };

struct Shrinkage {
    ShrinkageMethod method = ShrinkageMethod::soft;
    double slope = 2;  ///< of firm, between the thresholds t and r t: r / (r - 1)
};

template <class T>
inline constexpr T kLargestFinite = std::numeric_limits<T>::max();

/// One coefficient after thresholding; those that are not finite stay what they are. With |d| <= t:
///   soft     0, else d moved towards 0 by t (Donoho 1995)
///   garrote  0, else d - t^2 / d (Gao 1998): between hard and soft, continuous
///   firm     0, else the smaller in magnitude of sign(d) slope (|d| - t) and d, which meet at r t (Gao and Bruce 1997)
///   hard     0 for |d| < t, else d
template <class T>
PARALLAX_HOST_DEVICE T shrunk(T d, T t, const Shrinkage& shrinkage) {
    const T magnitude = std::fabs(d);
    if (!(magnitude <= kLargestFinite<T>)) return d;
    switch (shrinkage.method) {
        case ShrinkageMethod::soft: return magnitude <= t ? T(0) : d - std::copysign(t, d);
        case ShrinkageMethod::garrote: return magnitude <= t ? T(0) : d - t * (t / d);
        case ShrinkageMethod::firm: {
            const T shifted = static_cast<T>(shrinkage.slope) * (magnitude - t);
            return magnitude <= t ? T(0) : shifted < magnitude ? std::copysign(shifted, d) : d;
        }
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
