// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal: data on stdout, everything else on stderr, progress only on a terminal.
#pragma once

#include <stop_token>
#include <string>

namespace parallax::cli {

/// Stops when the person presses Ctrl-C. Installs the signal handlers on first use.
std::stop_token interruption();
bool interrupted();

void printData(const std::string& text);      ///< stdout
void printMessage(const std::string& text);   ///< a line on stderr
void printProgress(const std::string& text);  ///< replaces the last one; nothing unless stderr is a terminal
void endProgress();
bool coloursOnStdout();  ///< a terminal, and NO_COLOR is not set

}  // namespace parallax::cli
