// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline dock: steps, parameters of the chosen step, and which backends run it.
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QListView;
class QToolButton;

namespace parallax::ui {

class FindingsLabel;
class ParameterForm;
class PresetBar;
class Session;
class TargetModel;
enum class Side;

class PipelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit PipelinePanel(Session& session, QWidget* parent = nullptr);
    ParameterForm& form() { return *form_; }
    PresetBar& presets() { return *presets_; }
    QComboBox& targetBox(Side side);
    TargetModel& targets() { return *targets_; }

private:
    QWidget* makeTargets();
    QWidget* makeSteps();
    QWidget* makeParameters();
    void select(int row);
    void showRow(int row);
    void updateState();
    void showTargets();

    Session& session_;
    TargetModel* targets_;
    QComboBox* boxes_[2] = {};
    QListView* list_ = nullptr;
    ParameterForm* form_ = nullptr;
    PresetBar* presets_ = nullptr;
    QLabel* help_ = nullptr;
    FindingsLabel* findings_ = nullptr;
    QToolButton *remove_ = nullptr, *up_ = nullptr, *down_ = nullptr, *duplicate_ = nullptr;
};

}  // namespace parallax::ui
