// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/kept/kept_results.hpp"
#include "app/cli/recipes.hpp"
#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/text.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/measure/sweeps/sweep.hpp"
#include "core/metrics/image_metrics.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/compare.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/redact.hpp"
#include "core/report/record/report.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

constexpr const char* kColdCaches = "cold";

struct BenchArguments {
    std::string input, effort, cache, baseline, sweep, command, from;
    RecipeArguments recipes;
    TargetArguments target;
    LightArgument light;
    KernelArguments kernels;
    KeptArguments kept;
    std::vector<std::string> backends, required, reports;
    double limit = -1;  ///< of a regression, in percent
    bool json = false, force = false, metrics = false, sameBits = false, energy = false, strict = false, redact = false, patient = false;
};

/// The first step whose operation lacks the variant of a target.
const Step* stepWithoutVariant(const Catalog& catalog, const Pipeline& pipeline, const Target& target) {
    for (const Step& step : pipeline.steps) {
        const auto known = catalog.implementations(step.operation->id(), target.backend);
        if (std::none_of(known.begin(), known.end(), [&](const Implementation* i) { return i->variant() == target.variant; })) return &step;
    }
    return nullptr;
}

/// A misspelt name is an error; an unavailable backend, or a variant that only other recipes have, is a row with the reason.
void checkNames(const Catalog& catalog, const std::vector<NamedPipeline>& recipes, const Target& target) {
    const Backend& backend = catalog.backend(target.backend);
    catalog.checkModes(target);
    if (target.variant.empty() || !backend.availability().yes) return;
    const Step* missing = nullptr;
    for (const NamedPipeline& recipe : recipes) {
        const Step* step = stepWithoutVariant(catalog, recipe.pipeline, target);
        if (!step) return;
        if (!missing) missing = step;
    }
    if (!missing) return;
    throw Error(ErrorCode::usage,
                fmt::format("Backend '{}' has no variant '{}' of '{}'", target.backend, target.variant, missing->operation->id()),
                "known are " + joined(catalog.implementations(missing->operation->id(), target.backend), ", ", &Implementation::variant));
}

void checkReports(const BenchArguments& a) {
    std::vector<std::filesystem::path> files;
    for (const std::string& report : a.reports) {
        checkReportName(report);
        checkWritable(report, a.force);
        std::error_code error;
        const std::filesystem::path file = std::filesystem::weakly_canonical(std::filesystem::absolute(report, error), error);
        if (std::find(files.begin(), files.end(), file) != files.end())
            throw Error(ErrorCode::usage, "Report '" + report + "' is given twice");
        files.push_back(file);
    }
}

/// --device applies to backends with devices of their own; the others run on the CPU. Throws if no backend has the device.
std::vector<Target> targetsOf(const Catalog& catalog, const BenchArguments& a, const std::vector<NamedPipeline>& recipes) {
    std::vector<Target> targets;
    bool known = a.target.devices.front() == 0;
    int mostParts = 1;
    for (const std::string& name : a.backends) {
        Target t = a.target.target(name);
        checkNames(catalog, recipes, t);
        const Backend& backend = catalog.backend(t.backend);
        if (backend.availability().yes) {
            const std::vector<DeviceInfo> devices = backend.devices();
            if (std::all_of(devices.begin(), devices.end(), isProcessor)) {
                t.device = 0;
                targets.push_back(std::move(t));
                continue;
            }
        }
        a.target.assignDevices(t);
        known = known || t.device != 0;
        mostParts = std::max(mostParts, t.parts);
        targets.push_back(std::move(t));
    }
    a.target.requireAllUsed(mostParts);
    if (!known) (void)a.target.availableTarget(catalog, a.backends.front());
    return targets;
}

/// Note on a sweep over a parameter without effect; empty if it has one.
std::string noteOnSweep(const std::string& sweep, const std::vector<NamedPipeline>& recipes) {
    const std::string axis = sweep.substr(0, sweep.find('='));
    const auto dot = axis.find('.');
    if (dot == std::string::npos) return {};
    const std::string key = axis.substr(dot + 1);
    for (const NamedPipeline& recipe : recipes)
        for (const Step& s : recipe.pipeline.steps)
            if (s.operation->id() == axis.substr(0, dot) && s.parameters.isShown(key)) return {};
    return "sweeping '" + axis + "' has no effect with the other parameters; see 'parallax-cli operations " + axis.substr(0, dot) + "'";
}

void checkRequired(const Catalog& catalog, const std::vector<std::string>& required) {
    for (const std::string& name : required) {
        const Target target = parseTarget(name);
        const Backend& b = catalog.backend(target.backend);
        catalog.checkModes(target);
        const Availability a = b.availability();
        if (!a.yes) throw Error(ErrorCode::unavailable, "Required backend '" + name + "' is not available", a.reason, a.whatToDo);
    }
}

std::string progressText(const RunRecord& record) {
    constexpr std::size_t kShownRows = 6;
    if (record.entries.size() > kShownRows) {
        std::size_t samples = 0;
        for (const RunEntry& e : record.entries) samples += e.samples.size();
        return fmt::format("measuring: {} samples of {} rows", samples, record.entries.size());
    }
    std::string text;
    for (const RunEntry& e : record.entries) text += fmt::format("{}{} {}", text.empty() ? "measuring: " : ", ", e.label, e.samples.size());
    return text + " samples";
}

/// "point 2 of 5, about 40 s left, "; empty without a sweep.
std::string progressText(const SweepPosition& at) {
    if (at.count < 2) return {};
    std::string text = fmt::format("point {} of {}, ", at.index + 1, at.count);
    if (at.secondsLeft && *at.secondsLeft >= 1)
        text += *at.secondsLeft < 90 ? fmt::format("about {:.0f} s left, ", *at.secondsLeft)
                                     : fmt::format("about {:.0f} min left, ", *at.secondsLeft / 60);
    return text;
}

bool isRequired(const BenchArguments& a, const RunEntry& entry) {
    return std::any_of(a.required.begin(), a.required.end(), [&](const std::string& name) {
        // Variant and modes count only if they are named.
        const Target required = parseTarget(name), measured = targetOfLabel(entry.label);
        return required.backend == measured.backend && (required.variant.empty() || required.variant == measured.variant) &&
               std::all_of(required.modes.begin(), required.modes.end(), [&](const std::string& mode) {
                   return std::find(measured.modes.begin(), measured.modes.end(), mode) != measured.modes.end();
               });
    });
}

/// File names and pictures may identify a patient, so records of DICOM leave them out unless --patient is given.
bool redacts(const BenchArguments& a, const Image& input) { return a.redact || (input.source.medical && !a.patient); }

int exitCodeFor(const std::vector<RunRecord>& records, const BenchArguments& a) {
    bool anyDone = false, unavailable = false, missing = false, doubtful = false;
    std::string failed;
    for (const RunRecord& r : records) {
        doubtful = doubtful || !r.warnings.empty();
        for (const RunEntry& e : r.entries) {
            if (e.verification == Verification::disagrees) {
                printError("'" + e.label + "' " +
                           (e.isCompared() ? "disagrees with the reference beyond its tolerance" : "fails the judgement of its operation"));
                return kDisagreement;
            }
            if (e.bits && e.bits->others > 0) {
                printError("'" + e.label + "': " + formatBits(*e.bits));
                return kDisagreement;
            }
            if (e.verification == Verification::inconclusive)
                printMessage("note: verification of '" + e.label + "' is inconclusive: " +
                             (e.isCompared() ? "the tolerance of this pipeline, " + formatNumber(e.tolerance)
                                             : "the bound of its own judgement, " + formatNumber(e.judgements.front().bound)) +
                             ", allows any result");
            anyDone = anyDone || (e.status == RunStatus::done && !e.samples.empty());
            unavailable = unavailable || e.status == RunStatus::skipped;
            if (e.status == RunStatus::failed && failed.empty()) failed = e.label;
            missing = missing || (e.status == RunStatus::skipped && isRequired(a, e));
            doubtful = doubtful || !e.warnings.empty();
        }
    }
    if (interrupted()) return interruptedExitCode();
    if (!anyDone) {
        for (const RunEntry& e : records.front().entries) printError(e.reason);
        return unavailable ? kUnavailable : kFailed;
    }
    if (missing) {
        printError("a required backend was skipped");
        return kUnavailable;
    }
    if (!failed.empty()) {
        printError("'" + failed + "' failed; the table shows the reason");
        return kFailed;
    }
    if (a.strict && doubtful) {
        printError("the measurement is not trustworthy (--strict); the notes above show the reasons");
        return kUntrustworthy;
    }
    return kSuccess;
}

bool measuredAny(const std::vector<RunRecord>& records) {
    return std::any_of(records.begin(), records.end(), [](const RunRecord& r) {
        return std::any_of(r.entries.begin(), r.entries.end(), [](const RunEntry& e) { return !e.samples.empty(); });
    });
}

void writeReports(const Report& report, const BenchArguments& a) {
    const bool nothing = interrupted() && !measuredAny(report.records);
    // Printed last, since a reader of standard output that ends early ends this program; also if a report cannot be written.
    const auto print = [&] {
        if (a.json) printData(toJson(report.records, report.comparisons));
    };
    try {
        for (const auto& path : a.reports) {
            std::error_code error;
            if (nothing && std::filesystem::exists(path, error)) {
                printMessage("note: nothing was measured; '" + path + "' is left unchanged");
                continue;
            }
            writeReport(report, path, a.force);
            printMessage("wrote " + path);
        }
    } catch (const Error&) {
        print();
        throw;
    }
    print();
}

/// Measures one point and keeps its record, redacted if necessary.
class Bench {
public:
    Bench(const BenchArguments& a, std::size_t records)
        : arguments_(a),
          baselines_(a.kept.open(a.force)),
          collects_(!a.redact && std::any_of(a.reports.begin(), a.reports.end(), showsPictures)),
          side_(pictureSide(records)) {}

    const std::vector<RunRecord>& records() const { return report_.records; }
    bool shouldStop() const { return interrupted() && !records().empty(); }
    /// Reports hold the comparison with these records, too, which is printed already.
    void addToReports(NamedRecords baseline) { shown_.push_back(std::move(baseline)); }

    /// `baseline`: label, used if --baseline is not given. `progress`: text before the numbers of samples.
    const RunRecord& measure(const SweepPoint& point, const std::vector<MeasuredRow>& rows, const ProtocolRecord& protocol,
                             const std::string& baseline, const std::string& progress) {
        if (!kept_) kept_.emplace();
        MeasureOptions options;
        options.protocol = protocol;
        options.command = arguments_.command;
        options.baseline = arguments_.baseline.empty() ? baseline : baselineLabel(arguments_.baseline, point.recipes, rows);
        options.stop = interruption();
        options.bits = arguments_.sameBits;
        options.energy = arguments_.energy;
        options.onProgress = [&](const RunRecord& r) { printProgress(progress + progressText(r)); };
        if (arguments_.metrics)
            options.metrics = [&](const View<const float>& reference, const View<const float>& result, RunContext& context) {
                return computeResultMetrics(*point.input, reference, result, context);
            };
        if (collects_ && !redacts(arguments_, *point.input)) {
            ReportPictures& pictures = report_.pictures.emplace_back(picturesOf(*point.input, side_));
            options.onResult = [&](std::size_t i, const View<const float>& result, const View<const float>& reference) {
                addPictures(pictures, entryLabel(rows[i].target, point.recipes[rows[i].recipe].name), *point.input, result, reference,
                            side_);
            };
        }
        RunRecord r = measureRecipes(Engine(processCatalog()), point.recipes, point.input, rows, options);
        endProgress();
        r.sweep = point.at;
        // Reports are UTF-8; names of files need not be.
        r.input.name = toUtf8(r.input.name);
        r.command = toUtf8(r.command);
        redacts_ = redacts(arguments_, *point.input);
        if (redacts_) r = redacted(std::move(r));
        return report_.records.emplace_back(std::move(r));
    }

    /// Compares with the baselines, writes the reports, keeps the measurement and returns the exit code.
    int finish() {
        const bool regression = comparesWithBaselines();
        if (measuredAny(records())) arguments_.kept.keep(records(), arguments_.force);
        for (const NamedRecords& baseline : shown_) report_.comparisons.push_back(compareWith(baseline, records(), arguments_.limit));
        if (redacts_)
            for (NamedComparison& comparison : report_.comparisons) comparison = redacted(std::move(comparison));
        writeReports(report_, arguments_);
        const int code = exitCodeFor(records(), arguments_);
        return code == kSuccess && regression ? kRegression : code;
    }

private:
    /// Prints the comparison with each baseline; returns whether there is a regression.
    bool comparesWithBaselines() {
        std::vector<NamedComparison>& comparisons = report_.comparisons;
        bool regression = false;
        for (const NamedRecords& baseline : baselines_) {
            comparisons.push_back(compareWith(baseline, records(), arguments_.limit));
            regression = regression || comparisons.back().result.hasRegression();
        }
        const std::string text = comparisons.empty() ? std::string() : printable(toText(comparisons), "\n");
        if (arguments_.json && !text.empty()) printMessage(text);
        else if (!text.empty()) printData("\n" + text);
        return regression;
    }

    const BenchArguments& arguments_;
    std::vector<NamedRecords> baselines_, shown_;
    std::optional<ResultsKept> kept_;
    bool collects_;  // a report shows pictures
    bool redacts_ = false;
    int side_;
    Report report_;
};

std::vector<NamedPipeline> recordedRecipes(const Catalog& catalog, const RunRecord& record) {
    std::vector<NamedPipeline> recipes;
    for (const RecipeSteps& r : recipesOf(record)) recipes.push_back({r.name, parsePipeline(catalog, r.steps)});
    return recipes;
}

std::vector<MeasuredRow> recordedRows(const Catalog& catalog, const RunRecord& record, const std::vector<NamedPipeline>& recipes) {
    std::vector<MeasuredRow> rows;
    for (const RunEntry& e : record.entries) {
        const std::string name = hasNamedRecipes(record) ? recipeOfLabel(e.label) : std::string();
        const auto recipe = std::find_if(recipes.begin(), recipes.end(), [&](const NamedPipeline& r) { return r.name == name; });
        if (recipe == recipes.end()) throw Error(ErrorCode::input, "The report has no recipe of '" + e.label + "'");
        rows.push_back({static_cast<std::size_t>(recipe - recipes.begin()), targetOfLabel(e.label)});
        checkNames(catalog, recipes, rows.back().target);
    }
    return rows;
}

/// Repeats the measurement of a report and prints what changed.
int benchAgain(const BenchArguments& a) {
    const Catalog& catalog = processCatalog();
    if (a.recipes.given()) throw Error(ErrorCode::usage, "--from excludes --op and --recipe", "the report defines them");
    checkReports(a);
    checkRequired(catalog, a.required);
    const std::vector<RunRecord> before = loadRecords(a.from);
    Bench bench(a, before.size());
    SweepPoint point;
    std::string loaded, light;
    bool regression = false;
    for (const RunRecord& old : before) {
        if (bench.shouldStop()) break;
        point.at = old.sweep;
        point.recipes = recordedRecipes(catalog, old);
        const std::vector<MeasuredRow> rows = recordedRows(catalog, old, point.recipes);
        const std::string name = a.input.empty() ? old.input.name : a.input;
        if (!point.input || name != loaded || old.input.light != light)
            point.input = LightArgument{old.input.light}.applied(loadInput(name, a.target.threads));
        loaded = name;
        light = old.input.light;
        if (bench.records().empty() && point.recipes.size() == 1) checkPipeline(point.recipes.front().pipeline, *point.input);
        ProtocolRecord protocol = a.effort.empty() ? old.protocol : protocolFor(a.effort);
        protocol.coldCaches = a.cache.empty() ? old.protocol.coldCaches : a.cache == kColdCaches;
        const RunRecord& r = bench.measure(point, rows, protocol, old.baseline, {});
        const RecordComparison comparison = compareRecords(old, r, a.limit);
        regression = regression || comparison.hasRegression();
        const std::string changed = toText(comparison);
        if (a.json) printMessage(changed);
        else printData(toTerminalTable(r, coloursOnStdout()) + "\nagainst " + printable(a.from) + ":\n" + printable(changed, "\n"));
    }
    bench.addToReports({std::filesystem::path(a.from).filename().string(), before});
    const int result = bench.finish();
    return result == kSuccess && regression ? kRegression : result;
}

/// Checks the arguments and loads the input.
SweepPoint preparePoint(const BenchArguments& a) {
    const Catalog& catalog = processCatalog();
    if (a.input.empty())
        throw Error(ErrorCode::usage, "No input given", "--input is required", "Or repeat the measurement of a report with --from");
    if (a.backends.empty()) throw Error(ErrorCode::usage, "No backend given", "--backend is required", "See 'parallax-cli devices'");
    SweepPoint base;
    base.recipes = a.recipes.build(catalog);
    checkReports(a);
    checkRequired(catalog, a.required);
    base.targets = targetsOf(catalog, a, base.recipes);
    checkSweep(a.sweep, base.recipes);
    // A swept parameter may give the others an effect, so notes on these would be wrong.
    if (const std::string note = noteOnSweep(a.sweep, base.recipes); !note.empty()) printMessage("note: " + note);
    else if (a.sweep.find('.') == std::string::npos)
        for (const std::string& text : a.recipes.notes(catalog)) printMessage("note: " + text);
    base.input = a.light.applied(loadInput(a.input, a.target.threads));
    // One of several recipes that cannot run is a row with the reason.
    if (a.sweep.empty() && base.recipes.size() == 1) checkPipeline(base.recipes.front().pipeline, *base.input);
    if (redacts(a, *base.input) && !a.redact)
        printMessage("note: host name, file names and pictures are left out of this record of patient data (--patient keeps them)");
    return base;
}

int runBench(const BenchArguments& a) {
    const InMemoryOnly inMemory(kMeasuredInMemory);
    (void)a.kernels.open();
    if (!a.from.empty()) return benchAgain(a);
    if (a.limit >= 0 && a.kept.compareWith.empty())
        throw Error(ErrorCode::usage, "--fail-on-regression requires --from or --compare-with", {}, "See 'parallax-cli bench --help'");
    ProtocolRecord protocol = protocolFor(a.effort.empty() ? "normal" : a.effort);
    protocol.coldCaches = a.cache == kColdCaches;
    const SweepPoint base = preparePoint(a);
    Bench bench(a, a.sweep.empty() ? 1 : 2);
    std::optional<ErrorCode> rejected;
    const auto measure = [&](const SweepPoint& point, const SweepPosition& at) {
        if (bench.shouldStop()) return false;
        for (const NamedPipeline& recipe : point.recipes) try {
                checkPipeline(recipe.pipeline, *point.input);
            } catch (const Error& e) {
                rejected = e.code();  // the table shows it; other points and recipes may be valid
            }
        std::vector<MeasuredRow> rows = rowsOf(point.recipes.size(), point.targets);
        if (a.baseline.empty()) addSerialBaseline(processCatalog(), point.recipes, rows);
        const RunRecord& r = bench.measure(point, rows, protocol, {}, progressText(at));
        if (a.json) return true;
        if (!point.name().empty()) printData(point.name() + "\n");
        printData(toTerminalTable(r, coloursOnStdout()) + (a.sweep.empty() ? "" : "\n"));
        return true;
    };
    int broken = kSuccess;
    try {
        forEachPoint(a.sweep, base, measure);
    } catch (const Error& e) {
        // A point that is too large must not lose the results before it.
        if (bench.records().empty()) throw;
        printError(std::string("the sweep ended early: ") + e.what());
        broken = exitCodeOf(e.code());
    }
    if (!a.json)
        for (const std::string& sentence : sweepSentences(bench.records(), kAsciiSigns)) printData(sentence + "\n");
    const int result = bench.finish();
    if (result == kFailed && rejected && !measuredAny(bench.records())) return exitCodeOf(*rejected);
    return result == kSuccess ? broken : result;
}

}  // namespace

void addBench(CLI::App& app, Action& chosen, const std::string& commandLine) {
    auto a = std::make_shared<BenchArguments>();
    CLI::App* sub = app.add_subcommand("bench", "Measure and verify backends and recipes on an image");
    addExamples(
        *sub,
        {"bench -i scene.exr --op convolve:size=7 --backend reference --backend openmp --report r.html",
         "bench -i scene.exr --recipe 'box=convolve:kernel=box,size=9' --recipe 'gauss=convolve:kernel=gaussian,size=9' --backend openmp",
         "bench -i synthetic:noise:1024x1024 --op convolve --backend openmp --sweep convolve.size=3,5,9",
         "bench -i scene.exr --op convolve --backend openmp --compare-with release-1.0 --compare-with mine=old.json --fail-on-regression 5",
         "bench --from r.json --fail-on-regression 5"});
    sub->add_option("-i,--input", a->input, kInputHelp)->type_name("IN");
    auto* from =
        sub->add_option("--from", a->from, "Repeat the measurement of a JSON report and print what changed")->type_name("REPORT.json");
    a->recipes.add(*sub);
    a->kept.add(*sub);
    sub->add_option("--backend", a->backends, "Backend to measure, e.g. openmp, openmp@2, cuda.tiled or cuda.direct+pinned; repeatable")
        ->take_all()
        ->excludes(from)
        ->type_name("NAME");
    sub->add_option(
           "--baseline", a->baseline,
           "Row that speedups refer to: a backend, a recipe, or both as in B/openmp. Beside the reference, which is an oracle, plain "
           "serial loops are measured for it [openmp.scalar or openmp with one thread, else the first]")
        ->type_name("NAME");
    sub->add_option("--require-backend", a->required, "Fail with exit code 5 unless this backend is available; repeatable")
        ->take_all()
        ->type_name("NAME");
    a->target.add(*sub);
    a->kernels.add(*sub);
    KernelArguments::refuseSanitize(*sub);
    a->light.add(*sub)->excludes(from);
    sub->add_option("--effort", a->effort, "Sampling effort: quick, normal or thorough [normal]")
        ->check(oneOf(efforts()))
        ->type_name("EFFORT");
    sub->add_option("--cache", a->cache,
                    "State of the caches before each timing sample: warm, as the runs before left them, or cold, emptied (CPU and device) "
                    "[warm]")
        ->check(oneOf({"warm", kColdCaches}))
        ->type_name("STATE");
    sub->add_option(
           "--sweep", a->sweep,
           "Repeat for each value: size=512,1024 (pixels), threads=1,2, parts=1,2, weak=1,2 (parts, rows times parts) or ID.name=a,b")
        ->excludes(from)
        ->type_name("AXIS=VALUES");
    sub->add_option("--report", a->reports, "Report to write: .json, .csv, .html, .pdf, .md or .tex; repeatable")
        ->take_all()
        ->type_name("FILE");
    sub->add_option(
           "--fail-on-regression", a->limit,
           "Fail with exit code 8 if a backend became slower than in the report of --from or a baseline of --compare-with by more than "
           "PERCENT %")
        ->transform(realNumber(0, 1e6))
        ->type_name("PERCENT");
    sub->add_flag("--same-bits", a->sameBits,
                  "Compare the bits of the results of all runs of a backend, between samples; exit code 7 if they differ");
    sub->add_flag("--energy", a->energy,
                  "Measure the energy of a run after the timing samples, by RAPL or NVML; 'devices' says where they are available");
    sub->add_flag("--metrics", a->metrics, "Add SSIM, FLIP and ULP distance of each result from the reference");
    addAllowLarge(*sub);
    sub->add_flag("--json", a->json, "Print the record as JSON to standard output instead of the table");
    sub->add_flag("--force", a->force, "Replace existing reports");
    auto* redact =
        sub->add_flag("--redact", a->redact, "Omit host name, file names, pictures and sources of kernels; the default for DICOM");
    sub->add_flag("--patient", a->patient, "Keep names and pictures of DICOM, which may identify the patient")->excludes(redact);
    sub->add_flag("--strict", a->strict, "Fail with exit code 10 if the measurement is not trustworthy");
    sub->callback([=, &chosen, &commandLine] {
        a->command = commandLine;
        chosen = [=] { return runBench(*a); };
    });
}

/// The backend that a kernel is measured beside if none is named.
static const char* againstOf(const OpenedKernel& kernel) {
    constexpr const char* kCuda = "cuda";
    return kernel.backend == kUserCudaBackend && processCatalog().backend(kCuda).availability().yes ? kCuda : "openmp";
}

/// Opens kernels that are measured beside each other.
static std::vector<OpenedKernel> openToCompare(const KernelArguments& kernels) {
    std::vector<OpenedKernel> opened = kernels.open();
    for (std::size_t i = 1; i < opened.size(); ++i) {
        const std::string what = "Cannot compare '" + kernels.files.front() + "' with '" + kernels.files[i] + "'";
        if (opened[i].operation != opened.front().operation)
            throw Error(ErrorCode::usage, what, "one computes " + opened.front().operation + ", the other " + opened[i].operation);
        for (std::size_t k = 0; k < i; ++k)
            if (opened[k].target() == opened[i].target())
                throw Error(ErrorCode::usage, "Two kernels have the name '" + opened[i].target() + "'", "it is that of the file",
                            "Rename a file");
    }
    return opened;
}

void addKernelBench(CLI::App& kernel, Action& chosen, const std::string& commandLine) {
    auto a = std::make_shared<BenchArguments>();
    CLI::App* sub = kernel.add_subcommand("bench", "Measure and verify kernels beside other backends");
    addExamples(*sub, {"kernel bench blur.cpp --against openmp",
                       "kernel bench blur.cpp faster.cpp -i scene.exr --op convolve:size=9 --report r.html"});
    sub->add_option("file", a->kernels.files, "Kernels of one operation; speedups refer to the first")->required()->type_name("FILE...");
    sub->add_option("-i,--input", a->input, std::string(kInputHelp) + " [synthetic:noise:2048x2048]")->type_name("IN");
    sub->add_option("--op", a->recipes.operations, "Step of the kernel's operation, e.g. convolve:size=7 [its defaults]")
        ->type_name("STEP");
    sub->add_option("--against", a->backends, "Backend to measure beside it; repeatable [openmp, or cuda for a kernel in CUDA]")
        ->take_all()
        ->type_name("NAME");
    a->target.add(*sub);
    a->kernels.addLimit(*sub);
    KernelArguments::refuseSanitize(*sub);
    a->kept.addHistory(*sub);
    sub->add_option("--effort", a->effort, "Sampling effort: quick, normal or thorough [normal]")
        ->check(oneOf(efforts()))
        ->type_name("EFFORT");
    sub->add_option("--report", a->reports, "Report to write: .json, .csv, .html, .pdf, .md or .tex; repeatable")
        ->take_all()
        ->type_name("FILE");
    sub->add_flag("--json", a->json, "Print the record as JSON to standard output instead of the table");
    sub->add_flag("--force", a->force, "Replace existing reports");
    sub->callback([=, &chosen, &commandLine] {
        a->command = commandLine;
        chosen = [=] {
            const std::vector<OpenedKernel> opened = openToCompare(a->kernels);
            a->kernels.files.clear();
            for (const OpenedKernel& k : opened)
                for (const user::FunctionResources& f : k.functions) printMessage(user::toText(f));
            if (a->backends.empty()) a->backends = {againstOf(opened.front())};
            for (auto k = opened.rbegin(); k != opened.rend(); ++k) a->backends.insert(a->backends.begin(), k->target());
            if (a->recipes.operations.empty()) a->recipes.operations = {opened.front().operation};
            if (a->input.empty()) a->input = "synthetic:noise:2048x2048";
            return runBench(*a);
        };
    });
}

}  // namespace parallax::cli
