// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of windows in three dimensions (axes=xyz).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/operations/convolution/kernel.hpp"

namespace parallax {

/// Correlation weights, x fastest, then y, then z; flip, normalise and scale already applied:
///   out(x, y, z) = offset + sum over (u, v, w) of at(u, v, w) * in(x + u - anchor[0], y + v - anchor[1], z + w - anchor[2]).
struct Kernel3d {
    std::array<int, 3> size{1, 1, 1};    ///< along x, y, z
    std::array<int, 3> anchor{0, 0, 0};  ///< the element that lies on the voxel
    std::vector<double> weights{1.0};

    double at(int u, int v, int w) const { return weights[index(u, v, w)]; }
    std::size_t index(int u, int v, int w) const {
        return (static_cast<std::size_t>(w) * static_cast<std::size_t>(size[1]) + static_cast<std::size_t>(v)) *
                   static_cast<std::size_t>(size[0]) +
               static_cast<std::size_t>(u);
    }
    std::int64_t taps() const { return std::int64_t{size[0]} * size[1] * size[2]; }
    double sum() const;
    double absoluteSum() const;
    std::vector<float> floatWeights() const { return {weights.begin(), weights.end()}; }
    /// Reach of the window before and after a voxel along an axis.
    int before(int axis) const { return anchor[static_cast<std::size_t>(axis)]; }
    int after(int axis) const { return size[static_cast<std::size_t>(axis)] - 1 - anchor[static_cast<std::size_t>(axis)]; }
};

/// As responseOf() of a kernel in the plane: to a constant of 1, else to the steepest ramp that rises by 1 a voxel, else to the parabola of
/// second derivative 1 (along an axis, or of a product of two) with the largest response.
KernelResponse responseOf(const Kernel3d& kernel);

/// The weights of parameters with axes=xyz; `spacing` in mm for a sigma in mm. Derivatives smooth along both other axes. Throws
/// Error(usage) as makeKernel(), and for kinds that are defined in a plane.
Kernel3d makeKernel3d(const ConvolutionParameters& parameters, const std::array<double, 3>& spacing = {1, 1, 1});

/// weights(u, v, w) = factors[0][u] * factors[1][v] * factors[2][w].
struct Factors3d {
    std::array<std::vector<double>, 3> factors;  ///< magnitudes of the first two sum to 1: filtered samples are no larger than the volume's
    bool sameZeros = true;                       ///< as RankOne::sameZeros, of the product of all three
};
/// The factors of a separable kernel, by rankOne() of the matrix of slices and then of a slice; nothing for other kernels.
std::optional<Factors3d> factorsOf(const Kernel3d& kernel);

}  // namespace parallax
