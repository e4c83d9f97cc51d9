// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/plan/tolerance_model.hpp"

#include <algorithm>

namespace parallax {
namespace {

/// Share of the output samples that depend on an ambiguous one, given the share of the input samples that are ambiguous.
double spread(double ambiguous, const Operation& operation, const Problem& problem) {
    if (ambiguous == 0) return 0;
    const auto inputs = static_cast<double>(problem.shape.samples());
    const auto outputs = static_cast<double>(operation.outputShape(problem).samples());
    return ambiguous * operation.reach(problem).influenced() * inputs / outputs;
}

}  // namespace

void ToleranceModel::add(const Operation& operation, const Problem& problem, const Tolerance& tolerance) {
    steps_.push_back({.gain = operation.gain(problem), .own = tolerance.absolute});
    reason_ += (reason_.empty() ? "" : "; ") + tolerance.reason;
    ambiguous_ = std::min(1.0, spread(ambiguous_, operation, problem) + tolerance.ambiguous);
    borderWidth_ += operation.borderWidth(problem);
}

Tolerance ToleranceModel::result(std::span<const double> dataTolerances) const {
    double error = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) error = error * steps_[i].gain + steps_[i].own + dataTolerances[i];
    return {error, reason_, ambiguous_};
}

}  // namespace parallax
