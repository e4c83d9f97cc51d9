// SPDX-License-Identifier: GPL-3.0-or-later
// One-dimensional transforms by FFTW. This is all that is used of it.
#pragma once

#include <cstdint>

namespace parallax {

/// In-place transforms of n complex samples, real and imaginary parts in turn, 64-byte aligned. Not scaled. May be used by any
/// number of threads at a time.
class LineTransform {
public:
    /// Planned once a process for each length, by estimate: planning by measurement takes seconds and gains about a tenth, and
    /// results would differ in their last bits from one run of the program to the next. Throws Error(unavailable, memory).
    explicit LineTransform(int n);
    void forward(float* samples) const;
    void inverse(float* samples) const;

private:
    void *forward_ = nullptr, *inverse_ = nullptr;
};

}  // namespace parallax
