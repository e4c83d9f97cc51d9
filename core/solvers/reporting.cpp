// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/reporting.hpp"

#include <algorithm>

namespace parallax::solvers {
namespace {

std::string endText(SolveEnd end) {
    switch (end) {
        case SolveEnd::converged: return "converged";
        case SolveEnd::mostIterations: return "most iterations";
        case SolveEnd::stagnated: return "stagnated";
        case SolveEnd::direct: break;
    }
    return "direct";
}

}  // namespace

std::vector<RunSeriesInfo> seriesInfos() {
    const RunSeriesInfo info{.key = kConvergence,
                             .title = "Convergence",
                             .xTitle = "Iteration",
                             .yTitle = "Relative residual",
                             .xUnit = {},
                             .yUnit = {},
                             .logarithmic = true,
                             .help = "Residual after each iteration: |f - A u| / |f|, of the channel where it is largest."};
    RunSeriesInfo time = info;
    time.key = kConvergenceOverTime;
    time.title = "Convergence over time";
    time.xTitle = "Time";
    time.xUnit = "s";
    return {info, time};
}

std::vector<RunLapInfo> lapInfos() {
    return {{kLapSetUp, "Set-up",
             "Norms, the first residual, the stored matrix, the hierarchy of multigrid; on a GPU everything before the first iteration."},
            {kLapCycle, "V-cycle",
             "Smoothing, residuals and transfers of one level of multigrid; level 0 is the image itself, and with constant weights has r.z "
             "too. On a GPU the last level includes all coarser ones."},
            {kLapProduct, "Inner product", "r.z of the preconditioned residual."},
            {kLapDirection, "Direction and stencil", "p = z + beta p, A p and p.Ap in one pass over memory."},
            {kLapUpdate, "Updates and residual", "u += alpha p, r -= alpha A p and r.r in one pass over memory."},
            {kLapMatrix, "Matrix product", "A p in a pass of its own."},
            {kLapDots, "Dot products", "p.Ap and r.r in passes of their own, with the scalars that follow from them."},
            {kLapVectors, "Vector updates", "p = r + beta p, u += alpha p and r -= alpha A p in passes of their own."},
            {kLapRows, "Transforms of rows", "Cosine or sine transforms along x, and the division by the eigenvalues."},
            {kLapColumns, "Transforms of columns", "Cosine or sine transforms along the other axes."},
            {kLapReordering, "Reordering", "Copies of the samples into and out of the order that the Fourier transforms need."},
            {kLapTransforms, "Fourier transforms", "The forward and the inverse transform of the image by a library."},
            {kLapDivision, "Division", "Division of the coefficients by the eigenvalues of A."},
            {kLapEnd, "True residual",
             "f - A u after the last iteration, and the mean of singular systems; on a GPU also iterations that were enqueued ahead."}};
}

std::vector<StatisticInfo> statisticInfos() {
    return {{"iterations", "Iterations", "", "Iterations of the solver, all solves together."},
            {"residual", "True relative residual", "", "|f - A u| / |f| in double precision, computed after the last iteration."},
            {"removed-mean", "Removed mean", "", "Mean of the right-hand side that no solution can have with Neumann borders."}};
}

std::vector<RunSeries> seriesOf(const std::vector<SolveHistory>& histories, const std::vector<std::string>& labels) {
    const auto labelOf = [&](std::size_t h) {
        if (histories.size() > 1 && h < labels.size()) return labels[h];
        return labelOfSolve(static_cast<int>(h), static_cast<int>(histories.size()));
    };
    std::vector<RunSeries> all;
    for (const bool time : {false, true})
        for (std::size_t h = 0; h < histories.size(); ++h) {
            RunSeries s{.key = time ? kConvergenceOverTime : kConvergence,
                        .x = {},
                        .y = {},
                        .label = labelOf(h),
                        .end = endText(histories[h].end),
                        .tolerance = histories[h].tolerance};
            for (std::size_t i = 0; i < histories[h].points.size(); ++i) {
                s.x.push_back(time ? histories[h].points[i].seconds : static_cast<double>(i));
                s.y.push_back(histories[h].points[i].residual);
            }
            all.push_back(std::move(s));
        }
    return all;
}

std::vector<RunLap> lapsOf(const std::vector<SolveHistory>& histories) {
    std::vector<RunLap> all;
    for (const SolveHistory& h : histories)
        for (const SolveHistory::Lap& lap : h.laps) {
            const auto same =
                std::find_if(all.begin(), all.end(), [&](const RunLap& known) { return known.key == lap.key && known.label == lap.label; });
            if (same == all.end()) {
                all.push_back({lap.key, lap.label, lap.nanoseconds, lap.count});
                continue;
            }
            same->nanoseconds += lap.nanoseconds;
            same->count += lap.count;
        }
    std::erase_if(all, [](const RunLap& lap) { return lap.count == 0; });
    return all;
}

std::vector<Statistic> statisticsOf(const std::vector<SolveHistory>& histories, const std::vector<std::string>& channels) {
    if (histories.empty()) return {};
    double iterations = 0, residual = 0;
    for (const SolveHistory& h : histories) {
        iterations += static_cast<double>(h.iterations());
        residual = std::max(residual, h.trueResidual);
    }
    std::vector<Statistic> all{{"iterations", iterations, {}, {}}, {"residual", residual, {}, {}}};
    const SolveHistory& last = histories.back();
    for (std::size_t c = 0; c < last.removedShares.size(); ++c)
        if (last.removedShares[c] > kCompatibleShare)
            all.push_back({"removed-mean",
                           last.removedMeans[c],
                           channels.size() > 1 && c < channels.size() ? "Removed mean, " + channels[c] : std::string(),
                           {}});
    return all;
}

std::vector<std::string> warningsOf(const std::vector<SolveHistory>& histories, const SolveOptions& options) {
    for (const SolveHistory& h : histories)
        if (std::vector<std::string> sentences = warningsOf(h, options); !sentences.empty()) return sentences;
    return {};
}

}  // namespace parallax::solvers
