// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that ends in dots where its place is too small, and then says all of it in its tooltip. It does not ask for width.
#pragma once

#include <QLabel>
#include <QPainter>
#include <QStyle>

namespace parallax::ui {

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr) : QLabel(parent) { setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); }
    QString shownText() const { return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()); }
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override {
        // Who selects text in it gets Qt's own painting, whole or not.
        if (hasSelectedText() || fontMetrics().horizontalAdvance(text()) <= contentsRect().width()) return QLabel::paintEvent(event);
        QPainter painter(this);
        style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shownText(),
                              foregroundRole());
    }
};

}  // namespace parallax::ui
