// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal: data on stdout, everything else on stderr, progress only on a terminal.
#pragma once

#include <stop_token>
#include <string>

namespace parallax::cli {

/// Name of this program, as in messages, and how examples start it. By default both are those of parallax-cli.
void setProgram(const std::string& name, const std::string& start);
const std::string& programName();
const std::string& programStart();

/// Requests a stop on Ctrl-C, SIGTERM or SIGHUP. Installs the signal handlers on first use. Work that does not stop within a second is
/// ended, and its unfinished files are removed.
std::stop_token interruption();
/// While one exists, work has ten seconds after the first signal, to write results that it keeps.
class ResultsKept {
public:
    ResultsKept();
    ~ResultsKept();
    ResultsKept(const ResultsKept&) = delete;
    ResultsKept& operator=(const ResultsKept&) = delete;
};
bool interrupted();
/// 128 and the number of the first signal, as in a shell.
int interruptedExitCode();

void printData(const std::string& text);      ///< stdout
void printMessage(const std::string& text);   ///< a line on stderr
void printError(const std::string& text);     ///< the same, with the name of the program before it
void printProgress(const std::string& text);  ///< replaces the previous line; silent unless stderr is a terminal
void endProgress();
bool coloursOnStdout();  ///< stdout is a terminal and NO_COLOR is not set

}  // namespace parallax::cli
