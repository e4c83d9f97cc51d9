// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace parallax::ui {
namespace {

/// The scalar product of two vectors along axes with this cosine between them.
double product(QPointF a, QPointF b, double cosine) { return a.x() * b.x() + a.y() * b.y() + cosine * (a.x() * b.y() + a.y() * b.x()); }

double cosineOf(const Measurement& measurement, const VolumeFrame& frame) {
    const PlaneAxes axes = frame.plane(measurement.kind, true);
    return frame.cosine(axes.u, axes.v);
}

}  // namespace

std::vector<double> lengthsOf(const Measurement& measurement, const VolumeFrame& frame) {
    const double cosine = cosineOf(measurement, frame);
    std::vector<double> lengths;
    for (std::size_t i = 1; i < measurement.points.size(); ++i) {
        const QPointF way = measurement.points[i] - measurement.points[i - 1];
        lengths.push_back(std::sqrt(product(way, way, cosine)));
    }
    return lengths;
}

double angleOf(const Measurement& measurement, const VolumeFrame& frame) {
    const double cosine = cosineOf(measurement, frame);
    const QPointF vertex = measurement.points.at(1), a = measurement.points.at(0) - vertex, b = measurement.points.at(2) - vertex;
    const double lengths = std::sqrt(product(a, a, cosine) * product(b, b, cosine));
    return lengths > 0 ? std::acos(std::clamp(product(a, b, cosine) / lengths, -1.0, 1.0)) * 180 / std::numbers::pi : 0;
}

double roundLength(double longest) {
    const double power = std::pow(10, std::floor(std::log10(longest)));
    for (const double digit : {5.0, 2.0})
        if (digit * power <= longest) return digit * power;
    return power;
}

}  // namespace parallax::ui
