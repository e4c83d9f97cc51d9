// SPDX-License-Identifier: GPL-3.0-or-later
// Does the measuring measure? Known truths are measured like any work, and what comes out is held against them.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {

/// Samples of a baseline and of the work that is compared with it, any unit, with the same blocks of time.
using SamplePair = std::pair<BlockedSamples, BlockedSamples>;
/// Measures both once, interleaved, for the trial with this number.
using MeasurePair = std::function<SamplePair(int trial)>;

/// One implementation against itself (A/A): a difference that is found is a false one.
struct SameWorkCheck {
    int trials = 0, same = 0, undecided = 0, faster = 0, slower = 0;
    double rightShare() const { return trials > 0 ? static_cast<double>(same + undecided) / trials : 0; }
    bool passed() const { return trials > 0 && rightShare() >= 0.95; }
};
SameWorkCheck checkSameWork(int trials, const MeasurePair& measure);

/// Work that is slower by a factor that is known.
struct SlowedCheck {
    std::string name;      ///< "five times the work instead of four"
    double trueRatio = 1;  ///< slowed / baseline
    int trials = 0;
    int found = 0;           ///< trials with the verdict SLOWER
    int inside = 0;          ///< trials whose 95 % interval holds the true ratio, which itself is known to 0.5 % only
    double medianRatio = 0;  ///< of the trials
    /// Each 95 % interval may miss once in twenty: of twenty, fewer than sixteen hits would come by chance once in 400 times.
    bool passed() const { return trials > 0 && found >= 0.95 * trials && inside >= 0.8 * trials; }
};
SlowedCheck checkSlowed(const std::string& name, double trueRatio, int trials, const MeasurePair& measure);

/// What the pieces of a run whose stages overlap say of the time from the beginning of its first stage to the end of its last. Both are
/// read from different clocks.
struct PieceCheck {
    /// The first thing that cannot be: a piece that lies outside of that time, a stage that took longer; empty if there is none.
    std::string wrong;
    double covered = 0;                      ///< share of the time at which a piece was at work, or memory was allocated
    static constexpr double kSlack = 0.01;   ///< of the time: how far a piece may lie outside
    static constexpr double kCovered = 0.9;  ///< at least
};
/// `times` of a run that overlapped.
PieceCheck checkPieces(const StageTimes& times);

/// The sum of a run's stages, as reported, against a clock around the whole run. Where stages overlap there is no such sum: then the time
/// from the beginning of the first to the end of the last takes its place, against the run without the reading of events that follows,
/// and the pieces are held against it.
struct StageSumCheck {
    int samples = 0;
    double share = 0;                         ///< median of sum / whole
    double medianRunNs = 0;                   ///< of the whole
    bool overlapped = false;                  ///< stages were at work at the same time
    std::string wrongPieces;                  ///< PieceCheck::wrong of the first run that had one
    double covered = 0;                       ///< median of PieceCheck::covered; where stages overlapped
    static constexpr double kAllowed = 0.02;  ///< distance of share from 1
    bool passed() const {
        if (overlapped && (!wrongPieces.empty() || covered < PieceCheck::kCovered)) return false;
        return samples > 0 && share >= 1 - kAllowed && share <= 1 + kAllowed;
    }
};
/// `sumNs` and `wholeNs` of the same runs.
StageSumCheck checkStageSums(const std::vector<double>& sumNs, const std::vector<double>& wholeNs);

/// What measuring itself costs, ns.
struct MeasuringOverhead {
    double timerResolution = 0;
    double clockRead = 0;   ///< one call of the steady clock
    double emptyStage = 0;  ///< reported for a stage in which nothing happens: added to every stage of a host backend
    double run = 0;         ///< of an empty computation, spent outside all stages: in no number that is reported
};

struct SelfCheckResult {
    std::string label;  ///< target of same work and stages
    std::string input;
    SameWorkCheck sameWork;
    std::vector<SlowedCheck> slowed;
    StageSumCheck stages;
    MeasuringOverhead overhead;
    bool complete = false;  ///< not stopped before the end
    bool passed() const;
};

struct SelfCheckOptions {
    Target target;
    std::string operation = "convolve:kernel=gaussian,size=31";
    int trials = 200;         ///< of the same work
    int slowedTrials = 20;    ///< of each slowed one
    ProtocolRecord protocol;  ///< of one trial
    std::stop_token stop;
    std::function<void(const std::string& what, double fraction)> onProgress;  ///< fraction of all, 0 to 1
};

/// quick, with at least 30 samples, at most 0.8 s a candidate (four times that for slowed work): 200 trials end in a minute or two.
ProtocolRecord selfCheckProtocol();

/// All checks, on this machine, with the code that measures everything else. Slowed implementations: the target's own, run five
/// times in place of four; and a wait of 2.5 ms against one of 2 ms. Throws Error(unavailable) when the target cannot run, and
/// what its runs throw; a stop gives what is done, not complete.
SelfCheckResult selfCheck(const Catalog& catalog, ImagePtr input, const SelfCheckOptions& options);

}  // namespace parallax
