// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/cli/bench/bench_arguments.hpp"
#include "app/cli/bench/outcome.hpp"
#include "app/cli/bench/targets.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/io/codec/text.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/measure/sweeps/sweep.hpp"
#include "core/metrics/image_metrics.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/compare.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/redact.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

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
        // Reports are UTF-8; names of files, sources of kernels and what they refuse with need not be.
        r.input.name = toUtf8(r.input.name);
        r.command = toUtf8(r.command);
        for (BackendBuild& build : r.backends)
            for (auto& [name, text] : build.details) text = toUtf8(text);
        for (RunEntry& e : r.entries) e.reason = toUtf8(e.reason);
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

}  // namespace

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
        forEachPoint(a.sweep, base, measure, interruption());
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

}  // namespace parallax::cli
