// SPDX-License-Identifier: GPL-3.0-or-later
// The backends of kernels that users write, in C++ and in CUDA: each file that is opened is a variant.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/kernels/kernel_file.hpp"

namespace parallax {

inline constexpr const char *kUserBackend = "user", *kUserCudaBackend = "user-cuda";

/// The kernels open in this process. A kernel opened only for a check with a sanitizer is kept apart from the one that panes and rows use.
enum class KernelSet { open, sanitized };
std::shared_ptr<Backend> makeUserBackend(KernelSet set = KernelSet::open);
std::shared_ptr<Backend> makeUserCudaBackend(KernelSet set = KernelSet::open);

/// A kernel as it was compiled last.
struct OpenedKernel {
    std::string backend;    ///< kUserBackend or kUserCudaBackend
    std::string variant;    ///< "my-blur"
    std::string operation;  ///< id
    std::string source;     ///< its text
    std::string compiler, command;
    std::string messages;  ///< warnings of the compiler
    double seconds = 0;    ///< that compiling took
    /// Of functions in CUDA; their occupancy on the first device for an image of 2,048 x 2,048 and the defaults of the operation.
    std::vector<user::FunctionResources> functions{};
    /// "user.my-blur".
    std::string target() const { return backend + "." + variant; }
};

inline constexpr double kKernelLimitSeconds = 60;

/// Compiles a kernel and makes it a variant of the backend `user`, or of `user-cuda` if its name ends in .cu. It replaces one that was
/// opened under the same name: executions that exist keep theirs. A kernel that does not return is ended after `limitSeconds`. Throws
/// Error(input) with the messages of the compiler, Error(unavailable) without a compiler or, for CUDA, without a device (after compiling,
/// so that errors of the kernel show), Error(cancelled). `sanitize`: errors in the use of memory end it with the line of its source, and
/// times are not those of the kernel; without a sanitizer Error(unavailable). `set` is that of the backends.
OpenedKernel openKernel(const Catalog& catalog, const std::string& path, const std::stop_token& stop = {},
                        double limitSeconds = kKernelLimitSeconds, bool sanitize = false, KernelSet set = KernelSet::open);

/// Ends the processes that wait for the next run of a kernel, and removes their files: for the end of the program. Runs start new ones.
void endKernelProcesses();

}  // namespace parallax
