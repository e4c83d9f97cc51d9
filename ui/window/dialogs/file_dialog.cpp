// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/file_dialog.hpp"

#include <algorithm>

#include "ui/export/save_as.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

const QString kRecipeFolderKey = QStringLiteral("recipe/folder");

QStringList recipeFilters() { return {QObject::tr("Recipes (*.json)"), QObject::tr("All files (*)")}; }

}  // namespace

QString keptFolder(const QString& key) {
    const QString folder = Settings::instance().remembered(key, QDir::homePath()).toString();
    return QDir(folder).exists() ? folder : QDir::homePath();
}

void keepFolderOf(const QString& path, const QString& key) { rememberFolder(key, QFileInfo(path).absolutePath()); }

void askForFiles(QWidget* parent, const FileRequest& request, std::function<void(const QStringList&)> open) {
    auto* dialog = new QFileDialog(parent, request.title, keptFolder(request.folderKey));
    leaveNoHistory(*dialog);
    dialog->setFileMode(request.mode);
    dialog->setOption(QFileDialog::ShowDirsOnly, request.mode == QFileDialog::Directory);
    if (!request.filters.isEmpty()) dialog->setNameFilters(request.filters);
    QObject::connect(dialog, &QFileDialog::filesSelected, parent, [request, open = std::move(open)](const QStringList& paths) {
        if (paths.isEmpty()) return;
        const bool folder = request.mode == QFileDialog::Directory;
        rememberFolder(request.folderKey, folder ? paths.front() : QFileInfo(paths.front()).absolutePath(),
                       std::any_of(paths.begin(), paths.end(), mayBeDicom));
        open(paths);
    });
    openOnce(dialog);
}

void askAndOpenRecipe(Session& session, QWidget* parent) {
    askForFiles(parent, {QObject::tr("Open recipe"), kRecipeFolderKey, QFileDialog::ExistingFile, recipeFilters()},
                [&session](const QStringList& paths) { session.document().openRecipe(paths.front()); });
}

void askAndSaveRecipe(Session& session, QWidget* parent) {
    askWhereToSave({QObject::tr("Save recipe"), keptFolder(kRecipeFolderKey), QStringLiteral("recipe.json"), recipeFilters()}, session,
                   parent, [&session](const QString& path, bool overwrite) {
                       keepFolderOf(path, kRecipeFolderKey);
                       session.saveRecipe(path, overwrite);
                   });
}

}  // namespace parallax::ui
