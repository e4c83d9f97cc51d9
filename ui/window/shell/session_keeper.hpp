// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the session on disk while the window is open and after it is closed, and finds what an earlier run left there.
#pragma once

#include <QByteArray>
#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "core/engine/run/job_queue.hpp"
#include "ui/models/document/kept_session.hpp"

namespace parallax::ui {

/// Each run has its own file in the folder and a lock file beside it; a lock whose process is gone marks a crash. A clean exit removes
/// both. keepLast() writes the session of the window that was closed last to a file of its own.
class SessionKeeper : public QObject {
    Q_OBJECT
public:
    /// Returns the content to keep; empty: nothing.
    using Source = std::function<QByteArray()>;

    SessionKeeper(const Catalog& catalog, const QString& folder, Source source, QObject* parent = nullptr);
    /// A clean exit: removes the file.
    ~SessionKeeper() override;

    /// $XDG_STATE_HOME/parallax/sessions.
    static QString defaultFolder();

    /// Schedules a write, at most one a second, in a thread of its own.
    void touch();
    /// Keeps the session for the next start, at a normal end. Without one, that of a crashed run which was not restored, if any.
    void keepLast();
    /// The session of the newest crashed run, else that of the last normal end. No other window is offered the same crashed run.
    const std::optional<KeptSession>& left() const { return left_; }
    bool leftByCrash() const { return leftLock_ != nullptr; }
    /// Discards it; the session of a normal end stays on disk until the next one.
    void forgetLeft();
    /// The file of this run.
    QString path() const { return path_; }

private:
    void claimLeft(const Catalog& catalog, const QString& folder);
    void write();

    Source source_;
    QString path_, leftPath_, lastPath_;
    std::unique_ptr<QLockFile> lock_, leftLock_;
    std::optional<KeptSession> left_;
    QByteArray written_;
    QTimer delay_;
    std::unique_ptr<JobQueue> queue_;
};

}  // namespace parallax::ui
