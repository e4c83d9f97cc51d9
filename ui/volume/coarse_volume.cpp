// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/coarse_volume.hpp"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <string>

#include "ui/models/volume/render_state.hpp"

namespace parallax::ui {
namespace {

using Steps = std::array<std::int64_t, 3>;

std::array<double, 3> spacingOf(const Image& volume) { return makeProblem(volume, ParameterBlock(), SampleStatistics{}).spacing; }

double finest(const Image& volume) {
    const std::array<double, 3> spacing = spacingOf(volume);
    return *std::min_element(spacing.begin(), spacing.end());
}

Steps chooseSteps(const Steps& counts, const std::array<double, 3>& spacing) {
    Steps steps{1, 1, 1};
    const auto left = [&](std::size_t a) { return (counts[a] - 1) / steps[a] + 1; };
    while (left(0) * left(1) * left(2) > kMaxCoarseSamples) {
        std::size_t best = 0;
        const auto distance = [&](std::size_t a) {
            return left(a) < 2 ? HUGE_VAL : spacing[a] * static_cast<double>(steps[a]);  // nothing to leave out
        };
        for (std::size_t a = 1; a < 3; ++a)
            if (distance(a) < distance(best)) best = a;
        steps[best] *= 2;
    }
    return steps;
}

/// Nodes of a transfer function with opacities for layers that are `thickness` times as thick.
std::string thicker(const std::string& curve, double thickness) {
    QStringList nodes = QString::fromStdString(curve).simplified().split(QLatin1Char(' '));
    for (QString& node : nodes) {
        QStringList parts = node.split(QLatin1Char(':'));
        bool isNumber = false;
        const double opacity = parts.size() > 1 ? parts[1].toDouble(&isNumber) : 0;
        if (!isNumber) return curve;  // the operation says what is wrong
        parts[1] = QString::number(1 - std::pow(1 - std::clamp(opacity, 0.0, 1.0), thickness), 'g', 9);
        node = parts.join(QLatin1Char(':'));
    }
    return nodes.join(QLatin1Char(' ')).toStdString();
}

}  // namespace

ImagePtr coarseVolume(const Image& volume) {
    const View<const float> from = volume.view();
    const std::array<double, 3> spacing = spacingOf(volume);
    const Steps counts{from.shape.width, from.shape.height, from.shape.depth}, steps = chooseSteps(counts, spacing);
    Steps left{}, start{};
    for (std::size_t a = 0; a < 3; ++a) {
        left[a] = (counts[a] - 1) / steps[a] + 1;
        start[a] = (counts[a] - 1) % steps[a] / 2;
    }
    Buffer samples(Shape{left[0], left[1], left[2], from.shape.channels});
    const View<float> to = samples.view<float>();
    for (std::int64_t c = 0; c < from.shape.channels; ++c)
        for (std::int64_t z = 0; z < left[2]; ++z)
            for (std::int64_t y = 0; y < left[1]; ++y)
                for (std::int64_t x = 0; x < left[0]; ++x)
                    to.at(x, y, z, c) = from.at(start[0] + x * steps[0], start[1] + y * steps[1], start[2] + z * steps[2], c);
    Image image(std::move(samples));
    image.geometry = Geometry{};
    for (std::size_t a = 0; a < 3; ++a) image.geometry->spacing[a] = spacing[a] * static_cast<double>(steps[a]);
    return std::make_shared<const Image>(std::move(image));
}

ParameterBlock coarseParameters(const Image& volume, const Image& coarse, ParameterBlock parameters) {
    const auto number = [&](const char* key) { return std::get<double>(parameters.get(key)); };
    const auto pixel = [&](const Image& of) {  // mm
        const render::RayFrame frame = rayFrame(of, parameters);
        return std::hypot(frame.right[0] * frame.spacing[0], frame.right[1] * frame.spacing[1], frame.right[2] * frame.spacing[2]);
    };
    const double larger = finest(coarse) / finest(volume);
    parameters.set("zoom", std::clamp(number("zoom") * pixel(coarse) / pixel(volume), 0.01, 100.0));
    parameters.set("step", std::clamp(number("step") / larger, 1.0, 8.0));
    parameters.set("curve", thicker(parameters.text("curve"), larger));
    return parameters;
}

}  // namespace parallax::ui
