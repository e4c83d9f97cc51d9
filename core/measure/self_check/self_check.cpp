// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/self_check/self_check.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/kernels/backend.hpp"
#include "core/kernels/session.hpp"
#include "core/measure/conditions/machine.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/measure/sampling/statistics.hpp"
#include "core/measure/self_check/kernel_work.hpp"
#include "core/measure/self_check/known_work.hpp"
#include "core/measure/sweeps/sweep.hpp"
#include "core/operations/catalog.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

/// Relative uncertainty of the known ratios: repeated runs find their data in nearer caches, a wait ends slightly late.
constexpr double kTruthWithin = 0.005;

/// Of medians: with it the 99 % interval of a ratio has about a third of the width that is negligible.
constexpr double kKernelNoise = 0.004;
/// Turns last as long as the switch to the other process then: see SamplingSchedule.
constexpr double kKernelSeconds = 0.4;
/// Multiples of the time that an A/A comparison may take. On a busy machine, different work needs more samples, and another process still
/// more.
constexpr double kSlowedTime = 4, kKernelTime = 10;
constexpr const char* kKernelTrial = "kernel";

constexpr int kLess = 4, kMore = 5;
constexpr std::chrono::microseconds kShortWait{2000}, kLongWait{2500};

double nanosecondsSince(Clock::time_point start) { return std::chrono::duration<double, std::nano>(Clock::now() - start).count(); }

BlockedSamples computeTimes(const RunEntry& e) {
    // An unavailable target is an error of the request, not a failed check.
    if (e.status == RunStatus::skipped) throw Error(ErrorCode::unavailable, "'" + e.label + "' cannot be checked", e.reason);
    if (e.status == RunStatus::cancelled) throw Error(ErrorCode::cancelled, "Cancelled");
    if (e.status == RunStatus::failed) throw Error(ErrorCode::failed, "'" + e.label + "' failed", e.reason);
    return timesOf(e, Time::compute);
}

class Check {
public:
    Check(const Catalog& catalog, ImagePtr input, const SelfCheckOptions& options)
        : input_(std::move(input)),
          options_(options),
          small_(std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:noise:16x16")))) {
        (void)catalog.availableBackend(options.target.backend);
        std::vector<std::shared_ptr<Backend>> backends = catalog.backends();
        for (const auto& b : catalog.backends())
            if (b->id() == options.target.backend) {
                backends.push_back(makeRepeatedBackend(b, kLess));
                backends.push_back(makeRepeatedBackend(b, kMore));
            }
        for (const auto wait : {std::chrono::microseconds(0), kShortWait, kLongWait}) backends.push_back(makeWaitingBackend(wait));
        std::vector<std::unique_ptr<Operation>> operations = makeOperations();
        operations.push_back(makeWaitOperation());
        const auto add = [&](const char* id, const auto& make) {
            if (std::none_of(backends.begin(), backends.end(), [&](const auto& b) { return b->id() == id; })) backends.push_back(make());
        };
        prepare(kernel_, [&] {
            KernelTwins twins = makeKernelTwins(catalog, options.target.threads, options.stop);
            kernel_ = {
                {.sameWork = {}, .compiler = twins.compiler, .skipped = {}}, {}, parseTarget(twins.target), twins.step, kKernelInput};
            kernel_.here.backend = kKernelHere;
            kernel_.here.threads = kernel_.apart.threads = twins.threads;
            backends.push_back(std::move(twins.here));
            add(kUserBackend, [] { return makeUserBackend(); });
        });
        prepare(cudaKernel_, [&] {
            const CudaTwins twins = makeCudaTwins(catalog, options.stop);
            cudaKernel_ = {{.sameWork = {}, .compiler = twins.compiler, .skipped = {}},
                           parseTarget(twins.builtIn),
                           parseTarget(twins.target),
                           twins.step,
                           options.cudaKernelInput};
            add(kUserCudaBackend, [] { return makeUserCudaBackend(); });
        });
        catalog_ = std::make_unique<Catalog>(std::move(operations), std::move(backends));
        engine_ = std::make_unique<Engine>(*catalog_);
        work_ = parsePipeline(*catalog_, {options.step.empty() ? selfCheckStep(*catalog_, options.target, *input_) : options.step});
        wait_ = parsePipeline(*catalog_, {kWaitOperation});
        total_ = options.trials + 2.0 * options.slowedTrials;
        for (const KernelPair* k : {&kernel_, &cudaKernel_})
            if (k->result.skipped.empty()) total_ += options.kernelTrials;
    }

    SelfCheckResult run() {
        SelfCheckResult r;
        r.label = entryLabel(options_.target);
        r.input = input_->source.path.empty() ? input_->source.format : input_->source.path;
        try {
            r.overhead = overhead();
            r.stages = stages();
            const auto pair = [&](const std::string& what, const Pipeline& pipeline, const ImagePtr& image, const Target& a,
                                  const Target& b) {
                return [&, what, a, b](int trial) { return measure(what, pipeline, image, a, b, trial); };
            };
            const auto compare = [&](const KernelPair& k) {
                KernelCheckResult result = k.result;
                if (!result.skipped.empty()) return result;
                const Pipeline step = parsePipeline(*catalog_, {k.step});
                const auto image = std::make_shared<Image>(makeSynthetic(parseSynthetic(k.input)));
                result.sameWork =
                    checkSameWork(options_.kernelTrials, pair(kKernelTrial, step, image, k.here, k.apart), KernelCheckResult::kSame);
                done_ += options_.kernelTrials - result.sameWork.trials;
                return result;
            };
            r.kernel = compare(kernel_);
            r.cudaKernel = compare(cudaKernel_);
            // Overlapped runs have an overhead for each strip, so that their true ratio is unknown: use plain runs.
            Target whole = options_.target;
            for (const auto& [mode, capability] : catalog_->backend(whole.backend).capabilities())
                if (capability == Capability::overlapped) std::erase(whole.modes, mode);
            Target less = whole, more = whole;
            less.backend = "times-" + std::to_string(kLess);
            more.backend = "times-" + std::to_string(kMore);
            r.slowed.push_back(checkSlowed("5 runs against 4", static_cast<double>(kMore) / kLess, options_.slowedTrials,
                                           pair("repeated runs", work_, input_, less, more)));
            Target shorter, longer;
            shorter.backend = "wait-" + std::to_string(kShortWait.count());
            longer.backend = "wait-" + std::to_string(kLongWait.count());
            r.slowed.push_back(checkSlowed("wait of 2.5 ms against 2 ms", static_cast<double>(kLongWait.count()) / kShortWait.count(),
                                           options_.slowedTrials, pair("waits", wait_, small_, shorter, longer)));
            r.sameWork = checkSameWork(options_.trials, pair("A/A comparison", work_, input_, options_.target, options_.target));
            r.complete = !options_.stop.stop_requested();
        } catch (const Error& e) {
            if (e.code() != ErrorCode::cancelled) throw;
        }
        return r;
    }

private:
    /// The same code in this process and in one of its own.
    struct KernelPair {
        KernelCheckResult result;  // without its comparison
        Target here, apart;
        std::string step, input;
    };
    static constexpr const char* kKernelInput = "synthetic:noise:512x512";

    /// Calls make(), or says why there is no comparison.
    void prepare(KernelPair& kernel, const std::function<void()>& make) {
        try {
            if (options_.kernelTrials < 1) throw Error(ErrorCode::unavailable, "no trials were asked for");
            make();
        } catch (const Error& e) {
            kernel.result.skipped = e.what();
        }
    }

    std::optional<SamplePair> measure(const std::string& what, const Pipeline& pipeline, const ImagePtr& image, const Target& a,
                                      const Target& b, int trial) {
        MeasureOptions o;
        o.protocol = options_.protocol;
        // A different order in each trial, reproducibly.
        o.protocol.seed = static_cast<std::uint64_t>(trial) + 1;
        if (a.backend != b.backend) o.protocol.maximumSeconds *= what == kKernelTrial ? kKernelTime : kSlowedTime;
        // Intervals of the quick effort are too wide to be SAME.
        if (what == kKernelTrial) {
            o.protocol.targetNoise = std::min(o.protocol.targetNoise, kKernelNoise);
            o.protocol.minimumSeconds = std::max(o.protocol.minimumSeconds, kKernelSeconds);
        }
        // Each trial is one of other processes, which differ in where their code and data are.
        if (what == kKernelTrial) user::endIdleProcesses();
        o.verify = false;
        o.stop = options_.stop;
        try {
            const RunRecord r = measureTargets(*engine_, pipeline, image, {a, b}, o);
            if (options_.stop.stop_requested()) return std::nullopt;
            if (options_.onProgress) options_.onProgress(what, ++done_ / total_);
            return SamplePair{computeTimes(r.entries[0]), computeTimes(r.entries[1])};
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) return std::nullopt;
            throw;
        }
    }

    StageSumCheck stages() {
        RunContext context;
        context.stop = options_.stop;
        PreparedRun run = engine_->prepare(work_, input_, options_.target, context);
        for (int i = 0; i < 3; ++i) (void)run.run(context);
        std::vector<double> sums, wholes, covered;
        bool overlapped = false;
        std::string wrongPieces;
        const auto begin = Clock::now();
        // Short runs are repeated more often, so that a few disturbed ones do not affect the median.
        while (sums.size() < 15 || (sums.size() < 500 && nanosecondsSince(begin) < 5e8)) {
            const auto start = Clock::now();
            const StageTimes times = run.run(context);
            wholes.push_back(nanosecondsSince(start) - static_cast<double>(times.reading()));
            sums.push_back(static_cast<double>(times.endToEnd()));
            overlapped = times.overlapped();
            if (!overlapped) continue;
            PieceCheck pieces = checkPieces(times);
            covered.push_back(pieces.covered);
            if (wrongPieces.empty()) wrongPieces = std::move(pieces.wrong);
        }
        StageSumCheck check = checkStageSums(sums, wholes);
        check.overlapped = overlapped;
        check.wrongPieces = std::move(wrongPieces);
        if (overlapped) check.covered = median(covered);
        return check;
    }

    MeasuringOverhead overhead() {
        MeasuringOverhead o;
        o.timerResolution = timerResolution();
        constexpr int kReads = 10000, kBatches = 15;
        std::vector<double> reads, stages, runs;
        for (int b = 0; b < kBatches; ++b) {
            const auto start = Clock::now();
            auto last = start;
            for (int i = 0; i < kReads; ++i) last = std::max(last, Clock::now());
            reads.push_back(std::chrono::duration<double, std::nano>(last - start).count() / kReads);
        }
        o.clockRead = median(reads);
        const auto session = makeHostSession();
        for (int i = 0; i < 1000; ++i) {
            session->clock().begin(Stage::compute);
            session->clock().end();
            stages.push_back(static_cast<double>(session->clock().finish().compute()));
        }
        o.emptyStage = median(stages);
        RunContext context;
        Target nothing;
        nothing.backend = "wait-0";
        PreparedRun run = engine_->prepare(wait_, small_, nothing, context);
        for (int i = 0; i < 1000; ++i) {
            const auto start = Clock::now();
            const StageTimes times = run.run(context);
            runs.push_back(nanosecondsSince(start) - static_cast<double>(times.endToEnd()));
        }
        o.run = median(runs);
        return o;
    }

    ImagePtr input_;
    const SelfCheckOptions& options_;
    ImagePtr small_;
    KernelPair kernel_, cudaKernel_;
    std::unique_ptr<Catalog> catalog_;
    std::unique_ptr<Engine> engine_;
    Pipeline work_, wait_;
    double done_ = 0, total_ = 1;
};

}  // namespace

bool SelfCheckResult::passed() const {
    return complete && sameWork.passed() && kernel.passed() && cudaKernel.passed() && stages.passed() && !slowed.empty() &&
           std::all_of(slowed.begin(), slowed.end(), [](const SlowedCheck& s) { return s.passed(); });
}

SameWorkCheck checkSameWork(int trials, const MeasurePair& measure, double leastSame) {
    SameWorkCheck c;
    std::vector<double> ratios;
    for (int t = 0; t < trials && trials - (c.trials - c.same) >= leastSame * trials; ++t) {
        const std::optional<SamplePair> pair = measure(t);
        if (!pair) break;
        const auto& [a, b] = *pair;
        ++c.trials;
        switch (judge(ratioIntervals(a, b, Measured::together).sure)) {
            case Verdict::same: ++c.same; break;
            case Verdict::undecided: ++c.undecided; break;
            case Verdict::faster: ++c.faster; break;
            case Verdict::slower: ++c.slower; break;
        }
        ratios.push_back(median(b.values) / median(a.values));
    }
    c.medianRatio = median(ratios);
    return c;
}

SlowedCheck checkSlowed(const std::string& name, double trueRatio, int trials, const MeasurePair& measure) {
    SlowedCheck c;
    c.name = name;
    c.trueRatio = trueRatio;
    std::vector<double> ratios;
    for (int t = 0; t < trials; ++t) {
        const std::optional<SamplePair> pair = measure(t);
        if (!pair) break;
        const auto& [base, slowed] = *pair;
        ++c.trials;
        c.found += judge(ratioIntervals(base, slowed, Measured::together).sure) == Verdict::slower;
        const Interval ratio = ratioIntervals(slowed, base, Measured::together).shown;
        c.inside += ratio.low <= trueRatio * (1 + kTruthWithin) && ratio.high >= trueRatio * (1 - kTruthWithin);
        ratios.push_back(median(slowed.values) / median(base.values));
    }
    c.medianRatio = median(ratios);
    return c;
}

PieceCheck checkPieces(const StageTimes& times) {
    PieceCheck c;
    const auto wall = static_cast<double>(times.endToEnd());
    const auto wrong = [&](const std::string& what) {
        if (c.wrong.empty()) c.wrong = what;
    };
    std::vector<StageTimes::Span> spans;
    if (times.span(Stage::allocate).known()) spans.push_back(times.span(Stage::allocate));
    for (const StageTimes::Piece& p : times.pieces()) {
        const std::string name = std::string(stageName(p.stage)) + " of strip " + std::to_string(p.strip);
        if (p.span.end < p.span.begin) wrong("the " + name + " ends before it begins");
        if (static_cast<double>(p.span.begin) < -PieceCheck::kSlack * wall) wrong("the " + name + " begins before the run");
        if (static_cast<double>(p.span.end) > (1 + PieceCheck::kSlack) * wall) wrong("the " + name + " ends after the run");
        spans.push_back(p.span);
    }
    if (times.pieces().empty()) wrong("the run has no pieces");
    for (const Stage s : {Stage::allocate, Stage::upload, Stage::compute, Stage::download})
        if (static_cast<double>(times[s]) > (1 + PieceCheck::kSlack) * wall)
            wrong(std::string(stageName(s)) + " takes longer than the run");
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::int64_t until = 0, atWork = 0;
    for (const StageTimes::Span& s : spans) {
        atWork += std::max<std::int64_t>(0, s.end - std::max(s.begin, until));
        until = std::max(until, s.end);
    }
    if (wall > 0) c.covered = static_cast<double>(atWork) / wall;
    return c;
}

StageSumCheck checkStageSums(const std::vector<double>& sumNs, const std::vector<double>& wholeNs) {
    StageSumCheck c;
    std::vector<double> shares;
    for (std::size_t i = 0; i < std::min(sumNs.size(), wholeNs.size()); ++i)
        if (wholeNs[i] > 0) shares.push_back(sumNs[i] / wholeNs[i]);
    c.samples = static_cast<int>(shares.size());
    c.share = median(shares);
    c.medianRunNs = median(wholeNs);
    return c;
}

std::string selfCheckStep(const Catalog& catalog, const Target& target, const Image& input) {
    constexpr double kFlopsPerSample = 2000;
    std::string fallback;
    for (const auto& operation : catalog.operations()) {
        if (catalog.implementations(operation->id(), target.backend).empty()) continue;
        Step step = parseStep(catalog, operation->id());
        Problem problem = makeProblem(input, step.parameters, SampleStatistics{.min = 0, .max = 1, .mean = 0.5});
        try {
            operation->check(problem);
        } catch (const Error&) {
            continue;
        }
        if (fallback.empty()) fallback = toText(step);
        for (const SweepAxis& axis : sweepAxes(Pipeline{{step}}, input)) {
            if (!axis.parameter || !axis.changesWork) continue;
            for (const std::string& value : axis.values) {
                problem.parameters.setText(axis.parameter->key, value);
                if (operation->work(problem).flops <= kFlopsPerSample * static_cast<double>(problem.shape.samples()))
                    step.parameters.setText(axis.parameter->key, value);
            }
            return toText(step);
        }
    }
    if (fallback.empty()) throw Error(ErrorCode::unavailable, "Backend '" + target.backend + "' has no operation for this image");
    return fallback;
}

ProtocolRecord selfCheckProtocol() {
    // The time of the quick effort: in less, disturbances of some milliseconds would hit one side more than the other.
    ProtocolRecord p = protocolFor("quick");
    p.minimumSamples = 30;
    p.maximumSeconds = std::min(p.maximumSeconds, 0.8);
    return p;
}

SelfCheckResult selfCheck(const Catalog& catalog, ImagePtr input, const SelfCheckOptions& options) {
    if (options.trials < 1 || options.slowedTrials < 1) throw Error(ErrorCode::usage, "A self-check needs at least one trial");
    if (!input) throw Error(ErrorCode::usage, "Nothing to measure", "no image was given");
    return Check(catalog, std::move(input), options).run();
}

}  // namespace parallax
