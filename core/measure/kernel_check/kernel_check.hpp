// SPDX-License-Identifier: GPL-3.0-or-later
// One implementation held to the reference on small problems of all kinds: awkward shapes, every choice of every parameter, samples that
// are not finite. For people who write one; conformance of what is built in is in tests/conformance.
#pragma once

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/image/difference.hpp"
#include "core/kernels/backend.hpp"

namespace parallax {

/// The input of quick timings, with the defaults of the operation.
inline constexpr const char* kKernelTimedInput = "synthetic:noise:2048x2048";
/// Longest time of their samples, since people wait for it. What is not precise by then has a wider interval.
inline constexpr double kKernelTimingSeconds = 1;

struct FailedProblem {
    std::string input;     ///< "synthetic:noise:5x3,channels=1,seed=4"
    std::string altered;   ///< what else was done to the input: "NaN at x = 2, y = 1"; empty if nothing
    std::string step;      ///< as parseStep() reads it
    std::string error;     ///< why it did not run; empty if it ran
    double tolerance = 0;  ///< of the result as a whole
    DifferenceMetrics difference;
};

struct KernelCheck {
    std::int64_t checked = 0, agreed = 0, refused = 0;
    std::map<std::string, std::int64_t> refusals;  ///< by reason
    /// Smallest input first; a few of each step.
    std::vector<FailedProblem> failed;
    std::int64_t failures = 0;                            ///< also those not kept
    std::map<std::string, std::int64_t> failuresOfSteps;  ///< by step
    bool crashed = false;                                 ///< so often that the rest was left out
    bool complete = true;                                 ///< false after a stop
    bool passed() const { return complete && checked > 0 && agreed > 0 && failures == 0; }
};

struct KernelCheckOptions {
    int threads = 0;  ///< 0: all
    std::stop_token stop;
    std::function<void(double fraction)> onProgress;
};

/// Checks one variant of an operation. Throws Error for unknown names.
KernelCheck checkKernel(const Engine& engine, const std::string& operation, const Target& target, const KernelCheckOptions& options);

/// Compiles a kernel for a sanitizer and checks it, apart from one of the same name that is open. Throws what openKernel() throws.
KernelCheck checkSanitized(const Catalog& catalog, const std::string& path, const KernelCheckOptions& options);

/// Times a kernel quickly on kKernelTimedInput. The entry has no samples if it does not run there.
RunEntry timeKernel(const Catalog& catalog, const OpenedKernel& kernel, const std::stop_token& stop);

/// The messages of a sanitizer, or of other errors, in the order in which they were found, each once.
std::vector<std::string> errorsOf(const KernelCheck& check);

}  // namespace parallax
