// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/recent_files.hpp"

#include <algorithm>

#include "ui/models/document/file_stamp.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"

namespace parallax::ui {
namespace {

const QString kKey = QStringLiteral("open/recent");

}  // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent) {
    for (const QString& path : Settings::instance().remembered(kKey).toStringList()) files_.append({path, {}});
    refresh();
    connect(&Settings::instance(), &Settings::changed, this, [this] {
        if (!files_.isEmpty() && !Settings::instance().keepsRecentFiles()) clear();
    });
}

void RecentFiles::add(const QString& path) {
    if (!remembering_ || !Settings::instance().keepsRecentFiles()) return;
    const QString absolute = lastingInput(path);
    // A raw file is listed once, with its newest description.
    files_.removeIf([&](const RecentFile& file) { return fileOf(file.path) == fileOf(absolute); });
    files_.prepend({absolute, {}});
    while (files_.size() > kKept) files_.removeLast();
    store();
}

void RecentFiles::clear() {
    files_.clear();
    store();
}

void RecentFiles::refresh() {
    QStringList paths;
    for (const RecentFile& file : files_) paths << pathOnDisk(file.path);
    if (paths.isEmpty()) return;
    const auto find = [paths](const std::stop_token&) {
        QList<FileStamp> stamps;
        for (const QString& path : paths) stamps << stampOf(path);
        return stamps;
    };
    background_.request("recent", find, [this, paths](const QList<FileStamp>& stamps) {
        bool modified = false;
        for (RecentFile& file : files_) {
            const qsizetype i = paths.indexOf(pathOnDisk(file.path));
            if (i < 0) continue;
            const QString problem = !stamps[i].exists ? tr("not found") : !stamps[i].readable ? tr("no permission to read") : QString();
            modified = modified || problem != file.problem;
            file.problem = problem;
        }
        if (modified) emit changed();
    });
}

void RecentFiles::setRemembering(bool on) {
    remembering_ = on;
    if (on) return;
    files_.clear();
    emit changed();
}

void RecentFiles::store() {
    QStringList paths;
    for (const RecentFile& file : files_) paths << file.path;
    if (remembering_) Settings::instance().remember(kKey, paths);
    emit changed();
}

}  // namespace parallax::ui
