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
inline BlockedSamples timesOf(const RunEntry& e, Time time) {
    BlockedSamples times{{}, e.blocks};
    times.values.reserve(e.samples.size());
    for (const StageTimes& s : e.samples) times.values.push_back(static_cast<double>(time == Time::compute ? s.compute() : s.endToEnd()));
    return times;
}

}  // namespace parallax
