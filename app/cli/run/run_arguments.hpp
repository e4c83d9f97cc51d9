// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "core/io/saver.hpp"

namespace parallax::cli {

/// Arguments of 'run'.
struct RunArguments {
    std::vector<std::string> inputs;  ///< as given
    std::string input, output, backend, depth, encoding, compression, scratch;
    PipelineArguments pipeline;
    TargetArguments target;
    LightArgument light;
    KernelArguments kernels;
    bool json = false, force = false, noAlpha = false, keepPatient = false, strips = false, resample = false;
    std::uint64_t memoryLimit = 0;  ///< MiB; 0: available memory
    int jobs = 0;                   ///< of a batch; 0: as suits it
    bool keepGoing = false, resume = false, dryRun = false;

    /// Without steps, files are converted.
    bool hasSteps() const { return !pipeline.operations.empty() || !pipeline.recipe.empty(); }
};

/// Says which backend was chosen when none was named.
std::string chosenBackend(const Catalog& catalog, const std::string& named);

SaveOptions saveOptionsOf(const RunArguments& arguments);

/// Applies --memory-limit and --scratch to the process. Throws Error(usage).
void limitMemory(const RunArguments& arguments);

/// The same steps on several inputs. Returns the exit code.
int runBatch(const RunArguments& arguments, const std::vector<std::string>& inputs);

}  // namespace parallax::cli
