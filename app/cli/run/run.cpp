// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/output.hpp"
#include "app/cli/progress_display.hpp"
#include "app/cli/run/run_arguments.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/pipeline/next_problem.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/regular_grid.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/batch/batch_items.hpp"
#include "core/io/file_strips.hpp"
#include "core/io/formats/input_files.hpp"
#include "core/io/ranks/rank_run.hpp"
#include "core/io/saver.hpp"
#include "core/measure/checksum/checksum.hpp"
#include "core/parallel/ranks.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

const std::map<std::string, StoredDepth> kDepths{
    {"8", StoredDepth::uint8}, {"16", StoredDepth::uint16}, {"half", StoredDepth::half}, {"float", StoredDepth::float32}};
const std::map<std::string, Compression> kCompressions{
    {"fast", Compression::fast}, {"default", Compression::standard}, {"small", Compression::small}};
const std::map<std::string, StoredEncoding> kEncodings{{"srgb", StoredEncoding::sRgb}, {"linear", StoredEncoding::linear}};

template <class F>
std::int64_t nanoseconds(F&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

/// What ran and what came out of it, for a run in memory and in strips alike.
struct Outcome {
    Shape shape;
    std::vector<std::string> channels;
    std::vector<StepPlan> plan;
    std::vector<StatisticRecord> statistics;
    std::vector<SeriesRecord> series;
    LapsRecord laps;
    std::vector<std::string> warnings;  ///< on the result
    std::string deviceName;
    int threads = 0;
    StageTimes times;
    std::int64_t wholeNs = 0;  ///< from the beginning of reading to the end of writing; less than the sum of the stages if they overlap
    std::vector<std::string> notes;  ///< on the parameters of the steps
    std::optional<DifferenceMetrics> againstOriginal;
    std::string inputSha256, sha256;  ///< empty: not in memory as a whole, or not asked for
    std::optional<Json> strips, ranks;
    std::optional<RunMemory> memory;  ///< of a run in memory, with its input
    std::vector<std::string> stripsText;
};

Json toJson(const Outcome& o, const RunArguments& a, const Target& target) {
    Json implementations = Json::array(), choices = Json::array(), statistics = Json::array();
    for (const StepPlan& p : o.plan) {
        implementations.push_back(p.implementation);
        choices.push_back(p.reason);
    }
    for (const StatisticRecord& s : o.statistics) statistics.push_back(jsonOf(s));
    Json j{{"schema", "parallax.run"},
           {"schema_version", 1},
           {"output", a.output},
           {"width", o.shape.width},
           {"height", o.shape.height},
           {"depth", o.shape.depth},
           {"channels", o.channels},
           {"backend", target.backend},
           {"label", target.label()},
           {"implementations", std::move(implementations)},
           {"choices", std::move(choices)},
           {"findings", std::move(statistics)},
           {"device", o.deviceName},
           {"threads", o.threads}};
    if (!a.kernels.sanitize) {  // times are those of the sanitizer
        j["stages_ns"] = stagesJson(o.times);
        j["whole_ns"] = o.wholeNs;
        j["compute_ns"] = o.times.compute();
        j["end_to_end_ns"] = o.times.endToEnd();
    }
    if (a.light.encoded()) j["light"] = a.light.light;
    if (!o.inputSha256.empty()) j["input_sha256"] = o.inputSha256;
    if (!o.sha256.empty()) j["result_sha256"] = o.sha256;
    for (const SeriesRecord& s : o.series) j["series"].push_back(jsonOf(s));
    if (!o.laps.empty()) j["laps"] = jsonOf(o.laps);
    if (!o.warnings.empty()) j["warnings"] = o.warnings;
    if (o.strips) j["strips"] = *o.strips;
    if (o.ranks) j["ranks"] = *o.ranks;
    if (const auto& m = o.memory)
        j["memory"] = {{"estimated_bytes", m->estimatedHost},
                       {"peak_bytes", peakResidentMemory()},
                       {"peak_anonymous_bytes", peakAnonymousMemory()},
                       {"buffers_bytes", m->host},
                       {"scratch_bytes", m->scratch},
                       {"estimated_device_bytes", m->estimatedDevice},
                       {"peak_device_bytes", m->device}};
    if (!o.notes.empty()) j["notes"] = o.notes;
    if (const auto& d = o.againstOriginal)
        j["against_original"] = {{"max_abs", jsonOf(d->maxAbs)},       {"rmse", jsonOf(d->rmse)},
                                 {"psnr_db", jsonOf(d->psnr)},         {"peak", jsonOf(d->peak)},
                                 {"nan_mismatches", d->nanMismatches}, {"infinity_mismatches", d->infinityMismatches}};
    return j;
}

/// "memory: 320 MiB estimated, 344 MiB at most".
std::string memoryText(const RunMemory& m) {
    // Pages of a scratch file that are in memory are resident, but the system can take them back.
    const std::uint64_t peak = m.scratch > 0 ? peakAnonymousMemory() : peakResidentMemory();
    std::string text = fmt::format("memory: {} estimated, {} at most", mebibytes(m.estimatedHost), mebibytes(peak));
    if (m.scratch > 0) text += fmt::format(", and {} in scratch files", mebibytes(m.scratch));
    if (m.estimatedDevice > 0) text += fmt::format("; of the device: {} estimated", mebibytes(m.estimatedDevice));
    if (m.device > 0) text += fmt::format(", {} at most", mebibytes(m.device));
    return text;
}

void printOutcome(const Outcome& o, const RunArguments& a, const Target& target) {
    for (const auto& note : o.notes) printMessage("note: " + note);
    for (const auto& warning : o.warnings) printMessage("warning: " + warning);
    if (a.json) return printJson(toJson(o, a, target));
    for (const StepPlan& p : o.plan) {
        const bool explained = p.reason != kAskedFor && p.reason != kFirstListed;
        printMessage(fmt::format("{} on {}{}{}", p.implementation, o.deviceName, o.threads > 0 ? ", " + counted(o.threads, "thread") : "",
                                 explained ? " (" + p.reason + ")" : ""));
    }
    if (!o.statistics.empty()) printMessage(formatStatistics(o.statistics));
    if (const auto& d = o.againstOriginal)
        printMessage(fmt::format("difference from the original: maximum {:.4g}, RMSE {:.4g}, PSNR {:.2f} dB (peak {:.6g}){}", d->maxAbs,
                                 d->rmse, d->psnr, d->peak,
                                 d->mismatches() > 0 ? fmt::format(", {} with NaN or infinity in one image only",
                                                                   counted(static_cast<std::int64_t>(d->mismatches()), "sample"))
                                                     : ""));
    const std::string overlap = o.strips ? fmt::format("; overlapping, {} in all", formatTime(static_cast<double>(o.wholeNs))) : "";
    if (a.kernels.sanitize) printMessage("no errors found; times are not measured with --sanitize");
    else printMessage(stagesText(o.times) + overlap + " (single run; use 'bench' to measure)");
    for (const auto& line : o.stripsText) printMessage(line);
    if (o.memory) printMessage(memoryText(*o.memory));
    printMessage("wrote " + a.output);
}

constexpr std::uint64_t kWorthOverlapping = std::uint64_t{256} << 20;  // bytes of samples: a few strips

/// Why the image is streamed through memory in strips.
struct StripReason {
    std::string text;       ///< empty: it is not
    bool necessary = true;  ///< no run in memory instead
};
StripReason reasonForStrips(const RunArguments& a, const Pipeline& pipeline) {
    if (a.light.encoded()) {
        if (a.strips)
            throw Error(ErrorCode::usage, "--strips and --light encoded are mutually exclusive", "strips are filtered as they are stored");
        return {};
    }
    if (a.resample) {
        if (a.strips) throw Error(ErrorCode::usage, "--strips and --resample are mutually exclusive", "strips are those of images");
        return {};
    }
    if (a.strips) return {"requested by --strips"};
    const std::optional<Shape> shape = shapeForStrips(a.input);
    if (!shape) return {};
    const std::uint64_t needed = bytesInOneGo(*shape);
    const std::uint64_t available = a.memoryLimit > 0 ? a.memoryLimit << 20 : availableMemory();
    const std::string obstacle = whyNoFileStrips(pipeline, a.input, a.output);
    if (needed <= available) {
        if (!obstacle.empty() || needed / 2 < kWorthOverlapping || a.target.threads == 1) return {};
        return {"reading, computing and writing overlap", false};
    }
    const std::string why = fmt::format("image and result need {}, {} are {}", mebibytes(needed), mebibytes(available),
                                        a.memoryLimit > 0 ? "allowed" : "available");
    if (!obstacle.empty()) {
        // Half of a limited address space is a cautious estimate: what cannot be streamed may still fit.
        if (a.memoryLimit == 0 && needed <= hostDevice().memoryFree) return {};
        const std::string noScratch = whyNotInScratchFiles(needed - available);
        if (noScratch.empty()) return {};
        throw Error(ErrorCode::memory, "Not enough memory", why + "; streaming in strips is not possible: " + obstacle + "; " + noScratch,
                    "Use a smaller image, or OpenEXR files and a single step");
    }
    return {why};
}

int runInStrips(const RunArguments& a, const Pipeline& pipeline, const Target& target, const SaveOptions& save, const StripReason& reason) {
    const auto start = std::chrono::steady_clock::now();
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
    const std::string cut = counted(strips.strips(), "strip") + " of " + counted(strips.rows(), "row");
    if (reason.necessary)
        printMessage(fmt::format("note: streaming in {} ({}); estimated memory {}, limit {}", cut, reason.text,
                                 mebibytes(strips.estimatedBytes()), mebibytes(strips.allowedBytes())));
    Outcome o{.shape = strips.shape(),
              .channels = strips.channelNames(),
              .plan = {strips.step()},
              .deviceName = strips.deviceName(),
              .threads = strips.threads()};
    std::vector<std::string> lost;
    {
        const ProgressDisplay display(progress, "streaming");
        o.times = strips.run(context, lost);
    }
    o.wholeNs = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    for (const auto& note : lost) printMessage("note: " + note);
    o.notes = a.pipeline.notes(processCatalog());
    o.notes.insert(o.notes.end(), strips.step().notes.begin(), strips.step().notes.end());
    const std::uint64_t peak = peakResidentMemory();
    o.strips = Json{{"count", strips.strips()},
                    {"rows", strips.rows()},
                    {"reason", reason.text},
                    {"allowed_bytes", strips.allowedBytes()},
                    {"estimated_bytes", strips.estimatedBytes()},
                    {"peak_bytes", peak}};
    o.stripsText = {"in " + cut, "peak memory " + mebibytes(peak)};
    printOutcome(o, a, target);
    return 0;
}

/// The input as the steps get it: on a regular grid, or with encoded colours, if that is asked for.
ImagePtr inputFor(const RunArguments& a) {
    ImagePtr input = a.light.applied(loadInput(a.input, a.target.threads, scratchSpace() ? 0 : a.memoryLimit << 20));
    if (!a.resample) return input;
    auto regular = std::make_shared<const Image>(onRegularGrid(*input, interruption()));
    printMessage("note: " + regular->provenance.back());
    return regular;
}

/// `loaded`: the input, unless it has to be loaded.
int runInMemory(const RunArguments& a, const Pipeline& pipeline, const Target& target, const SaveOptions& save, ImagePtr loaded = {}) {
    const auto start = std::chrono::steady_clock::now();
    const Catalog& catalog = processCatalog();
    Progress progress;
    RunContext context;
    context.stop = interruption();
    context.progress = &progress;
    const HostMemoryPeak peak;
    ImagePtr input, original;
    const std::int64_t loadNs = nanoseconds([&] { input = loaded ? std::exchange(loaded, nullptr) : inputFor(a); });
    if (const std::uint64_t needed = bytesInOneGo(input->shape()); a.memoryLimit > 0 && needed > a.memoryLimit << 20)
        if (const std::string why = whyNotInScratchFiles(needed - (a.memoryLimit << 20)); !why.empty())
            throw Error(ErrorCode::memory, "Not enough memory",
                        fmt::format("image and result need {}, {} are allowed; {}", mebibytes(needed), mebibytes(a.memoryLimit << 20), why),
                        "Raise --memory-limit, or save the image as OpenEXR, which can be streamed in strips");
    // Fails before the computation if the format takes no volume.
    if (input->isVolume()) checkHolds(a.output, resultShape(pipeline, *input));
    if (pipeline.approximatesInput()) original = input;
    std::string inputSha256;
    std::int64_t hashNs = 0;
    if (a.json) hashNs += nanoseconds([&] { inputSha256 = checksumOf(input->view(), context.stop); });
    const std::uint64_t inputBytes = input->samples().bytes();
    RunResult result = [&] {
        if (!a.hasSteps()) return RunResult{.image = input->clone(), .memory = {.estimatedHost = inputBytes}};
        // Moved, so that the engine can free the input as soon as the result exists.
        PreparedRun prepared = Engine(catalog).prepare(pipeline, std::move(input), target, context);
        if (const std::uint64_t bytes = hostMemoryUse().scratch + prepared.estimatedScratchBytes(); bytes > 0)
            printMessage(fmt::format("note: memory is short; about {} of images are in scratch files in '{}', which takes longer",
                                     mebibytes(bytes), scratchSpace().folder));
        const ProgressDisplay display(progress, "computing");
        return Engine::run(std::move(prepared), context, a.json);
    }();
    Outcome o{.shape = result.image.shape(),
              .channels = result.image.channelNames(),
              .plan = result.plan,
              .statistics = result.statistics,
              .series = result.series,
              .laps = result.laps,
              .warnings = result.warnings,
              .deviceName = result.deviceName,
              .threads = result.threads,
              .times = result.times};
    o.times[Stage::load] = loadNs;
    if (original && original->shape() == o.shape)
        o.againstOriginal = compareViews(original->view(), std::as_const(result.image).view(), {.worstCount = 0});
    original.reset();
    if (a.json) hashNs += nanoseconds([&] { o.sha256 = checksumOf(std::as_const(result.image).view(), context.stop); });
    o.inputSha256 = inputSha256;
    std::vector<std::string> lost;
    o.times[Stage::encode] = nanoseconds([&] { lost = saveImage(result.image, a.output, save); });
    o.memory = result.memory;
    o.memory->estimatedHost += inputBytes;
    o.memory->host = peak.most().memory;
    o.memory->scratch = peak.most().scratch;
    o.wholeNs = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count() - hashNs;
    for (const auto& note : lost) printMessage("note: " + note);
    if (const std::string why = irregularityOf(result.image); !why.empty())
        printMessage("note: not every program reads such a volume, since " + why + "; --resample puts them on a regular grid");
    o.notes = a.pipeline.notes(catalog);
    for (const StepPlan& p : o.plan) o.notes.insert(o.notes.end(), p.notes.begin(), p.notes.end());
    printOutcome(o, a, target);
    return 0;
}

/// In strips, so that they fit or stages overlap. An implementation that needs the whole image, or a damaged file, of which loading keeps
/// what is left, takes a run in memory.
int runStreamed(const RunArguments& a, const Pipeline& pipeline, const Target& target, const SaveOptions& save, const StripReason& reason) {
    if (a.strips) return runInStrips(a, pipeline, target, save, reason);
    try {
        return runInStrips(a, pipeline, target, save, reason);
    } catch (const Error& e) {
        if (e.code() != ErrorCode::unavailable && e.code() != ErrorCode::input) throw;
        return runInMemory(a, pipeline, target, save);
    }
}

/// Why bands of rows go to the ranks in turn; empty: each rank has a part of the image.
std::string reasonForRankStrips(const RunArguments& a, const Pipeline& pipeline, const Shape& shape, int parts) {
    if (a.strips) return "requested by --strips";
    const std::uint64_t needed = bytesOfLargestPart(shape, parts);
    const std::uint64_t allowed = a.memoryLimit > 0 ? a.memoryLimit << 20 : availableMemoryOfRanks(parts);
    if (needed <= allowed) return {};
    const std::string why = fmt::format("a part of image and result needs {}, {} are {} on each rank", mebibytes(needed),
                                        mebibytes(allowed), a.memoryLimit > 0 ? "allowed" : "available");
    if (const std::string obstacle = whyNoFileStrips(pipeline, a.input, a.output); !obstacle.empty()) {
        if (a.memoryLimit == 0) return {};  // the rank that has too little says so
        throw Error(ErrorCode::memory, "Not enough memory", why + "; streaming in strips is not possible: " + obstacle,
                    "Use more ranks or machines, or OpenEXR files and a single step");
    }
    return why;
}

/// From file to file on ranks. Formats that cannot be read in parts are loaded by rank 0.
int runOnRanks(const RunArguments& a, const Pipeline& pipeline, const Target& target, const SaveOptions& save) {
    const auto start = std::chrono::steady_clock::now();
    const ImagePtr input = loadInput(a.input, a.target.threads, a.memoryLimit << 20, PartRange{});
    if (!input->samples().empty()) return runInMemory(a, pipeline, target, save, input);
    if (input->isVolume()) checkHolds(a.output, resultShape(pipeline, *input));
    const std::string reason = reasonForRankStrips(a, pipeline, input->shape(), target.parts);
    RankRunRequest request{.input = a.input,
                           .output = a.output,
                           .target = target,
                           .save = save,
                           .memory = a.memoryLimit << 20,
                           .strips = !reason.empty(),
                           .compare = pipeline.approximatesInput(),
                           .largeFiles = largeFilesAllowed()};
    for (const Step& step : pipeline.steps)
        if (step.enabled) request.steps.push_back(toText(step));
    Progress progress;
    RunContext context;
    context.stop = interruption();
    context.progress = &progress;
    RankRunResult result = [&] {
        const ProgressDisplay display(progress, request.strips ? "streaming" : "computing");
        return parallax::runOnRanks(processCatalog(), request, *input, context);
    }();
    Outcome o{.shape = result.shape,
              .channels = std::move(result.channelNames),
              .plan = std::move(result.plan),
              .statistics = std::move(result.statistics),
              .series = std::move(result.series),
              .laps = std::move(result.laps),
              .warnings = std::move(result.warnings),
              .deviceName = std::move(result.deviceName),
              .threads = result.threads,
              .times = std::move(result.times),
              .againstOriginal = std::move(result.againstInput)};
    o.wholeNs = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    for (const auto& note : result.notes) printMessage("note: " + note);
    o.notes = a.pipeline.notes(processCatalog());
    for (const StepPlan& p : o.plan) o.notes.insert(o.notes.end(), p.notes.begin(), p.notes.end());
    if (const auto& s = result.strips) {
        const std::string cut = counted(s->count, "strip") + " of " + counted(s->rows, "row");
        printMessage(fmt::format("note: streaming in {} ({}); estimated memory of a rank {}, limit {}", cut, reason,
                                 mebibytes(s->estimated), mebibytes(s->allowed)));
        o.strips = Json{
            {"count", s->count}, {"rows", s->rows}, {"reason", reason}, {"allowed_bytes", s->allowed}, {"estimated_bytes", s->estimated}};
        o.stripsText = {"in " + cut};
    }
    Json hosts = Json::array();
    for (int r = 0; r < target.parts; ++r) hosts.push_back(processRanks()->host(r));
    o.ranks = Json{{"hosts", std::move(hosts)}, {"peak_bytes", result.peakBytes}};
    o.stripsText.push_back("peak memory of a rank " + mebibytes(result.peakBytes));
    printOutcome(o, a, target);
    return 0;
}

/// One input, from file to file.
int runOne(const RunArguments& a) {
    limitMemory(a);
    const Catalog& catalog = processCatalog();
    // Everything that can be checked is checked before the computation.
    const Pipeline pipeline = a.hasSteps() ? a.pipeline.build(catalog) : Pipeline{};
    const SaveOptions save = saveOptionsOf(a);
    checkSavable(a.output, save);
    for (const std::string& file : filesOf(a.output)) checkWritable(file, a.force);
    checkKeepsInput(a.input, a.output);
    if (!a.hasSteps()) {
        if (!a.resample) printMessage("note: no operation given; the input is converted");
        return runInMemory(a, pipeline, {}, save);
    }
    (void)a.kernels.open();
    const Target target = a.target.availableTarget(catalog, chosenBackend(catalog, a.backend));
    const std::shared_ptr<Ranks> ranks = processRanks();
    if (ranks && target.parts > 1 && target.parts <= ranks->size() && !a.light.encoded() && !a.resample)
        return runOnRanks(a, pipeline, target, save);
    const StripReason reason = reasonForStrips(a, pipeline);
    if (reason.text.empty()) return runInMemory(a, pipeline, target, save);
    return runStreamed(a, pipeline, target, save, reason);
}

/// Options that have no meaning for what was asked.
void checkOptions(const RunArguments& a) {
    if (!a.hasSteps() && !a.backend.empty())
        throw Error(ErrorCode::usage, "--backend needs an operation", "without one, the input is converted", "Add --op or --recipe");
}

int run(RunArguments a) {
    checkOptions(a);
    std::vector<std::string> inputs = a.inputs;
    const bool batch = inputs.size() > 1 || isFilePattern(inputs.front()) || isOutputPattern(a.output);
    if (batch) inputs = expandInputs(inputs, loadOptions(a.target.threads));
    if (inputs.size() > 1 || isOutputPattern(a.output) || a.dryRun || a.resume) return runBatch(a, inputs);
    a.input = inputs.front();
    return runOne(a);
}

}  // namespace

std::string chosenBackend(const Catalog& catalog, const std::string& named) {
    if (!named.empty()) return named;
    const std::string id = defaultBackend(catalog);
    printMessage("note: using backend " + id + " (choose another with --backend)");
    return id;
}

void limitMemory(const RunArguments& a) {
    setScratchFolder(a.scratch);
    if (a.memoryLimit > 0) setHostMemoryLimit(a.memoryLimit << 20);
}

SaveOptions saveOptionsOf(const RunArguments& a) {
    SaveOptions save;
    save.overwrite = a.force;
    save.threads = a.target.threads;
    save.stop = interruption();
    save.withoutAlpha = a.noAlpha;
    save.keepPatient = a.keepPatient;
    if (!a.depth.empty()) save.depth = kDepths.at(a.depth);
    if (!a.encoding.empty()) save.encoding = kEncodings.at(a.encoding);
    if (!a.compression.empty()) save.compression = kCompressions.at(a.compression);
    return save;
}

void addRun(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<RunArguments>();
    CLI::App* sub = app.add_subcommand("run", "Apply operations to images or volumes and save the results");
    addExamples(*sub, {"run -i photo.png -o blurred.png --op convolve:kernel=gaussian,size=9",
                       "run -i scene.exr -o scene.png --op convolve:size=5 --op tonemap:operator=local --backend openmp",
                       "run -i scans/ -o filtered.nii.gz --recipe recipe.json --force", "run -i scene.exr -o scene.tif",
                       "run -i 'shots/*.exr' -o 'out/{name}_{op}.png' --op tonemap --keep-going"});
    sub->add_option("-i,--input", a->inputs, std::string(kInputHelp) + "; several, a pattern such as 'scans/*.exr', or a folder: a batch")
        ->required()
        ->type_name("IN...");
    const auto extensions = [](bool volumes) {
        std::string all;
        for (const SavableFormat& f : savableFormats())
            if (f.volumes == volumes && !f.isFolder()) all += " " + f.ending();
        return all;
    };
    sub->add_option("-o,--output", a->output,
                    "File to write; images:" + extensions(false) + "; volumes and single-channel images:" + extensions(true) +
                        "; NAME/: a folder of DICOM images, one for each slice; of a batch a name with {name}, {ext}, {folder}, {number}, "
                        "{op} or {backend}")
        ->required()
        ->type_name("OUT");
    sub->add_option("--depth", a->depth, "Sample type of the output: 8, 16, half or float [as the input, or the most precise]")
        ->check(oneOf({"8", "16", "half", "float"}))
        ->type_name("TYPE");
    sub->add_option("--encoding", a->encoding, "Encoding of integer samples: srgb, or linear for PNG [as the input, or srgb]")
        ->check(oneOf({"srgb", "linear"}))
        ->type_name("NAME");
    sub->add_option("--compression", a->compression, "Effort for a small PNG, .nii.gz or .nrrd file: fast, default or small [default]")
        ->check(oneOf({"fast", "default", "small"}))
        ->type_name("LEVEL");
    sub->add_flag("--no-alpha", a->noAlpha, "Omit the alpha channel of a PNG or TIFF");
    sub->add_flag("--keep-patient", a->keepPatient,
                  "Copy patient and study attributes of a DICOM input to a DICOM output, and name its images in it [left out]");
    a->pipeline.add(*sub);
    sub->add_option("--backend", a->backend, "Compute on this backend [the first one available, the reference last]")->type_name("NAME");
    a->target.add(*sub);
    a->kernels.add(*sub);
    a->kernels.addSanitize(*sub);
    a->light.add(*sub);
    sub->add_flag("--resample", a->resample,
                  "Put a volume with uneven or sheared slices on a regular grid before the steps, by linear interpolation");
    sub->add_flag("--strips", a->strips,
                  "Stream the image in strips of rows: one step, .exr to .exr [from 256 MiB, or if memory is short]");
    sub->add_option("--memory-limit", a->memoryLimit,
                    "Memory that the program may take, in MiB; larger images go through strips or scratch files [all available]")
        ->transform(wholeNumber(1, std::uint64_t{1} << 40))
        ->type_name("MIB");
    sub->add_option("--scratch", a->scratch,
                    "Folder on a disk for scratch files, which hold images larger than memory; none: refuse them [$PARALLAX_SCRATCH, "
                    "$TMPDIR or /var/tmp]")
        ->type_name("FOLDER");
    addAllowLarge(*sub);
    sub->add_option("--jobs", a->jobs, "Images of a batch to process at the same time; they share the threads [one per thread, at most 16]")
        ->transform(wholeNumber(1, 1024))
        ->type_name("N");
    sub->add_flag("--keep-going", a->keepGoing, "Go on with a batch when an image fails; exit code 9 [stop]");
    sub->add_flag("--resume", a->resume, "Leave out images of a batch whose output is not older than the input, and replace others");
    sub->add_flag("--dry-run", a->dryRun, "Print what would be read, computed and written, and the memory for it; write nothing");
    sub->add_flag("--json", a->json, "Print what ran and the stage times as JSON to standard output");
    sub->add_flag("--force", a->force, "Replace an existing file");
    sub->callback([=, &chosen] { chosen = [=] { return run(*a); }; });
}

}  // namespace parallax::cli
