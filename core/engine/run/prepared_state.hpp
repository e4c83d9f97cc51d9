// SPDX-License-Identifier: GPL-3.0-or-later
// Holds target, plan, executions and buffers of a PreparedRun, and carries out its runs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/parts/parts_run.hpp"
#include "core/engine/pipeline/run_results.hpp"
#include "core/engine/plan/planner.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/memory_meter.hpp"
#include "core/engine/run/remote_run.hpp"

namespace parallax {

struct PreparedRun::State {
    State(RunTarget opened, ImagePtr image, RunPlan planned) : target(std::move(opened)), input(std::move(image)) {
        setPlan(std::move(planned));
    }
    ~State() {
        // Devices may use executions and buffers until their sessions are drained.
        target.drain();
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    RunTarget target;
    ImagePtr input;
    RunPlan plan;
    std::vector<StepPlan> records;                       // of plan.steps
    std::vector<std::unique_ptr<Execution>> executions;  // unless the run is on parts
    std::unique_ptr<PartsRun> parts;
    std::unique_ptr<RemoteRun> remote;
    StageTimes prepareTimes;
    double inputPeak = 0;

    MemoryMeter memory;

    // Copy of the image in page-locked memory, if the target asks for it.
    Buffer pageLockedInput;
    std::shared_ptr<Allocator> pageLockedMemory;

    // Kept between runs. The last step writes `result` directly if the session's memory is the host's.
    Buffer deviceInput;
    std::vector<Buffer> work;       // plan.buffers
    std::array<Buffer, 2> between;  // host memory: results between steps in strips
    Buffer result;
    bool hasResult = false;
    bool keepsInput = false, hasInput = false;  // on the device
    std::int64_t computeTime = 0;               ///< ns, of the last run

    BackendSession& session() const { return target.session(); }
    bool onHost() const { return target.onHost(); }
    void setPlan(RunPlan planned);
    bool divided() const { return plan.division != Division::whole || remote; }
    bool finalOnHost(std::size_t step) const { return onHost() && step + 1 == executions.size(); }
    View<const float> hostInput() const { return pageLockedInput.empty() ? input->view() : pageLockedInput.view<float>(); }
    const Shape& outputShape() const { return plan.steps.back().outputShape; }

    RunContext contextOf(const PlannedStep& step, const RunContext& context) const { return contextOfStep(step, target, context); }
    /// The execution of a step. On parts it is that of the first one, which knows as much of the run as the others.
    Execution& execution(std::size_t step) const {
        return remote ? remote->execution(step) : parts ? parts->execution(step) : *executions[step];
    }
    double dataTolerance(std::size_t step) const { return parts ? parts->dataTolerance(step) : execution(step).dataTolerance(); }
    FinishedRun finished() const {
        return {plan, target, [this](std::size_t step) -> Execution& { return execution(step); }, computeTime};
    }
    void prepareSteps(RunContext& context);
    void copyToPageLocked(const RunContext& context);
    std::shared_ptr<Allocator> hostMemory(const RunContext& context) const;
    void allocate(const RunContext& context);
    void upload();
    void replaceSteps(RunPlan planned, RunContext& context);
    void compute(RunContext& context);
    void computeRecorded(const RunContext& given);
    void download();
    StageTimes runWhole(RunContext& context);
    StageTimes runDivided(RunContext& context);
    /// The buffer of the result of a step in strips.
    View<float> stripResult(std::size_t step, const RunContext& context);
    void releaseBuffers();
};

}  // namespace parallax
