// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/edges/plan.hpp"

#include <cmath>

namespace parallax {
namespace {

KernelKind kernelOf(EdgeFilter filter) {
    switch (filter) {
        case EdgeFilter::sobel: return KernelKind::sobelX;
        case EdgeFilter::scharr: return KernelKind::scharrX;
        case EdgeFilter::prewitt: return KernelKind::prewittX;
    }
    return KernelKind::sobelX;
}

}  // namespace

double EdgesPlan::smoothingSum() const { return factors.smoothing[0] + factors.smoothing[1] + factors.smoothing[2]; }

double EdgesPlan::absoluteSum() const { return 2 * smoothingSum() * (acrossSlices ? smoothingSum() : 1); }

double EdgesPlan::largestMagnitude(double largest) const { return std::sqrt(components()) * absoluteSum() * largest; }

EdgesPlan planEdges(const Problem& problem) {
    const auto& p = problem.parameters.as<EdgesParameters>();
    EdgesPlan plan;
    plan.border = p.border;
    plan.borderValue = p.border == BorderMode::constant ? static_cast<float>(p.borderValue) : 0;
    plan.filtered = namedChannels(problem, "all");
    std::erase(plan.filtered, problem.alphaChannel);
    plan.copied = remainingChannels(problem, plan.filtered);
    plan.acrossSlices = p.axes == WindowAxes::xyz;
    plan.factors = derivativeFactors(kernelOf(p.filter), 3);
    return plan;
}

StripSupport EdgesImplementation::strips(const Problem& problem) const {
    const EdgesPlan plan = planEdges(problem);
    if (plan.acrossSlices) return StripSupport::no("With axes=xyz a slice of the result needs those around it");
    return {.yes = true,
            .reason = {},
            .above = 1,
            .below = 1,
            .rowFor = [height = problem.shape.height, rule = plan.border](std::int64_t row) { return borderIndex(row, height, rule); },
            .fill = plan.borderValue};
}

bool EdgesImplementation::errsLocally(const Problem& problem) const { return !planEdges(problem).acrossSlices; }

}  // namespace parallax
