// SPDX-License-Identifier: GPL-3.0-or-later
// The history of a solve as series, statistics and warnings: the same for every operation and every backend.
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/solvers/solve.hpp"

namespace parallax::solvers {

/// "convergence" (residual over iterations) and "convergence-time" (over seconds).
std::vector<RunSeriesInfo> seriesInfos();
/// Parts of the time of a solve, by the keys below.
std::vector<RunLapInfo> lapInfos();
inline constexpr const char *kLapSetUp = "set-up", *kLapCycle = "v-cycle", *kLapProduct = "inner-product", *kLapDirection = "direction",
                            *kLapUpdate = "update", *kLapRows = "rows", *kLapColumns = "columns", *kLapEnd = "end";
/// Of methods with a kernel for each operation, and of transforms by a library.
inline constexpr const char *kLapMatrix = "matrix-product", *kLapDots = "dot-products", *kLapVectors = "vector-updates",
                            *kLapReordering = "reordering", *kLapTransforms = "transforms", *kLapDivision = "division";
/// "iterations", "residual", "removed-mean".
std::vector<StatisticInfo> statisticInfos();

/// One history for each solve of a run; several are labelled, or numbered if there are no labels.
std::vector<RunSeries> seriesOf(const std::vector<SolveHistory>& histories, const std::vector<std::string>& labels = {});
/// The laps of all solves together.
std::vector<RunLap> lapsOf(const std::vector<SolveHistory>& histories);
/// `channels`: names of the solved ones.
std::vector<Statistic> statisticsOf(const std::vector<SolveHistory>& histories, const std::vector<std::string>& channels);
std::vector<std::string> warningsOf(const std::vector<SolveHistory>& histories, const SolveOptions& options);

}  // namespace parallax::solvers
