// SPDX-License-Identifier: GPL-3.0-or-later
// Whose turn it is, and when it is enough. Knows nothing of what is measured, so that it can be tested with simulated time.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Samples of several candidates, interleaved: each round visits all that are not finished, in a fresh random order, so that
/// drift and disturbances of the machine meet all of them alike (random interleaving as in Google Benchmark). A candidate that
/// needs more samples, because each is short, has more turns in a round: all of them get ready at the same time, so that none
/// is measured alone on a machine that has become warmer. A candidate is precise when its least number of samples and least time are there
/// and half the 95 % interval of its median is at most the target noise. It goes on until all are, or until its time or the most samples
/// are used up: who stopped in a bad moment would be compared with who saw better ones.
///
/// Rounds are gathered in blocks, about kBlocks of them in the least time. At the beginning of each, candidates are prepared again, as far
/// as that is cheap: where buffers happen to lie makes the same code some percent faster or slower for as long as they lie there (Mytkowicz
/// et al., Producing Wrong Data Without Doing Anything Obviously Wrong, ASPLOS 2009), which no number of samples shows (Kalibera and Jones,
/// Rigorous Benchmarking in Reasonable Time, ISMM 2013).
class SamplingSchedule {
public:
    static constexpr int kMostSamples = 10000;
    static constexpr int kBlocks = 24;
    static constexpr double kPreparingShare = 0.25;  ///< of the time of samples, at most, for preparing again

    SamplingSchedule(const ProtocolRecord& protocol, std::size_t candidates);

    /// Who is next; none when all are finished. The same protocol and the same samples give the same order.
    std::optional<std::size_t> next();
    /// A sample of a candidate: `value` (any unit, > 0) is what has to become precise, `seconds` is what taking it cost.
    void add(std::size_t candidate, double value, double seconds);
    /// The candidate failed: it has no more turns.
    void drop(std::size_t candidate);

    /// Whether the next turn is the first of another block; then it begins with this call. False for the first block.
    bool beginsBlock();
    /// What preparing a candidate took, with the runs until it was warm. The first time does not count against its share.
    void prepared(std::size_t candidate, double seconds);
    /// Who is prepared again at the beginning of this block, in a random order: all for whom it is cheap, together, since one alone is
    /// given back the memory that it just gave away. A block does not begin before the time of their samples allows for it.
    const std::vector<std::size_t>& toPrepareAgain() const { return again_; }

    const std::vector<double>& values(std::size_t candidate) const { return candidates_.at(candidate).values; }
    /// Of each block, the index of the first of its samples.
    const std::vector<std::size_t>& blocks(std::size_t candidate) const { return candidates_.at(candidate).blocks; }

private:
    struct Candidate {
        std::vector<double> values;
        std::vector<std::size_t> blocks{0};
        double seconds = 0;
        double preparing = 0;       // seconds, after the first time
        double preparingOnce = -1;  // in the last time; less than 0: not yet
        double credit = 0;          // turns in the coming rounds that are not given yet
        std::size_t nextLook = 0;   // number of samples at which precision is judged again
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
    std::vector<std::size_t> again_;
    double blockSeconds_ = 0;
};

}  // namespace parallax
