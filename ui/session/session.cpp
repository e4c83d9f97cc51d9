// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/backend/backend.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/target_choice.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/signed_difference.hpp"

namespace parallax::ui {
namespace {

/// The reference is serial and computes in double: about this many operations a second. Checks that would take longer
/// than a few seconds are left to the benchmark, which is asked for.
constexpr double kReferenceFlopsPerSecond = 0.8e9;
constexpr double kLongestCheckSeconds = 6;
constexpr int kCheckDelayMilliseconds = 250;    // not while a slider moves
constexpr int kPreviewDelayMilliseconds = 200;  // while a slider moves nobody looks at previews
constexpr int kProgressInterval = 100;
// While both processors of a small machine compute, the window goes first. Longest wait of an event while a slider moves, 95 % of
// moves: 14 to 17 ms as nice as the window, 14 to 15 with 4, 11 to 13 with 9. More would let other programs starve what is computed.
constexpr int kNiceness = 9;
constexpr std::size_t kMostKeptBytes = std::size_t{512} << 20;  // of memory for the next results
constexpr int kTrimDelayMilliseconds = 3000;                    // a slider that rested longer can wait for new memory
constexpr int kListedPixels = 20;                               // largest differences: more is a picture, not a list

QString keyOf(Side side) { return side == Side::a ? QStringLiteral("A") : QStringLiteral("B"); }
PaneRole roleOf(Side side) { return side == Side::a ? PaneRole::a : PaneRole::b; }
QString keyOf(PaneRole role) { return QStringLiteral("view %1").arg(static_cast<int>(role)); }

}  // namespace

Session::Session(const Catalog& catalog, QObject* parent)
    : QObject(parent),
      engine_(catalog),
      memory_(std::make_shared<RecyclingAllocator>(kMostKeptBytes)),
      pipeline_(catalog),
      computeQueue_(kNiceness),
      ioQueue_(kNiceness),
      viewQueue_(kNiceness) {
    QStringList available;
    for (const auto& backend : catalog.backends())
        if (backend->availability().yes && backend->id() != kReferenceBackend) available << QString::fromStdString(backend->id());
    state(Side::a).target = parseTarget(available.isEmpty() ? kReferenceBackend : available.value(0).toStdString());
    takeComparison();
    if (!catalog.operations().empty()) {
        Pipeline initial;
        const Operation& operation = *catalog.operations().front();
        initial.steps.push_back({&operation, ParameterBlock(operation.parameters()), true});
        pipeline_.setPipeline(std::move(initial));
    }
    connect(&pipeline_, &PipelineModel::pipelineChanged, this, &Session::recompute);
    progressTimer_.setInterval(kProgressInterval);
    connect(&progressTimer_, &QTimer::timeout, this, &Session::pollProgress);
    referenceDelay_.setSingleShot(true);
    referenceDelay_.setInterval(kCheckDelayMilliseconds);
    connect(&referenceDelay_, &QTimer::timeout, this, &Session::checkAgainstReference);
    trimDelay_.setSingleShot(true);
    trimDelay_.setInterval(kTrimDelayMilliseconds);
    connect(&trimDelay_, &QTimer::timeout, this, &Session::releaseSpareMemory);
    previewDelay_.setSingleShot(true);
    previewDelay_.setInterval(kPreviewDelayMilliseconds);
    connect(&previewDelay_, &QTimer::timeout, this, &Session::computePreviews);
    lab_ = std::make_unique<Lab>(*this);
}

Session::~Session() {
    computeQueue_.cancelAll();
    ioQueue_.cancelAll();
    viewQueue_.cancelAll();
}

void Session::submit(JobQueue& queue, const QString& key, const QString& title, std::function<void(const std::stop_token&)> work,
                     std::function<void()> done, std::function<void(ErrorCode, const Message&)> failed, JobQueue::Pace pace) {
    const quint64 number = ++newest_[key];
    titles_[key] = title;
    const bool wasIdle = pending_.isEmpty();
    pending_.insert(key);
    if (wasIdle) {
        progressTimer_.start();
        trimDelay_.stop();
    }
    emit busyChanged();
    auto deliver = [this, key, number](const std::function<void()>& then) {
        if (newest_.value(key) != number) return;  // a newer request is on its way
        pending_.remove(key);
        then();
        finish(key);
    };
    // What is prepared for the view or kept does not count: it runs beside the rest.
    const std::shared_ptr<Progress> progress = &queue == &viewQueue_ || &queue == &keepQueue_ ? nullptr : progress_;
    JobQueue::Job job = [address = inbox_.address(), key, work = std::move(work), done = std::move(done), failed = std::move(failed),
                         deliver, progress](std::stop_token stop) {
        if (progress) progress->start(0);  // not known, until the work says more
        guarded(
            key,
            [&] {
                work(stop);
                address.post([deliver, done] { deliver(done); });
            },
            [&](ErrorCode code, const Message& message) {
                address.post([deliver, failed, code, message] { deliver([&] { failed(code, message); }); });
            });
    };
    queue.submit(key.toStdString(), std::move(job), pace);
}

void Session::finish(const QString&) {
    if (pending_.isEmpty()) {
        progressTimer_.stop();
        trimDelay_.start();
        emit progressChanged(-1, {});
    }
    emit busyChanged();
}

void Session::drop(JobQueue& queue, const QString& key) {
    queue.cancel(key.toStdString());
    ++newest_[key];
    if (pending_.remove(key)) finish(key);
}

void Session::setOriginal(Image image, const QString& name, const FileStamp& stamp) {
    original_ = std::make_shared<const Image>(std::move(image));
    inputName_ = name;
    inputStamp_ = stamp;
    smallOriginal_.reset();
    previews_.clear();
    for (SideState& s : sides_) s = {.target = s.target, .result = {}, .pending = false, .error = {}};
    difference_.reset();
    differenceImage_.reset();
    for (const PaneRole role : kAllPanes) drop(viewQueue_, keyOf(role));
    drop(viewQueue_, QStringLiteral("view difference"));
    pyramids_ = {};
    record_.reset();
    pictures_.reset();
    summary_.reset();
    recordOutdated_ = false;
    showImage(PaneRole::original, original_);
    emit originalChanged();
    emit differenceChanged();
    emit recordChanged();
    for (const PaneRole role : {PaneRole::a, PaneRole::b, PaneRole::difference}) emit pyramidChanged(role);
    recompute();
}

void Session::setTarget(Side side, const QString& label) {
    const Target target = targetOfLabel(label.toStdString());
    if (side == Side::b) choseB_ = true;
    if (target == state(side).target) return;
    state(side).target = target;
    reference_.metrics[static_cast<std::size_t>(side)].reset();
    compute(side);
    // Compared with itself a backend says nothing.
    if (side == Side::a && target.backend == state(Side::b).target.backend && takeComparison()) compute(Side::b);
}

bool Session::takeComparison() {
    if (choseB_) return false;
    SideState& b = state(Side::b);
    const Target target = comparisonTarget(catalog(), pipeline_.pipeline(), original_.get(), state(Side::a).target.backend);
    if (target == b.target) return false;
    b.target = target;
    reference_.metrics[static_cast<std::size_t>(Side::b)].reset();
    return true;
}

void Session::recompute() {
    // While a slider moves, charts that say nothing new are not drawn again and again.
    const bool news = measuring() || (record_ && !recordOutdated_);
    drop(computeQueue_, QStringLiteral("measure"));
    if (record_) recordOutdated_ = true;
    if (news) emit recordChanged();
    reference_ = {};
    emit referenceChanged();
    takeComparison();
    compute(Side::a);
    compute(Side::b);
}

void Session::compute(Side side) {
    referenceDelay_.stop();
    drop(computeQueue_, QStringLiteral("reference"));
    drop(computeQueue_, QStringLiteral("difference"));
    drop(viewQueue_, QStringLiteral("view difference"));
    SideState& s = state(side);
    if (!original_) return emit sideChanged(side);
    if (!pipeline_.pipeline().hasEnabledSteps()) {
        // Nothing switched on: the result is the original, and it says so.
        drop(computeQueue_, keyOf(side));
        s.pending = false;
        s.error.reset();
        auto result = std::make_shared<SideResult>();
        result->image = original_;
        result->target = s.target;
        s.result = std::move(result);
        showImage(roleOf(side), original_);
        emit messageCleared(keyOf(side));
        emit sideChanged(side);
        return compare();
    }
    s.pending = true;
    emit sideChanged(side);
    auto result = std::make_shared<SideResult>();
    submit(
        computeQueue_, keyOf(side), tr("Computing %1 with %2").arg(keyOf(side), QString::fromStdString(s.target.label())),
        [engine = engine_, pipeline = pipeline_.pipeline(), input = original_, target = s.target, progress = progress_, memory = memory_,
         result](const std::stop_token& stop) {
            RunContext context{.stop = stop, .progress = progress.get(), .hostMemory = memory};
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
        },
        [this, side, result] {
            SideState& done = state(side);
            done.pending = false;
            done.error.reset();
            done.result = result;
            showImage(roleOf(side), result->image);
            emit messageCleared(keyOf(side));
            emit sideChanged(side);
            compare();
        },
        [this, side](ErrorCode code, const Message& message) {
            SideState& done = state(side);
            done.pending = false;
            if (code == ErrorCode::cancelled) {
                done.error = Message{Message::Kind::information, tr("Cancelled"), {}, tr("Change a parameter to run again"), keyOf(side)};
            } else {
                done.error = message;
                const auto& other = state(side == Side::a ? Side::b : Side::a).error;
                // Both sides usually fail for the same reason: say it once.
                if (!other || other->plainText() != message.plainText()) emit messageRaised(message);
            }
            forgetDifference();
            emit sideChanged(side);
        });
}

void Session::compare() {
    const SideState &a = side(Side::a), &b = side(Side::b);
    if (a.pending || b.pending || a.error || b.error || !a.result || !b.result) return;
    if (a.result->image->shape() != b.result->image->shape()) return forgetDifference();
    struct Outcome {
        ImagePtr image;
        DifferenceMetrics metrics;
        double range = 0;
    };
    auto outcome = std::make_shared<Outcome>();
    submit(
        computeQueue_, QStringLiteral("difference"), tr("Comparing A and B"),
        [outcome, first = a.result->image, second = b.result->image, band = a.result->borderWidth,
         tolerance = std::max(a.result->tolerance, b.result->tolerance), memory = memory_](const std::stop_token& stop) {
            outcome->metrics =
                compareViews(first->view(), second->view(), {.tolerance = tolerance, .borderWidth = band, .worstCount = kListedPixels});
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            outcome->image = std::make_shared<const Image>(signedDifference(*first, *second, stop, memory));
            outcome->range = typicalRange(*outcome->image);
        },
        [this, outcome] {
            difference_ = outcome->metrics;
            differenceImage_ = outcome->image;
            differenceRange_ = outcome->range;
            shownRelative_ = false;
            showImage(PaneRole::difference, differenceImage_);
            emit differenceChanged();
            referenceDelay_.start();
            if (relativeDifference_) showDifference();
            emit busyChanged();
        },
        [this](ErrorCode code, const Message& message) {
            forgetDifference();
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

void Session::forgetDifference() {
    if (!difference_ && !differenceImage_) return;
    drop(viewQueue_, keyOf(PaneRole::difference));
    drop(viewQueue_, QStringLiteral("view difference"));
    difference_.reset();
    differenceImage_.reset();
    pyramids_[static_cast<std::size_t>(PaneRole::difference)].reset();
    emit pyramidChanged(PaneRole::difference);
    emit differenceChanged();
}

void Session::checkAgainstReference() {
    const SideState &a = side(Side::a), &b = side(Side::b);
    emit busyChanged();
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
    submitCheck(reference_.metrics);
}

void Session::submitCheck(const std::array<std::optional<DifferenceMetrics>, 2>& known) {
    const QString key = QStringLiteral("reference");
    auto check = std::make_shared<ReferenceCheck>(reference_);
    check->metrics = known;
    const std::array<ImagePtr, 2> results{side(Side::a).result->image, side(Side::b).result->image};
    const std::array<Target, 2> targets{side(Side::a).target, side(Side::b).target};
    submit(
        computeQueue_, key, tr("Checking against the reference"),
        [this, key, check, results, targets, engine = engine_, pipeline = pipeline_.pipeline(), input = original_, progress = progress_,
         memory = memory_, several = side(Side::a).result->plan.size() > 1, address = inbox_.address()](const std::stop_token& stop) {
            RunContext context{.stop = stop, .progress = progress.get(), .hostMemory = memory};
            if (!check->metrics[0] && !check->metrics[1]) {
                PreparedRun run = engine.prepare(pipeline, input, Target{.backend = kReferenceBackend}, context);
                run.run(context);
                for (std::size_t i = 0; i < 2; ++i)
                    check->metrics[i] = compareViews(run.output(), results[i]->view(), {.tolerance = check->tolerance});
            }
            for (std::size_t i = 0; i < 2; ++i) {
                if (!several || check->verification(i) != Verification::inconclusive) continue;
                address.post([this, key, i] {
                    titles_[key] = tr("Checking each step of %1 against the reference").arg(keyOf(static_cast<Side>(i)));
                });
                try {
                    check->steps[i] = judgeSteps(engine, pipeline, input, targets[i], results[i]->view(), context);
                } catch (const Error& e) {
                    // Stays inconclusive, as in a benchmark: there is no memory for further runs.
                    if (e.code() == ErrorCode::cancelled) throw;
                }
                if (check->steps[i] && check->steps[i]->verification == Verification::inconclusive) check->steps[i].reset();
            }
        },
        [this, check] {
            reference_ = *check;
            reference_.state = ReferenceCheck::State::known;
            emit referenceChanged();
        },
        [this](ErrorCode code, const Message& message) {
            reference_.state = ReferenceCheck::State::unknown;
            emit referenceChanged();
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

void Session::showImage(PaneRole role, const ImagePtr& image) {
    PyramidPtr& shown = pyramids_[static_cast<std::size_t>(role)];
    shown = std::make_shared<const Pyramid>(image);
    emit pyramidChanged(role);
    auto complete = std::make_shared<PyramidPtr>();
    const Reduction reduction = role == PaneRole::difference ? Reduction::strongest : Reduction::mean;
    submit(
        viewQueue_, keyOf(role), tr("Preparing the view"),
        [complete, image, reduction, memory = memory_](const std::stop_token& stop) {
            *complete = std::make_shared<const Pyramid>(image, reduction, stop, memory);
        },
        [this, role, complete] {
            pyramids_[static_cast<std::size_t>(role)] = *complete;
            emit pyramidChanged(role);
        },
        // Without the small levels the view is only less smooth: no reason to bother anybody.
        [](ErrorCode, const Message&) {});
}

void Session::cancel() {
    bool any = referenceDelay_.isActive();
    referenceDelay_.stop();
    computeQueue_.cancelAll();
    QStringList keys, saves;
    for (const QString& key : std::as_const(pending_)) {
        if (key.startsWith(QLatin1String("view")) || key.startsWith(Lab::kKeep)) continue;
        (isSave(key) ? saves : keys) << key;
    }
    // Who stops a computation does not want to lose what is being saved: that takes another Esc.
    QStringList lost;
    if (keys.isEmpty() && !any) {
        for (const QString& key : std::as_const(saves)) lost << titles_.value(key);
        keys = saves;
    }
    const bool comparing = pending_.contains(QStringLiteral("difference"));
    for (const QString& key : std::as_const(keys)) {
        ioQueue_.cancel(key.toStdString());
        ++newest_[key];
        pending_.remove(key);
        any = true;
    }
    for (const Side which : {Side::a, Side::b}) {
        SideState& s = state(which);
        if (!s.pending) continue;
        s.pending = false;
        s.error = Message{Message::Kind::information, tr("Cancelled"), {}, tr("Change a parameter to run again"), keyOf(which)};
        forgetDifference();
        emit sideChanged(which);
    }
    if (comparing) forgetDifference();
    if (reference_.state == ReferenceCheck::State::pending) {
        reference_.state = ReferenceCheck::State::unknown;
        emit referenceChanged();
    }
    finish({});
    if (any)
        emit messageRaised({Message::Kind::information, tr("Cancelled"), lost.join(QLatin1String(", ")), {}, QStringLiteral("cancel")});
}

void Session::pollProgress() {
    for (const QString& key : pending_)
        if (isSave(key)) return emit progressChanged(progress_->fraction(), titles_.value(key));
    for (const char* key : {"load", "A", "B", "measure", "roofs", "report", "reference", "difference"}) {
        const QString name = QLatin1String(key);
        if (pending_.contains(name)) return emit progressChanged(progress_->fraction(), titles_.value(name));
    }
    emit progressChanged(-1, {});
}

ImagePtr Session::imageOf(PaneRole role) const {
    switch (role) {
        case PaneRole::original: return original_;
        case PaneRole::a: return side(Side::a).result ? side(Side::a).result->image : nullptr;
        case PaneRole::b: return side(Side::b).result ? side(Side::b).result->image : nullptr;
        case PaneRole::difference: return differenceImage_;
    }
    return nullptr;
}

}  // namespace parallax::ui
