// SPDX-License-Identifier: GPL-3.0-or-later
// Comments of a kernel in CUDA that say how it is launched. Their grammar is in the manual's page kernels.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/cuda/expression.hpp"
#include "core/kernels/protocol.hpp"

namespace parallax {
class Operation;
struct Problem;
}  // namespace parallax

namespace parallax::user {

/// The comment of a `__global__` function: "launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8)) shared(4096)", or "prepare: ...".
struct LaunchComment {
    int line = 0;
    bool prepares = false;
    std::string function;
    std::vector<std::string> block, grid;  ///< one to three expressions each
    std::string shared;                    ///< bytes; empty: none
};
/// The comment of a variable in constant memory: "constant: taps".
struct ConstantComment {
    int line = 0;
    std::string array, variable;
};
/// "requires: depth == 1 "it has no volumes"".
struct RequiresComment {
    int line = 0;
    std::string condition, reason;
};

struct LaunchComments {
    std::string path;
    std::vector<LaunchComment> launches;
    std::vector<ConstantComment> constants;
    std::vector<RequiresComment> conditions;
    std::string workspace;  ///< bytes; empty: none
    int workspaceLine = 0;
    /// Whether the file is launched by these comments, and not by a function of its own on the host.
    bool launch() const { return !launches.empty(); }
};

/// Reads the comments. Throws Error(input) that begins with "PATH:LINE:".
LaunchComments readLaunchComments(const std::string& path, const std::string& text);

/// Names for expressions: width, height, depth, channels; out_width, ...; multiprocessors; whole parameters; `taps.width` and
/// `taps.height` of an array `taps`; constants of the choices.
Names namesFor(const Operation& operation, const Problem& problem, std::int64_t multiprocessors);

/// Why a kernel cannot compute a problem, by its `requires` comments. Throws Error(input).
std::optional<std::string> refusalOf(const LaunchComments& comments, const Names& names);

struct LaunchPlan {
    std::vector<PlannedStep> steps;
    std::int64_t workspace = 0;  ///< bytes
};
/// The numbers of the comments for a problem. Throws Error(input): wrong expressions, blocks or grids that CUDA does not have.
LaunchPlan planLaunches(const LaunchComments& comments, const Operation& operation, const Problem& problem, const Names& names);

}  // namespace parallax::user
