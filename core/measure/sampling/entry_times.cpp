// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/entry_times.hpp"

#include <algorithm>
#include <cmath>

namespace parallax {

BlockedSamples timesOf(const RunEntry& e, Time time) {
    BlockedSamples times{{}, e.blocks};
    times.values.reserve(e.samples.size());
    for (const StageTimes& s : e.samples) times.values.push_back(static_cast<double>(time == Time::compute ? s.compute() : s.endToEnd()));
    return times;
}

std::size_t typicalSample(const RunEntry& entry) {
    const std::vector<double> times = timesOf(entry, Time::endToEnd).values;
    const double middle = median(times);
    std::size_t best = times.size();
    for (std::size_t i = 0; i < times.size(); ++i) {
        const bool known = std::any_of(kAllStages.begin(), kAllStages.end(), [&](Stage s) { return entry.samples[i].span(s).known(); });
        if (known && (best == times.size() || std::abs(times[i] - middle) < std::abs(times[best] - middle))) best = i;
    }
    return best;
}

}  // namespace parallax
