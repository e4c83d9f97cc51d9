// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of the measurement method: work with known ratios is measured like any other, and the results are compared with the truth.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {

/// Samples of a baseline and of the work compared with it, in any unit, with the same blocks.
using SamplePair = std::pair<BlockedSamples, BlockedSamples>;
/// Measures both, interleaved, for this trial; nothing if it was stopped, which ends the trials.
using MeasurePair = std::function<std::optional<SamplePair>(int trial)>;

/// One implementation against itself (A/A): FASTER and SLOWER are wrong.
struct SameWorkCheck {
    int trials = 0, same = 0, undecided = 0, faster = 0, slower = 0;
    double medianRatio = 0;  ///< second / first, of the trials
    double sameShare() const { return trials > 0 ? static_cast<double>(same) / trials : 0; }
    double rightShare() const { return trials > 0 ? static_cast<double>(same + undecided) / trials : 0; }
    bool passed() const { return trials > 0 && rightShare() >= 0.95; }
};
/// Ends as soon as less than `leastSame` of the trials can be SAME.
SameWorkCheck checkSameWork(int trials, const MeasurePair& measure, double leastSame = 0);

/// Work that is slower by a known factor.
struct SlowedCheck {
    std::string name;      ///< "5 runs against 4"
    double trueRatio = 1;  ///< slowed / baseline
    int trials = 0;
    int found = 0;           ///< trials with the verdict SLOWER
    int inside = 0;          ///< trials whose 95 % interval holds the true ratio, which is known to 0.5 %
    double medianRatio = 0;  ///< of the trials
    /// 95 % intervals miss once in twenty: of twenty, fewer than sixteen hits happen by chance once in 400 times.
    bool passed() const { return trials > 0 && found >= 0.95 * trials && inside >= 0.8 * trials; }
};
SlowedCheck checkSlowed(const std::string& name, double trueRatio, int trials, const MeasurePair& measure);

/// The strips of an overlapped run against its time from the start of the first stage to the end of the last, read from another clock.
struct PieceCheck {
    /// The first impossible time: a piece outside of the run, a stage longer than the run; empty if there is none.
    std::string wrong;
    double covered = 0;                      ///< share of the run in which a piece was active or memory was allocated
    static constexpr double kSlack = 0.01;   ///< of the run: how far a piece may lie outside
    static constexpr double kCovered = 0.9;  ///< minimum
};
/// `times` of a run that overlapped.
PieceCheck checkPieces(const StageTimes& times);

/// The reported sum of stages against a clock around the run. For overlapped runs: the time from the start of the first stage to the end of
/// the last against the run without reading the events, and the pieces against that time.
struct StageSumCheck {
    int samples = 0;
    double share = 0;                         ///< median of sum / whole
    double medianRunNs = 0;                   ///< of the clock around the run
    bool overlapped = false;                  ///< stages overlapped
    std::string wrongPieces;                  ///< PieceCheck::wrong of the first run that has one
    double covered = 0;                       ///< median of PieceCheck::covered, if overlapped
    static constexpr double kAllowed = 0.02;  ///< distance of share from 1
    bool passed() const {
        if (overlapped && (!wrongPieces.empty() || covered < PieceCheck::kCovered)) return false;
        return samples > 0 && share >= 1 - kAllowed && share <= 1 + kAllowed;
    }
};
/// `sumNs` and `wholeNs` of the same runs.
StageSumCheck checkStageSums(const std::vector<double>& sumNs, const std::vector<double>& wholeNs);

/// Overhead of the measurement, ns.
struct MeasuringOverhead {
    double timerResolution = 0;
    double clockRead = 0;   ///< one call of the steady clock
    double emptyStage = 0;  ///< reported for an empty stage: part of every stage of a host backend
    double run = 0;         ///< outside all stages of an empty run: part of no reported time
};

/// A kernel of a user, in a process of its own, against the same code in this process: that process must not change its times.
struct KernelCheckResult {
    SameWorkCheck sameWork;
    std::string compiler;  ///< of the kernel
    std::string skipped;   ///< the reason, if there was no comparison
    static constexpr double kSame = 0.95;
    /// Stricter than SameWorkCheck: trials that are UNDECIDED do not count.
    bool passed() const { return !skipped.empty() || (sameWork.trials > 0 && sameWork.sameShare() >= kSame); }
    /// Failed by noise alone: without the UNDECIDED trials it would have passed.
    bool noisy() const { return !passed() && sameWork.passed(); }
};

struct SelfCheckResult {
    std::string label;  ///< target of the A/A comparison and of the stages
    std::string input;
    SameWorkCheck sameWork;
    KernelCheckResult kernel;      ///< in C++
    KernelCheckResult cudaKernel;  ///< in CUDA, against a variant of the backend `cuda`
    std::vector<SlowedCheck> slowed;
    StageSumCheck stages;
    MeasuringOverhead overhead;
    bool complete = false;  ///< false if stopped early
    bool passed() const;
};

struct SelfCheckOptions {
    Target target;
    std::string step;       ///< as parseStep() reads it; empty: selfCheckStep()
    int trials = 200;       ///< of the A/A comparison
    int slowedTrials = 20;  ///< of each slowed work
    int kernelTrials = 50;  ///< of each kernel against the same code in this process; 0: none
    std::string cudaKernelInput = "synthetic:noise:2048x2048";
    ProtocolRecord protocol;  ///< of one trial
    std::stop_token stop;
    std::function<void(const std::string& what, double fraction)> onProgress;  ///< fraction of all, 0 to 1
};

/// The step that the check runs: the first operation that the backend offers for this input and whose work grows with a parameter, with a
/// value that gives up to 2,000 operations a sample, so that runs are long compared with their overhead. Throws Error(unavailable).
std::string selfCheckStep(const Catalog& catalog, const Target& target, const Image& input);

/// quick, with at least 30 samples and at most 0.8 s a candidate (four times that for slowed work, ten times for kernels): 200 trials take
/// one or two minutes.
ProtocolRecord selfCheckProtocol();

/// All checks on this machine, with the sampler of every other measurement. Slowed work: 5 runs of the target against 4, and a wait of
/// 2.5 ms against 2 ms. Kernels are compared whatever the target is; without a compiler, or a device, that is left out. Throws
/// Error(unavailable) if the target cannot run, and what its runs throw; a stop gives an incomplete result.
SelfCheckResult selfCheck(const Catalog& catalog, ImagePtr input, const SelfCheckOptions& options);

}  // namespace parallax
