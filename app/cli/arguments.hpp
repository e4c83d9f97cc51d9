// SPDX-License-Identifier: GPL-3.0-or-later
// What several sub-commands share: pipelines, targets, inputs.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/io/loader.hpp"

namespace parallax::cli {

struct PipelineArguments {
    std::vector<std::string> operations;
    std::string recipe;

    void add(CLI::App& app);
    /// Throws Error(usage, input).
    Pipeline build(const Catalog& catalog) const;
    /// Sentences on parameters that were given and mean nothing.
    std::vector<std::string> notes(const Catalog& catalog) const;
};

struct TargetArguments {
    int threads = 0, device = 0;

    void add(CLI::App& app);
    Target target(const std::string& name) const;
    /// The same, checked: throws Error(usage) for a backend or mode that there is not, Error(unavailable) for a backend or device.
    Target availableTarget(const Catalog& catalog, const std::string& name) const;
};

/// For transform() of options that are numbers. Decimal only: CLI11 alone takes 010 for eight and 0x10 for sixteen, and lets NaN, than
/// which nothing is larger, through as a limit.
CLI::Validator wholeNumber(std::uint64_t minimum, std::uint64_t maximum);
CLI::Validator realNumber(double minimum, double maximum);

/// Throws, as the first run would, where the pipeline makes no sense for such an image. Needs no pass over the samples.
void checkWork(const Pipeline& pipeline, const Image& input);

/// What IN is, for the help of sub-commands.
inline constexpr const char* kInputHelp =
    "Image or volume file, folder with a DICOM series (FOLDER#NUMBER: one of several), synthetic:KIND:WxH[xD][,channels=N][,seed=S], or "
    "raw:WxH[xD][,type=T]...:FILE";

/// Stops with Ctrl-C, and shows on a terminal what is being done and how far it is.
LoadOptions loadOptions(int threads);

/// Loads a file or makes a generated image, with progress; warnings of the file go to stderr.
ImagePtr loadInput(const std::string& input, int threads);

/// A command line that gives the same arguments to a shell.
std::string shellLine(int argc, const char* const* argv);

/// Each file of a sub-command has one of these: it adds the sub-command and returns its action through the callback.
using Action = std::function<int()>;
void addInfo(CLI::App& app, Action& chosen);
void addDevices(CLI::App& app, Action& chosen);
void addOperations(CLI::App& app, Action& chosen);
void addRun(CLI::App& app, Action& chosen);
void addBench(CLI::App& app, Action& chosen, const std::string& commandLine);
void addCeilings(CLI::App& app, Action& chosen);
void addCompare(CLI::App& app, Action& chosen);
void addDiff(CLI::App& app, Action& chosen);
void addProfile(CLI::App& app, Action& chosen);
void addReport(CLI::App& app, Action& chosen);
void addSelfCheck(CLI::App& app, Action& chosen);

}  // namespace parallax::cli
