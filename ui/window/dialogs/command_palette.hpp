// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and runs any command of the window.
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

/// A child widget above the window's content, so that its position does not depend on the window manager.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(const QMenuBar& menus, QWidget& window);
    /// Shows all actions, recently used ones first.
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
