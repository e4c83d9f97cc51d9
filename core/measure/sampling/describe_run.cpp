// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/ceilings/link.hpp"
#include "core/measure/checksum/checksum.hpp"
#include "core/measure/conditions/machine.hpp"
#include "core/measure/sampling/measurement.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {
namespace {

/// The link between ranks, measured once: a sweep has many records.
const std::vector<CeilingRecord>& rankLinkOf(Ranks& ranks, const std::stop_token& stop) {
    constexpr double kSeconds = 0.05;
    static const std::vector<CeilingRecord> link = measureRankLink(ranks, kSeconds, stop);
    return link;
}

void describeBuild(RunRecord& record, const BuildInfo& build) {
    record.toolVersion = build.version;
    record.git = build.git;
    record.buildType = build.buildType;
    record.compiler = build.compiler;
    record.flags = build.flags;
}

void describeMachineOf(Measurement& m) {
    const Catalog& catalog = m.engine.catalog();
    m.record.machine = describeMachine(catalog);
    std::vector<CeilingRecord>& ceilings = m.record.machine.ceilings = knownCeilings(catalog);
    if (const std::shared_ptr<Ranks> ranks = processRanks()) {
        const std::vector<CeilingRecord>& link = rankLinkOf(*ranks, m.options.stop);
        ceilings.insert(ceilings.end(), link.begin(), link.end());
    }
    for (const auto& backend : catalog.backends()) {
        if (!backend->availability().yes) continue;
        if (auto details = backend->buildDetails(); !details.empty()) m.record.backends.push_back({backend->id(), std::move(details)});
    }
}

InputRecord inputRecord(const Image& input, const std::stop_token& stop) {
    return {input.source.path.empty() ? input.source.format : input.source.path,
            input.shape(),
            input.channelNames(),
            hashSamples(input.view()),
            computeStatistics(input).nonFinite(),
            input.source.encoded ? "encoded" : "",
            checksumOf(input.view(), stop)};
}

void describeRecipes(RunRecord& record, const std::vector<NamedPipeline>& recipes) {
    if (recipes.front().name.empty()) {
        record.recipe = enabledSteps(recipes.front()).steps;
        return;
    }
    record.version = kNamedRecipesVersion;
    for (const NamedPipeline& recipe : recipes) record.recipe.push_back(toText(enabledSteps(recipe)));
}

/// Resolution of the clock that times a row, ns.
double clockStep(const Measurement& m, std::size_t row) {
    const Backend& backend = m.backendOf(row);
    if (backend.availability().yes)
        for (const DeviceInfo& d : backend.devices())
            if (d.index == m.targetOf(row).device && d.clockStepNs > 0) return d.clockStepNs;
    return m.record.machine.timerResolutionNs;
}

}  // namespace

SystemSnapshot describeRun(Measurement& m) {
    RunRecord& record = m.record;
    describeBuild(record, buildInfo());
    record.when = utcNow();
    record.command = m.options.command;
    describeMachineOf(m);
    record.input = inputRecord(*m.input, m.options.stop);
    describeRecipes(record, m.recipes);
    record.protocol = m.options.protocol;
    if (record.protocol.effort.empty()) {
        record.protocol = protocolFor("normal");
        record.protocol.coldCaches = m.options.protocol.coldCaches;
    }
    record.baseline = m.options.baseline;
    if (record.baseline.empty()) record.baseline = m.labelOf(defaultBaseline(m.rows));
    SystemSnapshot before = takeSnapshot();
    addConditions(record.warnings, conditionsOfMachine(record.machine, buildInfo(), before));
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
        RunEntry& entry = record.entries.emplace_back();
        entry.label = m.labelOf(i);
        entry.backend = m.targetOf(i).backend;
        entry.modes = m.targetOf(i).modes;
    }
    return before;
}

void describeEntry(RunEntry& entry, const PreparedRun& run) {
    entry.device = run.deviceName();
    entry.threads = run.threads();
    entry.hosts = run.hosts();
    for (const StepPlan& step : run.plan()) {
        entry.implementations.push_back(step.implementation);
        entry.choices.push_back(step.reason);
        entry.variant += (entry.variant.empty() ? "" : ", ") + step.variant;
    }
    entry.prepare = run.prepareTimes();
    entry.flops = run.work().flops;
    entry.bytes = run.work().bytes;
    entry.tolerance = run.tolerance().absolute;
    entry.toleranceReason = run.tolerance().reason;
    entry.ambiguous = run.tolerance().ambiguous;
    entry.memory = {.estimatedHost = run.estimatedHostBytes(), .estimatedDevice = run.estimatedDeviceBytes()};
}

void finishRecord(Measurement& m, const SystemSnapshot& before) {
    RunRecord& record = m.record;
    addConditions(record.warnings, conditionsWhile(record.machine, before, takeSnapshot()));
    if (m.options.stop.stop_requested())
        record.warnings.push_back(
            "stopped: The measurement was stopped before its end, so there are fewer samples than it would have taken");
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
        RunEntry& e = record.entries[i];
        if (e.status == RunStatus::done) addConditions(e.warnings, conditionsOfEntry(e, record.protocol, record.machine, clockStep(m, i)));
    }
    for (const RunEntry& e : record.entries) {
        if (!e.series.empty() || !e.judgements.empty() || !e.laps.empty()) record.version = std::max(record.version, kSeriesVersion);
        if (e.label.find_first_of("@:") != std::string::npos) record.version = std::max(record.version, kPartsVersion);
    }
    if (record.protocol.coldCaches) record.version = std::max(record.version, kColdCachesVersion);
}

}  // namespace parallax
