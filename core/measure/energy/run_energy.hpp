// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "core/engine/backend/backend.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

struct MeasuredEnergy {
    EnergyRecord energy;
    std::string reason;  ///< why there is none; empty if there is
};

/// Repeats a run for `seconds` and divides the energy by their number. Counters of devices move every 20 to 100 ms only, so it begins and
/// ends when the counter moves, waits for that twice as long at most, and reads it every 10 ms at most, since reading takes energy itself.
/// Forwards the errors of `run`.
MeasuredEnergy measureEnergy(const std::function<EnergyReading()>& read, const std::function<void()>& run, double seconds,
                             const std::stop_token& stop = {});

}  // namespace parallax
