// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/tasks.hpp"

#include <algorithm>

namespace parallax::ui {
namespace {

constexpr int kProgressInterval = 100;  // milliseconds
// While both processors of a small machine compute, the window has priority. Longest wait of an event while a slider moves, 95 % of
// moves: 14 to 17 ms at the niceness of the window, 14 to 15 with 4, 11 to 13 with 9. More would let other programs starve the work.
constexpr int kNiceness = 9;

}  // namespace

std::size_t qHash(const TaskId& id, std::size_t seed) { return qHashMulti(seed, static_cast<int>(id.kind), id.item); }

QString sourceOf(const TaskId& id) {
    static constexpr const char* names[] = {
        "",          "difference", "reference",        "metrics",      "regions",   "measure",    "ceilings", "kernel times",
        "load",      "input",      "recipe",           "session file", "report",    "save",       "history",  "kernel",
        "sanitizer", "pyramid",    "shown difference", "histogram",    "selection", "non-finite", "previews", "roofline",
        "baseline",  "keep"};
    static_assert(std::size(names) == static_cast<std::size_t>(TaskKind::keep) + 1);
    if (id.kind == TaskKind::compute) return id.item;  // "A"
    const QString name = QLatin1String(names[static_cast<std::size_t>(id.kind)]);
    return id.item.isEmpty() ? name : name + QLatin1Char(' ') + id.item;
}

Tasks::Tasks() {
    for (const Queue q : {Queue::compute, Queue::files, Queue::display, Queue::keep})
        queues_[static_cast<std::size_t>(q)] = std::make_unique<JobQueue>(q == Queue::keep ? 0 : kNiceness);
    progressTimer_.setInterval(kProgressInterval);
    connect(&progressTimer_, &QTimer::timeout, this, &Tasks::pollProgress);
}

void Tasks::shutDown() {
    for (const auto& each : queues_)
        if (each) each->cancelAll();
    for (auto& each : queues_) each.reset();
}

Tasks::Queue Tasks::queueOf(TaskKind kind) {
    if (kind == TaskKind::keep) return Queue::keep;
    return kind >= TaskKind::pyramid ? Queue::display : kind >= TaskKind::load ? Queue::files : Queue::compute;
}

void Tasks::enqueue(const TaskId& id, const QString& title, std::function<void(const std::stop_token&)> work, Deliver done, Fail failed) {
    if (!failed) failed = [this](ErrorCode code, const Message& message) { raise(code, message); };
    const quint64 number = ++newest_[id];
    titles_[id] = title;
    if (pending_.isEmpty()) progressTimer_.start();
    pending_.insert(id);
    emit busyChanged();
    auto deliver = [this, id, number](const Deliver& then) {
        if (newest_.value(id) != number) return;  // replaced or dropped
        pending_.remove(id);
        then();
        announce();
    };
    const Queue target = queueOf(id.kind);
    const std::shared_ptr<Progress> progress = target == Queue::display || target == Queue::keep ? nullptr : progress_;
    JobQueue::Job job = [address = inbox_.address(), source = sourceOf(id), work = std::move(work), done = std::move(done),
                         failed = std::move(failed), deliver, progress](std::stop_token stop) {
        if (progress) progress->start(0);  // unknown until the work says more
        guarded(
            source,
            [&] {
                work(stop);
                address.post([deliver, done] { deliver(done); });
            },
            [&](ErrorCode code, const Message& message) {
                address.post([deliver, failed, code, message] { deliver([&] { failed(code, message); }); });
            });
    };
    const bool timed = id.kind == TaskKind::measure || id.kind == TaskKind::ceilings || id.kind == TaskKind::kernelTimes;
    queue(id.kind).submit(sourceOf(id).toStdString(), std::move(job), timed ? JobQueue::Pace::asProcess : JobQueue::Pace::nice);
}

void Tasks::drop(const TaskId& id) {
    queue(id.kind).cancel(sourceOf(id).toStdString());
    ++newest_[id];
    if (pending_.remove(id)) announce();
}

std::function<void(Tasks::Deliver)> Tasks::updatesOfNext(const TaskId& id) {
    return [this, id, number = newest_.value(id) + 1, address = inbox_.address()](Deliver deliver) {
        address.post([this, id, number, deliver = std::move(deliver)] {
            if (newest_.value(id) == number && pending(id)) deliver();
        });
    };
}

bool Tasks::anyPending(std::initializer_list<TaskKind> kinds) const {
    return std::any_of(pending_.begin(), pending_.end(),
                       [&](const TaskId& id) { return std::find(kinds.begin(), kinds.end(), id.kind) != kinds.end(); });
}

Tasks::Cancelled Tasks::cancel(bool spareSaves) {
    queue(TaskKind::compute).cancelAll();
    QList<TaskId> work, saves;
    for (const TaskId& id : std::as_const(pending_)) {
        const Queue q = queueOf(id.kind);
        if (q == Queue::compute || q == Queue::files) (id.kind == TaskKind::save ? saves : work) << id;
    }
    Cancelled cancelled;
    // Users who stop a computation want to keep what is being saved: that takes another cancel.
    if (work.isEmpty() && !spareSaves) {
        for (const TaskId& id : std::as_const(saves)) cancelled.savesLost << titles_.value(id);
        work = saves;
    }
    for (const TaskId& id : std::as_const(work)) {
        queue(id.kind).cancel(sourceOf(id).toStdString());
        ++newest_[id];
        pending_.remove(id);
    }
    cancelled.any = !work.isEmpty();
    return cancelled;
}

void Tasks::announce() {
    if (pending_.isEmpty()) {
        progressTimer_.stop();
        emit progressChanged(-1, {});
    }
    emit busyChanged();
}

void Tasks::pollProgress() {
    // Pending work in the order of importance to the user.
    static constexpr std::array kOrder{TaskKind::save,     TaskKind::load,   TaskKind::paneInput, TaskKind::compute,    TaskKind::measure,
                                       TaskKind::ceilings, TaskKind::report, TaskKind::reference, TaskKind::difference, TaskKind::metrics};
    for (const TaskKind kind : kOrder) {
        QList<TaskId> shown;
        for (const TaskId& id : std::as_const(pending_))
            if (id.kind == kind) shown << id;
        if (shown.isEmpty()) continue;
        const auto first = std::min_element(shown.begin(), shown.end(), [](const TaskId& a, const TaskId& b) { return a.item < b.item; });
        return emit progressChanged(progress_->fraction(), titles_.value(*first));
    }
    emit progressChanged(-1, {});
}

}  // namespace parallax::ui
