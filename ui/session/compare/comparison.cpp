// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/comparison.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/backend/backend.hpp"
#include "core/engine/pipeline/first_picture.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/pipeline/reference_cost.hpp"
#include "ui/models/pipeline/target_choice.hpp"
#include "ui/session/compare/signed_difference.hpp"

namespace parallax::ui {
namespace {

constexpr int kCheckDelayMilliseconds = 250;  // while a slider moves
constexpr int kListedPixels = 20;             // largest differences

constexpr std::int64_t kRepeatedBelow = 500'000'000;  // ns

TaskId taskOf(Side side) { return {TaskKind::compute, letterOf(side)}; }
const TaskId kDifference{TaskKind::difference}, kReference{TaskKind::reference};

/// Names the work whose first run is slow: it loads the code of an implementation and allocates memory of a size.
QString problemOf(const PreparedRun& run, const Shape& shape) {
    QString text = QString::fromStdString(run.target().label()) + QLatin1Char(' ') + formatExtent(shape.width, shape.height, shape.depth);
    for (const StepPlan& step : run.plan()) text += QLatin1Char(' ') + QString::fromStdString(step.implementation);
    return text;
}

/// Names runs whose times are alike, whatever the values of their parameters.
QString kindOf(const Target& target, const Pipeline& steps, const Shape& shape) {
    QString text = QString::fromStdString(target.label()) + QStringLiteral(" %1 %2 ").arg(target.device).arg(target.threads) +
                   formatExtent(shape.width, shape.height, shape.depth);
    for (const Step& step : steps.steps)
        if (step.enabled) text += QLatin1Char(' ') + QString::fromStdString(step.operation->id());
    return text;
}

bool hasLaps(const Pipeline& steps) {
    return std::any_of(steps.steps.begin(), steps.steps.end(), [](const Step& s) { return s.enabled && !lapsOf(*s.operation).empty(); });
}

std::int64_t wholeTime(const StageTimes& times) { return times[Stage::prepare] + times.endToEnd(); }

}  // namespace

/// Runs a pipeline. A short run that is the first of its kind is repeated, so that its times are those of a warm one.
std::shared_ptr<const SideResult> Comparison::solve(const Engine& engine, const Request& request, EncodedInputs& encoded,
                                                    const QSet<QString>& warm, RunContext& context) {
    auto result = std::make_shared<SideResult>();
    result->input = request.input;
    result->stepsInput = request.encoded ? encoded.of(request.input) : request.input;
    std::optional<PreparedRun> prepared;
    const auto runOnce = [&] {
        prepared.reset();  // frees the memory of a run before the next one
        prepared.emplace(engine.prepare(request.steps, result->stepsInput, request.target, context));
        if (context.live) context.live->beginRun(request.target.label());
        result->times = prepared->run(context);
        result->times += prepared->prepareTimes();
    };
    runOnce();
    result->problem = problemOf(*prepared, request.input->shape());
    result->firstRun = !warm.contains(result->problem);
    if (result->firstRun && wholeTime(result->times) < kRepeatedBelow) {
        runOnce();
        result->firstRun = false;
    }
    PreparedRun& run = *prepared;
    result->target = run.target();
    result->device = QString::fromStdString(run.deviceName());
    result->threads = run.threads();
    result->plan = run.plan();
    result->changesQuantity = request.steps.changesQuantity();
    result->statistics = run.statistics(context);
    result->series = run.series(context);
    if (request.laps) result->laps = run.laps(context);
    if (!request.encoded) result->transfers = run.transfers(context);  // drawn over values of linear light
    result->tolerance = run.tolerance().absolute;
    result->ambiguous = run.tolerance().ambiguous;
    result->localTolerance = run.localTolerance();
    result->inputPeak = run.inputPeak();
    result->memory = run.memory();
    result->borderWidth = run.borderWidth();
    result->computed = std::make_shared<const Image>(run.takeImage());
    result->image = asShown(result->computed);
    if (request.steps.approximatesInput() && result->stepsInput->shape() == result->computed->shape())
        result->againstOriginal = compareViews(result->stepsInput->view(), result->computed->view(), {.worstCount = 0});
    return result;
}

FirstPicture Comparison::runFirst(const Engine& engine, const Request& request, const Pipeline& steps, EncodedInputs& encoded,
                                  RunContext& context) {
    PreparedRun run = engine.prepare(steps, request.encoded ? encoded.of(request.input) : request.input, request.target, context);
    StageTimes times = run.run(context);
    times += run.prepareTimes();
    FirstPicture picture;
    picture.residual = residualOf(steps, run.statistics(context));
    picture.target = run.target();
    picture.nanoseconds = wholeTime(times);
    picture.problem = problemOf(run, request.input->shape());
    picture.image = asShown(std::make_shared<const Image>(run.takeImage()));
    return picture;
}

Comparison::Comparison(Tasks& tasks, PaneData& panes, Document& document, const Engine& engine, std::shared_ptr<Allocator> memory)
    : tasks_(tasks),
      panes_(panes),
      document_(document),
      engine_(engine),
      memory_(std::move(memory)),
      inputs_(tasks),
      metrics_(tasks),
      shown_(tasks, panes, memory_) {
    PipelineModel& model = document_.pipeline();
    model.setTargetSilently(Side::a, initialTarget(engine_.catalog()), false);
    update();
    checkDelay_.setSingleShot(true);
    connect(&checkDelay_, &QTimer::timeout, this, &Comparison::startChecks);
    connect(&model, &PipelineModel::setupChanged, this, &Comparison::update);
    connect(&model, &PipelineModel::pairChanged, this, &Comparison::changePair);
    connect(&inputs_, &InputStore::changed, this, &Comparison::update);
    connect(&shown_, &ShownDifference::changed, this, &Comparison::differenceChanged);
}

std::vector<Side> Comparison::sides() const {
    std::vector<Side> sides;
    for (int i = 0; i < sideCount(); ++i) sides.push_back(static_cast<Side>(i));
    return sides;
}

void Comparison::reset() {
    for (SideState& s : sides_) s = {.target = s.target, .result = {}, .first = {}, .pending = false, .error = {}};
    requests_ = {};
    checks_ = {};
    difference_.reset();
    differenceImage_.reset();
    shown_.discard();
    metrics_.discard();
}

ImagePtr Comparison::inputOf(Side side) const {
    const PaneSetup& pane = setup().pane(side);
    return usesDocument(pane) ? original() : inputs_[pane.input].image;
}

void Comparison::setTarget(Side side, const QString& label) {
    ui::setTarget(document_.pipeline(), side, targetOfLabel(label.toStdString()));
}

void Comparison::chooseTargets() {
    PipelineModel& model = document_.pipeline();
    for (const Side side : sides()) {
        if (!setup().pane(side).automatic) continue;
        const Target target =
            side == Side::a ? initialTarget(engine_.catalog())
                            : comparisonTarget(engine_.catalog(), setup().stepsOf(side), inputOf(side).get(), setup().pane(Side::a).target);
        model.setTargetSilently(side, target, true);
    }
}

void Comparison::openInputs() {
    QSet<QString> inputs;
    for (const PaneSetup& pane : setup().panes)
        if (!usesDocument(pane)) inputs.insert(pane.input);
    inputs_.use(inputs);
}

void Comparison::update() {
    // Changes that come faster than they are checked, as while a slider moves, wait for a pause. A single one is checked at once.
    const bool hurried = waiting() || tasks_.anyPending({TaskKind::compute, TaskKind::difference, TaskKind::reference, TaskKind::metrics});
    checkDelay_.setInterval(hurried ? kCheckDelayMilliseconds : 0);
    chooseTargets();
    openInputs();
    if (std::none_of(setup().panes.begin(), setup().panes.end(), [](const PaneSetup& pane) { return pane.encoded; }))
        encoded_ = std::make_shared<EncodedInputs>();
    for (int i = sideCount(); i < count_; ++i) dropSide(static_cast<Side>(i));
    const bool other = count_ != sideCount();
    count_ = sideCount();
    if (other) emit sidesChanged();
    for (const Side side : sides()) updateSide(side);
}

void Comparison::computeAgain(const std::string& backend) {
    for (const Side side : sides())
        if (setup().pane(side).target.backend == backend) requests_[indexOf(side)].reset();
    update();
}

void Comparison::setMeasuresLaps(bool yes) {
    if (std::exchange(measuresLaps_, yes) != yes && yes) update();
}

void Comparison::dropSide(Side side) {
    invalidate(side);
    tasks_.drop(taskOf(side));
    tasks_.clear(letterOf(side));
    state(side) = {};
    requests_[indexOf(side)].reset();
    panes_.hide(roleOf(side));
}

void Comparison::updateSide(Side side) {
    const PaneSetup& pane = setup().pane(side);
    SideState& s = state(side);
    s.target = pane.target;
    const bool own = !usesDocument(pane);
    const ImagePtr input = inputOf(side);
    std::optional<Request>& last = requests_[indexOf(side)];
    if (input) {
        const bool laps = measuresLaps_ && hasLaps(setup().stepsOf(side));
        const bool same = last && last->input == input && last->target == pane.target && last->encoded == pane.encoded &&
                          sameSteps(last->steps, setup().stepsOf(side)) && (last->laps || !laps);
        if (same) return;
        last = Request{input, setup().stepsOf(side), pane.target, pane.encoded, laps};
        return compute(side, *last);
    }
    last.reset();
    invalidate(side);
    tasks_.drop(taskOf(side));
    dropFirst(side);
    s.error = own ? inputs_[pane.input].error : std::nullopt;
    s.pending = own && !s.error;
    if (!s.pending && s.result) {
        s.result.reset();
        panes_.hide(roleOf(side));
        if (inPair(side)) discardDifference();
    }
    emit sideChanged(side);
}

void Comparison::invalidate(Side side) {
    checkDelay_.stop();
    tasks_.drop(kReference);
    forgetPendingChecks();
    checks_[indexOf(side)] = {};
    if (!inPair(side)) return;
    tasks_.drop(kDifference);
    shown_.stop();
    metrics_.stop();
}

void Comparison::compute(Side side, const Request& request) {
    invalidate(side);
    emit referenceChanged();
    SideState& s = state(side);
    if (!request.steps.hasEnabledSteps()) {
        // The result is the input.
        tasks_.drop(taskOf(side));
        auto unchanged = std::make_shared<SideResult>();
        unchanged->image = unchanged->input = unchanged->computed = unchanged->stepsInput = request.input;
        unchanged->target = s.target;
        return take(side, std::move(unchanged));
    }
    s.pending = true;
    if (s.first) s.first->current = false;
    live_[indexOf(side)] = std::make_shared<LiveSeries>();
    emit sideChanged(side);
    if (const std::optional<Pipeline> first = firstSteps(side, request)) computeFirst(side, request, *first);
    else computeResult(side, request);
}

std::optional<Pipeline> Comparison::firstSteps(Side side, const Request& request) {
    if (request.target.backend == kReferenceBackend) return {};  // which takes no notice of an early end
    std::optional<Pipeline> steps = firstPictureOf(request.steps);
    if (steps && !paces_[indexOf(side)].worthwhile(kindOf(request.target, request.steps, request.input->shape()))) steps.reset();
    return steps;
}

void Comparison::computeFirst(Side side, const Request& request, const Pipeline& steps) {
    tasks_.submit(
        taskOf(side), titleOf(side),
        [engine = engine_, request, steps, encoded = encoded_, memory = memory_](const std::stop_token& stop) {
            RunContext context{.stop = stop, .hostMemory = memory};
            return runFirst(engine, request, steps, *encoded, context);
        },
        [this, side, request](FirstPicture picture) {
            takeFirst(side, std::move(picture));
            computeResult(side, request);
        },
        [this, side, request](ErrorCode code, const Message& message) {
            // Whatever prevents the result too is its error.
            if (code == ErrorCode::cancelled) fail(side, code, message);
            else computeResult(side, request);
        });
}

void Comparison::computeResult(Side side, const Request& request) {
    tasks_.submit(
        taskOf(side), titleOf(side),
        [engine = engine_, request, encoded = encoded_, progress = tasks_.progress(), memory = memory_, warm = warmProblems_,
         live = live_[indexOf(side)]](const std::stop_token& stop) {
            RunContext context{.stop = stop, .progress = progress.get(), .hostMemory = memory, .live = live.get()};
            return solve(engine, request, *encoded, warm, context);
        },
        [this, side](std::shared_ptr<const SideResult> result) { take(side, std::move(result)); },
        [this, side](ErrorCode code, const Message& message) { fail(side, code, message); });
}

void Comparison::takeFirst(Side side, FirstPicture picture) {
    // The first run of a kind takes longer, since it loads and builds.
    if (warmProblems_.contains(picture.problem)) paces_[indexOf(side)].noteFirst(picture.nanoseconds);
    warmProblems_ << picture.problem;
    SideState& s = state(side);
    s.error.reset();
    s.first = std::move(picture);
    panes_.show(roleOf(side), s.first->image);
    emit sideChanged(side);
}

void Comparison::dropFirst(Side side) {
    SideState& s = state(side);
    if (!s.first) return;
    s.first.reset();
    if (s.result) panes_.show(roleOf(side), s.result->image);
    else panes_.hide(roleOf(side));
}

void Comparison::fail(Side side, ErrorCode code, const Message& message) {
    SideState& s = state(side);
    s.pending = false;
    dropFirst(side);
    if (code == ErrorCode::cancelled) {
        s.error = cancelledMessage(side);
        requests_[indexOf(side)].reset();
    } else {
        // Sides often fail for the same reason: say it once.
        bool told = false;
        for (const Side each : sides())
            told = told || (each != side && this->side(each).error && this->side(each).error->plainText() == message.plainText());
        s.error = message;
        s.result.reset();
        panes_.hide(roleOf(side));
        if (!told) tasks_.raise(message);
    }
    if (inPair(side)) discardDifference();
    emit sideChanged(side);
    settle();
}

void Comparison::take(Side side, std::shared_ptr<const SideResult> result) {
    SideState& s = state(side);
    s.pending = false;
    s.error.reset();
    s.first.reset();
    s.result = std::move(result);
    if (!s.result->problem.isEmpty()) {
        warmProblems_ << s.result->problem;
        paces_[indexOf(side)].noteResult(wholeTime(s.result->times));
    }
    panes_.show(roleOf(side), s.result->image);
    tasks_.clear(letterOf(side));
    emit sideChanged(side);
    if (inPair(side)) compare();
    settle();
}

void Comparison::changePair() {
    tasks_.drop(kDifference);
    discardDifference();
    compare();
    emit differenceChanged();
}

QString Comparison::noDifference() const {
    for (const Side each : {reference(), subject()})
        if (side(each).error || (!side(each).result && !side(each).pending)) return tr("%1 has no result").arg(letterOf(each));
    const SideState &r = side(reference()), &s = side(subject());
    if (r.pending || s.pending || r.result->image->shape() == s.result->image->shape()) return {};
    const auto size = [](const SideState& state) {
        const Shape& shape = state.result->image->shape();
        return formatExtent(shape.width, shape.height, shape.depth);
    };
    const QString first = letterOf(reference()), second = letterOf(subject());
    if (size(r) == size(s)) return tr("%1 and %2 have different channels").arg(first, second);
    return tr("%1 is %2, %3 is %4").arg(first, size(r), second, size(s));
}

void Comparison::compare() {
    const SideState &first = side(reference()), &second = side(subject());
    if (first.pending || second.pending || first.error || second.error || !first.result || !second.result) return;
    if (first.result->image->shape() != second.result->image->shape()) return discardDifference();
    struct Outcome {
        ImagePtr image;
        DifferenceMetrics metrics;
        DifferenceRange range;
    };
    const std::optional<Request>&a = requests_[indexOf(reference())], &b = requests_[indexOf(subject())];
    // The tolerance is about backends that do the same, and about light.
    const bool same = a && b && a->input == b->input && sameSteps(a->steps, b->steps) && !a->encoded && !b->encoded;
    const double tolerance = same ? std::max(first.result->tolerance, second.result->tolerance) : 0;
    tasks_.submit(
        kDifference, tr("Comparing %1 and %2").arg(letterOf(reference()), letterOf(subject())),
        [first = first.result->image, second = second.result->image, band = std::max(first.result->borderWidth, second.result->borderWidth),
         tolerance, memory = memory_](const std::stop_token& stop) {
            Outcome outcome;
            outcome.metrics =
                compareViews(first->view(), second->view(), {.tolerance = tolerance, .borderWidth = band, .worstCount = kListedPixels});
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            outcome.image = std::make_shared<const Image>(signedDifference(*first, *second, stop, memory));
            outcome.range = rangeOf(*outcome.image);
            return outcome;
        },
        [this, first = first.result->image, second = second.result->image](const Outcome& outcome) {
            difference_ = outcome.metrics;
            differenceImage_ = outcome.image;
            metrics_.setPair(first, second, tr("Comparing %1 and %2").arg(letterOf(reference()), letterOf(subject())));
            shown_.setPair(first, second, outcome.image, outcome.range);  // emits differenceChanged()
            settle();
        },
        [this](ErrorCode code, const Message& message) {
            discardDifference();
            tasks_.raise(code, message);
        });
}

void Comparison::discardDifference() {
    metrics_.discard();
    if (!difference_ && !differenceImage_) return;
    shown_.discard();
    difference_.reset();
    differenceImage_.reset();
    panes_.hide(PaneRole::difference);
    emit differenceChanged();
}

void Comparison::settle() {
    if (tasks_.pending(kDifference)) return;
    bool unknown = false;
    for (const Side each : sides()) {
        if (side(each).pending) return;
        const bool checkable = side(each).result && !side(each).error && !side(each).result->plan.empty();
        unknown = unknown || (checkable && checks_[indexOf(each)].state == ReferenceCheck::State::unknown);
    }
    if (unknown || metrics_.state() == PairMetrics::State::waiting) checkDelay_.start();
}

void Comparison::startChecks() {
    emit waitingChanged();
    checkAgainstReference();
    metrics_.start();
}

void Comparison::checkAgainstReference() {
    std::vector<CheckGroup> groups;
    std::vector<Side> order{reference(), subject()};
    for (const Side each : sides())
        if (!inPair(each)) order.push_back(each);
    for (const Side each : order) {
        const SideState& s = side(each);
        const std::optional<Request>& request = requests_[indexOf(each)];
        if (!request || s.error || !s.result || s.result->plan.empty()) continue;
        auto group = std::find_if(groups.begin(), groups.end(), [&](const CheckGroup& g) {
            return g.input == s.result->stepsInput && sameSteps(g.steps, request->steps);
        });
        if (group == groups.end()) group = groups.insert(groups.end(), {s.result->stepsInput, request->steps, {}, true, {}});
        if (s.target.backend == kReferenceBackend) group->reference = s.result->computed;
        if (referenceCheck(each).state != ReferenceCheck::State::unknown) continue;
        CheckedResult result{each, s.result->computed, s.target, s.result->plan.size(), {}};
        result.check.tolerance = s.result->tolerance;
        result.check.ambiguous = s.result->ambiguous;
        result.check.localTolerance = s.result->localTolerance;
        result.check.inputPeak = s.result->inputPeak;
        group->results.push_back(std::move(result));
    }
    std::erase_if(groups, [](const CheckGroup& group) { return group.results.empty(); });
    submitChecks(std::move(groups));
}

void Comparison::submitChecks(std::vector<CheckGroup> groups) {
    double flops = 0;
    for (CheckGroup& group : groups) {
        double tolerance = 0, ambiguous = 0, cost = 0;
        for (const CheckedResult& result : group.results) {
            tolerance = std::max(tolerance, result.check.tolerance);
            ambiguous = std::max(ambiguous, result.check.ambiguous);
        }
        for (const StepPlan& step : side(group.results.front().side).result->plan) cost += step.referenceFlops;
        const bool tooSlow = flops + cost > kUncheckedFlops;
        if (!tooSlow) flops += cost;
        group.judgesSteps = !tooSlow;
        std::vector<CheckedResult> remaining;
        for (CheckedResult& result : group.results) {
            ReferenceCheck& check = checks_[indexOf(result.side)];
            const bool isReference = result.target.backend == kReferenceBackend;
            result.check.tolerance = tolerance;
            result.check.ambiguous = ambiguous;
            check = result.check;
            check.state = isReference                   ? ReferenceCheck::State::known
                          : tooSlow && !group.reference ? ReferenceCheck::State::tooSlow
                                                        : ReferenceCheck::State::pending;
            if (check.state == ReferenceCheck::State::pending) remaining.push_back(std::move(result));
        }
        group.results = std::move(remaining);
    }
    std::erase_if(groups, [](const CheckGroup& group) { return group.results.empty(); });
    emit referenceChanged();
    if (groups.empty()) return;
    tasks_.submit(
        kReference, tr("Checking against the reference"),
        [this, groups = std::move(groups), engine = engine_, progress = tasks_.progress(), memory = memory_,
         update = tasks_.updatesOfNext(kReference)](const std::stop_token& stop) {
            RunContext context{.stop = stop, .progress = progress.get(), .hostMemory = memory};
            return runChecks(engine, groups, context, [&](Side judged) {
                update([this, judged] {
                    tasks_.setTitle(kReference, tr("Checking each step of %1 against the reference").arg(letterOf(judged)));
                });
            });
        },
        [this](const std::vector<CheckedResult>& checked) {
            for (const CheckedResult& result : checked) checks_[indexOf(result.side)] = result.check;
            emit referenceChanged();
        },
        [this](ErrorCode code, const Message& message) {
            forgetPendingChecks();
            emit referenceChanged();
            tasks_.raise(code, message);
        });
}

void Comparison::markCancelled(bool comparing) {
    for (const Side which : sides()) {
        SideState& s = state(which);
        if (!s.pending) continue;
        inputs_.markCancelled(cancelledMessage(which));
        s.pending = false;
        dropFirst(which);
        s.error = cancelledMessage(which);
        requests_[indexOf(which)].reset();
        if (inPair(which)) discardDifference();
        emit sideChanged(which);
    }
    if (comparing) discardDifference();
    metrics_.markCancelled();
    if (forgetPendingChecks()) emit referenceChanged();
}

bool Comparison::forgetPendingChecks() {
    bool any = false;
    for (ReferenceCheck& check : checks_) {
        if (check.state != ReferenceCheck::State::pending) continue;
        check = {};
        any = true;
    }
    return any;
}

QString Comparison::titleOf(Side side) const {
    return tr("Computing %1 with %2").arg(letterOf(side), QString::fromStdString(this->side(side).target.label()));
}

Message Comparison::cancelledMessage(Side side) const {
    return {Message::Kind::information, tr("Cancelled"), {}, tr("Change a parameter to run again"), letterOf(side)};
}

}  // namespace parallax::ui
