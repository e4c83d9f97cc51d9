// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/energy/energy_counters.hpp"

#include <algorithm>

#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/energy/rapl.hpp"

namespace parallax {

EnergyReading readEnergyCounter(const Backend& backend, const DeviceInfo& device) {
    return isProcessor(device) ? Rapl().read() : backend.energy(device.index);
}

EnergyCounters energyCounters(const Catalog& catalog) {
    EnergyCounters counters;
    const auto addOnce = [](std::vector<std::string>& texts, const std::string& text) {
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
    };
    for (const auto& backend : catalog.backends()) {
        if (!backend->availability().yes) continue;
        for (const DeviceInfo& device : backend->devices()) {
            const EnergyReading reading = readEnergyCounter(*backend, device);
            addOnce(reading.joules ? counters.sources : counters.reasons, reading.joules ? reading.source : reading.reason);
        }
    }
    return counters;
}

}  // namespace parallax
