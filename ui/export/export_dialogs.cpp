// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialogs.hpp"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "core/report/record/report.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/picture.hpp"
#include "ui/export/save_as.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/medical_names.hpp"

namespace parallax::ui {

QString exportFolder() {
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    const Settings& settings = Settings::instance();
    if (const QString chosen = settings.saveFolder(); !chosen.isEmpty() && QDir(chosen).exists()) return chosen;
    const QString folder = settings.remembered(kExportFolderKey, pictures).toString();
    return QDir(folder).exists() ? folder : QDir::homePath();
}

void setExportFolder(const QString& folder) { rememberFolder(kExportFolderKey, folder); }

void askAndSaveData(Session& session, std::optional<PaneRole> role, std::function<QImage(PaneRole)> view, QWidget* parent) {
    auto* dialog = new SaveDataDialog(session, role, std::move(view), parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void askAndSavePicture(Session& session, const QImage& picture, const QString& title, const QString& name, QWidget* parent) {
    askWhereToSave({title, exportFolder(), name + QStringLiteral(".png"), {QObject::tr("PNG (*.png)")}}, session, parent,
                   [&session, picture](const QString& path, bool overwrite) {
                       setExportFolder(QFileInfo(path).absolutePath());
                       session.saver().saveBytes(path, overwrite, [picture] { return encodedPng(picture); });
                   });
}

void askAndSaveReport(Session& session, std::vector<RunRecord> sweep, QWidget* parent) {
    QStringList filters;
    for (const std::string& extension : reportExtensions())
        filters << QStringLiteral("%1 (*.%2)").arg(QString::fromStdString(extension).toUpper(), QString::fromStdString(extension));
    askWhereToSave({sweep.empty() ? QObject::tr("Export report") : QObject::tr("Export sweep report"), exportFolder(),
                    proposedReportName(session) + QStringLiteral(".html"), filters},
                   session, parent, [&session, sweep = std::move(sweep)](const QString& path, bool overwrite) {
                       setExportFolder(QFileInfo(path).absolutePath());
                       if (sweep.empty()) session.saveReport(path, overwrite);
                       else session.saver().saveReport({sweep}, path, overwrite);
                   });
}

}  // namespace parallax::ui
