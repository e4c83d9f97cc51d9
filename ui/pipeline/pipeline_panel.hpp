// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline dock: settings of the compared panes, steps, and parameters of the selected step.
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QListView;
class QMenu;
class QToolButton;

namespace parallax::ui {

class PaneSettings;
class ParameterForm;
class PipelineModel;
class PresetBar;
class PresetGallery;
class Session;
class ViewState;
enum class Side;

/// Adds an entry for each operation, which adds a step.
void addOperations(QMenu& menu, PipelineModel& model);

class PipelinePanel : public QWidget {
    Q_OBJECT
public:
    PipelinePanel(Session& session, ViewState& view, QWidget* parent = nullptr);
    ParameterForm& form() { return *form_; }
    PresetBar& presets() { return *presets_; }
    PresetGallery& gallery() { return *gallery_; }
    QComboBox& targetBox(Side side);
    PaneSettings& panes() { return *panes_; }

private:
    QWidget* makeSteps();
    QWidget* makeStepButtons();
    QWidget* makeParameters();
    void select(int row);
    void showRow(int row);
    void updateState();
    void showHeading();
    void showStatistics();
    void showGallery();

    Session& session_;
    ViewState& view_;
    PaneSettings* panes_;
    QLabel* heading_ = nullptr;  ///< names the panes that have the steps, unless all have
    QListView* list_ = nullptr;
    ParameterForm* form_ = nullptr;
    PresetBar* presets_ = nullptr;
    PresetGallery* gallery_ = nullptr;
    QWidget* parameters_ = nullptr;
    QLabel* help_ = nullptr;
    QLabel* statistics_ = nullptr;  ///< of the selected step, such as its white point
    QToolButton *remove_ = nullptr, *up_ = nullptr, *down_ = nullptr, *duplicate_ = nullptr;
};

}  // namespace parallax::ui
