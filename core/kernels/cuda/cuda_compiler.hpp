// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles kernels in CUDA: by NVRTC, which parallax-kernel-host loads, or by nvcc.
#pragma once

#include <stop_token>
#include <string>

#include "core/kernels/kernel_file.hpp"

namespace parallax::user {

/// Compiles a kernel in CUDA. One with launch comments becomes a module, by NVRTC or, if that is missing or PARALLAX_KERNEL_NVCC names a
/// compiler, by nvcc; one with a function on the host becomes a library, by nvcc. `architecture`: "sm_90"; empty: the oldest that the
/// compiler knows, to see the errors of a kernel where there is no device. Throws Error(unavailable) without a compiler, Error(input) with
/// the messages of the compiler, Error(cancelled).
CompiledKernel compileCudaKernel(const KernelSource& source, const Operation& operation, const std::string& architecture,
                                 const std::stop_token& stop);

/// Messages as other compilers write them: "FILE:LINE: error" for "FILE(LINE): error".
std::string withPlacesOfCompilers(const std::string& messages);

/// Takes what `ptxas -v` says of functions out of the messages of nvcc.
std::vector<FunctionResources> takeResources(std::string& messages);

}  // namespace parallax::user
