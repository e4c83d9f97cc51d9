// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms by FFTW, the only use of this library: of lines, and of boxes of real samples.
#pragma once

#include <cstdint>
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

/// Transforms a box of real samples in place, forward to half of the complex ones: rows of width / 2 + 1 complex numbers, which real rows
/// fill up to `rowFloats`. 64-byte aligned, not scaled, thread-safe.
class BoxTransform {
public:
    /// Plans once a process for each size, by estimate, as LineTransform. Throws Error(unavailable, memory).
    BoxTransform(int width, int height, int depth);
    void forward(float* samples) const;
    void inverse(float* samples) const;
    static constexpr std::int64_t rowFloats(int width) { return 2 * (std::int64_t{width} / 2 + 1); }

private:
    void *forward_ = nullptr, *inverse_ = nullptr;
};

}  // namespace parallax
