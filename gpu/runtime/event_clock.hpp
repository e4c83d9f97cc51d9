// SPDX-License-Identifier: GPL-3.0-or-later
// Stages timed on the device: an event before and one after, in the session's stream. Recording does not wait, so stages
// follow each other on the device without gaps for the host. Allocation and preparation are the host's work and timed there. Stages
// that overlap are timed in pieces, with events in several streams; from the first to the last they are timed by the host's clock.
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

    /// From here to endOverlapped() several streams are at work at the same time, and the calls below say when. No work of the run may
    /// be in flight at either of them.
    void beginOverlapped();
    void endOverlapped();
    /// When a stream came to a place, or a time on the host.
    struct Moment {
        std::size_t event = kNone;
        std::chrono::steady_clock::time_point host;
        static constexpr std::size_t kNone = ~std::size_t{0};
    };
    static Moment now() { return {.host = std::chrono::steady_clock::now()}; }
    /// An event in the order of a stream that says when, valid until finish(). Behind a download it keeps the next one 4 us while an upload
    /// is under way (H200), behind an upload or a kernel none that show.
    Moment mark(const Stream& stream);
    /// One that streams and the host can wait for and that does not say when: it keeps nothing. Valid until finish().
    std::size_t signal(const Stream& stream);
    /// What comes in this stream waits for the signal.
    void follow(const Stream& stream, std::size_t signal);
    cudaEvent_t handle(std::size_t signal) const { return signals_[signal].get(); }
    /// A piece of a stage, from the latest one of some moments on.
    void addPiece(Stage stage, int strip, std::initializer_list<Moment> first, Moment last);
    void addHostPiece(Stage stage, int strip, std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
        addPiece(stage, strip, {{.host = begin}}, {.host = end});
    }

    /// Events made so far: they are reused, so the number stays small.
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
    std::int64_t sinceFirstEvent(std::size_t event) const;

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
    std::vector<Event> signals_;
    std::size_t usedSignals_ = 0;
    std::vector<Piece> pieces_;
    std::int64_t wall_ = 0;
};

}  // namespace parallax::gpu
