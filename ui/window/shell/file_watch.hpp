// SPDX-License-Identifier: GPL-3.0-or-later
// Signals when the open file has changed and is completely written.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "ui/models/document/file_stamp.hpp"
#include "ui/session/background.hpp"

namespace parallax::ui {

class FileWatch : public QObject {
    Q_OBJECT
public:
    /// Milliseconds. A file counts as complete when two checks in a row find it unchanged.
    static constexpr int kLookInterval = 400;

    explicit FileWatch(QObject* parent = nullptr);
    /// `loaded`: the file's state before it was read. An empty path watches nothing.
    void watch(const QString& path, const FileStamp& loaded);

signals:
    /// Emitted once for each new state of the file, but not when it disappears: it may be about to be replaced.
    void changed(const QString& path);

private:
    void look();

    QString path_;
    FileStamp known_, last_;
    QFileSystemWatcher watcher_;
    QTimer timer_;
    Background background_;
};

}  // namespace parallax::ui
