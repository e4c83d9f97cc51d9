// SPDX-License-Identifier: GPL-3.0-or-later
// The parallel loop of this backend: threads of the context, its stop token, and no exception across a region.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "parallax/engine/run_context.hpp"

namespace parallax {

/// Calls body(task, worker) for every task in [0, count), tasks handed out as threads become free. `worker` is in
/// [0, maximumWorkers) and unique among those that run at the same time, so it picks a workspace. Asks the stop token
/// before each task (a body of more than some milliseconds asks itself and returns early). The first exception of a body
/// ends the loop and is thrown here; so is Error(cancelled).
template <class Body>
void parallelTasks(const RunContext& context, std::int64_t count, int maximumWorkers, const Body& body) {
    const int threads = static_cast<int>(
        std::clamp<std::int64_t>(std::min<std::int64_t>(effectiveThreads(context), maximumWorkers), 1, std::max<std::int64_t>(count, 1)));
    if (threads == 1) {
        // Without a region: nothing is measured but the work, and a debugger sees plain calls.
        for (std::int64_t task = 0; task < count; ++task) {
            context.throwIfStopped();
            body(task, 0);
        }
        context.throwIfStopped();
        return;
    }
    std::exception_ptr error;
    std::atomic<bool> failed = false;
#pragma omp parallel num_threads(threads)
    {
        const int worker = omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
        for (std::int64_t task = 0; task < count; ++task) {
            // A worksharing loop cannot be left: the remaining tasks are skipped.
            if (failed.load(std::memory_order_relaxed) || context.stopped()) continue;
            try {
                body(task, worker);
            } catch (...) {
                if (!failed.exchange(true)) error = std::current_exception();
            }
        }
    }
    if (error) std::rethrow_exception(error);
    context.throwIfStopped();
}

}  // namespace parallax
