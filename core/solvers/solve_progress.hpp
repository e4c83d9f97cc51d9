// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/engine/run/progress.hpp"

namespace parallax::solvers {

/// Turns residuals into finished rows: their logarithm falls about evenly.
class SolveProgress {
public:
    /// `rows`: of all channels that the solve stands for; with several solves, each has its share.
    SolveProgress(Progress* progress, std::int64_t rows, int solves = 1) : progress_(progress), rows_(rows), solves_(std::max(solves, 1)) {}

    void update(double residual, double first, double tolerance) {
        const double all = std::log(first / tolerance);
        const double share = residual > 0 && all > 0 ? std::log(first / residual) / all : 1.0;
        report((solved_ + std::clamp(share, 0.0, 1.0)) / solves_);
    }
    void finishSolve() { report(static_cast<double>(++solved_) / solves_); }

private:
    void report(double share) {
        const auto rows = static_cast<std::int64_t>(share * static_cast<double>(rows_));
        if (rows <= done_) return;
        if (progress_) progress_->add(rows - done_);
        done_ = rows;
    }
    Progress* progress_;
    std::int64_t rows_, done_ = 0;
    int solves_, solved_ = 0;
};

}  // namespace parallax::solvers
