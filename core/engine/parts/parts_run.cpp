// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/parts_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/engine/parts/part_views.hpp"
#include "core/parallel/counting_communicator.hpp"
#include "core/parallel/device_communicator.hpp"

namespace parallax {
namespace {

Strip bandOf(const PartRange& rows) { return {.row = rows.first, .rows = rows.count(), .whole = false}; }

/// `rows` rows of all channels, from row `first` of the view on.
template <class T>
View<T> rowsOf(View<T> view, std::int64_t first, std::int64_t rows) {
    view.data = view.row(first);
    view.shape.height = rows;
    return view;
}

void copyRows(const View<const float>& from, const View<float>& to) {
    for (std::int64_t c = 0; c < from.shape.channels; ++c)
        for (std::int64_t y = 0; y < from.shape.height; ++y) std::copy_n(from.row(y, 0, c), from.shape.width, to.row(y, 0, c));
}

void fillRows(const View<float>& rows, float value) {
    for (std::int64_t c = 0; c < rows.shape.channels; ++c)
        for (std::int64_t y = 0; y < rows.shape.height; ++y) std::fill_n(rows.row(y, 0, c), rows.shape.width, value);
}

void fillRowsOf(BackendSession& session, const View<float>& rows, float value) {
    if (isHostAccessible(session.memorySpace())) return fillRows(rows, value);
    Buffer host(rows.shape);
    fillRows(host.view<float>(), value);
    session.upload(std::as_const(host).view<float>(), rows);
}

/// Computes an output strip of every channel; `input` and `output` begin at its first rows.
void runStrips(Execution& execution, const StripPlan& plan, Strip strip, const View<const float>& input, const View<float>& output,
               RunContext& context) {
    for (std::int64_t c = 0; c < plan.shape.channels; ++c) {
        context.throwIfStopped();
        Strip plane = strip;
        plane.plane = c * plan.shape.depth + strip.plane;
        execution.runStrip(plan, plane, denseView(input.row(0, 0, c), plan.inputShape(plane)),
                           denseView(output.row(0, 0, c), plan.outputShape(plane)), context);
        // Only executions in host memory add to it themselves.
        if (context.progress && !isHostAccessible(context.session->memorySpace())) context.progress->add(plane.rows * plane.planes);
    }
}

template <class F>
void timed(StageClock& clock, Stage stage, F&& work) {
    clock.begin(stage);
    work();
    clock.end();
}

}  // namespace

PartsRun::PartsRun(const RunPlan& plan, const RunTarget& target)
    : plan_(plan),
      target_(target),
      parts_(static_cast<std::size_t>(target.partsHere())),
      times_(static_cast<std::size_t>(target.parts())),
      threads_(target.threads()),
      transport_(target.transport()),
      uploaded_(parts_.size()) {
    if (!target.ranks()) team_.emplace(target.parts(), transport_);
    for (const PlannedStep& step : plan.steps) {
        StepHalo& halo = steps_.emplace_back();
        halo.plan = planWithHalo(step.problem.shape, step.distribution.halo);
    }
    for (std::size_t i = steps_.size(); i-- > 0;) {
        if (!hasHalo(i)) continue;
        const Partition& input = i == 0 ? plan.partition : plan.steps[i - 1].partition;
        sendEdgesFirst(i, input);
        steps_[i].halo = planHalo(steps_[i].plan, input, steps_[i].edges);
    }
    for (int rank = target.firstPart(); rank < target.firstPart() + target.partsHere(); ++rank) {
        std::vector<PartRange>& ranges = partOf(rank).ranges;
        ranges.push_back(plan.partition[rank]);
        for (const PlannedStep& step : plan.steps) ranges.push_back(step.partition[rank]);
    }
}

/// The edges of a step get all rows that those of the next one read of the part, unless that were too many.
void PartsRun::sendEdgesFirst(std::size_t step, const Partition& input) {
    if (step + 1 == steps_.size() || !hasHalo(step + 1)) return;
    StepHalo& own = steps_[step];
    const StepHalo& next = steps_[step + 1];
    const EdgeRows rows{std::max<std::int64_t>(next.plan.above, next.edges.first) + next.plan.below,
                        std::max<std::int64_t>(next.plan.below, next.edges.last) + next.plan.above};
    std::int64_t fewest = input[0].count();
    for (int part = 1; part < input.parts(); ++part) fewest = std::min(fewest, input[part].count());
    constexpr std::int64_t kMinRowsPerHaloRow = 8;  // an eighth: the rest hides the exchange
    if (rows.first + rows.last == 0 || kMinRowsPerHaloRow * (rows.first + rows.last) > fewest) return;
    own.edges = rows;
    own.sendsEdgesFirst = true;
}

RunContext PartsRun::contextOf(const Communicator& communicator, const RunContext& context) const {
    RunContext own = target_.contextFor(context, communicator.rank());
    own.stop = communicator.stop();
    own.live = nullptr;  // steps with series do not work on parts
    return own;
}

std::unique_ptr<Execution> PartsRun::prepareStep(const PlannedStep& step, RunContext& context) const {
    const auto* const parts = dynamic_cast<const PreparesParts*>(step.implementation);
    if (parts && plan_.partStrips.empty()) return parts->preparePart(step.problem, context);
    return step.implementation->prepare(step.problem, context);
}

void PartsRun::prepare(const RunContext& context) {
    together(
        target_.ranks() ? prepareOrder() : RankOrder{}, [&](Communicator& communicator) { prepareRank(communicator, context); }, context);
}

void PartsRun::prepareRank(Communicator& communicator, const RunContext& context) {
    Part& part = partOf(communicator.rank());
    const RanksInUse inUse(target_.rankDevice(), communicator);
    for (const PlannedStep& step : plan_.steps) {
        RunContext own = contextOfStep(step, target_, contextOf(communicator, context));
        own.throwIfStopped();
        part.executions.push_back(prepareStep(step, own));
    }
    if (!target_.ranks()) return;
    std::int64_t threads[] = {target_.threads()};
    communicator.allReduce(threads);
    threads_ = static_cast<int>(threads[0]);
}

StageTimes PartsRun::run(const View<const float>& input, const View<float>& result, const RunContext& context) {
    together(
        {.kind = RankOrder::Kind::run}, [&](Communicator& communicator) { runRank(input, result, communicator, context); }, context);
    return times();
}

StageTimes PartsRun::times() const {
    StageTimes all;
    std::int64_t longest = 0;
    for (const StageTimes& times : times_) {
        for (const Stage stage : {Stage::allocate, Stage::upload, Stage::compute, Stage::download})
            all[stage] = std::max(all[stage], times[stage]);
        longest = std::max(longest, times[Stage::compute] + times[Stage::exchange]);
    }
    all[Stage::exchange] = longest - all[Stage::compute];
    all.keepPieces(piecesOfParts());
    std::int64_t end = 0;
    for (const StageTimes::Piece& p : all.pieces()) {
        all.extendSpan(p.stage, p.span.begin, p.span.end);
        end = std::max(end, p.span.end);
    }
    if (!plan_.partStrips.empty()) all.setOverlapped(end);
    return all;
}

void PartsRun::runRank(const View<const float>& input, const View<float>& result, Communicator& communicator, const RunContext& context) {
    const RanksInUse inUse(target_.rankDevice(), communicator);
    runPart(partOf(communicator.rank()), input, result, communicator, contextOf(communicator, context));
}

void PartsRun::runRankOnRows(const View<const float>& rows, const View<float>& result, Communicator& communicator,
                             const RunContext& context) {
    ownRows_ = true;
    runRank(rows, result, communicator, context);
}

/// What each part had of each stage, on the time axis of the part that began first.
std::vector<StageTimes::Piece> PartsRun::piecesOfParts() const {
    std::int64_t first = times_.front().origin();
    for (const StageTimes& times : times_) first = std::min(first, times.origin());
    std::vector<StageTimes::Piece> pieces;
    for (std::size_t i = 0; i < times_.size(); ++i) {
        const StageTimes& times = times_[i];
        const std::int64_t shift = times.origin() - first;
        const auto add = [&](Stage stage, int strip, const StageTimes::Span& span) {
            pieces.push_back({.stage = stage, .strip = strip, .span = {span.begin + shift, span.end + shift}, .part = static_cast<int>(i)});
        };
        const auto inStrips = [&](Stage stage) {
            return std::any_of(times.pieces().begin(), times.pieces().end(), [&](const auto& p) { return p.stage == stage; });
        };
        for (const Stage stage : kAllStages)
            if (const StageTimes::Span& span = times.span(stage); span.known() && !inStrips(stage)) add(stage, 0, span);
        for (const StageTimes::Piece& p : times.pieces()) add(p.stage, p.strip, p.span);
    }
    return pieces;
}

TrafficRecord PartsRun::traffic() const {
    TrafficRecord record{.link = target_.ranks() ? kRankLink : target_.onHost() ? kThreadLink : kPeerLink};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        record.unit = std::lcm(record.unit, plan_.steps[i].distribution.unit);
        if (hasHalo(i)) record.edge = std::max<std::int64_t>(record.edge, steps_[i].plan.above + steps_[i].plan.below);
        const auto* const phases = dynamic_cast<const PartExecution*>(&execution(i));
        if (phases && !phases->countsTraffic()) record.uncounted = plan_.steps[i].record.implementation;
    }
    record.received = parts_.front().traffic;
    for (const Part& part : parts_) record.received = busiest(record.received, part.traffic);
    if (!target_.onHost()) record.received.overlapped = 0;
    for (const StageTimes& times : times_) record.times.push_back({times[Stage::compute], times[Stage::exchange]});
    return record;
}

double PartsRun::dataTolerance(std::size_t step) const {
    double largest = step < tolerances_.size() ? tolerances_[step] : 0;
    for (const Part& part : parts_) largest = std::max(largest, part.executions[step]->dataTolerance());
    return largest;
}

void PartsRun::releaseBuffers() {
    for (Part& part : parts_) {
        part.input = Buffer();
        part.rows = Buffer();
        part.result = Buffer();
        part.work.clear();
        part.edges.clear();
    }
}

/// Buffers of the part: in the memory of its device, or in host memory that its own thread touches first.
void PartsRun::allocate(Part& part, int rank) const {
    BackendSession* const device = target_.onHost() ? nullptr : &target_.session(rank);
    part.work.resize(plan_.buffers.layouts.size());
    part.edges.resize(steps_.size());
    const bool follows = target_.ranks() && rank > 0 && !ownRows_;
    if (const PartRange& range = part.ranges[0]; !range.empty()) {
        Shape shape = shapeOf(plan_.buffers.input.shape, range);
        if (follows) ensureBuffer(part.rows, shape, nullptr);
        if (uploadsHalo()) shape.height = steps_[0].plan.inputRows(bandOf(range));
        if (device) ensureBuffer(part.input, shape, device);
    }
    if (const PartRange& range = part.ranges.back(); follows && !range.empty())
        ensureBuffer(part.result, shapeOf(plan_.steps.back().outputShape, range), nullptr);
    for (std::size_t i = 0; i < plan_.buffers.ofStep.size(); ++i) {
        const std::size_t b = plan_.buffers.ofStep[i];
        if (const PartRange& range = part.ranges[i + 1]; !range.empty())
            ensureBuffer(part.work[b], shapeOf(plan_.buffers.layouts[b].shape, range), device);
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (!hasHalo(i) || (i == 0 && uploadsHalo())) continue;
        const StripPlan& plan = steps_[i].plan;
        const std::vector<Strip> edges = divideBand(plan, part.ranges[i], steps_[i].edges).edges;
        part.edges[i].resize(edges.size());
        for (std::size_t e = 0; e < edges.size(); ++e)
            ensureBuffer(part.edges[i][e], Shape{plan.shape.width, plan.inputRows(edges[e]), 1, plan.shape.channels}, device);
    }
}

void PartsRun::runPart(Part& part, const View<const float>& input, const View<float>& result, Communicator& communicator,
                       const RunContext& context) {
    BackendSession& session = *context.session;
    StageClock& clock = session.clock();
    const int rank = communicator.rank();
    if (rank > 0) (void)clock.finish();  // times of a run that failed
    if (!plan_.partStrips.empty()) return streamPart(part, input, result, context, rank);
    const bool onHost = target_.onHost(), onRanks = target_.ranks() != nullptr;
    timed(clock, Stage::allocate, [&] { allocate(part, rank); });
    StepViews views;
    std::int64_t together = 0;
    if (onRanks) {
        if (!onHost || !ownRows_) timed(clock, Stage::upload, [&] { views.input = uploadOnRank(part, input, communicator, session); });
        else views.input = input;
        session.drain();
        communicator.barrier();
        together = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    } else if (onHost) {
        views = {.input = viewOf(input, part.ranges[0]), .image = &input};
    } else {
        if (!part.ranges[0].empty()) timed(clock, Stage::upload, [&] { upload(part, input, session); });
        views = {.input = std::as_const(part.input).view<float>(), .withHalo = uploadsHalo()};
        RunContext own = contextOfStep(plan_.steps[0], target_, context);
        take(part, 0, views, communicator, own);
        beginTogether(communicator);
    }
    if (onRanks && !onHost) {
        const bool blocking = target_.target().has(kBlockingMode);
        DeviceCommunicator ofDevices(communicator, *target_.rankDevice(), blocking ? ExchangeMode::blocking : ExchangeMode::overlapped);
        runSteps(part, views, result, ofDevices, context);
    } else {
        runSteps(part, views, result, communicator, context);
    }
    if (onRanks) {
        // The clock of a device does not run on while the host waits.
        if (onHost) timed(clock, Stage::exchange, [&] { communicator.barrier(); });
        if (!onHost || !ownRows_) timed(clock, Stage::download, [&] { downloadOnRank(part, views.input, result, communicator, session); });
    } else if (const PartRange& range = part.ranges.back(); !onHost && !range.empty()) {
        timed(clock, Stage::download, [&] { session.download(views.input, viewOf(result, range)); });
    }
    times_[static_cast<std::size_t>(rank)] = clock.finish();
    if (onRanks) shareReports(communicator, together);
}

/// Where the result of a part belongs in host memory.
View<float> PartsRun::lastRows(Part& part, const View<float>& result) const {
    if (ownRows_) return result;
    const bool here = !target_.ranks() || target_.ranks()->rank() == 0;
    return here ? viewOf(result, part.ranges.back()) : part.result.view<float>();
}

/// Runs the only step on the rows of a part, strip by strip, from the image to the result.
void PartsRun::streamPart(Part& part, const View<const float>& input, const View<float>& result, const RunContext& context, int rank) {
    BackendSession& session = *context.session;
    RunContext own = contextOfStep(plan_.steps[0], target_, context);
    if (!part.ranges[0].empty())
        session.runStrips(*part.executions[0], plan_.partStrips[static_cast<std::size_t>(rank)], input, result, own);
    times_[static_cast<std::size_t>(rank)] = session.clock().finish();
}

/// Runs all steps; `views` is then the result.
void PartsRun::runSteps(Part& part, StepViews& views, const View<float>& result, Communicator& communicator, const RunContext& context) {
    CountingCommunicator counted(communicator);
    const bool onHost = target_.onHost();
    std::unique_ptr<HaloExchange> exchange;  // of the next step, if the step before has started it
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const bool last = i + 1 == steps_.size();
        views.output = onHost && last ? lastRows(part, result) : part.work[plan_.buffers.ofStep[i]].view<float>();
        RunContext own = contextOfStep(plan_.steps[i], target_, context);
        own.throwIfStopped();
        // The first step takes during upload, the last one gives during download.
        if (i > 0) take(part, i, views, counted, own);
        else if (onHost || target_.ranks()) take(part, i, views, communicator, own);
        runStep(part, i, views, exchange, counted, own);
        give(part, i, views, last ? communicator : counted, own);
        views = {.input = views.output};
    }
    part.traffic = counted.traffic();
}

/// No device computes before all have their samples. Otherwise the exchange would seem slow where only an upload was.
void PartsRun::beginTogether(Communicator& communicator) {
    const int rank = communicator.rank();
    uploaded_[static_cast<std::size_t>(rank)] = transport_->start(rank);
    communicator.barrier();
    for (int other = 0; other < communicator.size(); ++other)
        if (other != rank) transport_->follow(rank, *uploaded_[static_cast<std::size_t>(other)]);
}

/// The rows of the part, and those beside them that the first step needs.
void PartsRun::upload(Part& part, const View<const float>& image, BackendSession& session) const {
    const View<float> input = part.input.view<float>();
    if (!hasHalo(0)) return session.upload(viewOf(image, part.ranges[0]), input);
    std::int64_t at = 0;
    for (const RowRun& run : inputRuns(steps_[0].plan, bandOf(part.ranges[0]))) {
        const View<float> to = rowsOf(input, at, run.count);
        if (run.first < 0) fillRowsOf(session, to, steps_[0].plan.fill);
        else session.upload(rowsOf(image, run.first, run.count), to);
        at += run.count;
    }
}

ImagePart PartsRun::partOf(const Part& part, std::size_t step) const {
    return {plan_.steps[step].problem.shape, part.ranges[step], part.ranges[step + 1]};
}

/// Null if the step works on the rows of its part, or if there is no such step.
KeepsOwnSamples* PartsRun::keeper(const Part& part, std::size_t step) {
    return step < part.executions.size() ? dynamic_cast<KeepsOwnSamples*>(part.executions[step].get()) : nullptr;
}

void PartsRun::take(Part& part, std::size_t step, const StepViews& views, Communicator& communicator, RunContext& context) const {
    KeepsOwnSamples *const own = keeper(part, step), *const before = step > 0 ? keeper(part, step - 1) : nullptr;
    if (!own) return;
    timed(context.session->clock(), step == 0 ? Stage::upload : Stage::exchange, [&] {
        if (before && own->takesFrom(*before)) own->takeFrom(partOf(part, step), *before, communicator, context);
        else own->take(partOf(part, step), views.input, communicator, context);
    });
}

void PartsRun::give(Part& part, std::size_t step, const StepViews& views, Communicator& communicator, RunContext& context) const {
    KeepsOwnSamples *const own = keeper(part, step), *const next = keeper(part, step + 1);
    if (!own || (next && next->takesFrom(*own))) return;
    timed(context.session->clock(), step + 1 == steps_.size() ? Stage::download : Stage::exchange,
          [&] { own->give(partOf(part, step), views.output, communicator, context); });
}

void PartsRun::runStep(Part& part, std::size_t step, const StepViews& views, std::unique_ptr<HaloExchange>& exchange,
                       Communicator& communicator, RunContext& context) const {
    const PlannedStep& planned = plan_.steps[step];
    if (planned.distribution.phases) {
        auto* const execution = dynamic_cast<PartExecution*>(part.executions[step].get());
        if (!execution) throw Error(ErrorCode::failed, planned.record.implementation + " does not work on parts");
        timed(context.session->clock(), Stage::compute,
              [&] { execution->runPart(partOf(part, step), views.input, views.output, communicator, context); });
    } else if (inSlices(planned.problem.shape)) {
        runSlices(part, step, views, context);
    } else {
        runRows(part, step, views, exchange, communicator, context);
    }
}

/// Slices do not depend on each other.
void PartsRun::runSlices(Part& part, std::size_t step, const StepViews& views, RunContext& context) const {
    const PartRange& range = part.ranges[step];
    if (range.empty()) return;
    const StripPlan& plan = steps_[step].plan;
    timed(context.session->clock(), Stage::compute, [&] {
        runStrips(*part.executions[step], plan, {.plane = range.first, .planes = range.count(), .rows = plan.shape.height}, views.input,
                  views.output, context);
    });
}

/// `exchange`: that of this step if it has been started, then that of the next one. Rows that the next step sends are computed first, so
/// that the interior hides their way.
void PartsRun::runRows(Part& part, std::size_t step, const StepViews& views, std::unique_ptr<HaloExchange>& exchange,
                       Communicator& communicator, RunContext& context) const {
    const StripPlan& plan = steps_[step].plan;
    StageClock& clock = context.session->clock();
    const PartRange& range = part.ranges[step];
    const PartBands bands = divideBand(plan, range, steps_[step].edges);
    const bool sendsFirst = steps_[step].sendsEdgesFirst;
    const auto run = [&](const Strip& strip, const View<const float>& input) {
        runStrips(*part.executions[step], plan, strip, input, rowsOf(views.output, strip.row - range.first, strip.rows), context);
    };
    const auto runInterior = [&] {
        const std::int64_t first = views.withHalo ? range.first - plan.above : range.first;
        if (const auto& strip = bands.interior) run(*strip, rowsOf(views.input, plan.inputRow(*strip) - first, plan.inputRows(*strip)));
    };
    const auto runEdges = [&] {
        for (std::size_t e = 0; e < bands.edges.size(); ++e) {
            const Strip& strip = bands.edges[e];
            if (views.withHalo) run(strip, rowsOf(views.input, strip.row - range.first, plan.inputRows(strip)));
            else run(strip, std::as_const(part.edges[step][e]).view<float>());
        }
    };
    if (views.withHalo && !sendsFirst) {
        if (!range.empty()) timed(clock, Stage::compute, [&] { run(bandOf(range), views.input); });
        return;
    }
    const auto isOutside = [](const HaloRows& rows) { return rows.from == HaloRows::kFill; };
    // Else nothing is left to do before the edges.
    const bool prepares = !exchange || !sendsFirst || target_.onHost() || std::ranges::any_of(steps_[step].halo, isOutside);
    if (!views.withHalo && prepares)
        timed(clock, Stage::compute, [&] {
            if (!exchange) exchange = startExchange(part, step, views, communicator);
            fillEdges(part, step, views, communicator.rank());
            if (!sendsFirst) runInterior();
        });
    if (const auto received = std::exchange(exchange, nullptr)) timed(clock, Stage::exchange, [&] { received->finish(); });
    if (bands.edges.empty()) return;
    timed(clock, Stage::compute, [&] {
        runEdges();
        if (!sendsFirst) return;
        exchange = startExchange(part, step + 1, {.input = views.output}, communicator);
        runInterior();
    });
}

/// Null if this part exchanges nothing: the first step reads the halo from the image.
std::unique_ptr<HaloExchange> PartsRun::startExchange(Part& part, std::size_t step, const StepViews& views,
                                                      Communicator& communicator) const {
    if (views.image) return nullptr;
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    const int rank = communicator.rank();
    for (const HaloRows& rows : steps_[step].halo) {
        if (rows.from == HaloRows::kFill || (rows.from == rows.to && target_.onHost())) continue;
        if (rows.from == rank) sends.push_back({rows.to, rowsOf(views.input, rows.row - part.ranges[step].first, rows.rows)});
        if (rows.to == rank) receives.push_back({rows.from, rowsOf(part.edges[step][rows.edge].view<float>(), rows.at, rows.rows)});
    }
    if (sends.empty() && receives.empty()) return nullptr;
    return communicator.startExchange(std::move(sends), std::move(receives));
}

/// Sets the rows of edges that need no exchange. A device exchanges with itself, too.
void PartsRun::fillEdges(Part& part, std::size_t step, const StepViews& views, int rank) const {
    const StepHalo& halo = steps_[step];
    for (const HaloRows& rows : halo.halo) {
        if (rows.to != rank) continue;
        const View<float> to = rowsOf(part.edges[step][rows.edge].view<float>(), rows.at, rows.rows);
        if (rows.from == HaloRows::kFill) fillRowsOf(target_.session(rank), to, halo.plan.fill);
        else if (views.image) copyRows(rowsOf(*views.image, rows.row, rows.rows), to);
        else if (rows.from == rank && target_.onHost()) copyRows(rowsOf(views.input, rows.row - part.ranges[step].first, rows.rows), to);
    }
}

}  // namespace parallax
