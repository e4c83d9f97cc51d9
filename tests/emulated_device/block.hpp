// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the threads of one launch.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "emulated_device/kernel.hpp"
#include "emulated_device/launch.hpp"

namespace emulatedDevice {

/// Random numbers for one purpose; the seed is PARALLAX_EMULATED_SEED or 1.
class Dice {
public:
    explicit Dice(std::uint64_t purpose);
    std::uint64_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }
    /// Returns 0 .. n - 1.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() >> 11) % n; }
    bool one(std::size_t of) { return below(of) == 0; }

private:
    std::uint64_t state_;
};

/// Fills with varying garbage: NaN and -1, large numbers, or plausible results.
void fillWithGarbage(void* p, std::size_t bytes, Dice& dice);

/// The work of one operation, which ends or pauses: kernels that wait for memory pause it. One task runs at a time.
class Task {
public:
    Task();
    ~Task();
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    /// `work` must exist until the task has ended.
    void begin(const std::function<void()>& work);
    /// Runs until the work ends (true) or pauses.
    bool resume();
    /// Drops the rest of the work.
    void abandon();

    struct Parts;

private:
    std::unique_ptr<Parts> parts_;
};

/// Called around each part of a kernel that runs: which device runs it. leaveKernel() returns that.
void enterKernel(int device);
int leaveKernel();

/// failKernel() in two steps, since nothing on the stack is destroyed after the second one.
void noteFailure(const std::string& what);
[[noreturn]] void abandonKernel();

/// Calls `thread` for each thread of each block. Returns the first error, or an empty text. To be called in a task.
std::string runLaunch(const Configuration& configuration, const char* name, std::size_t sharedLimit, const std::function<void()>& thread);

}  // namespace emulatedDevice
