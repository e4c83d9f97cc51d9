// SPDX-License-Identifier: GPL-3.0-or-later
// Texts along straight lines of a chart, just above them, where they hide neither each other nor points.
#pragma once

#include <QColor>
#include <QString>
#include <QTransform>
#include <QVector>
#include <optional>

#include "ui/charts/plot.hpp"

namespace parallax::ui {

/// One item for all labels of an axis rectangle, to be made after what they may hide: places are found at each drawing, when the size is
/// known. Those added first have the first choice; one that finds no place is left out.
class LineLabels : public QCPAbstractItem {
public:
    explicit LineLabels(QCPAxisRect& axes);
    /// Along the line from one place of the axes to another, left to right; near its left end if it can be, else further right, or the
    /// other way round.
    void add(QPointF from, QPointF to, const QString& text, const QColor& colour, bool fromRight);
    /// A place of the axes that labels keep away from.
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
    /// Null if it has no place between the others.
    std::optional<Placed> place(const Label& label, const QVector<QPolygonF>& taken) const;

    QCPAxisRect* axes_;
    QVector<Label> labels_;
    QVector<QPointF> obstacles_;
};

}  // namespace parallax::ui
