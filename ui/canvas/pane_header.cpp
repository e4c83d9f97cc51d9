// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/pane_header.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kMargin = 4, kGap = 6, kBadgePadding = 10;

QFont bold(QFont font) {
    font.setBold(true);
    return font;
}

}  // namespace

PaneHeader::PaneHeader(ImagePane& pane, QWidget* parent) : QWidget(parent), pane_(pane) {
    setObjectName(QStringLiteral("paneHeader"));
    connect(&pane_, &ImagePane::headingChanged, this, qOverload<>(&QWidget::update));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void PaneHeader::setInverted(bool inverted) {
    if (inverted == inverted_) return;
    inverted_ = inverted;
    update();
}

QRect PaneHeader::legendArea() const {
    const auto legend = pane_.legend(inverted_);
    if (!legend) return {};
    // The names of the results matter more.
    const int wide = legendWidth(fontMetrics(), *legend, width() / 2);
    const auto title = [&](int room) { return lineOf(pane_.label(), room).title; };
    const int room = width() - 3 * kMargin;
    if (!pane_.wiping() && title(room - wide - kGap) != title(room)) return {};
    return wide > 0 ? QRect(width() - kMargin - wide, 0, wide, height()) : QRect();
}

std::pair<QRect, QRect> PaneHeader::areas() const {
    const QRect legend = legendArea();
    const QRect all(kMargin, 0, (legend.isEmpty() ? width() : legend.left() - kGap) - 2 * kMargin, height());
    if (!pane_.wiping()) return {all, {}};
    const int half = (all.width() - kGap) / 2;
    return {QRect(all.left(), 0, half, height()), QRect(all.right() + 1 - half, 0, half, height())};
}

PaneHeader::Line PaneHeader::lineOf(const PaneLabel& label, int room) const {
    Line line;
    const QFontMetrics strong(bold(font())), plain(fontMetrics());
    if (label.badge.isEmpty()) return line;
    line.badge = strong.elidedText(label.badge, Qt::ElideRight, std::max(0, room - kBadgePadding));
    line.badgeWidth = strong.horizontalAdvance(line.badge) + kBadgePadding;
    line.width = line.badgeWidth;
    const auto widthOf = [](const QFontMetrics& metrics, const QString& text) {
        return text.isEmpty() ? 0 : kGap + metrics.horizontalAdvance(text);
    };
    // A cut title still says more than a complete time.
    const auto add = [&](QString& place, const QFontMetrics& metrics, const QString& text) {
        if (line.width + widthOf(metrics, text) > room) return;
        place = text;
        line.width += widthOf(metrics, text);
    };
    add(line.mark, strong, label.mark);
    const int left = room - line.width - kGap;
    if (left >= strong.horizontalAdvance(QStringLiteral("xxx…"))) {
        line.title = strong.elidedText(label.title, Qt::ElideRight, left);
        line.width += widthOf(strong, line.title);
    }
    if (!label.figure.isEmpty()) add(line.figure, plain, line.title.isEmpty() ? label.figure : QStringLiteral("· ") + label.figure);
    add(line.hint, plain, label.hint);
    return line;
}

void PaneHeader::paintLine(QPainter& painter, const PaneLabel& label, const Line& line, const QRect& area) const {
    if (line.badge.isEmpty() || line.width > area.width()) return;
    const Theme& theme = currentTheme();
    const QRect badge(area.left(), area.top() + 2, line.badgeWidth, area.height() - 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.badge(label.badge));
    painter.drawRoundedRect(badge, 3, 3);
    painter.setFont(bold(font()));
    painter.setPen(Qt::white);
    painter.drawText(badge, Qt::AlignCenter, line.badge);
    int x = badge.right() + 1;
    const auto write = [&](const QString& text, const QFont& font, const QColor& colour) {
        if (text.isEmpty()) return;
        x += kGap;
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRect(x, area.top(), area.right() + 2 - x, area.height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += QFontMetrics(font).horizontalAdvance(text);
    };
    const QColor text = theme.palette.color(QPalette::WindowText);
    write(line.title, bold(font()), text);
    write(line.figure, font(), text);
    write(line.mark, bold(font()), label.alert ? theme.error : label.mark == QStringLiteral("✓") ? theme.success : theme.subtle);
    write(line.hint, font(), theme.subtle);
}

void PaneHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), currentTheme().palette.color(QPalette::Window));
    const auto [left, right] = areas();
    paintLine(painter, pane_.label(), lineOf(pane_.label(), left.width()), left);
    if (!right.isEmpty()) {
        const Line line = lineOf(pane_.rightLabel(), right.width());
        paintLine(painter, pane_.rightLabel(), line, right.adjusted(right.width() - line.width, 0, 0, 0));
    }
    painter.setFont(font());
    painter.setPen(currentTheme().palette.color(QPalette::WindowText));
    if (const QRect place = legendArea(); !place.isEmpty()) paintLegend(painter, place, *pane_.legend(inverted_));
}

QString PaneHeader::shownText() const {
    const auto [left, right] = areas();
    QStringList texts;
    const auto add = [&](const PaneLabel& label, int room) {
        const Line line = lineOf(label, room);
        for (const QString& text : {line.badge, line.title, line.figure, line.mark, line.hint})
            if (!text.isEmpty()) texts << text;
    };
    add(pane_.label(), left.width());
    if (!right.isEmpty()) add(pane_.rightLabel(), right.width());
    return texts.join(QLatin1Char(' '));
}

QString PaneHeader::tipAt(int x) const {
    const QRect right = areas().second;
    const PaneLabel& label = !right.isEmpty() && x >= right.left() ? pane_.rightLabel() : pane_.label();
    QStringList lines{(label.badge + QLatin1Char(' ') + label.title).trimmed()};
    for (const QString& text : {label.details, label.verdict, usage_.isEmpty() ? pane_.toolTip() : usage_})
        if (!text.isEmpty()) lines << text;
    return lines.join(QLatin1Char('\n'));
}

bool PaneHeader::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const QString tip =
        tipAt(static_cast<QHelpEvent*>(event)->pos().x()).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    QToolTip::showText(mapToGlobal(rect().bottomLeft()), QStringLiteral("<qt>%1</qt>").arg(tip), this, rect());
    return true;
}

}  // namespace parallax::ui
