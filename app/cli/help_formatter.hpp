// SPDX-License-Identifier: GPL-3.0-or-later
// Help in the form of the man page: arguments by their type names, no lists of validators.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace parallax::cli {

class HelpFormatter final : public CLI::Formatter {
public:
    HelpFormatter() {
        label("SUBCOMMAND", "COMMAND");
        label("Positionals", "Arguments");
    }
    std::string make_description(const CLI::App* app) const override { return CLI::Formatter::make_description(app) + "\n"; }
    std::string make_option_name(const CLI::Option* option, bool positional) const override {
        return positional ? option->get_type_name() : CLI::Formatter::make_option_name(option, false);
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        const bool named = !option->get_positional() && option->get_type_size() != 0 && !option->get_type_name().empty();
        return (named ? " " + option->get_type_name() : std::string()) + (option->get_required() ? " (required)" : "");
    }
    std::string make_groups(const CLI::App* app, CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_groups(app, mode);
        if (text.ends_with("\n\n")) text.pop_back();  // of hidden options
        return text;
    }
    std::string make_option_usage(const CLI::Option* option) const override {
        const std::string name = make_option_name(option, true);
        return option->get_required() ? name : "[" + name + "]";
    }
};

}  // namespace parallax::cli
