// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/charts/chart_style.hpp"
#include "ui/charts/plot.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr double kReach = 12;  // hit distance in pixels
constexpr int kLowest = 110;   // pixels; less leaves no room between heading and axis

double distance(const QRectF& rect, const QPointF& p) {
    const double dx = std::max({rect.left() - p.x(), 0.0, p.x() - rect.right()});
    const double dy = std::max({rect.top() - p.y(), 0.0, p.y() - rect.bottom()});
    return std::hypot(dx, dy);
}

}  // namespace

Chart::Chart(const QString& name, const QString& title, const QString& help, QWidget* parent)
    : QWidget(parent), name_(name), plot_(new QCustomPlot), scroll_(new QScrollArea) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);
    scroll_->setWidget(plot_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);  // the plot has the focus
    plot_->setMinimumSize(1, kLowest);
    setAccessibleName(title);
    plot_->setAccessibleName(title);
    setToolTip(help);
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->installEventFilter(this);
    addPaneActions();
    connect(plot_, &QCustomPlot::afterLayout, this, &Chart::placeRing);  // a legend that comes or goes moves the bars
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &Chart::rebuild);
}

QWidget& Chart::canvas() { return *plot_; }

void Chart::addPaneActions() {
    const auto make = [this](const QString& text, const QString& tip, Pane pane) {
        auto* action = new QAction(text, plot_);
        action->setToolTip(tip);
        action->setVisible(false);  // until a run is selected
        connect(action, &QAction::triggered, this, [this, pane] { activate(current_, pane); });
        plot_->addAction(action);
        return action;
    };
    showInA_ = make(tr("Show this run in &A"), tr("Pane A shows what this run computed; B changes too if both would be the same"), paneA);
    showInB_ = make(tr("Show this run in &B"), tr("Pane B shows what this run computed; A changes too if both would be the same"), paneB);
}

void Chart::rebuild() {
    spots_.clear();
    table_ = {};
    notes_.clear();
    categories_.clear();
    categoryTips_.clear();
    told_ = toldCategory_ = -1;
    plot_->clearItems();
    plot_->clearPlottables();
    draw();
    plot_->replot(QCustomPlot::rpQueuedReplot);
    // A text alone needs no scroll bar.
    if (categories_.isEmpty()) plot_->setMinimumHeight(plot_->axisRectCount() > 0 ? kLowest : 1);
    built_ = plot_->size();
    if (current_ >= spots_.size()) current_ = -1;
    // Ticks depend on the size of the axes: lay out now, so that the queued drawing and hit tests use the final size.
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot_->plotLayout()->update(phase);
    emit tableChanged();
}

void Chart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    rebuild();  // the text that fits depends on the size
}

void Chart::setCategories(const QStringList& names, const QStringList& tips, int pixelsEach) {
    categories_ = names;
    categoryTips_ = tips;
    plot_->setMinimumHeight(std::max(kLowest, heightOfBarChart(static_cast<int>(names.size()), pixelsEach)));
}

QRectF Chart::pixels(const Spot& spot) const {
    const QCPAxis &x = *spot.axes->axis(QCPAxis::atBottom), &y = *spot.axes->axis(QCPAxis::atLeft);
    const auto at = [&](const QPointF& p) { return QPointF(x.coordToPixel(p.x()), y.coordToPixel(p.y())); };
    return QRectF(at(spot.from), at(spot.to)).normalized();
}

int Chart::spotAt(const QPointF& position) const {
    int best = -1;
    double nearest = kReach;
    for (int i = 0; i < spots_.size(); ++i) {
        const double d = distance(pixels(spots_[i]), position);
        if (d < nearest) nearest = d, best = i;
    }
    return best;
}

int Chart::categoryAt(const QPointF& position) const {
    if (categories_.isEmpty() || plot_->axisRectCount() == 0) return -1;
    const QCPAxisRect* axes = plot_->axisRect(0);
    if (position.x() > axes->left() || position.y() < axes->top() || position.y() > axes->bottom()) return -1;
    const int count = static_cast<int>(categories_.size());
    const double y = axes->axis(QCPAxis::atLeft)->pixelToCoord(position.y());
    for (int i = 0; i < count; ++i)
        if (std::fabs(y - categoryPosition(i, count)) < 0.5) return i;
    return -1;
}

void Chart::highlight(int row) {
    for (int i = 0; i < spots_.size(); ++i)
        if (spots_[i].row == row && row >= 0) {
            current_ = i;
            for (QAction* action : {showInA_, showInB_}) action->setVisible(acts(i));
            return ring(i);
        }
    ring(-1);
}

void Chart::ring(int spot) {
    for (int i = plot_->itemCount() - 1; i >= 0; --i)
        if (plot_->item(i)->property("ring").toBool()) plot_->removeItem(i);
    if (spot >= 0) {
        const QRectF r = pixels(spots_[spot]);
        const QPen pen(currentTheme().chartText, 2);
        QCPAbstractItem* mark = nullptr;
        if (spots_[spot].from == spots_[spot].to) {
            auto* circle = new QCPItemTracer(plot_);
            circle->setStyle(QCPItemTracer::tsCircle);
            circle->setSize(15);
            circle->setPen(pen);
            circle->setBrush(Qt::NoBrush);
            circle->position->setType(QCPItemPosition::ptAbsolute);
            mark = circle;
        } else {
            // The number of a bar stands at its end, so the ring surrounds the bar.
            auto* box = new QCPItemRect(plot_);
            box->setPen(pen);
            box->setBrush(Qt::NoBrush);
            box->setClipToAxisRect(false);
            box->topLeft->setType(QCPItemPosition::ptAbsolute);
            box->bottomRight->setType(QCPItemPosition::ptAbsolute);
            mark = box;
        }
        mark->setProperty("ring", true);
        mark->setProperty("spot", spot);
        mark->setSelectable(false);
        placeRing();
        scroll_->ensureVisible(static_cast<int>(r.center().x()), static_cast<int>(r.center().y()), 0, 24);
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void Chart::placeRing() {
    constexpr double kAround = 2;
    for (int i = 0; i < plot_->itemCount(); ++i) {
        QCPAbstractItem* mark = plot_->item(i);
        const int spot = mark->property("spot").toInt();
        if (!mark->property("ring").toBool() || spot >= spots_.size()) continue;
        const QRectF r = pixels(spots_[spot]), axes = spots_[spot].axes->rect();
        const double left = std::clamp(r.left(), axes.left(), axes.right()), right = std::clamp(r.right(), axes.left(), axes.right());
        if (auto* circle = qobject_cast<QCPItemTracer*>(mark)) circle->position->setCoords(r.center());
        if (auto* box = qobject_cast<QCPItemRect*>(mark)) {
            box->topLeft->setCoords(left - kAround, r.top() - kAround);
            box->bottomRight->setCoords(right + kAround, r.bottom() + kAround);
        }
    }
}

/// A tip that something else has hidden, such as a window that became active, is shown again by the next move.
bool Chart::isTold(int index, int told) { return index == told && (index < 0 || QToolTip::isVisible()); }

void Chart::tell(int spot) {
    if (isTold(spot, told_)) return;
    told_ = spot;
    if (spot < 0) return QToolTip::hideText();
    const QRectF r = pixels(spots_[spot]);
    plot_->setAccessibleDescription(spots_[spot].text);
    QToolTip::showText(plot_->mapToGlobal(QPoint(static_cast<int>(r.right()) + 8, static_cast<int>(r.center().y()))), spots_[spot].text,
                       plot_);
}

void Chart::tellCategory(int category) {
    if (isTold(category, toldCategory_)) return;
    toldCategory_ = category;
    if (category < 0) return QToolTip::hideText();
    QString text = categories_[category];
    if (const QString tip = categoryTips_.value(category); !tip.isEmpty()) text += QLatin1Char('\n') + tip;
    const QCPAxisRect* axes = plot_->axisRect(0);
    const double y = axes->axis(QCPAxis::atLeft)->coordToPixel(categoryPosition(category, static_cast<int>(categories_.size())));
    QToolTip::showText(plot_->mapToGlobal(QPoint(axes->left() + 4, static_cast<int>(y) + 6)), text, plot_);
}

int Chart::addRow(const ChartRow& row) {
    table_.rows << row;
    return static_cast<int>(table_.rows.size()) - 1;
}

bool Chart::acts(int spot) const { return spot >= 0 && spots_[spot].row >= 0 && table_.rows[spots_[spot].row].entry >= 0; }

void Chart::select(int spot) {
    current_ = spot;
    ring(spot);
    for (QAction* action : {showInA_, showInB_}) action->setVisible(acts(spot));
    if (spot >= 0 && spots_[spot].row >= 0) emit rowSelected(spots_[spot].row);
}

void Chart::activate(int spot, Pane pane) {
    if (!acts(spot)) return;
    const ChartRow& row = table_.rows[spots_[spot].row];
    emit activated(row.record, row.entry, pane);
}

bool Chart::pressKey(int key) {
    const int count = static_cast<int>(spots_.size());
    if (count == 0) return false;
    switch (key) {
        case Qt::Key_Right:
        case Qt::Key_Down: current_ = (current_ + 1) % count; break;
        case Qt::Key_Left:
        case Qt::Key_Up: current_ = (std::max(current_, 0) + count - 1) % count; break;
        case Qt::Key_Home: current_ = 0; break;
        case Qt::Key_End: current_ = count - 1; break;
        case Qt::Key_Return:
        case Qt::Key_Enter: activate(current_, paneB); return true;
        default: return false;
    }
    select(current_);
    tell(current_);
    return true;
}

bool Chart::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseMove: {
            const int spot = spotAt(static_cast<QMouseEvent*>(event)->position());
            tell(spot);
            if (spot < 0) tellCategory(categoryAt(static_cast<QMouseEvent*>(event)->position()));
            else toldCategory_ = -1;
            plot_->setCursor(spot >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
            break;
        }
        case QEvent::Leave:
            tell(-1);
            tellCategory(-1);
            break;
        case QEvent::Resize:
            // The plot may get another size later.
            QTimer::singleShot(0, this, [this] {
                if (plot_->size() != built_) rebuild();
            });
            break;
        case QEvent::Wheel:
            // The plot would consume the event without effect.
            QCoreApplication::sendEvent(scroll_->viewport(), event);
            return true;
        case QEvent::MouseButtonPress:
            // Both buttons select: the commands of the context menu are about what is below the pointer.
            select(spotAt(static_cast<QMouseEvent*>(event)->position()));
            break;
        case QEvent::MouseButtonDblClick:
            if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
                activate(spotAt(static_cast<QMouseEvent*>(event)->position()), paneB);
            break;
        case QEvent::FocusOut:
            ring(-1);
            tell(-1);
            break;
        case QEvent::KeyPress:
            if (pressKey(static_cast<QKeyEvent*>(event)->key())) return true;
            break;
        default: break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace parallax::ui
