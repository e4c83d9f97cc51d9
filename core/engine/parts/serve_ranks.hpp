// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "core/engine/backend/catalog.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {

/// Work of other layers (RankOrder::Kind::job) by the name of the layer.
using RankJobs = std::map<std::string, std::function<void(std::span<const std::byte> job, Communicator&)>>;

/// The work of a rank other than the first: does its part of the runs that rank 0 orders, until rank 0 dismisses it. Errors of runs are
/// those of rank 0.
void serveRanks(const Catalog& catalog, Ranks& ranks, const RankJobs& jobs = {});

}  // namespace parallax
