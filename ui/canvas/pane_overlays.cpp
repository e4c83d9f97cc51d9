// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/pane_overlays.hpp"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/document/formatting.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

const QColor kBox(18, 18, 20, 205);
const QColor kMark(255, 221, 51);

/// Writes numbers in the language of the window, without separators of groups, for which a pixel has no room.
class NumberText {
public:
    NumberText() { locale_.setNumberOptions(QLocale::OmitGroupSeparator); }
    QString operator()(float v, int digits) const {
        if (std::isnan(v)) return QStringLiteral("NaN");
        if (std::isinf(v)) return v > 0 ? QStringLiteral("+Inf") : QStringLiteral("−Inf");
        return withMinus(locale_.toString(static_cast<double>(v), 'g', digits));
    }

private:
    QLocale locale_;
};

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

}  // namespace

void paintBox(QPainter& painter, const QRect& box) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(kBox);
    painter.drawRoundedRect(box, 5, 5);
}

void paintFrame(QPainter& painter, const QRect& pane, const QColor& colour, bool active) {
    const int width = active ? 2 : 1;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(pane.adjusted(width / 2, width / 2, -(width + 1) / 2, -(width + 1) / 2));
}

void paintTag(QPainter& painter, const QRect& pane, const QString& text) {
    constexpr int kMargin = 8, kPaddingX = 8, kPaddingY = 3;
    const QFontMetrics metrics(painter.font());
    const int room = pane.width() - 2 * (kMargin + kPaddingX);
    if (text.isEmpty() || room < metrics.averageCharWidth()) return;
    const QString line = metrics.elidedText(text, Qt::ElideRight, room);
    QRect box(0, 0, metrics.horizontalAdvance(line) + 2 * kPaddingX, metrics.height() + 2 * kPaddingY);
    box.moveCenter(pane.center());
    box.moveBottom(pane.bottom() - kMargin);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBox(painter, box);
    painter.setPen(QColor(236, 236, 240));
    painter.drawText(box, Qt::AlignCenter, line);
}

QRectF PaneGeometry::rectOf(const QRect& pixels) const {
    const QPointF corner = (origin + QPointF(pixels.topLeft()) * scale) / ratio;
    return {corner, QSizeF(pixels.size()) * scale / ratio};
}

QRect PaneGeometry::pixelsIn(const QRectF& part, const QSizeF& imageSize) const {
    const QRectF seen((part.topLeft() * ratio - origin) / scale, part.size() * ratio / scale);
    return seen.intersected(QRectF(QPointF(0, 0), imageSize)).toAlignedRect();
}

PixelValues::PixelValues(const PaneGeometry& geometry, const Pyramid& pyramid, const Colouring& colouring, const QFont& font)
    : geometry_(geometry), pyramid_(pyramid), colouring_(colouring), font_(font), channels_(writtenChannels(pyramid, colouring)) {
    font_.setPointSizeF(std::max(6.0, font_.pointSizeF() * 0.8));
}

bool PixelValues::fit() const {
    const QFontMetrics metrics(font_);
    const double side = geometry_.scale / geometry_.ratio;
    return side >= metrics.horizontalAdvance(QStringLiteral("−0.0000")) + 4 &&
           side >= metrics.height() * static_cast<int>(channels_.size()) + 4;
}

void PixelValues::paint(QPainter& painter, const QRectF& part) const {
    const QFontMetrics metrics(font_);
    const double side = geometry_.scale / geometry_.ratio;
    const int line = metrics.height();
    const Shape& shape = pyramid_.image()->shape();
    const QRect pixels = geometry_.pixelsIn(part, QSizeF(static_cast<double>(shape.width), static_cast<double>(shape.height)));
    if (pixels.isEmpty()) return;
    const QImage colours = renderTile(pyramid_, 0, pixels, colouring_);
    const NumberText textOf;
    painter.setFont(font_);
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        for (int x = pixels.left(); x <= pixels.right(); ++x) {
            const QRectF cell = geometry_.rectOf({x, y});
            painter.setPen(lightness(colours.pixel(x - pixels.left(), y - pixels.top())) > 120 ? QColor(0, 0, 0) : QColor(255, 255, 255));
            double top = cell.center().y() - 0.5 * line * static_cast<double>(channels_.size()) + metrics.ascent();
            for (const int c : channels_) {
                const float value = pyramid_.image()->view().at(x, y, 0, c);
                QString text = textOf(value, 4);
                int width = metrics.horizontalAdvance(text);
                // Numbers with an exponent are longer: use fewer digits, so that they stay inside the pixel.
                for (int digits = 3; digits > 0 && width > side - 2; --digits) {
                    text = textOf(value, digits);
                    width = metrics.horizontalAdvance(text);
                }
                painter.drawText(QPointF(cell.center().x() - 0.5 * width, top), text);
                top += line;
            }
        }
    }
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

void paintShadowed(QPainter& painter, const QRect& area, const QString& text, const QColor& colour) {
    // At a point instead of in a rectangle, which would be laid out in every frame.
    const QFontMetrics metrics = painter.fontMetrics();
    const QPoint at(area.left() + (area.width() - metrics.horizontalAdvance(text)) / 2,
                    area.top() + (area.height() + metrics.ascent() - metrics.descent()) / 2);
    painter.setPen(Qt::black);
    painter.drawText(at + QPoint(1, 1), text);
    painter.setPen(colour);
    painter.drawText(at, text);
}

void paintCursor(QPainter& painter, const QRectF& pixel) {
    constexpr double smallest = 6;  // of an outline
    const bool outlined = pixel.width() >= smallest && pixel.height() >= smallest;
    const QPointF at = pixel.center();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const auto& [colour, width] : {std::pair{QColor(0, 0, 0, 200), 3.0}, std::pair{QColor(255, 255, 255, 230), 1.0}}) {
        painter.setPen(QPen(colour, width));
        if (outlined) {
            painter.drawRect(pixel);
            continue;
        }
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
        const BeyondColours beyond = beyondColours(display.differenceMode);
        return Legend{.low = isSigned ? QStringLiteral("−") + end : QStringLiteral("0"),
                      .high = isSigned ? QStringLiteral("+") + end : end,
                      .colour = [map = mapOf(display.differenceMode)](double t) { return falseColour(map, t); },
                      .middleMarked = isSigned,
                      .below = isSigned ? std::optional(beyond.below) : std::nullopt,
                      .above = beyond.above};
    }
    if (display.falseColour == FalseColour::none) return std::nullopt;
    return Legend{.low = formatError(blackOf(display)),
                  .high = formatError(whiteOf(display)),
                  .colour = [map = display.falseColour, inverted](double t) { return falseColour(map, inverted ? 1 - t : t); },
                  .below = {},
                  .above = {}};
}

namespace {

constexpr int kLegendGap = 5, kLegendHeight = 9, kLongestBar = 160, kShortestBar = 24, kBeyondWidth = 4;

int numbersWidth(const QFontMetrics& metrics, const Legend& legend) {
    return metrics.horizontalAdvance(legend.low) + metrics.horizontalAdvance(legend.high) + 2 * kLegendGap;
}

}  // namespace

int legendWidth(const QFontMetrics& metrics, const Legend& legend, int room) {
    const int bar = std::min(kLongestBar, room - numbersWidth(metrics, legend));
    return bar < kShortestBar ? 0 : bar + numbersWidth(metrics, legend);
}

void paintLegend(QPainter& painter, const QRect& area, const Legend& legend) {
    const QFontMetrics metrics(painter.font());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, legend.low);
    painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, legend.high);
    QRect bar(area.left() + metrics.horizontalAdvance(legend.low) + kLegendGap, area.center().y() - kLegendHeight / 2,
              area.width() - numbersWidth(metrics, legend), kLegendHeight);
    if (legend.below) {
        painter.fillRect(QRect(bar.left(), bar.top(), kBeyondWidth, bar.height()), QColor(*legend.below));
        bar.setLeft(bar.left() + kBeyondWidth + 1);
    }
    if (legend.above) {
        painter.fillRect(QRect(bar.right() + 1 - kBeyondWidth, bar.top(), kBeyondWidth, bar.height()), QColor(*legend.above));
        bar.setRight(bar.right() - kBeyondWidth - 1);
    }
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, QColor(legend.colour(i / 16.0)));
    painter.fillRect(bar, gradient);
    if (legend.middleMarked) painter.drawLine(bar.center().x(), bar.top() - 2, bar.center().x(), bar.bottom() + 2);
}

}  // namespace parallax::ui
