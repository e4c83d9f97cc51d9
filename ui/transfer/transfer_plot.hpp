// SPDX-License-Identifier: GPL-3.0-or-later
// A transfer function over the histogram of a volume: nodes that are dragged, added and deleted by mouse and keyboard.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/models/view/histogram.hpp"
#include "ui/transfer/opacity_curve.hpp"

namespace parallax::ui {

class TransferPlot : public QWidget {
    Q_OBJECT
public:
    explicit TransferPlot(QWidget* parent = nullptr);

    const OpacityCurve& curve() const { return curve_; }
    /// The selected node keeps its position in the list as far as there is one.
    void setCurve(const OpacityCurve& curve);
    /// Null: none.
    void setHistogram(std::shared_ptr<const Histogram> histogram);
    void setUnit(const QString& unit);
    std::size_t selected() const { return selected_; }
    void select(std::size_t node);
    /// Adds a node halfway between the selected one and the next, or the previous one.
    void addNode();
    void removeNode();
    /// Moves the selected node.
    void moveNode(double value, double opacity);
    void setColour(const QColor& colour);
    bool dragging() const { return dragging_; }

    /// Where a value and an opacity lie.
    QPointF placeOf(double value, double opacity) const;
    /// Step of values that one pixel is rounded to: a power of ten.
    double valueUnit() const;
    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {260, 150}; }

signals:
    /// While a node is dragged, between dragBegun() and dragEnded(), and after each other edit.
    void edited();
    void dragBegun();
    void dragEnded();
    void selectionChanged();
    /// The user wants to choose the colour of the selected node.
    void colourAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QRectF area() const;
    double valueAt(double x) const;
    double opacityAt(double y) const;
    std::optional<std::size_t> nodeAt(QPointF at) const;
    void addAt(QPointF at);
    /// Shows all values of the histogram and of the nodes.
    void showAll();
    double allFrom() const;
    double allTo() const;
    void paintHistogram(QPainter& painter) const;
    void paintCurve(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;

    OpacityCurve curve_;
    std::shared_ptr<const Histogram> histogram_;
    QString unit_;
    double from_ = 0, to_ = 1;  ///< visible values
    bool zoomed_ = false;
    std::size_t selected_ = 0;
    bool dragging_ = false;
    QPointF grip_;  ///< from the mouse to the node that is dragged
};

}  // namespace parallax::ui
