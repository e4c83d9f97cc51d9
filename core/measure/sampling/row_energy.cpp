// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/image/error.hpp"
#include "core/measure/energy/rapl.hpp"
#include "core/measure/energy/run_energy.hpp"
#include "core/measure/sampling/measurement.hpp"

namespace parallax {
namespace {

/// Energy of the devices of a row, else of the CPU.
EnergyReading readEnergy(const Measurement& m, std::size_t row, Rapl& rapl) {
    const std::set<int> devices = m.devicesOf(row);
    if (devices.empty()) return rapl.read();
    EnergyReading sum{0, {}, {}};
    for (const int device : devices) {
        const EnergyReading one = m.backendOf(row).energy(device);
        if (!one.joules) return one;
        *sum.joules += *one.joules;
        sum.source = one.source;
    }
    return sum;
}

MeasuredEnergy energyOf(Measurement& m, std::size_t row, Rapl& rapl) {
    constexpr double kSeconds = 0.5;
    MeasuredEnergy measured;
    if (m.onRanks(row)) {
        measured.reason = "ranks are other processes, perhaps on other machines";
        return measured;
    }
    try {
        measured = measureEnergy([&] { return readEnergy(m, row, rapl); }, [&] { (void)m.runs[row]->run(m.context); },
                                 std::min(kSeconds, m.record.protocol.maximumSeconds), m.options.stop);
    } catch (const Error& e) {
        measured.reason = e.what();
    }
    return measured;
}

}  // namespace

void measureEnergies(Measurement& m) {
    if (!m.options.energy) return;
    Rapl rapl;
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
        if (!m.active(i)) continue;
        const MeasuredEnergy measured = energyOf(m, i, rapl);
        RunEntry& entry = m.record.entries[i];
        if (measured.energy.runs > 0 && measured.reason.empty()) entry.energy = measured.energy;
        else entry.warnings.push_back("energy: not available: " + measured.reason);
    }
}

}  // namespace parallax
