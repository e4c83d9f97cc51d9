// SPDX-License-Identifier: GPL-3.0-or-later
// How jobs are started: "mpiexec -n {ranks}", then the path of parallax-worker and its arguments.
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax {

inline constexpr const char* kDefaultMpiLauncher = "mpiexec -n {ranks}";

/// Sets the template of jobs that are started from now on; empty: the default. PARALLAX_MPI_LAUNCHER takes precedence. From any thread.
void setMpiLauncher(const std::string& launcher);
std::string mpiLauncher();
/// PARALLAX_MPI_LAUNCHER is set.
bool environmentSetsMpiLauncher();

/// Splits a template into words like a shell, with quotes and backslashes, but without any expansion. Throws Error(usage) if a quote is not
/// closed, if it is empty, or if it names no {ranks}.
std::vector<std::string> launcherWords(const std::string& launcher);

/// What a job is started with.
struct Launch {
    std::vector<std::string> command;      ///< the program with its path, and its arguments
    std::vector<std::string> environment;  ///< "NAME=value"
};
/// For so many ranks that connect to a Listener. Throws Error(unavailable) if launcher or worker is missing, Error(usage) for a template
/// that is wrong.
Launch launchOf(const std::string& launcher, int ranks, const std::string& listener);

/// Whether jobs can be started here, as far as can be seen without starting one. Cheap.
Availability mpiAvailability();
/// Path of parallax-worker: beside this program, else in PATH; empty if there is none.
std::string workerPath();

}  // namespace parallax
