// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/engine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include "core/engine/backend/backend.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB"; }

/// Translates what implementations may throw besides Error, so that callers see one type.
template <class F>
auto translated(const std::string& who, F&& f) {
    try {
        return f();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, "Not enough memory", who + " could not get what it needs",
                    "Close other images or use a smaller one");
    } catch (const std::exception& e) {
        throw Error(ErrorCode::failed, who + " failed", e.what());
    }
}

/// Images behind an ImagePtr never change, so their statistics are found once: every changed parameter prepares anew.
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

/// As memcpy() of floats that lie densely, in pieces that a cancel need not wait for long.
void copyUnlessStopped(void* to, const void* from, std::size_t bytes, const RunContext& context) {
    constexpr std::size_t kPiece = std::size_t{8} << 20;  // a millisecond
    for (std::size_t at = 0; at < bytes; at += kPiece) {
        context.throwIfStopped();
        std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, std::min(kPiece, bytes - at));
    }
}

/// What a profiler shows, also when the work throws.
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
    Target target;
    const Backend* backend = nullptr;
    std::string deviceName;
    int threads = 0;
    ImagePtr input;
    std::vector<StepPlan> plan;
    std::vector<const Operation*> operations;
    std::vector<Shape> shapes;  // after each step
    std::vector<std::unique_ptr<Execution>> executions;
    StripSupport firstStrips;  // of the first step
    Support firstSlabs;
    std::unique_ptr<BackendSession> session;
    StageTimes prepareTimes;
    Work work;
    double ambiguous = 0, inputPeak = 0;
    std::vector<double> gains;  // of each step, for errors made before it
    std::vector<Fact> facts;    // that hold for the result
    std::string toleranceReason;
    int borderWidth = 0;
    std::uint64_t hostBytes = 0, deviceBytes = 0;

    // The image in page-locked memory and where results come from, in the mode `pinned`.
    Buffer pinnedInput;
    std::shared_ptr<Allocator> pinnedMemory;
    // By strips instead of in one go, where this is asked for or the memory of the device is too small.
    std::optional<StripPlan> strips;

    // Kept between runs. Steps that do not follow each other and have results of one shape share a work buffer, so that most
    // pipelines go back and forth between two; the last step writes `result` directly when the session's memory is the host's.
    Buffer deviceInput;
    std::vector<std::size_t> slots;  // of each step
    std::vector<Shape> slotShapes;
    std::vector<Buffer> work_;
    Buffer result;
    bool hasResult = false;

    ~State() {
        // Executions and buffers may be in use by the device until the session is drained.
        if (session) session->drain();
    }
    bool onHost() const { return isHostAccessible(session->memorySpace()); }

    /// Where step i writes when it is not the final one on the host.
    void ensure(Buffer& buffer, const Shape& shape, bool inSession, const RunContext& context) {
        if (!buffer.empty() && buffer.shape() == shape) return;
        buffer = Buffer();  // give back first: peak memory is what counts
        if (inSession && !onHost()) buffer = session->allocate(shape);
        else
            buffer = Buffer(shape, SampleType::float32,
                            pinnedMemory         ? pinnedMemory
                            : context.hostMemory ? context.hostMemory
                                                 : hostAllocator());
    }
    View<const float> hostInput() const { return pinnedInput.empty() ? input->view() : pinnedInput.view<float>(); }
    bool finalOnHost(std::size_t step) const { return onHost() && step + 1 == executions.size(); }

    void allocate(const RunContext& context) {
        if (!onHost() && !strips) ensure(deviceInput, input->shape(), true, context);
        for (std::size_t i = 0; i < executions.size(); ++i)
            if (!finalOnHost(i) && !strips) ensure(work_[slots[i]], shapes[i], true, context);
        ensure(result, shapes.back(), false, context);
    }

    void compute(RunContext& context) {
        View<const float> current = onHost() ? input->view() : std::as_const(deviceInput).view<float>();
        for (std::size_t i = 0; i < executions.size(); ++i) {
            context.throwIfStopped();
            View<float> out = finalOnHost(i) ? result.view<float>() : work_[slots[i]].view<float>();
            const std::array<View<const float>, 1> ins{current};
            const std::array<View<float>, 1> outs{out};
            const NamedRange range(*session, plan[i].implementation);
            executions[i]->run(ins, outs, context);
            current = out;
        }
    }
    /// compute() as it was recorded in the first run, with its times.
    void repeat(const RunContext& given) {
        RunContext context = given;
        context.progress = nullptr;  // of a run that only repeats, the steps know nothing
        std::vector<const void*> buffers{deviceInput.data()};
        for (const Buffer& b : work_) buffers.push_back(b.data());
        session->repeat(buffers, [&] { compute(context); });
        if (given.progress) given.progress->add(rows());
    }
    std::int64_t rows() const {
        std::int64_t sum = 0;
        for (const Shape& shape : shapes) sum += shape.height * shape.depth * shape.channels;
        return sum;
    }

    /// Why this pipeline is not run in strips; empty if it can be.
    std::string whyNoStrips() const {
        if (session->stripLimits(target.has(kModePinned)).atOnce == 0) return "Backend '" + target.backend + "' does not work in strips";
        if (executions.size() > 1) return "Only pipelines of one step work in strips";
        if (firstStrips || firstSlabs) return {};
        return plan[0].variant + ": " + (firstSlabs.reason.empty() ? firstStrips.reason : firstSlabs.reason);
    }
    void planStrips(std::uint64_t memory, RunContext& context) {
        const bool pinned = target.has(kModePinned);
        if (firstStrips) strips = parallax::planStrips(shapes[0], firstStrips, session->stripLimits(pinned), memory);
        else translated(target.label(), [&] { strips = executions[0]->prepareSlabs(session->slabLimits(pinned), memory, context); });
    }

    const Buffer& last() const { return work_[slots.back()]; }

    /// Called once the shapes are known.
    void assignSlots() {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            if (finalOnHost(i)) break;
            std::size_t slot = 0;
            while (slot < slotShapes.size() && (slotShapes[slot] != shapes[i] || (i > 0 && slots[i - 1] == slot))) ++slot;
            if (slot == slotShapes.size()) slotShapes.push_back(shapes[i]);
            slots.push_back(slot);
        }
        work_.resize(slotShapes.size());
    }
    std::uint64_t workBytes() const {
        std::uint64_t bytes = 0;
        for (const Shape& shape : slotShapes) bytes += checkedBytes(shape, SampleType::float32);
        return bytes;
    }
};

PreparedRun::PreparedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedRun::PreparedRun(PreparedRun&&) noexcept = default;
PreparedRun& PreparedRun::operator=(PreparedRun&&) noexcept = default;
PreparedRun::~PreparedRun() = default;

const Target& PreparedRun::target() const { return state_->target; }
const std::string& PreparedRun::deviceName() const { return state_->deviceName; }
int PreparedRun::threads() const { return state_->threads; }
const std::vector<StepPlan>& PreparedRun::plan() const { return state_->plan; }
const StageTimes& PreparedRun::prepareTimes() const { return state_->prepareTimes; }
Work PreparedRun::work() const { return state_->work; }
Tolerance PreparedRun::tolerance() const {
    // An error made before a step is magnified by its gain.
    double error = 0;
    for (std::size_t i = 0; i < state_->plan.size(); ++i)
        error = error * state_->gains[i] + state_->plan[i].tolerance.absolute + state_->executions[i]->dataTolerance();
    return {error, state_->toleranceReason, state_->ambiguous};
}
double PreparedRun::inputPeak() const { return state_->inputPeak; }
int PreparedRun::borderWidth() const { return state_->borderWidth; }
std::uint64_t PreparedRun::estimatedHostBytes() const { return state_->hostBytes; }
std::uint64_t PreparedRun::estimatedDeviceBytes() const { return state_->deviceBytes; }

StageTimes PreparedRun::run(RunContext& given) {
    State& s = *state_;
    RunContext context = given;
    context.session = s.session.get();
    context.threads = s.threads;
    context.device = s.target.device;
    s.hasResult = false;
    if (context.progress) context.progress->start(s.rows());
    StageClock& clock = s.session->clock();
    try {
        return translated(s.target.label(), [&] {
            context.throwIfStopped();
            clock.begin(Stage::allocate);
            s.allocate(context);
            clock.end();
            if (s.strips) {
                const NamedRange range(*s.session, s.plan[0].implementation);
                s.session->runStrips(*s.executions[0], *s.strips, s.hostInput(), s.result.view<float>(), context);
                const StageTimes times = clock.finish();
                s.hasResult = true;
                return times;
            }
            if (!s.onHost()) {
                context.throwIfStopped();
                clock.begin(Stage::upload);
                s.session->upload(s.hostInput(), s.deviceInput);
                clock.end();
            }
            if (s.target.has(kModeGraph)) {
                s.repeat(context);
            } else {
                clock.begin(Stage::compute);
                s.compute(context);
                clock.end();
            }
            if (!s.onHost()) {
                context.throwIfStopped();
                clock.begin(Stage::download);
                s.session->download(s.last(), s.result.view<float>());
                clock.end();
            }
            const StageTimes times = clock.finish();
            s.hasResult = true;
            return times;
        });
    } catch (const Error& e) {
        // Nothing may be in flight when the caller sees the error; memory is given back so that the next run has it.
        s.session->drain();
        (void)clock.finish();
        if (e.code() == ErrorCode::memory) {
            s.deviceInput = Buffer();
            for (Buffer& b : s.work_) b = Buffer();
            s.result = Buffer();
        }
        throw;
    }
}

void PreparedRun::startProfiler() {
    state_->session->drain();
    state_->session->startProfiler();
}
void PreparedRun::stopProfiler() {
    state_->session->drain();
    state_->session->stopProfiler();
}

std::vector<StatisticRecord> PreparedRun::statistics(RunContext& given) {
    State& s = *state_;
    std::vector<StatisticRecord> records;
    if (!s.hasResult) return records;
    RunContext context = given;
    context.session = s.session.get();
    context.threads = s.threads;
    context.device = s.target.device;
    for (std::size_t i = 0; i < s.executions.size(); ++i) {
        const std::vector<Statistic> found = translated(s.target.label(), [&] { return s.executions[i]->statistics(context); });
        for (const StatisticInfo& info : statisticsOf(*s.operations[i]))
            for (const Statistic& f : found)
                if (f.key == info.key)
                    records.push_back({static_cast<int>(i), s.operations[i]->id(), info.key, f.title.empty() ? info.title : f.title,
                                       f.title.empty() ? info.unit : f.unit, info.help, f.value});
    }
    return records;
}

std::vector<TransferRecord> PreparedRun::transfers(RunContext& given) {
    State& s = *state_;
    std::vector<TransferRecord> records;
    if (!s.hasResult) return records;
    RunContext context = given;
    context.session = s.session.get();
    context.threads = s.threads;
    context.device = s.target.device;
    for (std::size_t i = 0; i < s.executions.size(); ++i) {
        const std::optional<TransferInfo> info = transferInfoOf(*s.operations[i]);
        if (!info) continue;
        TransferCurve curve = translated(s.target.label(), [&] { return s.executions[i]->transferCurve(context); });
        if (!curve.empty()) records.push_back({static_cast<int>(i), s.operations[i]->id(), *info, std::move(curve)});
    }
    return records;
}

View<const float> PreparedRun::output() const {
    if (!state_->hasResult) return {};
    return std::as_const(state_->result).view<float>();
}

Image PreparedRun::takeImage() {
    State& s = *state_;
    if (!s.hasResult) throw Error(ErrorCode::failed, "There is no result to take");
    s.hasResult = false;
    Image image = s.input->withSamples(std::move(s.result));
    s.result = Buffer();
    // The result says what holds for it, whatever the input said.
    std::erase_if(image.metadata, [](const MetadataEntry& e) { return e.name.starts_with(kFactPrefix); });
    for (const Fact& fact : s.facts) image.metadata.push_back({fact.name, "string", fact.text, {}});
    for (const StepPlan& step : s.plan) image.provenance.push_back(step.step + " [" + step.implementation + "]");
    return image;
}

namespace {

/// For a single step that does not fit in the memory of the device as `asked` would do it: the first implementation that works in
/// strips, in the order in which the backend prefers them, `asked` before all. Returns `asked` if there is none.
Selection chooseForStrips(const std::vector<const Implementation*>& all, const Selection& asked, const Problem& problem,
                          const Target& target, const std::string& why) {
    std::vector<std::pair<int, const Implementation*>> ranked{{0, asked.implementation}};
    for (const Implementation* i : all)
        if (i != asked.implementation && i->supports(problem)) ranked.emplace_back(i->preference(problem, target.device).rank, i);
    std::stable_sort(ranked.begin() + 1, ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [rank, i] : ranked) {
        if (!i->strips(problem) && !i->slabs(problem)) continue;
        if (i == asked.implementation) return asked;
        return {i, "works in strips, unlike " + asked.implementation->variant() + " (" + asked.reason + "), " + why};
    }
    return asked;
}

}  // namespace

PreparedRun Engine::prepare(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& given) const {
    if (!input || input->shape().empty()) throw Error(ErrorCode::usage, "There is no image to work on");
    if (!pipeline.hasEnabledSteps()) throw Error(ErrorCode::usage, "There is no step to run", "the pipeline is empty or switched off");
    const auto start = std::chrono::steady_clock::now();
    auto state = std::make_unique<PreparedRun::State>();
    PreparedRun::State& s = *state;
    s.target = target;
    s.backend = &catalog_->backend(target.backend);
    if (const Availability a = s.backend->availability(); !a.yes)
        throw Error(ErrorCode::unavailable, "Backend '" + target.backend + "' is not available", a.reason, a.whatToDo);
    catalog_->checkModes(target);
    s.input = std::move(input);

    RunContext context = given;
    context.device = target.device;
    if (target.threads > 0) context.threads = target.threads;
    translated(target.label(), [&] { s.session = s.backend->open(context); });
    context.session = s.session.get();
    const auto devices = s.backend->devices();
    for (const DeviceInfo& d : devices)
        if (d.index == target.device) s.deviceName = d.name;
    std::uint64_t deviceFree = 0;  // 0: not known
    for (const DeviceInfo& d : devices)
        if (!s.onHost() && d.index == target.device) deviceFree = std::max<std::uint64_t>(d.memoryFree, 1);
    s.threads = s.onHost() ? (target.backend == kReferenceBackend ? 1 : effectiveThreads(context)) : 0;

    Problem problem = makeProblem(*s.input, {}, cachedStatistics(s.input));
    s.inputPeak = problem.statistics.maxAbs();
    const bool alone = std::count_if(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& x) { return x.enabled; }) == 1;
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        context.throwIfStopped();
        problem.parameters = step.parameters;
        step.operation->check(problem);
        Selection selection = catalog_->select(*step.operation, problem, target);
        // Rules choose for speed. Where what they choose is too large for the device, one that works in strips takes its place.
        const std::uint64_t needed = s.onHost() ? 0
                                                : selection.implementation->estimate(problem).device + s.input->samples().bytes() +
                                                      checkedBytes(step.operation->outputShape(problem), SampleType::float32);
        if (deviceFree > 0 && needed > deviceFree && alone && target.variant.empty() && !target.has(kModeGraph)) {
            const std::string why =
                "which needs " + mebibytes(needed) + " of the device's memory while " + mebibytes(deviceFree) + " are free";
            selection = chooseForStrips(catalog_->implementations(step.operation->id(), target.backend), selection, problem, target, why);
        }
        const Implementation& chosen = *selection.implementation;
        const Work work = step.operation->work(problem);
        Tolerance tolerance = step.operation->tolerance(problem);
        s.plan.push_back({toText(step), step.operation->id() + " / " + target.backend + " / " + chosen.variant(), chosen.variant(),
                          selection.reason, work, tolerance, notesOn(*step.operation, problem), regionsOf(*step.operation, problem)});
        s.operations.push_back(step.operation);
        s.work.flops += work.flops;
        s.work.bytes += work.bytes;
        s.borderWidth += step.operation->borderWidth(problem);
        s.ambiguous = std::min(1.0, s.ambiguous * step.operation->reach(problem).samples() + tolerance.ambiguous);
        const MemoryEstimate estimate = chosen.estimate(problem);
        s.hostBytes += estimate.host;
        s.deviceBytes += estimate.device;
        const double gain = step.operation->gain(problem);
        s.gains.push_back(gain);
        s.toleranceReason += (s.toleranceReason.empty() ? "" : "; ") + tolerance.reason;
        if (s.executions.empty()) s.firstStrips = chosen.strips(problem), s.firstSlabs = chosen.slabs(problem);
        if (target.has(kModeGraph))
            if (const Support support = chosen.recording(problem); !support)
                throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this", chosen.variant() + ": " + support.reason,
                            "Choose another variant, or leave the mode 'graph' out");
        s.executions.push_back(translated(target.label(), [&] {
            const NamedRange range(*s.session, "prepare " + s.plan.back().implementation);
            return chosen.prepare(problem, context);
        }));
        const double largest = step.operation->largestOutput(problem);
        std::vector<Fact> facts = outputFactsOf(*step.operation, problem);
        problem.shape = step.operation->outputShape(problem);
        problem.facts = std::move(facts);
        s.shapes.push_back(problem.shape);
        problem.statistics.max = largest;
        problem.statistics.min = -problem.statistics.max;
    }
    s.facts = std::move(problem.facts);
    s.assignSlots();

    const std::uint64_t wholeBytes = s.onHost() ? 0 : s.workBytes() + s.input->samples().bytes();
    const bool fits = deviceFree == 0 || s.deviceBytes + wholeBytes <= deviceFree;
    // A recorded run has its buffers as long as it lives: there is nothing to save by strips.
    const bool recorded = target.has(kModeGraph);
    const std::string whyNot = s.onHost() || (fits && !target.has(kModeOverlapped)) ? std::string()
                               : recorded ? "Recorded runs (the mode 'graph') do not work in strips"
                                          : s.whyNoStrips();
    if (target.has(kModeOverlapped) && !whyNot.empty())
        throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this", whyNot,
                    "Choose another variant, or leave the mode 'overlapped' out");
    if (target.has(kModeOverlapped) || (!fits && whyNot.empty())) {
        const std::uint64_t whole = s.deviceBytes + wholeBytes;
        // What an execution needs that cuts by itself is another matter than what it needs for the whole.
        if (!s.firstStrips) s.deviceBytes = 0;
        const std::uint64_t most = deviceFree == 0 ? wholeBytes : deviceFree - std::min(deviceFree, s.deviceBytes);
        s.planStrips(most, context);
        const std::uint64_t slots =
            s.strips->slotBytes * std::min<std::uint64_t>(s.session->stripLimits(target.has(kModePinned)).atOnce, s.strips->strips.size());
        s.deviceBytes += slots + s.strips->ownBytes;
        s.hostBytes += s.strips->keptBytes();
        if (!target.has(kModePinned)) s.hostBytes += slots;  // what is not page-locked goes by way of memory that is
        s.plan[0].reason += "; in " + s.strips->text();
        if (!fits)
            s.plan[0].reason +=
                ", since the whole needs " + mebibytes(whole) + " of the device's memory and " + mebibytes(deviceFree) + " are free";
    } else {
        (s.onHost() ? s.hostBytes : s.deviceBytes) += s.onHost() ? s.workBytes() : wholeBytes;
    }
    s.hostBytes += checkedBytes(s.shapes.back(), SampleType::float32);
    if (target.has(kModePinned)) s.hostBytes += s.input->samples().bytes();
    const std::uint64_t hostFree = hostDevice().memoryFree;
    if (hostFree > 0 && s.hostBytes > hostFree)
        throw Error(ErrorCode::memory, "Not enough memory",
                    "the run needs " + mebibytes(s.hostBytes) + ", " + mebibytes(hostFree) + " are available",
                    "Close other images or use a smaller one");
    if (deviceFree > 0 && s.deviceBytes > deviceFree)
        throw Error(
            ErrorCode::memory, "Not enough memory on " + s.deviceName,
            "the run needs " + mebibytes(s.deviceBytes) + ", " + mebibytes(deviceFree) + " are free" +
                (whyNot.empty() ? std::string() : "; in strips it cannot be done: " + whyNot),
            (recorded ? "Leave the mode 'graph' out, or use" : "Use") + std::string(" a smaller image, another device or a CPU backend"));
    if (target.has(kModePinned)) {
        s.pinnedMemory = s.session->pinnedMemory();
        translated(target.label(), [&] { s.pinnedInput = Buffer(s.input->shape(), SampleType::float32, s.pinnedMemory); });
        const View<const float> from = s.input->view();
        copyUnlessStopped(s.pinnedInput.data(), from.data, s.pinnedInput.bytes(), context);
    }
    s.prepareTimes[Stage::prepare] = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    return PreparedRun(std::move(state));
}

RunResult Engine::run(const Pipeline& pipeline, ImagePtr input, const Target& target, RunContext& context) const {
    PreparedRun prepared = prepare(pipeline, std::move(input), target, context);
    StageTimes times = prepared.run(context);
    times += prepared.prepareTimes();
    std::vector<StatisticRecord> statistics = prepared.statistics(context);
    return {prepared.takeImage(), times,           prepared.target(),    prepared.deviceName(),
            prepared.threads(),   prepared.plan(), std::move(statistics)};
}

}  // namespace parallax
