// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the threads of one launch.
#pragma once

#include <functional>
#include <string>

#include "emulated_device/kernel.hpp"
#include "emulated_device/launch.hpp"

namespace emulatedDevice {

/// Random numbers of one purpose; the seed is PARALLAX_EMULATED_SEED or 1.
class Dice {
public:
    explicit Dice(std::uint64_t purpose);
    std::uint64_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }
    /// 0 .. n - 1.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() >> 11) % n; }
    bool one(std::size_t of) { return below(of) == 0; }

private:
    std::uint64_t state_;
};

/// Fills with garbage, of another kind each time: NaN and -1, or large numbers, or what looks like earlier results.
void fillWithGarbage(void* p, std::size_t bytes, Dice& dice);

/// Calls `thread` for each thread of each block. Returns what went wrong, or an empty text. Not to be called by two threads at a time.
std::string runLaunch(const Configuration& configuration, const char* name, std::size_t sharedLimit, const std::function<void()>& thread);

}  // namespace emulatedDevice
