// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace parallax {

int metricWorkers(const RunContext& context, std::int64_t tasks) {
    return static_cast<int>(std::clamp<std::int64_t>(tasks, 1, std::max(1, effectiveThreads(context))));
}

void forEachTask(const RunContext& context, std::int64_t count, const std::function<void(std::int64_t task, int worker)>& body) {
    context.throwIfStopped();
    if (context.progress) context.progress->start(count);
    std::atomic<std::int64_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&](int worker) {
        for (std::int64_t task; !context.stopped() && (task = next++) < count;) {
            try {
                body(task, worker);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                next = count;
            }
            if (context.progress) context.progress->add();
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            for (int worker = 1; worker < metricWorkers(context, count); ++worker) helpers.emplace_back(work, worker);
        } catch (const std::system_error&) {
            // The threads that could be started do the work.
        }
        work(0);
    }
    if (failure) std::rethrow_exception(failure);
    context.throwIfStopped();
}

}  // namespace parallax
