// SPDX-License-Identifier: GPL-3.0-or-later
// The recent files, kept between sessions. Missing ones stay listed with the reason.
#pragma once

#include <QObject>
#include <QStringList>

#include "ui/session/background.hpp"

namespace parallax::ui {

struct RecentFile {
    QString path;     ///< or "raw:ENTRIES:FILE"
    QString problem;  ///< why it cannot be opened; empty: it can
};

class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr int kKept = 10;
    explicit RecentFiles(QObject* parent = nullptr);

    const QList<RecentFile>& files() const { return files_; }
    /// Puts a file at the top.
    void add(const QString& path);
    void clear();
    /// Checks in the background which files exist; emits changed() if that differs.
    void refresh();
    /// Off for screenshots and tests.
    void setRemembering(bool on);

signals:
    void changed();

private:
    void store();

    QList<RecentFile> files_;
    bool remembering_ = true;
    Background background_;
};

}  // namespace parallax::ui
