// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/image_pane.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/models/document/settings.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr double kGrabDistance = 7;  // pixels around the wipe line that count as a hit

}  // namespace

ImagePane::ImagePane(ViewState& view, QWidget* parent) : QWidget(parent), view_(view), number_(view.addPane()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::CrossCursor);
    connect(&view_, &ViewState::viewChanged, this, [this] {
        settled_ = false;
        update();
    });
    connect(&view_, &ViewState::displayChanged, this, &ImagePane::applyDisplay);
    connect(&Settings::instance(), &Settings::changed, this, &ImagePane::applyDisplay);
    connect(&view_, &ViewState::cursorChanged, this, qOverload<>(&QWidget::update));
    connect(&view_, &ViewState::selectionChanged, this, qOverload<>(&QWidget::update));
}

QSizeF ImagePane::deviceSize() const { return QSizeF(size()) * devicePixelRatioF(); }

QPointF ImagePane::origin() const {
    const QSizeF extent = deviceSize();
    const QPointF middle(extent.width() / 2, extent.height() / 2);
    const QPointF at = middle - view_.viewport(number_).centre * scale();
    // Whole device pixels, so that at 1:1 each sample is exactly one of them.
    return {std::round(at.x()), std::round(at.y())};
}

PixelPosition ImagePane::pixelAt(QPointF widgetPosition) const {
    const QPointF p = (widgetPosition * devicePixelRatioF() - origin()) / scale();
    return {static_cast<std::int64_t>(std::floor(p.x())), static_cast<std::int64_t>(std::floor(p.y()))};
}

void ImagePane::setPyramid(PyramidPtr pyramid) {
    if (pyramid == tiles_.pyramid()) return;
    if (pyramid) {
        const Shape& shape = pyramid->image()->shape();
        view_.setPaneExtent(number_, QSizeF(static_cast<double>(shape.width), static_cast<double>(shape.height)));
    }
    tiles_.setPyramid(std::move(pyramid));
    settled_ = false;
    update();
}

void ImagePane::setLabel(const PaneLabel& label) {
    if (label == label_) return;
    label_ = label;
    setAccessibleName(label.badge + QLatin1Char(' ') + label.title);
    setAccessibleDescription(label.details + QLatin1Char(' ') + label.verdict + QLatin1Char(' ') + label.notice);
    emit headingChanged();
    update();
}

void ImagePane::setRightSide(PyramidPtr pyramid, const PaneLabel& label) {
    if (pyramid == rightTiles_.pyramid() && label == rightLabel_) return;
    rightTiles_.setPyramid(std::move(pyramid));
    rightLabel_ = label;
    if (!wiping_) return;
    emit headingChanged();
    settled_ = false;
    update();
}

void ImagePane::setWiping(bool wiping) {
    if (wiping == wiping_) return;
    wiping_ = wiping;
    draggingLine_ = false;
    settled_ = false;
    emit headingChanged();
    update();
}

void ImagePane::setWipePosition(double position) {
    wipePosition_ = std::clamp(position, 0.0, 1.0);
    if (!wiping_) return;
    settled_ = false;  // newly visible areas may lack tiles
    update();
}

int ImagePane::wipeX() const { return static_cast<int>(std::lround(wipePosition_ * (width() - 1))); }

bool ImagePane::onWipeLine(QPointF widgetPosition) const { return wiping_ && std::fabs(widgetPosition.x() - wipeX()) <= kGrabDistance; }

void ImagePane::setDifferenceScale(double scale, DifferenceMode mode) {
    differenceScale_ = scale;
    mode_ = mode;
    applyDisplay();
    emit headingChanged();
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

void ImagePane::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    update();
}

void ImagePane::applyDisplay() {
    const Colouring before = std::exchange(colouring_, {difference_, {}, Settings::instance().dithers()});
    if (difference_) {
        // No other setting affects it: its tiles stay when the display settings of images change.
        colouring_.display.differenceScale = differenceScale_ > 0 ? differenceScale_ : 1;
        colouring_.display.differenceMode = mode_;
    } else {
        colouring_.display = view_.display();
        colouring_.display.differenceScale = 0;
        colouring_.display.differenceMode = {};
    }
    if (colouring_ == before) return;
    emit headingChanged();
    tiles_.setColouring(colouring_);
    rightTiles_.setColouring(colouring_);
    settled_ = false;
    update();
}

void ImagePane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.canvas);
    if (tiles_.pyramid() || (wiping_ && rightTiles_.pyramid())) {
        paintTiles(painter);
        if (!settled_) QTimer::singleShot(TileCache::untilNextFrame(), this, qOverload<>(&QWidget::update));
        paintOverlays(painter);
    } else {
        settled_ = true;
    }
    if (wiping_) {
        const int x = wipeX();
        const QRect left(0, 0, x, height()), right(x + 1, 0, width() - x - 1, height());
        if (!label_.notice.isEmpty()) paintNotice(painter, label_.notice, left);
        if (!rightLabel_.notice.isEmpty()) paintNotice(painter, rightLabel_.notice, right);
        paintTag(painter, left, label_.tag);
        paintTag(painter, right, rightLabel_.tag);
        paintWipeLine(painter);
    } else {
        if (!label_.notice.isEmpty()) paintNotice(painter, label_.notice, rect());
        paintTag(painter, rect(), label_.tag);
    }
    if (hasFocus() || active_) paintFrame(painter, rect(), theme.accent, active_);
}

void ImagePane::paintTiles(QPainter& painter) {
    const double ratio = devicePixelRatioF();
    const QSize extent = deviceSize().toSize();
    const TileCache::Placement placement{extent, origin().toPoint(), scale(), currentTheme().canvas, view_.pixelGrid()};
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    const PaneGeometry geometry{origin(), scale(), ratio, size()};
    const auto values = [&](const TileCache& tiles) -> TileCache::Notes {
        if (!view_.pixelGrid() || !tiles.pyramid()) return nullptr;
        const PixelValues shown(geometry, *tiles.pyramid(), colouring_, font());
        if (!shown.fit()) return nullptr;
        return [shown, ratio](QPainter& on, const QRect& part) {
            on.save();
            on.scale(ratio, ratio);
            shown.paint(on, QRectF(QPointF(part.topLeft()) / ratio, QSizeF(part.size()) / ratio));
            on.restore();
        };
    };
    const auto paint = [&](TileCache& tiles, const QRect& part, bool outdated) {
        if (part.isEmpty()) return true;
        painter.setOpacity(outdated ? 0.75 : 1);
        return tiles.paint(painter, part, placement, values(tiles));
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
    // A light line with dark borders is visible on any image.
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

void ImagePane::paintOverlays(QPainter& painter) const {
    const PaneGeometry geometry{origin(), scale(), devicePixelRatioF(), size()};
    paintSelection(painter, geometry, view_.selection());
    if (view_.mark()) paintMark(painter, geometry, *view_.mark());
    // The linked cursor; the pane under the mouse shows the mouse pointer instead.
    if (view_.cursor() && !underMouse()) paintCursor(painter, geometry, *view_.cursor());
}

void ImagePane::paintNotice(QPainter& painter, const QString& notice, const QRect& within) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect area = within.adjusted(24, 24, -24, -24);
    if (area.isEmpty()) return;
    const QRect text = painter.boundingRect(area, Qt::AlignCenter | Qt::TextWordWrap, notice);
    paintBox(painter, text.adjusted(-12, -8, 12, 8));
    painter.setPen(QColor(236, 236, 240));
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, notice);
}

void ImagePane::resizeEvent(QResizeEvent*) {
    if (isVisible()) view_.setPaneSize(deviceSize());
}

void ImagePane::wheelEvent(QWheelEvent* event) {
    const int delta = event->angleDelta().y();
    if (delta == 0) return event->ignore();
    makeCurrent();
    view_.zoomAt(event->position() * devicePixelRatioF() - QPointF(deviceSize().width() / 2, deviceSize().height() / 2),
                 std::pow(2.0, delta / 360.0));
    event->accept();
}

void ImagePane::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return event->ignore();
    makeCurrent();
    if (event->button() == Qt::LeftButton && onWipeLine(event->position())) {
        draggingLine_ = true;
        return;
    }
    if (event->button() == Qt::LeftButton && view_.picking()) return view_.pick(pixelAt(event->position()));
    const bool select = view_.selecting() != event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() == Qt::LeftButton && select) {
        selectFrom_ = pixelAt(event->position());
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
    } else if (selectFrom_) {
        const PixelPosition to = pixelAt(event->position());
        const auto point = [&](PixelPosition p) { return QPoint(static_cast<int>(p.x), static_cast<int>(p.y)); };
        const QPoint a = point(*selectFrom_), b = point(to);
        // Both corners are part of the selection.
        view_.setSelection(
            QRect(QPoint(std::min(a.x(), b.x()), std::min(a.y(), b.y())), QPoint(std::max(a.x(), b.x()), std::max(a.y(), b.y()))));
        selected_ = true;
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
    // A click without movement clears the selection.
    if (selectFrom_ && !selected_) view_.setSelection({});
    dragging_ = draggingLine_ = selected_ = false;
    selectFrom_.reset();
    setCursor(Qt::CrossCursor);
}

void ImagePane::mouseDoubleClickEvent(QMouseEvent*) { view_.fit(); }

void ImagePane::keyPressEvent(QKeyEvent* event) {
    makeCurrent();
    const double step = (event->modifiers() & Qt::ShiftModifier ? 0.5 : 0.1) * deviceSize().width();
    if (wiping_ && event->modifiers() & Qt::ControlModifier && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        return setWipePosition(wipePosition_ + (event->key() == Qt::Key_Left ? -0.02 : 0.02));
    // The keyboard picks the pixel in the middle.
    if (view_.picking() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        return view_.pick(pixelAt(QPointF(width(), height()) / 2));
    switch (event->key()) {
        case Qt::Key_Left: return view_.panBy({step, 0});
        case Qt::Key_Right: return view_.panBy({-step, 0});
        case Qt::Key_Up: return view_.panBy({0, step});
        case Qt::Key_Down: return view_.panBy({0, -step});
        default: QWidget::keyPressEvent(event);
    }
}

bool ImagePane::event(QEvent* event) {
    // The header has the tooltip: over the image it would hide what the user looks at.
    if (event->type() == QEvent::ToolTip) return true;
    return QWidget::event(event);
}

void ImagePane::leaveEvent(QEvent*) { view_.setCursor(std::nullopt); }

}  // namespace parallax::ui
