// SPDX-License-Identifier: GPL-3.0-or-later
// An image in strips over one device: while one strip is computed, the next ones are uploaded and the ones before are downloaded, each
// in a stream of its own. A strip has a slot with buffers of its own; the host is ahead by as many strips as there are slots and then
// waits, so that a cancel has little to wait for. Page-locked memory of the host is read and written by the device itself. Other memory
// goes through page-locked buffers of the slot, filled and emptied by the threads of the StagingEngine; so do rows that the border
// rule makes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "parallax/engine/implementation.hpp"
#include "parallax/gpu/runtime/device_buffer.hpp"
#include "parallax/gpu/runtime/event_clock.hpp"
#include "parallax/gpu/runtime/stream.hpp"

namespace parallax::gpu {

/// What strips of which size cost is measured by bench_gpu_overlap.
inline constexpr StripLimits kStripLimits{
    .slots = 4,                                 ///< one in each direction, one that is computed, one that is filled by the host
    .largestStrip = std::uint64_t{8} << 20,     ///< its results are still in the level-2 cache when they are downloaded
    .smallestStrip = std::uint64_t{512} << 10,  ///< 10 us of a transfer, which costs about as much to start
    .fewestStrips = 16,                         ///< the first upload and the last download overlap with nothing
};

class StripRunner {
public:
    /// `compute` is the stream in which executions work, `memory` the allocator in its order.
    StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory);

    /// See BackendSession::runStrips(). After an exception, drain() comes before anything else.
    void run(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output, RunContext& context,
             EventClock& clock);
    /// Waits for everything in the own streams.
    void drain() noexcept;
    /// Gives the memory of the slots back; they must not be in use.
    void release() noexcept { slots_.clear(); }

private:
    struct Slot {
        DeviceBuffer<float> input, output;
        Buffer stagedInput, stagedOutput;  // page-locked; empty where they are not needed
        int strip = -1;                    // that is at work; -1: none
        std::size_t downloaded = 0;        // event of the clock
    };
    struct Job;
    void ensureSlots(const Job& job);
    void start(const Job& job, int index, Slot& slot);
    void finish(const Job& job, Slot& slot);

    int device_;
    std::shared_ptr<Stream> compute_;
    std::shared_ptr<Allocator> memory_;
    Stream upload_, download_;
    std::vector<Slot> slots_;
};

}  // namespace parallax::gpu
