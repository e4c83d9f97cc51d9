// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/record_groups.hpp"

#include <algorithm>

namespace parallax {

RecordGroups groupsOf(const std::vector<RunRecord>& records) {
    RecordGroups groups;
    const bool anyAxis = std::any_of(records.begin(), records.end(), [](const RunRecord& r) { return !r.sweep.axis.empty(); });
    for (std::size_t i = 0; i < records.size(); ++i) {
        const RunRecord& r = records[i];
        if (anyAxis && r.sweep.axis.empty()) {
            groups.single.push_back(i);
            continue;
        }
        const auto same = std::find_if(groups.sweeps.begin(), groups.sweeps.end(), [&](const std::vector<std::size_t>& sweep) {
            const RunRecord& first = records[sweep.front()];
            return first.sweep.axis == r.sweep.axis && (!anyAxis || first.command == r.command);
        });
        if (same == groups.sweeps.end()) groups.sweeps.push_back({i});
        else same->push_back(i);
    }
    for (const auto& sweep : groups.sweeps)
        if (sweep.size() == 1) groups.single.push_back(sweep.front());
    std::erase_if(groups.sweeps, [](const std::vector<std::size_t>& sweep) { return sweep.size() == 1; });
    std::sort(groups.single.begin(), groups.single.end());
    return groups;
}

std::vector<RunRecord> selected(const std::vector<RunRecord>& records, const std::vector<std::size_t>& indices) {
    std::vector<RunRecord> chosen;
    for (const std::size_t i : indices) chosen.push_back(records[i]);
    return chosen;
}

}  // namespace parallax
