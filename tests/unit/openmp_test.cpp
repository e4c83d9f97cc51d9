// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of variants by `openmp`, tiles of its transforms, scheduling of tasks and thread binding. The backend itself is a plug-in, so
// the sources under test are compiled into this program.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "core/backends/openmp/parallel.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/convolution/openmp/choice.hpp"
#include "core/operations/convolution/openmp/not_finite.hpp"
#include "core/operations/convolution/openmp/tuning.hpp"

namespace parallax {
namespace {

OpenmpConvolutionFacts facts(std::int64_t extent, int kernelWidth, int kernelHeight, int terms, bool fft = true) {
    return {.width = extent,
            .height = extent,
            .planes = 1,
            .kernelWidth = kernelWidth,
            .kernelHeight = kernelHeight,
            .terms = terms,
            .threads = 1,
            .lanes = 16,
            .halfRate = true,
            .fft = [fft] { return fft ? Support{} : Support::no("FFTW was not found"); }};
}
OpenmpConvolution chosen(const OpenmpConvolutionFacts& f) { return chooseOpenmpConvolution(f).variant; }

TEST(OpenmpChoice, SelectsSeparableIfItSavesEnough) {
    EXPECT_EQ(chosen(facts(4096, 3, 3, 1)), OpenmpConvolution::direct);
    EXPECT_EQ(chosen(facts(4096, 5, 5, 1)), OpenmpConvolution::separable);
    EXPECT_EQ(chosen(facts(4096, 31, 31, 1)), OpenmpConvolution::separable);
    EXPECT_EQ(chosen(facts(4096, 127, 127, 1)), OpenmpConvolution::fft) << "where even 254 taps cost more than a transform";
    EXPECT_EQ(chosen(facts(4096, 1, 127, 1)), OpenmpConvolution::direct);
    EXPECT_EQ(chosen(facts(4096, 127, 1, 1)), OpenmpConvolution::direct);
    EXPECT_EQ(chosen(facts(4096, 3, 3, 2)), OpenmpConvolution::direct) << "two terms want twice the work";
    EXPECT_EQ(chosen(facts(4096, 15, 15, 2)), OpenmpConvolution::separable);
    EXPECT_EQ(chooseOpenmpConvolution(facts(4096, 7, 7, 1)).reason, "rank 1: 14 instead of 49 multiply-adds a sample");
    EXPECT_EQ(chooseOpenmpConvolution(facts(4096, 11, 11, 2)).reason, "rank 2: 44 instead of 121 multiply-adds a sample");
    EXPECT_EQ(chooseOpenmpConvolution(facts(4096, 1, 1, 1)).reason, "1 tap: a column and a row would save too little");
}

TEST(OpenmpChoice, SelectsTransformsForLargeKernels) {
    EXPECT_EQ(chosen(facts(4096, 31, 31, 0)), OpenmpConvolution::fft);
    EXPECT_EQ(chosen(facts(4096, 127, 127, 0)), OpenmpConvolution::fft);
    EXPECT_EQ(chosen(facts(4096, 7, 7, 0)), OpenmpConvolution::direct);
    EXPECT_EQ(chosen(facts(4096, 11, 11, 0)), OpenmpConvolution::direct);
    // An image much smaller than its window is nearly all padding, and one pair of tiles keeps one thread busy only.
    EXPECT_EQ(chosen(facts(4, 31, 31, 0)), OpenmpConvolution::direct);
    OpenmpConvolutionFacts few = facts(60, 31, 31, 0);
    few.threads = 64;
    EXPECT_EQ(chosen(few), OpenmpConvolution::direct);
    few.planes = 200;
    EXPECT_EQ(chosen(few), OpenmpConvolution::fft);
    // Short vectors make the direct form slower, not the transforms.
    OpenmpConvolutionFacts old = facts(4096, 9, 9, 0);
    old.lanes = 4;
    EXPECT_EQ(chosen(old), OpenmpConvolution::fft);
    // Vectors at full rate make it faster.
    EXPECT_EQ(chosen(facts(4096, 15, 15, 0)), OpenmpConvolution::fft);
    for (const int k : {15, 21}) {
        OpenmpConvolutionFacts fast = facts(4096, k, k, 0);
        fast.halfRate = false;
        EXPECT_EQ(chosen(fast), k == 15 ? OpenmpConvolution::direct : OpenmpConvolution::fft) << k;
    }
}

TEST(OpenmpChoice, ExplainsWhyTransformsAreNotSelected) {
    const OpenmpConvolutionChoice c = chooseOpenmpConvolution(facts(4096, 31, 31, 0, false));
    EXPECT_EQ(c.variant, OpenmpConvolution::direct);
    EXPECT_NE(c.reason.find("FFTW was not found"), std::string::npos) << c.reason;
    for (const int k : {1, 3, 15, 31, 127})
        for (const std::int64_t extent : {1, 100, 8192})
            for (const int terms : {0, 1, 2}) EXPECT_FALSE(chooseOpenmpConvolution(facts(extent, k, k, terms)).reason.empty());
}

TEST(OpenmpChoice, TilesCoverTheImageAndFitTheWindow) {
    for (const std::int64_t width : {1, 7, 500, 4096, 100000})
        for (const std::int64_t height : {1, 333, 4096})
            for (const int kw : {1, 2, 31, 64, 127})
                for (const int kh : {1, 63, 127})
                    for (const int threads : {1, 16}) {
                        OpenmpConvolutionFacts f = facts(width, kw, kh, 0);
                        f.height = height;
                        f.threads = threads;
                        const FftTile t = chooseFftTile(f);
                        EXPECT_EQ(t.columns, t.width - kw + 1);
                        EXPECT_EQ(t.rows, t.height - kh + 1);
                        EXPECT_GE(t.columns, 1);
                        EXPECT_GE(t.rows, 1);
                        EXPECT_GE(t.across * t.columns, width);
                        EXPECT_GE(t.down * t.rows, height);
                        EXPECT_LT((t.across - 1) * t.columns, width);
                        EXPECT_LE(t.width, largestFftExtent(kw));
                        EXPECT_LE(t.height, largestFftExtent(kh));
                    }
}

TEST(TaskShares, SchedulesEveryTaskOnceAndNeighboursTogether) {
    TaskShares alone(10, 3);
    EXPECT_EQ(alone.next(1), 3);  // the second of three begins with its own third
    EXPECT_EQ(alone.next(2), 6);
    EXPECT_EQ(alone.next(0), 0);
    EXPECT_EQ(alone.next(0), 1);
    EXPECT_EQ(alone.next(0), 2);
    EXPECT_EQ(alone.next(0), 9) << "from the end of the longest range left";
    std::set<std::int64_t> rest;
    for (std::int64_t task = alone.next(0); task >= 0; task = alone.next(0)) rest.insert(task);
    EXPECT_EQ(rest, (std::set<std::int64_t>{4, 5, 7, 8}));
    EXPECT_EQ(alone.next(1), -1);

    for (const int workers : {2, 3, 8}) {
        constexpr std::int64_t count = 20000;
        TaskShares shares(count, workers);
        std::vector<std::atomic<int>> taken(count);
        {
            std::vector<std::jthread> threads;
            for (int w = 0; w < workers; ++w)
                threads.emplace_back([&, w] {
                    for (std::int64_t task = shares.next(w); task >= 0; task = shares.next(w)) ++taken[static_cast<std::size_t>(task)];
                });
        }
        EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](const std::atomic<int>& n) { return n == 1; })) << workers;
    }
}

TEST(ParallelTasks, RunsAllTasksAndRethrowsTheFirstError) {
    RunContext context;
    for (const int threads : {1, 2, 5})
        for (const std::int64_t count : {0, 1, 3, 1000}) {
            context.threads = threads;
            std::atomic<std::int64_t> sum = 0;
            std::atomic<int> highest = 0;
            parallelTasks(context, count, threads, [&](std::int64_t task, int worker) {
                sum += task + 1;
                for (int seen = highest; worker > seen && !highest.compare_exchange_weak(seen, worker);) {}
            });
            EXPECT_EQ(sum, count * (count + 1) / 2);
            EXPECT_LT(highest, threads);
            if (count == 0) continue;
            EXPECT_THROW(parallelTasks(context, count, threads, [](std::int64_t, int) { throw std::runtime_error("no"); }),
                         std::runtime_error);
        }
    std::atomic<int> made = 0;
    constexpr std::uint64_t kLittle = 1000, kMuch = std::uint64_t{8} << 20;
    for (const std::uint64_t bytes : {kLittle, kMuch}) {
        made = 0;
        onEachWorker(4, bytes, [&](int) { ++made; });
        EXPECT_EQ(made, 4);
        EXPECT_THROW(onEachWorker(2, bytes,
                                  [](int worker) {
                                      if (worker == 1) throw std::runtime_error("no");
                                  }),
                     std::runtime_error);
    }
}

TEST(ParallelTasks, ARunningTeamIsNotWokenToAllocateLittle) {
    constexpr std::uint64_t kLittle = 1000;
    onEachWorker(3, kLittle, [](int) {});  // starts the team
    std::set<std::thread::id> threads;
    onEachWorker(3, kLittle, [&](int) { threads.insert(std::this_thread::get_id()); });
    EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(NotFinite, MatchesDirectSums) {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    std::uint64_t state = 7;
    const auto below = [&](std::uint64_t n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state >> 33) % n;
    };
    for (int round = 0; round < 200; ++round) {
        Kernel k;
        k.width = 1 + static_cast<int>(below(6));
        k.height = 1 + static_cast<int>(below(6));
        k.weights.clear();
        for (int i = 0; i < k.taps(); ++i) k.weights.push_back(static_cast<double>(below(3)) - 1);
        const std::int64_t columns = 1 + static_cast<std::int64_t>(below(20)), rows = 1 + static_cast<std::int64_t>(below(9));
        const std::int64_t width = columns + k.width - 1, height = rows + k.height - 1;
        std::vector<float> samples(static_cast<std::size_t>(width * height));
        for (float& s : samples) {
            const std::uint64_t lot = below(30);
            s = lot == 0 ? nan : lot == 1 ? inf : lot == 2 ? -inf : 1.0F;
        }
        NotFinite notes(k);
        for (std::int64_t y = 0; y < height; ++y) notes.addRow(samples.data() + y * width, width, y, columns, rows);
        for (std::int64_t y = 0; y < rows; ++y) {
            std::vector<float> results(static_cast<std::size_t>(columns), 42.0F);
            notes.apply(results.data(), y, columns);
            for (std::int64_t x = 0; x < columns; ++x) {
                float sum = 0;
                for (int v = 0; v < k.height; ++v)
                    for (int u = 0; u < k.width; ++u)
                        sum += static_cast<float>(k.at(u, v)) * samples[static_cast<std::size_t>((y + v) * width + x + u)];
                const float here = results[static_cast<std::size_t>(x)];
                if (std::isnan(sum)) {
                    EXPECT_TRUE(std::isnan(here));
                } else {
                    EXPECT_EQ(here, std::isfinite(sum) ? 42.0F : sum);
                }
            }
        }
        notes.clear();
        float untouched = 42;
        notes.apply(&untouched, 0, 1);
        EXPECT_EQ(untouched, 42.0F);
    }
}

/// Run by ctest with and without OMP_PLACES: bound threads must not reduce the processors of the process.
TEST(Affinity, BoundThreadsLeaveTheProcessItsProcessors) {
    const bool asked = std::getenv("OMP_PLACES") != nullptr;
    releaseCallingThread();  // this program is linked with OpenMP, which binds its first thread before main()
    EXPECT_EQ(threadBinding() == "free to move", !asked);
    const int all = omp_get_num_procs();
    EXPECT_EQ(effectiveThreads({}), all);
    const auto regions = [&] {
        RunContext context;
        for (const int threads : {1, 2, all}) {
            context.threads = threads;
            parallelTasks(context, 10, threads, [&](std::int64_t, int) {
                EXPECT_TRUE(!asked || effectiveThreads({}) < std::max(all, 2)) << "not bound while it works";
            });
            EXPECT_EQ(effectiveThreads({}), all) << "still bound after a region of " << threads;
        }
    };
    regions();
    std::jthread other(regions);
}

}  // namespace
}  // namespace parallax
