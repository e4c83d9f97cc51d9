// SPDX-License-Identifier: GPL-3.0-or-later
// Times of an entry as samples for statistics.
#pragma once

#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/statistics.hpp"

namespace parallax {

/// Samples that own their values and blocks.
struct BlockedSamples {
    std::vector<double> values;
    std::vector<std::size_t> blocks;
    operator Samples() const { return {values, blocks}; }
};

enum class Time { compute, endToEnd };

/// Times of all samples in order, ns.
BlockedSamples timesOf(const RunEntry& entry, Time time);

/// The run that represents all runs of an entry: index of the sample with known spans whose end-to-end time is nearest to the median; the
/// number of samples if there is none.
std::size_t typicalSample(const RunEntry& entry);

}  // namespace parallax
