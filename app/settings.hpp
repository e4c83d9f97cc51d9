// SPDX-License-Identifier: GPL-3.0-or-later
// Values of options from environment variables and a configuration file, for programs of the command line.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace parallax::cli {

/// An option of a command that a variable or the configuration file sets.
struct Setting {
    std::string option;               ///< "--effort"
    std::vector<std::string> values;  ///< several for options that may be repeated; "true" or "false" for switches
    std::string source;               ///< "PARALLAX_BENCH_EFFORT" or "'effort' in [bench] of '/home/ada/.config/parallax/cli.toml'"
};

/// Returns the settings of a command that is parsed already; its options on the command line, and those that they exclude, are left as they
/// are. A variable wins over the file. `file`: configuration file; empty: the default one, if it exists. Throws Error(input) if the file
/// cannot be read and Error(usage) for a table or key that no command has.
///
/// CLI11 has both with App::set_config() and Option::envname(), but there the file wins over the environment, and settings of commands
/// that do not run take effect.
std::vector<Setting> settingsFor(const CLI::App& command, const std::string& file);

/// "--effort=quick", for the command line.
std::vector<std::string> asArguments(const std::vector<Setting>& settings);

}  // namespace parallax::cli
