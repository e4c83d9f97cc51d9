// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/primitives/blocks.hpp"
#include "core/primitives/histogram.hpp"
#include "core/primitives/reduction.hpp"

namespace parallax {
namespace {

TEST(Blocks, CoverAllRowsOnce) {
    for (const std::int64_t width : {1LL, 7LL, 1000LL, 65536LL, 1000000LL})
        for (const std::int64_t rows : {1LL, 2LL, 63LL, 100001LL}) {
            const RowBlocks blocks(rows, width);
            std::int64_t next = 0;
            for (std::int64_t i = 0; i < blocks.count(); ++i) {
                EXPECT_EQ(blocks[i].first, next);
                EXPECT_GT(blocks[i].count(), 0);
                EXPECT_LE((blocks[i].count() - 1) * width, RowBlocks::kSamples);
                next = blocks[i].last;
            }
            EXPECT_EQ(next, rows);
        }
}

TEST(Reduction, OfNoValuesHasZeroMean) {
    const Reduction none;
    EXPECT_EQ(none.mean(), 0);
    EXPECT_EQ(none.range(), 0);
    EXPECT_EQ(logAverage(none), 1);
    EXPECT_TRUE(combine({}).empty());
}

TEST(Reduction, CombinesBlocksInOrder) {
    Reduction whole;
    std::vector<Reduction> blocks(10);
    double plain = 0;
    for (int i = 0; i < 1000; ++i) {
        const double value = std::sin(i) * 1e3 + 1 / (1.0 + i);
        whole.add(value);
        blocks[static_cast<std::size_t>(i / 100)].add(value);
        plain += value;
    }
    const Reduction all = combine(blocks);
    EXPECT_EQ(all.count, 1000);
    EXPECT_EQ(all.minimum, whole.minimum);
    EXPECT_EQ(all.maximum, whole.maximum);
    EXPECT_NEAR(all.sum, plain, 1e-9);
    EXPECT_EQ(combine(blocks).sum, all.sum) << "the same bits each time";
    Reduction logs;
    for (const double v : {1.0, 4.0, 16.0}) logs.add(std::log(v));
    EXPECT_NEAR(logAverage(logs), 4, 1e-14);
}

TEST(Histogram, CountsInBinsAndAtTheirEdges) {
    const BinScale<double> scale{-1, 2, 6};  // -1 .. 2 in halves
    EXPECT_EQ(scale.binOf(-1), 0);
    EXPECT_EQ(scale.binOf(-0.51), 0);
    EXPECT_EQ(scale.binOf(-0.5), 1);
    EXPECT_EQ(scale.binOf(1.99), 5);
    EXPECT_EQ(scale.binOf(2), 5) << "the largest value belongs to the last bin";
    EXPECT_EQ(scale.binOf(1e30), 5);
    EXPECT_EQ(scale.binOf(-1e30), 0);
    EXPECT_EQ(scale.binOf(std::numeric_limits<double>::quiet_NaN()), 0) << "defined, although callers exclude NaN";
    const BinScale<float> empty{3, 0, 1};
    EXPECT_EQ(empty.binOf(3), 0);

    Histogram a(6), b(6);
    for (const double v : {-1.0, 0.2, 0.3, 1.9}) a.add(scale.binOf(v));
    b.add(2, 5);
    a.merge(b);
    EXPECT_EQ(a.counts(), (std::vector<std::uint64_t>{1, 0, 7, 0, 0, 1}));
    EXPECT_EQ(a.total(), 9U);
}

}  // namespace
}  // namespace parallax
