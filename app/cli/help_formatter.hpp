// SPDX-License-Identifier: GPL-3.0-or-later
// Help in the form of the man page: arguments by their type names, no lists of validators.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

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
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
        // A group of hidden options leaves its empty line.
        while (true) {
            const std::size_t at = text.find("\n\n\n");
            if (at == std::string::npos) return text;
            text.erase(at, 1);
        }
    }
    std::string make_option_usage(const CLI::Option* option) const override {
        const std::string name = make_option_name(option, true);
        return option->get_required() ? name : "[" + name + "]";
    }
};

}  // namespace parallax::cli
