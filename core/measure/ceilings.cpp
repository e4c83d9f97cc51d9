// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/measure/ceilings.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

#include "parallax/engine/backend.hpp"
#include "parallax/image/error.hpp"
#include "parallax/measure/ceiling_kernels.hpp"

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr int kFewestRepetitions = 3;

std::vector<int> usableProcessors() {
    std::vector<int> all;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &set)) all.push_back(i);
    if (all.empty()) all.push_back(-1);
    return all;
}

/// "2048K" -> 2 MiB.
std::uint64_t sizeOf(const std::string& text) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{}) return 0;
    const char unit = end == text.data() + text.size() ? ' ' : *end;
    return unit == 'K' ? n << 10 : unit == 'M' ? n << 20 : unit == 'G' ? n << 30 : n;
}

struct Caches {
    std::uint64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 32 << 20;
    bool hasL3 = false;
};

Caches readCaches() {
    Caches c;
    for (int i = 0; i < 8; ++i) {
        const std::string base = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
        const auto line = [&](const char* name) {
            std::ifstream file(base + name);
            std::string text;
            std::getline(file, text);
            return text;
        };
        const std::string level = line("level");
        const std::uint64_t size = sizeOf(line("size"));
        if (level.empty()) break;
        if (line("type") == "Instruction" || size == 0) continue;
        if (level == "1") c.l1 = size;
        if (level == "2") c.l2 = size;
        if (level == "3") c.l3 = size, c.hasL3 = true;
    }
    return c;
}

struct Release {
    void operator()(double* p) const { std::free(p); }
};
using Array = std::unique_ptr<double[], Release>;

Array allocate(std::size_t elements, std::size_t shift) {
    const std::size_t bytes = elements * sizeof(double) + shift;
    const std::size_t alignment = bytes >= kHugePage ? kHugePage : kLine;
    auto* p = static_cast<double*>(std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment));
    if (!p) throw Error(ErrorCode::memory, "Not enough memory", "the ceilings could not get their arrays", "Close other programs");
    return Array(p);
}

/// Runs `work(thread, repetition)` on pinned threads that start together; gives the shortest time of a repetition, seconds.
template <class Setup, class Work>
double best(int threads, double seconds, const std::stop_token& stop, Setup&& setup, Work&& work) {
    const std::vector<int> processors = usableProcessors();
    std::vector<Clock::time_point> starts(static_cast<std::size_t>(threads)), ends(static_cast<std::size_t>(threads));
    std::atomic<bool> more = true;
    std::atomic<bool> failed = false;
    double shortest = 0;
    int repetitions = 0;
    const auto begin = Clock::now();
    const auto endOfRepetition = [&]() noexcept {
        const double took =
            std::chrono::duration<double>(*std::max_element(ends.begin(), ends.end()) - *std::min_element(starts.begin(), starts.end()))
                .count();
        // The first one warms up.
        if (repetitions++ > 0 && (shortest == 0 || took < shortest)) shortest = took;
        const bool enough = repetitions > kFewestRepetitions && Clock::now() - begin > std::chrono::duration<double>(seconds);
        if (enough || stop.stop_requested() || failed) more = false;
    };
    std::barrier start(threads);
    std::barrier end(threads, endOfRepetition);
    const auto run = [&](int t) {
        if (const int cpu = processors[static_cast<std::size_t>(t) % processors.size()]; cpu >= 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            (void)sched_setaffinity(0, sizeof one, &one);
        }
        try {
            setup(t);
        } catch (const Error&) {
            failed = true;
        }
        while (more) {
            start.arrive_and_wait();
            starts[static_cast<std::size_t>(t)] = Clock::now();
            if (!failed) work(t);
            ends[static_cast<std::size_t>(t)] = Clock::now();
            end.arrive_and_wait();
        }
    };
    {
        // None on the calling thread: its affinity is not ours to change.
        std::vector<std::jthread> pool;
        for (int t = 0; t < threads; ++t) pool.emplace_back(run, t);
    }
    if (failed) throw Error(ErrorCode::memory, "Not enough memory", "the ceilings could not get their arrays", "Close other programs");
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
    return shortest;
}

struct Level {
    std::string name;
    std::uint64_t bytesPerThread;  // of all arrays together
    bool streaming;
};

std::vector<Level> levelsFor(int threads, const Caches& c, std::uint64_t largest) {
    std::vector<Level> levels{{"L1", c.l1 / 2, false}, {"L2", std::max(c.l2 * 3 / 4, 2 * c.l1), false}};
    const auto n = static_cast<std::uint64_t>(threads);
    // A shared cache of which each thread's part is no larger than its own L2 cannot be told from that.
    if (c.hasL3 && c.l3 / 2 / n >= 2 * c.l2) levels.push_back({"L3", std::min(c.l3 / 2 / n, 8 * c.l2), false});
    const std::uint64_t allowed = std::min(largest, hostDevice().memoryFree / 4);
    const std::uint64_t whole = std::min(std::max<std::uint64_t>(4 * c.l3, n * 4 * c.l2), allowed);
    levels.push_back({"memory", whole / n, true});
    return levels;
}

std::vector<int> threadCounts(const std::vector<int>& asked) {
    if (!asked.empty()) return asked;
    const int all = static_cast<int>(usableProcessors().size());
    std::vector<int> counts;
    for (int n = 1; n < all; n *= 2) counts.push_back(n);
    counts.push_back(all);
    return counts;
}

CeilingRecord bandwidth(const CeilingKernel& kernel, const Level& level, int threads, const CeilingOptions& options) {
    // Whole vectors of the widest kind in each array.
    const std::size_t elements =
        std::max<std::size_t>(64, level.bytesPerThread / static_cast<std::uint64_t>(kernel.arrays) / sizeof(double) / 64 * 64);
    const double bytesOnce = static_cast<double>(kernel.arrays) * static_cast<double>(elements) * sizeof(double);
    // A pass over a small cache is too short to be timed: as many as move 16 MB.
    const auto passes = static_cast<int>(std::max(1.0, 16e6 / bytesOnce));
    struct Arrays {
        Array a, b, c;
    };
    std::vector<Arrays> arrays(static_cast<std::size_t>(threads));
    const auto setup = [&](int t) {
        Arrays& mine = arrays[static_cast<std::size_t>(t)];
        mine.a = allocate(elements, 0);
        mine.b = allocate(elements, 0);
        if (kernel.arrays == 3) mine.c = allocate(elements, 0);
        for (std::size_t i = 0; i < elements; ++i) {
            mine.a[i] = 0;
            mine.b[i] = 1;
            if (mine.c) mine.c[i] = 2;
        }
    };
    const double seconds = best(threads, options.seconds, options.stop, setup, [&](int t) {
        const Arrays& mine = arrays[static_cast<std::size_t>(t)];
        for (int p = 0; p < passes; ++p) kernel.run(mine.a.get(), mine.b.get(), mine.c.get(), elements);
    });
    return {kernel.name, level.name,
            threads,     1e-9 * bytesOnce * passes * threads / seconds,
            "GB/s",      static_cast<std::uint64_t>(bytesOnce) * static_cast<std::uint64_t>(threads)};
}

CeilingRecord rate(const FmaKernel& kernel, int threads, const CeilingOptions& options) {
    constexpr int kLoops = 400000;
    std::atomic<float> sink = 0;
    const double seconds = best(
        threads, options.seconds, options.stop, [](int) {}, [&](int) { sink.store(kernel.run(kLoops), std::memory_order_relaxed); });
    return {"fma", kernel.name, threads, 1e-9 * kernel.flopsPerLoop * kLoops * threads / seconds, "GFLOP/s", 0};
}

}  // namespace

std::vector<CeilingRecord> measureCeilings(const CeilingOptions& options) {
    const Caches caches = readCaches();
    const std::vector<int> counts = threadCounts(options.threads);
    std::vector<CeilingRecord> all;
    double done = 0, total = 0;
    for (const int n : counts) {
        if (n < 1 || n > 4096) throw Error(ErrorCode::usage, "The number of threads must be from 1 to 4096");
        for (const Level& l : levelsFor(n, caches, options.largestBytes)) total += l.streaming ? 4 : 2;
    }
    const auto fmaKernels = availableFmaKernels();
    total += static_cast<double>(counts.size() * fmaKernels.size());
    const auto add = [&](CeilingRecord r) {
        if (options.onProgress) options.onProgress(r.name + " " + r.level, ++done / total);
        all.push_back(std::move(r));
    };
    for (const int n : counts) {
        for (const FmaKernel& k : fmaKernels) add(rate(k, n, options));
        for (const Level& l : levelsFor(n, caches, options.largestBytes))
            for (const CeilingKernel& k : availableCeilingKernels())
                if (l.streaming || !k.streaming) add(bandwidth(k, l, n, options));
    }
    return all;
}

}  // namespace parallax
