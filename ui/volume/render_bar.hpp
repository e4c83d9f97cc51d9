// SPDX-License-Identifier: GPL-3.0-or-later
// The controls over a rendering: modes, presets, axes and options of the operation `render`, and the step that gives the same picture.
#pragma once

#include <QMenu>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/render_state.hpp"

class QDoubleSpinBox;
class QToolButton;

namespace parallax::ui {

class RenderBar : public QWidget {
    Q_OBJECT
public:
    RenderBar(RenderState& render, ViewState& view, QWidget* parent);

    QMenu& menu() { return *menu_; }
    /// Unit of the threshold.
    void setUnit(const QString& unit);
    /// Fits itself into a pane of this width.
    void fit(int width);

signals:
    void addStepRequested();
    /// The user wants to edit the transfer function.
    void curveRequested();
    void aloneRequested();

private:
    void fillMenu();
    void addOptions();
    void addDevices();
    void makeThreshold();
    void follow();
    QMenu& addMenu(const QString& title);
    QAction* add(QMenu& menu, const QString& text, const QString& tip, const char* name, const std::function<void()>& effect);

    RenderState& render_;
    ViewState& view_;
    QMenu* menu_;
    QToolButton* mode_;
    QToolButton* curve_;  ///< shown while the mode is that of a transfer function
    QToolButton* addStep_;
    QDoubleSpinBox* threshold_;
    std::vector<std::function<void()>> followers_;  ///< bring an action up to date
    int room_ = 0;
};

}  // namespace parallax::ui
