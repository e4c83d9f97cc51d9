// SPDX-License-Identifier: GPL-3.0-or-later
// Results as JSON and as sentences, for several commands.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

#include "core/engine/run/stages.hpp"

namespace parallax::cli {

using Json = nlohmann::ordered_json;

/// Prints to standard output, indented. Names of files may hold bytes that are no UTF-8; they are replaced.
void printJson(const Json& json);

/// "upload 1.2 ms, compute 3.4 ms": the stages that took time.
std::string stagesText(const StageTimes& times);
/// The same as {"upload": 1200000, ...}, ns.
Json stagesJson(const StageTimes& times);

}  // namespace parallax::cli
