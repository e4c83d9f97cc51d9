// SPDX-License-Identifier: GPL-3.0-or-later
// The command that starts the ranks of the backend `mpi`, as people set it: "mpiexec -n {ranks}".
#pragma once

#include <string>
#include <vector>

namespace parallax {

inline constexpr const char* kDefaultMpiLauncher = "mpiexec -n {ranks}";
/// Stands for the number of ranks.
inline constexpr const char* kLauncherRanks = "{ranks}";

/// Sets the command for jobs that are started from now on; empty: the default. PARALLAX_MPI_LAUNCHER takes precedence. From any thread.
void setMpiLauncher(const std::string& launcher);
std::string mpiLauncher();
/// PARALLAX_MPI_LAUNCHER is set.
bool environmentSetsMpiLauncher();

/// Splits it into words like a shell, with quotes and backslashes, but without any expansion. Throws Error(usage) if a quote is not closed,
/// if it is empty, or if it has no {ranks}.
std::vector<std::string> launcherWords(const std::string& launcher);

}  // namespace parallax
