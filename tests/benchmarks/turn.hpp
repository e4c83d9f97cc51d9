// SPDX-License-Identifier: GPL-3.0-or-later
// Interleaving of candidates.
#pragma once

namespace parallax {

/// Takes consecutive samples of one candidate: one to five, up to 10 ms together. Only the first of them finds sleeping threads and foreign
/// caches: with single samples, 16 threads took 2.7 ms instead of 2.4. `sample` returns its milliseconds, end to end.
template <class Sampling>
void takeTurn(Sampling&& sample) {
    constexpr double kMilliseconds = 10;
    constexpr int kMaxSamples = 5;
    double spent = 0;
    for (int n = 0; n < kMaxSamples && (n == 0 || spent < kMilliseconds); ++n) spent += sample();
}

}  // namespace parallax
