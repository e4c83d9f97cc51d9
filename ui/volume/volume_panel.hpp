// SPDX-License-Identifier: GPL-3.0-or-later
// How measurements are shown, as a part of the inspector: window and level; of volumes also slab, planes, sides.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/volume/volume_state.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace parallax::ui {

class Session;

class VolumePanel : public QWidget {
    Q_OBJECT
public:
    VolumePanel(Session& session, ViewState& view, VolumeState& state, QWidget* parent = nullptr);

signals:
    /// Another one of the volumes of the open file is wanted, from 0.
    void volumeAsked(int volume);

private:
    void fillPresets();
    void updateWindow();
    void updateOptions();

    Session& session_;
    ViewState& view_;
    VolumeState& state_;
    std::vector<WindowPreset> presets_;
    QComboBox *preset_, *slab_, *planes_;
    QDoubleSpinBox *level_, *width_, *thickness_;
    QCheckBox *smooth_, *radiological_, *crosshair_, *inverted_;
    QSpinBox* volume_;  ///< of a file that holds several
    QLabel* volumeLabel_;
    QLabel* about_;
    std::vector<QWidget*> ofVolumes_;  ///< what a single slice has no use for
};

}  // namespace parallax::ui
