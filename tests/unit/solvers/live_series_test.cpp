// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/live_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <thread>

#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

RunSeriesInfo info(const std::string& key) {
    return {
        .key = key, .title = "Title of " + key, .xTitle = "X", .yTitle = "Y", .xUnit = "s", .yUnit = {}, .logarithmic = true, .help = {}};
}

TEST(LiveSeries, KeepsTheWholeRunInABoundedNumberOfPoints) {
    LiveSeries live;
    live.beginRun("run");
    live.beginStep(1, "poisson", {info("a"), info("b")});
    constexpr int kPoints = 100'000;
    for (int i = 0; i < kPoints; ++i) live.add("a", {}, i, 2.0 * i, 1e-3);
    live.add("b", "second", 1, 2);
    live.add("unknown", {}, 1, 2);
    const LiveSeries::Snapshot now = live.snapshot();
    EXPECT_EQ(now.run, "run");
    ASSERT_EQ(now.series.size(), 2U);
    const SeriesRecord& a = now.series[0];
    EXPECT_EQ(a.key, "a");
    EXPECT_EQ(a.title, "Title of a");
    EXPECT_EQ(a.xUnit, "s");
    EXPECT_EQ(a.step, 1);
    EXPECT_EQ(a.operation, "poisson");
    EXPECT_EQ(a.tolerance, 1e-3);
    EXPECT_TRUE(a.logarithmic);
    EXPECT_LE(a.x.size(), LiveSeries::kMaxPoints + 1);
    EXPECT_GT(a.x.size(), LiveSeries::kMaxPoints / 3);
    EXPECT_EQ(a.x.front(), 0);
    EXPECT_EQ(a.x.back(), kPoints - 1);
    // Evenly spread, and each with its own value.
    double longest = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) {
        EXPECT_EQ(a.y[i], 2 * a.x[i]);
        if (i > 0) {
            EXPECT_GT(a.x[i], a.x[i - 1]);
            longest = std::max(longest, a.x[i] - a.x[i - 1]);
        }
    }
    EXPECT_LT(longest, 3.0 * kPoints / static_cast<double>(LiveSeries::kMaxPoints));
    EXPECT_EQ(now.series[1].label, "second");
    live.beginRun("next");
    EXPECT_TRUE(live.snapshot().series.empty());
    for (std::size_t i = 0; i < 3 * LiveSeries::kMaxCurves; ++i) {
        live.beginStep(static_cast<int>(i), "poisson", {info("a")});
        live.add("a", {}, 1, 1);
    }
    EXPECT_EQ(live.snapshot().series.size(), LiveSeries::kMaxCurves);
}

TEST(LiveSeries, CanBeReadWhileARunAddsPoints) {
    LiveSeries live;
    live.beginRun("run");
    live.beginStep(0, "poisson", {info("a")});
    std::jthread writer([&](const std::stop_token& stop) {
        for (int i = 0; !stop.stop_requested(); ++i) live.add("a", {}, i, i);
    });
    std::uint64_t before = 0;
    for (int reads = 0; reads < 200;) {
        const std::uint64_t version = live.version();
        if (version == before) continue;
        before = version;
        ++reads;
        for (const SeriesRecord& s : live.snapshot().series) {
            ASSERT_EQ(s.x.size(), s.y.size());
            EXPECT_EQ(s.x, s.y);
        }
    }
}

/// Live points agree with the series of the finished run.
TEST(LiveSeries, GetsTheResidualsOfARun) {
    const Catalog& catalog = processCatalog();
    const auto image = std::make_shared<const Image>(makeSynthetic(parseSynthetic("synthetic:noise:40x30")));
    LiveSeries live;
    live.beginRun("reference");
    RunContext context{.live = &live};
    const Pipeline pipeline = parsePipeline(catalog, {"convolve:size=3", "diffuse:weights=perona-malik,steps=2"});
    const RunResult result = Engine(catalog).run(pipeline, image, {.backend = kReferenceBackend}, context);
    const LiveSeries::Snapshot now = live.snapshot();
    ASSERT_EQ(result.series.size(), 4U);
    ASSERT_EQ(now.series.size(), result.series.size());
    for (const SeriesRecord& expected : result.series) {
        const auto found = std::find_if(now.series.begin(), now.series.end(),
                                        [&](const SeriesRecord& s) { return s.key == expected.key && s.label == expected.label; });
        ASSERT_NE(found, now.series.end()) << expected.key << expected.label;
        EXPECT_EQ(found->step, 1);
        EXPECT_EQ(found->title, expected.title);
        EXPECT_EQ(found->x, expected.x);
        EXPECT_EQ(found->y, expected.y);
        EXPECT_EQ(found->tolerance, 1e-12);
        EXPECT_EQ(expected.tolerance, 1e-12);
    }
}

}  // namespace
}  // namespace parallax
