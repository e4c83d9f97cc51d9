// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/engine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "core/engine/backend/device_memory.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/engine/parts/parts_run.hpp"
#include "core/engine/pipeline/run_results.hpp"
#include "core/engine/run/live_series.hpp"
#include "core/engine/run/planner.hpp"
#include "core/engine/run/remote_run.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/image/host/memory_use.hpp"

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

/// memcpy() in pieces of about a millisecond, between which it can be cancelled.
void copyUnlessStopped(void* to, const void* from, std::size_t bytes, const RunContext& context) {
    constexpr std::size_t kPiece = std::size_t{8} << 20;
    for (std::size_t at = 0; at < bytes; at += kPiece) {
        context.throwIfStopped();
        std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, std::min(kPiece, bytes - at));
    }
}

/// Measures the host blocks of a run until the end of its first run: those that it keeps, and the most at any time.
class MemoryMeter {
public:
    class Kind {
    public:
        std::uint64_t most() const { return static_cast<std::uint64_t>(std::max<std::int64_t>(0, most_)); }
        void add(std::uint64_t before, std::uint64_t most, std::uint64_t after) {
            if (spans_ == kSpans) return;
            ++spans_;
            const auto since = [before](std::uint64_t bytes) {
                return static_cast<std::int64_t>(bytes) - static_cast<std::int64_t>(before);
            };
            most_ = std::max(most_, kept_ + since(most));
            kept_ += since(after);
        }

    private:
        static constexpr int kSpans = 2;
        int spans_ = 0;
        std::int64_t kept_ = 0, most_ = 0;
    };
    /// The preparation or a run.
    class Span {
    public:
        Span(MemoryMeter& meter, BackendSession& session)
            : meter_(meter), before_(hostMemoryUse()), device_(dynamic_cast<MeasuresDeviceMemory*>(&session)) {
            if (!device_) return;
            (void)device_->takeDeviceMemoryPeak();
            deviceBefore_ = device_->usedDeviceMemory();
        }
        ~Span() {
            const HostMemoryUse most = peak_.most(), after = hostMemoryUse();
            meter_.memory_.add(before_.memory, most.memory, after.memory);
            meter_.scratch_.add(before_.scratch, most.scratch, after.scratch);
            if (device_) meter_.device_.add(deviceBefore_, device_->takeDeviceMemoryPeak(), device_->usedDeviceMemory());
        }
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;

    private:
        MemoryMeter& meter_;
        HostMemoryUse before_;
        HostMemoryPeak peak_;
        MeasuresDeviceMemory* device_;
        std::uint64_t deviceBefore_ = 0;
    };

    const Kind& memory() const { return memory_; }
    const Kind& scratch() const { return scratch_; }
    const Kind& device() const { return device_; }

private:
    Kind memory_, scratch_, device_;
};

/// A range for profilers that also ends if the work throws.
class NamedRange {
public:
    NamedRange(BackendSession& session, const std::string& name) : session_(session) { session_.beginRange(name.c_str()); }
    ~NamedRange() { session_.endRange(); }
    NamedRange(const NamedRange&) = delete;
    NamedRange& operator=(const NamedRange&) = delete;

private:
    BackendSession& session_;
};

}  // namespace

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

void PreparedRun::State::setPlan(RunPlan planned) {
    plan = std::move(planned);
    work.resize(plan.buffers.layouts.size());
    records.clear();
    for (const PlannedStep& step : plan.steps) records.push_back(step.record);
}

void PreparedRun::State::prepareSteps(RunContext& context) {
    if (plan.division == Division::parts) {
        translated(target.target().label(), [&] {
            parts = std::make_unique<PartsRun>(plan, target);
            parts->prepare(context);
        });
        return;
    }
    for (const PlannedStep& step : plan.steps) {
        context.throwIfStopped();
        executions.push_back(translated(target.target().label(), [&] {
            const NamedRange range(session(), "prepare " + step.record.implementation);
            RunContext own = contextOf(step, context);
            return step.implementation->prepare(step.problem, own);
        }));
    }
    for (std::size_t i = 0; i < executions.size(); ++i) {
        if (!plan.isInSlabs(i)) continue;
        translated(target.target().label(),
                   [&] { plan.setStrips(i, executions[i]->prepareSlabs(target.slabLimits(), plan.stripMemory, context), target); });
        records[i] = plan.steps[i].record;
    }
}

void PreparedRun::State::copyToPageLocked(const RunContext& context) {
    if (!target.asksFor(Capability::pageLocked)) return;
    pageLockedMemory = session().pageLockedMemory();
    translated(target.target().label(), [&] { pageLockedInput = Buffer(input->shape(), SampleType::float32, pageLockedMemory); });
    copyUnlessStopped(pageLockedInput.data(), input->view().data, pageLockedInput.bytes(), context);
}

std::shared_ptr<Allocator> PreparedRun::State::hostMemory(const RunContext& context) const {
    return remote ? remote->resultMemory() : pageLockedMemory ? pageLockedMemory : context.hostMemory;
}

void PreparedRun::State::allocate(const RunContext& context) {
    session().clock().begin(Stage::allocate);
    BackendSession* const device = onHost() ? nullptr : &session();
    if (!divided()) {
        if (device) {
            if (deviceInput.empty() || deviceInput.layout() != plan.buffers.input) hasInput = false;
            ensureBuffer(deviceInput, plan.buffers.input, device);
        }
        for (std::size_t i = 0; i < work.size(); ++i) ensureBuffer(work[i], plan.buffers.layouts[i], device, hostMemory(context));
    }
    ensureBuffer(result, outputShape(), nullptr, hostMemory(context));
    session().clock().end();
}

void PreparedRun::State::upload() {
    if (hasInput) return;
    session().clock().begin(Stage::upload);
    session().upload(hostInput(), deviceInput.view<float>());
    session().clock().end();
    hasInput = keepsInput;
}

void PreparedRun::State::replaceSteps(RunPlan planned, RunContext& context) {
    if (divided() || planned.division != Division::whole || target.asksFor(Capability::recorded))
        throw Error(ErrorCode::unavailable, "The steps of this run cannot be changed", "it is recorded, in strips, on parts or on ranks",
                    "Prepare a new run");
    checkMemory(planned, target);
    hasResult = false;
    executions.clear();
    setPlan(std::move(planned));
    try {
        prepareSteps(context);
    } catch (...) {
        executions.clear();
        throw;
    }
}

void PreparedRun::State::compute(RunContext& context) {
    View<const float> current = onHost() ? input->view() : std::as_const(deviceInput).view<float>();
    for (std::size_t i = 0; i < executions.size(); ++i) {
        context.throwIfStopped();
        View<float> out = finalOnHost(i) ? result.view<float>() : work[plan.buffers.ofStep[i]].view<float>();
        const std::array<View<const float>, 1> ins{current};
        const std::array<View<float>, 1> outs{out};
        const NamedRange range(session(), records[i].implementation);
        RunContext own = contextOf(plan.steps[i], context);
        if (own.live) own.live->beginStep(static_cast<int>(i), plan.steps[i].operation->id(), seriesOf(*plan.steps[i].operation));
        executions[i]->run(ins, outs, own);
        current = out;
    }
}

void PreparedRun::State::computeRecorded(const RunContext& given) {
    RunContext context = given;
    context.progress = nullptr;  // steps are called by the first run only
    std::vector<const void*> buffers{deviceInput.data()};
    for (const Buffer& b : work) buffers.push_back(b.data());
    session().runRecorded(buffers, [&] { compute(context); });
    if (given.progress) given.progress->add(plan.rows());
}

void PreparedRun::State::download() {
    session().clock().begin(Stage::download);
    session().download(work[plan.buffers.ofStep.back()].view<float>(), result.view<float>());
    session().clock().end();
}

StageTimes PreparedRun::State::runWhole(RunContext& context) {
    if (!onHost()) {
        context.throwIfStopped();
        upload();
    }
    context.throwIfStopped();
    if (target.asksFor(Capability::recorded)) {
        computeRecorded(context);
    } else {
        session().clock().begin(Stage::compute);
        compute(context);
        session().clock().end();
    }
    if (!onHost()) {
        context.throwIfStopped();
        download();
    }
    return session().clock().finish();
}

StageTimes PreparedRun::State::runDivided(RunContext& context) {
    if (remote) {
        StageTimes times = remote->run(result.view<float>(), context);
        times[Stage::allocate] += session().clock().finish()[Stage::allocate];
        return times;
    }
    if (parts) return parts->run(hostInput(), result.view<float>(), context);
    View<const float> current = hostInput();
    for (std::size_t i = 0; i < executions.size(); ++i) {
        const View<float> out = stripResult(i, context);
        const NamedRange range(session(), records[i].implementation);
        session().runStrips(*executions[i], plan.strips[i], current, out, context);
        current = out;
    }
    return session().clock().finish();
}

View<float> PreparedRun::State::stripResult(std::size_t step, const RunContext& context) {
    if (step + 1 == executions.size()) return result.view<float>();
    session().clock().begin(Stage::allocate);
    Buffer& buffer = between[step % between.size()];
    ensureBuffer(buffer, plan.steps[step].outputShape, nullptr, hostMemory(context));
    session().clock().end();
    return buffer.view<float>();
}

void PreparedRun::State::releaseBuffers() {
    hasInput = false;
    deviceInput = Buffer();
    for (Buffer& b : work) b = Buffer();
    for (Buffer& b : between) b = Buffer();
    if (parts) parts->releaseBuffers();
    result = Buffer();
}

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
            .host = s.memory.memory().most(),
            .scratch = s.memory.scratch().most(),
            .device = s.memory.device().most()};
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
