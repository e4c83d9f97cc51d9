// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/recipe_dialogs.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include "ui/export/save_as.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

const QString kFolderKey = QStringLiteral("recipe/folder");

QString recipeFolder() {
    const QString folder = QSettings().value(kFolderKey, QDir::homePath()).toString();
    return QDir(folder).exists() ? folder : QDir::homePath();
}

void rememberFolder(const QString& path) { QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath()); }

QStringList recipeFilters() { return {QObject::tr("Recipes (*.json)"), QObject::tr("All files (*)")}; }

}  // namespace

void askAndOpenRecipe(Session& session, QWidget* parent) {
    auto* dialog = new QFileDialog(parent, QObject::tr("Open recipe"), recipeFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters(recipeFilters());
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, &session, [&session](const QString& path) {
        rememberFolder(path);
        session.openRecipe(path);
    });
    dialog->open();
}

void askAndSaveRecipe(Session& session, QWidget* parent) {
    askWhereToSave({QObject::tr("Save recipe"), recipeFolder(), QStringLiteral("recipe.json"), recipeFilters()}, parent,
                   [&session](const QString& path, bool overwrite) {
                       rememberFolder(path);
                       session.saveRecipe(path, overwrite);
                   });
}

}  // namespace parallax::ui
