// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/processors/quiet_processors.hpp"

#include <fstream>
#include <string>
#include <thread>

namespace parallax {

int runningThreads() {
    // The fourth field, as in "0.20 0.18 0.12 1/80 11206".
    std::ifstream file("/proc/loadavg");
    std::string averages[3];
    int running = 0;
    return file >> averages[0] >> averages[1] >> averages[2] >> running ? running : 0;
}

void QuietProcessors::wait(const std::stop_token& stop) {
    if (inVain_ == kInVain) return;
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (running_() > 1) {
        if (stop.stop_requested()) return;
        if (std::chrono::steady_clock::now() > end) {
            ++inVain_;
            return;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    inVain_ = 0;
}

}  // namespace parallax
