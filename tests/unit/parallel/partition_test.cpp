// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/image/error.hpp"

namespace parallax {
namespace {

/// Ranges follow each other and cover all units.
void expectComplete(const Partition& partition, std::int64_t units, int parts) {
    ASSERT_EQ(partition.parts(), parts);
    ASSERT_EQ(partition.units(), units);
    std::int64_t next = 0;
    for (int p = 0; p < parts; ++p) {
        EXPECT_EQ(partition[p].first, next);
        EXPECT_GE(partition[p].count(), 0);
        next = partition[p].last;
        for (std::int64_t u = partition[p].first; u < std::min(partition[p].last, partition[p].first + 3); ++u)
            EXPECT_EQ(partition.ownerOf(u), p);
        if (!partition[p].empty()) {
            EXPECT_EQ(partition.ownerOf(partition[p].last - 1), p);
        }
    }
    EXPECT_EQ(next, units);
}

TEST(Partition, SizesDifferByAtMostOne) {
    for (const std::int64_t units : {0, 1, 2, 3, 6, 7, 8, 100, 16384})
        for (const int parts : {1, 2, 3, 4, 7, 64}) {
            const Partition partition(units, parts);
            expectComplete(partition, units, parts);
            EXPECT_LE(partition[0].count() - partition[parts - 1].count(), 1);
        }
}

TEST(Partition, HasEmptyPartsForMorePartsThanRows) {
    const Partition partition(3, 5);
    EXPECT_EQ(partition[2], (PartRange{2, 3}));
    EXPECT_TRUE(partition[3].empty());
    EXPECT_TRUE(partition[4].empty());
    EXPECT_EQ(partition.ownerOf(2), 2);
}

TEST(Partition, BeginsPartsAtMultiplesOfAUnit) {
    const Partition partition(37, 3, 8);
    EXPECT_EQ(partition[0], (PartRange{0, 16}));
    EXPECT_EQ(partition[1], (PartRange{16, 32}));
    EXPECT_EQ(partition[2], (PartRange{32, 37}));
    expectComplete(Partition(5, 4, 8), 5, 4);
}

TEST(Partition, FollowsWeights) {
    const double weights[] = {1, 0, 3};
    const Partition partition(8, weights);
    EXPECT_EQ(partition[0].count(), 2);
    EXPECT_TRUE(partition[1].empty());
    EXPECT_EQ(partition[2].count(), 6);
    std::mt19937_64 random(1);
    for (int round = 0; round < 500; ++round) {
        std::vector<double> some(1 + random() % 9);
        double sum = 0;
        for (double& w : some) sum += w = static_cast<double>(random() % 4) * 0.37;
        if (sum == 0) continue;
        const auto units = static_cast<std::int64_t>(random() % 1000);
        const Partition p(units, some);
        expectComplete(p, units, static_cast<int>(some.size()));
        for (std::size_t i = 0; i < some.size(); ++i)
            EXPECT_NEAR(static_cast<double>(p[static_cast<int>(i)].count()), static_cast<double>(units) * some[i] / sum, 1.01);
    }
}

TEST(Partition, TakesSizes) {
    const std::int64_t sizes[] = {0, 4, 0, 3, 0};
    const Partition partition = Partition::ofSizes(sizes);
    expectComplete(partition, 7, 5);
    EXPECT_EQ(partition.ownerOf(4), 3);
}

TEST(Partition, RefusesWhatCannotBeDivided) {
    EXPECT_THROW(Partition(-1, 2), Error);
    EXPECT_THROW(Partition(4, 0), Error);
    EXPECT_THROW(Partition(4, 2, 0), Error);
    for (const std::vector<double>& bad : {std::vector<double>{}, {0, 0}, {1, -1}, {std::nan(""), 1}, {HUGE_VAL, 1}})
        EXPECT_THROW(Partition(4, bad), Error);
}

}  // namespace
}  // namespace parallax
