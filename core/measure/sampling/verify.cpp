// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/verify.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/engine/backend/backend.hpp"

namespace parallax {

Verification judge(const DifferenceMetrics& d, double tolerance, double ambiguous, double inputPeak) {
    if (!d.within(tolerance, ambiguous)) return Verification::disagrees;
    if (d.maxAbs == 0) return Verification::agrees;
    const bool meaningful = std::isfinite(tolerance) && (tolerance <= d.peak || tolerance <= 0x1p-16 * inputPeak);
    if (!meaningful || (d.maxAbs > tolerance && ambiguous >= 0.5)) return Verification::inconclusive;
    return Verification::agrees;
}

Verification judgeAlone(const std::vector<JudgementRecord>& judgements) {
    constexpr double kUsableBound = 0.01;
    if (judgements.empty()) return Verification::notDone;
    const bool usable = std::all_of(judgements.begin(), judgements.end(), [](const JudgementRecord& j) { return j.bound <= kUsableBound; });
    return usable ? Verification::holds : Verification::inconclusive;
}

std::optional<StepJudgement> judgeSteps(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const Target& target,
                                        View<const float> result, RunContext& context) {
    StepJudgement worst;
    double nearest = -1;
    bool judged = true;
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        Pipeline alone;
        alone.steps.push_back(step);
        PreparedRun run = engine.prepare(alone, input, target, context);
        (void)run.run(context);
        PreparedRun reference = engine.prepare(alone, input, Target{.backend = kReferenceBackend, .variant = {}}, context);
        (void)reference.run(context);
        const Tolerance tolerance = run.tolerance();
        DifferenceMetrics difference =
            compareViews(reference.output(), run.output(), {.tolerance = tolerance.absolute, .localTolerance = run.localTolerance()});
        const Verification verification = judge(difference, tolerance.absolute, tolerance.ambiguous, run.inputPeak());
        const double part = difference.closest       ? difference.closest->share
                            : tolerance.absolute > 0 ? difference.maxAbs / tolerance.absolute
                                                     : 0;
        judged = judged && verification != Verification::inconclusive;
        if (part > nearest || verification == Verification::disagrees) {
            nearest = part;
            worst = {verification, step.operation->id(), std::move(difference), tolerance};
        }
        if (verification == Verification::disagrees) return worst;
        input = std::make_shared<const Image>(run.takeImage());
    }
    const DifferenceMetrics same = compareViews(result, input->view(), {.worstCount = 0});
    if (same.maxAbs != 0 || same.mismatches() != 0) return std::nullopt;
    if (!judged) worst.verification = Verification::inconclusive;
    return worst;
}

}  // namespace parallax
