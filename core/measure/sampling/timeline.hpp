// SPDX-License-Identifier: GPL-3.0-or-later
// Which run is shown when one stands for all.
#pragma once

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// The sample whose time from end to end is nearest to the median, among those that know when their stages began; the number of
/// samples if there is none.
std::size_t typicalSample(const RunEntry& entry);

}  // namespace parallax
