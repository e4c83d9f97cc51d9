// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a measurement, as its arguments name them. All throw Error(usage) for what does not exist.
#pragma once

#include <string>
#include <vector>

#include "app/cli/bench/bench_arguments.hpp"

namespace parallax::cli {

/// A misspelt name is an error; an unavailable backend, or a variant that only other recipes have, is a row with the reason.
void checkNames(const Catalog& catalog, const std::vector<NamedPipeline>& recipes, const Target& target);
/// --device applies to backends with devices of their own; the others run on the CPU. Throws if no backend has the device.
std::vector<Target> targetsOf(const Catalog& catalog, const BenchArguments& arguments, const std::vector<NamedPipeline>& recipes);
/// Throws Error(unavailable) if a backend of --require-backend is not available.
void checkRequired(const Catalog& catalog, const std::vector<std::string>& required);
/// Note on a sweep over a parameter without effect; empty if it has one.
std::string noteOnSweep(const std::string& sweep, const std::vector<NamedPipeline>& recipes);

}  // namespace parallax::cli
