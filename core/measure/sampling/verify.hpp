// SPDX-License-Identifier: GPL-3.0-or-later
// How a result stands to the reference, and whether its bound can tell.
#pragma once

#include <optional>
#include <string>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"

namespace parallax {

/// Bounds of several steps multiply: an error that a step could have made grows by what the next one could make of it in the worst case, so
/// that the bound of a pipeline may allow more than its result holds. Such a bound finds no result wrong, and nothing is judged by it: it
/// is not finite, or larger than every sample of the reference's result. Where a result cancels to next to nothing, as that of an edge
/// filter on a flat image, the rounding of the input is what counts: a bound of up to 2^-16 of the input's largest sample is always one.
bool canJudge(double tolerance, double resultPeak, double inputPeak);

/// `difference`: against the reference, with its peak and with `tolerance` as its own. Results that are equal agree whatever the bound is,
/// what lies beyond a bound disagrees however large it is. A share of the samples that may be decided otherwise is no measure either if it
/// is half of them or more.
Verification judge(const DifferenceMetrics& difference, double tolerance, double ambiguous, double inputPeak);

struct StepJudgement {
    Verification verification = Verification::inconclusive;
    std::string step;  ///< id of the operation whose step comes closest to its bound, or is beyond it
    DifferenceMetrics difference;
    Tolerance tolerance;
};
/// Each step alone: what `target` makes of the result of its steps before, against what the reference makes of the same. Each bound is then
/// that of one operation on samples that are known. Nothing if the steps alone do not give the bits of `result`, the whole pipeline's on
/// `target`: they are not what is to be judged then. Costs a run of the reference. Throws Error.
std::optional<StepJudgement> judgeSteps(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const Target& target,
                                        View<const float> result, RunContext& context);

}  // namespace parallax
