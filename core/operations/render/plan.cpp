// SPDX-License-Identifier: GPL-3.0-or-later
// Camera and size of the picture. README.md has the formulas.
#include "core/operations/render/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/engine/operation/plan_cache.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kMaxSamples = 65536, kMaxPixels = 32768;
using Vector = std::array<double, 3>;

Vector operator*(double f, const Vector& v) { return {f * v[0], f * v[1], f * v[2]}; }
Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector cross(const Vector& a, const Vector& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

/// Unit vectors in mm along the axes of the volume.
struct Axes {
    Vector right, up, back;  ///< back: to the viewer
};

Axes baseAxes(RenderView view) {
    switch (view) {
        case RenderView::xz: return {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
        case RenderView::yz: return {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
        case RenderView::xy: break;
    }
    return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

Axes turnedAxes(const RenderParameters& p) {
    const Axes base = baseAxes(p.view);
    const double a = radians(p.azimuth), e = radians(p.elevation), r = radians(p.roll);
    Axes turned;
    turned.back = std::cos(e) * (std::cos(a) * base.back + std::sin(a) * base.right) + std::sin(e) * base.up;
    const Vector right = std::cos(a) * base.right + -std::sin(a) * base.back, up = cross(turned.back, right);
    turned.right = std::cos(r) * right + std::sin(r) * up;
    turned.up = -std::sin(r) * right + std::cos(r) * up;
    // Rays along an axis stay on it: the cosine of 90 degrees is not 0.
    for (Vector* v : {&turned.right, &turned.up, &turned.back})
        for (double& component : *v)
            if (std::fabs(component) < 1e-12) component = 0;
    return turned;
}

/// Extent of the volume in mm to the right and up in the view before the camera is turned.
std::array<double, 2> baseExtent(const Problem& problem, RenderView view) {
    const std::array<double, 3> extent{static_cast<double>(problem.shape.width) * problem.spacing[0],
                                       static_cast<double>(problem.shape.height) * problem.spacing[1],
                                       static_cast<double>(problem.shape.depth) * problem.spacing[2]};
    switch (view) {
        case RenderView::xz: return {extent[0], extent[2]};
        case RenderView::yz: return {extent[1], extent[2]};
        case RenderView::xy: break;
    }
    return {extent[0], extent[1]};
}

Shape outputShape(const Problem& problem, const RenderParameters& p) {
    const auto [right, up] = baseExtent(problem, p.view);
    const auto rounded = [](double pixels) {
        return static_cast<std::int64_t>(std::clamp(std::round(pixels), 1.0, static_cast<double>(kMaxPixels)));
    };
    const std::int64_t longest = std::max({problem.shape.width, problem.shape.height, problem.shape.depth});
    std::int64_t width = p.width, height = p.height;
    if (width == 0 && height == 0) {
        if (right >= up) width = longest;
        else height = longest;
    }
    if (width == 0) width = rounded(static_cast<double>(height) * right / up);
    if (height == 0) height = rounded(static_cast<double>(width) * up / right);
    return {width, height, 1, p.mode < RenderMode::surface ? problem.shape.channels : 3};
}

void checkParameters(const Problem& problem, const RenderParameters& p) {
    if (p.mode >= RenderMode::surface && problem.shape.channels != 1)
        throw Error(ErrorCode::usage, "This rendering needs a volume of one channel",
                    "the input has " + std::to_string(problem.shape.channels) + " channels",
                    "Use mode=maximum, minimum or mean, which render each channel");
    const std::pair<double, double> clips[3] = {{p.clipX0, p.clipX1}, {p.clipY0, p.clipY1}, {p.clipZ0, p.clipZ1}};
    for (int a = 0; a < 3; ++a)
        if (!(clips[a].first < clips[a].second))
            throw Error(ErrorCode::usage, "The clipping box is empty",
                        std::string("clip-") + "xyz"[a] + "0 is not below clip-" + "xyz"[a] + "1", "Give a smaller first value");
}

/// Samples of the longest ray: along the diagonal of the box.
std::int64_t mostSamples(const render::RayFrame& frame) {
    double squares = 0;
    for (int a = 0; a < 3; ++a) squares += std::pow((frame.upper[a] - frame.lower[a]) * frame.spacing[a], 2);
    const double samples = std::ceil(std::sqrt(squares) / frame.step) + 1;
    if (samples > static_cast<double>(kMaxSamples))
        throw Error(ErrorCode::usage, "Rays would have more than " + std::to_string(kMaxSamples) + " samples",
                    "the step is a multiple of the finest spacing, and the volume is long in units of it", "Increase 'step'");
    return static_cast<std::int64_t>(samples);
}

RenderPlan makePlan(const Problem& problem) {
    RenderPlan plan;
    const RenderParameters& p = plan.parameters = problem.parameters.as<RenderParameters>();
    checkParameters(problem, p);
    plan.output = outputShape(problem, p);
    render::RayFrame& f = plan.frame;
    const std::int64_t size[3] = {problem.shape.width, problem.shape.height, problem.shape.depth};
    const std::pair<double, double> clips[3] = {{p.clipX0, p.clipX1}, {p.clipY0, p.clipY1}, {p.clipZ0, p.clipZ1}};
    plan.finestSpacing = std::min({problem.spacing[0], problem.spacing[1], problem.spacing[2]});
    f.step = p.step * plan.finestSpacing;
    f.perStep = 1 / f.step;
    f.perspective = p.fieldOfView > 0;
    const Axes axes = turnedAxes(p);
    const auto [right, up] = baseExtent(problem, p.view);
    const auto width = static_cast<double>(plan.output.width), height = static_cast<double>(plan.output.height);
    const double fitted = std::max(right / width, up / height), pixel = fitted / p.zoom;
    const double distance = f.perspective ? 0.5 * fitted * std::max(width, height) / std::tan(radians(p.fieldOfView) / 2) : 0;
    for (std::size_t a = 0; a < 3; ++a) {
        const auto n = static_cast<double>(size[a]);
        const double centre = (n - 1) / 2, spacing = f.spacing[a] = problem.spacing[a];
        f.lower[a] = clips[a].first * n - 0.5;
        f.upper[a] = clips[a].second * n - 0.5;
        f.right[a] = axes.right[a] * pixel / spacing;
        f.down[a] = axes.up[a] == 0 ? 0 : -axes.up[a] * pixel / spacing;
        f.origin[a] = centre - ((width - 1) / 2 + p.panX * width) * f.right[a] - ((height - 1) / 2 + p.panY * height) * f.down[a];
        f.direction[a] = axes.back[a] == 0 ? 0 : -axes.back[a];
        f.forward[a] = f.direction[a] / spacing;
        f.inverse[a] = f.forward[a] == 0 ? 0 : 1 / f.forward[a];
        f.eye[a] = centre + axes.back[a] * distance / spacing;
    }
    plan.mostSamples = mostSamples(f);
    if (p.mode == RenderMode::transfer) plan.table = render::makeTable(render::parseCurve(p.curve), p.step);
    return plan;
}

}  // namespace

RenderPlan planRender(const Problem& problem) {
    return planOnce<RenderPlan>(problem, [&] { return makePlan(problem); });
}

}  // namespace parallax
