// SPDX-License-Identifier: GPL-3.0-or-later
// Answers the completion scripts of the shells: lists the words that can take the place of the one under the cursor.
#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/arguments.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/image/synthetic.hpp"
#include "core/report/kept/baselines.hpp"

namespace parallax::cli {
namespace {

class Candidates {
public:
    explicit Candidates(std::string typed) : typed_(std::move(typed)) {}
    const std::string& typed() const { return typed_; }
    /// Adds a word if it begins with the typed one.
    void add(const std::string& word, const std::string& help = {}) {
        if (word.starts_with(typed_)) words_.emplace_back(word, shortened(help));
    }
    /// Adds all words of another list behind a prefix.
    void addAll(const Candidates& source, const std::string& prefix) {
        for (const auto& [word, help] : source.words_) words_.emplace_back(prefix + word, help);
        open_ = open_ || source.open_;
    }
    void addFiles() { files_ = true; }
    void keepOpen() { open_ = true; }  ///< no space after a word, which continues
    std::string text() const {
        std::string text;
        for (const auto& [word, help] : words_) text.append(word).append(help.empty() ? "" : "\t").append(help).append("\n");
        return text + ":" + (files_ ? "files" : "") + (open_ ? "open" : "") + "\n";
    }

private:
    /// Returns the first part of a sentence, without the default in brackets.
    static std::string shortened(const std::string& help) {
        const std::size_t end = help.find_last_not_of(' ', help.find_first_of("[;:\n.") - 1);
        return help.substr(0, end + 1);
    }

    std::string typed_;
    std::vector<std::pair<std::string, std::string>> words_;
    bool files_ = false, open_ = false;
};

void addTargets(Candidates& c) {
    const Catalog& catalog = processCatalog();
    for (const auto& backend : catalog.backends()) {
        c.add(backend->id(), backend->title());
        std::vector<std::string> seen;
        for (const auto& operation : catalog.operations())
            for (const Implementation* i : catalog.implementations(operation->id(), backend->id())) {
                if (i->variant().empty() || std::find(seen.begin(), seen.end(), i->variant()) != seen.end()) continue;
                c.add(backend->id() + "." + seen.emplace_back(i->variant()), operation->id());
            }
        for (const ModeInfo& mode : backend->modes()) c.add(backend->id() + "+" + toText(mode.modes), mode.summary);
    }
}

void addOperationIds(Candidates& c) {
    for (const auto& operation : processCatalog().operations()) c.add(operation->id(), operation->title());
}

/// "ID:name=value,...": the operation, then names, then values.
void addSteps(Candidates& c) {
    c.keepOpen();
    const std::string& typed = c.typed();
    const std::size_t colon = typed.find(':');
    if (colon == std::string::npos) return addOperationIds(c);
    const auto& all = processCatalog().operations();
    const auto operation = std::find_if(all.begin(), all.end(), [&](const auto& o) { return o->id() == typed.substr(0, colon); });
    if (operation == all.end()) return;
    const std::string before = typed.substr(0, typed.find_last_of(":,") + 1), last = typed.substr(before.size());
    const bool value = last.find('=') != std::string::npos;
    for (const ParameterInfo& p : (*operation)->parameters().infos()) {
        const std::string name = before + p.key + "=";
        if (!value) c.add(name, p.title);
        else if (p.kind == ParameterKind::boolean) c.add(name + "true"), c.add(name + "false");
        else
            for (const ParameterChoice& choice : p.choices) c.add(name + choice.key, choice.title);
    }
    const std::vector<ParameterPreset> presets = presetsOf(**operation);
    if (!value && !presets.empty()) c.add(before + "preset=", "Preset");
    if (value)
        for (const ParameterPreset& preset : presets) c.add(before + "preset=" + preset.key, preset.title);
}

/// "[NAME=]FILE" or "[NAME=]STEP|STEP...".
void addRecipes(Candidates& c) {
    c.addFiles();
    const std::string& typed = c.typed();
    const std::size_t bar = typed.rfind('|'), equals = typed.find('=');
    std::size_t begin = equals < typed.find_first_of(":|/") ? equals + 1 : 0;
    if (bar != std::string::npos) begin = std::min(typed.find_first_not_of(' ', bar + 1), typed.size());
    Candidates steps(typed.substr(begin));
    addSteps(steps);
    c.addAll(steps, typed.substr(0, begin));
}

void addInputs(Candidates& c) {
    c.addFiles();
    // Only on request, since files are more common.
    if (c.typed().empty()) return;
    for (const SyntheticKindInfo& kind : syntheticKinds()) c.add("synthetic:" + kind.key + ":", kind.title);
    c.add("raw:", "Raw samples");
    if (c.typed().starts_with("synthetic:")) c.keepOpen();
}

struct Choices {
    const char* option;
    std::vector<const char*> words;
};
/// Options with a fixed set of values, and axes of a sweep.
const std::vector<Choices>& fixedChoices() {
    static const std::vector<Choices> choices{{"--depth", {"8", "16", "half", "float"}},
                                              {"--encoding", {"srgb", "linear"}},
                                              {"--compression", {"fast", "default", "small"}},
                                              {"--effort", {"quick", "normal", "thorough"}},
                                              {"--cache", {"warm", "cold"}},
                                              {"--range", {"auto", "ldr", "hdr"}},
                                              {"--map-kind", {"absolute", "ssim", "flip"}},
                                              {"--sweep", {"size=", "threads=", "parts=", "weak="}}};
    return choices;
}

void addValues(Candidates& c, const CLI::App& app, const CLI::Option& option) {
    const std::string name = option.get_lnames().empty() ? std::string() : "--" + option.get_lnames().front();
    const std::string type = option.get_type_name();
    const auto& choices = fixedChoices();
    const auto fixed = std::find_if(choices.begin(), choices.end(), [&](const Choices& f) { return name == f.option; });
    if (fixed != choices.end()) {
        for (const char* word : fixed->words) c.add(word);
        if (name == "--sweep") c.keepOpen();
    } else if (name == "--backend" || name == "--baseline" || name == "--require-backend") {
        addTargets(c);
    } else if (type == "BASELINE") {
        for (const std::string& baseline : Baselines().names()) c.add(baseline);
        if (!option.get_positional()) c.addFiles();
    } else if (name == "--op") {
        addSteps(c);
    } else if (name == "--recipe" && type != "FILE") {
        addRecipes(c);
    } else if (type == "ID") {
        addOperationIds(c);
    } else if (type == "COMMAND") {
        for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
            c.add(command->get_name(), command->get_description());
    } else if (type.starts_with("IN")) {
        addInputs(c);
    } else {
        constexpr std::array kFiles{"FILE", "OUT", "PATH...", "A", "B", "CONTROL[,ACK]"};
        if (type.ends_with(".json") || std::find(kFiles.begin(), kFiles.end(), type) != kFiles.end()) c.addFiles();
    }
}

bool takesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

const CLI::Option* optionNamed(const CLI::App& app, const std::string& word) {
    if (word.size() < 2 || word[0] != '-') return nullptr;
    for (const CLI::Option* option : app.get_options())
        if (option->check_name(word)) return option;
    return nullptr;
}

void addOptions(Candidates& c, const CLI::App& app, std::span<const std::string> before) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_lnames().empty() || option->get_group().empty()) continue;  // hidden: without a group
        const std::string name = "--" + option->get_lnames().front();
        const bool given =
            std::any_of(before.begin(), before.end(), [&](const std::string& word) { return optionNamed(app, word) == option; });
        if (!given || option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll) c.add(name, option->get_description());
    }
}

const CLI::Option* positionalOf(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
        if (option->get_positional()) return option;
    return nullptr;
}

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The command that `words` name as far as they name one: 'kernel' has commands of its own.
const CLI::App& commandOf(const CLI::App& app, std::span<const std::string> words) {
    const CLI::App* command = &app;
    for (const std::string& word : words)
        for (const CLI::App* each : commandsOf(*command))
            if (each->get_name() == word) {
                command = each;
                break;
            }
    return *command;
}

}  // namespace

std::string completions(const CLI::App& app, std::span<const std::string> words) {
    const std::string current = words.empty() ? std::string() : words.back();
    const auto before = words.first(words.empty() ? 0 : words.size() - 1);
    const CLI::App& scope = commandOf(app, before);
    const std::vector<const CLI::App*> commands = commandsOf(scope);
    const CLI::Option* const previous = before.empty() ? nullptr : optionNamed(scope, before.back());
    Candidates c(current);
    if (previous && takesValue(*previous)) {
        addValues(c, app, *previous);
    } else if (current.starts_with("-")) {
        addOptions(c, scope, before);
    } else if (!commands.empty()) {
        for (const CLI::App* each : commands) c.add(each->get_name(), each->get_description());
    } else if (const CLI::Option* positional = positionalOf(scope)) {
        addValues(c, commandOf(app, before.subspan(1)), *positional);  // of 'help'
    } else {
        addOptions(c, scope, before);
    }
    return c.text();
}

}  // namespace parallax::cli
