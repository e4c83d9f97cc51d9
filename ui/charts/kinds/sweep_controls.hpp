// SPDX-License-Identifier: GPL-3.0-or-later
// What to sweep over, the values, and the button that begins it: one click is enough, since the values are suggested.
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
    /// Over threads alone, or over everything else. `effort` says how long each point is measured.
    SweepControls(Session& session, bool threads, std::function<QString()> effort, QWidget* parent = nullptr);
    /// Fits what can be chosen to the open image and the pipeline.
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
    QString suggested_;  // in values_, unless a person has changed it
};

}  // namespace parallax::ui
