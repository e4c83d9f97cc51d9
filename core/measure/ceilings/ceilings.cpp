// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/ceilings.hpp"

#include <algorithm>
#include <atomic>
#include <set>

#include "core/engine/backend/backend.hpp"
#include "core/image/error.hpp"
#include "core/measure/ceilings/ceiling_kernels.hpp"
#include "core/measure/ceilings/ceiling_team.hpp"
#include "core/measure/ceilings/link.hpp"
#include "core/measure/conditions/machine.hpp"

namespace parallax {
namespace {

constexpr std::size_t kPage = 4096;
constexpr int kFewestRepetitions = 10;  // as in STREAM

struct Caches {
    std::uint64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 32 << 20;
    bool hasL3 = false;
    std::uint64_t l3Count = 1;  // of all processors
};

Caches readCaches() {
    Caches c;
    for (const CacheInfo& cache : listCaches()) {
        const std::uint64_t size = cache.bytes();
        if (cache.type == "Instruction" || size == 0) continue;
        if (cache.level == "1") c.l1 = size;
        if (cache.level == "2") c.l2 = size;
        if (cache.level == "3") c.l3 = size, c.hasL3 = true;
    }
    std::set<std::string> sharers;
    for (const int processor : measuringProcessors())
        for (const CacheInfo& cache : listCaches("/", processor))
            if (cache.level == "3") sharers.insert(cache.sharers);
    c.l3Count = std::max<std::size_t>(1, sharers.size());
    return c;
}

struct Level {
    std::string name;
    std::uint64_t bytesPerThread;  // of all arrays together
    bool streaming;
};

std::vector<Level> levelsFor(int threads, const Caches& c, std::uint64_t largest) {
    std::vector<Level> levels{{"L1", c.l1 / 2, false}, {"L2", std::max(c.l2 * 3 / 4, 2 * c.l1), false}};
    const auto n = static_cast<std::uint64_t>(threads);
    // Only if the share of each thread is clearly larger than its L2.
    if (c.hasL3 && c.l3 / 2 / n >= 2 * c.l2) levels.push_back({"L3", std::min(c.l3 / 2 / n, 8 * c.l2), false});
    const std::uint64_t allowed = std::min(largest, hostDevice().memoryFree / 4);
    const std::uint64_t whole = std::min(std::max<std::uint64_t>(12 * c.l3 * std::min(n, c.l3Count), n * 12 * c.l2), allowed);
    levels.push_back({"memory", whole / n, true});
    return levels;
}

std::size_t roundedUp(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

std::vector<int> threadCounts(const std::vector<int>& asked) {
    if (!asked.empty()) return asked;
    const int all = static_cast<int>(measuringProcessors().size());
    std::vector<int> counts;
    for (int n = 1; n < all; n *= 2) counts.push_back(n);
    counts.push_back(all);
    return counts;
}

/// A measured rate; the best repetition counts, as in STREAM.
struct Measured {
    CeilingRecord record;
    std::vector<double> rates;  // of each repetition
};

Measured measured(CeilingRecord record, double amount, const std::vector<double>& seconds) {
    Measured m{std::move(record), {}};
    for (const double s : seconds) m.rates.push_back(1e-9 * amount / std::max(s, 1e-9));
    m.record.value = *std::max_element(m.rates.begin(), m.rates.end());
    return m;
}

TeamOptions team(int threads, const CeilingOptions& options) { return {threads, kFewestRepetitions, options.seconds, options.stop}; }

/// A loop and the layout of its arrays in the memory of a thread.
struct Loop {
    CeilingKernel kernel;
    std::size_t elements = 0;
    std::size_t region = 0;  // bytes for each array
    std::size_t passes = 1;

    /// The loop on `bytesPerThread` divided among `arrays`, in whole vectors of the widest kind.
    Loop(const CeilingKernel& k, std::uint64_t bytesPerThread, int arrays) : kernel(k) {
        const std::uint64_t bytes = bytesPerThread / static_cast<std::uint64_t>(arrays);
        elements = std::max<std::size_t>(64, bytes / sizeof(double) / 64 * 64);
        region = roundedUp(elements * sizeof(double), kPage);
        // Room for the offset of place().
        if (region >= HugePages::kSize) region = roundedUp(region, HugePages::kSize) + HugePages::kSize;
        // Short passes are repeated until they move 64 MB.
        passes = static_cast<std::size_t>(std::max(1.0, 64e6 / bytesOfPass()));
    }
    double bytesOfPass() const { return static_cast<double>(static_cast<std::size_t>(kernel.arrays) * elements * sizeof(double)); }
    std::size_t bytesOfMemory() const { return static_cast<std::size_t>(kernel.arrays) * region; }
    /// Offset of an array in the memory of its thread. Large arrays start 64 KiB apart modulo the huge page: equal offsets compete for DRAM
    /// rows, which costs triad 6 to 13 %.
    std::size_t place(int thread, int array) const {
        const auto i = static_cast<std::size_t>(array);
        const std::size_t stream = static_cast<std::size_t>(thread) * static_cast<std::size_t>(kernel.arrays) + i;
        return i * region + (region > HugePages::kSize ? stream * 5 % 32 * (HugePages::kSize / 32) : 0);
    }
};

/// The loops of a level in turn on the same memory, with ordinary or non-temporal stores. Not mixed: the write-back of lines that ordinary
/// stores leave in the caches would slow the next loop by some 7 %.
std::vector<Measured> bandwidths(const Level& level, bool streaming, int threads, const CeilingOptions& options) {
    std::vector<Loop> loops;
    std::size_t block = 0;  // of a thread
    for (const CeilingKernel& k : availableCeilingKernels()) {
        if (k.streaming != streaming) continue;
        // In memory, copy uses the array size of triad, as in STREAM; in a cache both fill the same share.
        loops.emplace_back(k, level.bytesPerThread, level.streaming ? 3 : k.arrays);
        block = std::max(block, loops.back().bytesOfMemory());
    }
    if (loops.empty()) return {};
    // Threads share no huge page, nor ordinary pages if huge ones would be mostly empty.
    block = roundedUp(block, block >= HugePages::kSize / 4 ? HugePages::kSize : kPage);
    const HugePages memory(block * static_cast<std::size_t>(threads));
    const auto at = [&](int t, std::size_t place) {
        return reinterpret_cast<double*>(memory.data() + static_cast<std::size_t>(t) * block + place);
    };
    const auto setup = [&](int t) {
        constexpr std::size_t kStep = std::size_t{64} << 20;
        for (std::size_t place = 0; place < block && !options.stop.stop_requested(); place += kStep)
            std::fill_n(at(t, place), std::min(kStep, block - place) / sizeof(double), 1.0);
    };
    std::vector<std::function<void(int)>> works;
    for (const Loop& l : loops)
        works.emplace_back([&at, &l](int t) {
            double* const a = at(t, l.place(t, 0));
            const double *const b = at(t, l.place(t, 1)), *const c = l.kernel.arrays == 3 ? at(t, l.place(t, 2)) : nullptr;
            for (std::size_t p = 0; p < l.passes; ++p) l.kernel.run(a, b, c, l.elements);
        });
    const auto seconds = timeTogether(team(threads, options), setup, works);
    std::vector<Measured> all;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const Loop& l = loops[i];
        const double once = l.bytesOfPass() * threads;
        all.push_back(measured({l.kernel.name, level.name, threads, 0, "GB/s", static_cast<std::uint64_t>(once)},
                               once * static_cast<double>(l.passes), seconds[i]));
    }
    return all;
}

Measured rate(const FmaKernel& kernel, int threads, const CeilingOptions& options) {
    constexpr int kLoops = 400000;
    std::atomic<float> sink = 0;
    const auto seconds =
        timeTogether(team(threads, options), [](int) {}, {[&](int) { sink.store(kernel.run(kLoops), std::memory_order_relaxed); }});
    return measured({"fma", kernel.name, threads, 0, "GFLOP/s", 0}, kernel.flopsPerLoop * kLoops * threads, seconds[0]);
}

}  // namespace

std::vector<CeilingRecord> measureCeilings(const CeilingOptions& options) {
    const Caches caches = readCaches();
    const std::vector<int> counts = threadCounts(options.threads);
    const auto asked = [&](const std::string& level) {
        return options.levels.empty() || std::find(options.levels.begin(), options.levels.end(), level) != options.levels.end();
    };
    const auto fmaKernels = availableFmaKernels();
    std::vector<CeilingRecord> all;
    double done = 0, total = 0;
    for (const int n : counts) {
        if (n < 1 || n > 4096) throw Error(ErrorCode::usage, "The number of threads must be between 1 and 4096");
        for (const FmaKernel& k : fmaKernels) total += asked(k.name);
        for (const Level& l : levelsFor(n, caches, options.largestBytes)) total += asked(l.name);
    }
    const bool withLink = options.threads.empty() && options.levels.empty();
    total += withLink;
    const auto add = [&](Measured m) {
        if (options.onMeasured) options.onMeasured(m.record, m.rates);
        all.push_back(std::move(m.record));
    };
    const auto progress = [&](const std::string& what) {
        if (options.onProgress) options.onProgress(what, ++done / total);
    };
    for (const int n : counts) {
        for (const FmaKernel& k : fmaKernels) {
            if (!asked(k.name)) continue;
            add(rate(k, n, options));
            progress(std::string("fma ") + k.name);
        }
        for (const Level& l : levelsFor(n, caches, options.largestBytes)) {
            if (!asked(l.name)) continue;
            for (const bool streaming : {false, true})
                if (l.streaming || !streaming)
                    for (Measured& m : bandwidths(l, streaming, n, options)) add(std::move(m));
            progress("bandwidth " + l.name);
        }
    }
    if (withLink) {
        const std::vector<CeilingRecord> link = measureThreadLink(options.seconds, options.stop);
        all.insert(all.end(), link.begin(), link.end());
        progress("link between threads");
    }
    return all;
}

}  // namespace parallax
