// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/subbands/region_mosaic.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kMargin = 6;
constexpr double kGainStep = 1.25;
constexpr QRgb kNotFinite = qRgb(214, 39, 214);

}  // namespace

RegionMosaic::RegionMosaic(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("regionMosaic"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Mosaic of the sub-bands"));
    setAccessibleDescription(
        tr("Arrow keys: next sub-band. Enter: show it alone. Page Up, Page Down: slices. Plus, minus: gain of the sub-band."));
    // Each sub-band has its own tooltip; this one is for screen readers.
    setToolTip(accessibleDescription());
    setMouseTracking(true);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &RegionMosaic::changed);
}

void RegionMosaic::setContent(std::shared_ptr<const StudiedRegions> content, const QString& emptyText) {
    content_ = std::move(content);
    emptyText_ = emptyText;
    if (content_) {
        const int count = static_cast<int>(content_->regions.size());
        selected_ = std::clamp(selected_, 0, std::max(0, count - 1));
        // The first and the last slice of a volume are usually empty.
        if (const Shape shape = content_->mosaic->shape(); shape != shapeSeen_) {
            shapeSeen_ = shape;
            goToTheMiddle();
        }
        view_ = viewOf(content_->mosaic->shape(), content_->regions, view_);
    }
    changed();
}

void RegionMosaic::setChannel(int channel) {
    channel_ = channel;
    changed();
}

void RegionMosaic::setGains(std::vector<double> gains) {
    gains_ = std::move(gains);
    changed();
}

void RegionMosaic::goToTheMiddle() {
    if (content_->regions.empty()) return;
    const Region& first = content_->regions.front();
    const std::size_t through = axesOf(view_.plane)[2];
    view_.slice = first.origin[through] + first.extent[through] / 2;
}

void RegionMosaic::setPlane(RegionPlane plane) {
    view_.plane = plane;
    if (content_) goToTheMiddle();
    if (content_) view_ = viewOf(content_->mosaic->shape(), content_->regions, view_);
    changed();
}

void RegionMosaic::setSlice(std::int64_t slice) {
    view_.slice = slice;
    if (content_) view_ = viewOf(content_->mosaic->shape(), content_->regions, view_);
    changed();
}

void RegionMosaic::setSelected(int region) {
    if (!content_ || region < 0 || region >= static_cast<int>(content_->regions.size())) return;
    selected_ = region;
    const Region& r = content_->regions[static_cast<std::size_t>(region)];
    const std::size_t through = axesOf(view_.plane)[2];
    // Make the selected region visible.
    const std::int64_t before = view_.slice;
    if (view_.slice < r.origin[through] || view_.slice >= r.origin[through] + r.extent[through])
        view_.slice = r.origin[through] + r.extent[through] / 2;
    if (view_.alone >= 0) view_.alone = region;
    view_ = viewOf(content_->mosaic->shape(), content_->regions, view_);
    changed();
    if (view_.slice != before) emit sliceChanged(view_.slice);
}

void RegionMosaic::setAlone(bool alone) {
    if (alone == this->alone() && (!alone || view_.alone == selected_)) return;
    const std::int64_t before = view_.slice;
    view_.alone = alone ? selected_ : -1;
    if (content_) view_ = viewOf(content_->mosaic->shape(), content_->regions, view_);
    changed();
    emit aloneChanged(alone);
    if (view_.slice != before) emit sliceChanged(view_.slice);
}

void RegionMosaic::changed() {
    picture_ = {};
    update();
}

QRect RegionMosaic::pictureRect() const {
    if (!content_) return {};
    const auto axes = axesOf(view_.plane);
    const QSize room = size() - QSize(2 * kMargin, 2 * kMargin);
    QSize shown(static_cast<int>(std::min<std::int64_t>(view_.extent[axes[0]], 1 << 20)),
                static_cast<int>(std::min<std::int64_t>(view_.extent[axes[1]], 1 << 20)));
    shown.scale(room, Qt::KeepAspectRatio);
    // A plane of one row stays visible.
    shown = shown.expandedTo(QSize(2, 2)).boundedTo(room.expandedTo(QSize(2, 2)));
    return {QPoint((width() - shown.width()) / 2, (height() - shown.height()) / 2), shown};
}

QRect RegionMosaic::regionRect(int region) const {
    if (!content_ || region < 0 || region >= static_cast<int>(content_->regions.size())) return {};
    const QRect all = pictureRect();
    if (view_.alone >= 0) return region == view_.alone ? all : QRect();
    const auto axes = axesOf(view_.plane);
    const Region& r = content_->regions[static_cast<std::size_t>(region)];
    if (view_.slice < r.origin[axes[2]] || view_.slice >= r.origin[axes[2]] + r.extent[axes[2]]) return {};
    const auto at = [&](std::size_t axis, std::int64_t i, int length) {
        return static_cast<int>(static_cast<double>(i - view_.origin[axis]) / static_cast<double>(view_.extent[axis]) * length + 0.5);
    };
    const int left = at(axes[0], r.origin[axes[0]], all.width()), right = at(axes[0], r.origin[axes[0]] + r.extent[axes[0]], all.width()),
              top = at(axes[1], r.origin[axes[1]], all.height()), bottom = at(axes[1], r.origin[axes[1]] + r.extent[axes[1]], all.height());
    return QRect(left, top, right - left, bottom - top).translated(all.topLeft());
}

void RegionMosaic::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.canvas);
    if (!content_ || gains_.size() != content_->regions.size()) {
        painter.setPen(theme.dark ? theme.subtle : theme.palette.color(QPalette::WindowText));
        painter.drawText(rect().adjusted(20, 12, -20, -12), static_cast<int>(Qt::AlignCenter) | static_cast<int>(Qt::TextWordWrap),
                         emptyText_);
        return;
    }
    const QRect where = pictureRect();
    const double scale = devicePixelRatioF();
    const QSize pixels(std::max(1, static_cast<int>(where.width() * scale)), std::max(1, static_cast<int>(where.height() * scale)));
    if (picture_.size() != pixels) {
        picture_ = QImage(pixels, QImage::Format_RGB32);
        const auto drawn =
            drawRegions(content_->mosaic->view().channel(channel_), content_->regions,
                        content_->figures[static_cast<std::size_t>(channel_)], gains_, view_, pixels.width(), pixels.height());
        const QRgb gap = theme.canvas.rgb();
        for (int y = 0; y < pixels.height(); ++y) {
            auto* line = reinterpret_cast<QRgb*>(picture_.scanLine(y));
            for (int x = 0; x < pixels.width(); ++x) {
                const RegionPixel p =
                    drawn[static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width()) + static_cast<std::size_t>(x)];
                line[x] = p.kind == RegionPixel::Kind::value       ? qRgb(p.grey, p.grey, p.grey)
                          : p.kind == RegionPixel::Kind::notFinite ? kNotFinite
                                                                   : gap;
            }
        }
    }
    painter.drawImage(where, picture_);
    // Lines between regions, then names where there is room for them.
    const QFontMetrics metrics = fontMetrics();
    for (int i = 0; i < static_cast<int>(content_->regions.size()); ++i) {
        const QRect r = regionRect(i);
        if (r.isEmpty()) continue;
        painter.setPen(QPen(QColor(255, 255, 255, 90), 1));
        if (view_.alone < 0) painter.drawRect(r.adjusted(0, 0, -1, -1));
        const QString name = QString::fromStdString(content_->regions[static_cast<std::size_t>(i)].key);
        const QSize text(metrics.horizontalAdvance(name) + 8, metrics.height() + 2);
        if (r.width() < text.width() + 6 || r.height() < text.height() + 6) continue;
        const QRect plate(r.topLeft() + QPoint(2, 2), text);
        painter.fillRect(plate, QColor(0, 0, 0, 150));
        painter.setPen(Qt::white);
        painter.drawText(plate, Qt::AlignCenter, name);
    }
    if (const QRect r = regionRect(selected_); !r.isEmpty() && view_.alone < 0) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRect(r.adjusted(1, 1, -1, -1));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void RegionMosaic::choose(int region) {
    setSelected(region);
    emit regionChosen(selected_);
}

void RegionMosaic::mousePressEvent(QMouseEvent* event) {
    const QRect where = pictureRect();
    if (!content_ || event->button() != Qt::LeftButton || !where.contains(event->position().toPoint())) return;
    if (alone()) return setAlone(false);
    const QPointF at = event->position() - QPointF(where.topLeft());
    const int region = regionAt(content_->regions, sampleAt(view_, at.x() / where.width(), at.y() / where.height()));
    if (region < 0) return;
    choose(region);
    setAlone(true);
}

void RegionMosaic::stepSlice(std::int64_t by) {
    const std::int64_t before = view_.slice;
    setSlice(view_.slice + by);
    if (view_.slice != before) emit sliceChanged(view_.slice);
}

void RegionMosaic::wheelEvent(QWheelEvent* event) {
    if (!content_ || event->angleDelta().y() == 0) return;
    event->accept();
    // Touchpads send fractions of a notch.
    wheel_ += event->angleDelta().y();
    const int slices = wheel_ / QWheelEvent::DefaultDeltasPerStep;
    wheel_ -= slices * QWheelEvent::DefaultDeltasPerStep;
    if (slices != 0) stepSlice(-slices);
}

void RegionMosaic::keyPressEvent(QKeyEvent* event) {
    if (!content_) return QWidget::keyPressEvent(event);
    const int count = static_cast<int>(content_->regions.size());
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Down: return choose((selected_ + 1) % count);
        case Qt::Key_Left:
        case Qt::Key_Up: return choose((selected_ + count - 1) % count);
        case Qt::Key_Home: return choose(0);
        case Qt::Key_End: return choose(count - 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space: return setAlone(!alone());
        case Qt::Key_PageUp: return stepSlice(-1);
        case Qt::Key_PageDown: return stepSlice(1);
        case Qt::Key_Plus: emit gainStep(kGainStep); return;
        case Qt::Key_Minus: emit gainStep(1 / kGainStep); return;
        default: QWidget::keyPressEvent(event);
    }
}

QString RegionMosaic::describe(const QPoint& at) const {
    const QRect where = pictureRect();
    if (!content_ || !where.contains(at)) return {};
    const QPoint inside = at - where.topLeft();
    const auto sample = sampleAt(view_, (inside.x() + 0.5) / where.width(), (inside.y() + 0.5) / where.height());
    const int region = regionAt(content_->regions, sample);
    if (region < 0) return tr("No sub-band has samples here");
    const Region& r = content_->regions[static_cast<std::size_t>(region)];
    QStringList place;
    for (std::size_t a = 0; a < 3; ++a) place << QString::number(sample[a] - r.origin[a]);
    return tr("%1: %2, level %3\nCoefficient (%4): %5\nGain for viewing: %6")
        .arg(QString::fromStdString(r.key), catalogText(r.title))
        .arg(r.level)
        .arg(place.join(QStringLiteral(", ")),
             formatSample(static_cast<double>(content_->mosaic->view().channel(channel_).at(sample[0], sample[1], sample[2]))),
             formatFactor(gains_[static_cast<std::size_t>(region)]));
}

bool RegionMosaic::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Here these keys control the sub-bands instead of zoom and next image.
        static constexpr int kOwn[] = {Qt::Key_Left,     Qt::Key_Right,  Qt::Key_Up,    Qt::Key_Down,  Qt::Key_Home,
                                       Qt::Key_End,      Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space, Qt::Key_PageUp,
                                       Qt::Key_PageDown, Qt::Key_Plus,   Qt::Key_Minus};
        const auto* key = static_cast<QKeyEvent*>(event);
        if (content_ && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) &&
            std::find(std::begin(kOwn), std::end(kOwn), key->key()) != std::end(kOwn)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const QString text = describe(help->pos()); !text.isEmpty()) {
            QToolTip::showText(help->globalPos(), text, this);
            return true;
        }
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::event(event);
}

}  // namespace parallax::ui
