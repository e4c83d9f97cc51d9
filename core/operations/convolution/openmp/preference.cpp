// SPDX-License-Identifier: GPL-3.0-or-later
// The rule's question, asked of the implementations.
#include "core/backends/openmp/instructions.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "core/operations/convolution/openmp/choice.hpp"
#include "core/operations/convolution/openmp/fft.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"
#include "core/operations/convolution/openmp/separable.hpp"

namespace parallax {

Preference openmpPreference(OpenmpConvolution variant, const Problem& problem) {
    const ConvolutionPlan plan = planConvolution(problem);
    OpenmpConvolutionChoice choice =
        chooseOpenmpConvolution({.width = problem.shape.width,
                                 .height = problem.shape.height,
                                 .planes = problem.shape.depth * static_cast<std::int64_t>(plan.filtered.size()),
                                 .kernelWidth = plan.kernel.width,
                                 .kernelHeight = plan.kernel.height,
                                 .terms = separableTerms(problem, plan.kernel).terms,
                                 .threads = effectiveThreads({}),
                                 .lanes = openmpVectorLanes(),
                                 .halfRate = openmpVectorsAtHalfRate(),
                                 .fft = [&] { return fftSupports(problem, plan.kernel); }});
    if (choice.variant != variant) return {};
    return {1, std::move(choice.reason)};
}

}  // namespace parallax
