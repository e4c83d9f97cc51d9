// SPDX-License-Identifier: GPL-3.0-or-later
// The files that were open lately, kept between sessions; what is gone stays listed with the reason.
#pragma once

#include <QObject>
#include <QStringList>

#include "ui/session/file_checker.hpp"

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
    /// Puts a file first.
    void add(const QString& path);
    void clear();
    /// Looks which files are still there; changed() follows if that is new.
    void refresh();
    /// Off for windows that no person uses: their files are nobody's memory.
    void setRemembering(bool on);

signals:
    void changed();

private:
    void store();

    QList<RecentFile> files_;
    bool remembering_ = true;
    FileChecker checker_;
};

}  // namespace parallax::ui
