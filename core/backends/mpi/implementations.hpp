// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// Descriptions of what ranks can run: for each operation a variant "openmp" that selects as that backend does, and one for each of its
/// implementations: "openmp.direct". They do not prepare, see RunsPipelines.
std::vector<std::unique_ptr<Implementation>> describeRanks(std::span<const std::shared_ptr<Backend>> backends);

/// {"openmp", "direct"} of "openmp.direct".
std::pair<std::string, std::string> backendAndVariant(const std::string& variant);

}  // namespace parallax
