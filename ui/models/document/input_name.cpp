// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/input_name.hpp"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

#include "ui/models/document/formatting.hpp"
#include "ui/models/document/settings.hpp"

namespace parallax::ui {
namespace {

/// Index of FILE in "raw:ENTRIES:FILE", whose entries hold no colon; -1 if it is incomplete.
qsizetype fileStart(const QString& input) {
    const qsizetype colon = input.indexOf(QLatin1Char(':'), input.indexOf(QLatin1Char(':')) + 1);
    return colon < 0 ? -1 : colon + 1;
}

}  // namespace

bool isGeneratedInput(const QString& input) { return input.startsWith(QLatin1String("synthetic:")); }

bool isRawInput(const QString& input) { return input.startsWith(QLatin1String("raw:")); }

QString fileOf(const QString& input) {
    if (isGeneratedInput(input)) return {};
    if (!isRawInput(input)) return input;
    const qsizetype start = fileStart(input);
    return start < 0 ? QString() : input.mid(start);
}

QString pathOnDisk(const QString& input) {
    // Parts and layers of OpenEXR files have any name.
    static const QRegularExpression choice(QStringLiteral("(?:(?<=\\.exr)#[^#]+|#[0-9.]+)$"), QRegularExpression::CaseInsensitiveOption);
    const QString file = fileOf(input);
    const auto match = choice.match(file);
    return match.hasMatch() && !isRawInput(input) ? file.left(match.capturedStart()) : file;
}

QString choiceOf(const QString& input) { return fileOf(input).mid(pathOnDisk(input).size() + 1); }

bool inOneSeries(const Image& a, const Image& b) {
    if (a.source.volumes < 2 || a.source.volumes != b.source.volumes || a.shape() != b.shape()) return false;
    const auto file = [](const Image& image) { return pathOnDisk(QString::fromStdString(image.source.path)); };
    return file(a) == file(b);
}

QString shortNameOf(const QString& input) {
    const QString file = fileOf(input);
    if (file.isEmpty()) return input;
    const QString path = pathOnDisk(input);  // the name of a part may hold slashes
    return QFileInfo(path).fileName() + file.mid(path.size());
}

QString longNameOf(const QString& input) {
    if (!isRawInput(input) || fileOf(input).isEmpty()) return shortNameOf(input);
    QStringList shown;
    for (const QString& entry : input.section(QLatin1Char(':'), 1, 1).split(QLatin1Char(','))) {
        if (shown.isEmpty()) shown << QString(entry).replace(QLatin1Char('x'), QStringLiteral(" × "));
        else if (entry.startsWith(QLatin1String("type="))) shown << entry.mid(5);
    }
    return QStringLiteral("%1 (%2)").arg(shortNameOf(input), shown.join(QStringLiteral(", ")));
}

QString shownNameOf(const QString& input, const Image& image) {
    if (!image.source.medical || !Settings::instance().hidesPatientData()) return shortNameOf(input);
    const Shape& s = image.shape();
    const QString size = formatExtent(s.width, s.height, s.depth);
    if (!image.source.series || image.source.series->modality.empty()) return size;
    return QString::fromStdString(image.source.series->modality) + QLatin1Char(' ') + size;
}

QString lastingInput(const QString& input) {
    const QString file = fileOf(input);
    if (file.isEmpty()) return input;
    return input.chopped(file.size()) + QFileInfo(file).absoluteFilePath();
}

}  // namespace parallax::ui
