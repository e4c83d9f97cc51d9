// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/parallel_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace parallax {

void runTasks(std::int64_t n, const LoadOptions& options, ProgressRange range, const std::function<void(std::int64_t)>& task) {
    options.throwIfStopped();
    std::atomic<std::int64_t> next{0}, done{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&](bool caller) {
        for (std::int64_t i; !options.stop.stop_requested() && (i = next++) < n;) {
            try {
                task(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                next = n;
            }
            ++done;
            if (caller) options.report(range.from + (range.to - range.from) * static_cast<double>(done) / static_cast<double>(n));
        }
    };
    {
        const std::int64_t threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::jthread> helpers;
        try {
            for (std::int64_t t = 1; t < std::min(threads, n); ++t) helpers.emplace_back(work, false);
        } catch (const std::system_error&) {
            // The allowed number of threads is used up: those that started do the work.
        }
        work(true);
    }
    if (failure) std::rethrow_exception(failure);
    // The helpers may have run every task, so the caller has reported nothing yet.
    options.report(range.to);
    options.throwIfStopped();
}

}  // namespace parallax
