// SPDX-License-Identifier: GPL-3.0-or-later
// Labels along straight lines of a chart, placed where they hide neither each other nor points.
#pragma once

#include <QColor>
#include <QString>
#include <QTransform>
#include <QVector>
#include <optional>

#include "ui/charts/plot.hpp"

namespace parallax::ui {

/// One item for all labels of an axis rectangle, created after the items that labels must avoid. Positions are found at each drawing.
/// Labels added first have priority; those without a place are left out.
class LineLabels : public QCPAbstractItem {
public:
    explicit LineLabels(QCPAxisRect& axes);
    /// Adds a label along a line in axis coordinates, preferably near its left end, or near its right end.
    void add(QPointF from, QPointF to, const QString& text, const QColor& colour, bool fromRight);
    /// Adds a position in axis coordinates that labels avoid.
    void avoid(QPointF place) { obstacles_ << place; }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;
    QPointF anchorPixelPosition(int) const override { return {}; }

private:
    struct Label {
        QPointF from, to;
        QString text;
        QColor colour;
        bool fromRight;
    };
    struct Placed {
        QTransform turn;    // to the line and along it
        QRectF box;         // of the text there
        QPolygonF outline;  // in pixels
    };
    QPointF pixel(QPointF place) const;
    /// Returns null if there is no place between the others.
    std::optional<Placed> place(const Label& label, const QVector<QPolygonF>& taken) const;

    QCPAxisRect* axes_;
    QVector<Label> labels_;
    QVector<QPointF> obstacles_;
};

}  // namespace parallax::ui
