// SPDX-License-Identifier: GPL-3.0-or-later
// Frame of the programs of the command line: parsing, errors, exit codes.
#pragma once

#include <functional>
#include <string>

#include "app/cli/arguments.hpp"

namespace parallax::cli {

struct Program {
    std::string name;   ///< "parallax-cli"
    std::string start;  ///< how examples start it: "mpirun -n 4 parallax-worker"
    std::string help;   ///< above the list of commands
    /// Adds the commands; `commandLine` is that of this process with its settings, quoted for a shell, once the command's callback runs.
    std::function<void(CLI::App& app, Action& chosen, const std::string& commandLine)> addCommands;
    bool hasSettings = false;  ///< options are also read from the environment and a configuration file
};

/// Prepares signals and standard streams. First in main(), before any other thread exists.
void prepareProcess();
/// Parses the command line and runs the command. Errors are messages on stderr. Returns the exit code.
int runProgram(const Program& program, int argc, char** argv);
/// Returns what work() returns, or prints the error that it throws and returns its exit code.
int exitCodeAfter(const std::function<int()>& work);

}  // namespace parallax::cli
