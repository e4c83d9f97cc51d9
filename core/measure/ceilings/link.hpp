// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and bandwidth of the link between the parts of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/parallel/communicator.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {

/// Best of several batches.
struct LinkTimes {
    double latency = 0;    ///< ns of one sample from rank to rank: half of a round trip
    double bandwidth = 0;  ///< bytes / ns = GB/s of a message of kLinkBytes in one direction
    double reduction = 0;  ///< ns of allReduce() of one double over two ranks; of more, for each level of a binary tree
};
inline constexpr std::uint64_t kLinkBytes = std::uint64_t{8} << 20;

/// Measures the link between ranks 0 and 1 of a communicator in host memory, for about three times `seconds`. All of its ranks, two or
/// more, must call it; each gets the same times. Throws Error(cancelled) when the run is stopped.
LinkTimes measureLink(Communicator& communicator, double seconds);

/// The times as ceilings of this name: kThreadLink or kRankLink.
std::vector<CeilingRecord> linkCeilings(const std::string& name, const LinkTimes& times);

/// Measures the link between the first two ranks of this process's job, and reductions over all of them; nothing if there is one rank.
/// Called by rank 0; the others serve the jobs of the layer kRankLinkLayer, see serveRanks().
std::vector<CeilingRecord> measureRankLink(Ranks& ranks, double seconds, const std::stop_token& stop);
inline constexpr const char* kRankLinkLayer = "link";
void serveRankLink(std::span<const std::byte> job, Communicator& communicator);

/// Measures the link between two parts in one process, each on a thread of its own.
std::vector<CeilingRecord> measureThreadLink(double seconds, const std::stop_token& stop);

}  // namespace parallax
