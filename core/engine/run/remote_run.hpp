// SPDX-License-Identifier: GPL-3.0-or-later
// Backends that run whole pipelines outside this process.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/plan/planner.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// A pipeline that another process has prepared.
class RemoteRun {
public:
    virtual ~RemoteRun() = default;
    /// Memory of results that the other process can write.
    virtual std::shared_ptr<Allocator> resultMemory() const = 0;
    /// Runs once; `result` is in resultMemory(). Throws Error; can be called again after an error.
    virtual StageTimes run(const View<float>& result, RunContext& context) = 0;
    /// Has statistics, series, transfer curve and tolerance of a step in the last run. Does not run itself.
    virtual Execution& execution(std::size_t step) = 0;
    virtual int threads() const = 0;  ///< of all processes
    virtual const std::string& deviceName() const = 0;
    virtual std::vector<RankHost> hosts() const = 0;
    /// As those of PreparedRun.
    virtual std::optional<TrafficRecord> traffic() const = 0;
    virtual std::vector<std::string> warnings() const = 0;
};

/// Inherited by such backends. Their implementations describe and do not prepare. A target with several parts is one of several ranks.
class RunsPipelines {
public:
    virtual ~RunsPipelines() = default;
    /// Prepares a planned pipeline on `target`. `records` are those of the plan: implementations and reasons become what the other process
    /// selects. Throws Error.
    virtual std::unique_ptr<RemoteRun> preparePipeline(const Target& target, const RunPlan& plan, const ImagePtr& input,
                                                       std::vector<StepPlan>& records, RunContext& context) const = 0;
};

}  // namespace parallax
