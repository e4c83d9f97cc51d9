// SPDX-License-Identifier: GPL-3.0-or-later
// What every solver takes besides the system, and what it tells about a solve.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace parallax::solvers {

struct SolveOptions {
    /// |f - A u| / |f| (2-norms, of each channel), where f has no mean if A is singular, and includes what fixed samples contribute.
    double tolerance = 1e-8;
    std::int64_t iterations = 10000;  ///< at most
};

enum class SolveEnd {
    converged,
    mostIterations,  ///< before the tolerance was reached
    stagnated,       ///< rounding errors keep the residual above the tolerance
    direct           ///< a method without iterations
};
/// Keys in records, in the order of the enumerators.
inline constexpr std::array<const char*, 4> kSolveEndNames{"converged", "iterations", "stagnated", "direct"};

/// Course of one solve. Channels that are solved together have one history; residuals are those of the channel with the largest one.
struct SolveHistory {
    struct Point {
        double residual = 0;  ///< relative, as the method knows it
        double seconds = 0;   ///< since the solve began, set-up of the method included
    };
    /// A part of the time of the solve: see RunLap.
    struct Lap {
        std::string key, label;
        std::int64_t nanoseconds = 0, count = 0;
    };
    std::vector<Point> points;  ///< points[i]: after i iterations; the first one is that of the initial guess
    SolveEnd end = SolveEnd::converged;
    double tolerance = 0;               ///< of the method; 0: it has none
    double trueResidual = 0;            ///< relative, of the double result, computed from f - A u afterwards
    std::vector<Lap> laps;              ///< in the order in which they run; empty if the method does not measure them
    std::vector<double> removedMeans;   ///< singular systems: mean of f of each channel, which no u can give; else empty
    std::vector<double> removedShares;  ///< |mean| / root mean square of f

    std::int64_t iterations() const { return points.empty() ? 0 : static_cast<std::int64_t>(points.size()) - 1; }
    bool reached(const SolveOptions& options) const { return trueResidual <= options.tolerance * kSlack; }
    /// The true residual may be a little larger than the updated one.
    static constexpr double kSlack = 1.5;
};

/// Keys of the series of a solve: its residual over iterations, and over seconds.
inline constexpr const char *kConvergence = "convergence", *kConvergenceOverTime = "convergence-time";
/// Label of the series of one of several solves, counted from 0; empty for a single one.
inline std::string labelOfSolve(int solve, int solves) { return solves > 1 ? "step " + std::to_string(solve + 1) : std::string(); }

/// Throws Error(failed): a residual that is no number, or that has grown to kDivergence times the first one.
void checkResidual(double residual, double first, std::int64_t iteration);
inline constexpr double kDivergence = 1e6;

/// Sentences for users: the tolerance was not reached, the mean of the right-hand side was removed.
std::vector<std::string> warningsOf(const SolveHistory& history, const SolveOptions& options);

/// Means that are smaller than this share of the root mean square are rounding errors of the input.
inline constexpr double kCompatibleShare = 1e-6;
/// A right-hand side that varies less than this share of its mean is constant but for the rounding of the mean: u = 0.
inline constexpr double kRoundingShare = 1e-13;

}  // namespace parallax::solvers
