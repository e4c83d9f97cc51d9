// SPDX-License-Identifier: GPL-3.0-or-later
// The run that represents all runs of an entry.
#pragma once

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Index of the sample with known spans whose end-to-end time is nearest to the median; the number of samples if there is none.
std::size_t typicalSample(const RunEntry& entry);

}  // namespace parallax
