// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for files or folders to open, starting in the folder that was used last.
#pragma once

#include <QFileDialog>
#include <functional>

namespace parallax::ui {

class Session;

// Settings that keep folders.
inline const QString kOpenFolderKey = QStringLiteral("open/folder");  ///< of images
inline const QString kSessionFolderKey = QStringLiteral("session/folder");

struct FileRequest {
    QString title;
    QString folderKey;  ///< setting that keeps the folder
    QFileDialog::FileMode mode = QFileDialog::ExistingFile;
    QStringList filters;
};

/// Calls `open` with at least one path, unless the user cancels.
void askForFiles(QWidget* parent, const FileRequest& request, std::function<void(const QStringList&)> open);

/// The folder that a setting keeps, or the home folder.
QString keptFolder(const QString& key);
void keepFolderOf(const QString& path, const QString& key);

void askAndOpenRecipe(Session& session, QWidget* parent);
void askAndSaveRecipe(Session& session, QWidget* parent);

}  // namespace parallax::ui
