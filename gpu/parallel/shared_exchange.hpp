// SPDX-License-Identifier: GPL-3.0-or-later
// Page-locked memory in which devices of several processes of one machine meet.
#pragma once

#include <memory>

#include "core/image/buffer.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax::gpu {

/// Memory of the first rank that the others map. It has no name in any file system, so that nothing is left of ranks that are killed.
class SharedExchange {
public:
    /// Called by all ranks; `device` is that of this one. Throws Error(unavailable) on a rank that cannot map the memory of the first one,
    /// since it is on another machine or in another container.
    SharedExchange(Communicator& communicator, int device);
    /// The memory of a rank, on each of them. All allocate the same for it, in the same order, and so get the same; what is released is not
    /// used again.
    std::shared_ptr<Allocator> memoryOf(int rank) const;

private:
    struct Segment;
    std::shared_ptr<Segment> segment_;
};

}  // namespace parallax::gpu
