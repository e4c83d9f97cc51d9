// SPDX-License-Identifier: GPL-3.0-or-later
// Whose turn it is, and when it is enough. Knows nothing of what is measured, so that it can be tested with simulated time.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "parallax/engine/run_record.hpp"

namespace parallax {

/// Samples of several candidates, interleaved: each round visits all that are not finished, in a fresh random order, so that
/// drift and disturbances of the machine meet all of them alike (random interleaving as in Google Benchmark). A candidate that
/// needs more samples, because each is short, has more turns in a round: all of them get ready at the same time, so that none
/// is measured alone on a machine that has become warmer. A candidate is finished when its least number of samples and least time are there
/// and half the 95 % interval of its median is at most the target noise, or when its time or the most samples are used up.
class SamplingSchedule {
public:
    static constexpr int kMostSamples = 10000;

    SamplingSchedule(const ProtocolRecord& protocol, std::size_t candidates);

    /// Who is next; none when all are finished. The same protocol and the same samples give the same order.
    std::optional<std::size_t> next();
    /// A sample of a candidate: `value` (any unit, > 0) is what has to become precise, `seconds` is what taking it cost.
    void add(std::size_t candidate, double value, double seconds);
    /// The candidate failed: it has no more turns.
    void drop(std::size_t candidate);

    const std::vector<double>& values(std::size_t candidate) const { return candidates_.at(candidate).values; }

private:
    struct Candidate {
        std::vector<double> values;
        double seconds = 0;
        double credit = 0;         // turns in the coming rounds that are not given yet
        std::size_t nextLook = 0;  // number of samples at which precision is judged again
        bool finished = false;
    };
    bool enough(Candidate& candidate) const;
    double samplesNeeded(const Candidate& candidate) const;
    void beginRound();

    ProtocolRecord protocol_;
    std::vector<Candidate> candidates_;
    std::mt19937_64 random_;
    std::vector<std::size_t> order_;
    std::size_t position_ = 0;
};

}  // namespace parallax
