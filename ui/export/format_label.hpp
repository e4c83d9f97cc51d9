// SPDX-License-Identifier: GPL-3.0-or-later
// How lists of formats and messages name what is saved.
#pragma once

#include <QDir>
#include <QFileInfo>
#include <QString>

#include "core/io/saver.hpp"

namespace parallax::ui {

/// "PNG (*.png)"; folders have no extension.
inline QString formatLabel(const SavableFormat& format) {
    const QString title = QString::fromStdString(format.title);
    return format.isFolder() ? title : QStringLiteral("%1 (*%2)").arg(title, QString::fromStdString(format.ending()));
}

/// The file, or the folder if the path ends with a slash.
inline QFileInfo savedFile(const QString& path) { return QFileInfo(QDir::cleanPath(path)); }

}  // namespace parallax::ui
