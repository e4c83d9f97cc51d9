// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Inspector for measurements: window and level; for volumes also slab, planes and orientation; for files of several volumes
// or pages the choice of one.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/volume/own_windows.hpp"
#include "ui/models/volume/volume_state.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace parallax::ui {

class Session;
class WindowPresetMenu;

class VolumePanel : public QWidget {
    Q_OBJECT
public:
    VolumePanel(Session& session, ViewState& view, VolumeState& state, QWidget* parent = nullptr);

signals:
    /// The user chose another volume or page of the open file, counted from 0.
    void volumeAsked(int volume);

private:
    void describeControls();
    void layOut();
    void connectControls();
    void takeImage();
    void fillPresets();
    /// Shows the preset of the window that is shown, if it has one.
    void choosePreset();
    void updateWindow();
    void updateOptions();

    Session& session_;
    ViewState& view_;
    VolumeState& state_;
    std::vector<WindowPreset> presets_;
    std::vector<OwnWindow> ownPresets_;  ///< the last ones of `presets_`
    WindowPresetMenu* presetMenu_;
    QComboBox *preset_, *slab_, *planes_;
    QDoubleSpinBox *level_, *width_, *thickness_;
    QCheckBox *smooth_, *radiological_, *crosshair_, *inverted_;
    QSpinBox* volume_;  ///< counted from 1
    QLabel* volumeLabel_;
    QLabel* about_;
    std::vector<QWidget*> volumeOnly_;    ///< hidden for a single slice
    std::vector<QWidget*> measuredOnly_;  ///< hidden for pictures, such as the pages of a TIFF file
};

}  // namespace parallax::ui
