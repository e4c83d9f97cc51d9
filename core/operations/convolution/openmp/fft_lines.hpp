// SPDX-License-Identifier: GPL-3.0-or-later
// One-dimensional transforms by FFTW, the only use of this library.
#pragma once

#include <string>

namespace parallax {

/// FFTW as this backend was built: its version, or the reason why it is absent.
struct FftwState {
    bool there = false;
    std::string version, reason;
};
const FftwState& fftwState();

/// Transforms of n complex samples, real and imaginary parts in turn, from one buffer to another, both 64-byte aligned; the input is
/// overwritten. Not scaled. Thread-safe. (In place, FFTW would allocate memory for a copy at each call.)
class LineTransform {
public:
    /// Plans once a process for each length, by estimate: planning by measurement takes seconds, gains about a tenth, and makes the
    /// last bits of results differ between runs of the program. Throws Error(unavailable, memory).
    explicit LineTransform(int n);
    void forward(float* from, float* to) const;
    void inverse(float* from, float* to) const;

private:
    void *forward_ = nullptr, *inverse_ = nullptr;
};

}  // namespace parallax
