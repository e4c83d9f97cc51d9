// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/schedule.hpp"

#include <algorithm>
#include <utility>

#include "core/measure/sampling/statistics.hpp"

namespace parallax {

SamplingSchedule::SamplingSchedule(const ProtocolRecord& protocol, std::size_t candidates)
    : protocol_(protocol), candidates_(candidates), random_(protocol.seed) {}

std::optional<std::size_t> SamplingSchedule::next() {
    if (std::all_of(candidates_.begin(), candidates_.end(), [](const Candidate& c) { return c.finished; })) return std::nullopt;
    if (turn_ && !candidates_[*turn_].finished) return turn_;
    for (;;) {
        if (position_ == order_.size()) beginRound();
        const std::size_t candidate = order_[position_++];
        if (!candidates_[candidate].finished) return candidate;
    }
}

/// Number of samples for the minimum count and time, estimated from the cost of the samples so far.
double SamplingSchedule::samplesNeeded(const Candidate& c) const {
    const double least = std::max(1, protocol_.minimumSamples);
    if (c.values.empty() || c.seconds <= 0) return least;
    const double cost = c.seconds / static_cast<double>(c.values.size());
    return std::clamp(protocol_.minimumSeconds / cost, least, static_cast<double>(kMaxSamples));
}

void SamplingSchedule::beginRound() {
    double fewest = kMaxSamples;
    for (const Candidate& c : candidates_)
        if (!c.finished) fewest = std::min(fewest, samplesNeeded(c));
    order_.clear();
    position_ = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        Candidate& c = candidates_[i];
        if (c.finished) continue;
        // Costs are unknown in the first round.
        c.credit += c.values.empty() ? 1 : samplesNeeded(c) / fewest;
        for (; c.credit >= 1; c.credit -= 1) order_.push_back(i);
    }
    shuffle(order_);
}

/// Fisher-Yates; std::shuffle differs between standard libraries.
void SamplingSchedule::shuffle(std::vector<std::size_t>& order) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random_() % k]);
}

bool SamplingSchedule::beginsBlock() {
    if (position_ != order_.size() || turn_) return false;
    const auto measured = std::count_if(candidates_.begin(), candidates_.end(), [](const Candidate& c) { return !c.finished; });
    if (measured == 0 || blockSeconds_ <= 0 || blockSeconds_ * kBlocks < protocol_.minimumSeconds * static_cast<double>(measured))
        return false;
    std::vector<std::size_t> again;
    double time = 0, preparing = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const Candidate& c = candidates_[i];
        if (c.finished || c.preparingOnce < 0 || c.preparingOnce > kPreparingShare * std::max(c.seconds, protocol_.minimumSeconds))
            continue;
        time += c.seconds;
        preparing += c.preparing + c.preparingOnce;
        again.push_back(i);
    }
    if (preparing > kPreparingShare * time) return false;
    shuffle(again);
    again_ = std::move(again);
    blockSeconds_ = 0;
    for (Candidate& c : candidates_) c.blocks.push_back(c.values.size());
    return true;
}

void SamplingSchedule::prepared(std::size_t candidate, double seconds) {
    Candidate& c = candidates_.at(candidate);
    if (c.preparingOnce >= 0) c.preparing += seconds;
    c.preparingOnce = std::max(0.0, seconds);
}

void SamplingSchedule::add(std::size_t candidate, double value, double seconds, double switching) {
    Candidate& c = candidates_.at(candidate);
    c.values.push_back(value);
    c.seconds += switching + seconds;
    blockSeconds_ += switching + seconds;
    if (turn_ != candidate) turnSeconds_ = std::min(switching, protocol_.minimumSeconds / kBlocks);
    turnSeconds_ -= seconds;
    turn_ = turnSeconds_ > 0 ? std::optional(candidate) : std::nullopt;
    c.finished = c.finished || c.seconds + c.preparing >= protocol_.maximumSeconds || c.values.size() >= kMaxSamples;
    c.precise = c.precise || precise(c);
    if (std::all_of(candidates_.begin(), candidates_.end(), [](const Candidate& one) { return one.finished || one.precise; }))
        for (Candidate& one : candidates_) one.finished = true;
}

void SamplingSchedule::drop(std::size_t candidate) { candidates_.at(candidate).finished = true; }

/// The cost of the bootstrap grows with the number of samples, so precision is evaluated each time that number has grown by a tenth.
bool SamplingSchedule::precise(Candidate& c) const {
    const std::size_t count = c.values.size();
    if (static_cast<int>(count) < protocol_.minimumSamples || c.seconds < protocol_.minimumSeconds || count < c.nextLook) return false;
    c.nextLook = count + count / 10 + 1;
    const SampleSummary s = summarise({c.values, c.blocks});
    return s.median > 0 && (s.medianInterval.high - s.medianInterval.low) / 2 <= protocol_.targetNoise * s.median;
}

}  // namespace parallax
