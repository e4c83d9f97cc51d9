// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/kernel_plots.hpp"

#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

QColor between(const QColor& a, const QColor& b, double t) {
    const auto mix = [t](float x, float y) { return static_cast<float>(x + (y - x) * t); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

QString number(double value) { return withMinus(QLocale().toString(value, 'g', 3)); }

}  // namespace

void MatrixPlot::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const int line = fontMetrics().height();
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.chartText);
    painter.drawText(QRect(0, 0, width(), line), Qt::AlignLeft | Qt::AlignVCenter, heading_);
    painter.setFont(font());

    // The same square for all plots of a row, with or without axes.
    const int top = line + 6, bottom = axis_ * line + line + 22;
    const int side = std::max(16, std::min(width() - 2, height() - top - bottom));
    const QRectF square((width() - side) / 2.0, top, side, side);
    QRectF area = square;
    if (!picture_.isNull()) {
        const double aspect = static_cast<double>(picture_.width()) / picture_.height();
        if (aspect > 1) area.setHeight(side / aspect);
        else area.setWidth(side * aspect);
        area.moveCenter(square.center());
        painter.drawImage(area, picture_);  // without smoothing: elements are squares
    }
    painter.setPen(theme.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area);
    drawMarks(painter, area);

    const QRectF scale(square.left(), height() - line - 14, square.width(), 8);
    QLinearGradient gradient(scale.topLeft(), scale.topRight());
    for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, scaleColour(i / 16.0));
    painter.fillRect(scale, gradient);
    painter.setPen(theme.border);
    painter.drawRect(scale);
    painter.setPen(theme.subtle);
    const QRectF labels(square.left(), scale.bottom() + 2, square.width(), line);
    painter.drawText(labels, Qt::AlignLeft, low_);
    painter.drawText(labels, Qt::AlignHCenter, middle_);
    painter.drawText(labels, Qt::AlignRight, high_);
}

KernelPlot::KernelPlot(QWidget* parent) : MatrixPlot(parent) {
    heading_ = tr("Weights");
    middle_ = QStringLiteral("0");
    axis_ = 1;
    setAccessibleName(tr("Weights as colours"));
    setToolTip(tr("Blue: below 0. Orange: above 0. The circle marks the centre, which is placed on the pixel unless an anchor is set."));
}

QColor KernelPlot::scaleColour(double position) const {
    const Theme& theme = currentTheme();
    const QColor zero = theme.palette.color(QPalette::Base);
    const QColor negative = theme.dark ? QColor(0x56, 0xb4, 0xe9) : QColor(0x00, 0x72, 0xb2);
    const QColor positive = theme.dark ? QColor(0xf0, 0x8a, 0x30) : QColor(0xd5, 0x5e, 0x00);
    return position < 0.5 ? between(zero, negative, 1 - 2 * position) : between(zero, positive, 2 * position - 1);
}

void KernelPlot::setKernel(const Kernel& kernel) {
    kernel_ = kernel;
    render();
}

void KernelPlot::render() {
    double largest = 0;
    for (const double w : kernel_.weights) largest = std::max(largest, std::fabs(w));
    picture_ = QImage(kernel_.width, kernel_.height, QImage::Format_RGB32);
    for (int v = 0; v < kernel_.height; ++v)
        for (int u = 0; u < kernel_.width; ++u)
            picture_.setPixelColor(u, v, scaleColour(largest > 0 ? 0.5 + 0.5 * kernel_.at(u, v) / largest : 0.5));
    low_ = number(-largest);
    high_ = number(largest);
    update();
}

void KernelPlot::drawMarks(QPainter& painter, const QRectF& area) const {
    const double element = area.width() / kernel_.width;
    const double radius = std::clamp(element * 0.2, 2.0, 5.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(currentTheme().chartText, 1.2));
    painter.drawEllipse(area.topLeft() + QPointF(kernel_.width / 2 + 0.5, kernel_.height / 2 + 0.5) * element, radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void KernelPlot::changeEvent(QEvent* event) {
    MatrixPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) render();
}

ResponsePlot::ResponsePlot(QWidget* parent) : MatrixPlot(parent) {
    heading_ = tr("Frequency response");
    axis_ = 1;
    setAccessibleName(tr("Magnitude of the frequency response"));
    setToolTip(
        tr("Gain of the kernel per frequency: zero frequency (the mean) in the middle, the Nyquist frequency (0.5 cycles per pixel) at the "
           "edges."));
}

QColor ResponsePlot::scaleColour(double position) const {
    // Black, violet, orange, pale yellow: monotonic lightness, readable in grey and with colour blindness.
    static const QColor stops[] = {QColor(0x06, 0x05, 0x12), QColor(0x50, 0x1c, 0x6b), QColor(0xb2, 0x3a, 0x5e), QColor(0xf2, 0x82, 0x2e),
                                   QColor(0xfc, 0xf6, 0xb5)};
    const double x = std::clamp(position, 0.0, 1.0) * 4;
    const int i = std::min(3, static_cast<int>(x));
    return between(stops[i], stops[i + 1], x - i);
}

void ResponsePlot::setResponse(const std::vector<double>& magnitudes) {
    const double largest = *std::max_element(magnitudes.begin(), magnitudes.end());
    picture_ = QImage(kGrid, kGrid, QImage::Format_RGB32);
    for (int y = 0; y < kGrid; ++y)
        for (int x = 0; x < kGrid; ++x) {
            const double m = magnitudes[static_cast<std::size_t>(y) * kGrid + static_cast<std::size_t>(x)];
            picture_.setPixelColor(x, y, scaleColour(largest > 0 ? m / largest : 0));
        }
    low_ = QStringLiteral("0");
    high_ = number(largest);
    update();
}

void ResponsePlot::drawMarks(QPainter& painter, const QRectF& area) const {
    const int line = fontMetrics().height();
    painter.setPen(currentTheme().subtle);
    // On an even grid, zero frequency is the first element after the middle.
    const double zero = area.left() + area.width() * (kGrid / 2 + 0.5) / kGrid;
    const QRectF labels(area.left(), area.bottom() + 4, area.width(), line);
    painter.drawLine(QPointF(zero, area.bottom()), QPointF(zero, area.bottom() + 3));
    painter.drawText(labels, Qt::AlignLeft, QStringLiteral("−½"));
    painter.drawText(QRectF(zero - 60, labels.top(), 120, line), Qt::AlignHCenter, tr("0 cycles/px"));
    painter.drawText(labels, Qt::AlignRight, QStringLiteral("½"));
}

}  // namespace parallax::ui
