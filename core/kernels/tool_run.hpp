// SPDX-License-Identifier: GPL-3.0-or-later
// Compilers and other programs that run to their end, and the folder that they work in.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/child_process.hpp"

namespace parallax::user {

/// A folder that is removed with all that is in it. Throws Error(output).
class PrivateFolder {
public:
    PrivateFolder();
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    const std::filesystem::path& path() const { return path_; }
    /// "TMPDIR=FOLDER", so that files of a program that is killed go with the folder.
    std::string variable() const { return "TMPDIR=" + path_.string(); }

private:
    std::filesystem::path path_;
};

/// Throws Error(output).
void writeText(const std::string& path, std::string_view text);

struct Finished {
    int status = 0;      ///< as of waitpid()
    std::string output;  ///< standard output and standard error, up to 32 KiB
    /// The number that it gave to exit(); -1 if a signal ended it.
    int exitCode() const;
};

/// Runs a program to its end; one that is cancelled ends with all that it started. `variables`, "NAME=VALUE", are added to its environment.
/// Throws Error(unavailable) if it cannot be started, Error(cancelled).
Finished runToEnd(const std::vector<std::string>& arguments, const std::stop_token& stop, const std::vector<std::string>& variables = {});

/// A file without a name that others can map, or that dlopen() reads as /proc/self/fd/N. Throws Error(failed).
OwnedDescriptor openedFile(const std::string& path);

}  // namespace parallax::user
