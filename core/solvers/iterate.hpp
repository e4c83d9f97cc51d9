// SPDX-License-Identifier: GPL-3.0-or-later
// The loop around an iterative method in host memory: history, restarts and the reason for the end.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"

namespace parallax::solvers {

/// Iterates all channels until each has reached the tolerance. A Channel has residual() (relative), iterate(), restart() (makes the
/// residual the true one again), finish(), isSingular(), removedMean() and removedShare().
template <class Channel>
SolveHistory iterateChannels(std::vector<std::unique_ptr<Channel>>& channels, const SolveOptions& options,
                             std::chrono::steady_clock::time_point start, SolveProgress& progress) {
    SolveHistory history;
    history.tolerance = options.tolerance;
    const auto largest = [&] {
        double residual = 0;
        for (const auto& channel : channels) residual = !(channel->residual() <= residual) ? channel->residual() : residual;  // NaN stays
        return residual;
    };
    const auto note = [&] {
        const double residual = largest();
        history.points.push_back({residual, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
        checkResidual(residual, history.points.front().residual, history.iterations());
        progress.update(history.iterations(), history.points.back(), history.points.front().residual, options.tolerance);
    };
    note();
    for (double before = largest();;) {
        while (largest() > options.tolerance && history.iterations() < options.iterations) {
            for (const auto& channel : channels)
                if (channel->residual() > options.tolerance) channel->iterate();
            note();
        }
        // Rounding errors of the updates add up: the true residual decides. The iteration starts again from it while it still falls.
        for (const auto& channel : channels) channel->restart();
        history.trueResidual = largest();
        if (history.trueResidual <= options.tolerance) break;
        if (history.iterations() >= options.iterations) history.end = SolveEnd::mostIterations;
        else if (history.trueResidual > before / 2) history.end = SolveEnd::stagnated;
        if (history.end != SolveEnd::converged) break;
        before = history.trueResidual;
    }
    for (const auto& channel : channels) {
        channel->finish();
        if (!channel->isSingular()) continue;
        history.removedMeans.push_back(channel->removedMean());
        history.removedShares.push_back(channel->removedShare());
    }
    progress.finishSolve();
    return history;
}

}  // namespace parallax::solvers
