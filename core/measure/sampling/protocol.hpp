// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Limits of an effort; times are for each target, without warm-up. PARALLAX_SAMPLING_SECONDS lowers them for programs that need no precise
/// times. Throws Error(usage) for an unknown effort, or if that is no number above 0.
ProtocolRecord protocolFor(const std::string& effort);
const std::vector<std::string>& efforts();  ///< quick, normal, thorough

/// How long a measurement waits for the reference if the results can be judged without it: see reference_cost.hpp.
/// PARALLAX_REFERENCE_SECONDS lowers it. Throws Error(usage) as above.
double longestReferenceSeconds();

}  // namespace parallax
