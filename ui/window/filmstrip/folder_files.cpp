// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/filmstrip/folder_files.hpp"

#include <QDir>
#include <algorithm>

#include "core/io/loader.hpp"

namespace parallax::ui {
namespace {

/// The digits from a position on, without leading zeros.
QStringView numberAt(QStringView text, qsizetype& at) {
    qsizetype from = at;
    while (at < text.size() && text[at].isDigit()) ++at;
    while (from + 1 < at && text[from] == QLatin1Char('0')) ++from;
    return text.mid(from, at - from);
}

/// Compares numbers by value and letters regardless of case. QCollator does so only in some locales.
int compareNaturally(QStringView a, QStringView b) {
    qsizetype i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i].isDigit() && b[j].isDigit()) {
            const QStringView x = numberAt(a, i), y = numberAt(b, j);
            if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
            if (const int order = x.compare(y); order != 0) return order;
            continue;
        }
        const QChar x = a[i++].toCaseFolded(), y = b[j++].toCaseFolded();
        if (x != y) return x < y ? -1 : 1;
    }
    return i < a.size() ? 1 : j < b.size() ? -1 : 0;
}

}  // namespace

QStringList loadableExtensions() {
    QStringList list;
    for (const auto& loader : loaders())
        for (const std::string& extension : loader.extensions) list << QString::fromStdString(extension);
    list.removeDuplicates();
    return list;
}

QStringList imagesIn(const QString& folder) {
    QStringList patterns;
    for (const QString& extension : loadableExtensions()) patterns << QStringLiteral("*.") + extension;
    QStringList files;
    for (const QFileInfo& file : QDir(folder).entryInfoList(patterns, QDir::Files)) files << file.filePath();
    std::sort(files.begin(), files.end(), [](const QString& x, const QString& y) {
        const int order = compareNaturally(x, y);
        return order != 0 ? order < 0 : x < y;
    });
    return files;
}

int positionIn(const QStringList& files, const QString& file) {
    const QString path = QFileInfo(file).absoluteFilePath();
    const auto at =
        std::find_if(files.begin(), files.end(), [&](const QString& each) { return QFileInfo(each).absoluteFilePath() == path; });
    return at == files.end() ? -1 : static_cast<int>(at - files.begin());
}

}  // namespace parallax::ui
