// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transfer/transfer_plot.hpp"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/models/document/formatting.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr double kNodeRadius = 5.5, kReach = 9;  // pixels
constexpr double kZoom = 1.25;
constexpr double kMargin = 0.03;                                      // beyond the outermost values
constexpr double kOpacityTicks[] = {0, 0.01, 0.05, 0.2, 0.5, 0.999};  // the last is shown as 1
constexpr int kValueTicks = 6;

/// Small opacities, which most curves have, get more room.
double heightOf(double opacity) { return std::sqrt(opacity); }

double roundedOpacity(double opacity) {
    const double unit = opacity < 0.1 ? 1000 : 100;
    return std::round(opacity * unit) / unit;
}

/// 1, 2 or 5 times a power of ten.
double tickDistance(double span) {
    const double rough = span / kValueTicks, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough) return factor * power;
    return 10 * power;
}

}  // namespace

TransferPlot::TransferPlot(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setObjectName(QStringLiteral("transferPlot"));
    setAccessibleName(tr("Transfer function over the histogram"));
    setToolTip(
        tr("<qt>Drag a node to change its value and opacity. Double-click adds a node, or chooses the colour of one. Wheel: zoom.<br>"
           "Arrow keys move the selected node (Shift: ten times as far), Ctrl+Left and Ctrl+Right select another one, Insert adds, Delete "
           "deletes, Enter chooses the colour, Home shows all values.</qt>"));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
    showAll();
}

void TransferPlot::setCurve(const OpacityCurve& curve) {
    if (curve == curve_) return;
    curve_ = curve;
    selected_ = std::min(selected_, curve_.nodes().size() - 1);
    if (!dragging_ && !zoomed_) showAll();
    update();
    emit selectionChanged();
}

void TransferPlot::setHistogram(std::shared_ptr<const Histogram> histogram) {
    histogram_ = std::move(histogram);
    if (!zoomed_) showAll();
    update();
}

void TransferPlot::setUnit(const QString& unit) {
    unit_ = unit;
    update();
}

void TransferPlot::select(std::size_t node) {
    selected_ = std::min(node, curve_.nodes().size() - 1);
    update();
    emit selectionChanged();
}

void TransferPlot::addNode() {
    const auto& nodes = curve_.nodes();
    const std::size_t left = std::min(selected_, nodes.size() - 2);
    const OpacityNode middle = curve_.at((nodes[left].value + nodes[left + 1].value) / 2);
    if (const auto added = curve_.add(middle.value, middle.opacity)) {
        select(*added);
        emit edited();
    }
}

void TransferPlot::removeNode() {
    if (!curve_.remove(selected_)) return;
    select(selected_);
    emit edited();
}

void TransferPlot::moveNode(double value, double opacity) {
    const OpacityCurve before = curve_;
    curve_.move(selected_, value, opacity);
    if (curve_ == before) return;
    update();
    emit selectionChanged();
    emit edited();
}

void TransferPlot::setColour(const QColor& colour) {
    if (!colour.isValid() || curve_.nodes()[selected_].colour == colour) return;
    curve_.setColour(selected_, colour);
    update();
    emit selectionChanged();
    emit edited();
}

double TransferPlot::allFrom() const {
    const double low = histogram_ && !histogram_->edges.empty() ? histogram_->edges.front() : curve_.first();
    return std::min(low, curve_.first());
}

double TransferPlot::allTo() const {
    const double high = histogram_ && !histogram_->edges.empty() ? histogram_->edges.back() : curve_.last();
    return std::max(high, curve_.last());
}

void TransferPlot::showAll() {
    const double margin = kMargin * (allTo() - allFrom());
    from_ = allFrom() - margin;
    to_ = allTo() + margin;
    zoomed_ = false;
    update();
}

QRectF TransferPlot::area() const {
    const double text = fontMetrics().height();
    const double left = fontMetrics().horizontalAdvance(QStringLiteral("0.05")) + 10;
    return QRectF(rect()).adjusted(left, kNodeRadius + 3, -kNodeRadius - 6, -text - 6);
}

QPointF TransferPlot::placeOf(double value, double opacity) const {
    const QRectF a = area();
    return {a.left() + (value - from_) / (to_ - from_) * a.width(), a.bottom() - heightOf(opacity) * a.height()};
}

double TransferPlot::valueAt(double x) const {
    const QRectF a = area();
    return from_ + (x - a.left()) / std::max(1.0, a.width()) * (to_ - from_);
}

double TransferPlot::opacityAt(double y) const {
    const QRectF a = area();
    const double height = std::clamp((a.bottom() - y) / std::max(1.0, a.height()), 0.0, 1.0);
    return height * height;
}

double TransferPlot::valueUnit() const { return std::pow(10, std::floor(std::log10((to_ - from_) / 1000))); }

std::optional<std::size_t> TransferPlot::nodeAt(QPointF at) const {
    std::optional<std::size_t> nearest;
    double distance = kReach;
    for (std::size_t i = 0; i < curve_.nodes().size(); ++i) {
        const QPointF d = placeOf(curve_.nodes()[i].value, curve_.nodes()[i].opacity) - at;
        if (std::hypot(d.x(), d.y()) > distance) continue;
        distance = std::hypot(d.x(), d.y());
        nearest = i;
    }
    return nearest;
}

void TransferPlot::addAt(QPointF at) {
    const double unit = valueUnit();
    if (const auto added = curve_.add(std::round(valueAt(at.x()) / unit) * unit, roundedOpacity(opacityAt(at.y())))) {
        select(*added);
        emit edited();
    }
}

void TransferPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto node = nodeAt(event->position());
    if (!node) return;
    select(*node);
    grip_ = placeOf(curve_.nodes()[*node].value, curve_.nodes()[*node].opacity) - event->position();
    dragging_ = true;
    emit dragBegun();
}

void TransferPlot::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_) return;
    const QPointF to = event->position() + grip_;
    const double unit = valueUnit(), x = std::clamp(to.x(), area().left(), area().right());
    moveNode(std::round(valueAt(x) / unit) * unit, roundedOpacity(opacityAt(to.y())));
}

void TransferPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return;
    dragging_ = false;
    emit dragEnded();
}

void TransferPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto node = nodeAt(event->position())) {
        select(*node);
        emit colourAsked();
    } else if (area().contains(event->position())) {
        addAt(event->position());
    }
}

void TransferPlot::wheelEvent(QWheelEvent* event) {
    const double factor = std::pow(kZoom, -event->angleDelta().y() / 120.0);
    const double around = valueAt(event->position().x()), all = allTo() - allFrom();
    const double from = around + (from_ - around) * factor, to = around + (to_ - around) * factor;
    if (to - from > all * (1 + 2 * kMargin)) return showAll();
    if (to - from < all * 1e-4) return;
    from_ = from;
    to_ = to;
    zoomed_ = true;
    update();
}

void TransferPlot::keyPressEvent(QKeyEvent* event) {
    const OpacityNode& node = curve_.nodes()[selected_];
    const int times = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    const double value = 5 * valueUnit() * times, opacity = (node.opacity < 0.1 ? 0.005 : 0.02) * times;
    const bool choosing = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
        case Qt::Key_Left: return choosing ? select(selected_ == 0 ? 0 : selected_ - 1) : moveNode(node.value - value, node.opacity);
        case Qt::Key_Right: return choosing ? select(selected_ + 1) : moveNode(node.value + value, node.opacity);
        case Qt::Key_Up: return moveNode(node.value, roundedOpacity(node.opacity + opacity));
        case Qt::Key_Down: return moveNode(node.value, roundedOpacity(node.opacity - opacity));
        case Qt::Key_Insert: return addNode();
        case Qt::Key_Delete:
        case Qt::Key_Backspace: return removeNode();
        case Qt::Key_Return:
        case Qt::Key_Enter: emit colourAsked(); return;
        case Qt::Key_Home: return showAll();
        default: QWidget::keyPressEvent(event);
    }
}

void TransferPlot::contextMenuEvent(QContextMenuEvent* event) {
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const QPointF at(event->pos());
    const auto node = keyboard ? std::optional(selected_) : nodeAt(at);
    if (node) select(*node);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (keyboard || node) {
        menu->addAction(tr("Colour …"), this, &TransferPlot::colourAsked);
        menu->addAction(tr("Delete node"), this, &TransferPlot::removeNode)->setEnabled(curve_.nodes().size() > 2);
    } else {
        menu->addAction(tr("Add node"), this, [this, at] { addAt(at); });
    }
    menu->addAction(tr("Show all values"), this, &TransferPlot::showAll);
    menu->popup(event->globalPos());
}

void TransferPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF a = area();
    painter.fillRect(a, palette().base());
    painter.save();
    painter.setClipRect(a);
    paintHistogram(painter);
    painter.restore();
    paintAxes(painter);
    paintCurve(painter);
    painter.setPen(QPen(hasFocus() ? currentTheme().accent : currentTheme().outline, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(a);
}

void TransferPlot::paintHistogram(QPainter& painter) const {
    if (!histogram_ || histogram_->channels.empty()) return;
    const auto& counts = histogram_->channels.front().counts;
    const std::uint64_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    if (most == 0) return;
    // Logarithmic: the air around a patient has most of the samples.
    const double scale = std::log1p(static_cast<double>(most));
    const QRectF a = area();
    QPainterPath path(QPointF(placeOf(histogram_->edges.front(), 0).x(), a.bottom()));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double y = a.bottom() - std::log1p(static_cast<double>(counts[i])) / scale * a.height();
        path.lineTo(placeOf(histogram_->edges[i], 0).x(), y);
        path.lineTo(placeOf(histogram_->edges[i + 1], 0).x(), y);
    }
    path.lineTo(placeOf(histogram_->edges.back(), 0).x(), a.bottom());
    QColor fill = currentTheme().chartText;
    fill.setAlphaF(0.22F);
    painter.fillPath(path, fill);
}

void TransferPlot::paintAxes(QPainter& painter) const {
    const QRectF a = area();
    const int text = fontMetrics().height();
    const auto line = [&](QPointF from, QPointF to) {
        painter.setPen(currentTheme().chartGrid);
        painter.drawLine(from, to);
        painter.setPen(currentTheme().chartText);
    };
    for (const double opacity : kOpacityTicks) {
        const double y = placeOf(from_, opacity).y();
        line({a.left(), y}, {a.right(), y});
        const QString label = opacity > 0.9 ? QStringLiteral("1") : QLocale().toString(opacity, 'g', 2);
        painter.drawText(QRectF(0, y - text / 2.0, a.left() - 5, text), Qt::AlignRight | Qt::AlignVCenter, label);
    }
    painter.drawText(a.adjusted(6, 3, 0, 0), Qt::AlignLeft | Qt::AlignTop, tr("Opacity"));
    const double distance = tickDistance(to_ - from_);
    const QString suffix = unit_.isEmpty() ? QString() : QLatin1Char(' ') + unit_;
    double free = a.left() - 20;
    for (double value = std::ceil(from_ / distance) * distance; value <= to_; value += distance) {
        const double x = placeOf(value, 0).x();
        line({x, a.top()}, {x, a.bottom()});
        const QString label = withMinus(QLocale().toString(std::fabs(value) < distance / 2 ? 0 : value, 'g', 5)) + suffix;
        const double wide = fontMetrics().horizontalAdvance(label) + 8;
        const double left = std::clamp(x - wide / 2, 0.0, width() - wide);
        if (left < free) continue;
        painter.drawText(QRectF(left, a.bottom() + 4, wide, text), Qt::AlignCenter, label);
        free = left + wide;
    }
}

void TransferPlot::paintCurve(QPainter& painter) const {
    const QRectF a = area();
    painter.save();
    painter.setClipRect(a.adjusted(0, -1, 0, 1));
    QPolygonF line;
    for (double x = a.left(); x <= a.right(); x += 1) {
        const OpacityNode here = curve_.at(valueAt(x));
        const QPointF at = placeOf(here.value, here.opacity);
        QColor fill = here.colour;
        fill.setAlphaF(0.8F);
        painter.fillRect(QRectF(x, at.y(), 1, a.bottom() - at.y()), fill);
        line << at;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(currentTheme().chartText, 1.5));
    painter.drawPolyline(line);
    painter.setClipRect(QRectF(rect()));
    for (std::size_t i = 0; i < curve_.nodes().size(); ++i) {
        const OpacityNode& node = curve_.nodes()[i];
        const QPointF at = placeOf(node.value, node.opacity);
        if (at.x() < a.left() - 1 || at.x() > a.right() + 1) continue;
        const bool chosen = i == selected_;
        // A ring in the colour of the background sets the node off from the colours around it.
        painter.setPen(QPen(palette().base().color(), chosen ? 6 : 4));
        painter.drawEllipse(at, kNodeRadius, kNodeRadius);
        painter.setPen(QPen(chosen ? currentTheme().accent : currentTheme().chartText, chosen ? 3 : 1.5));
        painter.setBrush(node.colour);
        painter.drawEllipse(at, kNodeRadius, kNodeRadius);
        painter.setBrush(Qt::NoBrush);
    }
    painter.restore();
}

}  // namespace parallax::ui
