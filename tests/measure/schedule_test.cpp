// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace parallax {
namespace {

ProtocolRecord protocol() { return {"test", 0, 5, 0, 1000, 0.01, 7}; }

TEST(Schedule, EachRoundVisitsEveryCandidateOnceInRandomOrder) {
    SamplingSchedule schedule(protocol(), 4);
    std::set<std::vector<std::size_t>> orders;
    for (int round = 0; round < 5; ++round) {
        std::vector<std::size_t> order;
        for (int i = 0; i < 4; ++i) {
            order.push_back(schedule.next().value());
            schedule.add(order.back(), 100 + round, 1);
        }
        EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), 4U);
        orders.insert(order);
    }
    EXPECT_GT(orders.size(), 1U);
}

TEST(Schedule, ShortAndLongSamplesFinishTogether) {
    ProtocolRecord p = protocol();
    p.minimumSeconds = 1;
    p.targetNoise = 1;
    SamplingSchedule schedule(p, 2);
    std::vector<std::size_t> order;
    // Candidate 0 needs its five samples of 0.5 s, candidate 1 a hundred of 0.01 s.
    while (const auto who = schedule.next()) {
        order.push_back(*who);
        schedule.add(*who, 100, *who == 0 ? 0.5 : 0.01);
    }
    EXPECT_NEAR(static_cast<double>(schedule.values(0).size()), 5, 1);
    EXPECT_NEAR(static_cast<double>(schedule.values(1).size()), 100, 20);
    // Both are sampled in every quarter.
    const std::size_t quarter = order.size() / 4;
    for (std::size_t q = 0; q < 3; ++q)
        EXPECT_GE(std::count(order.begin() + static_cast<std::ptrdiff_t>(q * quarter),
                             order.begin() + static_cast<std::ptrdiff_t>((q + 1) * quarter), std::size_t{0}),
                  1)
            << q;
}

TEST(Schedule, TurnsAreLongerWhereSwitchingIsSlow) {
    ProtocolRecord p = protocol();
    p.targetNoise = 0;
    p.maximumSeconds = 2;
    for (const double minimum : {0.0, 0.12, 1.0}) {  // a share of a block is none, half of a switch, four of them
        p.minimumSeconds = minimum;
        SamplingSchedule schedule(p, 2);
        std::optional<std::size_t> last;
        double seconds = 0;
        int samples = 0, turns = 0;
        while (const auto who = schedule.next()) {
            const double switching = last && last != who ? 0.01 : 0;
            turns += switching > 0 ? 1 : 0;
            seconds += 0.001 + switching;
            schedule.add(*who, 100 + std::fmod(0.618 * ++samples, 1), 0.001, switching);
            last = who;
        }
        EXPECT_NEAR(seconds, 4, 0.05) << "switching counts";
        const double first = static_cast<double>(schedule.values(0).size()), second = static_cast<double>(schedule.values(1).size());
        EXPECT_NEAR(first, second, 0.1 * first);
        // In half the rounds, the first turn continues that of the round before.
        EXPECT_NEAR(static_cast<double>(samples) / turns, minimum == 0 ? 4.0 / 3 : minimum < 1 ? 5.5 : 10.5, 0.6) << minimum;
    }
}

TEST(Schedule, CandidatesThatFinishLoseTheirTurn) {
    ProtocolRecord p = protocol();
    p.minimumSeconds = 100;
    p.maximumSeconds = 1;
    SamplingSchedule schedule(p, 2);
    const std::size_t first = schedule.next().value();
    schedule.add(first, 100, 0.1, 0.5);
    EXPECT_FALSE(schedule.beginsBlock());
    EXPECT_EQ(schedule.next(), first) << "its samples took less time than the switch";
    schedule.drop(first);
    EXPECT_EQ(schedule.next(), 1 - first);
    schedule.add(1 - first, 100, 0.1, 0.2);
    EXPECT_EQ(schedule.next(), 1 - first);
}

TEST(Schedule, BlocksBeginBetweenRounds) {
    ProtocolRecord p = protocol();
    p.minimumSeconds = 1;
    p.targetNoise = 1;
    SamplingSchedule schedule(p, 2);
    EXPECT_FALSE(schedule.beginsBlock()) << "the first has begun already";
    int blocks = 1, left = 0;
    for (;;) {
        if (schedule.beginsBlock()) {
            ++blocks;
            EXPECT_EQ(left, 0) << "in the midst of a round";
            EXPECT_FALSE(schedule.beginsBlock());
        }
        const auto who = schedule.next();
        if (!who) break;
        left = left == 0 ? 1 : 0;  // rounds of two
        schedule.add(*who, 100, 0.01);
    }
    EXPECT_NEAR(blocks, SamplingSchedule::kBlocks, SamplingSchedule::kBlocks / 3);
    EXPECT_EQ(schedule.blocks(0).size(), static_cast<std::size_t>(blocks));
    EXPECT_EQ(schedule.blocks(1).size(), static_cast<std::size_t>(blocks));
}

TEST(Schedule, PreparingAgainIsLimitedToItsShareOfTheTime) {
    ProtocolRecord p = protocol();
    p.minimumSeconds = 4;
    SamplingSchedule schedule(p, 3);
    schedule.prepared(0, 1);
    schedule.prepared(1, 1);
    schedule.prepared(2, 100);  // never cheap enough
    std::vector<double> times;
    double now = 0;
    for (int i = 0; i < 300; ++i) {
        if (schedule.beginsBlock()) {
            const auto& again = schedule.toPrepareAgain();
            EXPECT_EQ(std::set<std::size_t>(again.begin(), again.end()), (std::set<std::size_t>{0, 1}));
            for (const std::size_t one : again) schedule.prepared(one, 1);
            times.push_back(now);
        }
        schedule.add(schedule.next().value(), 100 + i % 2 * 50, 0.5);
        now += 0.5;
    }
    // Two seconds of preparing for eight of samples of the two, while those of the third take four.
    ASSERT_GE(times.size(), 5U);
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], 12.0 * static_cast<double>(i + 1), 2) << i;
}

TEST(Schedule, PreciseCandidatesContinueUntilAllArePrecise) {
    ProtocolRecord p = protocol();
    p.targetNoise = 0.01;
    SamplingSchedule schedule(p, 2);
    std::uint64_t noise = 1;
    while (const auto who = schedule.next()) {
        noise = noise * 6364136223846793005ULL + 1442695040888963407ULL;
        schedule.add(*who, *who == 0 ? 100 : 100 + static_cast<double>(noise >> 60), 1);
    }
    EXPECT_GT(schedule.values(1).size(), 20U);
    EXPECT_NEAR(static_cast<double>(schedule.values(0).size()), static_cast<double>(schedule.values(1).size()), 1);
}

TEST(Schedule, SeedDeterminesTheOrder) {
    const auto order = [](std::uint64_t seed) {
        ProtocolRecord p = protocol();
        p.seed = seed;
        SamplingSchedule schedule(p, 3);
        std::vector<std::size_t> all;
        for (int i = 0; i < 12; ++i) {
            all.push_back(schedule.next().value());
            schedule.add(all.back(), i % 2 ? 50 : 150, 1);
        }
        return all;
    };
    EXPECT_EQ(order(1), order(1));
    EXPECT_NE(order(1), order(2));
}

/// How many samples are taken of values that repeat.
std::size_t taken(const ProtocolRecord& p, const std::vector<double>& values, double seconds) {
    SamplingSchedule schedule(p, 1);
    std::size_t n = 0;
    while (schedule.next()) schedule.add(0, values[n++ % values.size()], seconds);
    EXPECT_EQ(schedule.values(0).size(), n);
    return n;
}

TEST(Schedule, StopsWhenTheIntervalIsNarrow) { EXPECT_EQ(taken(protocol(), {100, 100.1, 99.9}, 0.001), 5U); }

TEST(Schedule, ObeysTheMinimumTime) {
    ProtocolRecord p = protocol();
    p.minimumSeconds = 2;
    const std::size_t n = taken(p, {100}, 0.1);
    EXPECT_GE(n, 20U);
    EXPECT_LE(n, 22U);
}

TEST(Schedule, NoiseTakesMoreSamplesUntilTheTimeLimit) {
    ProtocolRecord p = protocol();
    EXPECT_GT(taken(p, {90, 110, 95, 105, 100, 97, 103}, 0.001), 20U);
    p.targetNoise = 0;
    p.maximumSeconds = 3;
    EXPECT_NEAR(static_cast<double>(taken(p, {90, 110, 100}, 0.1)), 30, 1);
}

TEST(Schedule, EndsWithoutATimeLimit) {
    ProtocolRecord p = protocol();
    p.targetNoise = -1;
    EXPECT_EQ(taken(p, {100}, 0), static_cast<std::size_t>(SamplingSchedule::kMaxSamples));
}

TEST(Schedule, SkipsDroppedCandidates) {
    SamplingSchedule schedule(protocol(), 3);
    schedule.drop(1);
    for (int i = 0; i < 10; ++i) {
        const auto next = schedule.next();
        ASSERT_TRUE(next.has_value());
        EXPECT_NE(*next, 1U);
        schedule.add(*next, 100, 0);
    }
    EXPECT_FALSE(schedule.next().has_value());
    EXPECT_FALSE(SamplingSchedule(protocol(), 0).next().has_value());
}

}  // namespace
}  // namespace parallax
