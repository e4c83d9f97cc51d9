// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/engine.hpp"

#include <chrono>
#include <mutex>
#include <utility>

#include "core/engine/run/prepared_state.hpp"

namespace parallax {
namespace {

/// Statistics of an image, computed once: an image behind an ImagePtr never changes, and every changed parameter prepares again.
SampleStatistics cachedStatistics(const ImagePtr& image) {
    static std::mutex mutex;
    static std::vector<std::pair<std::weak_ptr<const Image>, SampleStatistics>> cache;
    {
        const std::scoped_lock lock(mutex);
        std::erase_if(cache, [](const auto& entry) { return entry.first.expired(); });
        for (const auto& [known, statistics] : cache)
            if (known.lock() == image) return statistics;
    }
    const SampleStatistics statistics = computeStatistics(*image);
    const std::scoped_lock lock(mutex);
    cache.emplace_back(image, statistics);
    return statistics;
}

void requireSteps(const Pipeline& pipeline) {
    if (!pipeline.hasEnabledSteps()) throw Error(ErrorCode::usage, "There is no step to run", "the pipeline is empty or switched off");
}

std::int64_t nanosecondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

PreparedRun Engine::prepare(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& given) const {
    if (!input || input->shape().empty()) throw Error(ErrorCode::usage, "There is no image to work on");
    requireSteps(pipeline);
    const auto start = std::chrono::steady_clock::now();
    RunContext context = given;
    const auto* const remote = dynamic_cast<const RunsPipelines*>(&catalog_->availableBackend(target.backend));
    RunTarget opened(*catalog_, target, context);
    const SampleStatistics statistics = cachedStatistics(input);
    RunPlan plan = planRun(*catalog_, pipeline, makeProblem(*input, {}, statistics), opened, context);
    auto state = std::make_unique<PreparedRun::State>(std::move(opened), std::move(input), std::move(plan));
    const MemoryMeter::Span preparing(state->memory, state->session());
    state->inputPeak = statistics.maxAbs();
    if (!state->plan.hasSlabs()) checkMemory(state->plan, state->target);
    if (remote) state->remote = remote->preparePipeline(target, state->plan, state->input, state->records, context);
    else state->prepareSteps(context);
    if (state->plan.hasSlabs()) checkMemory(state->plan, state->target);
    state->copyToPageLocked(context);
    state->prepareTimes[Stage::prepare] = nanosecondsSince(start);
    return PreparedRun(std::move(state));
}

void Engine::change(PreparedRun& run, const Pipeline& pipeline, RunContext& given) const {
    requireSteps(pipeline);
    const auto start = std::chrono::steady_clock::now();
    PreparedRun::State& s = *run.state_;
    RunContext context = s.target.contextFor(given);
    s.replaceSteps(planRun(*catalog_, pipeline, makeProblem(*s.input, {}, cachedStatistics(s.input)), s.target, context), context);
    s.prepareTimes = {};
    s.prepareTimes[Stage::prepare] = nanosecondsSince(start);
}

RunResult Engine::run(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& context, bool withLaps) const {
    return run(prepare(pipeline, std::move(input), target, context), context, withLaps);
}

RunResult Engine::run(PreparedRun prepared, RunContext& context, bool withLaps) {
    StageTimes times = prepared.run(context);
    times += prepared.prepareTimes();
    std::vector<StatisticRecord> statistics = prepared.statistics(context);
    std::vector<SeriesRecord> series = prepared.series(context);
    LapsRecord laps = withLaps ? prepared.laps(context) : LapsRecord{};
    std::vector<std::string> warnings = prepared.warnings(context);
    const RunMemory memory = prepared.memory();
    return {prepared.takeImage(),
            times,
            prepared.target(),
            prepared.deviceName(),
            prepared.threads(),
            prepared.plan(),
            std::move(statistics),
            std::move(series),
            std::move(laps),
            std::move(warnings),
            memory};
}

}  // namespace parallax
