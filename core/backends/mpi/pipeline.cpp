// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <utility>

#include "core/backends/mpi/implementations.hpp"
#include "core/backends/mpi/jobs.hpp"
#include "core/backends/mpi/shared_images.hpp"

namespace parallax {
namespace {

std::int64_t nextId() {
    static std::atomic<std::int64_t> last = 0;
    return ++last;
}

/// Keeps the statistics, series and curves of a step in the last run.
class StepKnowledge final : public Execution {
public:
    void run(std::span<const View<const float>>, std::span<const View<float>>, RunContext&) override {
        throw Error(ErrorCode::failed, "Ranks run whole pipelines");
    }
    std::vector<Statistic> statistics(RunContext&) override { return values; }
    TransferCurve transferCurve(RunContext&) override { return curve; }
    std::vector<RunSeries> series(RunContext&) override { return all; }
    std::vector<RunLap> laps(RunContext& context) override { return askLaps ? askLaps(context) : std::vector<RunLap>(); }
    double dataTolerance() const override { return tolerance; }

    std::vector<Statistic> values;
    TransferCurve curve;
    std::vector<RunSeries> all;
    std::function<std::vector<RunLap>(RunContext&)> askLaps;
    double tolerance = 0;
};

class RanksPipeline final : public RemoteRun {
public:
    RanksPipeline(const Target& target, const RunPlan& plan, const ImagePtr& input) : rows_(plan.rows()), steps_(plan.steps.size()) {
        const Problem& problem = plan.steps.front().problem;
        // Without a variant, each step may select another implementation of one backend.
        std::tie(order_.backend, order_.variant) =
            backendAndVariant(target.variant.empty() ? plan.steps.front().record.variant : target.variant);
        order_.parts = target.parts;
        order_.threads = target.threads;
        for (const PlannedStep& step : plan.steps) order_.steps.push_back(step.record.step);
        order_.shape = problem.shape;
        order_.channelNames = problem.channelNames;
        order_.spacing = problem.spacing;
        order_.facts = problem.facts;
        input_ = input;
        for (std::size_t i = 0; i < steps_.size(); ++i)
            steps_[i].askLaps = [this, i](RunContext& context) { return lapsOf(static_cast<int>(i), context); };
    }
    ~RanksPipeline() override {
        if (job_) job_->tell(FrameKind::release, static_cast<std::uint64_t>(order_.id));
    }
    RanksPipeline(const RanksPipeline&) = delete;
    RanksPipeline& operator=(const RanksPipeline&) = delete;

    PreparedMessage prepare(const RunContext& context) {
        const std::shared_ptr<SharedMemory> image = sharedSamples(input_, context);
        job_ = jobOf(order_.parts, context.stop);
        order_.id = nextId();
        order_.image = image->id();
        const Frame answer = job_->request(FrameKind::prepare, bytesOf(order_), image, FrameKind::prepared, context.stop);
        auto prepared = messageOf<PreparedMessage>(answer.body);
        if (prepared.variants.size() != steps_.size() || prepared.reasons.size() != steps_.size())
            throw Error(ErrorCode::failed, "The ranks have prepared other steps");
        threads_ = prepared.threads;
        device_ = prepared.device;
        return prepared;
    }

    std::shared_ptr<Allocator> resultMemory() const override { return sharedResultMemory(); }
    StageTimes run(const View<float>& result, RunContext& context) override {
        if (!job_->isAlive()) (void)prepare(context);
        const std::shared_ptr<SharedMemory> memory = sharedResultAt(result.data);
        if (!memory) throw Error(ErrorCode::failed, "The result is not in shared memory");
        std::int64_t reported = 0;
        const auto onBusy = [&](double fraction) {
            if (!context.progress || !(fraction >= 0 && fraction <= 1)) return;
            // Rank 0 tells its own progress.
            const auto rows = static_cast<std::int64_t>(std::min(1.0, fraction * order_.parts) * static_cast<double>(rows_));
            context.progress->add(std::max<std::int64_t>(0, rows - reported));
            reported = std::max(reported, rows);
        };
        laps_.reset();
        const Frame answer =
            job_->request(FrameKind::run, bytesOf(RunMessage{order_.id, memory->id()}), memory, FrameKind::done, context.stop, onBusy);
        if (context.progress) context.progress->add(rows_ - reported);
        auto done = messageOf<DoneMessage>(answer.body);
        StageTimes times = timesOf(done.times);
        keep(std::move(done));
        return times;
    }
    Execution& execution(std::size_t step) override { return steps_[step]; }
    int threads() const override { return threads_; }
    const std::string& deviceName() const override { return device_; }
    std::vector<RankHost> hosts() const override {
        const HelloMessage& ranks = job_->ranks();
        const auto count = static_cast<std::size_t>(order_.parts);
        return hostsOfRanks(std::span(ranks.hosts).first(count), std::span(ranks.processors).first(count),
                            std::span(ranks.threads).first(count));
    }
    std::optional<TrafficRecord> traffic() const override { return traffic_; }
    std::vector<std::string> warnings() const override { return warnings_; }

private:
    StepKnowledge& stepAt(int step) {
        if (step < 0 || static_cast<std::size_t>(step) >= steps_.size())
            throw Error(ErrorCode::failed, "The ranks report a step that they were not given");
        return steps_[static_cast<std::size_t>(step)];
    }

    void keep(DoneMessage done) {
        if (done.tolerances.size() != steps_.size()) throw Error(ErrorCode::failed, "The ranks report other steps");
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            StepKnowledge& step = steps_[i];
            step.values.clear();
            step.all.clear();
            step.curve = {};
            step.tolerance = done.tolerances[i];
        }
        for (StatisticMessage& s : done.statistics)
            stepAt(s.step).values.push_back({std::move(s.key), s.value, std::move(s.title), std::move(s.unit)});
        for (SeriesMessage& s : done.series)
            stepAt(s.step).all.push_back(
                {std::move(s.key), std::move(s.x), std::move(s.y), std::move(s.label), std::move(s.end), s.tolerance});
        for (CurveMessage& c : done.curves) stepAt(c.step).curve = {std::move(c.input), std::move(c.output)};
        warnings_ = std::move(done.warnings);
        traffic_.reset();
        if (done.onParts)
            traffic_ = {.link = kRankLink, .uncounted = done.uncounted, .unit = done.unit, .edge = done.edge, .received = done.received};
    }

    std::vector<RunLap> lapsOf(int step, const RunContext& context) {
        if (!laps_)
            laps_ = messageOf<LapsMessage>(job_->request(FrameKind::askLaps, bytesOf(IdMessage{static_cast<std::uint64_t>(order_.id)}),
                                                         nullptr, FrameKind::laps, context.stop)
                                               .body);
        std::vector<RunLap> laps;
        for (const LapMessage& lap : laps_->laps)
            if (lap.step == step) laps.push_back({lap.key, lap.label, lap.nanoseconds, lap.count});
        return laps;
    }

    PrepareMessage order_;
    ImagePtr input_;
    std::int64_t rows_;
    std::vector<StepKnowledge> steps_;
    std::shared_ptr<Job> job_;
    int threads_ = 0;
    std::string device_;
    std::optional<LapsMessage> laps_;  // of the last run
    std::optional<TrafficRecord> traffic_;
    std::vector<std::string> warnings_;
};

}  // namespace

std::unique_ptr<RemoteRun> prepareOnRanks(const Target& target, const RunPlan& plan, const ImagePtr& input, std::vector<StepPlan>& records,
                                          RunContext& context) {
    auto run = std::make_unique<RanksPipeline>(target, plan, input);
    const std::string backend = backendAndVariant(records.front().variant).first;
    const PreparedMessage prepared = run->prepare(context);
    for (std::size_t i = 0; i < records.size(); ++i) {
        StepPlan& record = records[i];
        const std::string variant = backend + "." + prepared.variants[i];
        record.implementation.replace(record.implementation.size() - record.variant.size(), std::string::npos, variant);
        record.variant = variant;
        record.reason = prepared.reasons[i];
    }
    return run;
}

}  // namespace parallax
