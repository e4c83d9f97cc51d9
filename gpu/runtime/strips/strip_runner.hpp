// SPDX-License-Identifier: GPL-3.0-or-later
// Streams an image through a device in strips: while one strip is computed, the next ones are uploaded and the previous ones downloaded,
// each in its own stream. A strip has a slot with its own buffers. The host is ahead by at most as many strips as there are slots, which
// bounds the time that a cancel takes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "gpu/runtime/event_clock.hpp"
#include "gpu/runtime/strips/strip_transfer.hpp"

namespace parallax::gpu {

// Measurements: NOTES.md.
/// For page-locked memory.
inline constexpr StripLimits kPinnedStrips{
    .inFlight = 4,                              ///< one in each direction, one computing, one spare
    .largestStrip = std::uint64_t{8} << 20,     ///< results are still in the level-2 cache when they are downloaded
    .smallestStrip = std::uint64_t{512} << 10,  ///< 10 us of transfer
    .stripCost = std::uint64_t{256} << 10,      ///< about 5 us
};
/// For pageable memory, where threads wait for each other at each strip.
inline constexpr StripLimits kStagedStrips{
    .inFlight = 4, .largestStrip = std::uint64_t{8} << 20, .smallestStrip = std::uint64_t{1} << 20, .minStripCount = 12};
static_assert(kStagedStrips.inFlight == kPinnedStrips.inFlight, "a runner uses its slots for both");
/// For executions that cut their work themselves (Execution::cut), where a strip enqueues more work.
inline constexpr StripLimits kPinnedSlabs{.inFlight = 4,
                                          .largestStrip = std::uint64_t{16} << 20,
                                          .smallestStrip = std::uint64_t{512} << 10,
                                          .stripCost = std::uint64_t{400} << 10};
inline constexpr StripLimits kStagedSlabs = kStagedStrips;
inline constexpr int kStripCopyThreads = 16;  ///< most threads that copy pageable memory

class StripRunner {
public:
    /// `compute`: the stream of the executions; `memory`: an allocator ordered by it.
    StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory, int copyThreads = kStripCopyThreads,
                int slots = kPinnedStrips.inFlight);

    /// See BackendSession::runStrips(). After an exception, call drain() first.
    void run(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output, RunContext& context,
             EventClock& clock);
    /// Waits for all enqueued work.
    void drain() noexcept;
    /// Releases the memory of the slots, which must not be in use.
    void release() noexcept {
        slots_.clear();
        kept_.clear();
    }

private:
    void ensureSlots(const StripPlan& plan, const StripInput& input, const StripOutput& output);

    int device_, copyThreads_, mostSlots_;
    std::shared_ptr<Stream> compute_;
    std::shared_ptr<Allocator> memory_;
    Stream upload_, download_;
    std::vector<StripSlot> slots_;
    std::vector<Buffer> kept_;  // page-locked images of StripPlan::kept
};

}  // namespace parallax::gpu
