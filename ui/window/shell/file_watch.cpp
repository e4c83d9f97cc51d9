// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/file_watch.hpp"

namespace parallax::ui {

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    timer_.setSingleShot(true);
    timer_.setInterval(kLookInterval);
    connect(&timer_, &QTimer::timeout, this, &FileWatch::look);
    // Many programs write a new file and rename it: the folder signals that, and the file must be watched again.
    const auto startTimer = [this] {
        if (!timer_.isActive()) timer_.start();
    };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, startTimer);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, startTimer);
}

void FileWatch::watch(const QString& path, const FileStamp& loaded) {
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
    if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
    timer_.stop();
    path_ = path;
    known_ = last_ = loaded;
    if (path.isEmpty()) return;
    watcher_.addPath(path);
    watcher_.addPath(QFileInfo(path).absolutePath());
    // It may have been changed while it was read.
    timer_.start();
}

void FileWatch::look() {
    if (path_.isEmpty()) return;
    const auto compare = [this, path = path_](const FileStamp& now) {
        if (path != path_) return;
        const bool steady = now == last_;
        last_ = now;
        if (!now.exists) return;  // the folder signals when it is back
        if (!watcher_.files().contains(path_)) watcher_.addPath(path_);
        if (now == known_) return;
        if (!steady) return timer_.start();
        known_ = now;
        emit changed(path_);
    };
    background_.request(
        "watch", [path = path_](const std::stop_token&) { return stampOf(path); }, compare);
}

}  // namespace parallax::ui
