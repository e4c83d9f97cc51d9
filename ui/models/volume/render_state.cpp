// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/render_state.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/render/plan.hpp"

namespace parallax::ui {
namespace {

constexpr double kAngleUnit = 0.1, kShareUnit = 0.001;  // of camera parameters
constexpr double kSmallestZoom = 0.1, kLargestZoom = 50, kFarthestPan = 3;

double dot(const double* a, const std::array<double, 3>& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

RenderState::RenderState(const Operation& render, QObject* parent) : QObject(parent), operation_(render), parameters_(render.parameters()) {
    resetCamera();
}

void RenderState::setShown(bool shown) {
    if (shown == shown_) return;
    shown_ = shown;
    emit shownChanged();
}

QString RenderState::kept() const { return shown_ ? QString::fromStdString(toText({&operation_, parameters_, true})) : QString(); }

void RenderState::restore(const Catalog& catalog, const QString& kept) {
    if (kept.isEmpty()) return setShown(false);
    try {
        const Step step = parseStep(catalog, kept.toStdString());
        if (step.operation != &operation_) return;
        parameters_ = step.parameters;
    } catch (const Error&) {
        return;  // of another version
    }
    thresholdChosen_ = true;
    emit changed();
    setShown(true);
}

void RenderState::set(const std::string& key, const ParameterValue& value) {
    const ParameterBlock before = parameters_;
    parameters_.set(key, value);
    if (key == "threshold") thresholdChosen_ = true;
    if (!(parameters_ == before)) emit changed();
}

void RenderState::setMode(const std::string& key, double level) {
    const auto& infos = operation_.parameters().infos();
    const ParameterInfo& threshold = infos[static_cast<std::size_t>(operation_.parameters().find("threshold"))];
    if (key == "surface" && !thresholdChosen_ && std::isfinite(level))
        parameters_.set("threshold", std::clamp(level, threshold.minimum, threshold.maximum));
    parameters_.set("mode", key);
    emit changed();
}

void RenderState::apply(const ParameterPreset& preset) {
    applyPreset(parameters_, preset);
    for (const auto& [key, value] : preset.values) thresholdChosen_ = thresholdChosen_ || key == "threshold";
    emit changed();
}

void RenderState::lookAlong(const std::string& view) {
    parameters_.set("view", view);
    for (const char* key : {"azimuth", "elevation", "roll", "pan-x", "pan-y"}) parameters_.set(key, 0.0);
    emit changed();
}

void RenderState::startFrom(const Image& image, const VolumeFrame& frame) {
    const PlaneAxes coronal = frame.plane(PlaneKind::coronal, true);
    std::array<double, 3> down{}, forward{};
    down[static_cast<std::size_t>(coronal.v)] = coronal.flipV ? -1 : 1;
    forward[static_cast<std::size_t>(coronal.n)] = -coronal.towards;
    ParameterBlock tried(operation_.parameters());
    double best = -3;
    for (const char* view : {"xz", "yz", "xy"})
        for (const double azimuth : {0.0, 90.0, -90.0, 180.0}) {
            tried.set("view", std::string(view));
            tried.set("azimuth", azimuth);
            const render::RayFrame rays = rayFrame(image, tried);
            double length = 0;
            for (const double step : rays.down) length = std::max(length, std::fabs(step));
            const double fit = dot(rays.down, down) / length + dot(rays.direction, forward);
            if (fit < best + 1e-6) continue;
            best = fit;
            startView_ = view;
            startAzimuth_ = azimuth + kStartAzimuth;
        }
    resetCamera();
}

void RenderState::resetCamera() {
    parameters_.set("view", startView_);
    for (const char* key : {"roll", "pan-x", "pan-y"}) parameters_.set(key, 0.0);
    setNumber("azimuth", startAzimuth_, kAngleUnit);
    setNumber("elevation", kStartElevation, kAngleUnit);
    setNumber("zoom", kStartZoom, kShareUnit);
    emit changed();
}

void RenderState::turn(const ParameterBlock& from, double right, double down) {
    // The camera goes the other way round.
    const double azimuth = std::get<double>(from.get("azimuth")) - right;
    setNumber("azimuth", std::remainder(azimuth, 360), kAngleUnit);
    setNumber("elevation", std::clamp(std::get<double>(from.get("elevation")) + down, -90.0, 90.0), kAngleUnit);
    emit changed();
}

void RenderState::pan(const ParameterBlock& from, QPointF by) {
    const auto moved = [&](const char* key, double share) {
        setNumber(key, std::clamp(std::get<double>(from.get(key)) + share, -kFarthestPan, kFarthestPan), kShareUnit);
    };
    moved("pan-x", by.x());
    moved("pan-y", by.y());
    emit changed();
}

void RenderState::zoom(double factor, QPointF around) {
    const double before = number("zoom");
    setNumber("zoom", std::clamp(before * factor, kSmallestZoom, kLargestZoom), kShareUnit);
    const double by = number("zoom") / before;
    // The place around which it zooms stays where it is.
    const auto moved = [&](const char* key, double share) {
        setNumber(key, std::clamp(share - (share - number(key)) * by, -kFarthestPan, kFarthestPan), kShareUnit);
    };
    moved("pan-x", around.x());
    moved("pan-y", around.y());
    emit changed();
}

void RenderState::setNumber(const char* key, double value, double unit) {
    parameters_.set(key, std::round(value / unit) / std::round(1 / unit));
}

render::RayFrame rayFrame(const Image& volume, const ParameterBlock& parameters) {
    ParameterBlock camera = parameters;
    camera.set("mode", std::string("maximum"));  // for any number of channels
    return planRender(makeProblem(volume, std::move(camera), SampleStatistics{})).frame;
}

QPointF pixelOf(const render::RayFrame& frame, const std::array<double, 3>& index) {
    // In mm from the first pixel, in the plane of the picture through the centre of the volume.
    std::array<double, 3> place{}, eye{}, right{}, down{};
    for (std::size_t a = 0; a < 3; ++a) {
        place[a] = (index[a] - frame.origin[a]) * frame.spacing[a];
        eye[a] = (frame.eye[a] - frame.origin[a]) * frame.spacing[a];
        right[a] = frame.right[a] * frame.spacing[a];
        down[a] = frame.down[a] * frame.spacing[a];
    }
    if (frame.perspective) {
        const double distance = dot(frame.direction, eye), along = -distance / (dot(frame.direction, place) - distance);
        for (std::size_t a = 0; a < 3; ++a) place[a] = eye[a] + along * (place[a] - eye[a]);
    }
    return {dot(place.data(), right) / dot(right.data(), right), dot(place.data(), down) / dot(down.data(), down)};
}

}  // namespace parallax::ui
