// SPDX-License-Identifier: GPL-3.0-or-later
// A widget that shows one image. Position and zoom come from the view state, which mouse and keys change.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/canvas/pane_overlays.hpp"
#include "ui/canvas/tile_cache.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

class ImagePane : public QWidget {
    Q_OBJECT
public:
    explicit ImagePane(ViewState& view, QWidget* parent = nullptr);

    void setPyramid(PyramidPtr pyramid);
    const PyramidPtr& pyramid() const { return tiles_.pyramid(); }
    void setLabel(const PaneLabel& label);
    const PaneLabel& label() const { return label_; }
    /// The label of the right side of a wipe.
    const PaneLabel& rightLabel() const { return rightLabel_; }
    /// The legend of the colours, if they are a map. `inverted`: small values have the colours of large ones.
    std::optional<Legend> legend(bool inverted = false) const { return legendOf(colouring_, differenceScale_, inverted); }
    /// Sets the image right of the wipe line. Null: none.
    void setRightSide(PyramidPtr pyramid, const PaneLabel& label);
    bool wiping() const { return wiping_; }
    void setWiping(bool wiping);
    /// Position of the wipe line: 0 is the left edge, 1 the right one.
    double wipePosition() const { return wipePosition_; }
    void setWipePosition(double position);
    /// Uses the colour map of differences: diverging over +-scale, or sequential from 0 to scale.
    void setDifference(bool difference) { difference_ = difference; }
    void setDifferenceScale(double scale, DifferenceMode mode);
    /// Dims an image that is about to be replaced.
    void setOutdated(bool outdated);
    void setRightOutdated(bool outdated);
    /// Marks the pane whose settings the Pipeline panel shows.
    void setActive(bool active);
    bool active() const { return active_; }
    /// Makes later changes of position and zoom apply to this pane, if panes are not linked.
    void makeCurrent() { view_.setCurrentPane(number_); }
    /// Is everything drawn, with nothing left for later frames?
    bool settled() const { return settled_; }

    /// The image pixel at a widget position; may lie outside the image.
    PixelPosition pixelAt(QPointF widgetPosition) const;
    QSize sizeHint() const override { return {480, 360}; }
    QSize minimumSizeHint() const override { return {120, 90}; }

signals:
    /// Labels or the legend have changed.
    void headingChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QPointF origin() const;  // device pixels
    double scale() const { return view_.viewport(number_).scale; }
    QSizeF deviceSize() const;
    int wipeX() const;
    bool onWipeLine(QPointF widgetPosition) const;
    void paintTiles(QPainter& painter);
    void paintWipeLine(QPainter& painter) const;
    void paintOverlays(QPainter& painter) const;
    void paintNotice(QPainter& painter, const QString& notice, const QRect& within) const;
    void applyDisplay();

    ViewState& view_;
    int number_;  ///< in view_
    TileCache tiles_, rightTiles_;
    PaneLabel label_, rightLabel_;
    Colouring colouring_;
    QPointF dragFrom_;
    std::optional<PixelPosition> selectFrom_;
    double differenceScale_ = 0, wipePosition_ = 0.5;
    DifferenceMode mode_ = DifferenceMode::signedValue;
    bool difference_ = false, outdated_ = false, rightOutdated_ = false, dragging_ = false, settled_ = true;
    bool active_ = false, wiping_ = false, draggingLine_ = false, selected_ = false;
};

}  // namespace parallax::ui
