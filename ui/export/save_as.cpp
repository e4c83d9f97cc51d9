// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/save_as.hpp"

#include <QFileDialog>
#include <QFileInfo>

namespace parallax::ui {
namespace {

/// "PNG (*.png)" to "png"
QString suffixOf(const QString& filter) { return filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0); }

}  // namespace

void askWhereToSave(const SaveAs& what, QWidget* parent, std::function<void(const QString&, bool)> then) {
    auto* dialog = new QFileDialog(parent, what.title, what.folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);  // asks before replacing a file
    dialog->setNameFilters(what.filters);
    const QString suffix = QFileInfo(what.name).suffix();
    for (const QString& filter : what.filters)
        if (suffixOf(filter) == suffix) dialog->selectNameFilter(filter);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(what.name);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        if (!suffixOf(filter).isEmpty()) dialog->setDefaultSuffix(suffixOf(filter));
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [then = std::move(then)](const QString& path) { then(path, QFileInfo::exists(path)); });
    dialog->open();
}

}  // namespace parallax::ui
