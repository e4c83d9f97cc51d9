// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// The cost models of all sweeps over parts, a list: what each was computed from, its predictions, and its deviation from the measured
/// points; or the quantity that is missing.
nlohmann::ordered_json costModelsOf(const std::vector<RunRecord>& records);

}  // namespace parallax
