// SPDX-License-Identifier: GPL-3.0-or-later
// The energy counters of this machine: RAPL for processors, those of the backends for other devices.
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"

namespace parallax {

/// Reads the counter of a device of a backend.
EnergyReading readEnergyCounter(const Backend& backend, const DeviceInfo& device);

struct EnergyCounters {
    std::vector<std::string> sources;  ///< "RAPL (package-0)", each once
    std::vector<std::string> reasons;  ///< of the devices without a counter, each once
};
/// Asks the devices of all available backends. Takes a fraction of a second where a library of a device is loaded first.
EnergyCounters energyCounters(const Catalog& catalog);

}  // namespace parallax
