// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/parallel_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/engine/run/run_context.hpp"

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
        const std::int64_t threads = threadsOf(options.threads);
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

void runOrderedTasks(std::int64_t n, const LoadOptions& options, ProgressRange range, const std::function<void(std::int64_t)>& make,
                     const std::function<void(std::int64_t)>& take) {
    const std::int64_t ahead = 4 * threadsOf(options.threads);
    std::mutex mutex;
    std::condition_variable changed;
    std::int64_t taken = 0;
    bool taking = false, failed = false;
    std::vector<char> made(static_cast<std::size_t>(n), 0);
    const auto takeReady = [&](std::unique_lock<std::mutex>& lock) {
        if (taking) return;
        taking = true;
        while (!failed && taken < n && made[static_cast<std::size_t>(taken)]) {
            lock.unlock();
            take(taken);
            lock.lock();
            ++taken;
            changed.notify_all();
        }
        taking = false;
    };
    // Tasks start in ascending order, so the first one that was not taken never waits here.
    runTasks(n, options, range, [&](std::int64_t i) {
        try {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return failed || i < taken + ahead; });
            if (failed) return;
            lock.unlock();
            make(i);
            lock.lock();
            made[static_cast<std::size_t>(i)] = 1;
            takeReady(lock);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failed = true;
            changed.notify_all();
            throw;
        }
    });
}

LoadOptions taskOptions(const SaveOptions& options) {
    LoadOptions tasks;
    tasks.threads = options.threads;
    tasks.stop = options.stop;
    tasks.progress = options.progress;
    return tasks;
}

std::int64_t threadsOf(int threads) {
    RunContext context;
    context.threads = threads;
    return effectiveThreads(context);
}

}  // namespace parallax
