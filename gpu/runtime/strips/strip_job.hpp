// SPDX-License-Identifier: GPL-3.0-or-later
// One run in strips: the order of its tasks and their dependencies.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <span>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "gpu/runtime/event_clock.hpp"
#include "gpu/runtime/strips/milestone.hpp"
#include "gpu/runtime/strips/strip_transfer.hpp"

namespace parallax::gpu {

struct StripStreams {
    Stream &compute, &upload, &download;
};

class StripJob {
public:
    StripJob(Execution& execution, const StripPlan& plan, const StripInput& input, const StripOutput& output, std::span<StripSlot> slots,
             const StripStreams& streams, RunContext& context, EventClock& clock);

    /// Runs tasks until none is left; called by each participating thread.
    void work();
    /// Orders the streams after the allocation of the slots and starts the times.
    void begin();
    /// Adds the times of the downloads to the clock.
    void end();

private:
    using Clock = std::chrono::steady_clock;
    /// Fills or empties a piece of a strip's slot. The last piece that is filled launches the strip.
    struct Task {
        int strip;
        bool fills;
        CopyPiece piece;
    };
    struct Progress {
        std::atomic<int> toFill{0}, toEmpty{0};  // pieces
        Milestone launched, arrived, finished;
        std::size_t computed = 0;  // signal of the clock
        cudaEvent_t downloaded = nullptr;
        EventClock::Moment computeEnds;
        bool comesDown = false;
        Clock::time_point fillBegins, emptyBegins;
    };

    void makeTasks();
    void fill(const Task& task);
    void launch(int index);
    EventClock::Moment upload(int index);
    void copySharedRows(int index);
    void compute(int index, const EventClock::Moment& arrived);
    void download(int index);
    void empty(const Task& task);
    void abort();

    bool waitForSlot(int index);
    bool cutByExecution() const { return !plan_.parts.empty(); }
    /// Returns whether strips are launched in order, which is needed if the input of each holds samples of the next one. Copying threads
    /// would wait for that.
    bool inOrder() const { return cutByExecution() || !input_.copiesOnHost(); }
    /// Returns the last strip up to `index` that waits for all strips before it; 0 if there is none.
    int lastWaiting(int index) const;
    std::int64_t sharedRowsOf(int index) const { return inOrder() ? sharedRows(plan_, static_cast<std::size_t>(index)) : 0; }
    StripBoxes up(int index) const { return uploadBoxes(plan_, strip(index), sharedRowsOf(index)); }
    StripBoxes down(int index) const { return downloadBoxes(plan_, strip(index)); }
    const Strip& strip(int index) const { return plan_.strips[static_cast<std::size_t>(index)]; }
    Progress& at(int index) { return progress_[static_cast<std::size_t>(index)]; }
    int slots() const { return static_cast<int>(slots_.size()); }
    StripSlot& slotOf(int index) { return slots_[static_cast<std::size_t>(index) % slots_.size()]; }

    Execution& execution_;
    const StripPlan& plan_;
    const StripInput& input_;
    const StripOutput& output_;
    std::span<StripSlot> slots_;
    StripStreams streams_;
    RunContext& context_;
    EventClock& clock_;

    std::vector<Progress> progress_;
    std::vector<Task> tasks_;  // each depends only on tasks before it
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> aborted_{false};
    std::mutex mutex_;  // guards streams, execution and clock
    EventClock::Moment ready_, uploadEnds_, computeEnds_, downloadEnds_;
};

}  // namespace parallax::gpu
