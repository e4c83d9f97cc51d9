// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax {

/// Can `openmp.fft` do this?
Support fftSupports(const Problem& problem, const Kernel& kernel);

/// FFTW as this backend was built: its version, or why it is not there.
struct FftwState {
    bool there = false;
    std::string version, reason;
};
const FftwState& fftwState();

}  // namespace parallax
