// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/measure/trust.hpp"

#include <cmath>
#include <fstream>

#include "parallax/engine/build_info.hpp"
#include "parallax/measure/statistics.hpp"

namespace parallax {
namespace {

std::string percent(double fraction) {
    const auto tenths = std::lround(std::fabs(fraction) * 1000);
    return (fraction < 0 ? "-" : "") + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

}  // namespace

std::vector<std::string> doubtsAboutMachine(const MachineRecord& machine) {
    std::vector<std::string> doubts;
    if (!buildInfo().optimised()) doubts.emplace_back("This is not an optimised build: times mean nothing. Build the release preset");
    if (!machine.governor.empty() && machine.governor != "performance")
        doubts.push_back("The processor's governor is '" + machine.governor + "': clocks change while measuring. Set it to 'performance'");
    std::ifstream file("/proc/loadavg");
    double load = 0;
    if (file >> load && load > 0.5 * machine.hardwareThreads + 1)
        doubts.push_back("Other programs keep the machine busy (load " + std::to_string(static_cast<int>(std::lround(load))) + " on " +
                         std::to_string(machine.hardwareThreads) + " hardware threads). Close them");
    return doubts;
}

std::vector<std::string> doubtsAboutEntry(const RunEntry& entry, const ProtocolRecord& protocol) {
    std::vector<std::string> doubts;
    if (entry.status != RunStatus::done) return doubts;
    if (static_cast<int>(entry.samples.size()) < protocol.minimumSamples)
        doubts.push_back("Only " + std::to_string(entry.samples.size()) + " of at least " + std::to_string(protocol.minimumSamples) +
                         " samples were taken before the time limit");
    std::vector<double> compute;
    for (const auto& s : entry.samples) compute.push_back(static_cast<double>(s.compute()));
    const SampleSummary s = summarise(compute);
    if (s.median <= 0) return doubts;
    const double halfWidth = (s.medianInterval.high - s.medianInterval.low) / 2 / s.median;
    if (halfWidth > 2 * protocol.targetNoise)
        doubts.push_back("The median is known to +-" + percent(halfWidth) + " only: the machine is noisy or more samples are needed");
    if (compute.size() >= 12) {
        // The first against the last third: throttling or warming up.
        const std::size_t third = compute.size() / 3;
        const std::span<const double> all(compute);
        const double change = median(all.last(third)) / median(all.first(third)) - 1;
        if (std::fabs(change) > 0.1)
            doubts.push_back("Times changed by " + percent(change) + " between the first and the last samples: clocks may have changed");
    }
    return doubts;
}

}  // namespace parallax
