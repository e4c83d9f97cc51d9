// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/cli/arguments.hpp"
#include "core/mpi/mpi_ranks.hpp"

namespace parallax {

/// Adds the command that the backend `mpi` of parallax-cli and of the window starts: computes for them until they end.
void addServe(CLI::App& app, cli::Action& chosen, const std::shared_ptr<MpiRanks>& ranks);

}  // namespace parallax
