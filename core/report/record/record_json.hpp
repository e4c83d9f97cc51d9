// SPDX-License-Identifier: GPL-3.0-or-later
// Records as JSON, schema "parallax.run-record", times in ns. Unknown fields are ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// One record as an object; several as {schema: "parallax.run-records", records: [...]}.
std::string toJson(const std::vector<RunRecord>& records);
/// Throws Error(input).
std::vector<RunRecord> recordsFromJson(std::string_view text, const std::string& name);
std::vector<RunRecord> loadRecords(const std::string& path);

}  // namespace parallax
