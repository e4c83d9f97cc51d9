// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done, read from the menus: the command palette and the list of shortcuts are made from it, so that nothing has
// to be listed twice.
#pragma once

#include <QAction>
#include <QPointer>
#include <QString>
#include <vector>

class QMenuBar;

namespace parallax::ui {

struct ActionEntry {
    QPointer<QAction> action;  ///< those of recent files come and go
    QString title;             ///< without mnemonic
    QString path;              ///< of menus: "View › Theme"
    QString shortcuts;         ///< as people read them: "F, Ctrl+9"
    QString tip;               ///< what it does, without the shortcut
};

/// Every visible action of every menu once, in the order of the menus.
std::vector<ActionEntry> menuActions(const QMenuBar& bar);
QString shortcutsText(const QAction& action);
/// "Zoom in" from "Zoom &in".
QString withoutMnemonic(const QString& text);

}  // namespace parallax::ui
