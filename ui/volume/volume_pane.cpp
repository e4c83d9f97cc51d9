// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_pane.hpp"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/document/settings.hpp"
#include "ui/theme/theme.hpp"
#include "ui/volume/measurement_marks.hpp"

namespace parallax::ui {
namespace {

// Samples that may be read within a frame; 8 million take about 5 ms. Larger slabs are computed in the background.
constexpr std::int64_t kMaxSamplesPerFrame = 8'000'000;
constexpr double kGrabDistance = 7, kClickDistance = 4;
constexpr int kSmallPane = 84;
constexpr int kLargeStep = 10;  // slices, with Shift
const QColor kBoxText(228, 228, 232), kCrosshair(255, 214, 64, 200), kLetter(255, 226, 140);

QString axisName(int axis) { return QString(QLatin1Char("xyz"[axis])); }

}  // namespace

QString planeName(PlaneKind kind, bool placed) {
    switch (kind) {
        case PlaneKind::axial: return placed ? VolumePane::tr("Axial") : VolumePane::tr("Plane x, y");
        case PlaneKind::coronal: return placed ? VolumePane::tr("Coronal") : VolumePane::tr("Plane x, z");
        case PlaneKind::sagittal: return placed ? VolumePane::tr("Sagittal") : VolumePane::tr("Plane y, z");
    }
    return {};
}

VolumePane::VolumePane(VolumeState& state, ViewState& view, Background& slabs, PlaneKind kind, QWidget* parent)
    : QWidget(parent), state_(state), view_(view), slabs_(slabs), kind_(kind) {
    const auto number = reinterpret_cast<std::uintptr_t>(this);
    left_.key = std::to_string(number) + " left";
    right_.key = std::to_string(number) + " right";
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::CrossCursor);
    setAccessibleName(planeName(kind_, true));
    connect(&state_, &VolumeState::viewChanged, this, &VolumePane::refresh);
    connect(&state_, &VolumeState::frameChanged, this, &VolumePane::refresh);
    connect(&state_, &VolumeState::optionsChanged, this, &VolumePane::refreshColours);
    connect(&view_, &ViewState::displayChanged, this, &VolumePane::refreshColours);
    connect(&Settings::instance(), &Settings::changed, this, &VolumePane::refreshColours);
    connect(&state_, &VolumeState::crosshairChanged, this, [this] {
        for (Layer* layer : {&left_, &right_})
            if (layer->image && requestOf(*layer) != layer->sliced) layer->stale = true;
        dirty_ = true;
        update();
    });
    connect(&state_, &VolumeState::measurementChanged, this, qOverload<>(&QWidget::update));
    connect(&state_, &VolumeState::boxChanged, this, qOverload<>(&QWidget::update));
    connect(&view_, &ViewState::cursorChanged, this, qOverload<>(&QWidget::update));
    refreshColours();
}

QFont VolumePane::bold() const {
    QFont bold = font();
    bold.setBold(true);
    return bold;
}

QSizeF VolumePane::deviceSize() const { return QSizeF(size()) * devicePixelRatioF(); }

QPointF VolumePane::fromMiddle(QPointF position) const { return (position - QPointF(width() / 2.0, height() / 2.0)) * devicePixelRatioF(); }

std::optional<Voxel> VolumePane::voxelAt(QPointF position) const { return state_.voxelAt(kind_, fromMiddle(position)); }

QPointF VolumePane::placeOf(const Voxel& voxel) const {
    const PlaneAxes axes = state_.axes(kind_);
    const auto mm = [&](int axis) { return state_.frame().axis(axis).mmOf(static_cast<double>(voxel[static_cast<std::size_t>(axis)])); };
    return placeOf(QPointF(mm(axes.u), mm(axes.v)));
}

QPointF VolumePane::placeOf(QPointF mm) const {
    return QPointF(width() / 2.0, height() / 2.0) + state_.placeOf(state_.axes(kind_), mm) / devicePixelRatioF();
}

void VolumePane::setImage(Layer& layer, const ImagePtr& image) {
    if (image == layer.image) return;
    layer.side.clear();  // a new image might have the same address
    layer.image = image;
    if (image) {
        layer.frame = VolumeFrame(*image);
    } else {
        layer.slice = {};
        layer.picture = {};
        layer.slicedImage.reset();
        layer.pending = false;
        slabs_.cancel(layer.key);
    }
    refresh();
}

void VolumePane::setLabel(const PaneLabel& label) {
    if (label == label_) return;
    label_ = label;
    setAccessibleName(tr("%1, %2 %3").arg(planeName(kind_, state_.frame().placed()), label.badge, label.title));
    setAccessibleDescription(label.details + QLatin1Char(' ') + label.verdict + QLatin1Char(' ') + label.notice);
    update();
}

void VolumePane::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    update();
}

void VolumePane::setAnnotated(bool annotated) {
    if (annotated == annotated_) return;
    annotated_ = annotated;
    update();
}

void VolumePane::setWipe(const ImagePtr& image, double position) {
    wipe_ = position;
    setImage(right_, image);
    update();
}

void VolumePane::setNoWipe() {
    if (!wipe_) return;
    wipe_.reset();
    if (drag_ == Drag::wipe) drag_ = Drag::none;
    setImage(right_, nullptr);
    update();
}

void VolumePane::setDifference(double scale, DifferenceMode mode) {
    if (difference_ && scale == differenceScale_ && mode == mode_) return;
    difference_ = true;
    differenceScale_ = scale;
    mode_ = mode;
    refreshColours();
}

void VolumePane::setOutdated(bool left, bool right) {
    if (left == leftOutdated_ && right == rightOutdated_) return;
    leftOutdated_ = left;
    rightOutdated_ = right;
    update();
}

void VolumePane::refreshColours() {
    Colouring colouring{.difference = difference_, .display = {}, .dithered = false};
    if (difference_) {
        colouring.display.differenceScale = differenceScale_ > 0 ? differenceScale_ : 1;
        colouring.display.differenceMode = mode_;
    } else {
        colouring.display = view_.display();
        colouring.dithered = Settings::instance().dithers();
    }
    colouring_ = colouring;
    colours_.emplace(colouring_, state_.inverted());
    refresh();
}

void VolumePane::refresh() {
    left_.stale = right_.stale = true;
    dirty_ = true;
    update();
}

SliceRequest VolumePane::requestOf(const Layer& layer) const {
    const PlaneAxes axes = state_.axes(kind_);
    auto [first, last] = state_.slab(axes.n);
    if (layer.frame.counts() != state_.frame().counts()) {
        // For a volume of another size, find the slices at the same positions.
        const AxisMap &shared = state_.frame().axis(axes.n), &own = layer.frame.axis(axes.n);
        first = own.nearest(shared.mmOf(static_cast<double>(first)));
        last = own.nearest(shared.mmOf(static_cast<double>(last)));
    }
    return {axes.u, axes.v, axes.n, first, last, first == last ? SlabMode::slice : state_.slabMode(), difference_};
}

void VolumePane::prepare(Layer& layer) {
    if (!layer.image || !layer.stale) return;
    const SliceRequest request = requestOf(layer);
    if (layer.slicedImage != layer.image || layer.sliced != request) {
        if (samplesRead(layer.image->view(), request) <= kMaxSamplesPerFrame) {
            layer.side.extract(layer.image->view(), request, layer.slice);
            slabs_.cancel(layer.key);
            layer.pending = false;
        } else {
            layer.pending = true;
            slabs_.request(
                layer.key,
                [image = layer.image, request](const std::stop_token& stop) {
                    std::optional<PlaneSlice> slice(std::in_place);
                    const bool done = guarded(
                        {}, [&] { extractSlice(image->view(), request, *slice, stop); }, [](ErrorCode, const Message&) {});
                    return done ? std::move(slice) : std::nullopt;
                },
                [this, self = QPointer<VolumePane>(this), &layer, image = layer.image, request](std::optional<PlaneSlice> made) {
                    if (!self || image != layer.image || request != layer.sliced) return;  // outdated
                    layer.pending = false;
                    if (made) layer.slice = std::move(*made);
                    layer.stale = true;
                    update();
                });
        }
        layer.slicedImage = layer.image;
        layer.sliced = request;
    }
    layer.stale = false;
    const PlaneAxes axes = state_.axes(kind_);
    const AxisMap &u = layer.frame.axis(axes.u), &v = layer.frame.axis(axes.v);
    if (layer.slice.width != u.count() || layer.slice.height != v.count()) {
        layer.picture = {};  // of another volume; the new slab follows
        return;
    }
    const QSizeF size = deviceSize();
    const QPointF middle(size.width() / 2, size.height() / 2);
    const QPointF a = middle + state_.placeOf(axes, {0, 0}), b = middle + state_.placeOf(axes, {u.extent(), v.extent()});
    const auto range = [](double one, double other, double limit) {
        // Pixels whose centre lies in the volume and in the pane.
        const int first = std::max(0, static_cast<int>(std::ceil(std::min(one, other) - 0.5)));
        const int end = static_cast<int>(std::ceil(std::min(std::max(one, other), limit) - 0.5));
        return std::pair(first, std::max(0, end - first));
    };
    const auto [x, w] = range(a.x(), b.x(), size.width());
    const auto [y, h] = range(a.y(), b.y(), size.height());
    const QPointF start = state_.mmAt(axes, QPointF(x, y) - middle);
    const double step = 1 / state_.scale();
    const PlaneFilter filter = difference_ ? PlaneFilter::strongest : state_.smooth() ? PlaneFilter::smooth : PlaneFilter::voxels;
    const AxisTaps columns(u, start.x(), axes.flipU ? -step : step, w, filter), rows(v, start.y(), axes.flipV ? -step : step, h, filter);
    layer.picture = renderPlane(layer.slice, columns, rows, filter, *colours_);
    layer.corner = {x, y};
}

int VolumePane::wipeX() const { return wipe_ ? static_cast<int>(std::lround(*wipe_ * (width() - 1))) : width(); }

bool VolumePane::onWipeLine(QPointF position) const { return wipe_ && std::fabs(position.x() - wipeX()) <= kGrabDistance; }

void VolumePane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), Qt::black);
    dirty_ = false;
    const int edge = wipeX();
    paintLayer(painter, left_, QRect(0, 0, edge, height()), leftOutdated_);
    if (wipe_) paintLayer(painter, right_, QRect(edge, 0, width() - edge, height()), rightOutdated_);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool filled = left_.image || right_.image;
    if (filled) paintCrosshair(painter);
    if (wipe_) {
        for (const auto& [colour, thick] : {std::pair{QColor(0, 0, 0, 170), 3.0}, std::pair{QColor(Qt::white), 1.0}}) {
            painter.setPen(QPen(colour, thick));
            painter.drawLine(QPointF(edge + 0.5, 0), QPointF(edge + 0.5, height()));
        }
    }
    if (filled && annotated_) {
        paintLetters(painter);  // after the wipe line, which would cross them
        paintShadowed(painter, slicePlace(), sliceText(), kBoxText);
        if (const auto bar = scaleBar()) paintScaleBar(painter, bar->place, bar->text);
    }
    if (state_.box() && filled)
        paintSelectedBox(painter, boxPlace(), crosses(*state_.box(), state_.axes(kind_), slice()), view_.selecting());
    if (const Measurement* shown = measurement(); shown && filled) {
        std::vector<QPointF> places;
        for (const QPointF& mm : shown->points) places.push_back(placeOf(mm));
        paintMeasurement(painter, rect(), places, measurementTexts());
    }
    paintNotice(painter);
    paintTag(painter, QRect(0, 0, width(), slicePlace().top()), label_.tag);
    if (hasFocus() || active_ || theme.highContrast)  // black panes in a black window
        paintFrame(painter, rect(), hasFocus() || active_ ? theme.accent : theme.border, active_);
}

void VolumePane::paintLayer(QPainter& painter, Layer& layer, const QRect& part, bool outdated) {
    prepare(layer);
    if (layer.picture.isNull()) return;
    const double ratio = devicePixelRatioF();
    painter.save();
    painter.setClipRect(part);
    painter.scale(1 / ratio, 1 / ratio);
    painter.setOpacity(outdated || layer.pending ? 0.75 : 1);
    painter.drawImage(layer.corner, layer.picture);
    painter.restore();
}

void VolumePane::paintCrosshair(QPainter& painter) const {
    if (state_.crosshairShown()) {
        const QPointF at = placeOf(state_.crosshair());
        constexpr double gap = 9;  // keeps the voxel itself visible
        for (const auto& [colour, thick] : {std::pair{QColor(0, 0, 0, 110), 3.0}, std::pair{kCrosshair, 1.0}}) {
            painter.setPen(QPen(colour, thick));
            painter.drawLine(QPointF(0, at.y()), QPointF(at.x() - gap, at.y()));
            painter.drawLine(QPointF(at.x() + gap, at.y()), QPointF(width(), at.y()));
            painter.drawLine(QPointF(at.x(), 0), QPointF(at.x(), at.y() - gap));
            painter.drawLine(QPointF(at.x(), at.y() + gap), QPointF(at.x(), height()));
        }
    }
    // The linked cursor, if it lies in this slice.
    const auto& cursor = view_.cursor();
    if (!cursor || underMouse()) return;
    const Voxel voxel{cursor->x, cursor->y, cursor->z};
    const auto n = static_cast<std::size_t>(state_.axes(kind_).n);
    if (voxel[n] != state_.crosshair()[n]) return;
    const PlaneAxes axes = state_.axes(kind_);
    const auto extent = [&](int axis) {
        const AxisMap& map = state_.frame().axis(axis);
        return map.extent() / static_cast<double>(map.count()) * state_.scale() / devicePixelRatioF();
    };
    QRectF pixel(0, 0, extent(axes.u), extent(axes.v));
    pixel.moveCenter(placeOf(voxel));
    paintCursor(painter, pixel);
}

std::vector<VolumePane::Letter> VolumePane::letters() const {
    std::vector<Letter> all;
    // Letters would cover a pane as small as this.
    if (width() < kSmallPane || height() < kSmallPane) return all;
    const PlaneAxes axes = state_.axes(kind_);
    const QFontMetrics metrics(bold());
    const auto add = [&](int axis, bool forwards, Qt::Alignment side) {
        // Unknown orientation: the name of the file's axis stands at its positive end.
        const bool placed = state_.frame().placed();
        if (!placed && !forwards) return;
        const QString text = placed ? state_.frame().letters(axis, forwards) : axisName(axis);
        QRect box(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height() + 2);
        box.moveCenter(rect().center());
        if (side & Qt::AlignLeft) box.moveLeft(4);
        if (side & Qt::AlignRight) box.moveRight(width() - 5);
        if (side & Qt::AlignTop) box.moveTop(2);
        if (side & Qt::AlignBottom) box.moveBottom(height() - 3);
        all.push_back({text, box});
    };
    add(axes.u, axes.flipU, Qt::AlignLeft);
    add(axes.u, !axes.flipU, Qt::AlignRight);
    add(axes.v, axes.flipV, Qt::AlignTop);
    add(axes.v, !axes.flipV, Qt::AlignBottom);
    return all;
}

void VolumePane::paintLetters(QPainter& painter) const {
    painter.setFont(bold());
    for (const Letter& letter : letters()) paintShadowed(painter, letter.box, letter.text, kLetter);
    painter.setFont(font());
}

bool VolumePane::event(QEvent* event) {
    // The header has the tooltip: over the image it would hide what the user looks at.
    if (event->type() == QEvent::ToolTip) return true;
    return QWidget::event(event);
}

QStringList VolumePane::sliceTexts() const {
    const int axis = state_.axes(kind_).n;
    const std::int64_t at = state_.crosshair()[static_cast<std::size_t>(axis)] + 1, count = state_.frame().axis(axis).count();
    const QString name = planeName(kind_, state_.frame().placed()), position = QStringLiteral("%1 / %2").arg(at).arg(count);
    const auto joined = [](const QString& a, const QString& b) { return QStringLiteral("%1 · %2").arg(a, b); };
    if (state_.slabMode() == SlabMode::slice) {
        const QString slice = tr("Slice %1").arg(position);
        return {joined(name, slice), slice, position, QString::number(at)};
    }
    const QString mode = state_.slabMode() == SlabMode::maximum   ? tr("MIP")
                         : state_.slabMode() == SlabMode::minimum ? tr("MinIP")
                                                                  : tr("Mean");
    const auto [first, last] = state_.slab(axis);
    const QString thickness = QLocale().toString(state_.slabThickness(), 'g', 4);
    const QString slab = tr("%1 %2 mm · %3 slices around %4").arg(mode, thickness).arg(last - first + 1).arg(at);
    return {joined(name, slab), slab, joined(mode, position), position, QString::number(at)};
}

QString VolumePane::sliceText() const {
    const QFontMetrics metrics(font());
    const int room = width() / 2 - 24;  // the letter in the middle needs its place
    const QStringList texts = sliceTexts();
    for (const QString& candidate : texts)
        if (width() >= kSmallPane && metrics.horizontalAdvance(candidate) <= room) return candidate;
    return texts.back();
}

QRect VolumePane::slicePlace() const {
    const QFontMetrics metrics(font());
    return {4, height() - 3 - metrics.height() - 2, metrics.horizontalAdvance(sliceText()) + 6, metrics.height() + 2};
}

void VolumePane::paintNotice(QPainter& painter) const {
    const QString notice = left_.pending && label_.notice.isEmpty() ? tr("Computing slab …") : label_.notice;
    if (notice.isEmpty()) return;
    const QRect area = rect().adjusted(24, 40, -24, -24);
    const QRect text = painter.boundingRect(area, Qt::AlignCenter | Qt::TextWordWrap, notice);
    paintBox(painter, text.adjusted(-10, -6, 10, 6));
    painter.setPen(kBoxText);
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, notice);
}

void VolumePane::resizeEvent(QResizeEvent*) { refresh(); }

void VolumePane::track(QPointF position) {
    last_ = position;
    const auto voxel = voxelAt(position);
    if (voxel) view_.setCursor(PixelPosition{(*voxel)[0], (*voxel)[1], (*voxel)[2]});
    else view_.setCursor(std::nullopt);
}

void VolumePane::wheelEvent(QWheelEvent* event) {
    const int delta = event->angleDelta().y();
    if (delta == 0) return event->ignore();
    event->accept();
    if (event->modifiers() & Qt::ControlModifier) {
        state_.zoomAt(kind_, fromMiddle(event->position()), std::pow(2.0, delta / 360.0));
        return track(event->position());
    }
    // Touchpads send fractions of a notch.
    constexpr int kNotch = 120;
    wheel_ += delta;
    const int slices = wheel_ / kNotch;
    wheel_ -= slices * kNotch;
    if (slices != 0) state_.scroll(kind_, event->modifiers() & Qt::ShiftModifier ? slices * kLargeStep : slices);
    track(event->position());
}

void VolumePane::mousePressEvent(QMouseEvent* event) {
    from_ = last_ = event->position();
    moved_ = false;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier), shift = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->button()) {
        case Qt::LeftButton:
            drag_ = onWipeLine(from_)    ? Drag::wipe
                    : control            ? Drag::pan
                    : shift              ? Drag::window
                    : state_.measuring() ? Drag::measure
                    : view_.selecting()  ? Drag::box
                                         : Drag::crosshair;
            break;
        case Qt::MiddleButton: drag_ = Drag::pan; break;
        case Qt::RightButton: drag_ = Drag::window; break;
        default: return event->ignore();
    }
    centreFrom_ = windowCentre(view_.display());
    widthFrom_ = windowWidth(view_.display());
    if (drag_ == Drag::pan) setCursor(Qt::ClosedHandCursor);
    if (drag_ == Drag::measure) beginMeasurement(from_);
    if (drag_ == Drag::box) beginBox(from_);
    if (drag_ == Drag::crosshair)
        if (const auto voxel = voxelAt(from_)) state_.setCrosshair(*voxel);
}

void VolumePane::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position(), way = at - from_;
    moved_ = moved_ || way.manhattanLength() > kClickDistance;
    switch (drag_) {
        case Drag::crosshair:
            if (const auto voxel = voxelAt(at)) state_.setCrosshair(*voxel);
            break;
        case Drag::window:
            if (moved_) {
                // Right widens the window by a factor of e every 150 pixels; down raises the level by a window width every 300.
                const double width = widthFrom_ * std::exp(way.x() / 150);
                view_.setDisplay(withWindow(view_.display(), centreFrom_ + way.y() * widthFrom_ / 300, std::clamp(width, 1e-6, 1e9)));
            }
            break;
        case Drag::measure: moveMeasurement(at); break;
        case Drag::box:
            if (moved_) moveBox(at);
            break;
        case Drag::pan: state_.panBy(kind_, (at - last_) * devicePixelRatioF()); break;
        case Drag::wipe: emit wipeMoved(std::clamp(at.x() / std::max(1, width() - 1), 0.0, 1.0)); break;
        case Drag::none: setCursor(onWipeLine(at) ? Qt::SplitHCursor : view_.selecting() ? boxCursorAt(at) : Qt::CrossCursor); break;
    }
    track(at);
}

void VolumePane::mouseReleaseEvent(QMouseEvent* event) {
    const bool menu = event->button() == Qt::RightButton && drag_ == Drag::window && !moved_;
    if (drag_ == Drag::measure) endMeasurement();
    if (drag_ == Drag::box) endBox();
    drag_ = Drag::none;
    setCursor(Qt::CrossCursor);
    if (menu) emit menuRequested(mapToGlobal(event->position().toPoint()));
}

void VolumePane::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) emit aloneRequested();
}

void VolumePane::contextMenuEvent(QContextMenuEvent* event) {
    // The right button also drags the window: its menu opens on release, if the mouse has not moved.
    if (event->reason() == QContextMenuEvent::Keyboard) emit menuRequested(mapToGlobal(rect().center()));
    event->accept();
}

void VolumePane::keyPressEvent(QKeyEvent* event) {
    const std::int64_t by = event->modifiers() & Qt::ShiftModifier ? kLargeStep : 1;
    const PlaneAxes axes = state_.axes(kind_);
    const auto move = [&](int axis, std::int64_t voxels) {
        Voxel to = state_.crosshair();
        to[static_cast<std::size_t>(axis)] += voxels;
        state_.setCrosshair(to);
    };
    constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
    const bool inPlane = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
        case Qt::Key_Up: return inPlane ? move(axes.v, axes.flipV ? by : -by) : state_.scroll(kind_, by);
        case Qt::Key_Down: return inPlane ? move(axes.v, axes.flipV ? -by : by) : state_.scroll(kind_, -by);
        case Qt::Key_Left: return move(axes.u, axes.flipU ? by : -by);
        case Qt::Key_Right: return move(axes.u, axes.flipU ? -by : by);
        case Qt::Key_Home: return state_.scroll(kind_, far);
        case Qt::Key_End: return state_.scroll(kind_, -far);
        case Qt::Key_Return:
        case Qt::Key_Enter: return emit aloneRequested();
        default: QWidget::keyPressEvent(event);
    }
}

void VolumePane::leaveEvent(QEvent*) { view_.setCursor(std::nullopt); }

}  // namespace parallax::ui
