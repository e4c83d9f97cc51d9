// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/ceiling_team.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/host/control_groups.hpp"
#include "core/image/host/processors.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Spins, since sleeping threads wake up tens of microseconds apart, which would count as work.
class SpinningBarrier {
public:
    explicit SpinningBarrier(int threads) : threads_(threads) {}

    /// The last thread to arrive runs `last` before the others continue.
    template <class Last>
    void arrive(Last&& last) {
        const int round = round_.load(std::memory_order_acquire);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
            last();
            arrived_.store(0, std::memory_order_relaxed);
            round_.store(round + 1, std::memory_order_release);
            return;
        }
        // Yield for the case of more threads than CPUs.
        for (int i = 0; round_.load(std::memory_order_acquire) == round && !open_; ++i) i < kSpins ? relax() : std::this_thread::yield();
    }
    /// Releases all threads, because not all of them will arrive.
    void open() { open_ = true; }

private:
    static constexpr int kSpins = 20000;
    const int threads_;
    std::atomic<int> arrived_ = 0;
    std::atomic<int> round_ = 0;
    std::atomic<bool> open_ = false;
};

/// Index of a hardware thread within its core. The system writes "0,8" or "0-1".
int rankInCore(int cpu) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
    std::string text;
    std::getline(file, text);
    int rank = 0;
    for (const char *p = text.data(), *end = p + text.size(); p < end;) {
        int first = 0;
        auto [next, error] = std::from_chars(p, end, first);
        if (error != std::errc{}) return 0;
        int last = first;
        if (next < end && *next == '-') next = std::from_chars(next + 1, end, last).ptr;
        rank += std::clamp(cpu - first, 0, last - first + 1);
        p = next + 1;
    }
    return rank;
}

/// The threads of one call of timeTogether().
class Team {
public:
    Team(const TeamOptions& options, const std::vector<std::function<void(int)>>& works)
        : options_(options),
          works_(works),
          spans_(static_cast<std::size_t>(options.threads)),
          seconds_(works.size()),
          barrier_(options.threads) {}

    std::vector<std::vector<double>> run(const std::function<void(int)>& setup) {
        {
            // The affinity of the calling thread must not change.
            std::vector<std::jthread> pool;
            try {
                for (int t = 0; t < options_.threads; ++t) pool.emplace_back([&, t] { work(t, setup); });
            } catch (const std::system_error&) {
                fail(std::make_exception_ptr(Error(ErrorCode::memory, "Cannot start threads",
                                                   "the system refused " + std::to_string(options_.threads) + " threads", "Use fewer")));
                barrier_.open();
            }
        }
        if (failure_) std::rethrow_exception(failure_);
        if (options_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        return std::move(seconds_);
    }

private:
    void fail(std::exception_ptr failure) {
        const std::scoped_lock lock(mutex_);
        failure_ = std::move(failure);
        more_ = false;
    }

    void work(int t, const std::function<void(int)>& setup) {
        const auto thread = static_cast<std::size_t>(t);
        bindTo({processors_[thread % processors_.size()]});
        try {
            setup(t);
        } catch (...) {
            fail(std::current_exception());
        }
        const auto nothing = [] {};
        barrier_.arrive(nothing);
        while (more_)
            for (std::size_t w = 0; w < works_.size() && more_; ++w) {
                barrier_.arrive(nothing);
                spans_[thread].start = Clock::now();
                works_[w](t);
                spans_[thread].end = Clock::now();
                barrier_.arrive([&] { finishWork(w); });
            }
    }

    /// Called by the last thread to arrive.
    void finishWork(std::size_t work) {
        auto first = spans_[0].start, last = spans_[0].end;
        for (const Span& s : spans_) first = std::min(first, s.start), last = std::max(last, s.end);
        if (rounds_ > 0) seconds_[work].push_back(std::chrono::duration<double>(last - first).count());
        if (options_.stop.stop_requested()) more_ = false;
        if (work + 1 < works_.size()) return;
        // The first round is warm-up.
        if (rounds_++ == 0) begin_ = Clock::now();
        const double allowed = options_.seconds * static_cast<double>(works_.size());
        if (rounds_ > options_.fewest && std::chrono::duration<double>(Clock::now() - begin_).count() >= allowed) more_ = false;
    }

    struct alignas(64) Span {  // one cache line each, against false sharing
        Clock::time_point start, end;
    };
    const TeamOptions& options_;
    const std::vector<std::function<void(int)>>& works_;
    const std::vector<int> processors_ = measuringProcessors();
    std::vector<Span> spans_;
    std::vector<std::vector<double>> seconds_;
    std::atomic<bool> more_ = true;
    std::mutex mutex_;
    std::exception_ptr failure_;
    SpinningBarrier barrier_;
    Clock::time_point begin_;
    int rounds_ = 0;
};

}  // namespace

HugePages::HugePages(std::size_t bytes) : length_(bytes + kSize) {
    mapped_ = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped_ == MAP_FAILED)
        throw Error(ErrorCode::memory, "Not enough memory", "the ceiling measurement cannot allocate its arrays", "Close other programs");
    const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
    data_ = static_cast<std::byte*>(mapped_) + ((address + kSize - 1) / kSize * kSize - address);
    // A hint: without huge pages ordinary ones are used.
    (void)madvise(data_, bytes, MADV_HUGEPAGE);
}

HugePages::~HugePages() { munmap(mapped_, length_); }

std::vector<int> measuringProcessors() {
    std::vector<std::pair<int, int>> ranked;
    for (const int cpu : usableProcessors()) ranked.emplace_back(rankInCore(cpu), cpu);
    if (ranked.empty()) return {-1};
    std::sort(ranked.begin(), ranked.end());
    std::vector<int> all;
    for (const auto& [rank, cpu] : ranked) all.push_back(cpu);
    // More threads than the quota would be stopped in each period.
    all.resize(static_cast<std::size_t>(withinProcessorQuota(static_cast<int>(all.size()))));
    return all;
}

std::vector<std::vector<double>> timeTogether(const TeamOptions& options, const std::function<void(int)>& setup,
                                              const std::vector<std::function<void(int)>>& works) {
    return Team(options, works).run(setup);
}

}  // namespace parallax
