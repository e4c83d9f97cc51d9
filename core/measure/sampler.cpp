// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/measure/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>

#include "parallax/engine/backend.hpp"
#include "parallax/engine/build_info.hpp"
#include "parallax/image/error.hpp"
#include "parallax/measure/machine.hpp"
#include "parallax/measure/protocol.hpp"
#include "parallax/measure/statistics.hpp"
#include "parallax/measure/trust.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostSamples = 10000;

struct Candidate {
    std::optional<PreparedRun> run;
    double seconds = 0;  // spent on samples
    int nextLook = 0;    // number of samples at which precision is judged again
    bool finished = false;
};

void fail(RunEntry& entry, const Error& e) {
    entry.status = e.code() == ErrorCode::cancelled     ? RunStatus::cancelled
                   : e.code() == ErrorCode::unavailable ? RunStatus::skipped
                                                        : RunStatus::failed;
    entry.reason = e.what();
}

bool preciseEnough(const RunEntry& entry, const ProtocolRecord& p) {
    std::vector<double> times;
    for (const auto& s : entry.samples) times.push_back(static_cast<double>(s.endToEnd()));
    const SampleSummary s = summarise(times);
    return s.median > 0 && (s.medianInterval.high - s.medianInterval.low) / 2 <= p.targetNoise * s.median;
}

void describe(RunEntry& entry, const PreparedRun& run) {
    entry.device = run.deviceName();
    entry.threads = run.threads();
    for (const StepPlan& step : run.plan()) {
        entry.implementations.push_back(step.implementation);
        entry.variant += (entry.variant.empty() ? "" : ", ") + step.variant;
    }
    entry.prepare = run.prepareTimes();
    entry.flops = run.work().flops;
    entry.bytes = run.work().bytes;
    entry.tolerance = run.tolerance().absolute;
    entry.toleranceReason = run.tolerance().reason;
    entry.peakHostBytes = run.estimatedHostBytes();
    entry.peakDeviceBytes = run.estimatedDeviceBytes();
}

class Measurement {
public:
    Measurement(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                const MeasureOptions& options)
        : engine_(engine), pipeline_(pipeline), input_(std::move(input)), targets_(targets), options_(options) {
        context_.stop = options.stop;
    }

    RunRecord run() {
        describeRun();
        for (const Target& t : targets_) {
            RunEntry entry;
            entry.label = entryLabel(t);
            entry.backend = t.backend;
            record_.entries.push_back(std::move(entry));
        }
        candidates_.resize(targets_.size());
        for (std::size_t i = 0; i < targets_.size(); ++i) attempt(i, [&] { prepare(i); });
        if (options_.verify) verify();
        for (std::size_t i = 0; i < targets_.size(); ++i)
            for (int w = 0; w < record_.protocol.warmUp; ++w)
                if (active(i)) attempt(i, [&] { (void)candidates_[i].run->run(context_); });
        sample();
        for (RunEntry& e : record_.entries) e.warnings = doubtsAboutEntry(e, record_.protocol);
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
        record_.input = {input_->source.path.empty() ? input_->source.format : input_->source.path, input_->shape(), input_->channelNames(),
                         hashSamples(input_->view()), computeStatistics(*input_).nonFinite()};
        for (const Step& s : pipeline_.steps)
            if (s.enabled) record_.recipe.push_back(toText(s));
        record_.protocol = options_.protocol.effort.empty() ? protocolFor("normal") : options_.protocol;
        record_.baseline = options_.baseline;
        if (record_.baseline.empty()) {
            record_.baseline = entryLabel(targets_.front());
            for (const Target& t : targets_)
                if (t.backend == kReferenceBackend) record_.baseline = entryLabel(t);
        }
        record_.warnings = doubtsAboutMachine(record_.machine);
    }

    bool active(std::size_t i) const { return candidates_[i].run && record_.entries[i].status == RunStatus::done; }

    template <class F>
    void attempt(std::size_t i, F&& f) {
        try {
            context_.throwIfStopped();
            f();
        } catch (const Error& e) {
            // What was measured before a cancel is kept.
            if (e.code() == ErrorCode::cancelled && !record_.entries[i].samples.empty()) return;
            fail(record_.entries[i], e);
            candidates_[i].run.reset();
        }
    }

    void prepare(std::size_t i) {
        candidates_[i].run = engine_.prepare(pipeline_, input_, targets_[i], context_);
        describe(record_.entries[i], *candidates_[i].run);
        record_.entries[i].cold = candidates_[i].run->run(context_);
        report();
    }

    void verify() {
        // The oracle's own entry, if there is one, or a run of its own.
        std::optional<PreparedRun> own;
        PreparedRun* oracle = nullptr;
        for (std::size_t i = 0; i < targets_.size(); ++i)
            if (active(i) && targets_[i].backend == kReferenceBackend) oracle = &*candidates_[i].run;
        try {
            if (!oracle) {
                own = engine_.prepare(pipeline_, input_, Target{.backend = kReferenceBackend, .variant = {}}, context_);
                (void)own->run(context_);
                oracle = &*own;
            }
        } catch (const Error& e) {
            if (e.code() != ErrorCode::cancelled) record_.warnings.push_back(std::string("Nothing could be verified: ") + e.what());
            return;
        }
        for (std::size_t i = 0; i < targets_.size(); ++i) {
            if (!active(i)) continue;
            RunEntry& e = record_.entries[i];
            DifferenceOptions options;
            options.borderBand = candidates_[i].run->borderBand();
            e.difference = compareViews(oracle->output(), candidates_[i].run->output(), options);
            e.verification = e.difference.within(e.tolerance) ? Verification::agrees : Verification::disagrees;
            report();
        }
    }

    void sample() {
        const ProtocolRecord& p = record_.protocol;
        std::mt19937_64 random(p.seed);
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < targets_.size(); ++i) order.push_back(i);
        for (bool more = true; more && !options_.stop.stop_requested();) {
            more = false;
            // A fresh order each round, by the generator's bits alone.
            for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
            for (const std::size_t i : order) {
                Candidate& c = candidates_[i];
                if (!active(i) || c.finished) continue;
                attempt(i, [&] {
                    const auto start = Clock::now();
                    record_.entries[i].samples.push_back(c.run->run(context_));
                    c.seconds += std::chrono::duration<double>(Clock::now() - start).count();
                });
                c.finished = enough(c, record_.entries[i]);
                more = more || (active(i) && !c.finished);
                report();
            }
        }
        // A stop between verification and the first sample leaves nothing to show.
        for (RunEntry& e : record_.entries)
            if (e.status == RunStatus::done && e.samples.empty()) fail(e, Error(ErrorCode::cancelled, "Cancelled"));
    }

    /// The bootstrap costs as much as the samples are many, so it is asked each time their number has grown by a tenth:
    /// deciding never takes longer than measuring.
    bool enough(Candidate& c, const RunEntry& entry) const {
        const ProtocolRecord& p = record_.protocol;
        const auto count = static_cast<int>(entry.samples.size());
        if (c.seconds >= p.maximumSeconds || count >= kMostSamples) return true;
        if (count < p.minimumSamples || c.seconds < p.minimumSeconds || count < c.nextLook) return false;
        c.nextLook = count + count / 10 + 1;
        return preciseEnough(entry, p);
    }

    void report() const {
        if (options_.onProgress) options_.onProgress(record_);
    }

    const Engine& engine_;
    const Pipeline& pipeline_;
    ImagePtr input_;
    const std::vector<Target>& targets_;
    const MeasureOptions& options_;
    RunContext context_;
    RunRecord record_;
    std::vector<Candidate> candidates_;
};

}  // namespace

std::string entryLabel(const Target& target) {
    std::string label = target.label();
    // The reference is serial, whatever was asked for.
    if (target.threads > 0 && target.backend != kReferenceBackend) label += "@" + std::to_string(target.threads);
    if (target.device > 0) label += "#" + std::to_string(target.device);
    return label;
}

RunRecord measureTargets(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                         const MeasureOptions& options) {
    if (targets.empty()) throw Error(ErrorCode::usage, "There is nothing to measure", "no backend was given");
    if (!input) throw Error(ErrorCode::usage, "There is nothing to measure", "no image was given");
    if (!options.baseline.empty() &&
        std::none_of(targets.begin(), targets.end(), [&](const Target& t) { return entryLabel(t) == options.baseline; }))
        throw Error(ErrorCode::usage, "The baseline '" + options.baseline + "' is not among the backends");
    return Measurement(engine, pipeline, std::move(input), targets, options).run();
}

}  // namespace parallax
