// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pipeline/next_problem.hpp"

#include <algorithm>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/plan_cache.hpp"

namespace parallax {

Problem problemAfter(const Operation& operation, const Problem& problem) {
    Problem next = problem;
    next.facts = outputFactsOf(operation, problem);
    next.shape = operation.outputShape(problem);
    next.plans = std::make_shared<PlanCache>();
    // As Image::withSamples() describes the result.
    if (next.shape.channels != problem.shape.channels) {
        next.channelNames = defaultChannelNames(next.shape.channels);
        const auto alpha = std::find(next.channelNames.begin(), next.channelNames.end(), "A");
        next.alphaChannel = alpha == next.channelNames.end() ? -1 : static_cast<int>(alpha - next.channelNames.begin());
    }
    if (next.shape.depth == 1) next.spacing = {1, 1, 1};
    return next;
}

Shape resultShape(const Pipeline& pipeline, const Image& input) {
    Problem problem = makeProblem(input, {}, SampleStatistics{});
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        problem.parameters = step.parameters;
        step.operation->check(problem);
        problem = problemAfter(*step.operation, problem);
    }
    return problem.shape;
}

}  // namespace parallax
