// SPDX-License-Identifier: GPL-3.0-or-later
// Examines files in a thread of its own: a slow network drive must not block the window.
#pragma once

#include <QStringList>

#include "core/engine/run/job_queue.hpp"
#include "ui/models/document/file_stamp.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

class FileChecker {
public:
    /// Calls `done` in the GUI thread, unless a newer request of the same key arrives first.
    void inspect(const QString& key, const QStringList& paths, std::function<void(const QList<FileStamp>&)> done) {
        queue_.submit(key.toStdString(), [address = inbox_.address(), paths, done = std::move(done)](const std::stop_token& stop) {
            QList<FileStamp> stamps;
            for (const QString& path : paths) stamps << stampOf(path);
            if (!stop.stop_requested()) address.post([done, stamps] { done(stamps); });
        });
    }

private:
    Inbox inbox_;
    JobQueue queue_;  // last: its thread ends before the inbox is destroyed
};

}  // namespace parallax::ui
