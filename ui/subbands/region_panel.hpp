// SPDX-License-Identifier: GPL-3.0-or-later
// The sub-band browser: mosaic, gains, energies and the error of the reconstruction.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/region_study.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace parallax::ui {

class ChartPage;
class EnergyChart;
class RegionMosaic;

class RegionPanel : public QWidget {
    Q_OBJECT
public:
    explicit RegionPanel(Session& session, QWidget* parent = nullptr);

    RegionStudy& study() { return *study_; }
    RegionMosaic& mosaic() { return *mosaic_; }
    ChartPage& page() { return *page_; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeMosaicSide();
    QWidget* makeControls();
    void refresh();
    void refreshError();
    void choose(int region);
    void setGain(double gain);
    void applyGains();
    void showSelected();
    void showSlices();
    int channel() const;

    Session& session_;
    RegionStudy* study_;
    RegionMosaic* mosaic_;
    EnergyChart* chart_;
    ChartPage* page_;
    QComboBox *plane_, *channel_;
    QSlider* slice_;
    QLabel *sliceText_, *channelLabel_, *error_, *chosen_;
    QCheckBox* alone_;
    QDoubleSpinBox* gain_;
    QToolButton* automatic_;
    std::shared_ptr<const StudiedRegions> shown_;
    /// Gains set by the user, by the key of the region; others are automatic.
    QHash<QString, double> ownGains_;
    std::vector<double> gains_;
};

}  // namespace parallax::ui
