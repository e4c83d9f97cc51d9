// SPDX-License-Identifier: GPL-3.0-or-later
// A single-line label that elides its text and shows all of it in a tooltip. It requires no minimum width.
#pragma once

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QStringList>
#include <QStyle>
#include <QToolTip>
#include <algorithm>

namespace parallax::ui {

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr) : QLabel(parent) { setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); }
    /// The text, or as many of its parts ("A · B, C") as fit; a single part is cut.
    QString shownText() const {
        const QFontMetrics metrics = fontMetrics();
        const int room = contentsRect().width();
        if (metrics.horizontalAdvance(text()) <= room) return text();
        for (qsizetype end = text().size(); end > 0;) {
            end = std::max(text().lastIndexOf(QStringLiteral(" ·"), end - 1), text().lastIndexOf(QStringLiteral(", "), end - 1));
            const QString parts = text().left(std::max<qsizetype>(0, end)).trimmed() + QStringLiteral(" …");
            if (end > 0 && metrics.horizontalAdvance(parts) <= room) return parts;
        }
        return metrics.elidedText(text(), Qt::ElideRight, room);
    }
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QLabel::event(event);
        QStringList lines;
        if (isCutOff()) lines << text();
        if (!toolTip().isEmpty() && toolTip() != text()) lines << toolTip();
        // Below the label, so that the tooltip does not cover it.
        QToolTip::showText(mapToGlobal(rect().bottomLeft()), lines.join(QStringLiteral("\n\n")), this, rect());
        return true;
    }
    void paintEvent(QPaintEvent* event) override {
        // Qt paints selected text.
        if (hasSelectedText() || !isCutOff()) return QLabel::paintEvent(event);
        QPainter painter(this);
        style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shownText(),
                              foregroundRole());
    }

private:
    bool isCutOff() const { return fontMetrics().horizontalAdvance(text()) > contentsRect().width(); }
};

}  // namespace parallax::ui
