// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/timeline.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/sampling/statistics.hpp"

namespace parallax {

std::size_t typicalSample(const RunEntry& entry) {
    std::vector<double> times;
    for (const StageTimes& s : entry.samples) times.push_back(static_cast<double>(s.endToEnd()));
    const double middle = median(times);
    std::size_t best = entry.samples.size();
    for (std::size_t i = 0; i < times.size(); ++i) {
        const bool known = std::any_of(kAllStages.begin(), kAllStages.end(), [&](Stage s) { return entry.samples[i].span(s).known(); });
        if (known && (best == times.size() || std::abs(times[i] - middle) < std::abs(times[best] - middle))) best = i;
    }
    return best;
}

}  // namespace parallax
