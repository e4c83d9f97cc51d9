// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/engine/operation/operation.hpp"
#include "core/engine/operation/plan_cache.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr double kRadiansPerDegree = std::numbers::pi / 180;

[[noreturn]] void refuse(const std::string& why, const std::string& advice) {
    throw Error(ErrorCode::usage, "Cannot make this convolution kernel", why, advice);
}

int requireOdd(int size, const char* name) {
    if (size % 2 == 0)
        refuse(std::string("the ") + name + " kernel needs a centre, and size " + std::to_string(size) + " has none", "Choose an odd size");
    return size;
}

/// Square kernel from a function of the offset to its centre (a half pixel off for even sizes).
Kernel fromFunction(int size, const std::function<double(double, double)>& f) {
    Kernel k{.width = size, .height = size, .weights = {}};
    const double centre = (size - 1) / 2.0;
    for (int v = 0; v < size; ++v)
        for (int u = 0; u < size; ++u) k.weights.push_back(f(u - centre, v - centre));
    return k;
}

Kernel boxKernel(int size) {
    return fromFunction(size, [](double, double) { return 1.0; });
}

/// Square kernel from a function of the squared distance to its centre, in the unit of sigma.
Kernel fromDistance(int size, const SampleSteps& steps, const std::function<double(double)>& f) {
    return fromFunction(size, [&](double x, double y) { return f(x * x * steps[0] * steps[0] + y * y * steps[1] * steps[1]); });
}

Kernel gaussianKernel(int size, double sigma, const SampleSteps& steps) {
    return fromDistance(size, steps, [=](double r2) { return std::exp(-r2 / (2 * sigma * sigma)); });
}

void divideBy(Kernel& k, double divisor) {
    for (double& w : k.weights) w /= divisor;
}

/// (1 + amount) identity - amount blur, with a blur of sum 1.
Kernel sharpenWith(Kernel blur, double amount) {
    divideBy(blur, blur.sum());
    for (double& w : blur.weights) w *= -amount;
    blur.weights[static_cast<std::size_t>(blur.taps() / 2)] += 1 + amount;
    return blur;
}

std::vector<double> binomial(int n) {
    std::vector<double> row{1};
    while (static_cast<int>(row.size()) < n) {
        row.push_back(0);
        for (std::size_t i = row.size() - 1; i > 0; --i) row[i] += row[i - 1];
    }
    return row;
}

/// Derivative across (along x, or along y), smoothing along.
Kernel derivativeKernel(const DerivativeFactors& factors, bool alongX) {
    const int size = static_cast<int>(factors.derivative.size());
    Kernel k{.width = size, .height = size, .weights = {}};
    for (std::size_t v = 0; v < factors.derivative.size(); ++v)
        for (std::size_t u = 0; u < factors.derivative.size(); ++u)
            k.weights.push_back(alongX ? factors.derivative[u] * factors.smoothing[v] : factors.derivative[v] * factors.smoothing[u]);
    return k;
}

DerivativeFactors sobelFactors(int size) {
    requireOdd(size, "Sobel");
    if (size < 3) refuse("a derivative needs size 3 at least", "Choose size 3 or more");
    // [-1 0 1] smoothed repeatedly by [1 2 1]: the difference of two shifted binomial rows.
    const std::vector<double> shorter = binomial(size - 1);
    std::vector<double> derivative(static_cast<std::size_t>(size), 0.0);
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        derivative[i] -= shorter[i];
        derivative[i + 1] += shorter[i];
    }
    std::vector<double> smoothing = binomial(size);
    // Large binomials leave the range where float weights are useful: 3 and 5 keep their textbook integers.
    if (size > 5) {
        const double s = std::accumulate(smoothing.begin(), smoothing.end(), 0.0);
        for (double& w : smoothing) w /= s;
        double d = 0;
        for (const double w : derivative) d += std::fabs(w);
        for (double& w : derivative) w /= d;
    }
    return {std::move(derivative), std::move(smoothing)};
}

DerivativeFactors scharrFactors(int size) {
    if (size != 3) refuse("the Scharr kernel is defined for size 3 only", "Choose size 3, or Sobel for larger ones");
    return {{-1, 0, 1}, {3, 10, 3}};
}

DerivativeFactors prewittFactors(int size) {
    requireOdd(size, "Prewitt");
    if (size < 3) refuse("a derivative needs size 3 at least", "Choose size 3 or more");
    std::vector<double> ramp(static_cast<std::size_t>(size));
    std::iota(ramp.begin(), ramp.end(), -static_cast<double>(size / 2));
    std::vector<double> ones(ramp.size(), 1.0);
    return {std::move(ramp), std::move(ones)};
}

Kernel laplacianKernel(int size) {
    requireOdd(size, "Laplacian");
    if (size < 3) refuse("a second derivative needs size 3 at least", "Choose size 3 or more");
    if (size == 3) return {.width = 3, .height = 3, .weights = {0, 1, 0, 1, -4, 1, 0, 1, 0}};
    Kernel k = boxKernel(size);
    k.weights[static_cast<std::size_t>(k.taps() / 2)] = 1.0 - k.taps();
    divideBy(k, k.taps() - 1.0);
    return k;
}

Kernel logKernel(int size, double sigma, const SampleSteps& steps) {
    requireOdd(size, "LoG");
    Kernel k = fromDistance(size, steps, [=](double squared) {
        const double r2 = squared / (2 * sigma * sigma);
        return (r2 - 1) * std::exp(-r2) / (std::numbers::pi * std::pow(sigma, 4));
    });
    // Weights of an integral over the plane: the area of a sample is 1 if sigma counts samples.
    for (double& w : k.weights) w *= steps[0] * steps[1];
    const double mean = k.sum() / k.taps();
    for (double& w : k.weights) w -= mean;
    return k;
}

/// Relief lit from `angle`: a slope that falls towards the light is bright, so weights are negative on its side; 1 is added in the middle.
Kernel embossKernel(int size, double angle) {
    requireOdd(size, "emboss");
    const double c = std::cos(angle * kRadiansPerDegree), s = -std::sin(angle * kRadiansPerDegree);
    Kernel k = fromFunction(size, [=](double x, double y) {
        const double along = x * c + y * s;
        return std::fabs(along) < 1e-9 ? 0.0 : -along;
    });
    const double norm = k.absoluteSum();
    if (norm > 0) divideBy(k, norm / 2);
    k.weights[static_cast<std::size_t>(k.taps() / 2)] += 1;
    return k;
}

Kernel motionKernel(int size, double angle) {
    const double c = std::cos(angle * kRadiansPerDegree), s = -std::sin(angle * kRadiansPerDegree);
    const double half = (size - 1) / 2.0;
    return fromFunction(size, [=](double x, double y) {
        const double along = x * c + y * s, across = std::fabs(x * s - y * c);
        const double w = std::max(0.0, 1 - across) * std::clamp(half + 1 - std::fabs(along), 0.0, 1.0);
        return w < 1e-9 ? 0.0 : w;
    });
}

Kernel rawKernel(const ConvolutionParameters& p, const SampleSteps& steps) {
    if (isAlongZ(p.kernel)) refuse("a derivative along z needs a window in three dimensions", "Set axes=xyz");
    switch (p.kernel) {
        case KernelKind::box: return boxKernel(p.size);
        case KernelKind::gaussian: return gaussianKernel(p.size, effectiveSigma(p), steps);
        case KernelKind::sharpen: return sharpenWith(boxKernel(requireOdd(p.size, "sharpen")), p.amount);
        case KernelKind::unsharp: return sharpenWith(gaussianKernel(requireOdd(p.size, "unsharp"), effectiveSigma(p), steps), p.amount);
        case KernelKind::laplacian: return laplacianKernel(p.size);
        case KernelKind::log: return logKernel(p.size, effectiveSigma(p), steps);
        case KernelKind::emboss: return embossKernel(p.size, p.angle);
        case KernelKind::motion: return motionKernel(p.size, p.angle);
        case KernelKind::custom: return parseKernelText(p.weights);
        case KernelKind::sobelX:
        case KernelKind::scharrX:
        case KernelKind::prewittX: return derivativeKernel(derivativeFactors(p.kernel, p.size), true);
        case KernelKind::sobelY:
        case KernelKind::scharrY:
        case KernelKind::prewittY: return derivativeKernel(derivativeFactors(p.kernel, p.size), false);
        case KernelKind::sobelZ:
        case KernelKind::scharrZ:
        case KernelKind::prewittZ: break;
    }
    return {};
}

}  // namespace

double Kernel::sum() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

double Kernel::absoluteSum() const {
    double s = 0;
    for (const double w : weights) s += std::fabs(w);
    return s;
}

KernelResponse responseOf(const Kernel& k) {
    using To = KernelResponse::To;
    // Relative to magnitudes: what cancels leaves rounding noise.
    constexpr double kNoise = 1e-6;
    const double magnitude = k.absoluteSum(), extent = std::max(k.width, k.height) / 2.0;
    if (const double sum = k.sum(); std::fabs(sum) > kNoise * magnitude) return {To::constant, sum};
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int v = 0; v < k.height; ++v)
        for (int u = 0; u < k.width; ++u) {
            const double dx = u - (k.width - 1) / 2.0, dy = v - (k.height - 1) / 2.0, w = k.at(u, v);
            x += w * dx;
            y += w * dy;
            xx += w * dx * dx / 2;
            yy += w * dy * dy / 2;
            xy += w * dx * dy;
        }
    if (const double ramp = std::hypot(x, y); ramp > kNoise * magnitude * extent) return {To::ramp, ramp};
    double largest = xx;
    for (const double other : {yy, xy})
        if (std::fabs(other) > std::fabs(largest)) largest = other;
    if (std::fabs(largest) > kNoise * magnitude * extent * extent) return {To::parabola, largest};
    return {};
}

DerivativeFactors derivativeFactors(KernelKind kind, int size) {
    switch (kind) {
        case KernelKind::scharrX:
        case KernelKind::scharrY:
        case KernelKind::scharrZ: return scharrFactors(size);
        case KernelKind::prewittX:
        case KernelKind::prewittY:
        case KernelKind::prewittZ: return prewittFactors(size);
        default: return sobelFactors(size);
    }
}

double effectiveSigma(const ConvolutionParameters& p) { return p.sigma > 0 ? p.sigma : 0.3 * ((p.size - 1) * 0.5 - 1) + 0.8; }

SampleSteps sampleSteps(const ConvolutionParameters& p, const std::array<double, 3>& spacing) {
    return p.sigmaUnit == SigmaUnit::millimetres && p.sigma > 0 ? spacing : SampleSteps{1, 1, 1};
}

bool isNormalised(const ConvolutionParameters& p) {
    return p.normalise == Normalisation::automatic ? p.kernel != KernelKind::custom : p.normalise == Normalisation::on;
}

Kernel makeKernel(const ConvolutionParameters& p, const std::array<double, 3>& spacing) {
    Kernel k = rawKernel(p, sampleSteps(p, spacing));
    if (isNormalised(p)) {
        // Derivative kernels sum to rounding noise: they are left alone.
        const double sum = k.sum();
        if (std::fabs(sum) > 1e-6 * k.absoluteSum()) divideBy(k, sum);
    }
    double scale = p.scale;
    if (p.scale == kUnitScale) {
        const KernelResponse response = responseOf(k);
        if (response.to == KernelResponse::To::none)
            refuse("it responds neither to a constant nor to a ramp nor to a parabola, so scale=unit has no meaning", "Set a number");
        scale = 1 / std::fabs(response.value);
    }
    for (double& w : k.weights) {
        w *= scale;
        // The same weights for every backend: what float32 cannot hold as a normal number is 0, or tiny * infinity would be
        // infinity for the reference and NaN for the others.
        if (std::fabs(w) < static_cast<double>(std::numeric_limits<float>::min())) w = 0;
    }
    if (p.anchorX >= k.width || p.anchorY >= k.height)
        refuse("the anchor (" + std::to_string(p.anchorX) + ", " + std::to_string(p.anchorY) + ") lies outside of a kernel of " +
                   std::to_string(k.width) + " x " + std::to_string(k.height),
               "Set an anchor inside the kernel, or -1 for the centre");
    k.anchorX = p.anchorX < 0 ? k.width / 2 : p.anchorX;
    k.anchorY = p.anchorY < 0 ? k.height / 2 : p.anchorY;
    if (p.flip) {
        std::reverse(k.weights.begin(), k.weights.end());
        // The same kernel element stays on the pixel.
        k.anchorX = k.width - 1 - k.anchorX;
        k.anchorY = k.height - 1 - k.anchorY;
    }
    return k;
}

std::string darkPartsThatTransformsLose(const Problem& problem) {
    // 10 of the 24 bits of a float: what remains of a sample as large as the mean has an error of some 10^-4.
    constexpr double kLargestRatio = 1024;
    const SampleStatistics& s = problem.statistics;
    // The mean is that of magnitudes only without negative samples.
    if (s.min < 0 || s.mean <= 0 || s.max <= kLargestRatio * s.mean) return {};
    return "the largest sample is " + std::to_string(std::llround(std::min(s.max / s.mean, 1e15))) +
           " times the mean, and its rounding errors would cover dark parts";
}

ConvolutionSettings convolutionSettings(const Problem& problem) {
    const auto& p = problem.parameters.as<ConvolutionParameters>();
    ConvolutionSettings settings;
    settings.border = p.border;
    // Other border modes do not use the value, so it must not enter error bounds and the scaling of transforms.
    settings.borderValue = p.border == BorderMode::constant ? static_cast<float>(p.borderValue) : 0;
    settings.offset = static_cast<float>(p.offset);
    settings.filtered = namedChannels(problem, p.channels);
    if (p.alpha == AlphaPolicy::keep) std::erase(settings.filtered, problem.alphaChannel);
    settings.copied = remainingChannels(problem, settings.filtered);
    return settings;
}

ConvolutionPlan planConvolution(const Problem& problem) {
    return planOnce<ConvolutionPlan>(problem, [&] {
        const auto& p = problem.parameters.as<ConvolutionParameters>();
        // Filtering slice by slice would be another result: by_axes.hpp leads such problems elsewhere.
        if (p.axes != WindowAxes::xy) throw Error(ErrorCode::failed, "A window in three dimensions has no plan in a plane");
        Kernel kernel = makeKernel(p, problem.spacing);
        return ConvolutionPlan{convolutionSettings(problem), std::move(kernel)};
    });
}

}  // namespace parallax
