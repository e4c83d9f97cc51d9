// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/export/export_dialogs.hpp"

#include <QBuffer>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include "parallax/report/report.hpp"
#include "parallax/ui/export/export_folder.hpp"
#include "parallax/ui/export/save_data_dialog.hpp"

namespace parallax::ui {
namespace {

const QString kFolderKey = QStringLiteral("export/folder");

void ask(QWidget* parent, const QString& title, const QString& name, const QStringList& filters, const QString& suffix,
         std::function<void(const QString&)> then) {
    auto* dialog = new QFileDialog(parent, title, exportFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);  // asks before it takes an existing name
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [then = std::move(then)](const QString& path) {
        setExportFolder(QFileInfo(path).absolutePath());
        then(path);
    });
    dialog->open();
}

}  // namespace

QString exportFolder() {
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    const QString folder = QSettings().value(kFolderKey, pictures).toString();
    return QDir(folder).exists() ? folder : QDir::homePath();
}

void setExportFolder(const QString& folder) { QSettings().setValue(kFolderKey, folder); }

void askAndSaveData(Session& session, std::optional<PaneRole> role, QWidget* parent) {
    auto* dialog = new SaveDataDialog(session, role, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void askAndSavePicture(Session& session, const QImage& picture, const QString& title, const QString& name, QWidget* parent) {
    ask(parent, title, name + QStringLiteral(".png"), {QObject::tr("PNG (*.png)")}, QStringLiteral("png"),
        [&session, picture](const QString& path) {
            session.saveBytes(path, true, [picture] {
                QByteArray bytes;
                QBuffer buffer(&bytes);
                picture.save(&buffer, "PNG");
                return bytes;
            });
        });
}

void askAndSaveReport(Session& session, QWidget* parent) {
    QStringList filters;
    for (const std::string& extension : reportExtensions())
        filters << QStringLiteral("%1 (*.%2)").arg(QString::fromStdString(extension).toUpper(), QString::fromStdString(extension));
    ask(parent, QObject::tr("Export report"), QStringLiteral("parallax-report.html"), filters, QStringLiteral("html"),
        [&session](const QString& path) { session.saveReport(path, true); });
}

}  // namespace parallax::ui
