// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/volume/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/operation/plan_cache.hpp"

namespace parallax {
namespace {

constexpr double kLargestFloat = std::numeric_limits<float>::max();

}  // namespace

bool filtersAcrossSlices(const Problem& problem) { return problem.parameters.as<ConvolutionParameters>().axes == WindowAxes::xyz; }

VolumePlan planVolumeConvolution(const Problem& problem) {
    return planOnce<VolumePlan>(problem, [&] {
        VolumePlan plan;
        plan.kernel = std::make_shared<const Kernel3d>(makeKernel3d(problem.parameters.as<ConvolutionParameters>(), problem.spacing));
        static_cast<ConvolutionSettings&>(plan) = convolutionSettings(problem);
        plan.factors = std::make_shared<const std::optional<Factors3d>>(factorsOf(*plan.kernel));
        plan.absoluteSum = plan.kernel->absoluteSum();
        return plan;
    });
}

Support weightsFitFloat(const VolumePlan& plan) {
    for (const double w : plan.kernel->weights)
        if (std::fabs(w) > kLargestFloat) return Support::no("A weight of the kernel is beyond the range of 32-bit floats");
    return {};
}

Support separableInVolume(const Problem& problem, const VolumePlan& plan) {
    if (const Support fits = weightsFitFloat(plan); !fits) return fits;
    const std::optional<Factors3d>& factors = *plan.factors;
    if (!factors) return Support::no("The kernel is not separable: it is no product of three factors along x, y and z");
    for (const double weight : factors->factors[2])
        if (std::fabs(weight) > kLargestFloat) return Support::no("A factor of this kernel is beyond the range of 32-bit floats");
    const SampleStatistics& s = problem.statistics;
    // 0 times infinity is NaN, wherever the zero stands.
    if (!factors->sameZeros && s.positiveInfinity + s.negativeInfinity > 0)
        return Support::no("The volume has infinities, and the factors of this kernel have their zeros elsewhere");
    return {};
}

void copyBorderedRow(const View<const float>& channel, const VolumePlan& plan, std::int64_t first, std::int64_t count, std::int64_t y,
                     std::int64_t z, float* to) {
    const std::int64_t width = channel.shape.width;
    const std::int64_t sy = borderIndex(y, channel.shape.height, plan.border), sz = borderIndex(z, channel.shape.depth, plan.border);
    if (sy < 0 || sz < 0) {
        std::fill_n(to, count, plan.borderValue);
        return;
    }
    const float* row = channel.row(sy, sz);
    const auto outside = [&](std::int64_t x) {
        const std::int64_t sx = borderIndex(x, width, plan.border);
        return sx < 0 ? plan.borderValue : row[sx];
    };
    const std::int64_t end = first + count, inside = std::clamp<std::int64_t>(0, first, end), beyond = std::clamp(width, inside, end);
    for (std::int64_t x = first; x < inside; ++x) *to++ = outside(x);
    to = std::copy(row + inside, row + beyond, to);
    for (std::int64_t x = beyond; x < end; ++x) *to++ = outside(x);
}

}  // namespace parallax
