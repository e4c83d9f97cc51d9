// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/file_strips.hpp"
#include "core/io/saver.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

struct RunArguments {
    std::string input, output, backend, depth, encoding;
    PipelineArguments pipeline;
    TargetArguments target;
    bool json = false, force = false, noAlpha = false, strips = false;
    std::uint64_t memoryLimit = 0;  // MiB; 0: what the system has
};

const std::map<std::string, StoredDepth> kDepths{
    {"8", StoredDepth::uint8}, {"16", StoredDepth::uint16}, {"half", StoredDepth::half}, {"float", StoredDepth::float32}};
const std::map<std::string, StoredEncoding> kEncodings{{"srgb", StoredEncoding::sRgb}, {"linear", StoredEncoding::linear}};

/// The first available one of the list but the reference; said, so that nobody wonders.
std::string defaultBackend(const Catalog& catalog) {
    for (const auto& b : catalog.backends())
        if (b->id() != kReferenceBackend && b->availability().yes) {
            printMessage("no --backend given: using " + b->id());
            return b->id();
        }
    printMessage("no --backend given and none but the reference available: using reference");
    return kReferenceBackend;
}

/// Shows a progress ten times a second, from a thread of its own: the worker only counts.
class ProgressDisplay {
public:
    ProgressDisplay(const Progress& progress, const std::string& what)
        : thread_([&progress, what](const std::stop_token& stop) {
              std::mutex mutex;
              std::condition_variable_any stopped;
              std::unique_lock lock(mutex);
              // Wakes at once when the work is done: waiting here must not make a short run longer.
              while (!stopped.wait_for(lock, stop, std::chrono::milliseconds(100), [&] { return stop.stop_requested(); }))
                  printProgress(fmt::format("{} {:.0f} %", what, 100 * progress.fraction()));
          }) {}
    ~ProgressDisplay() {
        thread_.request_stop();
        thread_.join();
        endProgress();
    }
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

private:
    std::jthread thread_;
};

template <class F>
std::int64_t nanoseconds(F&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

/// JSON knows no infinity, which the PSNR of equal images is.
nlohmann::ordered_json number(double v) {
    if (std::isfinite(v)) return v;
    return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{} MiB", (bytes + (1U << 20) - 1) >> 20); }

/// Stages that took time, for people and as JSON.
std::pair<std::string, nlohmann::ordered_json> describeStages(const StageTimes& times) {
    std::string text;
    nlohmann::ordered_json stages = nlohmann::ordered_json::object();
    for (const Stage s : kAllStages)
        if (times[s] > 0) {
            stages[std::string(stageName(s))] = times[s];
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stageName(s), formatTime(static_cast<double>(times[s])));
        }
    if (times.overlapped()) text += fmt::format("; overlapping, end to end {}", formatTime(static_cast<double>(times.endToEnd())));
    return {text, stages};
}

/// Why the image does not go through memory as a whole; empty if it does.
std::string whyStrips(const RunArguments& a, const Pipeline& pipeline) {
    if (a.strips) return "asked for by --strips";
    const std::optional<Shape> shape = shapeForStrips(a.input);
    if (!shape) return {};
    const std::uint64_t needed = bytesInOneGo(*shape);
    const std::uint64_t may = a.memoryLimit > 0 ? a.memoryLimit << 20 : availableMemory();
    if (needed <= may) return {};
    const std::string why = fmt::format("image and result need {} in one go, {} are {}", mebibytes(needed), mebibytes(may),
                                        a.memoryLimit > 0 ? "allowed" : "available");
    if (const std::string no = whyNoFileStrips(pipeline, a.input, a.output); !no.empty()) {
        // Half of a limited address space is a cautious guess: what cannot be done in strips may still fit.
        if (a.memoryLimit == 0 && needed <= hostDevice().memoryFree) return {};
        throw Error(ErrorCode::memory, "Not enough memory", why + "; in strips it cannot be done: " + no,
                    "Use a smaller image, or OpenEXR files and one step at a time");
    }
    return why;
}

int runInStrips(const RunArguments& a, const Pipeline& pipeline, const Target& target, const SaveOptions& save, const std::string& why) {
    FileStripOptions options;
    options.memory = a.memoryLimit << 20;
    options.load.threads = save.threads;
    options.load.stop = interruption();
    options.save = save;
    Progress progress;
    RunContext context;
    context.stop = interruption();
    context.progress = &progress;
    FileStripRun strips(processCatalog(), pipeline, a.input, a.output, target, options, context);
    for (const auto& w : strips.warnings()) printMessage("note: " + w);
    const std::string cut = fmt::format("{} strip{} of {} row{}", strips.strips(), strips.strips() == 1 ? "" : "s", strips.rows(),
                                        strips.rows() == 1 ? "" : "s");
    printMessage(fmt::format("note: from file to file in {} ({}); about {} of memory, {} may be used", cut, why,
                             mebibytes(strips.estimatedBytes()), mebibytes(strips.allowedBytes())));
    std::vector<std::string> notes;
    StageTimes times;
    {
        const ProgressDisplay display(progress, "in strips");
        times = strips.run(context, notes);
    }
    for (const auto& note : notes) printMessage("note: " + note);
    std::vector<std::string> stepNotes = a.pipeline.notes(processCatalog());
    stepNotes.insert(stepNotes.end(), strips.step().notes.begin(), strips.step().notes.end());
    for (const auto& note : stepNotes) printMessage("note: " + note);
    const std::uint64_t peak = peakResidentMemory();
    const auto [text, stages] = describeStages(times);
    if (a.json) {
        const Shape& s = strips.shape();
        nlohmann::ordered_json j{{"schema", "parallax.run"},
                                 {"schema_version", 1},
                                 {"output", a.output},
                                 {"width", s.width},
                                 {"height", s.height},
                                 {"depth", s.depth},
                                 {"channels", strips.channelNames()},
                                 {"backend", target.backend},
                                 {"implementations", {strips.step().implementation}},
                                 {"choices", {strips.step().reason}},
                                 {"findings", nlohmann::ordered_json::array()},
                                 {"device", strips.deviceName()},
                                 {"threads", strips.threads()},
                                 {"stages_ns", stages},
                                 {"compute_ns", times.compute()},
                                 {"end_to_end_ns", times.endToEnd()},
                                 {"strips",
                                  {{"count", strips.strips()},
                                   {"rows", strips.rows()},
                                   {"reason", why},
                                   {"allowed_bytes", strips.allowedBytes()},
                                   {"estimated_bytes", strips.estimatedBytes()},
                                   {"peak_bytes", peak}}}};
        if (!stepNotes.empty()) j["notes"] = stepNotes;
        printData(j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    } else {
        const std::string threads =
            strips.threads() > 0 ? fmt::format(", {} thread{}", strips.threads(), strips.threads() == 1 ? "" : "s") : "";
        printMessage(fmt::format("{} on {}{}, in {}", strips.step().implementation, strips.deviceName(), threads, cut));
        printMessage(text + " (first run; see 'bench' for a measurement)");
        printMessage(fmt::format("peak memory {}", mebibytes(peak)));
        printMessage("wrote " + a.output);
    }
    return 0;
}

int run(const RunArguments& a) {
    const Catalog& catalog = processCatalog();
    // Everything that can be known is checked before the work.
    const Pipeline pipeline = a.pipeline.build(catalog);
    SaveOptions options;
    options.overwrite = a.force;
    options.threads = a.target.threads;
    options.stop = interruption();
    options.withoutAlpha = a.noAlpha;
    if (!a.depth.empty()) options.depth = kDepths.at(a.depth);
    if (!a.encoding.empty()) options.encoding = kEncodings.at(a.encoding);
    checkSavable(a.output, options);
    for (const std::string& file : filesOf(a.output)) checkWritable(file, a.force);
    const Target target = a.target.availableTarget(catalog, a.backend.empty() ? defaultBackend(catalog) : a.backend);
    if (const std::string why = whyStrips(a, pipeline); !why.empty()) return runInStrips(a, pipeline, target, options, why);
    Progress progress;
    RunContext context;
    context.stop = interruption();
    context.progress = &progress;
    ImagePtr input, original;
    const std::int64_t loadNs = nanoseconds([&] { input = loadInput(a.input, a.target.threads); });
    if (const std::uint64_t needed = bytesInOneGo(input->shape()); a.memoryLimit > 0 && needed > a.memoryLimit << 20)
        throw Error(ErrorCode::memory, "Not enough memory",
                    fmt::format("image and result need {} in one go, {} are allowed", mebibytes(needed), mebibytes(a.memoryLimit << 20)),
                    "Allow more with --memory-limit, or save the image as OpenEXR, which can be worked on in strips");
    // Known now, and better said before the work: a volume stays one.
    if (input->isVolume()) checkHolds(a.output, input->shape());
    // Kept only where the result is to be compared with it.
    if (pipeline.approximatesInput()) original = input;
    RunResult result = [&] {
        const ProgressDisplay display(progress, "computing");
        // Moved: the engine gives the input back to the system as soon as the result is there.
        return Engine(catalog).run(pipeline, std::move(input), target, context);
    }();
    result.times[Stage::load] = loadNs;
    std::optional<DifferenceMetrics> against;
    if (original && original->shape() == result.image.shape())
        against = compareViews(original->view(), std::as_const(result.image).view(), {.worstCount = 0});
    original.reset();

    std::vector<std::string> notes;
    result.times[Stage::encode] = nanoseconds([&] { notes = saveImage(result.image, a.output, options); });
    for (const auto& lost : notes) printMessage("note: " + lost);
    std::vector<std::string> stepNotes = a.pipeline.notes(catalog);
    for (const StepPlan& p : result.plan) stepNotes.insert(stepNotes.end(), p.notes.begin(), p.notes.end());
    for (const auto& note : stepNotes) printMessage("note: " + note);

    const auto [text, stages] = describeStages(result.times);
    nlohmann::ordered_json statistics = nlohmann::ordered_json::array();
    for (const StatisticRecord& f : result.statistics)
        statistics.push_back(
            {{"step", f.step}, {"operation", f.operation}, {"key", f.key}, {"title", f.title}, {"unit", f.unit}, {"value", f.value}});
    std::vector<std::string> implementations, choices;
    for (const StepPlan& p : result.plan) {
        implementations.push_back(p.implementation);
        choices.push_back(p.reason);
    }
    if (a.json) {
        const Shape& s = result.image.shape();
        nlohmann::ordered_json j{{"schema", "parallax.run"},
                                 {"schema_version", 1},
                                 {"output", a.output},
                                 {"width", s.width},
                                 {"height", s.height},
                                 {"depth", s.depth},
                                 {"channels", result.image.channelNames()},
                                 {"backend", target.backend},
                                 {"label", target.label()},
                                 {"implementations", implementations},
                                 {"choices", choices},
                                 {"findings", statistics},
                                 {"device", result.deviceName},
                                 {"threads", result.threads},
                                 {"stages_ns", stages},
                                 {"compute_ns", result.times.compute()},
                                 {"end_to_end_ns", result.times.endToEnd()}};
        // Only where there is something to say.
        if (!stepNotes.empty()) j["notes"] = stepNotes;
        if (against)
            j["against_original"] = {{"max_abs", number(against->maxAbs)},       {"rmse", number(against->rmse)},
                                     {"psnr_db", number(against->psnr)},         {"peak", number(against->peak)},
                                     {"nan_mismatches", against->nanMismatches}, {"infinity_mismatches", against->infinityMismatches}};
        printData(j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    } else {
        for (const StepPlan& p : result.plan) {
            const bool explained = p.reason != kAskedFor && p.reason != kFirstListed;
            const std::string threads =
                result.threads > 0 ? fmt::format(", {} thread{}", result.threads, result.threads == 1 ? "" : "s") : "";
            printMessage(fmt::format("{} on {}{}{}", p.implementation, result.deviceName, threads, explained ? " (" + p.reason + ")" : ""));
        }
        if (!result.statistics.empty()) printMessage(formatStatistics(result.statistics));
        if (against)
            printMessage(
                fmt::format("against the original: largest difference {:.4g}, RMSE {:.4g}, PSNR {:.2f} dB (peak {:.6g}){}", against->maxAbs,
                            against->rmse, against->psnr, against->peak,
                            against->mismatches() > 0 ? fmt::format(", NaN or infinity in one only: {}", against->mismatches()) : ""));
        printMessage(text + " (first run; see 'bench' for a measurement)");
        printMessage("wrote " + a.output);
    }
    return 0;
}

}  // namespace

void addRun(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<RunArguments>();
    CLI::App* sub = app.add_subcommand("run", "Apply operations to an image or a volume and save the result");
    sub->add_option("-i,--input", a->input, kInputHelp)->required()->type_name("IN");
    const auto extensions = [](bool volumes) {
        std::string all;
        for (const SavableFormat& f : savableFormats())
            if (f.volumes == volumes) all += " ." + f.extension;
        return all;
    };
    sub->add_option("-o,--output", a->output,
                    "File to write. Images:" + extensions(false) + "; volumes and images of one channel:" + extensions(true))
        ->required()
        ->type_name("OUT");
    sub->add_option("--depth", a->depth,
                    "Type of the stored samples: 8, 16, half or float; default: that of the source, or the most precise")
        ->check(CLI::IsMember(&kDepths))
        ->type_name("TYPE");
    sub->add_option("--encoding", a->encoding, "Of stored integers: srgb, or linear (PNG only); default: that of the source, or srgb")
        ->check(CLI::IsMember(&kEncodings))
        ->type_name("NAME");
    sub->add_flag("--no-alpha", a->noAlpha, "Leave alpha out of a PNG or TIFF: the colours as they are beside it");
    a->pipeline.add(*sub);
    sub->add_option("--backend", a->backend,
                    "Backend, or backend with its variant and modes, as in cuda.tiled or cuda.direct+overlapped+pinned")
        ->type_name("NAME");
    a->target.add(*sub);
    sub->add_flag(
        "--strips", a->strips,
        "Read, compute and write in strips of rows, of which one is in memory at a time: one step, from .exr to .exr. Done without "
        "being asked where the image does not fit into memory");
    sub->add_option("--memory-limit", a->memoryLimit,
                    "Memory that image and result may take, and in strips the whole program; default: what is available")
        ->transform(wholeNumber(1, std::uint64_t{1} << 40))
        ->type_name("MIB");
    sub->add_flag("--json", a->json, "What ran and the stage times as JSON on stdout");
    sub->add_flag("--force", a->force, "Replace an existing file");
    sub->callback([=, &chosen] { chosen = [=] { return run(*a); }; });
}

}  // namespace parallax::cli
