// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/roofline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/measure/sampling/entry_times.hpp"
#include "tests/measure/lab_record.hpp"

namespace parallax {
namespace {

std::vector<CeilingRecord> ceilings() {
    return {{"copy", "L1", 4, 900, "GB/s", 100'000},
            {"triad", "L1", 4, 1000, "GB/s", 100'000},
            {"triad", "memory", 4, 50, "GB/s", 1'000'000'000},
            {"triad", "memory", 1, 20, "GB/s", 1'000'000'000},
            {"fma", "scalar", 4, 40, "GFLOP/s", 0},
            {"fma", "avx2", 4, 400, "GFLOP/s", 0},
            {"copy", "device", 0, 3000, "GB/s", 1U << 30, "GPU"},
            {"fma", "float", 0, 60000, "GFLOP/s", 0, "GPU"},
            {"upload", "pinned", 0, 55, "GB/s", 1U << 30, "GPU"}};
}

/// One entry of so many operations and bytes that takes so many ns.
RunRecord work(double flops, double bytes, double ns, int threads = 4) {
    RunEntry e = labEntry("a", ns, threads);
    e.flops = flops;
    e.bytes = bytes;
    return labRecord("", "", {e});
}

TEST(Roofline, CeilingIsTheBestOfALevelWithAllThreads) {
    const auto best = bestCeilings(ceilings());
    ASSERT_EQ(best.size(), 6u);
    EXPECT_EQ(best[0].name, "L1");
    EXPECT_EQ(best[0].value, 1000);
    EXPECT_EQ(best[0].holdsBytes, 200'000);
    EXPECT_EQ(best[1].name, "memory");
    EXPECT_EQ(best[1].value, 50);
    EXPECT_TRUE(std::isinf(best[1].holdsBytes));
    EXPECT_EQ(best[2].name, "avx2");
    EXPECT_TRUE(best[2].isRate);
    EXPECT_EQ(best[4].device, "GPU");
    EXPECT_TRUE(bestCeilings({}).empty());
}

TEST(Roofline, CeilingsAndPointsHaveTheSameRatioOnEachAxis) {
    RunRecord record = work(1e9, 2e9, 1e8);
    record.input.shape = {500, 1000, 1, 2};
    const auto points = rooflinePoints({record}, ceilings());
    ASSERT_EQ(points.size(), 1U);
    const RooflinePoint& p = points[0];
    EXPECT_DOUBLE_EQ(p.gigaflops * p.scale(RooflineQuantity::operations), 10);
    EXPECT_DOUBLE_EQ(p.gigaflops * p.scale(RooflineQuantity::bytes), 20);
    EXPECT_DOUBLE_EQ(p.gigaflops * p.scale(RooflineQuantity::samples), 0.01);
    EXPECT_DOUBLE_EQ(p.gigasamples, 0.01);
    const Ceiling memory{"", "memory", false, 50}, rate{"", "avx2", true, 400};
    for (const double intensity : {0.25, 8.0, 100.0}) {
        EXPECT_DOUBLE_EQ(valueAt(memory, intensity, RooflineQuantity::operations), 50 * intensity);
        EXPECT_DOUBLE_EQ(valueAt(memory, intensity, RooflineQuantity::bytes), 50);
        EXPECT_DOUBLE_EQ(valueAt(rate, intensity, RooflineQuantity::operations), 400);
        EXPECT_DOUBLE_EQ(valueAt(rate, intensity, RooflineQuantity::bytes), 400 / intensity);
    }
    // Memory limits at half an operation a byte.
    EXPECT_DOUBLE_EQ(p.attainable, valueAt(memory, p.intensity, RooflineQuantity::operations));
    EXPECT_DOUBLE_EQ(p.attainable * p.scale(RooflineQuantity::bytes), valueAt(memory, p.intensity, RooflineQuantity::bytes));
}

TEST(Roofline, SeveralDevicesHaveTheSumOfTheirCeilings) {
    RunRecord record = work(1e9, 1e9, 250e3, 0);
    record.entries[0].device = "2 x GPU";
    const auto points = rooflinePoints({record}, ceilings());
    ASSERT_EQ(points.size(), 1u);
    EXPECT_DOUBLE_EQ(points[0].attainable, 6000);
    EXPECT_EQ(points[0].boundBy, "device");
    std::vector<Ceiling> all = bestCeilings(ceilings());
    addSumsOfDevices(all, record.entries);
    addSumsOfDevices(all, record.entries);
    ASSERT_EQ(all.size(), 8u);
    EXPECT_EQ(all[7].device, "2 x GPU");
    EXPECT_EQ(all[7].value, 120'000);
    record.entries[0].device = "many x GPU";
    addSumsOfDevices(all, record.entries);
    EXPECT_EQ(all.size(), 8u);
}

TEST(Roofline, PointsNameTheCeilingThatLimitsThem) {
    const auto point = [](double flops, double bytes, double ns, int threads = 4) {
        const auto points = rooflinePoints({work(flops, bytes, ns, threads)}, ceilings());
        EXPECT_EQ(points.size(), 1u);
        return points.at(0);
    };
    // 1e9 bytes in 40 ms: 25 of 50 GB/s.
    const RooflinePoint slow = point(1e9, 1e9, 40e6);
    EXPECT_NEAR(slow.gigaflops, 25, 0.1);
    EXPECT_NEAR(slow.gigabytes, 25, 0.1);
    EXPECT_DOUBLE_EQ(slow.intensity, 1);
    EXPECT_DOUBLE_EQ(slow.attainable, 50);
    EXPECT_EQ(slow.boundBy, "memory");
    EXPECT_NEAR(slow.share(), 0.5, 0.01);
    EXPECT_FALSE(slow.aboveCeiling);
    // High intensity: limited by the rate.
    EXPECT_EQ(point(1e12, 1e9, 1e10).boundBy, "avx2");
    // Small data: limited by the cache.
    EXPECT_EQ(point(1e4, 1e5, 1e3).boundBy, "L1");
    // Faster than memory, as when the model counts bytes that were not moved.
    const RooflinePoint above = point(1e9, 1e9, 10e6);
    EXPECT_TRUE(above.aboveCeiling);
    EXPECT_FALSE(above.impossible);
    const RooflinePoint impossible = point(1e9, 1e9, 1e6);
    EXPECT_TRUE(impossible.aboveCeiling);
    EXPECT_TRUE(impossible.impossible);
    // Within the precision of the ceilings and the noise of the samples.
    EXPECT_FALSE(point(1e9, 1e9, 19.5e6).aboveCeiling);
    // A device has its own ceilings.
    const RooflinePoint gpu = point(1e12, 1e9, 20e6, 0);
    EXPECT_FALSE(gpu.onProcessor);
    EXPECT_EQ(gpu.boundBy, "float");
    EXPECT_DOUBLE_EQ(gpu.attainable, 60000);
}

TEST(Roofline, ClaimsNothingWithoutCeilingsOrCounts) {
    const auto points = rooflinePoints({work(1e9, 1e9, 1e3)}, {});
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].attainable, 0);
    EXPECT_EQ(points[0].share(), 0);
    EXPECT_FALSE(points[0].aboveCeiling);
    EXPECT_TRUE(rooflinePoints({work(0, 1e9, 1e3), work(1e9, 0, 1e3)}, ceilings()).empty());
    RunRecord own = work(1e9, 1e9, 40e6);
    own.machine.ceilings = {{"triad", "memory", 1, 30, "GB/s", 1U << 30}, {"fma", "avx2", 1, 30, "GFLOP/s", 0}};
    EXPECT_DOUBLE_EQ(rooflinePoints({own}, ceilings()).at(0).attainable, 30);  // a different machine
}

TEST(Timeline, TypicalRunIsTheMedianAmongThoseWithSpans) {
    RunEntry e = labEntry("a", 1000);
    EXPECT_EQ(typicalSample(e), e.samples.size());
    e.samples[0].extendSpan(Stage::compute, 0, 998);
    EXPECT_EQ(typicalSample(e), 0u);
    e.samples[3].extendSpan(Stage::compute, 0, 1001);
    e.samples[3].extendSpan(Stage::compute, 900, 1101);
    EXPECT_EQ(typicalSample(e), 3u);
    EXPECT_EQ(e.samples[3].span(Stage::compute).end, 1101);
    EXPECT_FALSE(e.samples[3].span(Stage::upload).known());
}

}  // namespace
}  // namespace parallax
