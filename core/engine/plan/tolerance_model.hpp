// SPDX-License-Identifier: GPL-3.0-or-later
// How deviations from the reference grow from step to step of a pipeline.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/engine/operation/operation.hpp"

namespace parallax {

class ToleranceModel {
public:
    /// Adds the next step. `tolerance`: of the step alone.
    void add(const Operation& operation, const Problem& problem, const Tolerance& tolerance);
    /// Tolerance of the result. `dataTolerances`: Execution::dataTolerance() of each step.
    Tolerance result(std::span<const double> dataTolerances) const;
    /// Width in pixels of the frame of the result that border modes influence.
    int borderWidth() const { return borderWidth_; }

private:
    struct StepError {
        double gain = 1, own = 0;
    };
    std::vector<StepError> steps_;
    std::string reason_;
    double ambiguous_ = 0;
    int borderWidth_ = 0;
};

}  // namespace parallax
