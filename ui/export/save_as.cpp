// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/save_as.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>

#include "ui/session/medical_names.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

using Save = std::function<void(const QString&, bool)>;

/// "PNG (*.png)" to "png"
QString suffixOf(const QString& filter) { return filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0); }

/// Asks again if saving this file fails.
void askAgainIfFailed(const QString& path, const SaveAs& request, Session& session, QWidget* parent, const Save& save) {
    auto* attempt = new QObject(parent);
    QObject::connect(&session.saver(), &FileSaver::failed, attempt, [=, &session](const QString& failed, const Message& message) {
        if (failed != path) return;
        SaveAs again = request;
        again.folder = QFileInfo(path).absolutePath();
        again.name = QFileInfo(path).fileName();
        again.error = message.plainText();
        askWhereToSave(again, session, parent, save);
    });
    // Saved, failed or cancelled.
    QObject::connect(&session.tasks(), &Tasks::busyChanged, attempt, [path, attempt, &session] {
        if (!session.saver().saving(path)) attempt->deleteLater();
    });
}

/// Shows the error in the title, which desktop dialogs have too, and below the fields of Qt's own dialog.
void showError(QFileDialog& dialog, const QString& error) {
    dialog.setWindowTitle(QFileDialog::tr("%1: not saved").arg(dialog.windowTitle()));
    auto* grid = qobject_cast<QGridLayout*>(dialog.layout());
    if (!grid) return;
    grid->addWidget(errorLabel(error, "saveError"), grid->rowCount(), 0, 1, grid->columnCount());
}

}  // namespace

void askWhereToSave(const SaveAs& request, Session& session, QWidget* parent, Save save) {
    auto* dialog = new QFileDialog(parent, request.title, request.folder);
    leaveNoHistory(*dialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);  // asks before replacing a file
    dialog->setNameFilters(request.filters);
    const QString suffix = QFileInfo(request.name).suffix();
    for (const QString& filter : request.filters)
        if (suffixOf(filter) == suffix) dialog->selectNameFilter(filter);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(request.name);
    if (!request.error.isEmpty()) showError(*dialog, request.error);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        if (!suffixOf(filter).isEmpty()) dialog->setDefaultSuffix(suffixOf(filter));
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [=, &session](const QString& path) {
        askAgainIfFailed(path, request, session, parent, save);
        save(path, QFileInfo::exists(path));
    });
    dialog->open();
}

}  // namespace parallax::ui
