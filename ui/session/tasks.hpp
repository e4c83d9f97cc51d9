// SPDX-License-Identifier: GPL-3.0-or-later
// The running work of a session: queues and threads, what is pending, progress, cancelling, and the messages about it.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <type_traits>

#include "core/engine/run/job_queue.hpp"
#include "core/engine/run/progress.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

enum class TaskKind {
    // Results, one after another.
    compute,
    difference,
    reference,
    metrics,
    regions,
    measure,
    ceilings,
    kernelTimes,
    // Files, beside the computation.
    load,
    paneInput,
    recipe,
    session,
    report,
    save,
    history,
    kernel,
    sanitizer,
    // Data for the display. Cancelling leaves them alone.
    pyramid,
    shownDifference,
    histogram,
    selection,
    nonFinite,
    previews,
    roofline,
    baseline,
    // Finished measurements on their way into the history. Never cancelled.
    keep
};

/// A newer task with the same id replaces an older one.
struct TaskId {
    TaskKind kind;
    QString item =
        {};  ///< letter of a computed pane, input, file or kernel, pane of a pyramid, number of a measurement to keep; else empty
    friend bool operator==(const TaskId&, const TaskId&) = default;
};
std::size_t qHash(const TaskId& id, std::size_t seed = 0);
/// The source of messages about a task: "load", "A", "save FILE" ...
QString sourceOf(const TaskId& id);

class Tasks : public QObject {
    Q_OBJECT
public:
    using Deliver = std::function<void()>;
    using Fail = std::function<void(ErrorCode, const Message&)>;

    Tasks();
    /// Stops and joins all threads. Call it before what running work uses is destroyed.
    void shutDown();

    /// Runs work(stop) in the background, then in the GUI thread `done` with its result, if it has one, or `failed`, unless the task is
    /// replaced or dropped before. Without `failed` a failure is raised as a message.
    template <class Work, class Done>
    void submit(const TaskId& id, const QString& title, Work work, Done done, Fail failed = {}) {
        using Result = std::invoke_result_t<Work&, const std::stop_token&>;
        if constexpr (std::is_void_v<Result>) {
            enqueue(id, title, std::move(work), std::move(done), std::move(failed));
        } else {
            auto result = std::make_shared<std::optional<Result>>();
            enqueue(
                id, title, [result, work = std::move(work)](const std::stop_token& stop) mutable { result->emplace(work(stop)); },
                [result, done = std::move(done)] { done(std::move(**result)); }, std::move(failed));
        }
    }
    static void ignore(ErrorCode, const Message&) {}
    /// Cancels a task; neither of its functions is called.
    void drop(const TaskId& id);
    /// Returns a function for the work of the next task with this id. From any thread, it delivers an intermediate result to the GUI
    /// thread as long as that task is pending.
    std::function<void(Deliver)> updatesOfNext(const TaskId& id);
    void setTitle(const TaskId& id, const QString& title) { titles_[id] = title; }

    bool pending(const TaskId& id) const { return pending_.contains(id); }
    bool anyPending(std::initializer_list<TaskKind> kinds) const;
    bool saving() const { return anyPending({TaskKind::save}); }
    bool idle() const { return pending_.isEmpty(); }
    /// The progress of the work that submit() runs; work for the display and the history has none.
    const std::shared_ptr<Progress>& progress() const { return progress_; }

    struct Cancelled {
        bool any = false;
        QStringList savesLost;  ///< titles
    };
    /// Cancels results, measurements and files that are read. Cancels saves only if there is nothing else, and not with `spareSaves`.
    /// Call announce() when everything is consistent again.
    Cancelled cancel(bool spareSaves);
    void announce();

    void raise(const Message& message) { emit messageRaised(message); }
    /// Raises the message of a failed task, unless it was cancelled.
    void raise(ErrorCode code, const Message& message) {
        if (code != ErrorCode::cancelled) raise(message);
    }
    void clear(const QString& source) { emit messageCleared(source); }

signals:
    void busyChanged();
    /// fraction < 0: unknown.
    void progressChanged(double fraction, const QString& text);
    void messageRaised(const parallax::ui::Message& message);
    void messageCleared(const QString& source);

private:
    void enqueue(const TaskId& id, const QString& title, std::function<void(const std::stop_token&)> work, Deliver done, Fail failed);
    enum class Queue { compute, files, display, keep };
    static constexpr std::size_t kQueues = 4;
    static Queue queueOf(TaskKind kind);
    JobQueue& queue(TaskKind kind) { return *queues_[static_cast<std::size_t>(queueOf(kind))]; }
    void pollProgress();

    QSet<TaskId> pending_;
    QHash<TaskId, quint64> newest_;
    QHash<TaskId, QString> titles_;
    std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
    QTimer progressTimer_;
    Inbox inbox_;
    std::array<std::unique_ptr<JobQueue>, kQueues> queues_;  // last: their threads end before what they use is destroyed
};

}  // namespace parallax::ui
