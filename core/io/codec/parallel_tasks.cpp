// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/parallel_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace parallax {

void runTasks(std::int64_t n, const LoadOptions& options, ProgressRange range, const std::function<void(std::int64_t)>& task) {
    options.throwIfStopped();
    if (n <= 0) return;
    std::atomic<std::int64_t> next{0}, done{0};
    std::atomic<bool> giveUp{false};
    std::mutex mutex;
    std::condition_variable finished;
    std::exception_ptr failure;
    int running = 0;

    const auto report = [&] { options.report(range.from + (range.to - range.from) * static_cast<double>(done) / static_cast<double>(n)); };
    const auto work = [&](bool caller) {
        for (;;) {
            if (giveUp || options.stop.stop_requested()) break;
            const std::int64_t i = next++;
            if (i >= n) break;
            try {
                task(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                giveUp = true;
            }
            ++done;
            if (caller) report();
        }
    };

    const unsigned all = std::max(1U, std::thread::hardware_concurrency());
    const std::int64_t wanted = options.threads > 0 ? options.threads : static_cast<std::int64_t>(all);
    {
        std::vector<std::jthread> helpers;
        for (std::int64_t t = 1; t < std::min(wanted, n); ++t) {
            const std::lock_guard lock(mutex);
            ++running;
            helpers.emplace_back([&] {
                work(false);
                const std::lock_guard end(mutex);
                --running;
                finished.notify_one();
            });
        }
        work(true);
        std::unique_lock lock(mutex);
        while (running > 0) {
            finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; });
            lock.unlock();
            report();
            lock.lock();
        }
    }
    if (failure) std::rethrow_exception(failure);
    options.throwIfStopped();
}

}  // namespace parallax
