// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "app/cli/console.hpp"
#include "core/engine/run/progress.hpp"

namespace parallax::cli {

/// Prints the progress ten times a second from a thread of its own.
class ProgressDisplay {
public:
    ProgressDisplay(const Progress& progress, const std::string& what)
        : thread_([&progress, what](const std::stop_token& stop) {
              std::mutex mutex;
              std::condition_variable_any stopped;
              std::unique_lock lock(mutex);
              // Wakes as soon as the run is done, so that a short run takes no longer.
              while (!stopped.wait_for(lock, stop, std::chrono::milliseconds(100), [&] { return stop.stop_requested(); }))
                  printProgress(fmt::format("{} {:.0f} %", what, 100 * progress.fraction()));
          }) {}
    ~ProgressDisplay() {
        thread_.request_stop();
        thread_.join();
        endProgress();
    }
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

private:
    std::jthread thread_;
};

}  // namespace parallax::cli
