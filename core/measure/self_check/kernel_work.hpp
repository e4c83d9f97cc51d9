// SPDX-License-Identifier: GPL-3.0-or-later
// The same code as a kernel of a user, in a process of its own, and as an implementation of this process, for the self-check.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/engine/backend/catalog.hpp"

namespace parallax {

/// The same source, compiled twice with the same command.
struct KernelTwins {
    std::shared_ptr<Backend> here;  ///< backend "kernel-here", without a process of its own
    std::string target;             ///< "user.self-check"
    int threads = 1;                ///< of both
    std::string step;               ///< of both
    std::string compiler;
};
inline constexpr const char* kKernelHere = "kernel-here";

/// Compiles a sample of the program, the padded convolution, for as many threads as a target asks for (0: all). Throws Error(unavailable)
/// without a compiler or the program that runs kernels, Error(cancelled).
KernelTwins makeKernelTwins(const Catalog& catalog, int threads, const std::stop_token& stop);

struct CudaTwins {
    std::string builtIn;  ///< "cuda.naive"
    std::string target;   ///< "user-cuda.self-check"
    std::string step;     ///< of both
    std::string compiler;
};

/// Compiles the code of a variant of the backend `cuda` as a kernel. Throws Error(unavailable) without that backend, a device or a
/// compiler, Error(cancelled).
CudaTwins makeCudaTwins(const Catalog& catalog, const std::stop_token& stop);

}  // namespace parallax
