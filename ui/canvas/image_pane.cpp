// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/canvas/image_pane.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <cmath>

#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {

ImagePane::ImagePane(ViewState& view, QWidget* parent) : QWidget(parent), view_(view) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::CrossCursor);
    connect(&view_, &ViewState::viewChanged, this, qOverload<>(&QWidget::update));
    connect(&view_, &ViewState::displayChanged, this, &ImagePane::applyDisplay);
    connect(&view_, &ViewState::cursorChanged, this, qOverload<>(&QWidget::update));
}

QSizeF ImagePane::deviceSize() const { return QSizeF(size()) * devicePixelRatioF(); }

QPointF ImagePane::origin() const {
    const QSizeF extent = deviceSize();
    const QPointF middle(extent.width() / 2, extent.height() / 2);
    const QPointF at = middle - view_.centre() * view_.scale();
    // Whole device pixels: at 1:1 a sample is exactly one of them.
    return {std::round(at.x()), std::round(at.y())};
}

PixelPosition ImagePane::pixelAt(QPointF widgetPosition) const {
    const QPointF p = (widgetPosition * devicePixelRatioF() - origin()) / view_.scale();
    return {static_cast<std::int64_t>(std::floor(p.x())), static_cast<std::int64_t>(std::floor(p.y()))};
}

void ImagePane::setPyramid(PyramidPtr pyramid) {
    tiles_.setPyramid(std::move(pyramid));
    settled_ = false;
    update();
}

void ImagePane::setLabel(const PaneLabel& label) {
    label_ = label;
    setAccessibleName(label.badge + QLatin1Char(' ') + label.title);
    setAccessibleDescription(label.details + QLatin1Char(' ') + label.verdict + QLatin1Char(' ') + label.notice);
    update();
}

void ImagePane::setDifferenceScale(double scale) {
    differenceScale_ = scale;
    applyDisplay();
}

void ImagePane::setOutdated(bool outdated) {
    if (outdated == outdated_) return;
    outdated_ = outdated;
    update();
}

void ImagePane::applyDisplay() {
    tiles_.setColouring({difference_, view_.display().exposure, differenceScale_ > 0 ? differenceScale_ : 1});
    settled_ = false;
    update();
}

void ImagePane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.canvas);
    const double ratio = devicePixelRatioF();
    if (tiles_.pyramid()) {
        painter.save();
        painter.scale(1 / ratio, 1 / ratio);
        if (outdated_) painter.setOpacity(0.75);
        settled_ = tiles_.paint(painter, QRect(QPoint(0, 0), deviceSize().toSize()), origin(), view_.scale());
        painter.restore();
        if (!settled_) QTimer::singleShot(0, this, qOverload<>(&QWidget::update));
        paintCursor(painter);
        if (difference_ && differenceScale_ > 0) paintLegend(painter);
    } else {
        settled_ = true;
    }
    if (!label_.notice.isEmpty()) paintNotice(painter);
    paintLabel(painter);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void ImagePane::paintLabel(QPainter& painter) const {
    if (label_.badge.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics boldMetrics(bold), metrics(font());
    const int padding = 7, gap = 6, margin = 8;
    const int line = std::max(boldMetrics.height(), metrics.height());
    const int badgeWidth = boldMetrics.horizontalAdvance(label_.badge) + 12;
    const int limit = width() - 2 * margin - 2 * padding;
    QString title = boldMetrics.elidedText(label_.title, Qt::ElideRight, std::max(0, limit - badgeWidth - gap));
    QStringList lines;
    for (const QString& text : {label_.details, label_.verdict})
        if (!text.isEmpty()) lines << metrics.elidedText(text, Qt::ElideRight, limit);
    int wide = badgeWidth + (title.isEmpty() ? 0 : gap + boldMetrics.horizontalAdvance(title));
    for (const QString& text : lines) wide = std::max(wide, metrics.horizontalAdvance(text));
    const int high = line + 4 + static_cast<int>(lines.size()) * (line + 1);
    const QRect box(margin, margin, wide + 2 * padding, high + 2 * padding - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 18, 20, 205));
    painter.drawRoundedRect(box, 5, 5);
    int y = box.top() + padding - 1;
    const QRect badge(box.left() + padding, y, badgeWidth, line + 2);
    painter.setBrush(currentTheme().badge(label_.badge));
    painter.drawRoundedRect(badge, 3, 3);
    painter.setFont(bold);
    painter.setPen(Qt::white);
    painter.drawText(badge, Qt::AlignCenter, label_.badge);
    painter.drawText(QRect(badge.right() + gap, y, wide, line + 2), Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.setFont(font());
    y += line + 4;
    for (const QString& text : lines) {
        const bool verdict = !label_.verdict.isEmpty() && &text == &lines.back();
        painter.setPen(verdict && label_.alert ? QColor(255, 170, 120) : QColor(214, 214, 218));
        painter.drawText(QRect(box.left() + padding, y, wide + 2, line), Qt::AlignVCenter | Qt::AlignLeft, text);
        y += line + 1;
    }
}

void ImagePane::paintLegend(QPainter& painter) const {
    const QFontMetrics metrics(font());
    const QString low = QStringLiteral("−") + formatError(differenceScale_), high = QStringLiteral("+") + formatError(differenceScale_);
    const int padding = 7, gap = 6, margin = 8;
    const int textWidth = metrics.horizontalAdvance(low) + metrics.horizontalAdvance(high);
    const int barWidth = std::min(180, width() - 2 * margin - textWidth - 2 * gap - 2 * padding);
    if (barWidth < 16) return;  // the difference is in the label and the inspector, too
    const QRect box(width() - margin - (barWidth + textWidth + 2 * gap + 2 * padding), height() - margin - metrics.height() - 2 * padding + 4,
                    barWidth + textWidth + 2 * gap + 2 * padding, metrics.height() + 2 * padding - 4);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 18, 20, 205));
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(QColor(228, 228, 232));
    QRect inner = box.adjusted(padding, 0, -padding, 0);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, low);
    painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter, high);
    const QRect bar(inner.left() + metrics.horizontalAdvance(low) + gap, box.center().y() - 4, barWidth, 9);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, QColor(divergingColour(i / 8.0 - 1)));
    painter.fillRect(bar, gradient);
    painter.setPen(QColor(228, 228, 232));
    painter.drawLine(bar.center().x(), bar.top() - 2, bar.center().x(), bar.bottom() + 2);
}

void ImagePane::paintNotice(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect area = rect().adjusted(24, 24, -24, -24);
    const QRect text = painter.boundingRect(area, Qt::AlignCenter | Qt::TextWordWrap, label_.notice);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 18, 20, 215));
    painter.drawRoundedRect(text.adjusted(-12, -8, 12, 8), 5, 5);
    painter.setPen(QColor(236, 236, 240));
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, label_.notice);
}

void ImagePane::paintCursor(QPainter& painter) const {
    // The same place in every pane; the pane under the mouse shows the mouse itself.
    if (!view_.cursor() || underMouse()) return;
    const double ratio = devicePixelRatioF();
    const QPointF at =
        (origin() + QPointF(static_cast<double>(view_.cursor()->x) + 0.5, static_cast<double>(view_.cursor()->y) + 0.5) * view_.scale()) /
        ratio;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [colour, width] : {std::pair{QColor(0, 0, 0, 200), 3.0}, std::pair{QColor(255, 255, 255, 230), 1.0}}) {
        painter.setPen(QPen(colour, width));
        for (const QPointF& direction : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)})
            painter.drawLine(at + direction * 4, at + direction * 10);
    }
}

void ImagePane::resizeEvent(QResizeEvent*) {
    if (isVisible()) view_.setPaneSize(deviceSize());
}

void ImagePane::wheelEvent(QWheelEvent* event) {
    const int delta = event->angleDelta().y();
    if (delta == 0) return event->ignore();
    view_.zoomAt(event->position() * devicePixelRatioF() - QPointF(deviceSize().width() / 2, deviceSize().height() / 2),
                 std::pow(2.0, delta / 360.0));
    event->accept();
}

void ImagePane::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return event->ignore();
    dragging_ = true;
    dragFrom_ = event->position();
    setCursor(Qt::ClosedHandCursor);
}

void ImagePane::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_) {
        view_.panBy((event->position() - dragFrom_) * devicePixelRatioF());
        dragFrom_ = event->position();
    }
    const PixelPosition pixel = pixelAt(event->position());
    const QSizeF size = view_.imageSize();
    const bool inside =
        pixel.x >= 0 && pixel.y >= 0 && static_cast<double>(pixel.x) < size.width() && static_cast<double>(pixel.y) < size.height();
    view_.setCursor(inside ? std::optional(pixel) : std::nullopt);
}

void ImagePane::mouseReleaseEvent(QMouseEvent*) {
    dragging_ = false;
    setCursor(Qt::CrossCursor);
}

void ImagePane::mouseDoubleClickEvent(QMouseEvent*) { view_.fit(); }

void ImagePane::keyPressEvent(QKeyEvent* event) {
    const double step = (event->modifiers() & Qt::ShiftModifier ? 0.5 : 0.1) * deviceSize().width();
    switch (event->key()) {
        case Qt::Key_Left: return view_.panBy({step, 0});
        case Qt::Key_Right: return view_.panBy({-step, 0});
        case Qt::Key_Up: return view_.panBy({0, step});
        case Qt::Key_Down: return view_.panBy({0, -step});
        default: QWidget::keyPressEvent(event);
    }
}

void ImagePane::leaveEvent(QEvent*) { view_.setCursor(std::nullopt); }

}  // namespace parallax::ui
