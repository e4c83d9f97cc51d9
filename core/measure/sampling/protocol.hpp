// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// quick, normal, thorough. Throws Error(usage) that lists them. Times are per target, without warm-up.
ProtocolRecord protocolFor(const std::string& effort);
const std::vector<std::string>& efforts();

}  // namespace parallax
