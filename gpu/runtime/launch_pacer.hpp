// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>

#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

/// Limits the number of launches in flight, so that a cancel never waits for hours of enqueued work.
class LaunchPacer {
public:
    /// One runs while the next one waits.
    static constexpr std::size_t kLaunchesInFlight = 2;

    explicit LaunchPacer(cudaStream_t stream) : stream_(stream) {}
    void launched() {
        if (reserve_.empty()) reserve_.emplace_back(Event::Kind::ordering);
        inFlight_.push_back(std::move(reserve_.back()));
        reserve_.pop_back();
        inFlight_.back().record(stream_);
        if (inFlight_.size() <= kLaunchesInFlight) return;
        inFlight_.front().wait();
        reserve_.push_back(std::move(inFlight_.front()));
        inFlight_.pop_front();
    }

private:
    cudaStream_t stream_;
    std::deque<Event> inFlight_, reserve_;
};

}  // namespace parallax::gpu
