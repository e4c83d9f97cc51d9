// SPDX-License-Identifier: GPL-3.0-or-later
// Order and number of samples. Independent of what is measured, so that tests can simulate time.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Interleaves the samples of several candidates in random order, as Google Benchmark does, so that drift and disturbances affect all of
/// them alike. A candidate with short samples has more turns in a round, so that all are precise at about the same time: minimum count and
/// time reached, and half the 95 % interval of the median within the target noise. Sampling continues until all candidates are precise or
/// out of time, since stopping one early would favour lucky moments.
///
/// Where switching to a candidate is slow, its turn is longer than one sample: until its samples have taken as long as the switch, or as
/// its share of a block.
///
/// Rounds form about kBlocks blocks. Before each block, candidates that are cheap to prepare are prepared again: buffer placement changes
/// times by some percent for as long as the buffers stay (Mytkowicz et al., ASPLOS 2009; Kalibera and Jones, ISMM 2013).
class SamplingSchedule {
public:
    static constexpr int kMaxSamples = 10000;
    static constexpr int kBlocks = 24;
    static constexpr double kPreparingShare = 0.25;  ///< limit of the time for preparing again, relative to that of samples

    SamplingSchedule(const ProtocolRecord& protocol, std::size_t candidates);

    /// Next candidate; none when all are finished. Reproducible for the same protocol and samples.
    std::optional<std::size_t> next();
    /// Adds a sample: `value` (any unit, > 0) must become precise, `seconds` is the cost of taking it, `switching` what was spent on the
    /// switch to this candidate before.
    void add(std::size_t candidate, double value, double seconds, double switching = 0);
    /// Removes a failed candidate.
    void drop(std::size_t candidate);

    /// Begins a block if the next turn is the first of one. False for the first block.
    bool beginsBlock();
    /// Reports the time of preparing a candidate, warm-up included. The first time is not limited.
    void prepared(std::size_t candidate, double seconds);
    /// Candidates to prepare again at the beginning of this block, in random order. All of them together: one alone would get the memory
    /// back that it just released.
    const std::vector<std::size_t>& toPrepareAgain() const { return again_; }

    const std::vector<double>& values(std::size_t candidate) const { return candidates_.at(candidate).values; }
    /// Index of the first sample of each block.
    const std::vector<std::size_t>& blocks(std::size_t candidate) const { return candidates_.at(candidate).blocks; }

private:
    struct Candidate {
        std::vector<double> values;
        std::vector<std::size_t> blocks{0};
        double seconds = 0;
        double preparing = 0;       // seconds, without the first time
        double preparingOnce = -1;  // seconds of the last time; negative: never
        double credit = 0;          // turns carried over to the next rounds
        std::size_t nextLook = 0;   // number of samples at which precision is evaluated again
        bool precise = false;
        bool finished = false;
    };
    bool precise(Candidate& candidate) const;
    double samplesNeeded(const Candidate& candidate) const;
    void beginRound();
    void shuffle(std::vector<std::size_t>& order);

    ProtocolRecord protocol_;
    std::vector<Candidate> candidates_;
    std::mt19937_64 random_;
    std::vector<std::size_t> order_;
    std::size_t position_ = 0;
    std::optional<std::size_t> turn_;  // keeps its turn
    double turnSeconds_ = 0;           // for how long
    std::vector<std::size_t> again_;
    double blockSeconds_ = 0;
};

}  // namespace parallax
