// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/measure/sampling/entry_times.hpp"

namespace parallax {

bool RecordComparison::hasRegression() const {
    return std::any_of(entries.begin(), entries.end(), [](const ComparedEntry& e) { return e.regression; });
}

RecordComparison compareRecords(const RunRecord& base, const RunRecord& current, double limitPercent) {
    RecordComparison result;
    if (base.machine.cpu != current.machine.cpu || base.machine.hardwareThreads != current.machine.hardwareThreads)
        result.warnings.push_back("The records are of different machines: '" + base.machine.cpu + "' and '" + current.machine.cpu + "'");
    if (base.input.hash != current.input.hash) result.warnings.emplace_back("The records have different input images");
    if (base.recipe != current.recipe) result.warnings.emplace_back("The records have different recipes");
    const auto differs = [&](const std::string& what, const std::string& before, const std::string& after) {
        if (before != after) result.warnings.push_back(what + " changed from '" + before + "' to '" + after + "'");
    };
    differs("Version", base.toolVersion + " (" + base.git + ")", current.toolVersion + " (" + current.git + ")");
    differs("Build", base.buildType + ", " + base.compiler + " " + base.flags,
            current.buildType + ", " + current.compiler + " " + current.flags);
    differs("System", base.machine.os + ", " + base.machine.kernel, current.machine.os + ", " + current.machine.kernel);
    differs("Governor", base.machine.governor, current.machine.governor);
    differs("Effort", base.protocol.effort, current.protocol.effort);
    for (const RunEntry& now : current.entries) {
        const auto it = std::find_if(base.entries.begin(), base.entries.end(), [&](const RunEntry& e) { return e.label == now.label; });
        if (it == base.entries.end() || it->samples.empty() || now.samples.empty()) {
            result.warnings.push_back("'" + now.label + "' was not measured in both records");
            continue;
        }
        if (it->verification == Verification::disagrees || now.verification == Verification::disagrees) {
            result.warnings.push_back("'" + now.label + "' disagrees with the reference; its times are not compared");
            continue;
        }
        differs("'" + now.label + "': device", it->device, now.device);
        differs("'" + now.label + "': implementation", it->variant, now.variant);
        differs("'" + now.label + "': threads", std::to_string(it->threads), std::to_string(now.threads));
        const auto before = timesOf(*it, Time::compute), after = timesOf(now, Time::compute);
        ComparedEntry e;
        e.label = now.label;
        e.baseNs = median(before.values);
        e.newNs = median(after.values);
        const RatioIntervals ratio = ratioIntervals(after, before, Measured::apart);
        e.ratio = ratio.shown;
        e.verdict = judge(ratioIntervals(before, after, Measured::apart).sure);
        // Buffer placement differs between runs, so that many samples in few blocks give intervals that are too narrow.
        for (const auto& [which, times] : {std::pair<const char*, const BlockedSamples&>{"base", before}, {"new", after}})
            if (const std::size_t blocks = filledBlocks(times); blocks > 0 && blocks < kFewestBlocks && times.values.size() > blocks) {
                e.verdict = Verdict::undecided;
                result.warnings.push_back(
                    fmt::format("'{}': the {} record has only {} blocks of samples, too few for a verdict; measure "
                                "again with a higher effort or less other load",
                                now.label, which, blocks));
            }
        // The whole 99 % interval must lie above the limit.
        e.regression = limitPercent >= 0 && e.verdict == Verdict::slower && ratio.sure.low > 1 + limitPercent / 100;
        const auto repeat = [&](const char* which, const RunEntry& entry) {
            for (const std::string& w : entry.warnings)
                result.warnings.push_back(fmt::format("'{}', {} record: {}", entry.label, which, w));
        };
        repeat("base", *it);
        repeat("new", now);
        result.entries.push_back(e);
    }
    for (const RunEntry& e : base.entries)
        if (std::none_of(current.entries.begin(), current.entries.end(), [&](const RunEntry& n) { return n.label == e.label; }))
            result.warnings.push_back("'" + e.label + "' is in the base record only");
    return result;
}

std::string toText(const RecordComparison& comparison) {
    std::string text;
    for (const ComparedEntry& e : comparison.entries)
        text += fmt::format("{:<20} {:>10} -> {:>10}  time x{} ({} - {})  {}{}\n", e.label, formatTime(e.baseNs), formatTime(e.newNs),
                            formatNumber(e.newNs / e.baseNs), formatNumber(e.ratio.low), formatNumber(e.ratio.high), verdictName(e.verdict),
                            e.regression ? "  REGRESSION" : "");
    for (const auto& w : comparison.warnings) text += "note: " + w + "\n";
    return text;
}

}  // namespace parallax
