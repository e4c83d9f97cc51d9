// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of the steps of a run: statistics, series, laps and warnings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/engine/plan/planner.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/image/image.hpp"

namespace parallax {

/// A run that has ended. Members are those of its owner.
struct FinishedRun {
    const RunPlan& plan;
    const RunTarget& target;
    std::function<Execution&(std::size_t step)> execution;  ///< on parts: that of the first
    std::int64_t computeTime = 0;                           ///< ns
};

// As the functions of PreparedRun. `context`: RunTarget::contextFor().
std::vector<StatisticRecord> statisticsOfRun(const FinishedRun& run, RunContext context);
std::vector<SeriesRecord> seriesOfRun(const FinishedRun& run, RunContext context);
LapsRecord lapsOfRun(const FinishedRun& run, RunContext context);
std::vector<std::string> warningsOfRun(const FinishedRun& run, RunContext context);

/// Replaces the facts of an input by those of the result, and adds the steps to the provenance.
void describeResult(Image& image, const std::vector<Fact>& facts, const std::vector<StepPlan>& steps);

}  // namespace parallax
