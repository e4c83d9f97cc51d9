// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the actions of the menus, for the command palette and the list of shortcuts.
#pragma once

#include <QAction>
#include <QPointer>
#include <QString>
#include <vector>

class QMenuBar;

namespace parallax::ui {

struct ActionEntry {
    QPointer<QAction> action;  ///< null once deleted, as those of recent files
    QString title;             ///< without mnemonic
    QString path;              ///< menus: "View › Theme"
    QString shortcuts;         ///< as displayed: "F, Ctrl+9"
    QString tip;               ///< description without the shortcut
};

/// Returns every visible action of every menu once, in the order of the menus.
std::vector<ActionEntry> menuActions(const QMenuBar& bar);
QString shortcutsText(const QAction& action);
/// "Zoom in" from "Zoom &in".
QString withoutMnemonic(const QString& text);

}  // namespace parallax::ui
