// SPDX-License-Identifier: GPL-3.0-or-later
// The recent files, kept between sessions. Missing ones stay listed with the reason. While patient data are hidden, inputs that may be
// DICOM by their name are neither listed nor stored.
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include "ui/session/background.hpp"

namespace parallax::ui {

struct RecentFile {
    QString path;     ///< or "raw:ENTRIES:FILE"
    QString problem;  ///< why it cannot be opened; empty: it can
    bool pinned = false;
};

class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr int kKept = 10;  ///< besides the pinned files
    explicit RecentFiles(QObject* parent = nullptr);

    /// Pinned files first, in the order in which they were pinned; then the others, newest first.
    const QList<RecentFile>& files() const { return files_; }
    bool isPinned(const QString& path) const;
    /// May this file be listed, by its name and the settings?
    bool accepts(const QString& path) const;
    /// Puts a file at the top of the unpinned ones. A pinned file keeps its place.
    void add(const QString& path);
    /// Pins a file, listed or not, or unpins it and puts it at the top of the unpinned ones.
    void setPinned(const QString& path, bool pinned);
    void remove(const QString& path);
    /// Removes all files that are not pinned.
    void clear();
    /// Checks in the background which files exist; emits changed() if that differs.
    void refresh();
    /// Off for screenshots and tests.
    void setRemembering(bool on);

signals:
    void changed();

private:
    qsizetype pinnedCount() const;
    void insert(const RecentFile& file);
    /// Removes what the settings do not allow; returns whether there was any.
    bool removeRefused();
    void store();

    QList<RecentFile> files_;
    bool remembering_ = true;
    Background background_;
};

}  // namespace parallax::ui
