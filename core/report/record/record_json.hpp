// SPDX-License-Identifier: GPL-3.0-or-later
// Records as JSON, schema "parallax.run-record", times in ns. Unknown fields are ignored.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/record/compare.hpp"

namespace parallax {

/// One record as an object; several as {schema: "parallax.run-records", records: [...]}, with the cost models of sweeps over parts as
/// "models". These follow from the records and are not read back. Comparisons with baselines follow as "comparisons".
std::string toJson(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons = {});
/// Throws Error(input).
std::vector<RunRecord> recordsFromJson(std::string_view text, const std::string& name);
/// The comparisons of a report; empty if it has none. Throws Error(input).
std::vector<NamedComparison> comparisonsFromJson(std::string_view text, const std::string& name);
std::vector<RunRecord> loadRecords(const std::string& path);

/// Parts of a record as they are in its JSON, which has no NaN and no infinity: they are written as "nan", "inf" and "-inf".
nlohmann::ordered_json jsonOf(double value);
double numberFrom(const nlohmann::ordered_json& value);
nlohmann::ordered_json jsonOf(const CeilingRecord& ceiling);
nlohmann::ordered_json jsonOf(const StatisticRecord& statistic);
nlohmann::ordered_json jsonOf(const SeriesRecord& series);
nlohmann::ordered_json jsonOf(const LapsRecord& laps);
nlohmann::ordered_json jsonOf(const TrafficRecord& traffic);

}  // namespace parallax
