// SPDX-License-Identifier: GPL-3.0-or-later
// One-dimensional transforms by FFTW. This is all that is used of it.
#pragma once

#include <cstdint>

namespace parallax {

/// Transforms of n complex samples, real and imaginary parts in turn, from one place to another, both 64-byte aligned; what was in
/// the first is lost. Not scaled. May be used by any number of threads at a time. (In one place FFTW would copy into memory that it
/// asks for at each call.)
class LineTransform {
public:
    /// Planned once a process for each length, by estimate: planning by measurement takes seconds and gains about a tenth, and
    /// results would differ in their last bits from one run of the program to the next. Throws Error(unavailable, memory).
    explicit LineTransform(int n);
    void forward(float* from, float* to) const;
    void inverse(float* from, float* to) const;

private:
    void *forward_ = nullptr, *inverse_ = nullptr;
};

}  // namespace parallax
