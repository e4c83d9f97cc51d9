// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_strips.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/engine/operation/capabilities.hpp"
#include "core/image/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/formats/exr/exr.hpp"

namespace parallax {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB"; }

/// A line of /proc/self/status, in bytes.
std::uint64_t ownMemory(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key + ":")) return std::strtoull(line.c_str() + key.size() + 1, nullptr, 10) * 1024;
    return 0;
}

/// What a run in strips may throw besides Error, as the engine and saveImage() translate it.
template <class F>
auto translated(const std::string& what, F&& f) {
    try {
        return f();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, "Not enough memory", what + " could not get what it needs",
                    "Allow less memory, so that strips become smaller, or use fewer threads");
    } catch (const std::exception& e) {
        throw Error(ErrorCode::failed, what + " failed", e.what());
    }
}

}  // namespace

std::uint64_t residentMemory() { return ownMemory("VmRSS"); }
std::uint64_t peakResidentMemory() { return ownMemory("VmHWM"); }

std::uint64_t availableMemory() {
    std::uint64_t available = hostDevice().memoryFree;
    if (available == 0) available = kNoLimit;
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        // Half of it: stacks and arenas of threads that are yet to come take address space that never becomes memory.
        const std::uint64_t mapped = ownMemory("VmSize");
        available = std::min<std::uint64_t>(available, limit.rlim_cur > mapped ? (limit.rlim_cur - mapped) / 2 : 0);
    }
    return available;
}

std::uint64_t bytesInOneGo(const Shape& shape) { return 2 * checkedBytes(shape, SampleType::float32); }

std::optional<Shape> shapeForStrips(const std::string& input) {
    std::error_code ignored;
    if (lowerExtension(input) != "exr" || !std::filesystem::is_regular_file(input, ignored)) return {};
    try {
        return ExrRowReader(input, {.threads = 1}).shape();
    } catch (const std::exception&) {
        return {};  // who loads it will say why
    }
}

std::string whyNoFileStrips(const Pipeline& pipeline, const std::string& input, const std::string& output) {
    if (lowerExtension(input) != "exr") return "only OpenEXR files can be read in strips";
    if (lowerExtension(output) != "exr") return "only OpenEXR files can be written in strips";
    if (std::count_if(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& s) { return s.enabled; }) != 1)
        return "only pipelines of one step work in strips";
    return {};
}

struct FileStripRun::State {
    std::string input, output;
    Target target;
    FileStripOptions options;
    std::unique_ptr<ExrRowReader> reader;
    Step step;
    Problem problem;
    const Implementation* implementation = nullptr;
    std::unique_ptr<BackendSession> session;
    std::unique_ptr<Execution> execution;
    StripSupport support;
    StripPlan plan;  ///< of one plane, with the shape of the whole image
    StepPlan stepPlan;
    Image description;  ///< of the output
    std::string deviceName;
    int threads = 0;
    std::uint64_t estimated = 0, allowed = 0;
    std::int64_t prepareNs = 0;
    std::vector<ExrType> types;
    // Of a band. The device may be at work on them until the session is drained.
    Buffer hostIn, hostOut, deviceIn, deviceOut;

    bool onHost() const { return isHostAccessible(session->memorySpace()); }
    void select(const Catalog& catalog, RunContext& context);
    void planBands(const Backend& backend);
    void readBand(const Strip& band, const View<float>& to);
    void checkSamples(const View<const float>& samples) const;
    void compute(const Strip& band, const View<const float>& in, const View<float>& out, RunContext& context);
    bool pass(const RunContext& given, StageTimes& times, std::vector<std::string>& notes);
};

/// As Engine::prepare() does for an image that is there.
void FileStripRun::State::select(const Catalog& catalog, RunContext& context) {
    const Backend& backend = catalog.backend(target.backend);
    if (const Availability a = backend.availability(); !a.yes)
        throw Error(ErrorCode::unavailable, "Backend '" + target.backend + "' is not available", a.reason, a.whatToDo);
    catalog.checkModes(target);
    if (!target.modes.empty())
        throw Error(ErrorCode::unavailable, "'" + target.label() + "' cannot do this", "modes are for images that are in memory as a whole",
                    "Leave the mode out");
    session = backend.open(context);
    context.session = session.get();
    for (const DeviceInfo& d : backend.devices())
        if (d.index == target.device) deviceName = d.name;
    threads = onHost() ? (target.backend == kReferenceBackend ? 1 : effectiveThreads(context)) : 0;

    // Nobody knows the samples before they are read: those of a picture stand for them until then, see checkSamples().
    problem = makeProblem(reader->description(), step.parameters, {.max = 1});
    problem.shape = reader->shape();
    step.operation->check(problem);
    const Selection selection = catalog.select(*step.operation, problem, target);
    implementation = selection.implementation;
    stepPlan = {toText(step),
                step.operation->id() + " / " + target.backend + " / " + implementation->variant(),
                implementation->variant(),
                selection.reason,
                step.operation->work(problem),
                step.operation->tolerance(problem),
                notesOn(*step.operation, problem),
                regionsOf(*step.operation, problem)};
    support = implementation->strips(problem);
    if (!support)
        throw Error(ErrorCode::unavailable, "'" + stepPlan.implementation + "' does not work in strips", support.reason,
                    "Choose another backend or another variant (parallax-cli operations " + step.operation->id() +
                        " lists them), or leave --strips out");
    execution = implementation->prepare(problem, context);

    description = reader->description().withSamples(Buffer(reader->description().shape()));
    std::erase_if(description.metadata, [](const MetadataEntry& e) { return e.name.starts_with(kFactPrefix); });
    for (const Fact& fact : outputFactsOf(*step.operation, problem)) description.metadata.push_back({fact.name, "string", fact.text, {}});
    description.provenance.push_back(stepPlan.step + " [" + stepPlan.implementation + "]");
    for (std::size_t c = 0; c < description.channelNames().size(); ++c) types.push_back(wantedExrType(description, c, options.save.depth));
}

void FileStripRun::State::planBands(const Backend& backend) {
    const Shape shape = reader->shape();
    const auto channels = static_cast<std::uint64_t>(shape.channels);
    const std::uint64_t rowBytes = static_cast<std::uint64_t>(shape.width) * channels * sizeof(float);
    const MemoryEstimate work = implementation->estimate(problem);
    const std::uint64_t resident = residentMemory();
    const std::uint64_t fixed = resident + reader->workBytes() + ExrRowWriter::workBytes(shape, options.save) + work.host;
    const std::uint64_t available = availableMemory();
    allowed = options.memory > 0 ? options.memory : available > kNoLimit - resident ? available : resident + available;
    const auto check = [&](std::uint64_t has, std::uint64_t besides, const std::string& where, const char* advice) {
        const std::uint64_t least = besides + static_cast<std::uint64_t>(support.above + support.below + 2) * rowBytes;
        if (has < least)
            throw Error(ErrorCode::memory, "Not enough memory" + where + " for strips",
                        "the smallest ones need " + mebibytes(least) + " in all, " + std::to_string(has >> 20) + " MiB may be used",
                        advice);
        return has - besides;
    };
    std::uint64_t forBands = check(allowed, fixed, "", "Allow more, or use fewer threads, for each of which blocks of the files are held");
    if (!onHost())
        for (const DeviceInfo& d : backend.devices())
            if (d.index == target.device && d.memoryFree > 0)
                forBands = std::min(forBands, check(d.memoryFree, work.device, " on " + d.name, "Use another device or a CPU backend"));
    // All channels of a band are read together: the plan is that of one of them, with its share of the memory.
    plan = planStrips({shape.width, shape.height, 1, 1}, support,
                      {.atOnce = 1, .largestStrip = std::max<std::uint64_t>(1, options.largestStrip / channels), .smallestStrip = 1},
                      forBands / channels);
    plan.shape = shape;
    estimated = fixed + plan.slotBytes * channels;
}

/// The band and the rows around it, those outside of the image by the border rule.
void FileStripRun::State::readBand(const Strip& band, const View<float>& to) {
    std::int64_t y = 0;
    const auto rowsOf = [&](std::int64_t count) {
        View<float> rows = to;
        rows.data = to.row(y);
        rows.shape.height = count;
        y += count;
        return rows;
    };
    if (band.whole) return reader->read(0, rowsOf(band.rows));
    for (const RowRun& run : inputRuns(plan, band)) {
        const View<float> rows = rowsOf(run.count);
        if (run.first >= 0) {
            reader->read(run.first, rows);
            continue;
        }
        for (std::int64_t c = 0; c < rows.shape.channels; ++c)
            for (std::int64_t r = 0; r < run.count; ++r) std::fill_n(rows.row(r, 0, c), rows.shape.width, support.fill);
    }
}

/// Throws where the implementation would not have been taken for an image with such samples.
void FileStripRun::State::checkSamples(const View<const float>& samples) const {
    Problem found = problem;
    found.statistics.max = 0;
    for (std::int64_t c = 0; c < samples.shape.channels; ++c) {
        const SampleStatistics s = computeStatistics(samples.channel(c));
        found.statistics.min = std::min(found.statistics.min, s.min);
        found.statistics.max = std::max(found.statistics.max, s.max);
        found.statistics.nan += s.nan;
        found.statistics.positiveInfinity += s.positiveInfinity;
        found.statistics.negativeInfinity += s.negativeInfinity;
    }
    if (const Support can = implementation->supports(found); !can)
        throw Error(ErrorCode::unavailable, "'" + stepPlan.implementation + "' cannot do this", can.reason,
                    "Choose another variant or backend: parallax-cli operations lists them");
}

void FileStripRun::State::compute(const Strip& band, const View<const float>& in, const View<float>& out, RunContext& context) {
    for (std::int64_t c = 0; c < plan.shape.channels; ++c) {
        context.throwIfStopped();
        Strip plane = band;
        plane.plane = c;
        execution->runStrip(plan, plane, denseView(in.row(0, 0, c), plan.inputShape(plane)),
                            denseView(out.row(0, 0, c), plan.outputShape(plane)), context);
    }
}

/// Once through the file. False if a channel turned out not to fit its type, which has become float: then all is to be written anew.
bool FileStripRun::State::pass(const RunContext& given, StageTimes& times, std::vector<std::string>& notes) {
    RunContext context = given;
    context.session = session.get();
    context.device = target.device;
    if (threads > 0) context.threads = threads;
    context.progress = nullptr;
    const auto timed = [&](Stage stage, auto&& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        times[stage] += std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    };
    const std::int64_t channels = plan.shape.channels;
    constexpr std::int64_t kParts = 3;  // of the progress: reading, computing, writing
    if (given.progress) given.progress->start(kParts * plan.shape.height * channels);

    AtomicFile file(output, options.save.overwrite);
    std::vector<bool> overflows(types.size(), false);
    {
        ExrRowWriter writer(file, description, plan.shape, types, options.save);
        for (const Strip& band : plan.strips) {
            context.throwIfStopped();
            const auto add = [&] {
                if (given.progress) given.progress->add(band.rows * channels);
            };
            const Shape inShape{plan.shape.width, plan.inputRows(band), 1, channels}, outShape{plan.shape.width, band.rows, 1, channels};
            const auto ensure = [&](Buffer& buffer, const Shape& shape, bool device) {
                if (!buffer.empty() && buffer.shape() == shape) return;
                buffer = Buffer();  // given back first: the peak is what counts
                buffer = device ? session->allocate(shape) : Buffer(shape);
            };
            timed(Stage::allocate, [&] {
                ensure(hostIn, inShape, false);
                ensure(hostOut, outShape, false);
                if (onHost()) return;
                ensure(deviceIn, inShape, true);
                ensure(deviceOut, outShape, true);
            });
            timed(Stage::load, [&] { readBand(band, hostIn.view<float>()); });
            checkSamples(std::as_const(hostIn).view<float>());
            add();
            StageClock& clock = session->clock();
            const auto stage = [&](Stage s, auto&& work) {
                context.throwIfStopped();
                clock.begin(s);
                work();
                clock.end();
            };
            if (onHost()) {
                stage(Stage::compute, [&] { compute(band, std::as_const(hostIn).view<float>(), hostOut.view<float>(), context); });
            } else {
                stage(Stage::upload, [&] { session->upload(std::as_const(hostIn).view<float>(), deviceIn); });
                stage(Stage::compute, [&] { compute(band, std::as_const(deviceIn).view<float>(), deviceOut.view<float>(), context); });
                stage(Stage::download, [&] { session->download(deviceOut, hostOut.view<float>()); });
            }
            times += clock.finish();
            add();
            bool fits = true;
            for (std::size_t c = 0; c < types.size(); ++c) {
                if (overflows[c] || holds(types[c], std::as_const(hostOut).view<float>().channel(static_cast<std::int64_t>(c)))) continue;
                const std::string& name = description.channelNames()[c];
                overflows[c] = true;
                if (options.save.depth == StoredDepth::half) {
                    notes.push_back(halfBecameInfinite(name));
                    continue;
                }
                if (types[c] == ExrType::half) notes.push_back(halfBecameFloat(name));
                types[c] = ExrType::float32;
                fits = false;
            }
            if (!fits) return false;
            timed(Stage::encode, [&] {
                try {
                    View<const float> rows = std::as_const(hostOut).view<float>();
                    for (std::int64_t y = 0; y < band.rows; y += writer.rowsAtOnce()) {
                        context.throwIfStopped();
                        rows.data = std::as_const(hostOut).view<float>().row(y);
                        rows.shape.height = std::min(writer.rowsAtOnce(), band.rows - y);
                        writer.write(rows);
                        if (given.progress) given.progress->add(rows.shape.height * channels);
                    }
                } catch (const Error&) {
                    throw;
                } catch (const std::bad_alloc&) {
                    throw;
                } catch (const std::exception& e) {
                    throw Error(ErrorCode::output, "'" + output + "' cannot be written", e.what(),
                                "Free some space or choose another folder");
                }
            });
        }
    }
    timed(Stage::encode, [&] { file.commit(); });
    return true;
}

FileStripRun::FileStripRun(const Catalog& catalog, const Pipeline& pipeline, std::string input, std::string output, const Target& target,
                           const FileStripOptions& options, RunContext& context)
    : state_(std::make_unique<State>()) {
    const auto start = std::chrono::steady_clock::now();
    if (const std::string why = whyNoFileStrips(pipeline, input, output); !why.empty())
        throw Error(ErrorCode::usage, "This cannot be done in strips", why, "Leave --strips out, or use OpenEXR files and one step");
    State& s = *state_;
    s.input = std::move(input);
    s.output = std::move(output);
    s.target = target;
    s.options = options;
    s.options.save.progress = {};
    s.step = *std::find_if(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& step) { return step.enabled; });
    translated("Preparing strips", [&] {
        s.reader = std::make_unique<ExrRowReader>(s.input, options.load);
        RunContext own = context;
        own.device = target.device;
        if (target.threads > 0) own.threads = target.threads;
        s.select(catalog, own);
        s.planBands(catalog.backend(target.backend));
    });
    s.prepareNs = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

FileStripRun::~FileStripRun() {
    if (state_->session) state_->session->drain();
}

const Shape& FileStripRun::shape() const { return state_->plan.shape; }
const std::vector<std::string>& FileStripRun::channelNames() const { return state_->description.channelNames(); }
const StepPlan& FileStripRun::step() const { return state_->stepPlan; }
const std::string& FileStripRun::deviceName() const { return state_->deviceName; }
int FileStripRun::threads() const { return state_->threads; }
std::int64_t FileStripRun::strips() const { return static_cast<std::int64_t>(state_->plan.strips.size()); }
std::int64_t FileStripRun::rows() const { return state_->plan.strips.front().rows; }
std::uint64_t FileStripRun::estimatedBytes() const { return state_->estimated; }
std::uint64_t FileStripRun::allowedBytes() const { return state_->allowed; }
std::vector<std::string> FileStripRun::warnings() const { return state_->description.source.warnings; }

StageTimes FileStripRun::run(RunContext& context, std::vector<std::string>& notes) {
    State& s = *state_;
    return translated("The run in strips", [&] {
        StageTimes times;
        times[Stage::prepare] = s.prepareNs;
        try {
            while (!s.pass(context, times, notes)) {}
        } catch (...) {
            // Nothing may be in flight when the caller sees the error.
            s.session->drain();
            (void)s.session->clock().finish();
            throw;
        }
        return times;
    });
}

}  // namespace parallax
