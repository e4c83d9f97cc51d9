// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/event_clock.hpp"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace parallax::gpu {
namespace {

std::int64_t nanoseconds(std::chrono::steady_clock::duration d) { return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count(); }

std::int64_t nanosecondsBetween(const Event& first, const Event& last) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, first.get(), last.get()), "A CUDA event could not be read");
    return std::llround(static_cast<double>(milliseconds) * 1e6);
}

}  // namespace

EventClock::~EventClock() {
    const CurrentDevice current(device_, std::nothrow);
    events_.clear();
    signals_.clear();
}

std::size_t EventClock::record(const Stream& stream) {
    const CurrentDevice current(device_);
    if (used_ == events_.size()) events_.emplace_back(Event::Kind::timing);
    events_[used_].record(stream.get());
    return used_++;
}

EventClock::Moment EventClock::mark(const Stream& stream) {
    if (used_ == 0) firstEvent_ = Clock::now();
    return {.event = record(stream)};
}

std::size_t EventClock::signal(const Stream& stream) {
    if (usedSignals_ == signals_.size()) signals_.emplace_back(Event::Kind::ordering);
    signals_[usedSignals_].record(stream.get());
    return usedSignals_++;
}

void EventClock::follow(const Stream& stream, std::size_t signal) {
    check(cudaStreamWaitEvent(stream.get(), handle(signal)), "A CUDA stream could not wait for another one");
}

void EventClock::addPiece(Stage stage, int strip, std::initializer_list<Moment> first, Moment last) {
    Piece piece{stage, firstStrip_ + strip, {}, last};
    piece.first.fill(*first.begin());
    std::copy(first.begin(), first.end(), piece.first.begin());
    pieces_.push_back(piece);
}

void EventClock::beginOverlapped() {
    firstStrip_ = 0;
    for (const Piece& p : pieces_) firstStrip_ = std::max(firstStrip_, p.strip + 1);
    if (!running_) origin_ = Clock::now();
    running_ = true;
}

void EventClock::endOverlapped() { wall_ = std::max<std::int64_t>(1, nanoseconds(Clock::now() - origin_)); }

void EventClock::begin(Stage stage) {
    stage_ = stage;
    const auto now = Clock::now();
    if (!running_) origin_ = now;
    running_ = true;
    if (onHost(stage)) {
        hostStart_ = Clock::now();
    } else {
        if (used_ == 0) firstEvent_ = now;
        first_ = record(*stream_);
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
        intervals_.push_back({stage_, first_, record(*stream_)});
    }
}

StageTimes EventClock::finish() {
    // Also called after an aborted stage: the times are then incomplete, but the clock must be reusable.
    if (open_) {
        open_ = false;
        nvtxRangePop();
    }
    running_ = false;
    const std::size_t used = std::exchange(used_, 0);
    const std::vector<Interval> intervals = std::exchange(intervals_, {});
    const std::vector<Piece> moments = std::exchange(pieces_, {});
    usedSignals_ = 0;
    StageTimes times = std::exchange(hostTimes_, {});
    times.setOrigin(nanoseconds(origin_.time_since_epoch()));
    const std::int64_t wall = std::exchange(wall_, 0);
    if (used == 0) return times;
    const CurrentDevice current(device_);
    events_[used - 1].wait();
    const auto done = Clock::now();
    const std::int64_t first = nanoseconds(firstEvent_ - origin_);
    for (const Interval& i : intervals) {
        const std::int64_t took = nanosecondsBetween(events_[i.first], events_[i.last]);
        times[i.stage] += took;
        const std::int64_t begin = first + nanosecondsBetween(events_[0], events_[i.first]);
        times.extendSpan(i.stage, begin, begin + took);
    }
    if (wall == 0) return times;  // nothing overlapped, or the run was aborted
    const auto at = [&](const Moment& m) {
        return m.event == Moment::kNone ? nanoseconds(m.host - origin_) : first + nanosecondsBetween(events_[0], events_[m.event]);
    };
    std::vector<StageTimes::Piece> pieces;
    for (const Piece& p : moments) {
        const std::int64_t begin = std::max({at(p.first[0]), at(p.first[1]), at(p.first[2])});
        // Host and device times agree to within a few microseconds.
        pieces.push_back({p.stage, p.strip, {begin, std::max(begin + 1, at(p.last))}});
    }
    times.setPieces(std::move(pieces));
    times.setOverlapped(wall, nanoseconds(Clock::now() - done));
    return times;
}

}  // namespace parallax::gpu
