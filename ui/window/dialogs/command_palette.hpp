// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the window can do, found by a few letters and run with Enter.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QStringList>

#include "ui/window/shell/action_list.hpp"

class QLabel;
class QLineEdit;
class QMenuBar;
class QTreeWidget;

namespace parallax::ui {

/// Lies over the window instead of being one: it stands at its place under every window manager.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(const QMenuBar& menus, QWidget& window);
    /// Shows it with all actions, those that ran last first.
    void popUp();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void place();
    void runCurrent();
    void dismiss();
    void restyle();

    const QMenuBar& menus_;
    std::vector<ActionEntry> entries_;
    QStringList recent_;
    QLineEdit* search_;
    QTreeWidget* list_;
    QLabel* hint_;
    QPointer<QWidget> focusBefore_;
};

}  // namespace parallax::ui
