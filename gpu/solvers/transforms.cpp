// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/transforms.hpp"

#include <algorithm>

#include "core/solvers/reporting.hpp"

namespace parallax::gpu {

TransformSolver::TransformSolver(const Grid& grid, const GridStencil& stencil, const std::shared_ptr<Allocator>& allocator) {
    const TransformShape shape = TransformShape::of(grid, stencil.dirichlet);
    using Direction = RealTransform::Direction;
    const auto plan = [&](Direction direction) {
        return std::make_unique<RealTransform>(shape.width, shape.height, 1, direction, RealTransform::Precision::twofold);
    };
    forward_ = plan(Direction::forward);
    inverse_ = plan(Direction::inverse);
    planes_ = {allocator, static_cast<std::size_t>(shape.elements())};
    work_ = {allocator, std::max(forward_->workBytes(), inverse_->workBytes())};
    preloadTransforms();
}

std::uint64_t TransformSolver::estimateBytes(const Grid& grid, bool dirichlet) {
    // The workspace of cuFFT: as much as the samples, and several times that for lengths with large prime factors.
    return 5 * static_cast<std::uint64_t>(TransformShape::of(grid, dirichlet).elements()) * sizeof(double) + (1U << 16);
}

void TransformSolver::solve(const SolveArguments& a, double* b, double* x, cudaStream_t stream, DeviceLaps* laps) {
    using namespace solvers;
    for (int channel = 0; channel < a.grid.channels; ++channel) {
        launchTransformPack(a, channel, b, planes_.data(), stream);
        endLap(laps, kLapReordering);
        forward_->run(planes_.data(), work_.data(), stream);
        endLap(laps, kLapTransforms);
        launchTransformDivide(a, planes_.data(), stream);
        endLap(laps, kLapDivision);
        inverse_->run(planes_.data(), work_.data(), stream);
        endLap(laps, kLapTransforms);
        launchTransformUnpack(a, channel, planes_.data(), x, stream);
        endLap(laps, kLapReordering);
    }
}

}  // namespace parallax::gpu
