// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/pipeline/recipe_dialogs.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include "parallax/ui/bridge/session.hpp"

namespace parallax::ui {
namespace {

const QString kFolderKey = QStringLiteral("recipe/folder");

QFileDialog* recipeDialog(QWidget* parent, const QString& title) {
    const QString folder = QSettings().value(kFolderKey, QDir::homePath()).toString();
    auto* dialog = new QFileDialog(parent, title, QDir(folder).exists() ? folder : QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters({QObject::tr("Recipes (*.json)"), QObject::tr("All files (*)")});
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [](const QString& path) { QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath()); });
    return dialog;
}

}  // namespace

void askAndOpenRecipe(Session& session, QWidget* parent) {
    QFileDialog* dialog = recipeDialog(parent, QObject::tr("Open a recipe"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, &session, &Session::openRecipe);
    dialog->open();
}

void askAndSaveRecipe(Session& session, QWidget* parent) {
    QFileDialog* dialog = recipeDialog(parent, QObject::tr("Save the recipe"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);  // asks before it takes an existing name
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(QStringLiteral("recipe.json"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &session, [&session](const QString& path) { session.saveRecipe(path, true); });
    dialog->open();
}

}  // namespace parallax::ui
