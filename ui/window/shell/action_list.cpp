// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/action_list.hpp"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>

namespace parallax::ui {
namespace {

void collect(const QMenu& menu, const QString& path, std::vector<ActionEntry>& entries) {
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible()) continue;
        const QString title = withoutMnemonic(action->text());
        if (action->menu()) {
            collect(*action->menu(), path + QStringLiteral(" › ") + title, entries);
            continue;
        }
        // A command in several menus is listed under the first.
        if (std::any_of(entries.begin(), entries.end(), [&](const ActionEntry& e) { return e.action == action; })) continue;
        // Actions of docks and toolbars have no status tip.
        const QString tip = action->statusTip().isEmpty() ? action->toolTip() : action->statusTip();
        entries.push_back({action, title, path, shortcutsText(*action), tip});
    }
}

}  // namespace

std::vector<ActionEntry> menuActions(const QMenuBar& bar) {
    std::vector<ActionEntry> entries;
    for (const QAction* action : bar.actions())
        if (action->menu()) collect(*action->menu(), withoutMnemonic(action->text()), entries);
    return entries;
}

QString shortcutsText(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts()) keys << key.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

QString withoutMnemonic(const QString& text) {
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&') && ++i >= text.size()) break;
        plain += text[i];
    }
    return plain;
}

}  // namespace parallax::ui
