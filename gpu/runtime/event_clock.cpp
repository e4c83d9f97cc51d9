// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/runtime/event_clock.hpp"

#include <cmath>
#include <utility>

#include "parallax/gpu/runtime/nvtx_range.hpp"

namespace parallax::gpu {

EventClock::~EventClock() {
    const CurrentDevice current(device_, std::nothrow);
    events_.clear();
}

std::size_t EventClock::record() {
    const CurrentDevice current(device_);
    if (used_ == events_.size()) events_.emplace_back(Event::Kind::timing);
    events_[used_].record(stream_->get());
    return used_++;
}

void EventClock::begin(Stage stage) {
    stage_ = stage;
    if (onHost(stage)) {
        hostStart_ = Clock::now();
    } else {
        first_ = record();
    }
    open_ = true;
    nvtxRangePushA(stageName(stage).data());
}

void EventClock::end() {
    if (!open_) return;
    open_ = false;
    nvtxRangePop();
    if (onHost(stage_)) {
        hostTimes_[stage_] += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - hostStart_).count();
    } else {
        const std::size_t last = record();
        intervals_.push_back({stage_, first_, last});
    }
}

StageTimes EventClock::finish() {
    // Also called after a stage broke off: what was measured is then incomplete, but the clock must be ready again.
    if (open_) {
        open_ = false;
        nvtxRangePop();
    }
    const std::size_t used = std::exchange(used_, 0);
    const std::vector<Interval> intervals = std::exchange(intervals_, {});
    StageTimes times = std::exchange(hostTimes_, {});
    if (used == 0) return times;
    const CurrentDevice current(device_);
    events_[used - 1].wait();
    for (const Interval& i : intervals) {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, events_[i.first].get(), events_[i.last].get()), "A CUDA event could not be read");
        times[i.stage] += std::llround(static_cast<double>(milliseconds) * 1e6);
    }
    return times;
}

}  // namespace parallax::gpu
