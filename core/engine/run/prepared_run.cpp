// SPDX-License-Identifier: GPL-3.0-or-later
// The members of PreparedRun: one run, and what is known of the last one.
#include <algorithm>
#include <optional>
#include <utility>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/prepared_state.hpp"
#include "core/engine/run/translated_errors.hpp"

namespace parallax {

PreparedRun::PreparedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedRun::PreparedRun(PreparedRun&&) noexcept = default;
PreparedRun& PreparedRun::operator=(PreparedRun&&) noexcept = default;
PreparedRun::~PreparedRun() = default;

const Target& PreparedRun::target() const { return state_->target.target(); }
const std::string& PreparedRun::deviceName() const { return state_->remote ? state_->remote->deviceName() : state_->target.deviceName(); }
int PreparedRun::threads() const {
    const State& s = *state_;
    return s.remote ? s.remote->threads() : s.parts ? s.parts->threads() : s.target.threads();
}
const std::vector<StepPlan>& PreparedRun::plan() const { return state_->records; }
const StageTimes& PreparedRun::prepareTimes() const { return state_->prepareTimes; }
Work PreparedRun::work() const { return state_->plan.work; }
std::vector<double> PreparedRun::dataTolerances() const {
    std::vector<double> tolerances;
    for (std::size_t i = 0; i < state_->plan.steps.size(); ++i) tolerances.push_back(state_->dataTolerance(i));
    return tolerances;
}
Tolerance PreparedRun::tolerance() const { return state_->plan.tolerance.result(dataTolerances()); }
LocalTolerance PreparedRun::localTolerance() const {
    std::vector<std::pair<const HasLocalTolerance*, Problem>> steps;
    for (const PlannedStep& step : state_->plan.steps) {
        const auto* local = capability<HasLocalTolerance>(*step.operation);
        if (!local || !step.implementation->errsLocally(step.problem)) return {};
        steps.emplace_back(local, step.problem);
    }
    return [steps = std::move(steps), input = state_->input](std::int64_t z, std::int64_t channel, std::span<float> plane) {
        const View<const float> view = input->view();
        LocalBounds bounds;
        for (std::int64_t y = 0; y < view.shape.height; ++y)
            bounds.magnitudes.insert(bounds.magnitudes.end(), view.row(y, z, channel), view.row(y, z, channel) + view.shape.width);
        bounds.tolerances.assign(bounds.magnitudes.size(), 0);
        for (const auto& [local, problem] : steps) bounds = local->localBounds(problem, channel, std::move(bounds));
        std::copy_n(bounds.tolerances.begin(), plane.size(), plane.begin());
    };
}
double PreparedRun::inputPeak() const { return state_->inputPeak; }
int PreparedRun::borderWidth() const { return state_->plan.tolerance.borderWidth(); }
std::uint64_t PreparedRun::estimatedHostBytes() const { return state_->plan.hostBytes; }
std::uint64_t PreparedRun::estimatedDeviceBytes() const { return state_->plan.deviceBytes; }
std::uint64_t PreparedRun::estimatedScratchBytes() const { return state_->plan.scratchBytes; }
RunMemory PreparedRun::memory() const {
    const State& s = *state_;
    return {.estimatedHost = s.plan.hostBytes,
            .estimatedDevice = s.plan.deviceBytes,
            .host = s.memory.memory(),
            .scratch = s.memory.scratch(),
            .device = s.memory.device()};
}

void PreparedRun::keepInput() { state_->keepsInput = true; }

StageTimes PreparedRun::run(RunContext& given) {
    State& s = *state_;
    if (!s.divided() && s.executions.empty())
        throw Error(ErrorCode::failed, "There is no step to run", "the last change of the steps failed");
    RunContext context = s.target.contextFor(given);
    s.hasResult = false;
    const MemoryMeter::Span running(s.memory, s.session());
    if (context.progress) context.progress->start(s.plan.rows());
    try {
        return translated(target().label(), [&] {
            context.throwIfStopped();
            s.allocate(context);
            const StageTimes times = s.divided() ? s.runDivided(context) : s.runWhole(context);
            s.hasResult = true;
            s.computeTime = times.compute();
            return times;
        });
    } catch (const Error& e) {
        // Nothing may be in flight when the caller sees the error.
        s.target.drain();
        (void)s.session().clock().finish();
        if (e.code() != ErrorCode::cancelled) s.hasInput = false;
        if (e.code() == ErrorCode::memory) s.releaseBuffers();  // the next run may need them
        throw;
    }
}

void PreparedRun::startProfiler() {
    state_->session().drain();
    state_->session().startProfiler();
}
void PreparedRun::stopProfiler() {
    state_->session().drain();
    state_->session().stopProfiler();
}

std::vector<StatisticRecord> PreparedRun::statistics(RunContext& given) {
    if (!state_->hasResult) return {};
    return statisticsOfRun(state_->finished(), state_->target.contextFor(given));
}

std::vector<SeriesRecord> PreparedRun::series(RunContext& given) {
    if (!state_->hasResult) return {};
    return seriesOfRun(state_->finished(), state_->target.contextFor(given));
}

LapsRecord PreparedRun::laps(RunContext& given) {
    if (!state_->hasResult) return {};
    return lapsOfRun(state_->finished(), state_->target.contextFor(given));
}

std::vector<std::string> PreparedRun::warnings(RunContext& given) {
    if (!state_->hasResult) return {};
    if (state_->remote) return state_->remote->warnings();
    return warningsOfRun(state_->finished(), state_->target.contextFor(given));
}

std::optional<TrafficRecord> PreparedRun::traffic() const {
    const State& s = *state_;
    if (!s.hasResult || !(s.parts || s.remote)) return std::nullopt;
    return s.remote ? s.remote->traffic() : s.parts->traffic();
}

std::vector<RankHost> PreparedRun::hosts() const {
    const State& s = *state_;
    if (s.remote) return s.remote->hosts();
    const Ranks* const ranks = s.parts ? s.target.ranks() : nullptr;
    return ranks ? hostsOfRanks(*ranks, s.target.parts()) : std::vector<RankHost>{};
}

std::vector<JudgementRecord> PreparedRun::judgements() {
    const State& s = *state_;
    std::vector<JudgementRecord> records;
    if (!s.hasResult || s.plan.steps.size() != 1) return records;
    const PlannedStep& step = s.plan.steps.front();
    const auto* judges = capability<JudgesResult>(*step.operation);
    if (!judges) return records;
    for (Judgement& j : judges->verify(step.problem, s.input->view(), output()))
        records.push_back({step.operation->id(), std::move(j.criterion), std::move(j.reason), j.value, j.bound});
    return records;
}

std::vector<TransferRecord> PreparedRun::transfers(RunContext& given) {
    const State& s = *state_;
    std::vector<TransferRecord> records;
    if (!s.hasResult) return records;
    RunContext context = s.target.contextFor(given);
    for (std::size_t i = 0; i < s.plan.steps.size(); ++i) {
        const Operation& operation = *s.plan.steps[i].operation;
        const std::optional<TransferInfo> info = transferInfoOf(operation);
        if (!info) continue;
        RunContext own = s.contextOf(s.plan.steps[i], context);
        TransferCurve curve = translated(target().label(), [&] { return s.execution(i).transferCurve(own); });
        if (!curve.empty()) records.push_back({static_cast<int>(i), operation.id(), *info, std::move(curve)});
    }
    return records;
}

View<const float> PreparedRun::output() const {
    if (!state_->hasResult) return {};
    return std::as_const(state_->result).view<float>();
}

const Shape& PreparedRun::outputShape() const { return state_->outputShape(); }

void PreparedRun::useResult(Buffer buffer) {
    state_->hasResult = false;
    state_->result = std::move(buffer);
}

Image PreparedRun::takeImage() {
    State& s = *state_;
    if (!s.hasResult) throw Error(ErrorCode::failed, "There is no result to take", "no run has completed since the last one was taken");
    s.hasResult = false;
    Image image = s.input->withSamples(std::move(s.result));
    s.result = Buffer();
    describeResult(image, s.plan.facts, s.records);
    return image;
}

}  // namespace parallax
