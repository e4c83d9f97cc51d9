// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/engine/run/live_series.hpp"
#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/texts.hpp"
#include "core/kernels/kernel_record.hpp"
#include "core/kernels/random_stack.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/ceilings/link.hpp"
#include "core/measure/checksum/checksum.hpp"
#include "core/measure/conditions/machine.hpp"
#include "core/measure/conditions/trust.hpp"
#include "core/measure/energy/rapl.hpp"
#include "core/measure/energy/run_energy.hpp"
#include "core/measure/sampling/cold_caches.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/reference_cost.hpp"
#include "core/measure/sampling/schedule.hpp"
#include "core/measure/sampling/verify.hpp"

namespace parallax {
namespace {

/// The link between ranks, measured once: a sweep has many records.
const std::vector<CeilingRecord>& rankLinkOf(Ranks& ranks, const std::stop_token& stop) {
    constexpr double kSeconds = 0.05;
    static const std::vector<CeilingRecord> link = measureRankLink(ranks, kSeconds, stop);
    return link;
}

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void fail(RunEntry& entry, const Error& e) {
    entry.status = e.code() == ErrorCode::cancelled     ? RunStatus::cancelled
                   : e.code() == ErrorCode::unavailable ? RunStatus::skipped
                                                        : RunStatus::failed;
    entry.reason = e.what();
}

void describe(RunEntry& entry, const PreparedRun& run) {
    entry.device = run.deviceName();
    entry.threads = run.threads();
    entry.hosts = run.hosts();
    for (const StepPlan& step : run.plan()) {
        entry.implementations.push_back(step.implementation);
        entry.choices.push_back(step.reason);
        entry.variant += (entry.variant.empty() ? "" : ", ") + step.variant;
    }
    entry.prepare = run.prepareTimes();
    entry.flops = run.work().flops;
    entry.bytes = run.work().bytes;
    entry.tolerance = run.tolerance().absolute;
    entry.toleranceReason = run.tolerance().reason;
    entry.ambiguous = run.tolerance().ambiguous;
    entry.peakHostBytes = run.estimatedHostBytes();
    entry.peakDeviceBytes = run.estimatedDeviceBytes();
}

class Measurement {
public:
    Measurement(const Engine& engine, const std::vector<NamedPipeline>& recipes, ImagePtr input, const std::vector<MeasuredRow>& rows,
                const MeasureOptions& options)
        : engine_(engine), recipes_(recipes), input_(std::move(input)), rows_(rows), options_(options) {
        context_.stop = options.stop;
    }

    RunRecord run() {
        if (isInScratchFile(input_->samples().data()))
            throw Error(ErrorCode::memory, "Cannot measure this image", "it is in a scratch file, since memory is short",
                        "Close other images and open it again, or use a smaller one");
        describeRun();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            RunEntry entry;
            entry.label = labelOf(i);
            entry.backend = targetOf(i).backend;
            entry.modes = targetOf(i).modes;
            record_.entries.push_back(std::move(entry));
        }
        runs_.resize(rows_.size());
        lastAsked_.resize(rows_.size());
        preparing_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) attempt(i, [&] { prepare(i); });
        addChecksums();
        for (std::size_t recipe = 0; recipe < recipes_.size(); ++recipe) {
            if (options_.verify) verify(recipe);
            else showResults(recipe, {});
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto start = Clock::now();
            if (active(i)) attempt(i, [&] { warmUp(i); });
            preparing_[i] += secondsSince(start);
        }
        sample();
        addConditions(record_.warnings, conditionsWhile(record_.machine, before_, takeSnapshot()));
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            RunEntry& e = record_.entries[i];
            if (e.status == RunStatus::done)
                addConditions(e.warnings, conditionsOfEntry(e, record_.protocol, record_.machine, clockStep(targetOf(i))));
        }
        for (const RunEntry& e : record_.entries) {
            if (!e.series.empty() || !e.judgements.empty() || !e.laps.empty()) record_.version = std::max(record_.version, kSeriesVersion);
            if (e.label.find_first_of("@:") != std::string::npos) record_.version = std::max(record_.version, kPartsVersion);
        }
        if (record_.protocol.coldCaches) record_.version = std::max(record_.version, kColdCachesVersion);
        return std::move(record_);
    }

private:
    void describeRun() {
        const BuildInfo& build = buildInfo();
        record_.toolVersion = build.version;
        record_.git = build.git;
        record_.buildType = build.buildType;
        record_.compiler = build.compiler;
        record_.flags = build.flags;
        record_.when = utcNow();
        record_.command = options_.command;
        record_.machine = describeMachine(engine_.catalog());
        record_.machine.ceilings = knownCeilings(engine_.catalog());
        if (const std::shared_ptr<Ranks> ranks = processRanks()) {
            const std::vector<CeilingRecord>& link = rankLinkOf(*ranks, options_.stop);
            record_.machine.ceilings.insert(record_.machine.ceilings.end(), link.begin(), link.end());
        }
        for (const auto& backend : engine_.catalog().backends()) {
            if (!backend->availability().yes) continue;
            if (auto details = backend->buildDetails(); !details.empty()) record_.backends.push_back({backend->id(), std::move(details)});
        }
        record_.input = {input_->source.path.empty() ? input_->source.format : input_->source.path,
                         input_->shape(),
                         input_->channelNames(),
                         hashSamples(input_->view()),
                         computeStatistics(*input_).nonFinite(),
                         input_->source.encoded ? "encoded" : "",
                         checksumOf(input_->view(), options_.stop)};
        describeRecipes();
        record_.protocol = options_.protocol;
        if (record_.protocol.effort.empty()) {
            record_.protocol = protocolFor("normal");
            record_.protocol.coldCaches = options_.protocol.coldCaches;
        }
        record_.baseline = options_.baseline;
        if (record_.baseline.empty()) record_.baseline = labelOf(defaultBaseline(rows_));
        before_ = takeSnapshot();
        addConditions(record_.warnings, conditionsOfMachine(record_.machine, build, before_));
    }

    void describeRecipes() {
        if (recipes_.front().name.empty()) {
            record_.recipe = enabledSteps(recipes_.front()).steps;
            return;
        }
        record_.version = kNamedRecipesVersion;
        for (const NamedPipeline& recipe : recipes_) record_.recipe.push_back(toText(enabledSteps(recipe)));
    }

    const NamedPipeline& recipeOf(std::size_t i) const { return recipes_[rows_[i].recipe]; }
    const Target& targetOf(std::size_t i) const { return rows_[i].target; }
    std::string labelOf(std::size_t i) const { return entryLabel(targetOf(i), recipeOf(i).name); }

    /// Resolution of the clock that times a target, ns.
    double clockStep(const Target& target) const {
        const Backend& backend = engine_.catalog().backend(target.backend);
        if (backend.availability().yes)
            for (const DeviceInfo& d : backend.devices())
                if (d.index == target.device && d.clockStepNs > 0) return d.clockStepNs;
        return record_.machine.timerResolutionNs;
    }

    bool active(std::size_t i) const { return runs_[i].has_value() && record_.entries[i].status == RunStatus::done; }

    template <class F>
    void attempt(std::size_t i, F&& f) {
        try {
            context_.throwIfStopped();
            f();
        } catch (const Error& e) {
            // Samples taken before a cancel are kept.
            if (e.code() == ErrorCode::cancelled && !record_.entries[i].samples.empty()) return;
            fail(record_.entries[i], e);
            runs_[i].reset();
        }
    }

    void warmUp(std::size_t i) {
        // A run that takes as long as all samples may is warm after the first.
        const auto start = Clock::now();
        const double most = record_.protocol.maximumSeconds - static_cast<double>(record_.entries[i].cold.endToEnd()) * 1e-9;
        for (int w = 0; w < record_.protocol.warmUp && secondsSince(start) < most; ++w) (void)runs_[i]->run(context_);
    }

    /// Prepares a row and records the kernels of users that it runs.
    void prepareRun(std::size_t i) {
        const Backend& backend = engine_.catalog().backend(targetOf(i).backend);
        std::vector<const Implementation*> implementations;
        do {  // users may replace a kernel at any time
            implementations = backend.implementations();
            runs_[i] = engine_.prepare(recipeOf(i).pipeline, input_, targetOf(i), context_);
        } while (implementations != backend.implementations());
        for (const StepPlan& step : runs_[i]->plan()) {
            const std::string operation = step.implementation.substr(0, step.implementation.find(' '));
            if (const auto kernel = kernelRecordOf(implementations, operation, step.variant)) addKernel(record_, *kernel);
        }
    }

    void prepare(std::size_t i) {
        const auto start = Clock::now();
        prepareRun(i);
        describe(record_.entries[i], *runs_[i]);
        if (record_.protocol.coldCaches) emptyCaches(i);  // fails now if it cannot
        RunContext first = context_;
        first.live = options_.live.get();
        if (first.live) first.live->beginRun(labelOf(i));
        record_.entries[i].cold = runs_[i]->run(first);
        lookAtBits(i);
        preparing_[i] = secondsSince(start);
        record_.entries[i].statistics = runs_[i]->statistics(context_);
        record_.entries[i].series = runs_[i]->series(context_);
        for (const std::string& w : runs_[i]->warnings(context_)) record_.entries[i].warnings.push_back("result: " + w);
        report();
    }

    void lookAtBits(std::size_t i) {
        if (!options_.bits) return;
        const std::string hash = hashSamples(runs_[i]->output());
        std::optional<BitsRecord>& bits = record_.entries[i].bits;
        if (!bits) bits = BitsRecord{.hash = hash};
        ++bits->runs;
        if (hash != bits->hash) ++bits->others;
    }

    /// Hashes the first results. Equal results of a recipe are hashed once.
    void addChecksums() {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!active(i)) continue;
            const View<const float> result = runs_[i]->output();
            std::string& sha = record_.entries[i].sha256;
            for (std::size_t k = 0; k < i && sha.empty(); ++k)
                if (rows_[k].recipe == rows_[i].recipe && active(k) && sameBits(runs_[k]->output(), result))
                    sha = record_.entries[k].sha256;
            if (sha.empty()) sha = checksumOf(result, options_.stop);
        }
    }

    bool onRanks(std::size_t i) const { return processRanks() != nullptr || targetOf(i).backend == kMpiBackend; }
    /// The devices of a row that has devices other than the CPU, each once.
    std::set<int> devicesOf(std::size_t i) const {
        std::set<int> devices;
        if (record_.entries[i].threads == 0)
            for (int part = 0; part < targetOf(i).parts; ++part) devices.insert(targetOf(i).deviceOf(part));
        return devices;
    }

    /// Empties those of the CPU, and those of the devices of a row.
    void emptyCaches(std::size_t i) {
        const auto refuse = [&](const char* why) {
            throw Error(ErrorCode::unavailable, "The caches cannot be emptied for '" + labelOf(i) + "'", why, "Measure with warm caches");
        };
        if (onRanks(i)) refuse("its ranks are other processes, perhaps on other machines");
        if (!hostCaches_) hostCaches_.emplace();
        hostCaches_->empty();
        for (const int device : devicesOf(i))
            if (!engine_.catalog().backend(targetOf(i).backend).emptyCaches(device)) refuse("the backend cannot empty those of its device");
    }

    /// Energy of the devices of a row, else of the CPU.
    EnergyReading readEnergy(std::size_t i) {
        const std::set<int> devices = devicesOf(i);
        if (devices.empty()) return rapl_.read();
        EnergyReading sum{0, {}, {}};
        for (const int device : devices) {
            const EnergyReading one = engine_.catalog().backend(targetOf(i).backend).energy(device);
            if (!one.joules) return one;
            *sum.joules += *one.joules;
            sum.source = one.source;
        }
        return sum;
    }

    /// After the timing samples, with warm caches.
    void measureEnergies() {
        constexpr double kSeconds = 0.5;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!options_.energy || !active(i)) continue;
            MeasuredEnergy measured;
            if (onRanks(i)) measured.reason = "ranks are other processes, perhaps on other machines";
            else try {
                    measured = measureEnergy([&] { return readEnergy(i); }, [&] { (void)runs_[i]->run(context_); },
                                             std::min(kSeconds, record_.protocol.maximumSeconds), options_.stop);
                } catch (const Error& e) {
                    measured.reason = e.what();
                }
            if (measured.energy.runs > 0 && measured.reason.empty()) record_.entries[i].energy = measured.energy;
            else record_.entries[i].warnings.push_back("energy: not available: " + measured.reason);
        }
    }

    /// Rows of a recipe that can be verified.
    std::vector<std::size_t> activeRows(std::size_t recipe) const {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (rows_[i].recipe == recipe && active(i)) rows.push_back(i);
        return rows;
    }

    void verify(std::size_t recipe) {
        const std::vector<std::size_t> rows = activeRows(recipe);
        if (rows.empty()) return;
        // The row of the reference if there is one, else a separate run.
        std::optional<PreparedRun> extra;
        PreparedRun* reference = nullptr;
        for (const std::size_t i : rows)
            if (targetOf(i).backend == kReferenceBackend && targetOf(i).parts == 1) reference = &*runs_[i];
        if (!reference && judgesAlone(*runs_[rows.front()])) return judgeWithoutReference(recipe, rows);
        try {
            if (!reference) {
                extra = engine_.prepare(recipes_[recipe].pipeline, input_, Target{.backend = kReferenceBackend, .variant = {}}, context_);
                (void)extra->run(context_);
                reference = &*extra;
            }
        } catch (const Error& e) {
            if (e.code() != ErrorCode::cancelled)
                record_.warnings.push_back("verify: The results " + ofRecipe(recipe) + "could not be verified: " + e.what());
            showResults(recipe, {});
            return;
        }
        for (const std::size_t i : rows) {
            RunEntry& e = record_.entries[i];
            DifferenceOptions options;
            options.borderWidth = runs_[i]->borderWidth();
            // Final only after a run, since it may depend on the data.
            e.tolerance = runs_[i]->tolerance().absolute;
            options.tolerance = e.tolerance;
            options.localTolerance = runs_[i]->localTolerance();
            e.difference = compareViews(reference->output(), runs_[i]->output(), options);
            e.verification = judge(e.difference, e.tolerance, e.ambiguous, runs_[i]->inputPeak());
            if (e.verification == Verification::inconclusive && stepsOfEntry(record_, e).size() > 1) judgeByStep(i);
            judgeItself(i);
            if (options_.metrics && &*runs_[i] != reference) addMetrics(e, reference->output(), runs_[i]->output());
            report();
        }
        showResults(recipe, reference->output());
    }

    /// "of recipe B ", empty for the only one.
    std::string ofRecipe(std::size_t recipe) const {
        return recipes_[recipe].name.empty() ? std::string() : "of recipe " + recipes_[recipe].name + " ";
    }

    /// Whether results are judged without the reference: it would take too long, and the operation can tell.
    static bool judgesAlone(PreparedRun& run) { return secondsOfReference(run) > longestReferenceSeconds() && !run.judgements().empty(); }
    static double secondsOfReference(const PreparedRun& run) { return run.plan().front().referenceFlops / kReferenceFlopsPerSecond; }

    void judgeWithoutReference(std::size_t recipe, const std::vector<std::size_t>& rows) {
        const double seconds = secondsOfReference(*runs_[rows.front()]);
        const std::string duration = seconds < 90     ? counted(std::lround(seconds), "second")
                                     : seconds < 5400 ? counted(std::lround(seconds / 60), "minute")
                                                      : counted(std::lround(seconds / 3600), "hour");
        record_.warnings.push_back("verify: The results " + ofRecipe(recipe) +
                                   "were judged by the operation itself and not compared with the reference, which would take about " +
                                   duration + ". Add the backend '" + kReferenceBackend + "' to wait for it");
        for (const std::size_t i : rows) {
            RunEntry& e = record_.entries[i];
            e.tolerance = runs_[i]->tolerance().absolute;
            judgeItself(i);
            if (e.verification != Verification::disagrees) e.verification = judgeAlone(e.judgements);
            report();
        }
        showResults(recipe, {});
    }

    void addMetrics(RunEntry& e, const View<const float>& reference, const View<const float>& result) {
        try {
            e.metrics = options_.metrics(reference, result, context_);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                e.warnings.push_back(std::string("metrics: SSIM, FLIP and ULP distance are missing: ") + error.what());
        }
    }

    /// The judgement of the operation itself comes first: a residual above its tolerance is wrong, whatever the reference says.
    void judgeItself(std::size_t i) {
        RunEntry& e = record_.entries[i];
        e.judgements = runs_[i]->judgements();
        for (const JudgementRecord& j : e.judgements)
            if (!(j.value <= j.bound)) e.verification = Verification::disagrees;
    }

    void judgeByStep(std::size_t i) {
        RunEntry& e = record_.entries[i];
        try {
            const auto found = judgeSteps(engine_, recipeOf(i).pipeline, input_, targetOf(i), runs_[i]->output(), context_);
            if (!found || found->verification == Verification::inconclusive) return;
            e.verification = found->verification;
            e.judgedStep = found->step;
            e.difference = found->difference;
            e.tolerance = found->tolerance.absolute;
            e.ambiguous = found->tolerance.ambiguous;
            e.toleranceReason =
                "each step alone, since the tolerance of the pipeline allows any result; " + found->step + ": " + found->tolerance.reason;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                e.warnings.push_back(std::string("verify: The steps could not be verified one by one: ") + error.what());
        }
    }

    void showResults(std::size_t recipe, const View<const float>& reference) const {
        if (!options_.onResult) return;
        for (const std::size_t i : activeRows(recipe)) options_.onResult(i, runs_[i]->output(), reference);
    }

    void sample() {
        SamplingSchedule schedule(record_.protocol, rows_.size());
        RandomStack stack(record_.protocol.seed);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            record_.entries[i].blocks = schedule.blocks(i);
            if (active(i)) schedule.prepared(i, preparing_[i]);
            else schedule.drop(i);
        }
        while (!options_.stop.stop_requested()) {
            if (schedule.beginsBlock()) {
                for (std::size_t i = 0; i < rows_.size(); ++i) record_.entries[i].blocks = schedule.blocks(i);
                prepareAgain(schedule);
            }
            const auto next = schedule.next();
            if (!next) break;
            const std::size_t i = *next;
            const std::size_t before = record_.entries[i].samples.size();
            const auto start = Clock::now();
            attempt(i, [&] {
                if (record_.protocol.coldCaches) emptyCaches(i);
                record_.entries[i].samples.push_back(stack.call([&] { return runs_[i]->run(context_); }));
            });
            const auto end = Clock::now();
            if (record_.entries[i].samples.size() > before) {
                schedule.add(i, static_cast<double>(record_.entries[i].samples.back().endToEnd()),
                             std::chrono::duration<double>(end - start).count());
                askDevice(i, end);
                lookAtBits(i);
            } else {
                schedule.drop(i);
            }
            report();
        }
        describeLastSamples();
        measureEnergies();
        // Stopped between verification and the first sample.
        for (RunEntry& e : record_.entries)
            if (e.status == RunStatus::done && e.samples.empty()) fail(e, Error(ErrorCode::cancelled, "Cancelled"));
    }

    /// Keeps traffic and laps of the last timing samples. To measure laps, devices repeat some of the work, which must not disturb samples.
    void describeLastSamples() {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!active(i) || record_.entries[i].samples.empty() || options_.stop.stop_requested()) continue;
            record_.entries[i].traffic = runs_[i]->traffic();
            try {
                record_.entries[i].laps = runs_[i]->laps(context_);
            } catch (const Error& e) {
                if (e.code() != ErrorCode::cancelled)
                    record_.entries[i].warnings.push_back(std::string("parts: The parts of the compute time are missing: ") + e.what());
            }
        }
    }

    /// Releases the buffers of all candidates for whom that is cheap and allocates them in another order, so that none keeps a lucky
    /// placement.
    void prepareAgain(SamplingSchedule& schedule) {
        const std::vector<std::size_t> order = schedule.toPrepareAgain();
        for (const std::size_t i : order) runs_[i].reset();
        for (const std::size_t i : order) {
            const auto start = Clock::now();
            try {
                prepareRun(i);
                (void)runs_[i]->run(context_);
                lookAtBits(i);
                warmUp(i);
                schedule.prepared(i, secondsSince(start));
            } catch (const Error& e) {
                // Samples taken so far are kept.
                if (e.code() != ErrorCode::cancelled)
                    record_.entries[i].warnings.push_back(
                        std::string("prepare: The measurement ended early, because preparing it again failed: ") + e.what());
                runs_[i].reset();
                schedule.drop(i);
            }
        }
    }

    /// Asks the device for its conditions right after a sample, while it still has the clock rate of the work, at most four times a second.
    void askDevice(std::size_t i, Clock::time_point now) {
        if (lastAsked_[i] && now - *lastAsked_[i] < std::chrono::milliseconds(250)) return;
        lastAsked_[i] = now;
        const Target& target = targetOf(i);
        const Backend& backend = engine_.catalog().backend(target.backend);
        const int devices = record_.entries[i].threads > 0 ? 1 : target.parts;
        for (int part = 0; part < devices; ++part) addConditions(record_.entries[i].warnings, backend.conditions(target.deviceOf(part)));
    }

    void report() const {
        if (options_.onProgress) options_.onProgress(record_);
    }

    const InMemoryOnly inMemory_{kMeasuredInMemory};
    const Engine& engine_;
    const std::vector<NamedPipeline>& recipes_;
    ImagePtr input_;
    const std::vector<MeasuredRow>& rows_;
    const MeasureOptions& options_;
    RunContext context_;
    RunRecord record_;
    std::vector<std::optional<PreparedRun>> runs_;
    std::vector<std::optional<Clock::time_point>> lastAsked_;
    std::vector<double> preparing_;  // seconds of the first preparation, warm-up included
    SystemSnapshot before_;
    std::optional<HostCaches> hostCaches_;
    Rapl rapl_;
};

}  // namespace

std::vector<MeasuredRow> rowsOf(std::size_t recipes, const std::vector<Target>& targets) {
    std::vector<MeasuredRow> rows;
    for (std::size_t i = 0; i < recipes; ++i)
        for (const Target& target : targets) rows.push_back({i, target});
    return rows;
}

std::string entryLabel(const Target& target, const std::string& recipe) {
    std::string label = (recipe.empty() ? "" : recipe + "/") + target.label();
    // The reference always runs serially.
    if (target.threads > 0 && target.backend != kReferenceBackend) label += ":" + std::to_string(target.threads) + "t";
    if (target.device > 0 || !target.otherDevices.empty()) label += "#" + std::to_string(target.device);
    for (const int device : target.otherDevices) label += "," + std::to_string(device);
    return label;
}

namespace {

constexpr const char *kSerialBackend = "openmp", *kSerialVariant = "scalar";

bool isReference(const MeasuredRow& row) { return row.target.backend == kReferenceBackend; }
bool isSerial(const MeasuredRow& row, const std::string& variant) {
    const Target& t = row.target;
    return t.backend == kSerialBackend && t.variant == variant && t.threads == 1 && t.modes.empty() && t.parts == 1;
}

bool hasVariant(const Catalog& catalog, const Pipeline& pipeline, const std::string& variant) {
    return std::all_of(pipeline.steps.begin(), pipeline.steps.end(), [&](const Step& step) {
        const auto known = catalog.implementations(step.operation->id(), kSerialBackend);
        return !step.enabled ||
               std::any_of(known.begin(), known.end(), [&](const Implementation* i) { return variant.empty() || i->variant() == variant; });
    });
}

}  // namespace

std::size_t defaultBaseline(const std::vector<MeasuredRow>& rows) {
    const auto first = [&](const auto& suits) {
        return static_cast<std::size_t>(std::find_if(rows.begin(), rows.end(), suits) - rows.begin());
    };
    for (const std::size_t i :
         {first([](const MeasuredRow& r) { return isSerial(r, kSerialVariant); }),
          first([](const MeasuredRow& r) { return isSerial(r, {}); }), first([](const MeasuredRow& r) { return !isReference(r); })})
        if (i < rows.size()) return i;
    return 0;
}

void addSerialBaseline(const Catalog& catalog, const std::vector<NamedPipeline>& recipes, std::vector<MeasuredRow>& rows) {
    const auto reference = std::find_if(rows.begin(), rows.end(), isReference);
    if (reference == rows.end() || std::all_of(rows.begin(), rows.end(), isReference)) return;
    const auto& backends = catalog.backends();
    if (std::none_of(backends.begin(), backends.end(), [](const auto& b) { return b->id() == kSerialBackend && b->availability().yes; }))
        return;
    for (const std::string variant : {kSerialVariant, ""}) {
        if (std::any_of(rows.begin(), rows.end(), [&](const MeasuredRow& r) { return isSerial(r, variant); })) return;
        if (!hasVariant(catalog, recipes[reference->recipe].pipeline, variant)) continue;
        const MeasuredRow added{reference->recipe, Target{.backend = kSerialBackend, .variant = variant, .threads = 1}};
        rows.insert(std::find_if(reference, rows.end(), [&](const MeasuredRow& r) { return r.recipe != added.recipe; }), added);
        return;
    }
}

Target targetOfLabel(const std::string& label) {
    const auto slash = label.rfind('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    const auto end = label.find_first_of(":#", begin);
    Target target = parseTarget(label.substr(begin, end == std::string::npos ? end : end - begin));
    for (std::size_t at = end; at != std::string::npos;) {
        const std::size_t next = label.find_first_of(":#,", at + 1);
        const bool threads = label[at] == ':', isOther = label[at] == ',';
        std::string digits = label.substr(at + 1, next == std::string::npos ? next : next - at - 1);
        const bool wrongUnit = threads && (digits.empty() || digits.back() != 't');
        if (threads && !wrongUnit) digits.pop_back();
        // Four digits suffice, and no number overflows.
        if (wrongUnit || digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos)
            throw Error(ErrorCode::usage, "'" + label + "' is not a label of a measurement");
        if (isOther) target.otherDevices.push_back(std::stoi(digits));
        else (threads ? target.threads : target.device) = std::stoi(digits);
        at = next;
    }
    if (!target.otherDevices.empty() && static_cast<int>(target.otherDevices.size()) != target.parts - 1)
        throw Error(ErrorCode::usage, "'" + label + "' is not a label of a measurement", "it needs a device for each part");
    return target;
}

std::string labelFromThreads(const std::string& label) {
    const auto slash = label.rfind('/');
    const auto at = label.find('@', slash == std::string::npos ? 0 : slash);
    if (at == std::string::npos) return label;
    const auto end = std::min(label.find_first_not_of("0123456789", at + 1), label.size());
    if (end == at + 1) return label;
    return label.substr(0, at) + ":" + label.substr(at + 1, end - at - 1) + "t" + label.substr(end);
}

RunRecord measureRecipes(const Engine& engine, const std::vector<NamedPipeline>& recipes, ImagePtr input,
                         const std::vector<MeasuredRow>& rows, const MeasureOptions& options) {
    if (rows.empty()) throw Error(ErrorCode::usage, "Nothing to measure", "no backend was given");
    if (!input) throw Error(ErrorCode::usage, "Nothing to measure", "no image was given");
    if (recipes.size() > 1 && std::any_of(recipes.begin(), recipes.end(), [](const NamedPipeline& r) { return r.name.empty(); }))
        throw Error(ErrorCode::usage, "One of several recipes has no name");
    std::vector<std::string> labels;
    for (const MeasuredRow& row : rows) {
        if (row.recipe >= recipes.size()) throw Error(ErrorCode::usage, "Nothing to measure", "a row has no recipe");
        labels.push_back(entryLabel(row.target, recipes[row.recipe].name));
    }
    if (!options.baseline.empty() && std::find(labels.begin(), labels.end(), options.baseline) == labels.end())
        throw Error(ErrorCode::usage, "The baseline '" + options.baseline + "' is not measured", "measured are " + joined(labels));
    return Measurement(engine, recipes, std::move(input), rows, options).run();
}

RunRecord measureTargets(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                         const MeasureOptions& options) {
    const std::vector<NamedPipeline> only{NamedPipeline{{}, pipeline}};
    return measureRecipes(engine, only, std::move(input), rowsOf(1, targets), options);
}

}  // namespace parallax
