// SPDX-License-Identifier: GPL-3.0-or-later
// Times stages on the device by an event before and after each, in the session's stream. Recording does not wait, so stages follow
// each other on the device without gaps. Allocation and preparation are timed on the host. Overlapping stages are timed in pieces by
// events in several streams, and their total by the host's clock.
#pragma once

#include <array>
#include <chrono>
#include <initializer_list>
#include <memory>
#include <vector>

#include "core/engine/run/stages.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

class EventClock final : public StageClock {
public:
    EventClock(int device, std::shared_ptr<Stream> stream) : device_(device), stream_(std::move(stream)) {}
    ~EventClock() override;

    void begin(Stage stage) override;
    void end() override;
    StageTimes finish() override;

    /// Between these two calls several streams work at the same time, and the functions below record when. No work of the run may be in
    /// flight at either call. A run of several steps calls them for each one; its strips are numbered through all of them.
    void beginOverlapped();
    void endOverlapped();
    /// A point in the order of a stream, or a time on the host.
    struct Moment {
        std::size_t event = kNone;
        std::chrono::steady_clock::time_point host;
        static constexpr std::size_t kNone = ~std::size_t{0};
    };
    static Moment now() { return {.host = std::chrono::steady_clock::now()}; }
    /// Records a timing event, valid until finish(). After a download it delays the next download by 4 us if an upload is in progress
    /// (H200); after an upload or a kernel there is no measurable delay.
    Moment mark(const Stream& stream);
    /// Records an event without a time, for streams and the host to wait for; it delays nothing. Valid until finish().
    std::size_t signal(const Stream& stream);
    /// Makes later work of the stream wait for the signal.
    void follow(const Stream& stream, std::size_t signal);
    cudaEvent_t handle(std::size_t signal) const { return signals_[signal].get(); }
    /// Adds a piece of a stage, which begins at the latest of `first`.
    void addPiece(Stage stage, int strip, std::initializer_list<Moment> first, Moment last);
    void addHostPiece(Stage stage, int strip, std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
        addPiece(stage, strip, {{.host = begin}}, {.host = end});
    }

    /// Number of events created so far; they are reused.
    std::size_t eventCount() const { return events_.size(); }

private:
    using Clock = std::chrono::steady_clock;
    struct Interval {
        Stage stage;
        std::size_t first, last;  // events
    };
    static bool onHost(Stage stage) { return stage == Stage::allocate || stage == Stage::prepare; }
    struct Piece {
        Stage stage;
        int strip;
        std::array<Moment, 3> first;
        Moment last;
    };
    std::size_t record(const Stream& stream);

    int device_;
    std::shared_ptr<Stream> stream_;
    std::vector<Event> events_;
    std::size_t used_ = 0;
    std::vector<Interval> intervals_;
    bool open_ = false;
    Stage stage_ = Stage::compute;
    std::size_t first_ = 0;
    Clock::time_point hostStart_;
    // Origin of the spans. The first event is recorded in an idle stream (each run ends by waiting), so its host time locates all events
    // to within the few microseconds of a launch.
    Clock::time_point origin_, firstEvent_;
    bool running_ = false;
    StageTimes hostTimes_;
    std::vector<Event> signals_;
    std::size_t usedSignals_ = 0;
    std::vector<Piece> pieces_;
    int firstStrip_ = 0;  // number of the first strip of the current step
    std::int64_t wall_ = 0;
};

}  // namespace parallax::gpu
