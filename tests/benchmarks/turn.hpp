// SPDX-License-Identifier: GPL-3.0-or-later
// Turns of candidates that are measured beside each other.
#pragma once

namespace parallax {

/// Samples of one candidate in a row, before it is the next one's turn: up to five that take 10 ms together, at least one. Threads that
/// slept and caches that were others' meanwhile are so in the first of them only. One thread is at work for 30 ms where 16 take 2.4 of
/// their own: asked for a single sample in between, these took 2.7.
/// `sample` takes a sample and returns its milliseconds, from end to end.
template <class Sampling>
void takeTurn(Sampling&& sample) {
    constexpr double kMilliseconds = 10;
    constexpr int kMost = 5;
    double spent = 0;
    for (int n = 0; n < kMost && (n == 0 || spent < kMilliseconds); ++n) spent += sample();
}

}  // namespace parallax
