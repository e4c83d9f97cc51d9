// SPDX-License-Identifier: GPL-3.0-or-later
// Verification of results against the reference.
#pragma once

#include <optional>
#include <string>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"

namespace parallax {

/// Judges a difference from the reference. Equal results agree whatever the tolerance is; what exceeds it, or the local tolerance of its
/// sample, disagrees. Otherwise the verdict is inconclusive if the tolerance allows any result, as that of a long pipeline may (the
/// tolerances of its steps multiply): if it is not finite, larger than every sample of the reference's result and than 2^-16 of `inputPeak`
/// (rounding of the input counts where a result cancels to nearly nothing), or if half of the samples or more are ambiguous.
Verification judge(const DifferenceMetrics& difference, double tolerance, double ambiguous, double inputPeak);

/// Verdict without a comparison, if none of the operation's judgements fails: inconclusive if a bound is so large that a result of zeros
/// might pass, as that of the residual of a large image is, which rounding to float alone makes large.
Verification judgeAlone(const std::vector<JudgementRecord>& judgements);

struct StepJudgement {
    Verification verification = Verification::inconclusive;
    std::string step;  ///< id of the operation that comes closest to its tolerance or exceeds it
    DifferenceMetrics difference;
    Tolerance tolerance;
};
/// Compares each step alone with the reference, on the result of the steps before it on `target`, so that each tolerance is that of one
/// operation on known samples. Nothing if the steps alone do not give the bits of `result`, which is that of the whole pipeline on
/// `target`. Costs a run of the reference. Throws Error.
std::optional<StepJudgement> judgeSteps(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const Target& target,
                                        View<const float> result, RunContext& context);

}  // namespace parallax
