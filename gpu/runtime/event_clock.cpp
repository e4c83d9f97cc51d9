// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/gpu/runtime/event_clock.hpp"

#include <cmath>
#include <utility>

#include "parallax/gpu/runtime/nvtx_range.hpp"

namespace parallax::gpu {
namespace {

std::int64_t nanoseconds(std::chrono::steady_clock::duration d) { return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count(); }

}  // namespace

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
    const auto now = Clock::now();
    if (!running_) origin_ = now;
    running_ = true;
    if (onHost(stage)) {
        hostStart_ = Clock::now();
    } else {
        if (used_ == 0) firstEvent_ = now;
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
        const auto end = Clock::now();
        hostTimes_[stage_] += nanoseconds(end - hostStart_);
        hostTimes_.extendSpan(stage_, nanoseconds(hostStart_ - origin_), nanoseconds(end - origin_));
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
    running_ = false;
    const std::size_t used = std::exchange(used_, 0);
    const std::vector<Interval> intervals = std::exchange(intervals_, {});
    StageTimes times = std::exchange(hostTimes_, {});
    if (used == 0) return times;
    const CurrentDevice current(device_);
    events_[used - 1].wait();
    for (const Interval& i : intervals) {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, events_[i.first].get(), events_[i.last].get()), "A CUDA event could not be read");
        const std::int64_t took = std::llround(static_cast<double>(milliseconds) * 1e6);
        times[i.stage] += took;
        check(cudaEventElapsedTime(&milliseconds, events_[0].get(), events_[i.first].get()), "A CUDA event could not be read");
        const std::int64_t begin = nanoseconds(firstEvent_ - origin_) + std::llround(static_cast<double>(milliseconds) * 1e6);
        times.extendSpan(i.stage, begin, begin + took);
    }
    return times;
}

}  // namespace parallax::gpu
