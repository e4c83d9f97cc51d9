// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/volume_state.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/models/view/auto_display.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/volume/box_edit.hpp"

namespace parallax::ui {
namespace {

constexpr double kSmallestScale = 1e-3, kLargestScale = 1e3;  // device pixels per mm

}  // namespace

std::vector<PlaneKind> shownPlanes(PlaneChoice choice) {
    switch (choice) {
        case PlaneChoice::axial: return {PlaneKind::axial};
        case PlaneChoice::coronal: return {PlaneKind::coronal};
        case PlaneChoice::sagittal: return {PlaneKind::sagittal};
        case PlaneChoice::all: break;
    }
    return {kAllPlanes.begin(), kAllPlanes.end()};
}

void VolumeState::setFrame(const VolumeFrame& frame) {
    if (frame == frame_) return;
    frame_ = frame;
    setMeasurement({});
    setBox({});
    const Voxel n = frame_.counts();
    crosshair_ = {n[0] / 2, n[1] / 2, n[2] / 2};
    fitting_ = true;
    applyFit();
    emit frameChanged();
    emit crosshairChanged();
    emit viewChanged();
}

void VolumeState::setMeasurement(std::optional<Measurement> measurement) {
    if (measurement == measurement_) return;
    measurement_ = std::move(measurement);
    emit measurementChanged();
}

void VolumeState::setBox(const std::optional<SampleBox>& box) {
    const std::optional<SampleBox> part = inside(box, frame_);
    if (part == box_) return;
    box_ = part;
    emit boxChanged();
}

void VolumeState::setCrosshair(const Voxel& voxel) {
    const Voxel inside = frame_.clamped(voxel);
    if (inside == crosshair_) return;
    crosshair_ = inside;
    emit crosshairChanged();
}

void VolumeState::scroll(PlaneKind kind, std::int64_t slices) {
    const PlaneAxes plane = axes(kind);
    Voxel to = crosshair_;
    to[static_cast<std::size_t>(plane.n)] += slices * plane.towards;
    setCrosshair(to);
}

std::pair<std::int64_t, std::int64_t> VolumeState::slab(int axis) const {
    const std::int64_t at = crosshair_[static_cast<std::size_t>(axis)];
    if (slabMode_ == SlabMode::slice) return {at, at};
    const AxisMap& map = frame_.axis(axis);
    const double middle = map.mmOf(static_cast<double>(at)), half = 0.5 * slabThickness_ * (1 + 1e-9);
    // Rounded towards the middle: slices farther away than half the thickness are excluded.
    const auto first = static_cast<std::int64_t>(std::ceil(map.indexOf(middle - half)));
    const auto last = static_cast<std::int64_t>(std::floor(map.indexOf(middle + half)));
    return {std::clamp<std::int64_t>(first, 0, at), std::clamp<std::int64_t>(last, at, map.count() - 1)};
}

void VolumeState::setSlabMode(SlabMode mode) { change(slabMode_, mode); }
void VolumeState::setSlabThickness(double mm) { change(slabThickness_, std::clamp(mm, 0.0, kLargestSlab)); }
void VolumeState::setRadiological(bool on) { change(radiological_, on); }
void VolumeState::setSmooth(bool on) { change(smooth_, on); }
void VolumeState::setCrosshairShown(bool on) { change(crosshairShown_, on); }
void VolumeState::setInverted(bool on) { change(inverted_, on); }

void VolumeState::setPlanes(PlaneChoice planes) {
    if (planes == planes_) return;
    planes_ = planes;
    emit planesChanged();
}

void VolumeState::setPaneSize(QSizeF size) {
    if (size == paneSize_ || size.isEmpty()) return;
    paneSize_ = size;
    if (fitting_) applyFit();
    emit viewChanged();
}

double VolumeState::fittingScale(QSizeF pane) const {
    double scale = kLargestScale;
    for (const PlaneKind kind : shownPlanes(planes_)) {
        const PlaneAxes plane = axes(kind);
        scale = std::min({scale, pane.width() / frame_.axis(plane.u).extent(), pane.height() / frame_.axis(plane.v).extent()});
    }
    return std::max(scale, kSmallestScale);
}

void VolumeState::applyFit() {
    for (int a = 0; a < 3; ++a) centre_[static_cast<std::size_t>(a)] = 0.5 * frame_.axis(a).extent();
    if (!paneSize_.isEmpty()) scale_ = fittingScale(paneSize_);
}

void VolumeState::fit() {
    fitting_ = true;
    applyFit();
    emit viewChanged();
}

void VolumeState::setScale(double scale) {
    fitting_ = false;
    scale_ = std::clamp(scale, kSmallestScale, kLargestScale);
    emit viewChanged();
}

void VolumeState::lookAt(const std::array<double, 3>& mm) {
    for (int a = 0; a < 3; ++a)
        centre_[static_cast<std::size_t>(a)] = std::clamp(mm[static_cast<std::size_t>(a)], 0.0, frame_.axis(a).extent());
    fitting_ = false;
    emit viewChanged();
}

void VolumeState::zoomAt(PlaneKind kind, QPointF fromMiddle, double factor) {
    const PlaneAxes plane = axes(kind);
    const QPointF before = mmAt(plane, fromMiddle);
    scale_ = std::clamp(scale_ * factor, kSmallestScale, kLargestScale);
    const QPointF moved = before - mmAt(plane, fromMiddle);
    centre_[static_cast<std::size_t>(plane.u)] += moved.x();
    centre_[static_cast<std::size_t>(plane.v)] += moved.y();
    fitting_ = false;
    emit viewChanged();
}

void VolumeState::panBy(PlaneKind kind, QPointF devicePixels) {
    const PlaneAxes plane = axes(kind);
    const auto move = [&](int axis, double pixels, bool flipped) {
        double& at = centre_[static_cast<std::size_t>(axis)];
        // Keeps a part of the volume visible.
        at = std::clamp(at - (flipped ? -pixels : pixels) / scale_, 0.0, frame_.axis(axis).extent());
    };
    move(plane.u, devicePixels.x(), plane.flipU);
    move(plane.v, devicePixels.y(), plane.flipV);
    fitting_ = false;
    emit viewChanged();
}

QPointF VolumeState::mmAt(const PlaneAxes& plane, QPointF fromMiddle) const {
    return {centre(plane.u) + (plane.flipU ? -1 : 1) * fromMiddle.x() / scale_,
            centre(plane.v) + (plane.flipV ? -1 : 1) * fromMiddle.y() / scale_};
}

QPointF VolumeState::placeOf(const PlaneAxes& plane, QPointF mm) const {
    return {(mm.x() - centre(plane.u)) * scale_ * (plane.flipU ? -1 : 1), (mm.y() - centre(plane.v)) * scale_ * (plane.flipV ? -1 : 1)};
}

std::optional<Voxel> VolumeState::voxelAt(PlaneKind kind, QPointF fromMiddle) const {
    const PlaneAxes plane = axes(kind);
    const QPointF mm = mmAt(plane, fromMiddle);
    if (!frame_.axis(plane.u).holds(mm.x()) || !frame_.axis(plane.v).holds(mm.y())) return std::nullopt;
    Voxel voxel = crosshair_;
    voxel[static_cast<std::size_t>(plane.u)] = frame_.axis(plane.u).nearest(mm.x());
    voxel[static_cast<std::size_t>(plane.v)] = frame_.axis(plane.v).nearest(mm.y());
    return voxel;
}

namespace {

DisplaySettings linearDisplay() {
    DisplaySettings settings;
    settings.encoding = DisplayEncoding::linear;
    return settings;
}

/// The smallest width at which black and white are different floats.
double leastWidth(double centre) { return std::max(1e-30, std::fabs(centre) * 1e-6); }

}  // namespace

bool holdsMeasurements(const Image& image) { return image.isVolume() || (image.geometry && image.shape().channels == 1); }

std::vector<WindowPreset> windowPresets(const Image* image) {
    std::vector<WindowPreset> presets;
    if (image) {
        int number = 0;
        for (const ValueWindow& w : image->source.windows) {
            if (!(w.width >= leastWidth(w.centre)) || !std::isfinite(w.width) || !std::isfinite(w.centre)) continue;
            ++number;
            const QString name = w.name.empty()
                                     ? (number == 1 ? QCoreApplication::translate("windowPresets", "From file")
                                                    : QCoreApplication::translate("windowPresets", "From file, %1").arg(number))
                                     : QCoreApplication::translate("windowPresets", "From file: %1").arg(QString::fromStdString(w.name));
            presets.push_back({QStringLiteral("file-%1").arg(number), name, w.centre, w.width});
        }
    }
    if (image && holdsMeasurements(*image)) {
        const DisplaySettings seen = automaticDisplay(*image, {}, linearDisplay());
        presets.push_back({QStringLiteral("values"), QCoreApplication::translate("windowPresets", "Automatic (data range)"),
                           windowCentre(seen), windowWidth(seen)});
    }
    // Common in textbooks: centre and width.
    presets.push_back({QStringLiteral("abdomen"), QCoreApplication::translate("windowPresets", "Abdomen"), 40, 350});
    presets.push_back({QStringLiteral("bone"), QCoreApplication::translate("windowPresets", "Bone"), 300, 1500});
    presets.push_back({QStringLiteral("brain"), QCoreApplication::translate("windowPresets", "Brain"), 50, 100});
    presets.push_back({QStringLiteral("lung"), QCoreApplication::translate("windowPresets", "Lung"), -500, 1400});
    presets.push_back({QStringLiteral("mediastinum"), QCoreApplication::translate("windowPresets", "Mediastinum"), 50, 350});
    presets.push_back({QStringLiteral("liver"), QCoreApplication::translate("windowPresets", "Liver"), 30, 150});
    return presets;
}

DisplaySettings withWindow(DisplaySettings settings, double centre, double width) {
    settings.encoding = DisplayEncoding::linear;
    if (!std::isfinite(centre) || !std::isfinite(width)) return settings;
    width = std::max(width, leastWidth(centre));
    return withLevels(settings, centre - 0.5 * width, centre + 0.5 * width);
}

double windowCentre(const DisplaySettings& settings) { return 0.5 * (blackOf(settings) + whiteOf(settings)); }
double windowWidth(const DisplaySettings& settings) { return whiteOf(settings) - blackOf(settings); }

DisplaySettings firstDisplay(const Image& image) {
    const std::vector<WindowPreset> presets = windowPresets(&image);
    if (presets.front().id == QLatin1String("file-1")) return withWindow(linearDisplay(), presets.front().centre, presets.front().width);
    return automaticDisplay(image, {}, linearDisplay());
}

DisplaySettings quantityDisplay(const Image& result) { return automaticDisplay(result, {}, linearDisplay(), true); }

QString sampleUnit(const Image* image) { return image && image->geometry ? QString::fromStdString(image->geometry->unit) : QString(); }

}  // namespace parallax::ui
