// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/medical_names.hpp"

#include <QCoreApplication>
#include <QFileDialog>
#include <QHash>
#include <QObject>
#include <QRegularExpression>
#include <QSettings>
#include <QVariant>
#include <algorithm>
#include <string>

#include "core/io/loader.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/models/document/settings.hpp"

namespace parallax::ui {
namespace {

bool medicalInputNoted = false;

bool hidesNameOf(const QString& input) { return mayBeDicom(input) && Settings::instance().hidesPatientData(); }

}  // namespace

bool mayBeDicom(const QString& input) {
    if (isGeneratedInput(input) || isRawInput(input)) return false;
    const QString file = pathOnDisk(input);
    if (isSessionFile(file)) return false;
    const std::string extension = lowerExtension(file.toStdString());
    return std::none_of(loaders().begin(), loaders().end(), [&](const Loader& loader) {
        const auto& known = loader.extensions;
        return loader.format != "DICOM" && std::find(known.begin(), known.end(), extension) != known.end();
    });
}

QString nameBeforeOpening(const QString& input) { return hidesNameOf(input) ? QObject::tr("medical data") : shortNameOf(input); }

QString nameInWindow(const QString& input, const ImagePtr& image) { return image ? shownNameOf(input, *image) : nameBeforeOpening(input); }

QString pathsInWindow(const QStringList& inputs) {
    QStringList paths;
    for (const QString& input : inputs) paths << (hidesNameOf(input) ? nameBeforeOpening(input) : fileOf(input));
    paths.removeDuplicates();
    return paths.join(QStringLiteral(", "));
}

QString withoutMedicalPath(QString text, const QString& input) {
    const QString path = pathOnDisk(input), name = nameBeforeOpening(input);
    if (path.isEmpty() || !hidesNameOf(input)) return text;
    // Files in a folder have longer paths, and names may contain quotes: replaces up to the last one.
    const QString start = QRegularExpression::escape(path);
    text.replace(QRegularExpression(QStringLiteral("'%1.*'").arg(start), QRegularExpression::DotMatchesEverythingOption),
                 QStringLiteral("'%1'").arg(name));
    // Without quotes, as in errors of the system; a short name such as "a" could be a part of any word.
    if (path.contains(QLatin1Char('/')))
        text.replace(QRegularExpression(start + QStringLiteral(".*"), QRegularExpression::DotMatchesEverythingOption), name);
    return text;
}

Message withoutMedicalPath(Message message, const QString& input) {
    for (QString* text : {&message.what, &message.why, &message.whatToDo}) *text = withoutMedicalPath(*text, input);
    return message;
}

void noteMedicalInput() { medicalInputNoted = true; }

void rememberFolder(const QString& key, const QString& folder, bool mayHoldDicom) {
    Settings& settings = Settings::instance();
    if (settings.hidesPatientData() && (mayHoldDicom || medicalInputNoted)) settings.rememberUntilExit(key, folder);
    else settings.remember(key, folder);
}

void leaveNoHistory(QFileDialog& dialog) {
    if (!Settings::instance().hidesPatientData()) return;
    QHash<QString, QVariant> before;
    const QSettings stored(QSettings::UserScope, QStringLiteral("QtProject"));
    for (const QString& key : {QStringLiteral("FileDialog/history"), QStringLiteral("FileDialog/lastVisited")})
        before[key] = stored.value(key);
    // The destructor of the dialog has written them when this signal comes.
    QObject::connect(&dialog, &QObject::destroyed, QCoreApplication::instance(), [before] {
        QSettings file(QSettings::UserScope, QStringLiteral("QtProject"));
        for (auto it = before.begin(); it != before.end(); ++it) {
            if (it->isValid()) file.setValue(it.key(), *it);
            else file.remove(it.key());
        }
    });
}

}  // namespace parallax::ui
