// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/solvers/solve.hpp"

namespace parallax::solvers {

/// Adds up the times of the passes of a solve: one reading of the clock for each, by the thread that starts the passes. A pass takes
/// microseconds at least, a reading some 25 ns.
class LapClock {
public:
    using Clock = std::chrono::steady_clock;

    /// Returns the index of a lap; the order of the calls is that of the laps. Keys: lapInfos() (reporting.hpp).
    std::size_t add(std::string_view key, std::string label = {}) {
        laps_.push_back({std::string(key), std::move(label), 0, 0});
        return laps_.size() - 1;
    }
    /// The time since the last call belongs to no lap.
    void skip() { last_ = Clock::now(); }
    /// The time since the last call belongs to this lap.
    void lap(std::size_t index) {
        const Clock::time_point now = Clock::now();
        laps_[index].nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
        ++laps_[index].count;
        last_ = now;
    }
    const std::vector<SolveHistory::Lap>& laps() const { return laps_; }

private:
    Clock::time_point last_ = Clock::now();
    std::vector<SolveHistory::Lap> laps_;
};

}  // namespace parallax::solvers
