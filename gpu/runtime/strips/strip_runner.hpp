// SPDX-License-Identifier: GPL-3.0-or-later
// An image in strips over one device: while one strip is computed, the next ones are uploaded and the ones before are downloaded, each
// in a stream of its own. A strip has a slot with buffers of its own; the host is ahead by as many strips as there are slots and then
// waits, so that a cancel has little to wait for. Page-locked memory of the host is read and written by the device itself. Other memory
// goes through page-locked buffers of the slot, which several threads fill and empty piece by piece; so do rows that the border rule
// fills with a constant. What an execution cuts by itself goes up and comes down in the boxes that it names.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "gpu/runtime/event_clock.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

/// For page-locked images. H200, 8192 x 8192, 7 x 7: 6.06 ms in strips of 2 MiB, 5.70 of 4, 5.61 of 6, 5.59 of 8, 5.67 of 16, 5.92 of 32; a
/// copy in each direction at the same time takes 5.3. 2048 x 2048: 0.48 ms in strips of 1 MiB, 0.45 of 2, 0.47 of 4.
inline constexpr StripLimits kPinnedStrips{
    .atOnce = 4,                                ///< one in each direction, one that is computed, one to spare
    .largestStrip = std::uint64_t{8} << 20,     ///< its results are still in the level-2 cache when they are downloaded
    .smallestStrip = std::uint64_t{512} << 10,  ///< 10 us of a transfer
    .stripCost = std::uint64_t{256} << 10,      ///< some 5 us
};
/// For others, where threads wait for each other at each strip: with 16 of them 11.5 ms in strips of 4 MiB, 7.3 of 8, 8.1 of 16, 10.2 of
/// 32; in strips of 8 MiB 8.5 ms with 12 threads and 10.8 with 8 (in one go 11.8, with 8).
inline constexpr StripLimits kStagedStrips{
    .atOnce = 4, .largestStrip = std::uint64_t{8} << 20, .smallestStrip = std::uint64_t{1} << 20, .fewestStrips = 12};
static_assert(kStagedStrips.atOnce == kPinnedStrips.atOnce, "a runner has slots for either");
/// For executions that cut by themselves, of which a strip has more to enqueue. H200, dwt and idwt, db4, one level, ms: 512 x 512 x
/// 78, 1.99 and 1.95 in slabs of 4 MiB, 1.98 and 1.96 of 6, 2.01 and 1.98 of 8, 2.06 and 2.03 of 12.
inline constexpr StripLimits kPinnedSlabs{
    .atOnce = 4, .largestStrip = std::uint64_t{16} << 20, .smallestStrip = std::uint64_t{512} << 10, .stripCost = std::uint64_t{400} << 10};
inline constexpr StripLimits kStagedSlabs = kStagedStrips;
inline constexpr int kStripCopyThreads = 16;                            ///< at most
inline constexpr std::size_t kStripCopyPiece = std::size_t{256} << 10;  ///< bytes that a thread copies at a time

class StripRunner {
public:
    /// `compute` is the stream in which executions work, `memory` the allocator in its order.
    StripRunner(std::shared_ptr<Stream> compute, std::shared_ptr<Allocator> memory, int copyThreads = kStripCopyThreads,
                int slots = kPinnedStrips.atOnce);

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
    struct Slot {
        DeviceBuffer<float> input, output;
        Buffer stagedInput, stagedOutput;  // page-locked; empty where they are not needed
    };
    struct Job;
    struct Task;
    void ensureSlots(const Job& job);
    Slot& slotOf(int strip) { return slots_[static_cast<std::size_t>(strip) % slots_.size()]; }
    void work(Job& job);
    void fill(Job& job, const Task& task);
    void launch(Job& job, int strip);
    void empty(Job& job, const Task& task);

    int device_, copyThreads_, mostSlots_;
    std::shared_ptr<Stream> compute_;
    std::shared_ptr<Allocator> memory_;
    Stream upload_, download_;
    std::vector<Slot> slots_;
    std::vector<Buffer> kept_;  // page-locked images of StripPlan::kept
};

}  // namespace parallax::gpu
