// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "app/cli/console.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/pipeline/next_problem.hpp"
#include "core/image/encoded_light.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/parallel/ranks.hpp"
#include "core/report/record/recipe_json.hpp"

namespace parallax::cli {
namespace {

/// Parses the whole text; a leading plus is allowed.
template <class T>
bool parseAll(std::string_view text, T& value) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    return parseNumber(text, value);
}

}  // namespace

CLI::Validator wholeNumber(std::uint64_t minimum, std::uint64_t maximum) {
    return {[=](std::string& text) {
                std::uint64_t value = 0;
                if (!parseAll(text, value) || value < minimum || value > maximum)
                    return fmt::format("'{}' is not a whole number from {} to {}", text, minimum, maximum);
                text = std::to_string(value);  // without leading zeros, which would make it octal
                return std::string();
            },
            ""};
}

CLI::Validator realNumber(double minimum, double maximum) {
    const bool open = maximum >= std::numeric_limits<float>::max();
    const std::string range = open ? fmt::format("{:g} or more", minimum) : fmt::format("from {:g} to {:g}", minimum, maximum);
    return {[=](std::string& text) {
                double value = 0;
                // Written so that NaN is refused too.
                if (!parseAll(text, value) || !(value >= minimum && value <= maximum))
                    return fmt::format("'{}' is not a number {}{}", text, open ? "of " : "", range);
                text = fmt::format("{}", value);
                return std::string();
            },
            ""};
}

CLI::Validator oneOf(std::vector<std::string> words) {
    return {[words = std::move(words)](std::string& text) {
                if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
                return "'" + text + "' is none of " + joined(words);
            },
            ""};
}

void PipelineArguments::add(CLI::App& app) {
    app.add_option("--op", operations, "Append an operation, e.g. convolve:kernel=gaussian,size=7; repeatable")
        ->type_name("ID[:name=value,...]")
        ->take_all();
    app.add_option("--recipe", recipe, "Read the pipeline from a recipe file instead of --op")->type_name("FILE");
}

Pipeline PipelineArguments::build(const Catalog& catalog) const {
    if (!operations.empty() && !recipe.empty())
        throw Error(ErrorCode::usage, "--op and --recipe are mutually exclusive", {}, "Give one of them: a recipe holds all of its steps");
    if (operations.empty() && recipe.empty())
        throw Error(ErrorCode::usage, "No operation given", "--op or --recipe is required", "See 'parallax-cli operations'");
    return recipe.empty() ? parsePipeline(catalog, operations) : loadRecipe(catalog, recipe);
}

std::vector<std::string> PipelineArguments::notes(const Catalog& catalog) const {
    std::vector<std::string> notes;
    for (const std::string& text : operations)
        for (std::string& note : notesOnText(catalog, text)) notes.push_back(std::move(note));
    return notes;
}

void TargetArguments::add(CLI::App& app) {
    app.add_option("--threads", threads, "Threads of CPU backends; 0: all usable ones [0]")
        ->transform(wholeNumber(0, 4096))
        ->type_name("N");
    app.add_option("--device", devices, "Device index, see 'devices'; with NAME@N the devices of its parts, as in 0,2 [0]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->transform(wholeNumber(0, 255))
        ->type_name("N[,N...]");
}

Target TargetArguments::target(const std::string& name) const {
    Target t = parseTarget(name);
    // Without a number of parts, all ranks work.
    if (const auto ranks = processRanks(); ranks && name.find('@') == std::string::npos) t.parts = ranks->size();
    t.threads = threads;
    t.device = devices.front();
    return t;
}

void TargetArguments::assignDevices(Target& target) const {
    const auto given = static_cast<int>(devices.size());
    for (auto d = devices.begin(); d != devices.end(); ++d)
        if (std::find(devices.begin(), d, *d) != d)
            throw Error(ErrorCode::usage, "--device names a device twice", {}, "Name each of them once");
    if (given == 1 || target.parts == 1) return;
    if (processRanks()) {
        // Each machine has them, and its ranks take them in turn.
        target.otherDevices.assign(devices.begin() + 1, devices.end());
        return;
    }
    if (target.parts > given)
        throw Error(ErrorCode::usage, fmt::format("'{}' needs {} devices", target.label(), target.parts),
                    fmt::format("--device names {}", given), "Name as many devices as parts, or only the first");
    const std::vector<int> others(devices.begin() + 1, devices.begin() + target.parts);
    // Devices that follow each other need no list.
    for (int part = 1; part < target.parts; ++part)
        if (others[static_cast<std::size_t>(part) - 1] != target.device + part) target.otherDevices = others;
}

void TargetArguments::requireAllUsed(int mostParts) const {
    const auto given = static_cast<int>(devices.size());
    if (given > 1 && mostParts < given)
        throw Error(ErrorCode::usage, fmt::format("--device names {} devices, of which {} would be used", given, mostParts), {},
                    fmt::format("Write cuda@{} for a run on all of them", given));
}

Target TargetArguments::availableTarget(const Catalog& catalog, const std::string& name) const {
    Target t = target(name);
    catalog.checkModes(t);
    const std::vector<DeviceInfo> existing = catalog.availableBackend(t.backend).devices();
    const bool onProcessor = std::all_of(existing.begin(), existing.end(), isProcessor);
    if (!onProcessor) assignDevices(t);
    requireAllUsed(onProcessor ? 1 : t.parts);
    if (std::none_of(existing.begin(), existing.end(), [&](const DeviceInfo& d) { return d.index == t.device; }))
        throw Error(ErrorCode::unavailable, fmt::format("Backend '{}' has no device {}", t.backend, t.device), {},
                    "See 'parallax-cli devices'");
    return t;
}

std::string defaultBackend(const Catalog& catalog) {
    for (const auto& b : catalog.backends())
        if (b->id() != kReferenceBackend && !runsOnlyWhenNamed(b->id()) && b->availability().yes) return b->id();
    return kReferenceBackend;
}

void checkPipeline(const Pipeline& pipeline, const Image& input) { (void)resultShape(pipeline, input); }

LoadOptions loadOptions(int threads) {
    LoadOptions options;
    options.threads = threads;
    options.stop = interruption();
    auto stage = std::make_shared<std::string>("loading");
    options.stage = [stage](const std::string& what) { *stage = what; };
    options.progress = [stage](double f) { printProgress(fmt::format("{} {:.0f} %", *stage, 100 * f)); };
    return options;
}

void addAllowLarge(CLI::App& command) {
    command.add_flag_callback(
        "--allow-large", [] { allowLargeFiles(true); }, "Open files that unpack to more than 100 times their size [up to 1 GiB]");
}

ImagePtr loadInput(const std::string& input, int threads, std::uint64_t memory, const std::optional<PartRange>& part) {
    LoadOptions options = loadOptions(threads);
    options.memory = memory;
    options.part = part;
    auto image = std::make_shared<Image>(openInput(input, options));
    endProgress();
    for (const auto& w : image->source.warnings) printMessage("note: " + w);
    if (image->source.volumes > 1 && splitChoice(input).choice.empty())
        printMessage(fmt::format("note: '#N' after its name opens another one, '#0' to '#{}'", image->source.volumes - 1));
    return image;
}

CLI::Option* LightArgument::add(CLI::App& app) {
    return app
        .add_option(
            "--light", light,
            "Work on colours as linear light, or as encoded values like programs that use the stored codes: linear or encoded [linear]")
        ->check(oneOf({"linear", "encoded"}))
        ->type_name("NAME");
}

ImagePtr LightArgument::applied(ImagePtr image) const {
    if (!encoded()) return image;
    auto converted = std::make_shared<Image>(withEncodedColours(*image));
    converted->provenance.emplace_back("Colours as encoded values (--light encoded)");
    return converted;
}

void addExamples(CLI::App& command, const std::vector<std::string>& examples) {
    const std::string line = "\n  " + programStart() + " ";
    command.footer((examples.size() == 1 ? "Example:" : "Examples:") + line + joined(examples, line));
}

std::string shellLine(std::span<const std::string> arguments) {
    std::string line = programStart();
    for (const std::string& a : arguments) {
        const bool plain = !a.empty() && a.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%") ==
                                             std::string::npos;
        line += ' ';
        if (plain) {
            line += a;
            continue;
        }
        line += '\'';
        for (const char c : a) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace parallax::cli
