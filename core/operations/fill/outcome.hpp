// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics, series and warnings of a run, the same for every backend.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/operations/fill/plan.hpp"
#include "core/solvers/compact_system.hpp"
#include "core/solvers/solve.hpp"

namespace parallax::filling {

class Outcome {
public:
    Outcome(const Problem& problem, const FillPlan& plan);

    void clear();
    const std::string& nameOf(int channel) const { return channelNames_.at(static_cast<std::size_t>(channel)); }
    /// A channel that needs no solve: without missing samples, or without known ones, so that the missing ones keep their values.
    void addUnsolved(int channel, std::int64_t missing);
    void addSolved(int channel, std::int64_t missing, std::int64_t unknowns, solvers::SolveHistory history);
    /// Throws Error(cancelled).
    void addBiharmonic(int channel, std::int64_t missing, const solvers::CompactSystem& unknowns, solvers::SolveHistory history,
                       const RunContext& context);

    std::vector<Statistic> statistics() const;
    std::vector<RunSeries> series() const;
    std::vector<std::string> warnings() const;
    /// Deviation that a residual above the tolerance allows, where rounding errors prevented a smaller one. Biharmonic: that of any
    /// residual up to the tolerance, since it depends on the holes, and the rounding of results beyond the known samples.
    double dataTolerance() const;

private:
    void keep(int channel, std::int64_t missing, solvers::SolveHistory history);

    std::vector<std::string> channelNames_;
    FillPlan plan_;
    double largest_;
    std::int64_t filled_ = 0, unfilled_ = 0;
    double dataTolerance_ = 0;
    std::vector<solvers::SolveHistory> histories_;
    std::vector<std::string> solved_, unsolvable_;  ///< names of channels
};

/// Keys of Outcome::statistics().
std::vector<StatisticInfo> statisticInfos();

}  // namespace parallax::filling
