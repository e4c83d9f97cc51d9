// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/diffuse/edge_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/diffuse/formulas.hpp"

namespace parallax {
namespace {

/// Also of a part without slices.
bool isVolume(const Shape& shape) { return shape.depth != 1; }

}  // namespace

DiffusionEdges::DiffusionEdges(const DiffusePlan& plan, const Shape& shape)
    : plan_(plan), shape_(shape), finite_(static_cast<std::size_t>(shape.pixels())) {
    if (plan.parameters.weights == DiffusionWeights::edges) guide_.resize(finite_.size());
}

std::uint64_t DiffusionEdges::bytes(const DiffusePlan& plan, const Shape& shape, bool allFinite) {
    const auto n = static_cast<std::uint64_t>(shape.pixels());
    const std::uint64_t guide = plan.parameters.weights == DiffusionWeights::edges ? sizeof(double) : 0;
    const std::uint64_t arrays = plan.isUniform() && allFinite ? 0 : isVolume(shape) ? 3 : 2;
    return n * (1 + guide + arrays * sizeof(double));
}

void DiffusionEdges::beginRow(double* samples, std::int64_t y, std::int64_t z) {
    const std::int64_t first = shape_.width * (y + shape_.height * z), pixels = shape_.pixels();
    const std::size_t channels = plan_.solved.size();
    for (std::int64_t i = first; i < first + shape_.width; ++i) {
        bool finite = true;
        double luminance = 0;
        for (std::size_t c = 0; c < channels; ++c) {
            const double sample = samples[static_cast<std::int64_t>(c) * pixels + i];
            finite = finite && std::isfinite(sample);
            luminance += plan_.luminance[c] * sample;
        }
        finite_[static_cast<std::size_t>(i)] = finite ? 1 : 0;
        if (!finite)
            for (std::size_t c = 0; c < channels; ++c) samples[static_cast<std::int64_t>(c) * pixels + i] = 0;
        if (!guide_.empty()) guide_[static_cast<std::size_t>(i)] = finite ? diffusion::guideValue(luminance, plan_.parameters) : 0;
    }
}

bool DiffusionEdges::findsAllFinite() const { return std::find(finite_.begin(), finite_.end(), std::uint8_t{0}) == finite_.end(); }

bool DiffusionEdges::needsEdges(bool allFinite) {
    hasEdges_ = !plan_.isUniform() || !allFinite;
    if (!hasEdges_) return false;
    for (int axis = 0; axis < (isVolume(shape_) ? 3 : 2); ++axis) {
        edges_[axis].reserve(1);  // so that a part without samples has weights, too
        edges_[axis].resize(finite_.size());
    }
    return true;
}

double DiffusionEdges::weight(const double* samples, int axis, std::int64_t i, std::int64_t j) const {
    if (!isFinite(i) || !isFinite(j)) return 0;
    const double axisWeight = plan_.axisWeights[axis];
    if (plan_.isUniform()) return plan_.step * axisWeight;
    if (!guide_.empty())
        return diffusion::edgePreservingWeight(guide_[static_cast<std::size_t>(j)] - guide_[static_cast<std::size_t>(i)], axisWeight,
                                               plan_.parameters);
    double sum = 0;
    for (std::size_t c = 0; c < plan_.solved.size(); ++c) {
        const double* channel = samples + static_cast<std::int64_t>(c) * shape_.pixels();
        sum += (channel[j] - channel[i]) * (channel[j] - channel[i]);
    }
    return diffusion::peronaMalikWeight(sum / static_cast<double>(plan_.solved.size()), axisWeight, plan_.step, plan_.parameters);
}

void DiffusionEdges::weighRow(const double* samples, std::int64_t y, std::int64_t z) {
    const std::int64_t first = shape_.width * (y + shape_.height * z);
    const std::int64_t at[3] = {0, y, z};
    for (int axis = 0; axis < 3; ++axis) {
        if (edges_[axis].empty()) continue;
        double* const weights = edges_[axis].data() + first;
        const std::int64_t stride = solvers::axisStride(shape_, axis);
        const bool last = axis > 0 && at[axis] + 1 == solvers::axisExtent(shape_, axis);
        const std::int64_t count = last ? 0 : axis == 0 ? shape_.width - 1 : shape_.width;
        for (std::int64_t x = 0; x < count; ++x) weights[x] = weight(samples, axis, first + x, first + x + stride);
        // Read by vectors, used by none.
        std::fill(weights + count, weights + shape_.width, 0.0);
    }
}

solvers::Stencil DiffusionEdges::stencil() const {
    solvers::Stencil stencil = plan_.stencil(shape_);
    for (int axis = 0; hasEdges_ && axis < (isVolume(shape_) ? 3 : 2); ++axis) stencil.edges[axis] = edges_[axis].data();
    return stencil;
}

}  // namespace parallax
