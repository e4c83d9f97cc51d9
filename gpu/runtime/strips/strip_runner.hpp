// SPDX-License-Identifier: GPL-3.0-or-later
// An image in strips over one device: while one strip is computed, the next ones are uploaded and the ones before are downloaded, each
// in a stream of its own. A strip has a slot with its own buffers. The host is ahead by as many strips as there are slots and then waits,
// so that a cancel does not take long.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "gpu/runtime/event_clock.hpp"
#include "gpu/runtime/strips/copy_team.hpp"
#include "gpu/runtime/strips/strip_transfer.hpp"

namespace parallax::gpu {

// Measured: NOTES.md.
/// For page-locked images.
inline constexpr StripLimits kPinnedStrips{
    .inFlight = 4,                              ///< one in each direction, one being computed, one to spare
    .largestStrip = std::uint64_t{8} << 20,     ///< its results are still in the level-2 cache when they are downloaded
    .smallestStrip = std::uint64_t{512} << 10,  ///< 10 us of a transfer
    .stripCost = std::uint64_t{256} << 10,      ///< some 5 us
};
/// For other images, where threads wait for each other at each strip.
inline constexpr StripLimits kStagedStrips{
    .inFlight = 4, .largestStrip = std::uint64_t{8} << 20, .smallestStrip = std::uint64_t{1} << 20, .minStripCount = 12};
static_assert(kStagedStrips.inFlight == kPinnedStrips.inFlight, "a runner has slots for either");
/// For executions that cut their work themselves, of which a strip has more to enqueue.
inline constexpr StripLimits kPinnedSlabs{.inFlight = 4,
                                          .largestStrip = std::uint64_t{16} << 20,
                                          .smallestStrip = std::uint64_t{512} << 10,
                                          .stripCost = std::uint64_t{400} << 10};
inline constexpr StripLimits kStagedSlabs = kStagedStrips;

class StripRunner {
public:
    /// `compute` is the stream in which executions work, `memory` the allocator in its order.
    StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory, int copyThreads = kStripCopyThreads,
                int slots = kPinnedStrips.inFlight);

    /// See BackendSession::runStrips(). After an exception, drain() comes before anything else.
    void run(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output, RunContext& context,
             EventClock& clock);
    /// Waits for everything in the streams.
    void drain() noexcept;
    /// Gives the memory of the slots back; they must not be in use.
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
