// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/report/record/compare.hpp"

namespace parallax {

/// Comparisons with baselines as "comparisons" of a report, a list with one element for each baseline.
nlohmann::ordered_json comparisonsToJson(const std::vector<NamedComparison>& comparisons);
/// Throws Error(input) or an exception of the JSON library if they have another form.
std::vector<NamedComparison> comparisonsFrom(const nlohmann::ordered_json& list);

}  // namespace parallax
