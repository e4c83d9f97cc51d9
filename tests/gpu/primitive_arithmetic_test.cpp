// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the primitives' kernels, on the host. Needs no device.
#include <cmath>
#include <limits>
#include <vector>

#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/operators.hpp"
#include "gpu/primitives/scan_blelloch.hpp"
#include "gpu/primitives/tuning.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Sums the logarithms of a list as `threads` threads would.
LogSum productSum(const std::vector<float>& values, float delta, int threads) {
    const LogSumOperator op{delta};
    Running<LogSumOperator> all(op);
    for (int t = 0; t < threads; ++t) {
        Running<LogSumOperator> mine(op);
        int adds = 0;
        for (std::size_t i = static_cast<std::size_t>(t); i < values.size(); i += static_cast<std::size_t>(threads)) {
            mine.add(op, values[i]);
            if (++adds % Running<LogSumOperator>::kMaxAdds == 0) mine.settle();
        }
        mine.settle();
        all.merge(op, mine);
    }
    return all.value(op);
}

TEST(PrimitiveArithmetic, LogarithmOfAProductIsTheSumOfLogarithms) {
    Random random(1);
    for (const int threads : {1, 7, 256})
        for (const float spread : {0.0F, 1.0F, 20.0F, 80.0F}) {
            std::vector<float> values;
            double sum = 0;
            constexpr float delta = 1e-6F;
            for (int i = 0; i < 20000; ++i) {
                values.push_back(spread == 0 ? 0.18F : std::exp(spread * random.uniform()));
                sum += std::log(static_cast<double>(values.back() + delta));
            }
            const LogSum result = productSum(values, delta, threads);
            EXPECT_EQ(result.count, 20000);
            // One rounding of a product per element, in the worst case all in the same direction.
            EXPECT_NEAR(result.sum, sum, 20000 * 6e-8) << threads << " threads, spread " << spread;
        }
}

TEST(PrimitiveArithmetic, LogarithmsOfSubnormalAndExtremeNumbersAreExact) {
    for (const float x : {std::numeric_limits<float>::denorm_min(), 1e-40F, 0x1p-127F, std::numeric_limits<float>::min(), 1.0F, 1.9999999F,
                          std::numeric_limits<float>::max()}) {
        const LogSum result = productSum(std::vector<float>(1000, x), 0, 1);
        EXPECT_EQ(result.count, 1000) << x;
        EXPECT_NEAR(result.sum / 1000, std::log(static_cast<double>(x)), 1.2e-7) << x;
    }
}

TEST(PrimitiveArithmetic, SamplesWithoutALogarithmAreLeftOut) {
    const std::vector<float> values{kNan, kInfinity, -kInfinity, -1.0F, -0.0F, 0.0F, 2.0F};
    for (const int threads : {1, 3}) {
        EXPECT_EQ(productSum(values, 0, threads).count, 1);
        EXPECT_NEAR(productSum(values, 0, threads).sum, std::log(2.0), 1e-7);
        EXPECT_EQ(productSum(values, 0.5F, threads).count, 3);
        EXPECT_NEAR(productSum(values, 0.5F, threads).sum, 2 * std::log(0.5) + std::log(2.5), 1e-6);
    }
    EXPECT_EQ(productSum({}, 0, 1).count, 0);
    EXPECT_EQ(productSum({}, 0, 1).sum, 0);
    const LogSumOperator op{0.5F};
    double sum = 0;
    std::int64_t count = 0;
    for (const float v : values) {
        const LogSum one = op.map(v);
        sum += one.sum;
        count += one.count;
    }
    EXPECT_EQ(count, 3);
    EXPECT_NEAR(sum, 2 * std::log(0.5) + std::log(2.5), 1e-6);
}

TEST(PrimitiveArithmetic, ExtremesIgnoreNonFiniteElements) {
    const MinimumOperator minimum;
    const MaximumOperator maximum;
    for (const float x : {kNan, kInfinity, -kInfinity}) {
        EXPECT_EQ(minimum.map(x), minimum.identity());
        EXPECT_EQ(maximum.map(x), maximum.identity());
    }
    EXPECT_EQ(minimum.combine(minimum.map(3), minimum.map(-4)), -4);
    EXPECT_EQ(maximum.combine(maximum.map(3), maximum.map(-4)), 3);
}

TEST(PrimitiveArithmetic, ChunksCoverEveryLengthAndDependOnItAlone) {
    for (std::int64_t n = 0; n < (std::int64_t{1} << 40); n = n * 5 / 3 + 1) {
        const Chunks chunks = Chunks::of(n, kReductionTuning);
        EXPECT_EQ(chunks.length % kReductionTuning.step(), 0) << n;
        EXPECT_GE(chunks.length * chunks.count, n);
        EXPECT_LT(chunks.length * (chunks.count - 1), std::max<std::int64_t>(n, 1)) << n << ": an empty chunk";
        // 32-bit counters suffice for each thread's elements of a chunk, and a launch can have that many blocks.
        EXPECT_LE(chunks.length / kReductionTuning.threads, 1 << 23);
        EXPECT_LT(chunks.count, std::int64_t{1} << 31);
        if (n <= Chunks::kManyChunks * Chunks::kMaxSteps * kReductionTuning.step()) {
            EXPECT_LE(chunks.count, Chunks::kManyChunks) << n;
        }
    }
}

TEST(PrimitiveArithmetic, BinsHaveEqualWidthAndIncludeBothEnds) {
    const Binning b = Binning::of({-1, 3}, 8);
    EXPECT_EQ(b.slot(-1), 0);
    EXPECT_EQ(b.slot(-0.51F), 0);
    EXPECT_EQ(b.slot(-0.5F), 1);
    EXPECT_EQ(b.slot(2.99F), 7);
    EXPECT_EQ(b.slot(3), 7);
    EXPECT_EQ(b.slot(std::nextafter(-1.0F, -2.0F)), 8);
    EXPECT_EQ(b.slot(-kInfinity), 8);
    EXPECT_EQ(b.slot(std::nextafter(3.0F, 4.0F)), 9);
    EXPECT_EQ(b.slot(kInfinity), 9);
    EXPECT_EQ(b.slot(kNan), 10);
}

TEST(PrimitiveArithmetic, BinsHandleOneValueAndExtremeLimits) {
    const Binning one = Binning::of({0.25F, 0.25F}, 16);
    EXPECT_EQ(one.slot(0.25F), 0);
    EXPECT_EQ(one.slot(0.24F), 16);
    EXPECT_EQ(one.slot(0.26F), 17);
    constexpr float most = std::numeric_limits<float>::max();
    const Binning wide = Binning::of({-most / 2, most / 2}, 4);
    EXPECT_EQ(wide.slot(-most / 2), 0);
    EXPECT_EQ(wide.slot(1.0F), 2);
    EXPECT_EQ(wide.slot(most / 2), 3);
    const Binning narrow = Binning::of({0, 1e-40F}, 2);
    EXPECT_EQ(narrow.slot(0), 0);
    EXPECT_EQ(narrow.slot(1e-40F), 1);
    const Binning nothing = Binning::of({1, -1}, 4);  // reversed limits contain nothing
    for (const float x : {-2.0F, 0.0F, 2.0F}) EXPECT_GE(nothing.slot(x), 4);
}

TEST(PrimitiveArithmetic, BinsFollowTheDivision) {
    Random random(3);
    for (int i = 0; i < 20000; ++i) {
        const HistogramLimits limits{-2 + random.uniform(), 2 + random.uniform()};
        const int bins = 1 + static_cast<int>(random.bits() % 1000);
        const Binning b = Binning::of(limits, bins);
        const float x = limits.low + (limits.high - limits.low) * 0.5F * (1 + random.uniform());
        if (x < limits.low || x > limits.high) continue;
        const double exact = (static_cast<double>(x) - static_cast<double>(limits.low)) * bins /
                             (static_cast<double>(limits.high) - static_cast<double>(limits.low));
        EXPECT_NEAR(b.slot(x) + 0.5, exact, 0.5 + 1e-6 * bins);
    }
}

TEST(PrimitiveArithmetic, SweepsOverTheTreeMakeAnExclusiveScan) {
    std::vector<int> shared(kScanPadded, -1);
    std::vector<bool> taken(kScanPadded, false);
    for (int i = 0; i < kScanElements; ++i) {
        ASSERT_LT(scanPlace(i), kScanPadded);
        EXPECT_FALSE(taken[static_cast<std::size_t>(scanPlace(i))]) << "two elements at one position";
        taken[static_cast<std::size_t>(scanPlace(i))] = true;
        shared[static_cast<std::size_t>(scanPlace(i))] = i % 17 + 1;
    }
    const auto at = [&](int place) -> int& { return shared[static_cast<std::size_t>(place)]; };
    int worst = 0;
    const auto conflicts = [&](int nodes) {  // of the first warp's accesses to the left children
        std::vector<int> banks(kScanBanks);
        for (int i = 0; i < std::min(nodes, 32); ++i)
            worst = std::max(worst, ++banks[static_cast<std::size_t>(scanNode(i, nodes).left % kScanBanks)]);
    };
    for (int nodes = kScanElements / 2; nodes > 0; nodes /= 2) {
        conflicts(nodes);
        for (int i = 0; i < nodes; ++i) at(scanNode(i, nodes).right) += at(scanNode(i, nodes).left);
    }
    at(scanPlace(kScanElements - 1)) = 0;
    for (int nodes = 1; nodes < kScanElements; nodes *= 2)
        for (int i = 0; i < nodes; ++i) {
            const ScanNode node = scanNode(i, nodes);
            const int left = at(node.left);
            at(node.left) = at(node.right);
            at(node.right) += left;
        }
    int sum = 0;
    for (int i = 0; i < kScanElements; ++i) {
        EXPECT_EQ(at(scanPlace(i)), sum);
        sum += i % 17 + 1;
    }
    EXPECT_LE(worst, 2) << "lanes that use the same bank; 32 without the gaps";
}

TEST(PrimitiveArithmetic, SumsOfBlocksCoverEveryLevel) {
    EXPECT_EQ(scanSums(0), 0);
    EXPECT_EQ(scanSums(kScanElements), 0);
    EXPECT_EQ(scanSums(kScanElements + 1), 2);
    EXPECT_EQ(scanSums(std::int64_t{kScanElements} * kScanElements), kScanElements);
    EXPECT_EQ(scanSums(std::int64_t{kScanElements} * kScanElements + 1), kScanElements + 1 + 2);
}

}  // namespace
}  // namespace parallax::gpu
