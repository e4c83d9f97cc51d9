// SPDX-License-Identifier: GPL-3.0-or-later
// Checks results against the reference backend, which runs on the same inputs and steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/measure/sampling/verify.hpp"
#include "ui/models/pipeline/side.hpp"

namespace parallax::ui {

/// The result of one side against the reference, or why there is no check.
struct ReferenceCheck {
    enum class State { unknown, pending, tooSlow, known };
    State state = State::unknown;
    std::optional<DifferenceMetrics> metrics;
    double tolerance = 0, ambiguous = 0;  ///< see Tolerance
    LocalTolerance localTolerance;        ///< see PreparedRun
    double inputPeak = 0;                 ///< largest magnitude of the input
    /// If the tolerance of the whole pipeline allows any result: the step that is nearest to its own tolerance, each checked alone.
    std::optional<StepJudgement> step;
    /// Difference and tolerance that the verdict uses; only if there are metrics.
    const DifferenceMetrics& judged() const { return step ? step->difference : *metrics; }
    double allowed() const { return step ? step->tolerance.absolute : tolerance; }
    Verification verification() const {
        if (metrics && step) return step->verification;
        return metrics ? judge(*metrics, tolerance, ambiguous, inputPeak) : Verification::notDone;
    }
};

/// A result that is to be checked.
struct CheckedResult {
    Side side = Side::a;
    ImagePtr image;
    Target target;
    std::size_t steps = 0;
    ReferenceCheck check;  ///< with tolerance
};

/// Results of the same input and steps, which one run of the reference serves.
struct CheckGroup {
    ImagePtr input;
    Pipeline steps;
    ImagePtr reference;  ///< result of the reference backend if a side has one; else it is run
    bool judgesSteps = true;
    std::vector<CheckedResult> results;
};

/// Runs in a worker thread. `judging` is called before the steps of a side are judged one by one. Throws Error.
std::vector<CheckedResult> runChecks(const Engine& engine, std::vector<CheckGroup> groups, RunContext& context,
                                     const std::function<void(Side)>& judging);

}  // namespace parallax::ui
