// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that ends in dots where its place is too small, and then says all of it in its tooltip. It does not ask for width.
#pragma once

#include <QLabel>
#include <QPainter>
#include <QStringList>
#include <QStyle>
#include <QToolTip>

namespace parallax::ui {

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr) : QLabel(parent) { setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); }
    QString shownText() const { return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()); }
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QLabel::event(event);
        QStringList lines;
        if (isCutOff()) lines << text();
        if (!toolTip().isEmpty() && toolTip() != text()) lines << toolTip();
        // Below it: over it the tooltip would hide what one came to read.
        QToolTip::showText(mapToGlobal(rect().bottomLeft()), lines.join(QStringLiteral("\n\n")), this, rect());
        return true;
    }
    void paintEvent(QPaintEvent* event) override {
        // Who selects text in it gets Qt's own painting, whole or not.
        if (hasSelectedText() || !isCutOff()) return QLabel::paintEvent(event);
        QPainter painter(this);
        style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shownText(),
                              foregroundRole());
    }

private:
    bool isCutOff() const { return fontMetrics().horizontalAdvance(text()) > contentsRect().width(); }
};

}  // namespace parallax::ui
