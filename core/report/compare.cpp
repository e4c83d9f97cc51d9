// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/report/compare.hpp"

#include <algorithm>

namespace parallax {
namespace {

std::vector<double> computeTimes(const RunEntry& e) {
    std::vector<double> times;
    for (const auto& s : e.samples) times.push_back(static_cast<double>(s.compute()));
    return times;
}

}  // namespace

bool RecordComparison::hasRegression() const {
    return std::any_of(entries.begin(), entries.end(), [](const ComparedEntry& e) { return e.regression; });
}

RecordComparison compareRecords(const RunRecord& base, const RunRecord& current, double limitPercent) {
    RecordComparison result;
    if (base.machine.cpu != current.machine.cpu || base.machine.hardwareThreads != current.machine.hardwareThreads)
        result.warnings.push_back("The records come from different machines: '" + base.machine.cpu + "' and '" + current.machine.cpu + "'");
    if (base.input.hash != current.input.hash) result.warnings.emplace_back("The records have different input images");
    if (base.recipe != current.recipe) result.warnings.emplace_back("The records have different recipes");
    for (const RunEntry& now : current.entries) {
        const auto it = std::find_if(base.entries.begin(), base.entries.end(), [&](const RunEntry& e) { return e.label == now.label; });
        if (it == base.entries.end() || it->samples.empty() || now.samples.empty()) {
            result.warnings.push_back("'" + now.label + "' was not measured in both records");
            continue;
        }
        if (it->verification == Verification::disagrees || now.verification == Verification::disagrees) {
            result.warnings.push_back("'" + now.label + "' disagrees with the reference: its times are not compared");
            continue;
        }
        const auto before = computeTimes(*it), after = computeTimes(now);
        ComparedEntry e;
        e.label = now.label;
        e.baseNs = median(before);
        e.newNs = median(after);
        e.ratio = ratioInterval(after, before);
        e.verdict = judge(ratioIntervals(before, after).sure);
        // The whole interval must lie above the limit: noise alone is no regression.
        e.regression = limitPercent >= 0 && e.ratio.low > 1 + limitPercent / 100;
        result.entries.push_back(e);
    }
    for (const RunEntry& e : base.entries)
        if (std::none_of(current.entries.begin(), current.entries.end(), [&](const RunEntry& n) { return n.label == e.label; }))
            result.warnings.push_back("'" + e.label + "' is in the base record only");
    return result;
}

}  // namespace parallax
