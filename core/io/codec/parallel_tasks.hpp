// SPDX-License-Identifier: GPL-3.0-or-later
// Many pieces of one file, or many files of one volume, on several threads.
#pragma once

#include <cstdint>
#include <functional>

#include "core/io/loader.hpp"

namespace parallax {

/// A part of the way from 0 to 1 that a progress shows.
struct ProgressRange {
    double from = 0, to = 1;
};

/// Runs task(0) to task(n - 1), each once, on up to options.threads threads (0: all), the calling one among them. Progress is
/// reported by the calling thread. Throws what a task threw first, or Error(cancelled) as soon as the tasks in progress end.
void runTasks(std::int64_t n, const LoadOptions& options, ProgressRange range, const std::function<void(std::int64_t)>& task);

}  // namespace parallax
