// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweeps/cost_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/measure/lab_record.hpp"

namespace parallax {
namespace {

/// 1 ms with one part on 1,024 rows, one thread a part, measured up to 4 parts.
CostModel model() {
    CostModel m;
    m.fewest = 1;
    m.most = 4;
    m.compute = m.base = 1'024'000;
    m.rows = 1024;
    m.threads = {{1, 1}, {2, 2}, {4, 4}};
    m.traffic.link = kThreadLink;
    return m;
}

TEST(CostModel, WithoutTrafficDividesTheRows) {
    const CostModel m = model();
    EXPECT_DOUBLE_EQ(m.time(1), 1'024'000);
    EXPECT_DOUBLE_EQ(m.time(4), 256'000);
    EXPECT_DOUBLE_EQ(m.time(1024), 1000);
    EXPECT_DOUBLE_EQ(m.speedup(1024), 1024);
    EXPECT_DOUBLE_EQ(m.efficiency(1024), 1);
    EXPECT_DOUBLE_EQ(m.time(3), 342'000) << "the largest of 3 parts has 342 rows";
}

TEST(CostModel, PartsThatCannotBeSmallerLimitTheSpeedup) {
    CostModel m = model();
    m.rows = 10;
    EXPECT_EQ(m.largestPart(3), 4);
    EXPECT_EQ(m.largestPart(10), 1);
    EXPECT_EQ(m.largestPart(1024), 1);
    EXPECT_DOUBLE_EQ(m.speedup(1024), 10);
    m.traffic.unit = 4;  // three blocks, the last with two rows
    EXPECT_EQ(m.largestPart(1), 10);
    EXPECT_EQ(m.largestPart(2), 8);
    EXPECT_EQ(m.largestPart(3), 4);
    EXPECT_EQ(m.largestPart(1024), 4);
}

TEST(CostModel, MessagesCostLatencyAndBytesOverBandwidth) {
    CostModel m = model();
    m.traffic.received = {.messages = 2, .bytes = 30'000};
    m.latency = 1000;
    m.bandwidth = 10;
    EXPECT_DOUBLE_EQ(m.time(1), 1'024'000);
    EXPECT_DOUBLE_EQ(m.time(4), 256'000 + 2 * 1000 + 3000);
    EXPECT_DOUBLE_EQ(m.time(2), 512'000 + 1 * 1000 + 1500) << "one neighbour";
    EXPECT_DOUBLE_EQ(m.time(1024), 1000 + 5000);
    m.most = 2;  // recorded with one neighbour
    EXPECT_DOUBLE_EQ(m.time(2), 512'000 + 5000);
    EXPECT_DOUBLE_EQ(m.time(4), 256'000 + 10'000);
}

TEST(CostModel, ExchangesHideBehindTheWorkInBetween) {
    CostModel m = model();
    m.traffic.received = {.messages = 2, .bytes = 30'000, .overlapped = 4000};
    m.traffic.edge = 56;  // so that 200 of 256 rows need no halo
    m.latency = 1000;
    m.bandwidth = 10;
    EXPECT_DOUBLE_EQ(m.time(4), 256'000 + 1000);
    EXPECT_DOUBLE_EQ(m.time(8), 128'000 + 5000 - 4000.0 * 72 / 200);
    EXPECT_DOUBLE_EQ(m.time(2), 512'000) << "hidden entirely";
    EXPECT_DOUBLE_EQ(m.time(32), 32'000 + 5000) << "every row needs a halo";
}

TEST(CostModel, PartsThatAreSmallerThanTheHaloReceiveFromMoreParts) {
    CostModel m = model();
    m.traffic.received = {.messages = 2, .bytes = 30'000};
    m.traffic.edge = 8;
    m.latency = 1000;
    m.bandwidth = 10;
    EXPECT_DOUBLE_EQ(m.exchange(256), 5000) << "four rows have two neighbours";
    EXPECT_DOUBLE_EQ(m.exchange(512), 4 * 1000 + 3000);
    EXPECT_DOUBLE_EQ(m.exchange(1024), 8 * 1000 + 3000);
}

TEST(CostModel, CollectiveCallsGrowWithTheLogarithmOfTheParts) {
    CostModel m = model();
    m.traffic.received = {.collectives = 10, .collectiveBytes = 800};
    m.reduction = 500;
    m.bandwidth = 8;
    EXPECT_DOUBLE_EQ(m.time(1), 1'024'000);
    EXPECT_DOUBLE_EQ(m.time(2), 512'000 + 10 * 500 + 100);
    EXPECT_DOUBLE_EQ(m.time(3), 342'000 + 2 * 10 * 500 + 100);
    EXPECT_DOUBLE_EQ(m.time(1024), 1000 + 10 * 10 * 500 + 100);
    EXPECT_LT(m.efficiency(1024), 0.02);
}

TEST(CostModel, ThreadsOfOneRunAreDividedAmongItsParts) {
    CostModel m = model();
    m.threads = {{1, 8}, {2, 8}, {4, 8}};
    EXPECT_DOUBLE_EQ(m.time(8), m.time(1)) << "more parts do not add threads";
    EXPECT_DOUBLE_EQ(m.time(16), m.time(1) / 2) << "each part has one thread at least";
    m.threads = {{1, 4}, {2, 8}, {4, 16}};  // ranks with four threads each
    EXPECT_DOUBLE_EQ(m.time(4), m.time(1) / 4);
    EXPECT_DOUBLE_EQ(m.time(64), m.time(1) / 64);
    m.threads = {{1, 2}, {2, 2}, {4, 4}};  // two threads, then one for each part
    EXPECT_EQ(m.threadsOfPart(1), 2);
    EXPECT_EQ(m.threadsOfPart(2), 1);
    EXPECT_EQ(m.threadsOfPart(16), 1);
    m.threads = {{1, 0}, {2, 0}, {4, 0}};  // devices
    EXPECT_DOUBLE_EQ(m.time(64), m.time(1) / 64);
}

TEST(CostModel, WithoutOnePartTheFewestScalePerfectly) {
    CostModel m = model();
    m.fewest = 2;
    m.threads = {{2, 2}, {4, 4}};
    EXPECT_DOUBLE_EQ(m.time(2), 1'024'000);
    EXPECT_DOUBLE_EQ(m.speedup(2), 2);
    EXPECT_DOUBLE_EQ(m.speedup(8), 8);
}

TEST(CostModel, InWeakScalingEveryPartKeepsItsRows) {
    CostModel m = model();
    m.weak = true;
    EXPECT_EQ(m.largestPart(1), 1024);
    EXPECT_EQ(m.largestPart(1024), 1024);
    EXPECT_DOUBLE_EQ(m.time(64), m.time(1));
    EXPECT_DOUBLE_EQ(m.speedup(64), 64);
    EXPECT_DOUBLE_EQ(m.efficiency(1024), 1);
    m.traffic.received = {.messages = 2, .bytes = 30'000};
    m.latency = 1000;
    m.bandwidth = 10;
    EXPECT_DOUBLE_EQ(m.time(1024), 1'024'000 + 5000);
    m.fewest = 2;  // 1,024 rows on two parts
    m.threads = {{2, 2}, {4, 4}};
    EXPECT_EQ(m.largestPart(8), 512);
    EXPECT_DOUBLE_EQ(m.time(8), 1'024'000 + 5000);
    EXPECT_NEAR(m.efficiency(8), 1'024'000.0 / 1'029'000, 1e-12);
}

TEST(CostModel, PredictsPowersOfTwo) {
    EXPECT_EQ(predictedParts(1).size(), 11U);
    EXPECT_EQ(predictedParts(1).back(), 1024);
    EXPECT_EQ(predictedParts(3)[0], 3);
    EXPECT_EQ(predictedParts(3)[1], 4);
    EXPECT_EQ(predictedParts(2000), std::vector<int>{2000});
}

std::vector<CeilingRecord> links() {
    return {{kThreadLink, "latency", 2, 1, "us", 4},
            {kThreadLink, "bandwidth", 2, 10, "GB/s", 1 << 23},
            {kThreadLink, "reduction", 2, 0.5, "us", 8},
            {kPeerLink, "to 1", 0, 400, "GB/s", 1 << 28, "GPU", "cuda", 0},
            {kPeerLink, "latency to 1", 0, 5, "us", 4096, "GPU", "cuda", 0},
            {kPeerLink, "to 2", 0, 25, "GB/s", 1 << 28, "GPU", "cuda", 0},
            {kPeerLink, "latency to 2", 0, 8, "us", 4096, "GPU", "cuda", 0},
            {kPeerLink, "to 1", 0, 1, "GB/s", 1 << 28, "other", "another", 0},
            {"triad", "memory", 4, 50, "GB/s", 1 << 30}};
}

constexpr PartTraffic kTraffic{.messages = 2, .bytes = 30'000, .collectives = 4, .collectiveBytes = 100};

/// 1 ms on 1,024 rows divided by the parts, plus an exchange of 12 us.
RunRecord point(int parts, double ns, int threads, const std::string& backend = "reference", const char* link = kThreadLink) {
    RunEntry e = labEntry(backend + (parts > 1 ? "@" + std::to_string(parts) : ""), ns, threads);
    if (parts > 1) e.traffic = TrafficRecord{.link = link, .received = kTraffic};
    RunRecord r = labRecord("parts", std::to_string(parts), {e});
    r.input.shape = {64, 1024, 1, 3};
    r.machine.ceilings = links();
    r.machine.usableThreads = 8;
    return r;
}

/// The law of the model itself.
double truth(int parts) {
    const int levels = static_cast<int>(std::ceil(std::log2(parts)));
    return 1'024'000.0 / parts + (parts > 1 ? (2000 + 3000) * std::min(2, parts - 1) / 2.0 + 4 * levels * 500 + 10 : 0);
}

TEST(CostPrediction, RecoversTheLawThatMadeTheRecords) {
    std::vector<RunRecord> records;
    for (const int p : {1, 2, 4, 8}) records.push_back(point(p, truth(p), p));
    const auto all = predictParts(records);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].label, "reference");
    ASSERT_TRUE(all[0].model);
    EXPECT_EQ(all[0].gap, CostGap::none);
    EXPECT_EQ(all[0].model->rows, 1024);
    ASSERT_EQ(all[0].checks.size(), 3U) << "the run that gives the compute time is no check";
    for (const CostPrediction::Check& c : all[0].checks) EXPECT_NEAR(c.error(), 0, 1e-4) << c.parts;
    for (const int p : predictedParts(1)) EXPECT_NEAR(all[0].model->time(p) / truth(p), 1, 1e-4) << p;
}

TEST(CostPrediction, StatesMedianAndWorstError) {
    std::vector<RunRecord> records{point(1, truth(1), 1)};
    for (const auto& [p, factor] : {std::pair{2, 1.0}, {4, 1.25}, {8, 0.8}}) records.push_back(point(p, truth(p) * factor, p));
    const auto all = predictParts(records);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_NEAR(all[0].checks[1].error(), -0.2, 1e-3);
    EXPECT_NEAR(all[0].checks[2].error(), 0.25, 1e-3);
    EXPECT_NEAR(*all[0].medianError(), 0.2, 1e-3);
    EXPECT_NEAR(*all[0].worstError(), 0.25, 1e-3);
}

TEST(CostPrediction, LeavesOutPointsWithMoreThreadsThanTheMachine) {
    std::vector<RunRecord> records;
    for (const int p : {1, 2, 16}) records.push_back(point(p, truth(std::min(p, 8)), p));
    const auto all = predictParts(records);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].checks.size(), 1U);
    EXPECT_EQ(all[0].crowded, 1);
}

TEST(CostPrediction, DevicesUseTheirSlowestLinkAndThreadsForReductions) {
    const auto all = predictParts({point(1, truth(1), 0, "cuda"), point(2, truth(2), 0, "cuda", kPeerLink)});
    ASSERT_EQ(all.size(), 1U);
    ASSERT_TRUE(all[0].model);
    EXPECT_DOUBLE_EQ(all[0].model->latency, 8000);
    EXPECT_DOUBLE_EQ(all[0].model->bandwidth, 25);
    EXPECT_DOUBLE_EQ(all[0].model->reduction, 500);
}

CostPrediction predictionWithout(const std::string& level, PartTraffic traffic = kTraffic, const std::vector<CeilingRecord>& fresh = {}) {
    std::vector<RunRecord> records{point(1, truth(1), 1), point(2, truth(2), 2)};
    for (RunRecord& r : records) std::erase_if(r.machine.ceilings, [&](const CeilingRecord& c) { return c.level == level; });
    records[1].entries[0].traffic->received = traffic;
    return predictParts(records, fresh).at(0);
}

TEST(CostPrediction, HasNoModelWithoutAQuantityThatItNeeds) {
    for (const auto& [level, gap] :
         {std::pair{"latency", CostGap::latency}, {"bandwidth", CostGap::bandwidth}, {"reduction", CostGap::reduction}}) {
        const CostPrediction p = predictionWithout(level);
        EXPECT_FALSE(p.model) << level;
        EXPECT_EQ(p.gap, gap) << level;
        EXPECT_EQ(p.link, kThreadLink);
        EXPECT_FALSE(p.medianError());
        EXPECT_TRUE(predictionWithout(level, kTraffic, links()).model) << "measured later";
        EXPECT_TRUE(predictionWithout(level, {}).model) << "not needed";
    }
    EXPECT_TRUE(predictionWithout("latency", {.collectives = 4, .collectiveBytes = 8}).model);
    EXPECT_TRUE(predictionWithout("reduction", {.messages = 2, .bytes = 8}).model);

    std::vector<RunRecord> records{point(1, truth(1), 1), point(2, truth(2), 2)};
    records[1].entries[0].traffic->uncounted = "poisson / cuda / cg";
    EXPECT_EQ(predictParts(records)[0].gap, CostGap::uncounted);
    EXPECT_EQ(predictParts(records)[0].uncounted, "poisson / cuda / cg");
    records[1].entries[0].traffic.reset();
    EXPECT_EQ(predictParts(records)[0].gap, CostGap::traffic);
}

TEST(CostPrediction, IgnoresWrongResultsAndBackendsThatWereNotSwept) {
    std::vector<RunRecord> records{point(1, truth(1), 1), point(2, truth(2), 2), point(4, truth(4), 4)};
    for (RunRecord& r : records) r.entries.push_back(labEntry("openmp.scalar:1t", 5e6));
    ASSERT_EQ(predictParts(records).size(), 1U);
    records[2].entries[0].verification = Verification::disagrees;
    EXPECT_EQ(predictParts(records)[0].model->most, 2);
    records[1].entries[0].verification = Verification::disagrees;
    EXPECT_TRUE(predictParts(records).empty());
    EXPECT_TRUE(predictParts({}).empty());
}

TEST(CostPrediction, OfWeakScalingStartsFromTheImageOfTheFewestParts) {
    std::vector<RunRecord> records;
    for (const int p : {1, 2, 4}) {
        RunRecord& r = records.emplace_back(point(p, 1'024'000 + (p > 1 ? truth(p) - 1'024'000.0 / p : 0), p));
        r.sweep.axis = "weak";
        r.input.shape.height = 1024 * p;
    }
    const CostPrediction p = predictParts(records).at(0);
    ASSERT_TRUE(p.model && p.model->weak);
    EXPECT_EQ(p.model->rows, 1024);
    for (const CostPrediction::Check& c : p.checks) EXPECT_NEAR(c.error(), 0, 1e-4) << c.parts;
}

TEST(CostPrediction, OfAVolumeCountsSlices) {
    std::vector<RunRecord> records{point(1, truth(1), 1), point(2, truth(2), 2)};
    for (RunRecord& r : records) r.input.shape = {64, 32, 100, 1};
    EXPECT_EQ(predictParts(records)[0].model->rows, 100);
}

}  // namespace
}  // namespace parallax
