// SPDX-License-Identifier: GPL-3.0-or-later
// Data of the chart of laps (see HasLaps): the parts of the compute stage of each entry, for the window and the reports. Rules of such
// data: chart_data.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

struct LapPart {
    int step = 0;
    std::string operation, key, title, label;
    bool isSmall = false;  ///< below kSmallShare of the stage in every entry: one of many too narrow to see
    std::string name() const { return label.empty() ? title : title + ", " + label; }
};
struct LapRow {
    std::string entry;
    std::size_t index = 0;              ///< of the entry in the record
    double compute = 0;                 ///< ns
    std::vector<double> nanoseconds{};  ///< of each part; 0 where the entry has none
    std::vector<double> counts{};       ///< how often each ran
    /// ns of the stage that no part has; with `small`, those of the small parts too.
    double rest(const std::vector<LapPart>& parts, bool small) const;
};
struct LapsChartData {
    static constexpr double kSmallShare = 0.03;
    std::vector<LapPart> parts;  ///< of all entries, in the order in which they run
    std::vector<LapRow> rows;    ///< entries with laps
};

LapsChartData lapsChart(const RunRecord& record);

}  // namespace parallax
