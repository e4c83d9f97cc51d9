// SPDX-License-Identifier: GPL-3.0-or-later
// Stages timed on the device: an event before and one after, in the session's stream. Recording does not wait, so stages
// follow each other on the device without gaps for the host. Allocation and preparation are the host's work and timed there.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "parallax/engine/stages.hpp"
#include "parallax/gpu/runtime/stream.hpp"

namespace parallax::gpu {

class EventClock final : public StageClock {
public:
    EventClock(int device, std::shared_ptr<Stream> stream) : device_(device), stream_(std::move(stream)) {}
    ~EventClock() override;

    void begin(Stage stage) override;
    void end() override;
    StageTimes finish() override;

    /// Events made so far: they are reused, so the number stays small.
    std::size_t eventCount() const { return events_.size(); }

private:
    using Clock = std::chrono::steady_clock;
    struct Interval {
        Stage stage;
        std::size_t first, last;  // events
    };
    static bool onHost(Stage stage) { return stage == Stage::allocate || stage == Stage::prepare; }
    std::size_t record();

    int device_;
    std::shared_ptr<Stream> stream_;
    std::vector<Event> events_;
    std::size_t used_ = 0;
    std::vector<Interval> intervals_;
    bool open_ = false;
    Stage stage_ = Stage::compute;
    std::size_t first_ = 0;
    Clock::time_point hostStart_;
    // Where the spans begin. The first event is recorded in a stream with nothing in it (each run ends by waiting), so that
    // its time on the host places all of them to within the few microseconds of a launch.
    Clock::time_point origin_, firstEvent_;
    bool running_ = false;
    StageTimes hostTimes_;
};

}  // namespace parallax::gpu
