// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a session on disk while the window is open, and finds one that a run left behind which ended badly.
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

/// Each run has a file of its own in the folder and a lock beside it, which the system can tell from one whose owner is gone.
/// A clean end removes both.
class SessionKeeper : public QObject {
    Q_OBJECT
public:
    /// Empty content: there is nothing to keep.
    using Source = std::function<QByteArray()>;

    SessionKeeper(const Catalog& catalog, const QString& folder, Source source, QObject* parent = nullptr);
    /// The clean end.
    ~SessionKeeper() override;

    /// $XDG_STATE_HOME/parallax/sessions.
    static QString defaultFolder();

    /// What has changed is written soon: once a second at most, in a thread of its own.
    void touch();
    /// What the newest run that ended badly has left. No other window is offered the same.
    const std::optional<KeptSession>& left() const { return left_; }
    /// It has been restored or is not wanted any more.
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
