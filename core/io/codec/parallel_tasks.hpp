// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Part of the range 0 to 1 of a progress.
struct ProgressRange {
    double from = 0, to = 1;
};

/// Runs task(0) to task(n - 1) on up to options.threads threads (0: all), including the calling one, which reports progress. Rethrows the
/// first exception of a task, or throws Error(cancelled), once the tasks in progress have ended.
void runTasks(std::int64_t n, const LoadOptions& options, ProgressRange range, const std::function<void(std::int64_t)>& task);

/// Runs make(0) to make(n - 1) as runTasks() does, and take(0) to take(n - 1) in this order, one at a time, each after its make(). At most
/// four results per thread wait to be taken.
void runOrderedTasks(std::int64_t n, const LoadOptions& options, ProgressRange range, const std::function<void(std::int64_t)>& make,
                     const std::function<void(std::int64_t)>& take);

/// A stage that the tasks of runTasks() pass in ascending order, one at a time.
class OrderedStage {
public:
    /// Calls stage() once all tasks before task `i` have passed. Returns false, and does not call it, if one of them failed. Rethrows what
    /// stage() throws.
    template <class F>
    bool pass(std::int64_t i, const F& stage) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failed_ || next_ == i; });
        if (failed_) return false;
        lock.unlock();
        try {
            stage();
        } catch (...) {
            fail();
            throw;
        }
        lock.lock();
        ++next_;
        changed_.notify_all();
        return true;
    }
    /// To be called by a task that ends early, since the tasks after it wait.
    void fail() {
        const std::lock_guard lock(mutex_);
        failed_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::int64_t next_ = 0;
    bool failed_ = false;
};

/// Returns options of tasks that save: threads, stop token and progress.
LoadOptions taskOptions(const SaveOptions& options);

/// Returns the number of threads that `threads` of LoadOptions or SaveOptions stands for.
std::int64_t threadsOf(int threads);

}  // namespace parallax
