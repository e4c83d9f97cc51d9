// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/report/kept/data_folder.hpp"

namespace parallax::cli {
namespace {

/// "bench", or "kernel.bench" with '.' as separator. Empty for the program.
std::string pathOf(const CLI::App& command, const std::string& separator) {
    if (!command.get_parent()) return {};
    const std::string parent = pathOf(*command.get_parent(), separator);
    return parent.empty() ? command.get_name() : parent + separator + command.get_name();
}

/// Inputs, outputs and steps of a command belong on the command line.
bool canBeSet(const CLI::Option* option) {
    static const std::set<std::string> kWork{"input", "output", "op", "recipe", "from"};
    return option->get_configurable() && !option->get_positional() && !option->get_group().empty() && !option->get_lnames().empty() &&
           !kWork.contains(option->get_lnames().front());
}

std::vector<const CLI::Option*> optionsOf(const CLI::App& command) { return command.get_options(canBeSet); }

std::string nameOf(const CLI::Option* option) { return option->get_lnames().front(); }

/// "PARALLAX_SELF_CHECK_TRIALS"
std::string variableOf(const CLI::App& command, const CLI::Option& option) {
    std::string name = "PARALLAX_" + pathOf(command, "_") + "_" + nameOf(&option);
    for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

std::vector<CLI::ConfigItem> itemsOf(const std::string& chosen) {
    const std::string file = chosen.empty() ? configurationFile("cli.toml") : chosen;
    const std::string what = "Cannot read the configuration file '" + file + "'";
    std::error_code error;
    if (file.empty() || !std::filesystem::exists(file, error)) {
        if (chosen.empty()) return {};
        throw Error(ErrorCode::input, what, "it does not exist", "Check the name after --config");
    }
    if (std::filesystem::is_directory(file, error))
        throw Error(ErrorCode::input, what, "it is a folder", "Give a file with tables like [bench]");
    try {
        return CLI::ConfigTOML().from_file(file);
    } catch (const CLI::FileError&) {
        throw Error(ErrorCode::input, what, {}, "Check its permissions, or use another file with --config");
    }
}

/// Finds the command of a table. Throws Error(usage).
const CLI::App& commandOf(const CLI::App& program, const CLI::ConfigItem& item, const std::string& where) {
    const CLI::App* command = &program;
    for (const std::string& name : item.parents) {
        const auto commands = command->get_subcommands([](const CLI::App*) { return true; });
        const auto found = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == name; });
        if (found == commands.end())
            throw Error(ErrorCode::usage, fmt::format("Unknown table [{}] in {}", joined(item.parents, "."), where),
                        "known are " + joined(commands, ", ", &CLI::App::get_name), "Correct or remove it");
        command = *found;
    }
    return *command;
}

/// Finds the option of a key. Throws Error(usage).
const CLI::Option& optionOf(const CLI::App& command, const CLI::ConfigItem& item, const std::string& where) {
    if (item.parents.empty())
        throw Error(ErrorCode::usage, fmt::format("The key '{}' is outside of any table in {}", item.name, where), {},
                    "Put it below the name of a command, such as [bench]");
    const std::vector<const CLI::Option*> options = optionsOf(command);
    const auto found = std::find_if(options.begin(), options.end(), [&](const CLI::Option* o) { return nameOf(o) == item.name; });
    if (found != options.end()) return **found;
    const std::string known = options.empty() ? "this command has no settings" : "known are " + joined(options, ", ", nameOf);
    throw Error(ErrorCode::usage, fmt::format("Unknown key '{}' in [{}] of {}", item.name, joined(item.parents, "."), where), known,
                "Correct or remove it");
}

bool isOnCommandLine(const CLI::Option& option) {
    const auto& excluded = option.get_excludes();
    return option.count() > 0 || std::any_of(excluded.begin(), excluded.end(), [](const CLI::Option* o) { return o->count() > 0; });
}

}  // namespace

std::vector<Setting> settingsFor(const CLI::App& command, const std::string& file) {
    const CLI::App* program = &command;
    while (program->get_parent()) program = program->get_parent();
    std::vector<Setting> settings;
    std::set<const CLI::Option*> inEnvironment;
    for (const CLI::Option* option : optionsOf(command)) {
        const std::string variable = variableOf(command, *option);
        const char* const value = std::getenv(variable.c_str());
        if (!value || !*value || isOnCommandLine(*option)) continue;
        settings.push_back({"--" + nameOf(option), {value}, variable});
        inEnvironment.insert(option);
    }
    const std::string where = "'" + (file.empty() ? configurationFile("cli.toml") : file) + "'";
    for (const CLI::ConfigItem& item : itemsOf(file)) {
        const CLI::App& owner = commandOf(*program, item, where);
        if (item.name == "++" || item.name == "--") continue;  // begin and end of a table
        const CLI::Option& option = optionOf(owner, item, where);
        if (&owner != &command || isOnCommandLine(option)) continue;
        const auto& excluded = option.get_excludes();
        if (inEnvironment.contains(&option) ||
            std::any_of(excluded.begin(), excluded.end(), [&](const CLI::Option* o) { return inEnvironment.contains(o); }))
            continue;
        settings.push_back({"--" + item.name, item.inputs, fmt::format("'{}' in [{}] of {}", item.name, pathOf(command, "."), where)});
    }
    return settings;
}

std::vector<std::string> asArguments(const std::vector<Setting>& settings) {
    std::vector<std::string> arguments;
    for (const Setting& setting : settings)
        for (const std::string& value : setting.values) arguments.push_back(setting.option + "=" + value);
    return arguments;
}

}  // namespace parallax::cli
