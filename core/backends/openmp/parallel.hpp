// SPDX-License-Identifier: GPL-3.0-or-later
// The parallel loop of this backend. It obeys the context's number of threads and stop token, and no exception leaves a region. OMP_PLACES
// and OMP_PROC_BIND place the threads (affinity.hpp).
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

#include "core/backends/openmp/affinity.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/image/view.hpp"

namespace parallax {

/// Schedule of the tasks of a parallel loop: worker i of n always begins with the i-th of n equal ranges of neighbouring tasks, so that
/// memory first touched by a thread is local to it in every later run, and neighbours share caches. An idle worker takes tasks from the
/// end of the longest range left.
class TaskShares {
public:
    /// Worker i gets [count * i / workers, count * (i + 1) / workers). At most 2^31 tasks.
    TaskShares(std::int64_t count, int workers) : shares_(static_cast<std::size_t>(workers)) {
        for (int i = 0; i < workers; ++i) shares_[static_cast<std::size_t>(i)].range = pack(count * i / workers, count * (i + 1) / workers);
    }
    /// The next task of a worker, or -1 if none is left.
    std::int64_t next(int worker) {
        std::atomic<std::uint64_t>& own = shares_[static_cast<std::size_t>(worker)].range;
        for (std::uint64_t range = own.load(std::memory_order_relaxed); first(range) < last(range);)
            if (own.compare_exchange_weak(range, pack(first(range) + 1, last(range)), std::memory_order_relaxed)) return first(range);
        for (;;) {
            std::atomic<std::uint64_t>* longest = nullptr;
            std::uint64_t range = 0;
            for (Share& share : shares_) {
                const std::uint64_t r = share.range.load(std::memory_order_relaxed);
                if (last(r) - first(r) <= last(range) - first(range)) continue;
                longest = &share.range;
                range = r;
            }
            if (!longest) return -1;
            if (longest->compare_exchange_strong(range, pack(first(range), last(range) - 1), std::memory_order_relaxed))
                return last(range) - 1;
        }
    }

private:
    // Both ends in one word, so that one compare-and-exchange takes a task.
    static std::uint64_t pack(std::int64_t first, std::int64_t last) {
        return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(last);
    }
    static std::int64_t first(std::uint64_t range) { return static_cast<std::int64_t>(range >> 32); }
    static std::int64_t last(std::uint64_t range) { return static_cast<std::int64_t>(range & 0xffffffffU); }
    struct alignas(64) Share {
        std::atomic<std::uint64_t> range{0};
    };
    std::vector<Share> shares_;
};

/// Calls body(task, worker) for every task in [0, count), scheduled by TaskShares. `worker` is in [0, maximumWorkers) and unique among
/// concurrent calls, so it can select a workspace. Checks the stop token before each task; a body of more than some milliseconds checks it
/// too and returns early. Rethrows the first exception of a body; throws Error(cancelled).
template <class Body>
void parallelTasks(const RunContext& context, std::int64_t count, int maximumWorkers, const Body& body) {
    const int threads = static_cast<int>(
        std::clamp<std::int64_t>(std::min<std::int64_t>(effectiveThreads(context), maximumWorkers), 1, std::max<std::int64_t>(count, 1)));
    const CallerAffinity affinity;
    if (threads == 1) {
        affinity.bind();
        // Without a region: no overhead in measurements, plain calls in a debugger.
        for (std::int64_t task = 0; task < count; ++task) {
            context.throwIfStopped();
            body(task, 0);
        }
        context.throwIfStopped();
        return;
    }
    std::exception_ptr error;
    std::atomic<bool> failed = false;
    constexpr std::int64_t most = std::int64_t{1} << 31;
    for (std::int64_t begin = 0; begin < count; begin += most) {
        TaskShares shares(std::min(count - begin, most), threads);
#pragma omp parallel num_threads(threads)
        {
            const int worker = omp_get_thread_num();
            if (worker == 0) affinity.bind();
            for (std::int64_t task = shares.next(worker); task >= 0; task = shares.next(worker)) {
                if (failed.load(std::memory_order_relaxed) || context.stopped()) break;
                try {
                    body(begin + task, worker);
                } catch (...) {
                    if (!failed.exchange(true)) error = std::current_exception();
                }
            }
        }
        if (error) std::rethrow_exception(error);
        context.throwIfStopped();
    }
    context.throwIfStopped();
}

/// Calls row(y, z, channel, worker) for each row of these channels, with progress. A task has eight neighbouring rows.
template <class Row>
void parallelRows(const RunContext& context, const Shape& shape, const std::vector<int>& channels, int maximumWorkers, const Row& row) {
    constexpr std::int64_t kRows = 8;
    const std::int64_t height = shape.height, depth = shape.depth, bands = (height + kRows - 1) / kRows;
    parallelTasks(context, bands * depth * static_cast<std::int64_t>(channels.size()), maximumWorkers, [&](std::int64_t task, int worker) {
        const int c = channels[static_cast<std::size_t>(task / (bands * depth))];
        const std::int64_t z = task / bands % depth, first = task % bands * kRows;
        for (std::int64_t y = first; y < std::min(height, first + kRows); ++y) {
            if (context.stopped()) return;
            row(y, z, c, worker);
            if (context.progress) context.progress->add();
        }
    });
}

/// Copies whole channels, with progress.
inline void copyPlanes(const std::vector<int>& channels, const View<const float>& in, const View<float>& out, int maximumWorkers,
                       const RunContext& context) {
    constexpr std::int64_t kRows = 256;  // of a task
    const std::int64_t height = in.shape.height, depth = in.shape.depth, pieces = (height + kRows - 1) / kRows;
    parallelTasks(context, pieces * depth * static_cast<std::int64_t>(channels.size()), maximumWorkers, [&](std::int64_t task, int) {
        const int c = channels[static_cast<std::size_t>(task / (pieces * depth))];
        const std::int64_t z = task / pieces % depth;
        const std::int64_t first = task % pieces * kRows, last = std::min(height, first + kRows);
        for (std::int64_t y = first; y < last; ++y) std::copy_n(in.row(y, z, c), in.shape.width, out.row(y, z, c));
        if (context.progress) context.progress->add(last - first);
    });
}

/// Threads of the largest team that the calling thread has started.
inline thread_local int startedTeam = 1;

/// Calls body(worker), which allocates `bytes`, once on each of `workers` threads: the ones that will use the memory, so that first touch
/// places it near them. A running team is not woken for little memory, which stays in caches: in long pipelines of small steps, and beside
/// other programs, waiting for it would take most of the time.
template <class Body>
void onEachWorker(int workers, std::uint64_t bytes, const Body& body) {
    constexpr std::uint64_t kCached = std::uint64_t{4} << 20;
    const CallerAffinity affinity;
    std::exception_ptr error;
    std::atomic<bool> failed = false;
    const auto call = [&](int worker) {
        try {
            body(worker);
        } catch (...) {
            if (!failed.exchange(true)) error = std::current_exception();
        }
    };
    int threads = 0;
    if (workers > startedTeam || (workers > 1 && static_cast<std::uint64_t>(workers) * bytes > kCached)) {
        startedTeam = std::max(startedTeam, workers);
#pragma omp parallel num_threads(workers)
        {
            const int worker = omp_get_thread_num();
            if (worker == 0) {
                affinity.bind();
                threads = omp_get_num_threads();
            }
            call(worker);
        }
    }
    // Without a region all of them; OpenMP may also start fewer threads than requested.
    for (int worker = threads; worker < workers; ++worker) call(worker);
    if (error) std::rethrow_exception(error);
}

}  // namespace parallax
