// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the commands 'bench' and 'kernel bench'.
#pragma once

#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "app/cli/kept/kept_results.hpp"
#include "app/cli/recipes.hpp"

namespace parallax::cli {

constexpr const char* kColdCaches = "cold";

struct BenchArguments {
    std::string input, effort, cache, baseline, sweep, command, from;
    RecipeArguments recipes;
    TargetArguments target;
    LightArgument light;
    KernelArguments kernels;
    KeptArguments kept;
    std::vector<std::string> backends, required, reports;
    double limit = -1;  ///< of a regression, in percent
    bool json = false, force = false, metrics = false, sameBits = false, energy = false, strict = false, redact = false, patient = false;
};

/// Measures, prints and writes reports; returns the exit code. Throws Error.
int runBench(const BenchArguments& arguments);

}  // namespace parallax::cli
