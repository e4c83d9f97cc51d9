// SPDX-License-Identifier: GPL-3.0-or-later
// Values of samples outside of a signal, and numbers of coefficients, defined once for every backend.
//
// name           pattern          PyWavelets      numpy.pad
// zero           000|abcd|000     zero            constant 0
// constant       aaa|abcd|ddd     constant        edge
// symmetric      cba|abcd|dcb     symmetric       symmetric
// reflect        dcb|abcd|cba     reflect         reflect
// periodic       bcd|abcd|abc     periodic        wrap
// smooth         straight lines through the two outermost samples on each side
// antisymmetric  symmetric with the sign changed at each edge
// antireflect    reflect about the outermost samples as points: 2 a - b, a - (b - a)
// periodization  periodic, a signal of odd length first made even by repeating its last sample; half as many coefficients as samples
#pragma once

#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax {

enum class WaveletMode { zero, constant, symmetric, reflect, periodic, smooth, antisymmetric, antireflect, periodization };

/// A sample as a sum of up to three samples of the signal with integer factors other than 0, in this order; 0 without terms. All modes
/// have this form, so that NaN and infinity have the same effect on every backend.
template <class Integer>
struct Extension {
    int count = 0;
    Integer index[3] = {0, 0, 0};
    int factor[3] = {1, 1, 1};

    PARALLAX_HOST_DEVICE constexpr void add(Integer i, int f) {
        if (f == 0) return;
        for (int k = 0; k < count; ++k)
            if (index[k] == i) {
                factor[k] += f;
                return;
            }
        index[count] = i;
        factor[count] = f;
        ++count;
    }
};

/// Returns the sample at position i, up to 2^24 periods outside, of a signal of n samples, n >= 1.
template <class Integer>
PARALLAX_HOST_DEVICE constexpr Extension<Integer> extendedSample(Integer i, Integer n, WaveletMode rule) {
    Extension<Integer> e;
    if (i >= 0 && i < n) {
        e.add(i, 1);
        return e;
    }
    // Position within a period, and how many periods away.
    const auto folded = [i](Integer period, Integer& turns) {
        Integer m = i % period;
        if (m < 0) m += period;
        turns = (i - m) / period;
        return m;
    };
    Integer turns = 0;
    if (n == 1 && (rule == WaveletMode::reflect || rule == WaveletMode::smooth || rule == WaveletMode::antireflect)) {
        e.add(0, 1);
        return e;
    }
    switch (rule) {
        case WaveletMode::zero: break;
        case WaveletMode::constant: e.add(i < 0 ? 0 : n - 1, 1); break;
        case WaveletMode::periodic: e.add(folded(n, turns), 1); break;
        case WaveletMode::periodization: {
            const Integer m = folded(n + n % 2, turns);
            e.add(m < n ? m : n - 1, 1);
            break;
        }
        case WaveletMode::symmetric:
        case WaveletMode::antisymmetric: {
            const Integer m = folded(2 * n, turns);
            e.add(m < n ? m : 2 * n - 1 - m, m >= n && rule == WaveletMode::antisymmetric ? -1 : 1);
            break;
        }
        case WaveletMode::reflect: {
            const Integer m = folded(2 * n - 2, turns);
            e.add(m < n ? m : 2 * n - 2 - m, 1);
            break;
        }
        case WaveletMode::smooth: {
            const auto far = static_cast<int>(i < 0 ? -i : i - (n - 1));
            e.add(i < 0 ? 0 : n - 1, 1 + far);
            e.add(i < 0 ? 1 : n - 2, -far);
            break;
        }
        case WaveletMode::antireflect: {
            // Each period climbs by twice the difference of the ends.
            const Integer m = folded(2 * n - 2, turns);
            const auto climb = 2 * static_cast<int>(turns);
            e.add(m < n ? m : 2 * n - 2 - m, m < n ? 1 : -1);
            e.add(0, -climb);
            e.add(n - 1, m < n ? climb : 2 + climb);
            break;
        }
    }
    return e;
}

/// Returns the number of coefficients of each band of a signal of n samples: floor((n + taps - 1) / 2), or ceil(n / 2) with periodization.
template <class Integer>
PARALLAX_HOST_DEVICE constexpr Integer coefficientCount(Integer n, Integer taps, WaveletMode rule) {
    return rule == WaveletMode::periodization ? (n + 1) / 2 : (n + taps - 1) / 2;
}

/// Coefficient o meets sample 2 o + analysisShift() - j with tap j of its filter.
PARALLAX_HOST_DEVICE constexpr int analysisShift(int taps, WaveletMode rule) { return rule == WaveletMode::periodization ? taps / 2 : 1; }

/// The inverse makes pairs of samples: pair t holds samples 2 t - offset and 2 t - offset + 1, and with p = 0 and 1
///   sample(2 t - offset + p) = sum over j < taps / 2 of rec[2 j + p] * coefficient(t + shift - j),
/// coefficients outside of [0, n) are periodic with periodization and do not occur otherwise.
struct SynthesisPhase {
    int offset = 0;
    int shift = 0;
};
PARALLAX_HOST_DEVICE constexpr SynthesisPhase synthesisPhase(int taps, WaveletMode rule) {
    const int s = rule == WaveletMode::periodization ? taps / 2 - 1 : taps - 2;
    return {s % 2, (s - s % 2) / 2};
}

}  // namespace parallax
