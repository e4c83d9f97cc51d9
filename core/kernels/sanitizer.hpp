// SPDX-License-Identifier: GPL-3.0-or-later
// Tools that find errors of a kernel while it runs, with the line of its source: AddressSanitizer and UndefinedBehaviorSanitizer in C++,
// NVIDIA's compute-sanitizer in CUDA. Times are not those of the kernel then.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/kernels/tool_run.hpp"

namespace parallax::user {

struct Sanitizer {
    std::vector<std::string> options{};  ///< C++: of the compiler
    std::string library;                 ///< C++: runtime, which the process that runs the kernel has to load before all others
    std::string program;                 ///< CUDA: path of compute-sanitizer, which starts that process
};

/// The sanitizers of a C++ compiler. Throws Error(unavailable) if their runtime is not installed, Error(cancelled).
Sanitizer sanitizerOf(const std::string& compiler, const std::stop_token& stop);

/// compute-sanitizer: in PATH, in CUDA_HOME or CUDA_PATH, or else in /usr/local/cuda or /opt/cuda. Throws Error(unavailable).
Sanitizer computeSanitizer();

/// Findings of a sanitizer in one process.
class SanitizerReports {
public:
    /// Throws Error(output).
    explicit SanitizerReports(std::shared_ptr<const Sanitizer> sanitizer);
    /// The command that starts `arguments` under the sanitizer.
    std::vector<std::string> command(std::vector<std::string> arguments) const;
    /// Variables, "NAME=VALUE", of that process; it reports more than `memory` bytes of memory as an error.
    std::vector<std::string> environment(std::uint64_t memory) const;
    /// The first finding in a sentence, with file and line if known: "it read 4 bytes outside of ... at blur.cpp:7"; empty if there is
    /// none. The process has ended.
    std::string finding() const;

private:
    std::shared_ptr<const Sanitizer> sanitizer_;
    PrivateFolder folder_;
};

/// The first finding of a report of AddressSanitizer or UndefinedBehaviorSanitizer, or of compute-sanitizer; empty if there is none.
std::string findingOf(const std::string& report);

}  // namespace parallax::user
