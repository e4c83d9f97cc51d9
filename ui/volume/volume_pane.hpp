// SPDX-License-Identifier: GPL-3.0-or-later
// Shows one plane of one volume: a slice or slab in true aspect with crosshair, orientation letters and the number of the slice. Position
// and zoom come from the shared states, which mouse, wheel and keys change.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/canvas/image_pane.hpp"
#include "ui/models/volume/box_edit.hpp"
#include "ui/models/volume/side_slices.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/background.hpp"
#include "ui/volume/plane_renderer.hpp"

namespace parallax::ui {

QString planeName(PlaneKind kind, bool placed);

class VolumePane : public QWidget {
    Q_OBJECT
public:
    VolumePane(VolumeState& state, ViewState& view, Background& slabs, PlaneKind kind, QWidget* parent = nullptr);

    PlaneKind kind() const { return kind_; }
    void setImage(const ImagePtr& image) { setImage(left_, image); }
    const ImagePtr& image() const { return left_.image; }
    void setLabel(const PaneLabel& label);
    const PaneLabel& label() const { return label_; }
    /// Shows another volume right of a vertical line at this fraction of the width.
    void setWipe(const ImagePtr& image, double position);
    void setNoWipe();
    bool wiping() const { return wipe_.has_value(); }
    /// Shows a difference with a colour map over +-scale, or from 0 to scale.
    void setDifference(double scale, DifferenceMode mode);
    void setOutdated(bool left, bool right);
    bool settled() const { return !left_.pending && !right_.pending && !dirty_; }
    /// The voxel at a widget position, if any.
    std::optional<Voxel> voxelAt(QPointF position) const;
    /// The widget position of a voxel's centre.
    QPointF placeOf(const Voxel& voxel) const;
    /// An orientation letter of the patient, or the name of an axis.
    struct Letter {
        QString text;
        QRect box;
    };
    std::vector<Letter> letters() const;
    /// Texts for the position of the slice or slab, the longest first.
    QStringList sliceTexts() const;
    /// Where the position of the slice or slab is written.
    QRect slicePlace() const;
    /// The texts of the measurement that lies on this slice: its lengths, then its angle.
    QStringList measurementTexts() const;
    /// Length of the scale bar in mm, or in voxels without a geometry, and its place; none where there is no room.
    struct ScaleBar {
        double length = 0;
        QString text;
        QRect place;
    };
    std::optional<ScaleBar> scaleBar() const;
    /// Where the edges of the selected box lie; empty if there is none.
    QRectF boxPlace() const;
    /// Are letters and slice written on the picture?
    void setAnnotated(bool annotated);
    /// Marks the pane whose settings the Pipeline panel shows.
    void setActive(bool active);
    QSize sizeHint() const override { return {320, 320}; }
    QSize minimumSizeHint() const override { return {80, 80}; }

signals:
    void menuRequested(const QPoint& global);
    /// The user wants to see only this pane, or all panes again.
    void aloneRequested();
    void wipeMoved(double position);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { none, crosshair, window, pan, wipe, measure, box };
    struct Layer {
        std::string key;
        ImagePtr image;
        VolumeFrame frame;
        ImagePtr slicedImage;  ///< image of `slice`
        SliceRequest sliced;
        PlaneSlice slice;
        SideSlices side;
        QImage picture;
        QPoint corner;  ///< position of the picture, in device pixels
        bool pending = false, stale = true;
    };
    void setImage(Layer& layer, const ImagePtr& image);
    QPointF fromMiddle(QPointF position) const;
    QFont bold() const;
    QSizeF deviceSize() const;
    int wipeX() const;
    bool onWipeLine(QPointF position) const;
    /// Updates slice and picture; a large slab follows from the background.
    void prepare(Layer& layer);
    SliceRequest requestOf(const Layer& layer) const;
    void refresh();
    void refreshColours();
    void track(QPointF position);
    void paintLayer(QPainter& painter, Layer& layer, const QRect& part, bool outdated);
    void paintCrosshair(QPainter& painter) const;
    void paintLetters(QPainter& painter) const;
    /// The longest of sliceTexts() that fits.
    QString sliceText() const;
    void paintNotice(QPainter& painter) const;
    std::int64_t slice() const { return state_.crosshair()[static_cast<std::size_t>(state_.axes(kind_).n)]; }
    QPointF placeOf(QPointF mm) const;
    /// The measurement that lies on this slice, if any.
    const Measurement* measurement() const;
    void beginMeasurement(QPointF position);
    void moveMeasurement(QPointF position);
    void endMeasurement();
    QString lengthText(double length) const;
    QPointF mmAt(QPointF position) const;
    std::optional<BoxGrip> boxGripAt(QPointF position) const;
    void beginBox(QPointF position);
    void moveBox(QPointF position);
    void endBox();
    Qt::CursorShape boxCursorAt(QPointF position) const;

    VolumeState& state_;
    ViewState& view_;
    Background& slabs_;  ///< computes slabs that take too long for a frame
    const PlaneKind kind_;
    Layer left_, right_;
    PaneLabel label_;
    std::optional<double> wipe_;
    Colouring colouring_;
    std::optional<PlaneColours> colours_;
    double differenceScale_ = 0;
    DifferenceMode mode_ = DifferenceMode::signedValue;
    bool difference_ = false, leftOutdated_ = false, rightOutdated_ = false, dirty_ = true, moved_ = false, annotated_ = true,
         active_ = false;
    Drag drag_ = Drag::none;
    QPointF from_, last_;
    std::optional<SampleBox> boxFrom_;  ///< the box that is dragged; none: a new one is drawn
    BoxGrip boxGrip_;
    double centreFrom_ = 0, widthFrom_ = 1;
    int wheel_ = 0;  ///< eighths of a degree short of a slice
};

}  // namespace parallax::ui
