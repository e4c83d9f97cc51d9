// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments that several commands share: pipelines, targets, inputs.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/io/loader.hpp"
#include "core/kernels/backend.hpp"

namespace parallax::cli {

struct PipelineArguments {
    std::vector<std::string> operations;
    std::string recipe;

    void add(CLI::App& app);
    /// Throws Error(usage, input).
    Pipeline build(const Catalog& catalog) const;
    /// Sentences on parameters that have no effect.
    std::vector<std::string> notes(const Catalog& catalog) const;
};

struct TargetArguments {
    int threads = 0;
    std::vector<int> devices{0};  ///< of the parts, in their order; one: those that follow it

    void add(CLI::App& app);
    /// On the first device. On all ranks of this process, if it is one, unless the name has a number of parts.
    Target target(const std::string& name) const;
    /// Gives the parts of a target the devices of a list. For backends with devices of their own. Throws Error(usage) if there are fewer
    /// of them than parts, or one of them twice.
    void assignDevices(Target& target) const;
    /// Throws Error(usage) unless some target with so many parts uses all devices.
    void requireAllUsed(int mostParts) const;
    /// The same, checked. Throws Error(usage) for an unknown backend or mode, Error(unavailable) if backend or device is unavailable.
    Target availableTarget(const Catalog& catalog, const std::string& name) const;
};

/// For transform() of numeric options. Decimal only: CLI11 alone reads 010 as eight and 0x10 as sixteen, and accepts NaN as a limit.
CLI::Validator wholeNumber(std::uint64_t minimum, std::uint64_t maximum);
CLI::Validator realNumber(double minimum, double maximum);
/// For check() of an option with a fixed set of words.
CLI::Validator oneOf(std::vector<std::string> words);

/// The first available backend other than the reference; the reference if there is none.
std::string defaultBackend(const Catalog& catalog);

/// Throws if the pipeline cannot run on this image, as its first run would. Reads no samples.
void checkPipeline(const Pipeline& pipeline, const Image& input);

/// Help of IN.
inline constexpr const char* kInputHelp =
    "Image, volume, DICOM folder[#SERIES], synthetic:KIND:WxH[xD][,channels=N][,seed=S] or raw:WxH[xD][,type=T]...:FILE";

/// Loading stops with Ctrl-C and shows its progress on a terminal.
LoadOptions loadOptions(int threads);

/// Loads a file or generates an image, with progress; warnings go to stderr. `memory`: bytes that its samples may take; 0: all available.
/// `part`: LoadOptions::part.
ImagePtr loadInput(const std::string& input, int threads, std::uint64_t memory = 0, const std::optional<PartRange>& part = {});

/// Adds --allow-large, which lifts the limits on what a file unpacks to.
void addAllowLarge(CLI::App& command);

/// The option --light of commands that compute.
struct LightArgument {
    std::string light = "linear";

    CLI::Option* add(CLI::App& app);
    bool encoded() const { return light == "encoded"; }
    /// Converts the colours if asked to, and notes that in the provenance. Throws Error(usage).
    ImagePtr applied(ImagePtr image) const;
};

/// The option --kernel: files with kernels of users, which become variants of the backend `user`.
struct KernelArguments {
    std::vector<std::string> files;
    double limitSeconds = 60;
    bool sanitize = false;

    void add(CLI::App& app);
    void addLimit(CLI::App& app);
    void addSanitize(CLI::App& app);
    /// For commands that measure.
    static void refuseSanitize(CLI::App& app);
    /// Compiles them and prints the warnings of the compiler. Throws Error.
    std::vector<OpenedKernel> open() const;
};

/// The command line as this program is started with these arguments, quoted for a shell.
std::string shellLine(std::span<const std::string> arguments);

/// Adds examples to the help, without the name of the program.
void addExamples(CLI::App& command, const std::vector<std::string>& examples);

/// Candidates for the last of the words after the program's name, a line each: WORD or WORD<tab>HELP. The last line is ":", and ":files" if
/// names of files fit too, or ":open" if the word continues after a candidate.
std::string completions(const CLI::App& app, std::span<const std::string> words);

/// One function a command: adds it to `app`; its callback sets `chosen`. `commandLine` is read by the callback.
using Action = std::function<int()>;
void addInfo(CLI::App& app, Action& chosen);
void addDevices(CLI::App& app, Action& chosen);
void addOperations(CLI::App& app, Action& chosen);
void addRun(CLI::App& app, Action& chosen);
void addBaselines(CLI::App& app, Action& chosen);
void addBench(CLI::App& app, Action& chosen, const std::string& commandLine);
void addCeilings(CLI::App& app, Action& chosen);
void addCompare(CLI::App& app, Action& chosen);
void addDiff(CLI::App& app, Action& chosen);
void addKernel(CLI::App& app, Action& chosen, const std::string& commandLine);
/// The command `bench` of `kernel`.
void addKernelBench(CLI::App& kernel, Action& chosen, const std::string& commandLine);
void addProfile(CLI::App& app, Action& chosen);
void addReport(CLI::App& app, Action& chosen);
void addSelfCheck(CLI::App& app, Action& chosen);

}  // namespace parallax::cli
