// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/pane_overlays.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/document/formatting.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr double kGridScale = 10;  // device pixels per image pixel; below, the lines would cover too much
const QColor kBox(18, 18, 20, 205), kBoxText(228, 228, 232);
const QColor kMark(255, 221, 51);

/// Formats with four digits.
QString shortValue(float v) {
    if (std::isnan(v)) return QStringLiteral("NaN");
    if (std::isinf(v)) return v > 0 ? QStringLiteral("+Inf") : QStringLiteral("−Inf");
    return QString::number(static_cast<double>(v), 'g', 4);
}

double lightness(QRgb c) { return 0.2126 * qRed(c) + 0.7152 * qGreen(c) + 0.0722 * qBlue(c); }

/// Returns the channels whose samples are written, in the order of the lines.
std::vector<int> writtenChannels(const Pyramid& pyramid, const Colouring& colouring) {
    const int chosen = colouring.display.channel;
    if (!colouring.difference && chosen >= 0 && chosen < pyramid.image()->shape().channels) return {chosen};
    std::vector<int> channels;
    for (const int c : pyramid.channels().colour)
        if (c >= 0 && std::find(channels.begin(), channels.end(), c) == channels.end()) channels.push_back(c);
    return channels;
}

QFont bold(QFont font) {
    font.setBold(true);
    return font;
}

}  // namespace

void paintBox(QPainter& painter, const QRect& box) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(kBox);
    painter.drawRoundedRect(box, 5, 5);
}

LabelBox layOutLabel(const QFont& font, const PaneLabel& label, const QRect& area, bool atRight, int room, const LabelStyle& style) {
    LabelBox place;
    if (label.badge.isEmpty()) return place;
    const QFontMetrics boldMetrics(bold(font)), metrics(font);
    place.badge = boldMetrics.elidedText(label.badge, Qt::ElideRight, std::max(0, room - style.badgePadding));
    place.badgeWidth = boldMetrics.horizontalAdvance(place.badge) + style.badgePadding;
    if (room < place.badgeWidth) return place;
    place.title = boldMetrics.elidedText(label.title, Qt::ElideRight, std::max(0, room - place.badgeWidth - style.gap));
    for (const QString& text : {label.details, label.verdict})
        if (!text.isEmpty()) place.lines << metrics.elidedText(text, Qt::ElideRight, room);
    place.alert = label.alert && !label.verdict.isEmpty();
    int wide = place.badgeWidth + (place.title.isEmpty() ? 0 : style.gap + boldMetrics.horizontalAdvance(place.title));
    for (const QString& text : place.lines) wide = std::max(wide, metrics.horizontalAdvance(text));
    const int line = std::max(boldMetrics.height(), metrics.height()) + 1, width = wide + 2 * style.padding;
    const int height = line * (1 + static_cast<int>(place.lines.size())) + style.slack;
    place.box = QRect(atRight ? area.right() + 1 - style.margin - width : area.left() + style.margin, style.margin, width, height);
    return place;
}

void paintLabel(QPainter& painter, const PaneLabel& label, const LabelBox& place, const LabelStyle& style) {
    const QRect& box = place.box;
    if (box.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = painter.font();
    const int line = std::max(QFontMetrics(bold(font)).height(), QFontMetrics(font).height());
    const int wide = box.width() - 2 * style.padding;
    paintBox(painter, box);
    const QRect badge(box.left() + style.padding, box.top() + style.padding - 1, place.badgeWidth, line + 2);
    painter.setBrush(currentTheme().badge(label.badge));
    painter.drawRoundedRect(badge, 3, 3);
    painter.setFont(bold(font));
    painter.setPen(Qt::white);
    painter.drawText(badge, Qt::AlignCenter, place.badge);
    painter.drawText(QRect(badge.right() + style.gap, badge.top(), wide, line + 2), Qt::AlignVCenter | Qt::AlignLeft, place.title);
    painter.setFont(font);
    int y = badge.bottom() + 2;
    for (const QString& text : place.lines) {
        painter.setPen(place.alert && &text == &place.lines.back() ? QColor(255, 170, 120) : QColor(214, 214, 218));
        painter.drawText(QRect(badge.left(), y, wide + 2, line), Qt::AlignVCenter | Qt::AlignLeft, text);
        y += line + 1;
    }
}

QRectF PaneGeometry::rectOf(const QRect& pixels) const {
    const QPointF corner = (origin + QPointF(pixels.topLeft()) * scale) / ratio;
    return {corner, QSizeF(pixels.size()) * scale / ratio};
}

QRect PaneGeometry::visiblePixels(const QSizeF& imageSize) const {
    const QPointF first = -origin / scale;
    const QRectF seen(first, QSizeF(size) * ratio / scale);
    return seen.intersected(QRectF(QPointF(0, 0), imageSize)).toAlignedRect();
}

void paintPixelGrid(QPainter& painter, const PaneGeometry& geometry, const QSizeF& imageSize) {
    if (geometry.scale < kGridScale) return;
    const QRect seen = geometry.visiblePixels(imageSize);
    if (seen.isEmpty()) return;
    const QRectF area = geometry.rectOf(seen);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    // Half transparent grey is visible on light and dark pixels.
    painter.setPen(QPen(QColor(128, 128, 128, 110), 0));
    QVector<QLineF> lines;
    const double step = geometry.scale / geometry.ratio;
    for (int i = 0; i <= seen.width(); ++i) lines << QLineF(area.left() + i * step, area.top(), area.left() + i * step, area.bottom());
    for (int i = 0; i <= seen.height(); ++i) lines << QLineF(area.left(), area.top() + i * step, area.right(), area.top() + i * step);
    painter.drawLines(lines);
    painter.restore();
}

void paintPixelValues(QPainter& painter, const PaneGeometry& geometry, const Pyramid& pyramid, const Colouring& colouring) {
    QFont font = painter.font();
    font.setPointSizeF(std::max(6.0, font.pointSizeF() * 0.8));
    const QFontMetrics metrics(font);
    const std::vector<int> channels = writtenChannels(pyramid, colouring);
    const double side = geometry.scale / geometry.ratio;
    const int line = metrics.height();
    if (side < metrics.horizontalAdvance(QStringLiteral("−0.0000")) + 4 || side < line * static_cast<int>(channels.size()) + 4) return;
    const Shape& shape = pyramid.image()->shape();
    const QRect seen = geometry.visiblePixels(QSizeF(static_cast<double>(shape.width), static_cast<double>(shape.height)));
    if (seen.isEmpty()) return;
    const QImage colours = renderTile(pyramid, 0, seen, colouring);
    painter.save();
    painter.setFont(font);
    for (int y = seen.top(); y <= seen.bottom(); ++y) {
        for (int x = seen.left(); x <= seen.right(); ++x) {
            const QRectF cell = geometry.rectOf({x, y});
            painter.setPen(lightness(colours.pixel(x - seen.left(), y - seen.top())) > 120 ? QColor(0, 0, 0) : QColor(255, 255, 255));
            double top = cell.center().y() - 0.5 * line * static_cast<double>(channels.size()) + metrics.ascent();
            for (const int c : channels) {
                const float value = pyramid.image()->view().at(x, y, 0, c);
                QString text = shortValue(value);
                // Numbers with an exponent are longer: use fewer digits, so that they stay inside the pixel.
                for (int digits = 3; digits > 0 && metrics.horizontalAdvance(text) > side - 2; --digits)
                    text = QString::number(static_cast<double>(value), 'g', digits);
                painter.drawText(QPointF(cell.center().x() - 0.5 * metrics.horizontalAdvance(text), top), text);
                top += line;
            }
        }
    }
    painter.restore();
}

void paintSelection(QPainter& painter, const PaneGeometry& geometry, const QRect& pixels) {
    if (pixels.isEmpty()) return;
    const QRectF frame = geometry.rectOf(pixels).adjusted(-0.5, -0.5, 0.5, 0.5);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 220), 1));
    painter.drawRect(frame);
    painter.setPen(QPen(Qt::white, 1, Qt::DashLine));
    painter.drawRect(frame);
}

void paintMark(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel) {
    const QRectF inside = geometry.rectOf(pixel);
    // The frame surrounds the pixel and has a minimum size.
    const double around = std::max(1.5, (9 - inside.width()) / 2);
    const QRectF frame = inside.adjusted(-around, -around, around, around);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 210), 4));
    painter.drawRect(frame);
    painter.setPen(QPen(kMark, 2));
    painter.drawRect(frame);
}

void paintCursor(QPainter& painter, const PaneGeometry& geometry, PixelPosition pixel) {
    const QPointF at = geometry.rectOf(pixel).center();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [colour, width] : {std::pair{QColor(0, 0, 0, 200), 3.0}, std::pair{QColor(255, 255, 255, 230), 1.0}}) {
        painter.setPen(QPen(colour, width));
        for (const QPointF& direction : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)})
            painter.drawLine(at + direction * 4, at + direction * 10);
    }
}

std::optional<Legend> legendOf(const Colouring& colouring, double differenceScale, bool inverted) {
    const DisplaySettings& display = colouring.display;
    if (colouring.difference) {
        if (differenceScale <= 0) return std::nullopt;
        const bool isSigned = display.differenceMode == DifferenceMode::signedValue;
        const QString end = formatError(differenceScale);
        return Legend{isSigned ? QStringLiteral("−") + end : QStringLiteral("0"), isSigned ? QStringLiteral("+") + end : end,
                      [map = isSigned ? FalseColour::diverging : FalseColour::evenRamp](double t) { return falseColour(map, t); },
                      isSigned};
    }
    if (display.falseColour == FalseColour::none) return std::nullopt;
    return Legend{formatError(blackOf(display)), formatError(whiteOf(display)),
                  [map = display.falseColour, inverted](double t) { return falseColour(map, inverted ? 1 - t : t); }, false};
}

void paintLegend(QPainter& painter, const QSize& pane, const Legend& legend) {
    const QFontMetrics metrics(painter.font());
    constexpr int gap = 6, barHeight = 9;
    // Small panes need the space for the numbers.
    const int padding = pane.width() < 120 ? 4 : 7, margin = pane.width() < 120 ? 4 : 8;
    const int lowWidth = metrics.horizontalAdvance(legend.low), highWidth = metrics.horizontalAdvance(legend.high);
    const int room = pane.width() - 2 * margin - 2 * padding;
    // Numbers beside the bar if it stays long enough, else below it.
    const bool stacked = room - lowWidth - highWidth - 2 * gap < 60;
    const int barWidth = std::min(180, stacked ? room : room - lowWidth - highWidth - 2 * gap);
    if (barWidth < 16) return;  // the Inspector shows the numbers too
    const bool both = lowWidth + gap + highWidth <= barWidth;
    const int innerWidth = stacked ? std::max(barWidth, std::min(room, highWidth)) : barWidth + lowWidth + highWidth + 2 * gap;
    // Omit a number rather than cut it off.
    const bool numbers = highWidth <= innerWidth;
    const int boxHeight = 2 * padding + (numbers ? metrics.height() - 4 + (stacked ? barHeight + 4 : 0) : barHeight);
    const QRect box(pane.width() - margin - innerWidth - 2 * padding, pane.height() - margin - boxHeight, innerWidth + 2 * padding,
                    boxHeight);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBox(painter, box);
    painter.setPen(kBoxText);
    const QRect inner = box.adjusted(padding, 0, -padding, 0);
    const QRect text = stacked ? inner.adjusted(0, padding + barHeight, 0, -2) : inner;
    if (!stacked || both) painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, legend.low);
    if (numbers) painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, legend.high);
    const QRect bar = stacked ? QRect(inner.right() - barWidth + 1, box.top() + padding - 1, barWidth, barHeight)
                              : QRect(inner.left() + lowWidth + gap, box.center().y() - barHeight / 2, barWidth, barHeight);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, QColor(legend.colour(i / 16.0)));
    painter.fillRect(bar, gradient);
    painter.setPen(kBoxText);
    if (legend.middleMarked) painter.drawLine(bar.center().x(), bar.top() - 2, bar.center().x(), bar.bottom() + 2);
}

}  // namespace parallax::ui
