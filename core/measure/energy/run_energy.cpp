// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/energy/run_energy.hpp"

#include <chrono>

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

MeasuredEnergy measureEnergy(const std::function<EnergyReading()>& read, const std::function<void()>& run, double seconds,
                             const std::stop_token& stop) {
    constexpr double kBetweenReadings = 0.01;
    EnergyReading reading = read();
    MeasuredEnergy measured;
    /// Runs until the counter has moved, for at least `atLeast` seconds and twice `seconds` at most; returns the number of runs.
    const auto runUntilItMoves = [&](double atLeast) {
        const auto start = Clock::now();
        std::int64_t runs = 0;
        for (bool moved = false; reading.joules && !stop.stop_requested();) {
            for (const auto last = Clock::now(); ++runs, run(), secondsSince(last) < kBetweenReadings && !stop.stop_requested();) {}
            const double before = *reading.joules;
            reading = read();
            moved = reading.joules && *reading.joules != before;
            const double passed = secondsSince(start);
            if ((moved && passed >= atLeast) || passed >= 2 * seconds) break;
        }
        return runs;
    };
    (void)runUntilItMoves(0);
    const auto start = Clock::now();
    const double before = reading.joules.value_or(0);
    EnergyRecord& e = measured.energy;
    e.runs = runUntilItMoves(seconds);
    e.seconds = secondsSince(start);
    e.joules = reading.joules.value_or(0) - before;
    e.source = reading.source;
    if (!reading.joules) measured.reason = reading.reason;
    else if (stop.stop_requested()) measured.reason = "the measurement was cancelled";
    else if (!(e.joules > 0)) measured.reason = "the counter of " + reading.source + " did not move";
    return measured;
}

}  // namespace parallax
