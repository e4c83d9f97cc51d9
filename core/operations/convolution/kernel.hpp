// SPDX-License-Identifier: GPL-3.0-or-later
// The weights that follow from a set of parameters, and the plan of a problem.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/operations/convolution/borders.hpp"
#include "core/operations/convolution/parameters.hpp"

namespace parallax {

/// Correlation weights, row-major, flip / normalise / scale already applied:
///   out(x, y) = offset + sum over (u, v) of at(u, v) * in(x + u - anchorX, y + v - anchorY).
struct Kernel {
    int width = 1, height = 1;
    int anchorX = 0, anchorY = 0;
    std::vector<double> weights{1.0};

    double at(int u, int v) const {
        return weights[static_cast<std::size_t>(v) * static_cast<std::size_t>(width) + static_cast<std::size_t>(u)];
    }
    int taps() const { return width * height; }
    double sum() const;
    double absoluteSum() const;
    std::vector<float> floatWeights() const { return {weights.begin(), weights.end()}; }
    /// Reach of the window beyond a pixel.
    int left() const { return anchorX; }
    int right() const { return width - 1 - anchorX; }
    int top() const { return anchorY; }
    int bottom() const { return height - 1 - anchorY; }
};

/// Response of a kernel to the simplest image that it does not cancel: a constant of 1, else a ramp that rises by 1 a pixel along its
/// steepest direction, else a parabola of second derivative 1 (along x, along y, or of the product x y, the one with the largest response).
struct KernelResponse {
    enum class To { none, constant, ramp, parabola } to = To::none;
    double value = 0;  ///< of a ramp the magnitude
};
KernelResponse responseOf(const Kernel& kernel);

/// weights = column * row, where rank is 1.
struct SeparableKernel {
    std::vector<double> column, row;
};

/// The derivative along one axis and the smoothing along each other one, of the kinds of Sobel, Scharr and Prewitt along any axis.
struct DerivativeFactors {
    std::vector<double> derivative, smoothing;
};
DerivativeFactors derivativeFactors(KernelKind kind, int size);

/// Distance between samples along x, y, z in the unit of sigma.
using SampleSteps = std::array<double, 3>;
SampleSteps sampleSteps(const ConvolutionParameters& parameters, const std::array<double, 3>& spacing);
/// Sigma, or the one that follows from the size.
double effectiveSigma(const ConvolutionParameters& parameters);

/// The weights of parameters alone, `spacing` in mm for a sigma in mm; implementations use the kernel of planConvolution(), which is
/// computed once for a problem. Throws Error(usage): even size for a kernel that needs a centre, custom text that is not a matrix, anchor
/// outside, a kind in three dimensions only.
Kernel makeKernel(const ConvolutionParameters& parameters, const std::array<double, 3>& spacing = {1, 1, 1});

/// Whether the weights are divided by their sum.
bool isNormalised(const ConvolutionParameters& parameters);

/// Matrix from text: rows on lines or separated by ';', numbers by blanks, tabs or commas, any brackets, fractions such as 1/9, and a
/// factor as in "[...] / 16". NumPy's array([[...]], dtype=float32), MATLAB's [1 2; 3 4], CSV and the text of ImageJ are accepted.
/// Throws Error(usage) that quotes the wrong text and names its line.
Kernel parseKernelText(std::string_view text);

/// The same with slices one after another, all of one size: separated by '|', by an empty line, or by the second of three levels of
/// brackets, as in NumPy's [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]. Weights x fastest, then y, then z.
struct KernelSlices {
    int width = 0, height = 0, depth = 0;
    std::vector<double> weights;
};
KernelSlices parseKernelSlices(std::string_view text);

struct Problem;  // core/engine/operation/operation.hpp

/// The part of a plan that does not depend on the dimensions of the window.
struct ConvolutionSettings {
    BorderMode border = BorderMode::replicate;
    float borderValue = 0;  ///< 0 unless the border is constant
    float offset = 0;
    std::vector<int> filtered, copied;  ///< channel indices
};
/// Throws Error(usage) for a channel that does not exist.
ConvolutionSettings convolutionSettings(const Problem& problem);

/// Everything that an implementation needs to know of a problem in the plane.
struct ConvolutionPlan : ConvolutionSettings {
    Kernel kernel;
};
/// Why a Fourier transform would lose the dark parts of the image, since its rounding errors are those of the largest sample; empty if not.
/// Backends do not choose one then.
std::string darkPartsThatTransformsLose(const Problem& problem);

/// For axes=xy; volume/plan.hpp has the other. Throws Error(usage) as makeKernel() does, and for a channel that does not exist.
ConvolutionPlan planConvolution(const Problem& problem);

}  // namespace parallax
