// SPDX-License-Identifier: GPL-3.0-or-later
// The file dialog of everything that is saved.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QWidget;

namespace parallax::ui {

class Session;

struct SaveAs {
    QString title, folder, name;
    QStringList filters;  ///< "PNG (*.png)"; the suffix of the chosen one is added to a name without
    QString error = {};   ///< why the last attempt failed
};

/// Calls `save` with the path, and whether an existing file may be replaced: the dialog has asked. A file that appears only after that may
/// not. If the file cannot be saved, the dialog opens again with the error. Dialog and `save` are deleted with the parent.
void askWhereToSave(const SaveAs& request, Session& session, QWidget* parent,
                    std::function<void(const QString& path, bool overwrite)> save);

}  // namespace parallax::ui
