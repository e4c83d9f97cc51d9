// SPDX-License-Identifier: GPL-3.0-or-later
// The backend of kernels that users write: each file that is opened is a variant.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/engine/backend/catalog.hpp"

namespace parallax {

inline constexpr const char* kUserBackend = "user";

std::shared_ptr<Backend> makeUserBackend();

/// A kernel as it was compiled last.
struct OpenedKernel {
    std::string variant;    ///< "my-blur"
    std::string operation;  ///< id
    std::string source;     ///< its text
    std::string compiler, command;
    std::string messages;  ///< warnings of the compiler
    double seconds = 0;    ///< that compiling took
    /// "user.my-blur".
    std::string target() const { return std::string(kUserBackend) + "." + variant; }
};

/// Compiles a kernel and makes it a variant of the backend `user`. It replaces one that was opened under the same name: executions that
/// exist keep theirs. A kernel that does not return is ended after `limitSeconds`. Throws Error(input) with the messages of the compiler,
/// Error(unavailable) without a compiler, Error(cancelled).
OpenedKernel openKernel(const Catalog& catalog, const std::string& path, const std::stop_token& stop = {}, double limitSeconds = 60);

}  // namespace parallax
