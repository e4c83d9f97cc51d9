// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/comparison.hpp"

#include <algorithm>

#include "core/engine/backend/backend.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/models/pipeline/target_choice.hpp"
#include "ui/session/signed_difference.hpp"

namespace parallax::ui {
namespace {

// The reference is serial and computes in double: about this many operations a second. Longer checks are left to the benchmark.
constexpr double kReferenceFlopsPerSecond = 0.8e9;
constexpr double kLongestCheckSeconds = 6;
constexpr int kCheckDelayMilliseconds = 250;  // no checks while a slider moves
constexpr int kListedPixels = 20;             // largest differences

QString nameOf(Side side) { return side == Side::a ? QStringLiteral("A") : QStringLiteral("B"); }
PaneRole roleOf(Side side) { return side == Side::a ? PaneRole::a : PaneRole::b; }
TaskId taskOf(Side side) { return {side == Side::a ? TaskKind::computeA : TaskKind::computeB}; }
const TaskId kDifference{TaskKind::difference}, kShownDifference{TaskKind::shownDifference}, kReference{TaskKind::reference};

}  // namespace

Comparison::Comparison(Tasks& tasks, PaneData& panes, const Document& document, const Engine& engine, std::shared_ptr<Allocator> memory)
    : tasks_(tasks), panes_(panes), document_(document), engine_(engine), memory_(std::move(memory)) {
    state(Side::a).target = initialTarget(engine_.catalog());
    updateDefaultB();
    referenceDelay_.setSingleShot(true);
    referenceDelay_.setInterval(kCheckDelayMilliseconds);
    connect(&referenceDelay_, &QTimer::timeout, this, &Comparison::checkAgainstReference);
}

void Comparison::reset() {
    for (SideState& s : sides_) s = {.target = s.target, .result = {}, .pending = false, .error = {}};
    difference_.reset();
    differenceImage_.reset();
    tasks_.drop(kShownDifference);
}

void Comparison::setTarget(Side side, const QString& label) {
    const Target target = targetOfLabel(label.toStdString());
    if (side == Side::b) choseB_ = true;
    if (target == state(side).target) return;
    state(side).target = target;
    reference_.metrics[static_cast<std::size_t>(side)].reset();
    compute(side);
    // Comparing a backend with itself is pointless.
    if (side == Side::a && target.backend == state(Side::b).target.backend && updateDefaultB()) compute(Side::b);
}

bool Comparison::updateDefaultB() {
    if (choseB_) return false;
    SideState& b = state(Side::b);
    const Target target =
        comparisonTarget(engine_.catalog(), document_.pipeline().pipeline(), document_.original().get(), state(Side::a).target.backend);
    if (target == b.target) return false;
    b.target = target;
    reference_.metrics[static_cast<std::size_t>(Side::b)].reset();
    return true;
}

void Comparison::recompute() {
    reference_ = {};
    emit referenceChanged();
    updateDefaultB();
    compute(Side::a);
    compute(Side::b);
}

void Comparison::compute(Side side) {
    referenceDelay_.stop();
    for (const TaskId& id : {kReference, kDifference, kShownDifference}) tasks_.drop(id);
    SideState& s = state(side);
    if (!document_.original()) return emit sideChanged(side);
    if (!document_.pipeline().pipeline().hasEnabledSteps()) {
        // The result is the original.
        tasks_.drop(taskOf(side));
        auto original = std::make_shared<SideResult>();
        original->image = document_.original();
        original->target = s.target;
        return take(side, std::move(original));
    }
    s.pending = true;
    emit sideChanged(side);
    tasks_.submit(
        taskOf(side), tr("Computing %1 with %2").arg(nameOf(side), QString::fromStdString(s.target.label())),
        [engine = engine_, pipeline = document_.pipeline().pipeline(), input = document_.original(), target = s.target,
         progress = tasks_.progress(), memory = memory_](const std::stop_token& stop) {
            RunContext context{.stop = stop, .progress = progress.get(), .hostMemory = memory};
            auto result = std::make_shared<SideResult>();
            PreparedRun run = engine.prepare(pipeline, input, target, context);
            result->times = run.run(context);
            result->times += run.prepareTimes();
            result->target = run.target();
            result->device = QString::fromStdString(run.deviceName());
            result->threads = run.threads();
            result->plan = run.plan();
            result->statistics = run.statistics(context);
            result->transfers = run.transfers(context);
            result->tolerance = run.tolerance().absolute;
            result->ambiguous = run.tolerance().ambiguous;
            result->inputPeak = run.inputPeak();
            result->borderWidth = run.borderWidth();
            result->image = std::make_shared<const Image>(run.takeImage());
            if (pipeline.approximatesInput() && input->shape() == result->image->shape())
                result->againstOriginal = compareViews(input->view(), result->image->view(), {.worstCount = 0});
            return result;
        },
        [this, side](std::shared_ptr<const SideResult> result) { take(side, std::move(result)); },
        [this, side](ErrorCode code, const Message& message) {
            SideState& done = state(side);
            done.pending = false;
            if (code == ErrorCode::cancelled) {
                done.error = cancelledMessage(side);
            } else {
                done.error = message;
                const auto& opposite = state(side == Side::a ? Side::b : Side::a).error;
                // Both sides usually fail for the same reason: say it once.
                if (!opposite || opposite->plainText() != message.plainText()) tasks_.raise(message);
            }
            discardDifference();
            emit sideChanged(side);
        });
}

void Comparison::take(Side side, std::shared_ptr<const SideResult> result) {
    SideState& s = state(side);
    s.pending = false;
    s.error.reset();
    s.result = std::move(result);
    panes_.show(roleOf(side), s.result->image);
    tasks_.clear(nameOf(side));
    emit sideChanged(side);
    compare();
}

void Comparison::compare() {
    const SideState &a = side(Side::a), &b = side(Side::b);
    if (a.pending || b.pending || a.error || b.error || !a.result || !b.result) return;
    if (a.result->image->shape() != b.result->image->shape()) return discardDifference();
    struct Outcome {
        ImagePtr image;
        DifferenceMetrics metrics;
        double range = 0;
    };
    tasks_.submit(
        kDifference, tr("Comparing A and B"),
        [first = a.result->image, second = b.result->image, band = a.result->borderWidth,
         tolerance = std::max(a.result->tolerance, b.result->tolerance), memory = memory_](const std::stop_token& stop) {
            Outcome outcome;
            outcome.metrics =
                compareViews(first->view(), second->view(), {.tolerance = tolerance, .borderWidth = band, .worstCount = kListedPixels});
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            outcome.image = std::make_shared<const Image>(signedDifference(*first, *second, stop, memory));
            outcome.range = typicalRange(*outcome.image);
            return outcome;
        },
        [this](const Outcome& outcome) {
            difference_ = outcome.metrics;
            differenceImage_ = outcome.image;
            differenceRange_ = outcome.range;
            shownRelative_ = false;
            panes_.show(PaneRole::difference, differenceImage_);
            emit differenceChanged();
            referenceDelay_.start();
            if (relativeDifference_) showDifference();
        },
        [this](ErrorCode code, const Message& message) {
            discardDifference();
            tasks_.raise(code, message);
        });
}

void Comparison::discardDifference() {
    if (!difference_ && !differenceImage_) return;
    tasks_.drop(kShownDifference);
    difference_.reset();
    differenceImage_.reset();
    panes_.hide(PaneRole::difference);
    emit differenceChanged();
}

void Comparison::checkAgainstReference() {
    const SideState &a = side(Side::a), &b = side(Side::b);
    emit waitingChanged();
    if (!a.result || !b.result || !difference_ || a.result->plan.empty()) return;
    reference_.tolerance = std::max(a.result->tolerance, b.result->tolerance);
    reference_.ambiguous = std::max(a.result->ambiguous, b.result->ambiguous);
    reference_.inputPeak = a.result->inputPeak;
    const bool aIsReference = a.target.backend == kReferenceBackend, bIsReference = b.target.backend == kReferenceBackend;
    double flops = 0;
    for (const StepPlan& step : a.result->plan) flops += step.work.flops;
    const bool tooSlow = flops > kLongestCheckSeconds * kReferenceFlopsPerSecond;
    reference_.metrics = {};
    reference_.steps = {};
    if (aIsReference || bIsReference) {
        reference_.state = ReferenceCheck::State::known;
        if (!aIsReference) reference_.metrics[0] = *difference_;
        if (!bIsReference) reference_.metrics[1] = *difference_;
        const bool open = a.result->plan.size() > 1 && (reference_.verification(0) == Verification::inconclusive ||
                                                        reference_.verification(1) == Verification::inconclusive);
        if (!open || tooSlow) return emit referenceChanged();
    } else if (tooSlow) {
        reference_.state = ReferenceCheck::State::tooSlow;
        return emit referenceChanged();
    }
    reference_.state = ReferenceCheck::State::pending;
    emit referenceChanged();
    submitCheck();
}

void Comparison::submitCheck() {
    const std::array<ImagePtr, 2> results{side(Side::a).result->image, side(Side::b).result->image};
    const std::array<Target, 2> targets{side(Side::a).target, side(Side::b).target};
    tasks_.submit(
        kReference, tr("Checking against the reference"),
        [this, check = reference_, results, targets, engine = engine_, pipeline = document_.pipeline().pipeline(),
         input = document_.original(), progress = tasks_.progress(), memory = memory_, several = side(Side::a).result->plan.size() > 1,
         update = tasks_.updatesOfNext(kReference)](const std::stop_token& stop) mutable {
            RunContext context{.stop = stop, .progress = progress.get(), .hostMemory = memory};
            if (!check.metrics[0] && !check.metrics[1]) {
                PreparedRun run = engine.prepare(pipeline, input, Target{.backend = kReferenceBackend}, context);
                run.run(context);
                for (std::size_t i = 0; i < 2; ++i)
                    check.metrics[i] = compareViews(run.output(), results[i]->view(), {.tolerance = check.tolerance});
            }
            for (std::size_t i = 0; i < 2; ++i) {
                if (!several || check.verification(i) != Verification::inconclusive) continue;
                update([this, i] {
                    tasks_.setTitle(kReference, tr("Checking each step of %1 against the reference").arg(nameOf(static_cast<Side>(i))));
                });
                try {
                    check.steps[i] = judgeSteps(engine, pipeline, input, targets[i], results[i]->view(), context);
                } catch (const Error& e) {
                    // It stays inconclusive; likewise in a benchmark when memory for more runs is short.
                    if (e.code() == ErrorCode::cancelled) throw;
                }
                if (check.steps[i] && check.steps[i]->verification == Verification::inconclusive) check.steps[i].reset();
            }
            return check;
        },
        [this](ReferenceCheck check) {
            reference_ = std::move(check);
            reference_.state = ReferenceCheck::State::known;
            emit referenceChanged();
        },
        [this](ErrorCode code, const Message& message) {
            reference_.state = ReferenceCheck::State::unknown;
            emit referenceChanged();
            tasks_.raise(code, message);
        });
}

void Comparison::setRelativeDifference(bool relative) {
    if (relative == relativeDifference_) return;
    relativeDifference_ = relative;
    // A comparison that is being computed reads the mode when it is done.
    if (difference_ && !tasks_.pending(kDifference)) showDifference();
}

void Comparison::showDifference() {
    const SideState &a = side(Side::a), &b = side(Side::b);
    if (!differenceImage_ || a.pending || b.pending || !a.result || !b.result) return;
    tasks_.submit(
        kShownDifference, tr("Preparing the view"),
        [first = a.result->image, second = b.result->image, difference = differenceImage_, relative = relativeDifference_,
         memory = memory_](const std::stop_token& stop) {
            const ImagePtr shown = relative ? std::make_shared<const Image>(relativeDifference(*first, *second, stop, memory)) : difference;
            return std::pair(shown, typicalRange(*shown));
        },
        [this, relative = relativeDifference_](const std::pair<ImagePtr, double>& shown) {
            differenceRange_ = shown.second;
            shownRelative_ = relative;
            panes_.show(PaneRole::difference, shown.first);
            emit differenceChanged();
        });
}

void Comparison::markCancelled(bool comparing) {
    for (const Side which : {Side::a, Side::b}) {
        SideState& s = state(which);
        if (!s.pending) continue;
        s.pending = false;
        s.error = cancelledMessage(which);
        discardDifference();
        emit sideChanged(which);
    }
    if (comparing) discardDifference();
    if (reference_.state != ReferenceCheck::State::pending) return;
    reference_.state = ReferenceCheck::State::unknown;
    emit referenceChanged();
}

Message Comparison::cancelledMessage(Side side) const {
    return {Message::Kind::information, tr("Cancelled"), {}, tr("Change a parameter to run again"), nameOf(side)};
}

}  // namespace parallax::ui
