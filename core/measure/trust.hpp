// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "parallax/engine/run_record.hpp"

namespace parallax {

/// Conditions of the machine and the build that make measurements doubtful: a sentence each, with advice.
std::vector<std::string> doubtsAboutMachine(const MachineRecord& machine);
/// The same for one entry: too few samples, noise above the protocol's target, drift.
std::vector<std::string> doubtsAboutEntry(const RunEntry& entry, const ProtocolRecord& protocol);

}  // namespace parallax
