// SPDX-License-Identifier: GPL-3.0-or-later
// Axis and values of a sweep, and the button that starts it. Values are suggested, so one click is enough.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/measure/sweeps/sweep.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace parallax::ui {

class Session;

class SweepControls : public QWidget {
    Q_OBJECT
public:
    /// `scaling`: sweep over threads or parts, else over everything else. `effort` returns the benchmark effort of each point.
    SweepControls(Session& session, bool scaling, std::function<QString()> effort, QWidget* parent = nullptr);
    /// Updates the axes for the open image and the pipeline.
    void refresh();

private:
    void chooseAxis();
    void updateButton();
    void press();

    Session& session_;
    bool scaling_;
    std::function<QString()> effort_;
    std::vector<SweepAxis> axes_;
    QComboBox* axis_;
    QWidget* axisRow_;  // hidden where there is no choice
    QLineEdit* values_;
    QLabel* valuesLabel_;
    QPushButton* run_;
    QString suggested_;  // content of values_ unless the user changed it
};

}  // namespace parallax::ui
