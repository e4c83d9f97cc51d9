// SPDX-License-Identifier: GPL-3.0-or-later
// The panes for volumes: three planes of each compared volume, linked by a crosshair, and a rendering beside them, with a slider for each
// plane and a line that shows index, position and values of a voxel.
#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "ui/compare/compare_view.hpp"
#include "ui/volume/render_panes.hpp"
#include "ui/volume/volume_pane.hpp"

class QLabel;
class QSlider;

namespace parallax::ui {

class VolumeView : public QWidget {
    Q_OBJECT
public:
    /// Layout, labels and difference mode follow `compare`.
    VolumeView(Session& session, CompareView& compare, ViewState& view, VolumeState& state, QWidget* parent = nullptr);

    VolumePane& pane(PaneRole role, PlaneKind kind) { return *panes_[static_cast<std::size_t>(role)][static_cast<std::size_t>(kind)]; }
    /// Renderings beside the planes: state().setShown() shows them.
    RenderPanes& renderings() { return renderings_; }
    /// The rendering with the keyboard focus, if there is one.
    RenderPane* focusedRendering() const;
    QSlider& slider(PlaneKind kind) { return *sliders_[static_cast<std::size_t>(kind)]; }
    /// Are all panes completely drawn?
    bool settled() const;
    /// The focused pane, else the one under the mouse, else the first; null if there is none.
    VolumePane* currentPane();
    /// A picture of the planes of one volume and its rendering, side by side; null if it is not shown.
    QImage pictureOf(PaneRole role);
    /// Where the results are shown: each plane, with the headers. Halves of a wipe count as the reference.
    std::vector<CompareView::SideArea> sideAreas() const;
    /// Height of sliders and values below the panes.
    int controlsHeight() const;
    /// The heading of a volume.
    PaneHeader& header(PaneRole role) { return *headers_[static_cast<std::size_t>(role)]; }
    /// Is a single pane shown?
    bool alone() const { return alone_.has_value(); }
    /// Index, position and values of the voxel under the mouse, else at the crosshair.
    QString probeText() const;

signals:
    void menuRequested(parallax::ui::PaneRole role, const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    /// Makes the side of a pane active when it is clicked.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool hasVolume() const;
    ImagePtr imageOf(PaneRole role) const;
    struct Cell {
        PaneRole role;
        std::optional<PlaneKind> kind;  ///< none: the rendering
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    /// The other pane of the compared pair; the pane itself if it is not one of them.
    PaneRole partnerOf(PaneRole role) const;
    std::vector<PaneRole> shownRoles() const;
    std::vector<PlaneKind> visiblePlanes() const;
    bool renderingVisible() const;
    QWidget& widgetOf(const Cell& cell);
    RenderPanes::Content contentOf(PaneRole role) const;
    /// Shows only this pane, or all panes again; the position in the volume stays.
    void toggleAlone(const Cell& cell);
    /// Moves the focus from a pane to the same plane of the active result.
    void followActive();
    /// Shows all panes again if the comparison does not show the single one any more.
    void checkAlone();
    void makePanes();
    void makeSliders();
    void connectStates();
    void takeVolume();
    void takeImages();
    void updateComparison();
    void arrange();
    /// Converts the value of a slider to the index of a slice, and back. Right means the same as wheel up: head, front, the patient's
    /// right.
    std::int64_t sliceAt(PlaneKind kind, std::int64_t value) const;
    void updateSliders();
    void updateProbe();

    Session& session_;
    CompareView& compare_;
    ViewState& view_;
    VolumeState& state_;
    Background slabs_{4};  ///< the GUI thread has priority
    std::array<std::array<VolumePane*, 3>, kPaneCount> panes_{};
    RenderPanes renderings_;
    std::array<PaneHeader*, kPaneCount> headers_{};
    std::array<QSlider*, 3> sliders_{};
    std::array<QLabel*, 3> sliderNames_{};
    QWidget* sliderRow_;
    QLabel* probe_;
    std::optional<Cell> alone_;
    QRect freeCell_;  ///< the unused cell of three planes in a square of four
};

}  // namespace parallax::ui
