// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that start jobs: those of the launcher, then the path of parallax-worker and its arguments.
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// The start of a job.
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
