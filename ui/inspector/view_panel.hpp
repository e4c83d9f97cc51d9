// SPDX-License-Identifier: GPL-3.0-or-later
// Display settings: exposure, offset, encoding, channel, false colours, and the colour map of the difference.
#pragma once

#include <QVector>
#include <QWidget>

#include "ui/models/view/view_state.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;

namespace parallax::ui {

class Session;

class ViewPanel : public QWidget {
    Q_OBJECT
public:
    ViewPanel(Session& session, ViewState& view, QWidget* parent = nullptr);
    /// Sets exposure (levels for a single channel) from the selection or the whole of the active pane, or of its input without
    /// a result.
    void chooseAutomatically();

private:
    void layOut();
    void connectControls();
    void updateChannels();
    void updateControls();
    void updateDifference();
    void updateBeyond();
    void takeTypedRange();
    /// Changes a copy of the settings and shows them.
    template <class F>
    void change(F&& f) {
        DisplaySettings settings = view_.display();
        f(settings);
        view_.setDisplay(settings);
    }

    Session& session_;
    ViewState& view_;
    QSlider *exposureSlider_, *offsetSlider_;
    QDoubleSpinBox *exposure_, *offset_, *gamma_;
    QComboBox *encoding_, *channel_, *map_, *differenceMode_, *differenceScale_;
    QCheckBox *marks_, *grid_;
    QWidget* levels_ = nullptr;
    QLabel *gammaLabel_ = nullptr, *beyond_ = nullptr;
    QVector<QWidget*> windowed_;  // hidden for measurements
};

}  // namespace parallax::ui
