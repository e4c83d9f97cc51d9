// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/volume/kernel_3d.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/image/error.hpp"
#include "core/operations/convolution/kernel_analysis.hpp"

namespace parallax {
namespace {

[[noreturn]] void refuse(const std::string& why, const std::string& advice) {
    throw Error(ErrorCode::usage, "Cannot make this convolution kernel in three dimensions", why, advice);
}

int requireOdd(int size, const char* name) {
    if (size % 2 == 0)
        refuse(std::string("the ") + name + " kernel needs a centre, and size " + std::to_string(size) + " has none", "Choose an odd size");
    return size;
}

/// Cube from a function of the indices.
Kernel3d cube(int size, const std::function<double(int, int, int)>& f) {
    Kernel3d k{.size = {size, size, size}, .weights = {}};
    for (int w = 0; w < size; ++w)
        for (int v = 0; v < size; ++v)
            for (int u = 0; u < size; ++u) k.weights.push_back(f(u, v, w));
    return k;
}

/// Cube from a function of the squared distance to the centre, in the unit of sigma.
Kernel3d fromDistance(int size, const SampleSteps& steps, const std::function<double(double)>& f) {
    const auto squared = [&](int i, std::size_t axis) {
        const double distance = (i - (size - 1) / 2.0) * steps[axis];
        return distance * distance;
    };
    return cube(size, [&](int u, int v, int w) { return f(squared(u, 0) + squared(v, 1) + squared(w, 2)); });
}

Kernel3d box(int size) {
    return cube(size, [](int, int, int) { return 1.0; });
}

Kernel3d gaussian(int size, double sigma, const SampleSteps& steps) {
    return fromDistance(size, steps, [=](double squared) { return std::exp(-squared / (2 * sigma * sigma)); });
}

void divideBy(Kernel3d& k, double divisor) {
    for (double& w : k.weights) w /= divisor;
}

/// (1 + amount) identity - amount blur, with a blur of sum 1.
Kernel3d sharpenWith(Kernel3d blur, double amount) {
    divideBy(blur, blur.sum());
    for (double& w : blur.weights) w *= -amount;
    blur.weights[blur.weights.size() / 2] += 1 + amount;
    return blur;
}

Kernel3d derivativeAlong(std::size_t axis, const ConvolutionParameters& p) {
    const DerivativeFactors factors = derivativeFactors(p.kernel, p.size);
    return cube(p.size, [&](int u, int v, int w) {
        const std::array<int, 3> at{u, v, w};
        double weight = 1;
        for (std::size_t a = 0; a < 3; ++a) weight *= (a == axis ? factors.derivative : factors.smoothing)[static_cast<std::size_t>(at[a])];
        return weight;
    });
}

/// Size 3: the six neighbours minus six times the middle. Larger: the mean around minus the middle, as in the plane.
Kernel3d laplacian(int size) {
    requireOdd(size, "Laplacian");
    if (size < 3) refuse("a second derivative needs size 3 at least", "Choose size 3 or more");
    if (size == 3)
        return cube(size, [](int u, int v, int w) {
            const int steps = std::abs(u - 1) + std::abs(v - 1) + std::abs(w - 1);
            return steps == 0 ? -6.0 : steps == 1 ? 1.0 : 0.0;
        });
    Kernel3d k = box(size);
    const auto around = static_cast<double>(k.taps() - 1);
    k.weights[k.weights.size() / 2] = -around;
    divideBy(k, around);
    return k;
}

/// The Laplacian of a Gaussian of integral 1, times the volume of a voxel; its mean is subtracted, so that a constant gives 0.
Kernel3d laplacianOfGaussian(int size, double sigma, const SampleSteps& steps) {
    requireOdd(size, "LoG");
    const double voxel = steps[0] * steps[1] * steps[2], normal = std::pow(2 * std::numbers::pi * sigma * sigma, -1.5);
    Kernel3d k = fromDistance(size, steps, [=](double squared) {
        const double r2 = squared / (sigma * sigma);
        return (r2 - 3) / (sigma * sigma) * normal * std::exp(-r2 / 2) * voxel;
    });
    const double mean = k.sum() / static_cast<double>(k.taps());
    for (double& w : k.weights) w -= mean;
    return k;
}

Kernel3d fromText(const std::string& text) {
    KernelSlices slices = parseKernelSlices(text);
    return {.size = {slices.width, slices.height, slices.depth}, .weights = std::move(slices.weights)};
}

Kernel3d rawKernel(const ConvolutionParameters& p, const SampleSteps& steps) {
    switch (p.kernel) {
        case KernelKind::box: return box(p.size);
        case KernelKind::gaussian: return gaussian(p.size, effectiveSigma(p), steps);
        case KernelKind::sharpen: return sharpenWith(box(requireOdd(p.size, "sharpen")), p.amount);
        case KernelKind::unsharp: return sharpenWith(gaussian(requireOdd(p.size, "unsharp"), effectiveSigma(p), steps), p.amount);
        case KernelKind::laplacian: return laplacian(p.size);
        case KernelKind::log: return laplacianOfGaussian(p.size, effectiveSigma(p), steps);
        case KernelKind::sobelX:
        case KernelKind::scharrX:
        case KernelKind::prewittX: return derivativeAlong(0, p);
        case KernelKind::sobelY:
        case KernelKind::scharrY:
        case KernelKind::prewittY: return derivativeAlong(1, p);
        case KernelKind::sobelZ:
        case KernelKind::scharrZ:
        case KernelKind::prewittZ: return derivativeAlong(2, p);
        case KernelKind::emboss:
        case KernelKind::motion: refuse("this kernel is defined by an angle in a plane", "Set axes=xy, or choose another kernel");
        case KernelKind::custom: return fromText(p.weights);
    }
    return {};
}

/// Factor of all weights, with the meaning of scale=unit.
double scaleOf(const ConvolutionParameters& p, const Kernel3d& k) {
    if (p.scale != kUnitScale) return p.scale;
    const KernelResponse response = responseOf(k);
    if (response.to == KernelResponse::To::none)
        refuse("it responds neither to a constant nor to a ramp nor to a parabola, so scale=unit has no meaning", "Set a number");
    return 1 / std::fabs(response.value);
}

void setAnchor(Kernel3d& k, const std::array<int, 3>& anchor) {
    constexpr std::array<char, 3> names{'x', 'y', 'z'};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (anchor[axis] >= k.size[axis])
            refuse(std::string("anchor-") + names[axis] + " is " + std::to_string(anchor[axis]) + ", outside of a kernel of " +
                       std::to_string(k.size[0]) + " x " + std::to_string(k.size[1]) + " x " + std::to_string(k.size[2]),
                   "Set an anchor inside the kernel, or -1 for the centre");
        k.anchor[axis] = anchor[axis] < 0 ? k.size[axis] / 2 : anchor[axis];
    }
}

}  // namespace

double Kernel3d::sum() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

double Kernel3d::absoluteSum() const {
    double s = 0;
    for (const double w : weights) s += std::fabs(w);
    return s;
}

KernelResponse responseOf(const Kernel3d& k) {
    using To = KernelResponse::To;
    // Relative to magnitudes: what cancels leaves rounding noise.
    constexpr double kNoise = 1e-6;
    const double magnitude = k.absoluteSum(), extent = *std::max_element(k.size.begin(), k.size.end()) / 2.0;
    if (const double sum = k.sum(); std::fabs(sum) > kNoise * magnitude) return {To::constant, sum};
    std::array<double, 3> ramp{};
    std::array<double, 6> parabola{};  // xx, yy, zz, xy, xz, yz
    for (int w = 0; w < k.size[2]; ++w)
        for (int v = 0; v < k.size[1]; ++v)
            for (int u = 0; u < k.size[0]; ++u) {
                const double x = u - (k.size[0] - 1) / 2.0, y = v - (k.size[1] - 1) / 2.0, z = w - (k.size[2] - 1) / 2.0;
                const double weight = k.at(u, v, w);
                const std::array<double, 3> slopes{x, y, z};
                const std::array<double, 6> curves{x * x / 2, y * y / 2, z * z / 2, x * y, x * z, y * z};
                for (std::size_t i = 0; i < 3; ++i) ramp[i] += weight * slopes[i];
                for (std::size_t i = 0; i < 6; ++i) parabola[i] += weight * curves[i];
            }
    if (const double steepest = std::hypot(ramp[0], ramp[1], ramp[2]); steepest > kNoise * magnitude * extent) return {To::ramp, steepest};
    const double largest =
        *std::max_element(parabola.begin(), parabola.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    if (std::fabs(largest) > kNoise * magnitude * extent * extent) return {To::parabola, largest};
    return {};
}

Kernel3d makeKernel3d(const ConvolutionParameters& p, const std::array<double, 3>& spacing) {
    Kernel3d k = rawKernel(p, sampleSteps(p, spacing));
    if (isNormalised(p)) {
        // Derivative kernels sum to rounding noise: they are left alone.
        const double sum = k.sum();
        if (std::fabs(sum) > 1e-6 * k.absoluteSum()) divideBy(k, sum);
    }
    const double scale = scaleOf(p, k);
    for (double& w : k.weights) {
        w *= scale;
        // As in the plane: what float32 cannot hold as a normal number is 0 for every backend.
        if (std::fabs(w) < static_cast<double>(std::numeric_limits<float>::min())) w = 0;
    }
    setAnchor(k, {p.anchorX, p.anchorY, p.anchorZ});
    if (p.flip) {
        std::reverse(k.weights.begin(), k.weights.end());
        // The same kernel element stays on the voxel.
        for (std::size_t axis = 0; axis < 3; ++axis) k.anchor[axis] = k.size[axis] - 1 - k.anchor[axis];
    }
    return k;
}

std::optional<Factors3d> factorsOf(const Kernel3d& k) {
    auto slices = rankOne({.width = k.size[0] * k.size[1], .height = k.size[2], .weights = k.weights});
    if (!slices) return std::nullopt;
    auto plane = rankOne({.width = k.size[0], .height = k.size[1], .weights = std::move(slices->factors.row)});
    if (!plane) return std::nullopt;
    Factors3d result{{std::move(plane->factors.row), std::move(plane->factors.column), std::move(slices->factors.column)}, true};
    const auto isZero = [&](std::size_t axis, int i) { return static_cast<float>(result.factors[axis][static_cast<std::size_t>(i)]) == 0; };
    for (int w = 0; w < k.size[2]; ++w)
        for (int v = 0; v < k.size[1]; ++v)
            for (int u = 0; u < k.size[0]; ++u) {
                const bool zero = isZero(0, u) || isZero(1, v) || isZero(2, w);
                result.sameZeros = result.sameZeros && zero == (k.at(u, v, w) == 0);
            }
    return result;
}

}  // namespace parallax
