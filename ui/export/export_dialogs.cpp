// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/export/export_dialogs.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include "parallax/io/saver.hpp"
#include "parallax/report/report.hpp"

namespace parallax::ui {
namespace {

const QString kFolderKey = QStringLiteral("export/folder");

QString startFolder() {
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    const QString folder = QSettings().value(kFolderKey, pictures).toString();
    return QDir(folder).exists() ? folder : QDir::homePath();
}

void ask(QWidget* parent, const QString& title, const QString& name, const QStringList& filters, const QString& suffix,
         std::function<void(const QString&)> then) {
    auto* dialog = new QFileDialog(parent, title, startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);  // asks before it takes an existing name
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [then = std::move(then)](const QString& path) {
        QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath());
        then(path);
    });
    dialog->open();
}

}  // namespace

QString proposedImageName(const Session& session, PaneRole role) {
    const QString input = session.inputName();
    const QString base =
        input.startsWith(QLatin1String("synthetic:")) ? input.section(QLatin1Char(':'), 1, 1) : QFileInfo(input).completeBaseName();
    switch (role) {
        case PaneRole::a:
            return base + QLatin1Char('-') + QString::fromStdString(session.side(Side::a).target.label()) + QStringLiteral(".exr");
        case PaneRole::b:
            return base + QLatin1Char('-') + QString::fromStdString(session.side(Side::b).target.label()) + QStringLiteral(".exr");
        case PaneRole::difference: return base + QStringLiteral("-difference.exr");
        case PaneRole::original: return base + QStringLiteral(".exr");
    }
    return base;
}

void askAndSaveImage(Session& session, PaneRole role, QWidget* parent) {
    QStringList filters;
    for (const SavableFormat& format : savableFormats())
        filters << QStringLiteral("%1 (*.%2)").arg(QString::fromStdString(format.title), QString::fromStdString(format.extension));
    ask(parent, QObject::tr("Export image"), proposedImageName(session, role), filters, QStringLiteral("exr"),
        [&session, role](const QString& path) { session.saveImage(role, path, true); });
}

void askAndSaveReport(Session& session, QWidget* parent) {
    QStringList filters;
    for (const std::string& extension : reportExtensions())
        filters << QStringLiteral("%1 (*.%2)").arg(QString::fromStdString(extension).toUpper(), QString::fromStdString(extension));
    ask(parent, QObject::tr("Export report"), QStringLiteral("parallax-report.html"), filters, QStringLiteral("html"),
        [&session](const QString& path) { session.saveReport(path, true); });
}

}  // namespace parallax::ui
