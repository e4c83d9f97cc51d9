// SPDX-License-Identifier: GPL-3.0-or-later
// The line above a picture: which result it shows, its time and verdict, and the legend of its colours. Details are in the tooltip.
#pragma once

#include <QWidget>

#include "ui/canvas/image_pane.hpp"

namespace parallax::ui {

class PaneHeader : public QWidget {
    Q_OBJECT
public:
    /// Follows the labels and colours of `pane`.
    explicit PaneHeader(ImagePane& pane, QWidget* parent = nullptr);

    /// Replaces the last paragraph of the tooltip, which is the tooltip of the pane.
    void setUsage(const QString& usage) { usage_ = usage; }
    /// Reverses the colours of the legend.
    void setInverted(bool inverted);
    /// The tooltip at a position.
    QString tipAt(int x) const;
    /// The texts as they are painted, cut where there is no room.
    QString shownText() const;
    QSize sizeHint() const override { return {120, fontMetrics().height() + 6}; }
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The texts of one label that fit, and their width.
    struct Line {
        QString badge, title, figure, mark, hint;
        int badgeWidth = 0, width = 0;
    };
    Line lineOf(const PaneLabel& label, int room) const;
    /// Areas of the left and the right label.
    std::pair<QRect, QRect> areas() const;
    QRect legendArea() const;
    void paintLine(QPainter& painter, const PaneLabel& label, const Line& line, const QRect& area) const;

    ImagePane& pane_;
    QString usage_;
    bool inverted_ = false;
};

}  // namespace parallax::ui
