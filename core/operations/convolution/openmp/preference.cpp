// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the implementations what the rule needs to know.
#include "core/backends/openmp/instructions.hpp"
#include "core/operations/convolution/openmp/choice.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"

namespace parallax {

OpenmpConvolutionFacts openmpConvolutionFacts(const Problem& problem) {
    const ConvolutionPlan plan = planConvolution(problem);
    return {.width = problem.shape.width,
            .height = problem.shape.height,
            .planes = problem.shape.depth * static_cast<std::int64_t>(plan.filtered.size()),
            .kernelWidth = plan.kernel.width,
            .kernelHeight = plan.kernel.height,
            .threads = effectiveThreads({}),
            .lanes = openmpVectorLanes(),
            .halfRate = openmpVectorsAtHalfRate()};
}

Preference openmpPreference(OpenmpConvolution variant, const Problem& problem) {
    OpenmpConvolutionFacts facts = openmpConvolutionFacts(problem);
    facts.terms = separableTerms(problem).terms;
    facts.fft = [&] {
        const std::string lost = darkPartsThatTransformsLose(problem);
        return lost.empty() ? fftSupports(problem) : Support::no(lost);
    };
    OpenmpConvolutionChoice choice = chooseOpenmpConvolution(facts);
    if (choice.variant != variant) return {};
    return {1, std::move(choice.reason)};
}

}  // namespace parallax
