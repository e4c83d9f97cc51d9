// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "core/engine/backend/catalog.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {

/// The work of a rank other than the first: does its part of the runs that rank 0 orders, until rank 0 dismisses it. Errors of runs are
/// those of rank 0.
void serveRanks(const Catalog& catalog, Ranks& ranks);

}  // namespace parallax
