// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "core/engine/run/run_context.hpp"

namespace parallax {

/// Threads of forEachTask(): those of the context, at most one for each task.
int metricWorkers(const RunContext& context, std::int64_t tasks);

/// Calls body(task, worker) for every task in [0, count) on metricWorkers() threads, including the calling one. `worker` is unique among
/// concurrent calls, so it can select a workspace. Starts the progress and adds 1 for each task. Rethrows the first exception of a body;
/// throws Error(cancelled).
void forEachTask(const RunContext& context, std::int64_t count, const std::function<void(std::int64_t task, int worker)>& body);

}  // namespace parallax
