// SPDX-License-Identifier: GPL-3.0-or-later
// The formula, for host and device code alike.
#pragma once

#include <cfloat>
#include <cmath>

#include "core/image/host_device.hpp"
#include "core/operations/repair/parameters.hpp"

namespace parallax::repairing {

struct Replacements {
    explicit Replacements(const RepairParameters& p)
        : nan(static_cast<float>(p.nan)), low(static_cast<float>(p.low)), high(static_cast<float>(p.high)) {}
    float nan, low, high;
};

/// A finite sample stays as it is, bit for bit.
PARALLAX_HOST_DEVICE inline float repaired(float v, const Replacements& r) {
    if (fabsf(v) <= FLT_MAX) return v;
    return v != v ? r.nan : v < 0 ? r.low : r.high;
}

}  // namespace parallax::repairing
