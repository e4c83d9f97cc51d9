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

namespace {

/// Weights of the edges of a sample, at most, and the weakest of them; 0 in a grid of one sample.
struct EdgeWeights {
    double sum = 0, weakest = 0;
};
EdgeWeights edgeWeights(const Stencil& s) {
    EdgeWeights weights;
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t n = axisExtent(s.shape, axis);
        if (n == 1) continue;
        weights.sum += (n > 2 ? 2 : 1) * s.axisWeights[axis];
        weights.weakest = weights.weakest > 0 ? std::min(weights.weakest, s.axisWeights[axis]) : s.axisWeights[axis];
    }
    return weights;
}

/// Edges between an unknown and the nearest known sample, at most.
double distanceBound(const Stencil& s, std::int64_t unknowns) {
    double steps = 0;
    std::array<std::int64_t, 3> extents{};
    for (int axis = 0; axis < 3; ++axis) {
        extents[static_cast<std::size_t>(axis)] = axisExtent(s.shape, axis);
        steps += static_cast<double>(axisExtent(s.shape, axis) - 1);
    }
    const auto count = static_cast<double>(unknowns);
    const double distance = std::min(count, steps);
    // All samples nearer than the distance d are unknown: at least d (d + 1) / 2 in a plane with both extents of d or more.
    std::sort(extents.begin(), extents.end());
    const double inPlane = std::sqrt(2 * count);
    return inPlane <= static_cast<double>(extents[1]) ? std::min(distance, inPlane) : distance;
}

/// The smallest eigenvalue and the largest resistance of the runs of unknowns along an axis, between known samples or the border.
struct AxisBounds {
    double eigenvalue = std::numeric_limits<double>::infinity(), resistance = 0;
};
AxisBounds axisBounds(const Stencil& s, const CompactSystem& unknowns, int axis, const RunContext& context) {
    AxisBounds bounds;
    const double w = s.axisWeights[axis];
    const std::int64_t extent = axisExtent(s.shape, axis), directions = unknowns.directions();
    const auto neighbour = [&](std::int64_t k, int side) {
        const std::int64_t j = unknowns.neighbours[static_cast<std::size_t>(k * directions + 2 * axis + side)];
        return j == unknowns.count() ? -1 : j;
    };
    for (std::int64_t row = unknowns.own.first; row < unknowns.own.last; ++row) {
        context.throwIfStopped();
        for (std::int64_t k = unknowns.begin(row); k < unknowns.begin(row + 1); ++k) {
            if (neighbour(k, 0) >= 0) continue;
            const std::int64_t first = axis == 0   ? std::int64_t{unknowns.columns[static_cast<std::size_t>(k)]}
                                       : axis == 1 ? row % s.shape.height
                                                   : row / s.shape.height;
            std::int64_t length = 1;
            for (std::int64_t j = neighbour(k, 1); j >= 0; j = neighbour(j, 1)) ++length;
            const int knownEnds = (first > 0 ? 1 : 0) + (first + length < extent ? 1 : 0);
            const auto m = static_cast<double>(length);
            const double half = std::sin(std::numbers::pi / 2 / (knownEnds == 2 ? m + 1 : 2 * m + 1));
            bounds.eigenvalue = std::min(bounds.eigenvalue, knownEnds == 0 ? 0 : 4 * w * half * half);
            bounds.resistance = std::max(bounds.resistance, knownEnds == 2   ? (m + 1) / (4 * w)
                                                            : knownEnds == 1 ? m / w
                                                                             : std::numeric_limits<double>::infinity());
        }
    }
    return bounds;
}

}  // namespace

InverseBounds inverseBounds(const Stencil& s, std::int64_t unknowns) {
    const double weakest = edgeWeights(s).weakest;
    if (unknowns == 0 || weakest == 0) return {};
    const double resistance = distanceBound(s, unknowns) / weakest;
    return {.norm = static_cast<double>(unknowns) * resistance, .diagonal = resistance};
}

InverseBounds inverseBounds(const Stencil& s, const CompactSystem& unknowns, const RunContext& context) {
    InverseBounds bounds = inverseBounds(s, unknowns.count());
    double eigenvalue = 0;
    for (int axis = 0; axis < (s.shape.depth > 1 ? 3 : 2); ++axis) {
        if (axisExtent(s.shape, axis) == 1) continue;
        const AxisBounds along = axisBounds(s, unknowns, axis, context);
        eigenvalue += along.eigenvalue;
        bounds.diagonal = std::min(bounds.diagonal, along.resistance);
    }
    if (eigenvalue > 0) bounds.norm = std::min(bounds.norm, 1 / eigenvalue);
    return bounds;
}

double maskedErrorBound(const Stencil& s, std::int64_t unknowns, double residual) {
    // |row of G| <= diagonal sqrt(unknowns), and the contributions.
    return residual * inverseBounds(s, unknowns).norm * edgeWeights(s).sum;
}

double biharmonicErrorBound(const Stencil& s, std::int64_t unknowns, const InverseBounds& bounds, double residual) {
    const double rowSum = 2 * edgeWeights(s).sum;
    return std::sqrt(bounds.norm * bounds.diagonal) * bounds.norm * residual * std::sqrt(static_cast<double>(unknowns)) * rowSum * rowSum;
}

double biharmonicGain(const Stencil& s, std::int64_t unknowns, const InverseBounds& bounds) {
    return 1 + std::sqrt(bounds.norm * bounds.diagonal) * 2 * edgeWeights(s).sum * std::sqrt(6 * static_cast<double>(unknowns));
}

}  // namespace parallax::solvers
