// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/error_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace parallax::solvers {

double inverseBound(const Stencil& s) {
    const auto extent = [&](int axis) { return static_cast<double>(axisExtent(s.shape, axis)); };
    double bound = s.diagonal > 0 ? 1 / s.diagonal : std::numeric_limits<double>::infinity();
    double smallest = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == 2 && s.shape.depth == 1) continue;
        const double n = extent(axis), w = s.axisWeights[axis];
        if (s.border == Border::dirichlet) bound = std::min(bound, (n + 1) * (n + 1) / (8 * w));
        const double half = std::sin(std::numbers::pi / (2 * n));
        if (n > 1) smallest = std::min(smallest, 4 * w * half * half);
    }
    if (!isSingular(s)) return bound;
    return std::isfinite(smallest) ? std::sqrt(static_cast<double>(s.shape.pixels())) / smallest : 0;
}

double smallestEigenvalue(const Stencil& s) {
    double border = 0, least = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == 2 && s.shape.depth == 1) continue;
        const auto n = static_cast<double>(axisExtent(s.shape, axis));
        const bool dirichlet = s.border == Border::dirichlet;
        const double half = std::sin(std::numbers::pi / (2 * (dirichlet ? n + 1 : n)));
        const double value = 4 * s.axisWeights[axis] * half * half;
        if (dirichlet) border += value;
        else if (n > 1) least = std::min(least, value);
    }
    if (isSingular(s)) return std::isfinite(least) ? least : 1;
    return s.diagonal + border;
}

double errorBound(const Stencil& s, double residual) {
    // The bound of singular systems is one of 2-norms, and has the factor already.
    return inverseBound(s) * residual * (isSingular(s) ? 1 : std::sqrt(static_cast<double>(s.shape.pixels())));
}

double maskedErrorBound(const Stencil& s, std::int64_t unknowns, double residual) {
    if (unknowns == 0) return 0;
    double weights = 0, weakest = std::numeric_limits<double>::infinity(), steps = 0;
    std::array<std::int64_t, 3> extents{};
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t n = extents[static_cast<std::size_t>(axis)] = axisExtent(s.shape, axis);
        if (n == 1) continue;
        weights += (n > 2 ? 2 : 1) * s.axisWeights[axis];
        weakest = std::min(weakest, s.axisWeights[axis]);
        steps += static_cast<double>(n - 1);
    }
    const auto count = static_cast<double>(unknowns);
    double distance = std::min(count, steps);
    // All samples nearer than the distance d are unknown: at least d (d + 1) / 2 in a plane with both extents of d or more.
    std::sort(extents.begin(), extents.end());
    const double inPlane = std::sqrt(2 * count);
    if (inPlane <= static_cast<double>(extents[1])) distance = std::min(distance, inPlane);
    return weights > 0 ? residual * count * distance * weights / weakest : 0;
}

double biharmonicErrorBound(const Stencil& s, std::int64_t unknowns, double residual) {
    // (resistance sqrt(unknowns)) (resistance unknowns) (sqrt(unknowns) (2 weights)^2), with the resistance distance / weakest.
    const double harmonic = maskedErrorBound(s, unknowns, 1);
    return residual * 4 * harmonic * harmonic;
}

double biharmonicGain(const Stencil& s, std::int64_t unknowns) {
    // (resistance sqrt(unknowns)) (2 weights sqrt(6 unknowns))
    return 1 + 2 * std::sqrt(6) * maskedErrorBound(s, unknowns, 1);
}

}  // namespace parallax::solvers
