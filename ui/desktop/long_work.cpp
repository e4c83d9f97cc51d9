// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/long_work.hpp"

#include <QApplication>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/report/record/summary.hpp"
#include "ui/desktop/notification.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/lab.hpp"

namespace parallax::ui {

QString verdictOf(const TimingSummary& summary) {
    const SummaryRow *baseline = nullptr, *fastest = nullptr;
    bool slower = false;
    for (const SummaryRow& row : summary.rows) {
        if (row.verification == Verification::disagrees)
            return LongWork::tr("%1 disagrees with the reference").arg(QString::fromStdString(row.label));
        if (row.isBaseline) baseline = &row;
        if (!row.computeSpeedup) continue;
        const Speedup& speedup = *row.computeSpeedup;
        slower = slower || speedup.verdict == Verdict::slower;
        if (speedup.verdict == Verdict::faster && (!fastest || speedup.ratio > fastest->computeSpeedup->ratio)) fastest = &row;
    }
    if (!baseline) return {};
    const QString first = QString::fromStdString(baseline->label);
    if (fastest)
        return LongWork::tr("%1 is %2 faster than %3")
            .arg(QString::fromStdString(fastest->label), formatFactor(fastest->computeSpeedup->ratio), first);
    return slower ? LongWork::tr("No backend is faster than %1").arg(first) : LongWork::tr("No difference from %1 can be shown").arg(first);
}

LongWork::LongWork(Session& session, std::chrono::milliseconds longTime, QObject* parent)
    : QObject(parent), session_(session), longTime_(longTime) {
    becomesLong_.setSingleShot(true);
    becomesLong_.setInterval(longTime);
    connect(&becomesLong_, &QTimer::timeout, this, [this] { block_ = std::make_unique<SuspendBlock>(tr("Measuring or computing")); });
    over_.setSingleShot(true);
    over_.setInterval(kBreak);
    connect(&over_, &QTimer::timeout, this, &LongWork::finish);
    connect(&session, &Session::busyChanged, this, &LongWork::follow);
    connect(&session.lab(), &Lab::sweepChanged, this, &LongWork::follow);
    connect(&session.tasks(), &Tasks::messageRaised, this, &LongWork::notice);
    const auto count = [this](Kind kind, bool failed) {
        std::optional<Run>& run = runOf(kind);
        if (!run) return;
        ++run->done;
        run->failed = run->failed || failed;
    };
    connect(&session.benchmark(), &Benchmark::measured, this, [count] { count(Kind::benchmark, false); });
    connect(&session.saver(), &FileSaver::saved, this, [count] { count(Kind::save, false); });
    connect(&session.saver(), &FileSaver::failed, this, [count] { count(Kind::save, true); });
}

LongWork::~LongWork() = default;

bool LongWork::running(Kind kind) const {
    using enum TaskKind;
    const Lab& lab = session_.lab();
    const Tasks& tasks = session_.tasks();
    switch (kind) {
        case Kind::benchmark: return session_.measuring() && !lab.sweeping();
        case Kind::sweep: return lab.sweeping();
        case Kind::ceilings: return lab.measuringCeilings();
        case Kind::save: return tasks.saving();
        case Kind::computation: break;
    }
    // Between results the comparison may only wait for its next check.
    return session_.comparison().waiting() || tasks.anyPending({load, paneInput, compute, difference, reference, metrics, regions});
}

bool LongWork::following() const {
    return std::any_of(runs_.begin(), runs_.end(), [](const std::optional<Run>& run) { return run.has_value(); });
}

void LongWork::follow() {
    bool any = false;
    for (const Kind kind : kAllKinds) {
        std::optional<Run>& run = runOf(kind);
        if (running(kind)) {
            any = true;
            if (!run) run.emplace().time.start();
            run->length.reset();
        } else if (run && !run->length) {
            run->length = run->time.elapsed();
            over_.start();
        }
    }
    if (any && !block_ && !becomesLong_.isActive()) becomesLong_.start();
}

void LongWork::finish() {
    for (const Kind kind : kAllKinds) {
        std::optional<Run>& run = runOf(kind);
        if (!run || !run->length) continue;
        const Run ended = *std::exchange(run, {});
        const bool seen = QApplication::activeWindow() != nullptr;
        if (seen || *ended.length < longTime_.count() || !Settings::instance().notifies()) continue;
        if (const std::optional<Text> text = textOf(kind, ended)) notifyDesktop(text->title, text->text);
    }
    if (following()) return;
    becomesLong_.stop();
    block_.reset();
}

void LongWork::notice(const Message& message) {
    if (message.kind != Message::Kind::error) return;
    const auto isAbout = [&](TaskKind kind) { return message.source == sourceOf({kind}); };
    for (const Kind kind : {Kind::benchmark, Kind::sweep})
        if (runOf(kind) && isAbout(TaskKind::measure)) runOf(kind)->failed = true;
    if (runOf(Kind::ceilings) && isAbout(TaskKind::ceilings)) runOf(Kind::ceilings)->failed = true;
    if (runOf(Kind::computation) && isAbout(TaskKind::load)) runOf(Kind::computation)->failed = true;
}

std::optional<LongWork::Text> LongWork::textOf(Kind kind, const Run& run) const {
    switch (kind) {
        case Kind::benchmark:
            if (run.failed) return Text{tr("Benchmark failed"), tr("The window shows the error")};
            if (run.done == 0) return {};
            return Text{tr("Benchmark finished"), session_.benchmark().summary() ? verdictOf(*session_.benchmark().summary()) : QString()};
        case Kind::sweep: return sweepText(run);
        case Kind::ceilings:
            if (run.failed) return Text{tr("Measuring the ceilings failed"), tr("The window shows the error")};
            return Text{tr("Ceilings measured"), {}};
        case Kind::save:
            if (run.failed) return Text{tr("Saving failed"), tr("The window shows the error")};
            if (run.done == 0) return {};
            return Text{tr("Saving finished"), tr("Files saved: %1").arg(run.done)};
        case Kind::computation: break;
    }
    if (run.failed) return Text{tr("Opening failed"), tr("The window shows the error")};
    const std::vector<Side> sides = session_.sides();
    if (std::any_of(sides.begin(), sides.end(), [this](Side side) { return session_.side(side).error.has_value(); }))
        return Text{tr("Computation failed"), tr("The window shows the error")};
    return Text{tr("Computation finished"), {}};
}

std::optional<LongWork::Text> LongWork::sweepText(const Run& run) const {
    const QString& stopped = session_.lab().sweepState();
    if (run.failed) return Text{tr("Sweep failed"), stopped};
    if (!stopped.isEmpty()) return {};
    return Text{tr("Sweep finished"), tr("All points are measured")};
}

}  // namespace parallax::ui
