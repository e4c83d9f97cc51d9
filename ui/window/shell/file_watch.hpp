// SPDX-License-Identifier: GPL-3.0-or-later
// Tells when the open file has changed and is written in full.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "ui/session/file_checker.hpp"

namespace parallax::ui {

class FileWatch : public QObject {
    Q_OBJECT
public:
    /// A file has to stay as it is for two looks in a row before it counts as complete.
    static constexpr int kLookInterval = 400;

    explicit FileWatch(QObject* parent = nullptr);
    /// `loaded`: as it was before it was read. An empty path watches nothing.
    void watch(const QString& path, const FileStamp& loaded);

signals:
    /// Once for each new state of the file. A file that is gone is no news: it may be on its way back.
    void changed(const QString& path);

private:
    void look();

    QString path_;
    FileStamp known_, last_;
    QFileSystemWatcher watcher_;
    QTimer timer_;
    FileChecker checker_;
};

}  // namespace parallax::ui
