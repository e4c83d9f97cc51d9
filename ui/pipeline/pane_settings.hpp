// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs of the compared panes, their backends, and input and source of the steps of the active one.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "ui/models/pipeline/side.hpp"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QTabBar;
class QToolButton;

namespace parallax::ui {

class Session;
class TargetModel;

class PaneSettings : public QWidget {
    Q_OBJECT
public:
    explicit PaneSettings(Session& session, QWidget* parent = nullptr);

    /// Files that are offered as inputs.
    void setInputs(const QStringList& inputs);
    QTabBar& tabs() { return *tabs_; }
    /// The side must exist.
    QComboBox& targetBox(Side side) { return *rows_.at(indexOf(side)).target; }
    /// Threads of a CPU backend, or devices of another one that has several.
    QComboBox& resourceBox(Side side) { return *rows_.at(indexOf(side)).resource; }
    TargetModel& targets(Side side) { return *rows_.at(indexOf(side)).targets; }
    QComboBox& inputBox() { return *input_; }
    QComboBox& lightBox() { return *light_; }
    QCheckBox& sameSteps() { return *sameSteps_; }

signals:
    /// The user wants to choose a file as input.
    void inputAsked(parallax::ui::Side side);
    void menuRequested(const QPoint& global);

private:
    struct Row {
        TargetModel* targets = nullptr;
        QLabel* badge = nullptr;
        QComboBox *target = nullptr, *resource = nullptr;
        Target shown;
    };
    QWidget* makeTabs();
    QWidget* makeInput();
    QWidget* makeLight();
    void connectSession();
    void addRow(Side side);
    static void showBadge(const Row& row);
    void showPanes();
    void showTabs();
    void showRow(Side side);
    /// Backends or variants came or went.
    void listTargetsAgain();
    void showResource(Side side);
    void showInput();
    /// Names the inputs again: settings may hide names.
    void nameInputs();
    void fillInputs(QStringList inputs);
    void showLight();
    void showSteps();
    void chooseTarget(Side side, int row);
    void chooseResource(Side side, int value);
    void chooseInput(int row);
    QString inputText(const QString& input) const;

    Session& session_;
    QStringList inputs_, shownInputs_, shownTexts_;
    QStringList listed_, ofPanes_;  // as of the last naming
    bool named_ = false;            // since something changed that names depend on
    std::vector<Row> rows_;         // of sides that exist or existed
    QGridLayout* grid_ = nullptr;
    QTabBar* tabs_ = nullptr;
    QToolButton *add_ = nullptr, *remove_ = nullptr;
    QComboBox *input_ = nullptr, *light_ = nullptr;
    QCheckBox* sameSteps_ = nullptr;
};

}  // namespace parallax::ui
