// SPDX-License-Identifier: GPL-3.0-or-later
// The file dialog of everything that is saved.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QWidget;

namespace parallax::ui {

struct SaveAs {
    QString title, folder, name;
    QStringList filters;  ///< "PNG (*.png)"; the suffix of the chosen one is added to a name without
};

/// `then` gets the path, and whether a file that is there may be replaced: the dialog has asked. One that appears only after
/// that may not. The dialog, and `then` with it, goes with the parent.
void askWhereToSave(const SaveAs& what, QWidget* parent, std::function<void(const QString& path, bool overwrite)> then);

}  // namespace parallax::ui
