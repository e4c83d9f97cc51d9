// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of edges for tests of solvers.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/parallel/partition.hpp"
#include "core/solvers/stencil.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {

/// Weights between 1e-2 and 1e2 for the edges of an image or a volume; closer to 1 on an emulated device, which takes long for many
/// iterations.
struct RandomEdges {
    Shape shape;
    std::vector<double> along[3];
    std::vector<double> diagonals;  ///< empty: the diagonal of the stencil
    RandomEdges(const Shape& ofImage, std::uint64_t seed, bool hasDiagonals = false) : shape(ofImage) {
        Random random(seed);
        for (int axis = 0; axis < (shape.depth > 1 ? 3 : 2); ++axis)
            for (std::int64_t i = 0; i < shape.pixels(); ++i) {
                const std::int64_t at[3] = {i % shape.width, i / shape.width % shape.height, i / (shape.width * shape.height)};
                const bool isLast = at[axis] + 1 == solvers::axisExtent(shape, axis);
                along[axis].push_back(isLast ? 0 : std::pow(10.0, sizeFor(2.0, 0.5) * static_cast<double>(random.uniform())));
            }
        for (std::int64_t i = 0; hasDiagonals && i < shape.pixels(); ++i)
            diagonals.push_back(0.75 + static_cast<double>(random.uniform()) / 2);
    }
    solvers::Stencil on(solvers::Stencil stencil) const {
        for (int axis = 0; axis < 3; ++axis) stencil.edges[axis] = along[axis].empty() ? nullptr : along[axis].data();
        stencil.diagonals = diagonals.empty() ? nullptr : diagonals.data();
        return stencil;
    }
    /// Copies rows, counted through the slices, to device memory whose rows have `pitch` elements.
    void upload(int axis, const PartRange& rows, std::int64_t pitch, double* to, cudaStream_t stream) const {
        copy(along[axis], rows, pitch, to, stream);
    }
    void uploadDiagonals(const PartRange& rows, std::int64_t pitch, double* to, cudaStream_t stream) const {
        copy(diagonals, rows, pitch, to, stream);
    }

private:
    void copy(const std::vector<double>& from, const PartRange& rows, std::int64_t pitch, double* to, cudaStream_t stream) const {
        if (rows.empty()) return;
        const auto row = static_cast<std::size_t>(shape.width) * sizeof(double);
        check(cudaMemcpy2DAsync(to, static_cast<std::size_t>(pitch) * sizeof(double), from.data() + rows.first * shape.width, row, row,
                                static_cast<std::size_t>(rows.count()), cudaMemcpyHostToDevice, stream),
              "upload");
    }
};

}  // namespace parallax::gpu
