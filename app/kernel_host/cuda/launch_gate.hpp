// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the device back until all work of a run is enqueued, so that no launch is in the time that events measure.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "app/kernel_host/cuda/driver.hpp"

namespace parallax::user {

class LaunchGate {
public:
    /// Needs a context.
    LaunchGate();
    ~LaunchGate();
    LaunchGate(const LaunchGate&) = delete;
    LaunchGate& operator=(const LaunchGate&) = delete;

    /// Lets the stream wait for open(). Does nothing where the driver cannot, or where a launch waits for the device, as under profilers:
    /// then the gate opened late once.
    void close(CUstream_st* stream);
    void open();

private:
    void watch();
    void store() const;

    std::uint32_t* number_ = nullptr;  // in memory of the host, which the stream reads
    std::uint32_t passed_ = 0;
    bool closed_ = false, useless_ = false, ends_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread watcher_;
};

}  // namespace parallax::user
