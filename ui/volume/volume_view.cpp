// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_view.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/compare/shown_kind.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kGap = 2;

struct Grid {
    int columns, rows;
    bool planesAcross;  ///< each plane is a column
    bool free;          ///< row by row
    int headers;        ///< rows with a header: all, or the first

    QSize cell(QSize all, int header) const {
        return {(all.width() - (columns - 1) * kGap) / columns, (all.height() - headers * header - (rows - 1) * kGap) / rows};
    }
    /// The corner of a cell without its header.
    QPoint corner(int column, int row, QSize cell, int header) const {
        const int above = headers > 1 ? (row + 1) * header : header;
        return {column * (cell.width() + kGap), above + row * (cell.height() + kGap)};
    }
};

/// Planes in columns or in rows; a single plane or volume in any number of columns.
std::vector<Grid> gridsOf(int volumes, int planes) {
    if (planes > 1 && volumes > 1) return {{planes, volumes, true, false, volumes}, {volumes, planes, false, false, 1}};
    std::vector<Grid> grids;
    const int cells = planes * volumes;
    for (int columns = 1; columns <= cells; ++columns) {
        const int rows = (cells + columns - 1) / columns;
        grids.push_back({columns, rows, planes > 1, true, volumes > 1 ? rows : 1});
    }
    return grids;
}

std::size_t indexOf(PlaneKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

VolumeView::VolumeView(Session& session, CompareView& compare, ViewState& view, VolumeState& state, QWidget* parent)
    : QWidget(parent),
      session_(session),
      compare_(compare),
      view_(view),
      state_(state),
      renderings_(session, state, view, *this),
      sliderRow_(new QWidget(this)),
      probe_(new ElidedLabel(this)) {
    makePanes();
    makeSliders();
    described(probe_, tr("Voxel under the mouse"),
              tr("Voxel under the mouse, or at the crosshair: index along x, y and z from 0, position in the patient in mm (left or right, "
                 "back or front, head or feet) and values"),
              "volumeProbe");
    selectable(probe_)->setContentsMargins(8, 0, 8, 2);
    probe_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connectStates();
    takeVolume();
}

void VolumeView::makePanes() {
    const QString usage =
        tr("Click or drag: crosshair. Wheel, Up, Down: slices (Shift: ten). Right drag or Shift+drag: window and level. Ctrl+wheel: "
           "zoom. Middle drag or Ctrl+drag: pan. Double click or Enter: single pane or all panes.");
    for (const PaneRole role : kAllPanes) {
        headers_[static_cast<std::size_t>(role)] = new PaneHeader(compare_.pane(role), this);
        header(role).setUsage(usage);
        for (const PlaneKind kind : kAllPlanes) {
            auto* pane = new VolumePane(state_, view_, slabs_, kind, this);
            pane->setObjectName(QStringLiteral("volume-%1-%2").arg(static_cast<int>(role)).arg(static_cast<int>(kind)));
            pane->setToolTip(usage);
            connect(pane, &VolumePane::menuRequested, this, [this, role](const QPoint& at) { emit menuRequested(role, at); });
            connect(pane, &VolumePane::aloneRequested, this, [this, role, kind] {
                const bool sheet = !session_.pipeline().setup().beforeSheet.empty();
                if (const auto side = sideOf(role); side && sheet) adoptSteps(session_.pipeline(), *side);
                else toggleAlone({role, kind});
            });
            pane->installEventFilter(this);
            connect(pane, &VolumePane::wipeMoved, &compare_, &CompareView::setWipePosition);
            panes_[static_cast<std::size_t>(role)][indexOf(kind)] = pane;
        }
    }
}

void VolumeView::makeSliders() {
    auto* row = new QHBoxLayout(sliderRow_);
    row->setContentsMargins(8, 2, 8, 0);
    row->setSpacing(8);
    for (const PlaneKind kind : kAllPlanes) {
        auto* name = new QLabel(sliderRow_);
        auto* slider = new QSlider(Qt::Horizontal, sliderRow_);
        slider->setObjectName(QStringLiteral("slice-%1").arg(static_cast<int>(kind)));
        slider->setPageStep(10);
        connect(slider, &QSlider::valueChanged, this, [this, kind](int value) {
            Voxel to = state_.crosshair();
            to[static_cast<std::size_t>(state_.axes(kind).n)] = sliceAt(kind, value);
            state_.setCrosshair(to);
        });
        sliderNames_[indexOf(kind)] = name;
        sliders_[indexOf(kind)] = slider;
        row->addWidget(name);
        row->addWidget(slider, 1);
    }
}

void VolumeView::connectStates() {
    connect(&session_, &Session::originalChanged, this, &VolumeView::takeVolume);
    connect(&session_.comparison(), &Comparison::sideChanged, this, &VolumeView::takeImages);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, &VolumeView::takeImages);
    connect(&session_.panes(), &PaneData::pyramidChanged, this, &VolumeView::takeImages);
    connect(&compare_, &CompareView::changed, this, &VolumeView::updateComparison);
    connect(&session_.pipeline(), &PipelineModel::activeChanged, this, &VolumeView::followActive);
    for (const auto signal : {&VolumeState::frameChanged, &VolumeState::crosshairChanged, &VolumeState::optionsChanged})
        connect(&state_, signal, this, [this] {
            updateSliders();
            updateProbe();
            for (PaneHeader* each : headers_) each->setInverted(state_.inverted());
            if (!freeCell_.isEmpty()) update(freeCell_);
        });
    connect(&state_, &VolumeState::planesChanged, this, [this] {
        alone_.reset();  // the chosen planes must be visible
        arrange();
        updateSliders();
    });
    connect(&renderings_.state(), &RenderState::shownChanged, this, [this] {
        alone_.reset();
        arrange();
        updateSliders();
    });
    connect(&renderings_, &RenderPanes::paneMade, this, [this](PaneRole role) { renderings_.pane(role).installEventFilter(this); });
    connect(&renderings_, &RenderPanes::aloneRequested, this, [this](PaneRole role) { toggleAlone({role, {}}); });
    connect(&view_, &ViewState::cursorChanged, this, &VolumeView::updateProbe);
    // The list of largest differences marks a pixel: move the crosshair there.
    connect(&view_, &ViewState::viewChanged, this, [this, last = std::optional<PixelPosition>()]() mutable {
        if (view_.mark() == last) return;
        last = view_.mark();
        if (!last || !hasVolume()) return;
        state_.setCrosshair({last->x, last->y, last->z});
        view_.setMark(std::nullopt);  // so that choosing the same row again works
    });
}

ImagePtr VolumeView::imageOf(PaneRole role) const {
    // From the pyramid: the difference may be a relative one.
    const PyramidPtr pyramid = session_.panes().pyramid(role);
    const ImagePtr image = pyramid ? pyramid->image() : nullptr;
    return image && image->isVolume() ? image : nullptr;  // the pane says why
}

PaneRole VolumeView::partnerOf(PaneRole role) const {
    if (role == compare_.leftRole()) return compare_.rightRole();
    return role == compare_.rightRole() ? compare_.leftRole() : role;
}

std::vector<PaneRole> VolumeView::shownRoles() const {
    std::vector<PaneRole> roles;
    for (const PaneRole role : kAllPanes)
        if (compare_.shown(role)) roles.push_back(role);
    if (!alone_) return roles;
    // Flipping A and B flips the single pane too.
    const bool shown = std::find(roles.begin(), roles.end(), alone_->role) != roles.end();
    return {shown ? alone_->role : partnerOf(alone_->role)};
}

std::vector<PlaneKind> VolumeView::visiblePlanes() const {
    if (!alone_) return shownPlanes(state_.planes());
    return alone_->kind ? std::vector{*alone_->kind} : std::vector<PlaneKind>();
}

bool VolumeView::renderingVisible() const {
    if (alone_) return !alone_->kind;
    // A contact sheet has no room for them.
    return renderings_.state().shown() && session_.pipeline().setup().beforeSheet.empty();
}

QWidget& VolumeView::widgetOf(const Cell& cell) {
    if (cell.kind) return pane(cell.role, *cell.kind);
    return renderings_.pane(cell.role);
}

RenderPanes::Content VolumeView::contentOf(PaneRole role) const {
    RenderPanes::Content content;
    content.label = compare_.pane(role).label();
    content.annotated = compare_.headersShown();
    content.active = shownRoles().size() > 1 && compare_.pane(role).active();
    content.outdated = compare_.outdated(role);
    if (role == PaneRole::difference) content.notice = tr("Differences are shown in the planes.");
    else content.image = hasVolume() ? imageOf(role) : nullptr;
    return content;
}

void VolumeView::followActive() {
    const PaneRole active = roleOf(session_.pipeline().active());
    for (const PaneRole role : kAllPanes) {
        if (role == active || !compare_.shown(active)) continue;
        for (const PlaneKind kind : kAllPlanes)
            if (pane(role, kind).hasFocus()) pane(active, kind).setFocus();
        if (RenderPane* rendering = renderings_.made(role); rendering && rendering->hasFocus()) renderings_.pane(active).setFocus();
    }
}

void VolumeView::toggleAlone(const Cell& cell) {
    if (alone_) alone_.reset();
    else if (shownRoles().size() * (visiblePlanes().size() + (renderingVisible() ? 1 : 0)) > 1) alone_ = cell;
    arrange();
    updateSliders();
    widgetOf(cell).setFocus();
}

void VolumeView::checkAlone() {
    if (!alone_) return;
    const bool flipped = alone_->role != partnerOf(alone_->role) && compare_.shown(partnerOf(alone_->role));
    if (compare_.shown(alone_->role) || flipped) return;
    alone_.reset();
    updateSliders();
}

void VolumeView::takeVolume() {
    const ImagePtr& image = session_.original();
    if (image && image->isVolume()) {
        const VolumeFrame frame(*image);
        if (!(frame == state_.frame())) renderings_.state().startFrom(*image, frame);
        state_.setFrame(frame);
        state_.setInverted(image->source.series && image->source.series->minimumIsWhite);
    }
    takeImages();
    updateSliders();
}

bool VolumeView::hasVolume() const { return session_.original() && session_.original()->isVolume() && !pictureOfVolume(session_); }

void VolumeView::takeImages() {
    const bool volume = hasVolume();
    for (const PaneRole role : kAllPanes)
        for (const PlaneKind kind : kAllPlanes) pane(role, kind).setImage(volume ? imageOf(role) : nullptr);
    if (!volume) return renderings_.fill([](PaneRole) { return RenderPanes::Content{}; });
    updateComparison();
    updateProbe();
}

void VolumeView::updateComparison() {
    if (!hasVolume()) return;  // costs no time while images are shown
    const bool wiping = compare_.layoutKind() == Layout::wipe, several = shownRoles().size() > 1;
    for (const PaneRole role : kAllPanes) {
        const PaneLabel& label = compare_.pane(role).label();
        for (const PlaneKind kind : kAllPlanes) {
            VolumePane& target = pane(role, kind);
            target.setLabel(label);
            const bool left = role == compare_.leftRole();
            target.setAnnotated(compare_.headersShown());
            target.setActive(several && compare_.pane(role).active());
            target.setOutdated(compare_.outdated(role), left && compare_.outdated(compare_.rightRole()));
            if (role == PaneRole::difference) target.setDifference(compare_.differenceScale(), compare_.differenceMode());
            if (role == PaneRole::original || role == PaneRole::difference) continue;
            if (wiping && left) target.setWipe(imageOf(compare_.rightRole()), compare_.wipePosition());
            else target.setNoWipe();
        }
    }
    checkAlone();
    arrange();
}

std::vector<CompareView::SideArea> VolumeView::sideAreas() const {
    std::vector<CompareView::SideArea> areas;
    for (const PaneRole role : shownRoles()) {
        const auto side = sideOf(role);
        if (!side) continue;
        for (const VolumePane* pane : panes_[static_cast<std::size_t>(role)])
            if (!pane->isHidden()) areas.push_back({*side, pane->geometry()});
        if (const RenderPane* pane = renderings_.made(role); pane && !pane->isHidden()) areas.push_back({*side, pane->geometry()});
        const PaneHeader* header = headers_[static_cast<std::size_t>(role)];
        if (!header->isHidden()) areas.push_back({*side, header->geometry()});
    }
    return areas;
}

bool VolumeView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress && shownRoles().size() > 1)
        for (const Side side : session_.sides()) {
            bool pressed = watched == renderings_.made(roleOf(side));
            for (const PlaneKind kind : kAllPlanes) pressed = pressed || watched == &pane(roleOf(side), kind);
            if (pressed) session_.pipeline().setActive(side);
        }
    return QWidget::eventFilter(watched, event);
}

void VolumeView::resizeEvent(QResizeEvent*) { arrange(); }

void VolumeView::showEvent(QShowEvent*) { arrange(); }

void VolumeView::arrange() {
    const std::vector<PaneRole> roles = shownRoles();
    const std::vector<PlaneKind> planes = visiblePlanes();
    const auto has = [](const auto& list, auto one) { return std::find(list.begin(), list.end(), one) != list.end(); };
    for (const PaneRole role : kAllPanes)
        for (const PlaneKind kind : kAllPlanes) pane(role, kind).setVisible(has(roles, role) && has(planes, kind));
    const bool rendering = renderingVisible();
    renderings_.show(rendering ? roles : std::vector<PaneRole>());
    renderings_.fill([this](PaneRole role) { return contentOf(role); });
    for (const PaneRole role : kAllPanes) header(role).setVisible(compare_.headersShown() && has(roles, role));
    const int sliderHeight = sliderRow_->sizeHint().height(), probeHeight = probe_->sizeHint().height();
    const int below = sliderHeight + probeHeight;
    sliderRow_->setGeometry(0, height() - below, width(), sliderHeight);
    probe_->setGeometry(0, height() - probeHeight, width(), probeHeight);
    const int high = height() - below, count = static_cast<int>(roles.size()),
              across = static_cast<int>(planes.size()) + (rendering ? 1 : 0);
    freeCell_ = {};
    if (count == 0 || width() <= 0 || high <= 0) return;
    const std::vector<Grid> grids = gridsOf(count, across);
    const QSize all(width(), high);
    const int above = compare_.headersShown() ? header(PaneRole::a).sizeHint().height() : 0;
    // The grid that shows the volume largest.
    const Grid* best = nullptr;
    double largest = 0;
    for (const Grid& g : grids) {
        const QSize cell = g.cell(all, above);
        if (cell.isEmpty()) continue;
        const double scale = state_.fittingScale(cell);
        if (scale <= largest * 1.02) continue;
        largest = scale;
        best = &g;
    }
    if (!best) return;
    const QSize cell = best->cell(all, above);
    for (int r = 0; r < count; ++r) {
        for (int p = 0; p < across; ++p) {
            const int number = r * across + p;
            const int column = best->free ? number % best->columns : best->planesAcross ? p : r;
            const int row = best->free ? number / best->columns : best->planesAcross ? r : p;
            const PaneRole role = roles[static_cast<std::size_t>(r)];
            const QRect place(best->corner(column, row, cell, above), cell);
            const auto plane = static_cast<std::size_t>(p);
            widgetOf({role, plane < planes.size() ? std::optional(planes[plane]) : std::nullopt}).setGeometry(place);
            // The volume has one header, over its first plane, or over all that are beside each other.
            const bool wide = best->planesAcross && (!best->free || count == 1);
            if (p == 0) header(role).setGeometry(place.left(), place.top() - above, wide ? width() : cell.width(), above);
        }
    }
    if (best->free && best->columns * best->rows > count * across)
        freeCell_ = QRect(best->corner(best->columns - 1, best->rows - 1, cell, above), cell);
    update();
    state_.setPaneSize(QSizeF(cell) * devicePixelRatioF());
}

void VolumeView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().palette.color(QPalette::Window));
    const ImagePtr& image = session_.original();
    if (freeCell_.isEmpty() || !hasVolume()) return;
    painter.fillRect(freeCell_, Qt::black);
    const Shape& shape = image->shape();
    QStringList lines{formatExtent(shape.width, shape.height, shape.depth)};
    const QLocale locale;
    if (image->geometry) {
        const auto& s = image->geometry->spacing;
        lines << tr("%1 × %2 × %3 mm").arg(locale.toString(s[0], 'g', 4), locale.toString(s[1], 'g', 4), locale.toString(s[2], 'g', 4));
        if (!state_.frame().placed()) lines << tr("No patient orientation in the file: planes are named by its axes");
        else
            lines << (state_.radiological() ? tr("Radiological: the patient's right is on the left")
                                            : tr("Neurological: the patient's right is on the right"));
    } else {
        lines << tr("Voxel spacing and orientation unknown");
    }
    if (state_.frame().obliqueness() > 0.5)
        lines << tr("Voxel axes up to %1° oblique; planes follow them").arg(locale.toString(state_.frame().obliqueness(), 'f', 1));
    const QString unit = sampleUnit(image.get());
    lines << tr("Level %1, width %2 %3").arg(formatNumber(windowCentre(view_.display())), formatNumber(windowWidth(view_.display())), unit);
    lines << QString() << tr("Alt+5 shows a rendering here");
    painter.setPen(QColor(214, 214, 218));
    painter.drawText(freeCell_.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, lines.join(QLatin1Char('\n')));
}

std::int64_t VolumeView::sliceAt(PlaneKind kind, std::int64_t value) const {
    const PlaneAxes axes = state_.axes(kind);
    return axes.towards < 0 ? state_.frame().axis(axes.n).count() - 1 - value : value;
}

void VolumeView::updateSliders() {
    const std::vector<PlaneKind> planes = visiblePlanes();
    for (const PlaneKind kind : kAllPlanes) {
        QSlider& slider = *sliders_[indexOf(kind)];
        const QSignalBlocker blocker(slider);
        const PlaneAxes axes = state_.axes(kind);
        slider.setRange(0, static_cast<int>(state_.frame().axis(axes.n).count() - 1));
        const std::int64_t index = state_.crosshair()[static_cast<std::size_t>(axes.n)];
        slider.setValue(static_cast<int>(sliceAt(kind, index)));
        // Unknown orientation: planes are named by their axes, slices by the axis through them.
        const bool placed = state_.frame().placed();
        const QString name = placed ? planeName(kind, true) : QString(QLatin1Char("xyz"[axes.n]));
        slider.setAccessibleName(tr("%1 slice").arg(name));
        slider.setToolTip(tr("Slice of the plane %1 (index %2, counted from 0). The wheel over a pane changes it too.")
                              .arg(planeName(kind, placed))
                              .arg(index));
        sliderNames_[indexOf(kind)]->setText(tr("%1 %2 / %3").arg(name).arg(index + 1).arg(slider.maximum() + 1));
        const bool shown = std::find(planes.begin(), planes.end(), kind) != planes.end();
        slider.setVisible(shown);
        sliderNames_[indexOf(kind)]->setVisible(shown);
        // A fixed width, so that the sliders stay where they are.
        sliderNames_[indexOf(kind)]->setMinimumWidth(
            fontMetrics().horizontalAdvance(tr("%1 %2 / %3").arg(name).arg(slider.maximum() + 1).arg(slider.maximum() + 1)) + 4);
    }
}

QString VolumeView::probeText() const {
    if (!hasVolume()) return {};
    const auto& cursor = view_.cursor();
    const Voxel voxel = cursor ? Voxel{cursor->x, cursor->y, cursor->z} : state_.crosshair();
    if (!state_.frame().holds(voxel)) return {};
    QStringList parts{(cursor ? tr("x %1, y %2, z %3") : tr("Crosshair x %1, y %2, z %3")).arg(voxel[0]).arg(voxel[1]).arg(voxel[2])};
    if (state_.frame().placed()) parts << patientText(state_.frame().patientOf(voxel));
    const QString unit = sampleUnit(session_.original().get());
    const auto value = [&](PaneRole role) -> std::optional<double> {
        // A first picture is no result, so it has no values.
        if (const auto side = sideOf(role); side && session_.side(*side).first) return std::nullopt;
        const ImagePtr image = imageOf(role);
        if (!image || !image->isVolume()) return std::nullopt;
        const Shape& s = image->shape();
        if (voxel[0] >= s.width || voxel[1] >= s.height || voxel[2] >= s.depth) return std::nullopt;
        return static_cast<double>(image->view().at(voxel[0], voxel[1], voxel[2]));
    };
    const auto add = [&](const QString& name, std::optional<double> v) {
        if (v) parts << name + QLatin1Char(' ') + formatQuantity(*v, unit);
    };
    add(tr("Original"), value(PaneRole::original));
    for (const Side side : session_.sides()) add(letterOf(side), value(roleOf(side)));
    const Side reference = session_.comparison().reference(), subject = session_.comparison().subject();
    if (const auto r = value(roleOf(reference)), s = value(roleOf(subject)); r && s)
        add(tr("%1 − %2").arg(letterOf(subject), letterOf(reference)), *s - *r);
    return parts.join(QStringLiteral("   ·   "));
}

int VolumeView::controlsHeight() const { return sliderRow_->sizeHint().height() + probe_->sizeHint().height(); }

void VolumeView::updateProbe() { probe_->setText(probeText()); }

bool VolumeView::settled() const {
    for (const auto& planes : panes_)
        for (const VolumePane* pane : planes)
            if (pane->isVisible() && !pane->settled()) return false;
    return renderings_.settled();
}

RenderPane* VolumeView::focusedRendering() const {
    for (const PaneRole role : kAllPanes)
        if (RenderPane* pane = renderings_.made(role); pane && pane->isVisible() && pane->hasFocus()) return pane;
    return nullptr;
}

VolumePane* VolumeView::currentPane() {
    VolumePane* chosen = nullptr;
    for (const PaneRole role : kAllPanes)
        for (const PlaneKind kind : kAllPlanes) {
            VolumePane& each = pane(role, kind);
            if (!each.isVisible() || !each.image()) continue;
            if (each.hasFocus()) return &each;
            if (!chosen || each.underMouse()) chosen = &each;
        }
    return chosen;
}

QImage VolumeView::pictureOf(PaneRole role) {
    std::vector<QImage> pictures;
    for (const PlaneKind kind : kAllPlanes) {
        VolumePane& each = pane(role, kind);
        if (each.isVisible() && each.image()) pictures.push_back(each.grab().toImage());
    }
    if (RenderPane* each = renderings_.made(role); each && each->isVisible() && each->picture()) pictures.push_back(each->pictureShown());
    int wide = 0, high = 0;
    for (const QImage& picture : pictures) {
        wide += picture.width();
        high = std::max(high, picture.height());
    }
    if (pictures.empty()) return {};
    QImage all(wide, high, QImage::Format_RGB32);
    all.fill(Qt::black);
    QPainter painter(&all);
    int x = 0;
    for (QImage& picture : pictures) {
        picture.setDevicePixelRatio(1);
        painter.drawImage(x, 0, picture);
        x += picture.width();
    }
    return all;
}

}  // namespace parallax::ui
