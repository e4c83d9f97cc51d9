// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix sums.
#pragma once

#include <cstddef>
#include <span>

namespace parallax {

/// out[i] = in[0] + ... + in[i - 1], summed serially; `out` may be `in`. Returns the sum of all.
template <class T>
T exclusiveScan(std::span<const T> in, std::span<T> out) {
    T sum{};
    for (std::size_t i = 0; i < in.size(); ++i) {
        const T value = in[i];
        out[i] = sum;
        sum += value;
    }
    return sum;
}

}  // namespace parallax
