// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/filmstrip/folder_files.hpp"

#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "core/io/batch/batch_items.hpp"

namespace parallax::ui {

QStringList loadableExtensions() {
    QStringList list;
    for (const auto& loader : loaders())
        for (const std::string& extension : loader.extensions) list << QString::fromStdString(extension);
    list.removeDuplicates();
    return list;
}

QStringList imagesIn(const QString& folder) {
    QStringList files;
    std::error_code unreadable;
    for (const std::string& file : imagesInFolder(QFile::encodeName(folder).toStdString(), unreadable))
        files << QFile::decodeName(QByteArray::fromStdString(file));
    return files;
}

int positionIn(const QStringList& files, const QString& file) {
    const QString path = QFileInfo(file).absoluteFilePath();
    const auto at =
        std::find_if(files.begin(), files.end(), [&](const QString& each) { return QFileInfo(each).absoluteFilePath() == path; });
    return at == files.end() ? -1 : static_cast<int>(at - files.begin());
}

}  // namespace parallax::ui
