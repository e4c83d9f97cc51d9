// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/engine/run/live_series.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/solvers/solve.hpp"

namespace parallax::solvers {

/// Turns residuals into finished rows, since their logarithm falls about evenly, and into points of the run's live series.
class SolveProgress {
public:
    /// `rows`: of all channels that the solve stands for; with several solves, each has its share. `label`: of the live series, if it
    /// is not that of labelOfSolve().
    SolveProgress(const RunContext& context, std::int64_t rows, int solves = 1, std::string label = {})
        : progress_(context.progress), live_(context.live), rows_(rows), solves_(std::max(solves, 1)), label_(std::move(label)) {}

    /// The state after an iteration. Not every iteration need be told.
    void update(std::int64_t iteration, const SolveHistory::Point& point, double first, double tolerance) {
        const double all = std::log(first / tolerance);
        const double share = point.residual > 0 && all > 0 ? std::log(first / point.residual) / all : 1.0;
        report((solved_ + std::clamp(share, 0.0, 1.0)) / solves_);
        if (!live_) return;
        const std::string label = label_.empty() ? labelOfSolve(solved_, solves_) : label_;
        live_->add(kConvergence, label, static_cast<double>(iteration), point.residual, tolerance);
        live_->add(kConvergenceOverTime, label, point.seconds, point.residual, tolerance);
    }
    /// The share of the present solve that is done, for methods without iterations.
    void advance(double share) { report((solved_ + share) / solves_); }
    void finishSolve() { report(static_cast<double>(++solved_) / solves_); }

private:
    void report(double share) {
        const auto rows = static_cast<std::int64_t>(share * static_cast<double>(rows_));
        if (rows <= done_) return;
        if (progress_) progress_->add(rows - done_);
        done_ = rows;
    }
    Progress* progress_;
    LiveSeries* live_;
    std::int64_t rows_, done_ = 0;
    int solves_, solved_ = 0;
    std::string label_;
};

}  // namespace parallax::solvers
