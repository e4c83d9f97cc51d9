// SPDX-License-Identifier: GPL-3.0-or-later
// Size and time of a file, to notice that it has changed.
#pragma once

#include <QDateTime>
#include <QFileInfo>

namespace parallax::ui {

struct FileStamp {
    bool exists = false, readable = false;
    qint64 size = -1;
    QDateTime modified;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Reads the stamp of a file. May block: not for the GUI thread.
inline FileStamp stampOf(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists()) return {};
    return {true, info.isReadable(), info.size(), info.lastModified()};
}

}  // namespace parallax::ui
