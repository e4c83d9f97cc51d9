// SPDX-License-Identifier: GPL-3.0-or-later
#include "arguments.hpp"

#include <fmt/format.h>

#include "console.hpp"
#include "parallax/image/error.hpp"
#include "parallax/report/recipe_json.hpp"

namespace parallax::cli {

void PipelineArguments::add(CLI::App& app) {
    app.add_option("--op", operations, "Operation with parameters, as in convolve:kernel=gaussian,size=7; several run one after the other")
        ->type_name("ID[:name=value,...]")
        ->take_all();
    app.add_option("--recipe", recipe, "Pipeline from a recipe file instead of --op")->type_name("FILE");
}

Pipeline PipelineArguments::build(const Catalog& catalog) const {
    if (operations.empty() == recipe.empty())
        throw Error(ErrorCode::usage, "No work is given", "either --op (once or more) or --recipe is needed",
                    "See 'parallax-cli operations' for what there is");
    if (!recipe.empty()) return loadRecipe(catalog, recipe);
    Pipeline pipeline;
    for (const std::string& text : operations) pipeline.steps.push_back(parseStep(catalog, text));
    return pipeline;
}

void TargetArguments::add(CLI::App& app) {
    app.add_option("--threads", threads, "Threads of a CPU backend; 0: all")->check(CLI::Range(0, 4096))->type_name("N");
    app.add_option("--device", device, "Index of the device, as 'devices' lists them")->check(CLI::Range(0, 255))->type_name("N");
}

Target TargetArguments::target(const std::string& name) const {
    Target t = parseTarget(name);
    t.threads = threads;
    t.device = device;
    return t;
}

LoadOptions loadOptions(int threads) {
    LoadOptions options;
    options.threads = threads;
    options.stop = interruption();
    auto stage = std::make_shared<std::string>("loading");
    options.stage = [stage](const std::string& what) { *stage = what; };
    options.progress = [stage](double f) { printProgress(fmt::format("{} {:.0f} %", *stage, 100 * f)); };
    return options;
}

ImagePtr loadInput(const std::string& input, int threads) {
    auto image = std::make_shared<Image>(openInput(input, loadOptions(threads)));
    endProgress();
    for (const auto& w : image->source.warnings) printMessage("note: " + w);
    return image;
}

std::string shellLine(int argc, const char* const* argv) {
    std::string line = "parallax-cli";
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
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
