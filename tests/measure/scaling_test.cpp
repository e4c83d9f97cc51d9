// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweeps/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/measure/sweeps/sweep_series.hpp"
#include "tests/measure/lab_record.hpp"

namespace parallax {
namespace {

std::vector<ThreadTime> amdahl(double serial, double one, const std::vector<double>& threads) {
    std::vector<ThreadTime> times;
    for (const double p : threads) times.push_back({p, one * (serial + (1 - serial) / p)});
    return times;
}

TEST(Amdahl, FindsKnownSerialShares) {
    for (const double serial : {0.0, 0.01, 0.1, 0.5, 1.0})
        for (const double one : {1e-3, 1.0, 1e12}) {
            const auto fit = fitAmdahl(amdahl(serial, one, {1, 2, 4, 8, 16}));
            ASSERT_TRUE(fit);
            EXPECT_NEAR(fit->serialShare, serial, 1e-9);
            EXPECT_NEAR(fit->oneThread / one, 1, 1e-9);
            EXPECT_NEAR(fit->residual, 0, 1e-7);
            if (serial > 0) {
                EXPECT_NEAR(fit->largestSpeedup() * serial, 1, 1e-6);
            }
        }
    EXPECT_TRUE(std::isinf(AmdahlFit{}.largestSpeedup()));
}

TEST(Amdahl, ToleratesAFewPerCentOfNoise) {
    auto times = amdahl(0.08, 100, {1, 2, 4, 8, 16, 32});
    for (std::size_t i = 0; i < times.size(); ++i) times[i].time *= i % 2 ? 1.02 : 0.98;
    const auto fit = fitAmdahl(times);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->serialShare, 0.08, 0.01);
    EXPECT_GT(fit->residual, 0.005);
    EXPECT_LT(fit->residual, 0.03);
}

TEST(Amdahl, ClampsToTheRangeOfTheModel) {
    const auto better = fitAmdahl(std::vector<ThreadTime>{{1, 100}, {2, 40}, {4, 15}});  // superlinear
    ASSERT_TRUE(better);
    EXPECT_EQ(better->serialShare, 0);
    const auto worse = fitAmdahl(std::vector<ThreadTime>{{1, 100}, {2, 120}, {4, 150}});
    ASSERT_TRUE(worse);
    EXPECT_EQ(worse->serialShare, 1);
    EXPECT_FALSE(fitAmdahl(std::vector<ThreadTime>{{2, 10}}));
    EXPECT_FALSE(fitAmdahl(std::vector<ThreadTime>{{2, 10}, {2, 11}}));
    EXPECT_FALSE(fitAmdahl(std::vector<ThreadTime>{{2, 10}, {4, 0}, {0, 3}, {8, std::nan("")}}));
    EXPECT_FALSE(fitAmdahl({}));
}

TEST(Scaling, IsRelativeToTheFewestThreads) {
    const std::vector<ThreadTime> one{{4, 30}, {1, 100}, {2, 50}};
    const auto points = scalingOf(one);
    EXPECT_DOUBLE_EQ(points[0].speedup, 100.0 / 30);
    EXPECT_DOUBLE_EQ(points[0].efficiency, 100.0 / 120);
    EXPECT_DOUBLE_EQ(points[2].efficiency, 1);
    const std::vector<ThreadTime> two{{2, 50}, {4, 25}};
    EXPECT_DOUBLE_EQ(scalingOf(two)[0].speedup, 2);
    EXPECT_DOUBLE_EQ(scalingOf(two)[1].speedup, 4);
    EXPECT_TRUE(scalingOf({}).empty());
}

TEST(SweepSeries, RemovesThreadCountsFromLabels) {
    std::vector<RunRecord> records;
    for (const int n : {1, 2, 4})
        records.push_back(labRecord("threads", std::to_string(n),
                                    {labEntry("reference", 1e6), labEntry("openmp.simd:" + std::to_string(n) + "t", 1e6 / n, n),
                                     labEntry("cuda:" + std::to_string(n) + "t#1", 1e4, 0)}));
    const SweepSeries sweep = seriesOf(records);
    ASSERT_EQ(sweep.series.size(), 3u);
    EXPECT_EQ(sweep.series[1].label, "openmp.simd");
    EXPECT_EQ(sweep.series[2].label, "cuda#1");
    ASSERT_EQ(sweep.series[1].points.size(), 3u);
    EXPECT_EQ(sweep.series[1].points[2].x, 4);
    EXPECT_EQ(sweep.series[1].points[2].record, 2u);
    EXPECT_EQ(sweep.series[1].points[2].threads, 4);
    EXPECT_TRUE(sweep.logarithmic());
    // Older records have no note of their sweep.
    for (RunRecord& r : records) r.sweep = {};
    EXPECT_EQ(seriesOf(records).axis, "threads");
    EXPECT_EQ(seriesOf(records).series[1].points[1].x, 2);
    for (int i = 0; i < 3; ++i) {
        records[i].entries = {labEntry("openmp", 1e6)};
        records[i].input.shape.width = 64 << i;
    }
    EXPECT_EQ(seriesOf(records).axis, "size");
    EXPECT_EQ(seriesOf(records).series[0].points[2].x, 256);
    EXPECT_EQ(seriesOf({records[0]}).axis, "");
    for (int i = 0; i < 3; ++i) {
        records[i].input.shape.width = 64;
        records[i].recipe = {"convolve:size=" + std::to_string(2 * i + 3)};
    }
    EXPECT_EQ(seriesOf(records).axis, "recipe");
    EXPECT_EQ(seriesOf(records).values[1], "convolve:size=5");
    EXPECT_TRUE(seriesOf({}).series.empty());
}

TEST(SweepSeries, KeepsTheSerialBaselineApartFromTheSameBackend) {
    const std::vector<RunRecord> records{
        labRecord("threads", "1", {labEntry("openmp.scalar:1t", 4e6)}),
        labRecord("threads", "2", {labEntry("openmp.scalar:2t", 2e6, 2), labEntry("openmp.scalar:1t", 4e6)}),
    };
    const SweepSeries sweep = seriesOf(records);
    ASSERT_EQ(sweep.series.size(), 2u);
    EXPECT_EQ(sweep.series[0].label, "openmp.scalar");
    EXPECT_EQ(sweep.series[0].points.size(), 2u);
    EXPECT_EQ(sweep.series[1].label, "openmp.scalar:1t");
    EXPECT_EQ(sweep.series[1].points.size(), 1u);
}

TEST(SweepSeries, OverPartsHasOneSeriesForABackend) {
    const SweepSeries sweep = seriesOf({
        labRecord("parts", "1", {labEntry("openmp.direct:4t", 4e6), labEntry("openmp.scalar:1t", 9e6)}),
        labRecord("parts", "2", {labEntry("openmp.direct@2:4t", 2e6), labEntry("openmp.scalar:1t", 9e6)}),
    });
    ASSERT_EQ(sweep.series.size(), 2u);
    EXPECT_EQ(sweep.series[0].label, "openmp.direct:4t");
    ASSERT_EQ(sweep.series[0].points.size(), 2u);
    EXPECT_EQ(sweep.series[0].points[1].x, 2);
    EXPECT_EQ(sweep.series[1].label, "openmp.scalar:1t");
}

TEST(SweepSeries, NumbersValuesThatAreWords) {
    const SweepSeries sweep = seriesOf(
        {labRecord("convolve.border", "wrap", {labEntry("a", 1e3)}), labRecord("convolve.border", "constant", {labEntry("a", 2e3)})});
    EXPECT_FALSE(sweep.numeric);
    EXPECT_EQ(sweep.values[1], "constant");
    EXPECT_EQ(sweep.series[0].points[1].x, 1);
    EXPECT_FALSE(sweep.logarithmic());
    EXPECT_TRUE(crossovers(sweep, Time::compute).empty());
}

TEST(Crossover, IsWhereTheLinesMeet) {
    // Serial: 1 ns a size; device: 1000 ns always. They meet at 1000.
    std::vector<RunRecord> records;
    for (const double n : {100.0, 400.0, 4000.0, 10000.0})
        records.push_back(labRecord("size", std::to_string(static_cast<int>(n)), {labEntry("serial", n), labEntry("device", 1000, 0)}));
    const auto found = crossovers(seriesOf(records), Time::compute);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].x, 1000, 5);
    EXPECT_NEAR(found[0].time, 1000, 5);
    EXPECT_EQ(found[0].from, 0u);
    EXPECT_EQ(found[0].to, 1u);
    EXPECT_TRUE(found[0].sure);
    // 2000 ns with its transfer.
    const auto whole = crossovers(seriesOf(records), Time::endToEnd);
    ASSERT_EQ(whole.size(), 1u);
    EXPECT_NEAR(whole[0].x, 2000, 10);
    // Wrong results are ignored.
    for (RunRecord& r : records) r.entries[1].verification = Verification::disagrees;
    EXPECT_TRUE(crossovers(seriesOf(records), Time::compute).empty());
}

TEST(Crossover, NeedsMeasuredValuesOnBothSides) {
    std::vector<RunRecord> records{labRecord("size", "100", {labEntry("a", 100), labEntry("b", 200)}),
                                   labRecord("size", "200", {labEntry("a", 110), labEntry("b", 210)})};
    EXPECT_TRUE(crossovers(seriesOf(records), Time::compute).empty());
    records[1].entries[1] = labEntry("b", 50);
    EXPECT_EQ(crossovers(seriesOf(records), Time::compute).size(), 1u);
    records[0].entries.pop_back();  // no value at the left
    EXPECT_TRUE(crossovers(seriesOf(records), Time::compute).empty());
}

}  // namespace
}  // namespace parallax
