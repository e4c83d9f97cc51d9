// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and runs any command of the window.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QStringList>
#include <memory>

#include "ui/window/shell/action_list.hpp"

class QLabel;
class QLineEdit;
class QMenuBar;
class QTreeWidget;

namespace parallax::ui {

class PipelineModel;

/// A child widget above the window's content, so that its position does not depend on the window manager.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    /// Lists the actions of the menus, and choices and presets of the operations.
    CommandPalette(const QMenuBar& menus, PipelineModel& pipeline, QWidget& window);
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
    PipelineModel& pipeline_;
    std::unique_ptr<QObject> owner_;  // of the actions that are in no menu
    std::vector<ActionEntry> entries_;
    QStringList recent_;
    QLineEdit* search_;
    QTreeWidget* list_;
    QLabel* hint_;
    QPointer<QWidget> focusBefore_;
};

}  // namespace parallax::ui
