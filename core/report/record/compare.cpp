// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/kernels/kernel_record.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {
namespace {

void warnIfChanged(std::vector<std::string>& warnings, const std::string& what, const std::string& before, const std::string& after) {
    if (before != after) warnings.push_back(what + " changed from '" + before + "' to '" + after + "'");
}

/// Records of older versions have no SHA-256.
bool sameInput(const InputRecord& a, const InputRecord& b) {
    return a.sha256.empty() || b.sha256.empty() ? a.hash == b.hash : a.sha256 == b.sha256;
}

/// Warns of a different machine, input, recipe, version, build, system or effort, and repeats the notes of the records.
void compareSurroundings(const RunRecord& base, const RunRecord& current, std::vector<std::string>& warnings) {
    if (base.machine.cpu != current.machine.cpu || base.machine.hardwareThreads != current.machine.hardwareThreads)
        warnings.push_back("The records are of different machines: '" + base.machine.cpu + "' and '" + current.machine.cpu + "'");
    if (base.input.light != current.input.light) warnings.emplace_back("One record is of linear light, the other one of encoded colours");
    else if (!sameInput(base.input, current.input)) warnings.emplace_back("The records have different input images");
    if (base.recipe != current.recipe) warnings.emplace_back("The records have different recipes");
    const auto version = [](const RunRecord& r) { return r.toolVersion + " (" + r.git + ")"; };
    const auto build = [](const RunRecord& r) { return r.buildType + ", " + r.compiler + " " + r.flags; };
    warnIfChanged(warnings, "Version", version(base), version(current));
    warnIfChanged(warnings, "Build", build(base), build(current));
    warnIfChanged(warnings, "System", base.machine.os + ", " + base.machine.kernel, current.machine.os + ", " + current.machine.kernel);
    warnIfChanged(warnings, "Governor", base.machine.governor, current.machine.governor);
    warnIfChanged(warnings, "Effort", base.protocol.effort, current.protocol.effort);
    const auto caches = [](const RunRecord& r) { return r.protocol.coldCaches ? "cold" : "warm"; };
    warnIfChanged(warnings, "Caches", caches(base), caches(current));
    for (const auto& [which, record] : {std::pair<const char*, const RunRecord&>{"Base", base}, {"New", current}})
        for (const std::string& w : record.warnings) warnings.push_back(fmt::format("{} record: {}", which, w));
}

/// Warns of kernels of users whose source, compiler or command is not the same. A redacted record does not tell.
void compareKernels(const RunRecord& base, const RunRecord& current, std::vector<std::string>& warnings) {
    const std::vector<KernelRecord> before = kernelsOf(base);
    for (const KernelRecord& now : kernelsOf(current))
        for (const KernelRecord& k : before) {
            if (k.target != now.target || k.operation != now.operation) continue;
            const std::string kernel = "Kernel '" + now.target + "' of " + now.operation;
            if (k.source.empty() || now.source.empty())
                warnings.push_back(kernel + ": a record does not hold its source, so it may differ");
            else if (k.source != now.source) warnings.push_back(kernel + ": its source changed");
            warnIfChanged(warnings, kernel + ": compiler", k.compiler, now.compiler);
            if (!k.command.empty() && !now.command.empty()) warnIfChanged(warnings, kernel + ": command", k.command, now.command);
        }
}

ComparedEntry compareEntries(const RunEntry& base, const RunEntry& now, double limitPercent, std::vector<std::string>& warnings) {
    const std::string quoted = "'" + now.label + "'";
    warnIfChanged(warnings, quoted + ": device", base.device, now.device);
    warnIfChanged(warnings, quoted + ": implementation", base.variant, now.variant);
    warnIfChanged(warnings, quoted + ": threads", std::to_string(base.threads), std::to_string(now.threads));
    const BlockedSamples before = timesOf(base, Time::compute), after = timesOf(now, Time::compute);
    ComparedEntry e;
    e.label = now.label;
    if (!base.sha256.empty() && !now.sha256.empty()) e.sameResult = base.sha256 == now.sha256;
    e.baseNs = median(before.values);
    e.newNs = median(after.values);
    const RatioIntervals ratio = ratioIntervals(after, before, Measured::apart);
    e.ratio = ratio.shown;
    e.verdict = judge(ratioIntervals(before, after, Measured::apart).sure);
    // Buffer placement differs between runs, so that many samples in few blocks give intervals that are too narrow.
    for (const auto& [which, times] : {std::pair<const char*, const BlockedSamples&>{"base", before}, {"new", after}})
        if (const std::size_t blocks = filledBlocks(times); blocks > 0 && blocks < kFewestBlocks && times.values.size() > blocks) {
            e.verdict = Verdict::undecided;
            warnings.push_back(
                fmt::format("{}: the {} record has only {} blocks of samples, too few for a verdict; measure again with a higher "
                            "effort or less other load",
                            quoted, which, blocks));
        }
    // The whole 99 % interval must lie above the limit.
    e.regression = limitPercent >= 0 && e.verdict == Verdict::slower && ratio.sure.low > 1 + limitPercent / 100;
    for (const auto& [which, entry] : {std::pair<const char*, const RunEntry&>{"base", base}, {"new", now}})
        for (const std::string& w : entry.warnings) warnings.push_back(fmt::format("{}, {} record: {}", quoted, which, w));
    return e;
}

}  // namespace

double ComparedEntry::ratioOfMedians() const { return baseNs > 0 ? newNs / baseNs : std::numeric_limits<double>::quiet_NaN(); }

bool RecordComparison::hasRegression() const {
    return std::any_of(entries.begin(), entries.end(), [](const ComparedEntry& e) { return e.regression; });
}

RecordComparison compareRecords(const RunRecord& base, const RunRecord& current, double limitPercent) {
    RecordComparison result;
    compareSurroundings(base, current, result.warnings);
    compareKernels(base, current, result.warnings);
    for (const RunEntry& now : current.entries) {
        const auto it = std::find_if(base.entries.begin(), base.entries.end(), [&](const RunEntry& e) { return e.label == now.label; });
        if (it == base.entries.end() || it->samples.empty() || now.samples.empty())
            result.warnings.push_back("'" + now.label + "' was not measured in both records");
        else if (it->verification == Verification::disagrees || now.verification == Verification::disagrees)
            result.warnings.push_back("'" + now.label + "' disagrees with the reference; its times are not compared");
        else result.entries.push_back(compareEntries(*it, now, limitPercent, result.warnings));
    }
    for (const RunEntry& e : base.entries)
        if (std::none_of(current.entries.begin(), current.entries.end(), [&](const RunEntry& n) { return n.label == e.label; }))
            result.warnings.push_back("'" + e.label + "' is in the base record only");
    return result;
}

std::string toText(const RecordComparison& comparison) {
    std::string text;
    for (const ComparedEntry& e : comparison.entries)
        text += fmt::format("{:<20} {:>10} -> {:>10}  time x{} ({} - {})  {}{}{}\n", e.label, formatTime(e.baseNs), formatTime(e.newNs),
                            formatNumber(e.ratioOfMedians()), formatNumber(e.ratio.low), formatNumber(e.ratio.high), verdictName(e.verdict),
                            !e.sameResult   ? ""
                            : *e.sameResult ? "  same result"
                                            : "  other bits in the result",
                            e.regression ? "  REGRESSION" : "");
    for (const auto& w : comparison.warnings) text += "note: " + w + "\n";
    return text;
}

}  // namespace parallax
