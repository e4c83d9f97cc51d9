// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/laps_data.hpp"

#include <algorithm>

namespace parallax {
namespace {

/// Index of the part of a lap. A new one follows that of the lap before it, so that the union keeps the order of each entry.
std::size_t partOf(std::vector<LapPart>& parts, const LapRecord& lap, std::size_t after) {
    const auto known = std::find_if(parts.begin(), parts.end(), [&](const LapPart& p) {
        return p.step == lap.step && p.operation == lap.operation && p.key == lap.key && p.label == lap.label;
    });
    if (known != parts.end()) return static_cast<std::size_t>(known - parts.begin());
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(after), {lap.step, lap.operation, lap.key, lap.title, lap.label});
    return after;
}

}  // namespace

double LapRow::rest(const std::vector<LapPart>& parts, bool small) const {
    double left = compute;
    for (std::size_t i = 0; i < parts.size() && i < nanoseconds.size(); ++i)
        if (!small || !parts[i].isSmall) left -= nanoseconds[i];
    return std::max(left, 0.0);
}

LapsChartData lapsChart(const RunRecord& record) {
    LapsChartData data;
    for (const RunEntry& e : record.entries) {
        std::size_t after = 0;
        for (const LapRecord& lap : e.laps.laps) after = partOf(data.parts, lap, after) + 1;
    }
    for (std::size_t i = 0; i < record.entries.size(); ++i) {
        const RunEntry& e = record.entries[i];
        if (e.laps.empty() || e.laps.compute <= 0) continue;
        LapRow row{e.label, i, static_cast<double>(e.laps.compute)};
        row.nanoseconds.resize(data.parts.size());
        row.counts.resize(data.parts.size());
        for (const LapRecord& lap : e.laps.laps) {
            const std::size_t part = partOf(data.parts, lap, 0);
            row.nanoseconds[part] += static_cast<double>(lap.nanoseconds);
            row.counts[part] += static_cast<double>(lap.count);
        }
        data.rows.push_back(std::move(row));
    }
    for (std::size_t part = 0; part < data.parts.size(); ++part)
        data.parts[part].isSmall = std::all_of(data.rows.begin(), data.rows.end(), [&](const LapRow& row) {
            return row.nanoseconds[part] < LapsChartData::kSmallShare * row.compute;
        });
    return data;
}

}  // namespace parallax
