// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/reference_check.hpp"

#include "core/image/difference.hpp"

namespace parallax::ui {
namespace {

void judgeAlone(const Engine& engine, const CheckGroup& group, CheckedResult& result, RunContext& context) {
    try {
        result.check.step = judgeSteps(engine, group.steps, group.input, result.target, result.image->view(), context);
    } catch (const Error& e) {
        // It stays inconclusive; likewise in a benchmark when memory for more runs is short.
        if (e.code() == ErrorCode::cancelled) throw;
    }
    if (result.check.step && result.check.step->verification == Verification::inconclusive) result.check.step.reset();
}

}  // namespace

std::vector<CheckedResult> runChecks(const Engine& engine, std::vector<CheckGroup> groups, RunContext& context,
                                     const std::function<void(Side)>& judging) {
    std::vector<CheckedResult> checked;
    for (CheckGroup& group : groups) {
        std::optional<PreparedRun> run;
        if (!group.reference) {
            run = engine.prepare(group.steps, group.input, Target{.backend = kReferenceBackend}, context);
            run->run(context);
        }
        const View<const float> reference = run ? run->output() : group.reference->view();
        for (CheckedResult& result : group.results)
            result.check.metrics = compareViews(reference, result.image->view(),
                                                {.tolerance = result.check.tolerance, .localTolerance = result.check.localTolerance});
        run.reset();
        for (CheckedResult& result : group.results) {
            if (group.judgesSteps && result.steps > 1 && result.check.verification() == Verification::inconclusive) {
                judging(result.side);
                judgeAlone(engine, group, result, context);
            }
            result.check.state = ReferenceCheck::State::known;
            checked.push_back(std::move(result));
        }
    }
    return checked;
}

}  // namespace parallax::ui
