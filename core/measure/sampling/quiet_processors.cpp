// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/quiet_processors.hpp"

#include <fstream>
#include <string>
#include <thread>

namespace parallax {
namespace {

/// Threads of the machine that run or could, or 0 if the system does not say: the fourth field of /proc/loadavg, as in "0.20 0.18 0.12 1/80
/// 11206".
int runningThreads() {
    std::ifstream file("/proc/loadavg");
    std::string averages[3];
    int running = 0;
    return file >> averages[0] >> averages[1] >> averages[2] >> running ? running : 0;
}

}  // namespace

void QuietProcessors::wait(const std::stop_token& stop) {
    if (inVain_ == 3) return;
    const auto end = std::chrono::steady_clock::now() + kLongest;
    while (runningThreads() > 1) {  // this one
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
