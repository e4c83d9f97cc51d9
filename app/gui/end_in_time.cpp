// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/end_in_time.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "core/io/atomic_file.hpp"

namespace parallax::app {

void endInTime(int code) {
    std::thread([code] {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        removeUnfinishedFiles();
        std::_Exit(code);
    }).detach();
}

}  // namespace parallax::app
