// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/mpi/peer.hpp"

namespace parallax {

/// This rank among those of its machine.
struct LocalRanks {
    std::vector<int> processors;  ///< the share of this rank, to which it is bound unless others use the same ones; empty if unknown
    int threads = 1;              ///< to use: the share, or that of the processor quota of the container if it is smaller
    bool oversubscribed = false;  ///< others use the same processors
    /// The next rank of the machine, in a ring; none if it is alone or in another container.
    std::optional<int> next;
    Peer nextProcess;
};

/// Finds the ranks of this machine and takes a share of its processors: launchers bind ranks to the same ones or to different ones, or to
/// none. Called by all ranks.
LocalRanks joinLocalRanks(int rank);

}  // namespace parallax
