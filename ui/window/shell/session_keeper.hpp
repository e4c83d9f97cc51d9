// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the session on disk while the window is open, and finds the one that a crashed run left behind.
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
/// both.
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
    /// The session of the newest crashed run. No other window is offered the same.
    const std::optional<KeptSession>& left() const { return left_; }
    /// Discards it.
    void forgetLeft();
    /// The file of this run.
    QString path() const { return path_; }

private:
    void claimLeft(const Catalog& catalog, const QString& folder);
    void write();

    Source source_;
    QString path_, leftPath_;
    std::unique_ptr<QLockFile> lock_, leftLock_;
    std::optional<KeptSession> left_;
    QByteArray written_;
    QTimer delay_;
    std::unique_ptr<JobQueue> queue_;
};

}  // namespace parallax::ui
