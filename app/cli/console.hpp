// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal: data on stdout, everything else on stderr, progress only on a terminal.
#pragma once

#include <stop_token>
#include <string>

namespace parallax::cli {

/// Requests a stop on Ctrl-C, SIGTERM or SIGHUP. Installs the signal handlers on first use.
std::stop_token interruption();
bool interrupted();
/// 128 and the number of the first signal, as in a shell.
int interruptedExitCode();

void printData(const std::string& text);      ///< stdout
void printMessage(const std::string& text);   ///< a line on stderr
void printProgress(const std::string& text);  ///< replaces the previous line; silent unless stderr is a terminal
void endProgress();
bool coloursOnStdout();  ///< stdout is a terminal and NO_COLOR is not set

}  // namespace parallax::cli
