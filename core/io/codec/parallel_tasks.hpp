// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "core/io/loader.hpp"

namespace parallax {

/// Part of the range 0 to 1 of a progress.
struct ProgressRange {
    double from = 0, to = 1;
};

/// Runs task(0) to task(n - 1) on up to options.threads threads (0: all), including the calling one, which reports progress. Rethrows the
/// first exception of a task, or throws Error(cancelled), once the tasks in progress have ended.
void runTasks(std::int64_t n, const LoadOptions& options, ProgressRange range, const std::function<void(std::int64_t)>& task);

}  // namespace parallax
