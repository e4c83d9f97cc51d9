// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/gradient_reference.hpp"

#include "core/operations/tone_mapping/gradient_plain_passes.hpp"

namespace parallax {

std::uint64_t referenceGradientBytes(const ToneMappingPlan& plan, const Shape& shape) {
    const GradientPlan gradient = planGradient(plan, shape);
    // White and black are found after the solve, whose memory is free by then.
    return HostGradientToneMapping<double>::bytes(gradient) + solvers::referenceDirectMethod().bytes(gradient.stencil.shape, 1, false);
}

std::unique_ptr<Execution> makeReferenceGradient(const Problem& problem, bool ofPart) {
    auto execution = std::make_unique<PlainGradientToneMapping<double>>(problem, solvers::referenceDirectMethod().make());
    if (!ofPart) execution->makeArrays();
    return execution;
}

}  // namespace parallax
