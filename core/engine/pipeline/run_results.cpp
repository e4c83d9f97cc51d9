// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pipeline/run_results.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/run/live_series.hpp"
#include "core/engine/run/translated_errors.hpp"

namespace parallax {

std::vector<StatisticRecord> statisticsOfRun(const FinishedRun& run, RunContext context) {
    std::vector<StatisticRecord> records;
    for (std::size_t i = 0; i < run.plan.steps.size(); ++i) {
        const Operation& operation = *run.plan.steps[i].operation;
        RunContext own = contextOfStep(run.plan.steps[i], run.target, context);
        const std::vector<Statistic> values = translated(run.target.target().label(), [&] { return run.execution(i).statistics(own); });
        for (const StatisticInfo& info : statisticsOf(operation))
            for (const Statistic& value : values)
                if (value.key == info.key)
                    records.push_back({static_cast<int>(i), operation.id(), info.key, value.title.empty() ? info.title : value.title,
                                       value.title.empty() ? info.unit : value.unit, info.help, value.value});
    }
    return records;
}

std::vector<SeriesRecord> seriesOfRun(const FinishedRun& run, RunContext context) {
    std::vector<SeriesRecord> records;
    for (std::size_t i = 0; i < run.plan.steps.size(); ++i) {
        const Operation& operation = *run.plan.steps[i].operation;
        const std::vector<RunSeriesInfo> infos = seriesOf(operation);
        if (infos.empty()) continue;
        std::vector<RunSeries> all = translated(run.target.target().label(), [&] { return run.execution(i).series(context); });
        for (const RunSeriesInfo& info : infos)
            for (RunSeries& one : all)
                if (one.key == info.key) {
                    SeriesRecord& record = records.emplace_back(seriesRecordOf(static_cast<int>(i), operation.id(), info));
                    record.label = std::move(one.label);
                    record.end = std::move(one.end);
                    record.x = std::move(one.x);
                    record.y = std::move(one.y);
                    record.tolerance = one.tolerance;
                }
    }
    return records;
}

LapsRecord lapsOfRun(const FinishedRun& run, RunContext context) {
    LapsRecord record;
    for (std::size_t i = 0; i < run.plan.steps.size(); ++i) {
        const Operation& operation = *run.plan.steps[i].operation;
        const std::vector<RunLapInfo> infos = lapsOf(operation);
        if (infos.empty()) continue;
        for (const RunLap& lap : translated(run.target.target().label(), [&] { return run.execution(i).laps(context); })) {
            const auto info = std::find_if(infos.begin(), infos.end(), [&](const RunLapInfo& known) { return known.key == lap.key; });
            if (info != infos.end())
                record.laps.push_back(
                    {static_cast<int>(i), operation.id(), info->key, info->title, info->help, lap.label, lap.nanoseconds, lap.count});
        }
    }
    if (!record.laps.empty()) record.compute = run.computeTime;
    return record;
}

std::vector<std::string> warningsOfRun(const FinishedRun& run, RunContext context) {
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < run.plan.steps.size(); ++i)
        for (std::string& sentence : translated(run.target.target().label(), [&] { return run.execution(i).warnings(context); }))
            sentences.push_back(run.plan.steps.size() > 1 ? run.plan.steps[i].operation->id() + ": " + sentence : std::move(sentence));
    return sentences;
}

void describeResult(Image& image, const std::vector<Fact>& facts, const std::vector<StepPlan>& steps) {
    std::erase_if(image.metadata, [](const MetadataEntry& e) { return e.name.starts_with(kFactPrefix); });
    for (const Fact& fact : facts) image.metadata.push_back({fact.name, "string", fact.text, {}});
    for (const StepPlan& step : steps) image.provenance.push_back(step.step + " [" + step.implementation + "]");
}

}  // namespace parallax
