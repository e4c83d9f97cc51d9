// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recent/recent_files.hpp"

#include <algorithm>

#include "ui/models/document/file_stamp.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/medical_names.hpp"

namespace parallax::ui {
namespace {

const QString kKey = QStringLiteral("open/recent"), kPinnedKey = QStringLiteral("open/pinned");

/// A raw file is listed once, with its newest description.
bool sameFile(const QString& a, const QString& b) { return fileOf(a) == fileOf(b); }

}  // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent) {
    const Settings& settings = Settings::instance();
    for (const QString& path : settings.remembered(kPinnedKey).toStringList()) files_.append({path, {}, true});
    for (const QString& path : settings.remembered(kKey).toStringList()) files_.append({path, {}, false});
    if (removeRefused()) store();
    refresh();
    connect(&Settings::instance(), &Settings::changed, this, [this] {
        if (removeRefused()) store();
    });
}

bool RecentFiles::accepts(const QString& path) const {
    const Settings& settings = Settings::instance();
    return settings.keepsRecentFiles() && !(settings.hidesPatientData() && mayBeDicom(path));
}

bool RecentFiles::removeRefused() {
    return files_.removeIf([this](const RecentFile& file) { return !accepts(file.path); }) > 0;
}

bool RecentFiles::isPinned(const QString& path) const {
    const QString absolute = lastingInput(path);
    return std::any_of(files_.begin(), files_.end(), [&](const RecentFile& file) { return file.pinned && sameFile(file.path, absolute); });
}

qsizetype RecentFiles::pinnedCount() const {
    return std::count_if(files_.begin(), files_.end(), [](const RecentFile& file) { return file.pinned; });
}

void RecentFiles::insert(const RecentFile& file) {
    if (!remembering_ || !accepts(file.path)) return;
    const QList<RecentFile> before = files_;
    const auto same = [&](const RecentFile& listed) { return sameFile(listed.path, file.path); };
    const auto found = std::find_if(files_.begin(), files_.end(), same);
    if (found != files_.end() && found->pinned && file.pinned) {
        *found = file;
    } else {
        files_.removeIf(same);
        files_.insert(pinnedCount(), file);  // last of the pinned ones, or first of the others
    }
    while (files_.size() - pinnedCount() > kKept) files_.removeLast();
    // Nothing is written for each volume of a series that plays.
    const auto unchanged = [](const RecentFile& a, const RecentFile& b) {
        return a.path == b.path && a.problem == b.problem && a.pinned == b.pinned;
    };
    if (!std::equal(before.begin(), before.end(), files_.begin(), files_.end(), unchanged)) store();
}

void RecentFiles::add(const QString& path) { insert({lastingInput(path), {}, isPinned(path)}); }

void RecentFiles::setPinned(const QString& path, bool pinned) { insert({lastingInput(path), {}, pinned}); }

void RecentFiles::remove(const QString& path) {
    const QString absolute = lastingInput(path);
    if (files_.removeIf([&](const RecentFile& file) { return sameFile(file.path, absolute); }) > 0) store();
}

void RecentFiles::clear() {
    files_.removeIf([](const RecentFile& file) { return !file.pinned; });
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
    if (remembering_) {
        QStringList pinned, others;
        for (const RecentFile& file : files_) (file.pinned ? pinned : others) << file.path;
        Settings::instance().remember(kPinnedKey, pinned);
        Settings::instance().remember(kKey, others);
    }
    emit changed();
}

}  // namespace parallax::ui
