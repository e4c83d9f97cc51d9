// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/canvas/image_pane.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "parallax/ui/models/formatting.hpp"
#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr double kGrabDistance = 7;  // around the line of a wipe: a line of one pixel cannot be hit

}  // namespace

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

void ImagePane::setRightSide(PyramidPtr pyramid, const PaneLabel& label) {
    rightTiles_.setPyramid(std::move(pyramid));
    rightLabel_ = label;
    if (!wiping_) return;
    settled_ = false;
    update();
}

void ImagePane::setWiping(bool wiping) {
    if (wiping == wiping_) return;
    wiping_ = wiping;
    draggingLine_ = false;
    settled_ = false;
    update();
}

void ImagePane::setWipePosition(double position) {
    wipePosition_ = std::clamp(position, 0.0, 1.0);
    if (!wiping_) return;
    settled_ = false;  // what came into sight may have no tiles yet
    update();
}

int ImagePane::wipeX() const { return static_cast<int>(std::lround(wipePosition_ * (width() - 1))); }

bool ImagePane::onWipeLine(QPointF widgetPosition) const { return wiping_ && std::fabs(widgetPosition.x() - wipeX()) <= kGrabDistance; }

void ImagePane::setDifferenceScale(double scale, DifferenceMode mode) {
    differenceScale_ = scale;
    mode_ = mode;
    applyDisplay();
}

void ImagePane::setOutdated(bool outdated) {
    if (outdated == outdated_) return;
    outdated_ = outdated;
    update();
}

void ImagePane::setRightOutdated(bool outdated) {
    if (outdated == rightOutdated_) return;
    rightOutdated_ = outdated;
    if (wiping_) update();
}

void ImagePane::applyDisplay() {
    const Colouring colouring{difference_, view_.display().exposure, differenceScale_ > 0 ? differenceScale_ : 1, mode_};
    tiles_.setColouring(colouring);
    rightTiles_.setColouring(colouring);
    settled_ = false;
    update();
}

void ImagePane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.canvas);
    if (tiles_.pyramid() || (wiping_ && rightTiles_.pyramid())) {
        paintTiles(painter);
        if (!settled_) QTimer::singleShot(0, this, qOverload<>(&QWidget::update));
        paintMark(painter);
        paintCursor(painter);
        if (difference_ && differenceScale_ > 0) paintLegend(painter);
    } else {
        settled_ = true;
    }
    if (wiping_) {
        const int x = wipeX();
        const QRect left(0, 0, x, height()), right(x + 1, 0, width() - x - 1, height());
        if (!label_.notice.isEmpty()) paintNotice(painter, label_.notice, left);
        if (!rightLabel_.notice.isEmpty()) paintNotice(painter, rightLabel_.notice, right);
        paintLabel(painter, label_, left, false);
        paintLabel(painter, rightLabel_, right, true);
        paintWipeLine(painter);
    } else {
        if (!label_.notice.isEmpty()) paintNotice(painter, label_.notice, rect());
        paintLabel(painter, label_, rect(), false);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void ImagePane::paintTiles(QPainter& painter) {
    const double ratio = devicePixelRatioF();
    const QSize extent = deviceSize().toSize();
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    const auto paint = [&](TileCache& tiles, const QRect& part, bool outdated) {
        if (part.isEmpty()) return true;
        painter.setOpacity(outdated ? 0.75 : 1);
        if (!wiping_) return tiles.paint(painter, part, origin(), view_.scale());
        painter.setClipRect(part);
        return tiles.paint(painter, part, origin(), view_.scale());
    };
    if (wiping_) {
        const int edge = static_cast<int>(std::lround(wipeX() * ratio));
        const bool left = paint(tiles_, QRect(0, 0, edge, extent.height()), outdated_);
        const bool right = paint(rightTiles_, QRect(edge, 0, extent.width() - edge, extent.height()), rightOutdated_);
        settled_ = left && right;
    } else {
        settled_ = paint(tiles_, QRect(QPoint(0, 0), extent), outdated_);
    }
    painter.restore();
}

void ImagePane::paintWipeLine(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const double x = wipeX() + 0.5;
    // Dark around light: seen on every picture.
    painter.setPen(QPen(QColor(0, 0, 0, 170), 3));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    painter.setPen(QPen(Qt::white, 1));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    const QPointF middle(x, height() / 2.0);
    painter.setPen(QPen(QColor(0, 0, 0, 170), 1));
    painter.setBrush(Qt::white);
    painter.drawEllipse(middle, 9, 9);
    painter.setPen(QPen(QColor(40, 40, 44), 1.6));
    for (const double to : {-1.0, 1.0}) {
        painter.drawLine(middle + QPointF(to * 6, 0), middle + QPointF(to * 3, -3));
        painter.drawLine(middle + QPointF(to * 6, 0), middle + QPointF(to * 3, 3));
    }
}

void ImagePane::paintLabel(QPainter& painter, const PaneLabel& label, const QRect& area, bool atRight) const {
    if (label.badge.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics boldMetrics(bold), metrics(font());
    const int padding = 7, gap = 6, margin = 8;
    const int line = std::max(boldMetrics.height(), metrics.height());
    const int badgeWidth = boldMetrics.horizontalAdvance(label.badge) + 12;
    const int limit = area.width() - 2 * margin - 2 * padding;
    if (limit < badgeWidth) return;  // the line of a wipe has left no room for this side
    QString title = boldMetrics.elidedText(label.title, Qt::ElideRight, std::max(0, limit - badgeWidth - gap));
    QStringList lines;
    for (const QString& text : {label.details, label.verdict})
        if (!text.isEmpty()) lines << metrics.elidedText(text, Qt::ElideRight, limit);
    int wide = badgeWidth + (title.isEmpty() ? 0 : gap + boldMetrics.horizontalAdvance(title));
    for (const QString& text : lines) wide = std::max(wide, metrics.horizontalAdvance(text));
    const int high = line + 4 + static_cast<int>(lines.size()) * (line + 1);
    const int boxWidth = wide + 2 * padding;
    const QRect box(atRight ? area.right() - margin - boxWidth + 1 : area.left() + margin, margin, boxWidth, high + 2 * padding - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 18, 20, 205));
    painter.drawRoundedRect(box, 5, 5);
    int y = box.top() + padding - 1;
    const QRect badge(box.left() + padding, y, badgeWidth, line + 2);
    painter.setBrush(currentTheme().badge(label.badge));
    painter.drawRoundedRect(badge, 3, 3);
    painter.setFont(bold);
    painter.setPen(Qt::white);
    painter.drawText(badge, Qt::AlignCenter, label.badge);
    painter.drawText(QRect(badge.right() + gap, y, wide, line + 2), Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.setFont(font());
    y += line + 4;
    for (const QString& text : lines) {
        const bool verdict = !label.verdict.isEmpty() && &text == &lines.back();
        painter.setPen(verdict && label.alert ? QColor(255, 170, 120) : QColor(214, 214, 218));
        painter.drawText(QRect(box.left() + padding, y, wide + 2, line), Qt::AlignVCenter | Qt::AlignLeft, text);
        y += line + 1;
    }
}

void ImagePane::paintLegend(QPainter& painter) const {
    const QFontMetrics metrics(font());
    const bool isSigned = mode_ == DifferenceMode::signedValue;
    const QString high = (isSigned ? QStringLiteral("+") : QString()) + formatError(differenceScale_);
    const QString low = isSigned ? QStringLiteral("−") + formatError(differenceScale_) : QStringLiteral("0");
    constexpr int padding = 7, gap = 6, margin = 8, barHeight = 9;
    const int lowWidth = metrics.horizontalAdvance(low), highWidth = metrics.horizontalAdvance(high);
    const int room = width() - 2 * margin - 2 * padding;
    // In a row if the bar is then still long enough to compare colours with, else the numbers go below it.
    const bool stacked = room - lowWidth - highWidth - 2 * gap < 60;
    const int barWidth = std::min(180, stacked ? room : room - lowWidth - highWidth - 2 * gap);
    if (barWidth < 16) return;  // the difference is in the label and the inspector, too
    const bool both = lowWidth + gap + highWidth <= barWidth;
    const int innerWidth = stacked ? std::max(barWidth, std::min(room, highWidth)) : barWidth + lowWidth + highWidth + 2 * gap;
    const int boxHeight = metrics.height() + 2 * padding - 4 + (stacked ? barHeight + 4 : 0);
    const QRect box(width() - margin - innerWidth - 2 * padding, height() - margin - boxHeight, innerWidth + 2 * padding, boxHeight);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 18, 20, 205));
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(QColor(228, 228, 232));
    const QRect inner = box.adjusted(padding, 0, -padding, 0);
    const QRect text = stacked ? inner.adjusted(0, padding + barHeight, 0, -2) : inner;
    if (!stacked || both) painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, low);
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, high);
    const QRect bar = stacked ? QRect(inner.right() - barWidth + 1, box.top() + padding - 1, barWidth, barHeight)
                              : QRect(inner.left() + lowWidth + gap, box.center().y() - barHeight / 2, barWidth, barHeight);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 16; ++i)
        gradient.setColorAt(i / 16.0, QColor(isSigned ? divergingColour(i / 8.0 - 1) : sequentialColour(i / 16.0)));
    painter.fillRect(bar, gradient);
    painter.setPen(QColor(228, 228, 232));
    if (isSigned) painter.drawLine(bar.center().x(), bar.top() - 2, bar.center().x(), bar.bottom() + 2);
}

void ImagePane::paintNotice(QPainter& painter, const QString& notice, const QRect& within) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect area = within.adjusted(24, 24, -24, -24);
    if (area.isEmpty()) return;
    const QRect text = painter.boundingRect(area, Qt::AlignCenter | Qt::TextWordWrap, notice);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(18, 18, 20, 215));
    painter.drawRoundedRect(text.adjusted(-12, -8, 12, 8), 5, 5);
    painter.setPen(QColor(236, 236, 240));
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, notice);
}

void ImagePane::paintMark(QPainter& painter) const {
    if (!view_.mark()) return;
    const double ratio = devicePixelRatioF(), side = view_.scale() / ratio;
    const QPointF corner =
        (origin() + QPointF(static_cast<double>(view_.mark()->x), static_cast<double>(view_.mark()->y)) * view_.scale()) / ratio;
    // Around the pixel, never on it; at small scales a frame that can still be seen.
    const double around = std::max(1.5, (9 - side) / 2);
    const QRectF frame = QRectF(corner, QSizeF(side, side)).adjusted(-around, -around, around, around);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 210), 4));
    painter.drawRect(frame);
    painter.setPen(QPen(QColor(255, 221, 51), 2));
    painter.drawRect(frame);
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
    if (event->button() == Qt::LeftButton && onWipeLine(event->position())) {
        draggingLine_ = true;
        return;
    }
    dragging_ = true;
    dragFrom_ = event->position();
    setCursor(Qt::ClosedHandCursor);
}

void ImagePane::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_) {
        view_.panBy((event->position() - dragFrom_) * devicePixelRatioF());
        dragFrom_ = event->position();
    } else if (draggingLine_) {
        setWipePosition(event->position().x() / std::max(1, width() - 1));
    } else if (wiping_) {
        setCursor(onWipeLine(event->position()) ? Qt::SplitHCursor : Qt::CrossCursor);
    }
    const PixelPosition pixel = pixelAt(event->position());
    const QSizeF size = view_.imageSize();
    const bool inside =
        pixel.x >= 0 && pixel.y >= 0 && static_cast<double>(pixel.x) < size.width() && static_cast<double>(pixel.y) < size.height();
    view_.setCursor(inside ? std::optional(pixel) : std::nullopt);
}

void ImagePane::mouseReleaseEvent(QMouseEvent*) {
    dragging_ = draggingLine_ = false;
    setCursor(Qt::CrossCursor);
}

void ImagePane::mouseDoubleClickEvent(QMouseEvent*) { view_.fit(); }

void ImagePane::keyPressEvent(QKeyEvent* event) {
    const double step = (event->modifiers() & Qt::ShiftModifier ? 0.5 : 0.1) * deviceSize().width();
    if (wiping_ && event->modifiers() & Qt::ControlModifier && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        return setWipePosition(wipePosition_ + (event->key() == Qt::Key_Left ? -0.02 : 0.02));
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
