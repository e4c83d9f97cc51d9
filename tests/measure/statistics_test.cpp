// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/statistics.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace parallax {
namespace {

// Uses the bits of the generator: distributions differ between standard libraries.
std::vector<double> noisy(std::size_t n, double centre, double spread, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> v;
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;  // of twelve uniform numbers: nearly normal, with variance one
        for (int k = 0; k < 12; ++k) sum += static_cast<double>(random() >> 11) * 0x1p-53;
        v.push_back(centre + spread * (sum - 6));
    }
    return v;
}

TEST(Statistics, MedianOfOddEvenOneAndNone) {
    EXPECT_EQ(median(std::vector<double>{5, 1, 3}), 3);
    EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median(std::vector<double>{7}), 7);
    EXPECT_EQ(median(std::vector<double>{}), 0);
}

TEST(Statistics, QuantilesAreType7) {
    // R: quantile(c(1, 2, 4, 8, 16), c(.25, .75, .95), type = 7) gives 2, 8, 14.4.
    const std::vector<double> v{16, 8, 4, 2, 1};
    EXPECT_DOUBLE_EQ(quantile(v, 0.25), 2);
    EXPECT_DOUBLE_EQ(quantile(v, 0.75), 8);
    EXPECT_DOUBLE_EQ(quantile(v, 0.95), 14.4);
    EXPECT_EQ(quantile(v, 0), 1);
    EXPECT_EQ(quantile(v, 1), 16);
}

TEST(Statistics, SummaryOfKnownSamples) {
    const SampleSummary s = summarise(std::vector<double>{1, 2, 3, 4, 5});
    EXPECT_EQ(s.count, 5U);
    EXPECT_EQ(s.minimum, 1);
    EXPECT_EQ(s.median, 3);
    EXPECT_EQ(s.firstQuartile, 2);
    EXPECT_EQ(s.thirdQuartile, 4);
    EXPECT_LE(s.medianInterval.low, s.median);
    EXPECT_GE(s.medianInterval.high, s.median);
    EXPECT_EQ(s.outliers, 0U);
}

TEST(Statistics, EmptyAndSingle) {
    EXPECT_EQ(summarise(std::vector<double>{}).count, 0U);
    const SampleSummary s = summarise(std::vector<double>{42});
    EXPECT_EQ(s.median, 42);
    EXPECT_EQ(s.medianInterval.low, 42);
    EXPECT_EQ(s.medianInterval.high, 42);
    const Interval none = ratioIntervals(std::vector<double>{}, std::vector<double>{1}, Measured::apart).shown;
    EXPECT_EQ(none.low, 0);
    EXPECT_EQ(none.high, 0);
}

TEST(Statistics, OutliersAreCountedAndKept) {
    std::vector<double> v{10, 10.1, 9.9, 10.2, 9.8, 10, 10.1, 1000};
    const SampleSummary s = summarise(v);
    EXPECT_EQ(s.count, 8U);
    EXPECT_EQ(s.outliers, 1U);
    EXPECT_GT(s.p95, 100);  // it remains in the tail
    // Equal samples have no outliers.
    EXPECT_EQ(summarise(std::vector<double>{5, 5, 5, 5}).outliers, 0U);
}

TEST(Statistics, IntervalIsReproducible) {
    const auto v = noisy(30, 100, 5, 7);
    const SampleSummary a = summarise(v), b = summarise(v);
    EXPECT_EQ(a.medianInterval.low, b.medianInterval.low);
    EXPECT_EQ(a.medianInterval.high, b.medianInterval.high);
}

TEST(Statistics, IntervalsAreThoseOfSortedCopies) {
    // Values of the plain algorithm: copy the drawn samples, then take the median of the copy. Odd and even counts, an empty block.
    const std::vector<std::size_t> blocks{0, 3, 7, 7, 12, 16, 20};
    const auto expect = [](const Interval& in, double low, double high) {
        EXPECT_NEAR(in.low, low, 1e-9);
        EXPECT_NEAR(in.high, high, 1e-9);
    };
    const std::vector<double> odd = noisy(25, 100, 5, 3), even = noisy(40, 100, 5, 3);
    expect(summarise(odd).medianInterval, 95.213198174361, 101.382054867910);
    expect(summarise(even).medianInterval, 96.734381901527, 101.138359415555);
    expect(summarise({odd, blocks}).medianInterval, 95.140665451062, 101.682334462956);
    expect(summarise({even, blocks}).medianInterval, 95.151237229746, 101.682334462956);
    expect(ratioIntervals(noisy(40, 110, 5, 4), even, Measured::apart).sure, 1.078128172476, 1.160068994754);
    const std::vector<double> slower = noisy(25, 110, 5, 4);
    expect(ratioIntervals({slower, blocks}, {odd, blocks}, Measured::together).shown, 1.097425818028, 1.159854984227);
}

TEST(Statistics, IntervalNarrowsWithSamples) {
    const auto few = summarise(noisy(10, 100, 5, 3)).medianInterval, many = summarise(noisy(400, 100, 5, 3)).medianInterval;
    EXPECT_LT(many.high - many.low, few.high - few.low);
}

TEST(Statistics, IntervalHasItsNominalCoverage) {
    int covered = 0;
    constexpr int kTrials = 200;
    for (int i = 0; i < kTrials; ++i) {
        const Interval in = summarise(noisy(25, 100, 5, 1000 + static_cast<std::uint64_t>(i))).medianInterval;
        covered += in.low <= 100 && 100 <= in.high;
    }
    // 95 % nominal; 3 standard deviations of 200 trials are 4.6 %, and the percentile bootstrap of a median is a little off.
    EXPECT_GE(covered, kTrials * 88 / 100);
}

TEST(Statistics, EqualSamplesHaveNoWinner) {
    int winners = 0;
    constexpr int kTrials = 100;
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Verdict v = judge(ratioIntervals(noisy(20, 100, 3, 2 * i), noisy(20, 100, 3, 2 * i + 1), Measured::apart).shown);
        winners += v == Verdict::faster || v == Verdict::slower;
    }
    EXPECT_LE(winners, 10);  // nominally 5 %
}

TEST(Statistics, DetectsAClearDifference) {
    const Interval r = ratioIntervals(noisy(20, 300, 6, 1), noisy(20, 100, 2, 2), Measured::apart).shown;
    EXPECT_GT(r.low, 2.8);
    EXPECT_LT(r.high, 3.2);
    EXPECT_EQ(judge(r), Verdict::faster);
}

/// Ten blocks of eight samples, each block at a level of its own.
struct Blocked {
    std::vector<double> values;
    std::vector<std::size_t> blocks;
};
Blocked blocked(const std::vector<double>& levels, double spread, std::uint64_t seed) {
    Blocked b;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        b.blocks.push_back(b.values.size());
        for (const double v : noisy(8, levels[i], spread, seed + i)) b.values.push_back(v);
    }
    return b;
}
std::vector<double> anyLevels(std::uint64_t seed, double spread) { return noisy(10, 100, spread, seed); }

TEST(Statistics, IntervalIsWiderForDependentSamplesOfBlocks) {
    const Blocked b = blocked(anyLevels(5, 5), 0.2, 50);
    const Interval alone = summarise(b.values).medianInterval, inBlocks = summarise({b.values, b.blocks}).medianInterval;
    EXPECT_GT(inBlocks.high - inBlocks.low, 1.5 * (alone.high - alone.low));
    // Four blocks are too few.
    const std::vector<std::size_t> four{0, 20, 40, 60};
    EXPECT_EQ(summarise({b.values, four}).medianInterval.low, alone.low);
}

TEST(Statistics, DifferencesBetweenBlocksAreNotDifferencesBetweenCandidates) {
    int winners = 0, withoutBlocks = 0;
    constexpr int kTrials = 100;
    const auto isWinner = [](const RatioIntervals& r) {
        const Verdict v = judge(r.sure);
        return v == Verdict::faster || v == Verdict::slower;
    };
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Blocked a = blocked(anyLevels(1000 + i, 6), 1, 9000 + 100 * i), b = blocked(anyLevels(5000 + i, 6), 1, 99000 + 100 * i);
        winners += isWinner(ratioIntervals({a.values, a.blocks}, {b.values, b.blocks}, Measured::together));
        withoutBlocks += isWinner(ratioIntervals(a.values, b.values, Measured::together));
    }
    EXPECT_LE(winners, 3);
    EXPECT_GE(withoutBlocks, 10) << "this test would not find what it is for";
}

TEST(Statistics, CommonDisturbancesDoNotWidenTheRatio) {
    const std::vector<double> levels = anyLevels(3, 15);
    const Blocked a = blocked(levels, 0.2, 10), b = blocked(levels, 0.2, 1000);
    const Interval together = ratioIntervals({a.values, a.blocks}, {b.values, b.blocks}, Measured::together).sure;
    const Interval apart = ratioIntervals({a.values, a.blocks}, {b.values, b.blocks}, Measured::apart).sure;
    EXPECT_EQ(judge(together), Verdict::same) << together.low << " to " << together.high;
    EXPECT_LT(5 * (together.high - together.low), apart.high - apart.low);
}

TEST(Statistics, AcceptsEmptyBlocksAndIgnoresInvalidOnes) {
    const Blocked a = blocked(anyLevels(3, 1), 0.5, 10);
    Blocked b = blocked(anyLevels(4, 1), 0.5, 1000);
    b.values.resize(48);
    for (std::size_t i = 6; i < b.blocks.size(); ++i) b.blocks[i] = 48;
    const Interval r = ratioIntervals({a.values, a.blocks}, {b.values, b.blocks}, Measured::together).shown;
    EXPECT_LT(r.low, 1.01);
    EXPECT_GT(r.high, 0.99);
    // Invalid blocks, as in an edited record, are ignored.
    const Interval alone = summarise(a.values).medianInterval;
    for (const std::vector<std::size_t>& wrong :
         {std::vector<std::size_t>{0, 8, 4, 16, 24, 32, 40}, {0, 8, 16, 24, 32, 1000000}, {3, 8, 16, 24, 32, 40}}) {
        const Interval in = summarise({a.values, wrong}).medianInterval;
        EXPECT_EQ(in.low, alone.low);
        EXPECT_EQ(in.high, alone.high);
    }
}

}  // namespace
}  // namespace parallax
