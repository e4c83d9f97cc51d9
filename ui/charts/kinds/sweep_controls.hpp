// SPDX-License-Identifier: GPL-3.0-or-later
// Axis and values of a sweep, and the button that starts it. Values are suggested, so one click is enough.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/measure/sweeps/sweep.hpp"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace parallax::ui {

class Session;

class SweepControls : public QWidget {
    Q_OBJECT
public:
    /// `threads`: sweep over threads alone, else over everything else. `effort` returns the benchmark effort of each point.
    SweepControls(Session& session, bool threads, std::function<QString()> effort, QWidget* parent = nullptr);
    /// Updates the axes for the open image and the pipeline.
    void refresh();

private:
    void chooseAxis();
    void updateButton();
    void press();

    Session& session_;
    bool threads_;
    std::function<QString()> effort_;
    std::vector<SweepAxis> axes_;
    QComboBox* axis_ = nullptr;
    QLineEdit* values_;
    QPushButton* run_;
    QString suggested_;  // content of values_ unless the user changed it
};

}  // namespace parallax::ui
