// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes in the middle of the window: the three planes of what the chosen comparison shows, linked by one crosshair, with a
// slider for each plane and what is under the mouse in voxels, mm and values.
#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "ui/compare/compare_view.hpp"
#include "ui/volume/volume_pane.hpp"

class QLabel;
class QSlider;

namespace parallax::ui {

class VolumeView : public QWidget {
    Q_OBJECT
public:
    /// What is compared, and how, is what `compare` says.
    VolumeView(Session& session, CompareView& compare, ViewState& view, VolumeState& state, QWidget* parent = nullptr);

    VolumePane& pane(PaneRole role, PlaneKind kind) { return *panes_[static_cast<std::size_t>(role)][static_cast<std::size_t>(kind)]; }
    QSlider& slider(PlaneKind kind) { return *sliders_[static_cast<std::size_t>(kind)]; }
    /// Is everything drawn in full?
    bool settled() const;
    /// The pane with the keyboard, else the one under the mouse, else the first; null if there is none.
    VolumePane* currentPane();
    /// What a comparison's image shows, plane beside plane; null if it is not shown.
    QImage pictureOf(PaneRole role);
    /// Is one pane shown in the place of all?
    bool alone() const { return alone_.has_value(); }
    /// The line below the panes.
    QString probeText() const;

signals:
    void menuRequested(parallax::ui::PaneRole role, const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool hasVolume() const;
    ImagePtr imageOf(PaneRole role) const;
    struct Cell {
        PaneRole role;
        PlaneKind kind;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    std::vector<PaneRole> shownRoles() const;
    std::vector<PlaneKind> visiblePlanes() const;
    /// Shows this pane alone, or all again if it is; looking from another place in the volume is no part of it.
    void toggleAlone(const Cell& cell);
    /// Alone stays what the comparison still shows.
    void checkAlone();
    void takeVolume();
    void takeImages();
    void takeComparison();
    void arrange();
    void updateSliders();
    void updateProbe();

    Session& session_;
    CompareView& compare_;
    ViewState& view_;
    VolumeState& state_;
    SlabLoader loader_;
    std::array<std::array<VolumePane*, 3>, 4> panes_{};
    std::array<QSlider*, 3> sliders_{};
    std::array<QLabel*, 3> sliderNames_{};
    QWidget* sliderRow_;
    QLabel* probe_;
    std::optional<Cell> alone_;
    QRect freeCell_;  ///< of three planes in a square of four
};

}  // namespace parallax::ui
