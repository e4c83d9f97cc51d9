// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/medical_names.hpp"

#include <QCoreApplication>
#include <QFileDialog>
#include <QHash>
#include <QObject>
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

QString nameBeforeOpening(const QString& input) {
    if (!Settings::instance().hidesPatientData() || !mayBeDicom(input)) return shortNameOf(input);
    return QObject::tr("medical data");
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
