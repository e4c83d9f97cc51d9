// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/charts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/report/charts/chart_data.hpp"
#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/svg_chart.hpp"
#include "core/report/formats/formats.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

std::vector<RunRecord> sizes(std::initializer_list<std::int64_t> edges) {
    std::vector<RunRecord> records;
    for (const std::int64_t edge : edges) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.input.shape.width = r.input.shape.height = edge;
        r.sweep = {"size", std::to_string(edge)};
        for (RunEntry& e : r.entries)
            for (StageTimes& t : e.samples) t[Stage::compute] = t.compute() * edge / 64;
    }
    return records;
}

TEST(SummaryRow, HoldsTheMedianOfEachStage) {
    const SummaryRow row = summarise(sampleRecord()).front();
    EXPECT_EQ(row.stage(Stage::upload), 800'000);
    EXPECT_EQ(row.stage(Stage::download), 400'000);
    EXPECT_EQ(row.stackedTime(), row.stage(Stage::upload) + row.stage(Stage::compute) + row.stage(Stage::download));
    EXPECT_FALSE(row.stagesOverlap());
    RunRecord overlapped = sampleRecord();
    for (StageTimes& t : overlapped.entries[0].samples) t.setOverlapped(t.compute());
    EXPECT_TRUE(summarise(overlapped).front().stagesOverlap());
}

TEST(TimelineLanes, PutOverlappingStagesOnTracksOfTheirOwn) {
    RunRecord record = sampleRecord();
    EXPECT_TRUE(timelineLanes(record).empty());  // no span is known
    for (StageTimes& t : record.entries[1].samples) {
        t.extendSpan(Stage::upload, 0, 100);
        t.extendSpan(Stage::compute, 50, 200);
        t.extendSpan(Stage::download, 200, 260);
    }
    const auto lanes = timelineLanes(record);
    ASSERT_EQ(lanes.size(), 1U);
    EXPECT_EQ(lanes[0].label, "fast");
    EXPECT_EQ(lanes[0].entry, 1U);
    EXPECT_EQ(lanes[0].tracks, 2);
    EXPECT_EQ(lanes[0].end(), 260);
    ASSERT_EQ(lanes[0].boxes.size(), 3U);
    EXPECT_EQ(lanes[0].boxes[1].stage, Stage::compute);
    EXPECT_EQ(lanes[0].boxes[1].track, 1);
    EXPECT_EQ(lanes[0].boxes[2].track, 0);
}

TEST(TimelineLanes, PutStripsOnATrackForEachStage) {
    RunRecord record = sampleRecord();
    for (StageTimes& t : record.entries[0].samples) {
        t.extendSpan(Stage::upload, 0, 300);
        t.keepPieces({{Stage::upload, 0, {0, 100}}, {Stage::compute, 0, {100, 200}}, {Stage::upload, 1, {100, 300}}});
    }
    const auto lanes = timelineLanes(record);
    ASSERT_EQ(lanes.size(), 1U);
    ASSERT_EQ(lanes[0].boxes.size(), 3U);
    EXPECT_EQ(lanes[0].tracks, 2);
    EXPECT_EQ(lanes[0].boxes[0].track, lanes[0].boxes[2].track);
    EXPECT_NE(lanes[0].boxes[0].track, lanes[0].boxes[1].track);
    EXPECT_EQ(lanes[0].boxes[2].busy, 200);
}

TEST(ScalingCurves, HaveSpeedupIntervalAndLaw) {
    std::vector<RunRecord> records;
    for (const int n : {1, 2, 4}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.sweep = {"threads", std::to_string(n)};
        r.entries[0] = sampleEntry("slow@" + std::to_string(n), 8'000'000 / n);
        r.entries[0].threads = n;
        for (std::size_t i = 1; i < 3; ++i) r.entries[i].threads = 1;
    }
    const auto curves = scalingCurves(seriesOf(records));
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_EQ(curves[0].label, "slow");
    ASSERT_EQ(curves[0].points.size(), 3U);
    const ScalingCurvePoint& p = curves[0].points[2];
    EXPECT_EQ(p.record, 2U);
    EXPECT_EQ(p.threads, 4);
    EXPECT_NEAR(p.speedup, 4, 0.01);
    EXPECT_NEAR(p.efficiency, 1, 0.01);
    EXPECT_LE(p.speedupInterval.low, p.speedup);
    EXPECT_GE(p.speedupInterval.high, p.speedup);
    EXPECT_NEAR(p.efficiencyInterval.low, p.speedupInterval.low / 4, 1e-12);
    ASSERT_TRUE(curves[0].fit && p.amdahl);
    EXPECT_NEAR(*p.amdahl, 4, 0.05);
    EXPECT_TRUE(curves[0].followsAmdahl());
}

TEST(ScalingCurves, StateNoLawWhereTheFitIsPoor) {
    std::vector<RunRecord> records;
    for (const auto& [threads, ns] : {std::pair(1, 8'000'000), {2, 1'000'000}, {4, 6'000'000}}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.sweep = {"threads", std::to_string(threads)};
        r.entries = {sampleEntry("odd@" + std::to_string(threads), ns)};
        r.entries[0].threads = threads;
    }
    const auto curves = scalingCurves(seriesOf(records));
    ASSERT_EQ(curves.size(), 1U);
    ASSERT_TRUE(curves[0].fit);
    EXPECT_FALSE(curves[0].followsAmdahl());
    for (const ScalingCurvePoint& p : curves[0].points) EXPECT_FALSE(p.amdahl);
}

TEST(RooflineChartData, LeavesOutAnotherMachineAndNumbersRecordsThrough) {
    RooflineChartPart benchmark{{sampleRecord()}, ""}, sweep{sizes({64, 128}), "sweep.json"}, elsewhere{sizes({64, 128}), "far.json"};
    benchmark.records[0].sweep = {};
    elsewhere.records[0].machine.cpu = "another";
    const auto data = rooflineChartData({benchmark, sweep, elsewhere}, {});
    EXPECT_EQ(data.otherMachine, "another");
    EXPECT_EQ(data.sources, std::vector<std::string>{"sweep.json"});
    ASSERT_EQ(data.positions.size(), 3U);
    EXPECT_FALSE(data.ceilings.empty());
    ASSERT_FALSE(data.points.empty());
    EXPECT_FALSE(data.isSwept(data.points.front()));
    EXPECT_TRUE(data.isSwept(data.points.back()));
    EXPECT_EQ(data.points.back().record, 2U);
}

TEST(SweepCharts, HaveALineAndAMarkerForEachValidEntry) {
    const auto drawings = sweepCharts(sizes({256, 64, 128}));
    ASSERT_EQ(drawings.size(), 2U);
    std::vector<std::string> lines;
    std::size_t markers = 0;
    for (const auto& shape : drawings[0].shapes)
        if (const auto* l = std::get_if<DrawnLine>(&shape); l && !l->tip.empty()) {
            if (l->filled) ++markers;
            else lines.push_back(l->tip);
            // Ascending on the axis, whatever the order of the sweep.
            for (std::size_t i = 1; !l->filled && i < l->points.size(); ++i) {
                EXPECT_GT(l->points[i].first, l->points[i - 1].first);
            }
        }
    EXPECT_EQ(lines, (std::vector<std::string>{"slow", "fast"}));  // wrong results have no point
    EXPECT_EQ(markers, 6U);
    const std::string html = toHtml(sizes({64, 128}));
    EXPECT_NE(html.find("Width and height, pixels"), std::string::npos);
    EXPECT_NE(html.find("Same machine, build and command"), std::string::npos);
    EXPECT_EQ(toHtml({sampleRecord()}).find("Sweep"), std::string::npos);
}

TEST(SweepCharts, StateWhereTheFastestBackendChanges) {
    auto records = sizes({64, 128});
    const auto takes = [](RunEntry& e, std::int64_t ns) {
        e.verification = Verification::agrees;
        for (StageTimes& t : e.samples) {
            t = StageTimes{};
            t[Stage::compute] = ns;
        }
    };
    for (RunRecord& r : records) takes(r.entries[0], 1000);
    takes(records[0].entries[1], 4000);
    takes(records[1].entries[1], 250);
    const auto sentences = sweepSentences(records);
    ASSERT_EQ(sentences.size(), 2U);
    EXPECT_EQ(sentences[0].find("Compute: from size = 90.5"), 0U) << sentences[0];
    EXPECT_NE(sentences[0].find(", fast is faster than slow."), std::string::npos) << sentences[0];
    EXPECT_EQ(sentences[1].find("End to end: "), 0U);
    EXPECT_NE(toHtml(records).find(sentences[1]), std::string::npos);
    takes(records[1].entries[1], 4000);
    EXPECT_TRUE(sweepSentences(records).empty());
}

void expectInside(const Drawing& d) {
    for (const auto& shape : d.shapes) {
        if (const auto* l = std::get_if<DrawnLine>(&shape))
            for (const auto& [x, y] : l->points) {
                ASSERT_TRUE(std::isfinite(x) && std::isfinite(y));
                EXPECT_GE(x, 0);
                EXPECT_LE(x, d.width);
                EXPECT_GE(y, 0);
                EXPECT_LE(y, d.height);
            }
        if (const auto* r = std::get_if<DrawnRect>(&shape)) {
            ASSERT_TRUE(std::isfinite(r->width));
            EXPECT_LE(r->x + r->width, d.width);
        }
    }
}

TEST(Charts, KeepExtremeValuesInside) {
    expectInside(draw(LineChart{"one point", "x", {}, {{"a", {{5, 1e6, {}}}}}}));
    expectInside(draw(LineChart{"zeros", "x", {}, {{"a", {{0, 0, {}}, {1, 0, {}}}}}}));
    expectInside(draw(LineChart{"far apart", "x", {}, {{"a", {{1, 1, {0.5, 2}}, {1e9, 1e13, {1e12, 1e14}}}}}}));
    LineChart many{"many", "x", {"one", "a very long name of a choice", "three"}, {}};
    for (int i = 0; i < 12; ++i)
        many.series.push_back({"a rather long name of a backend " + std::to_string(i), {{0, 1e5 + i, {}}, {1, 2e5, {}}, {2, 3e5, {}}}});
    expectInside(draw(many));
    expectInside(draw(BarChart{"zero", "ms", {}, {{"a", "0", {0}, {}}}}));
    expectInside(draw(BarChart{"negative", "ms", {"p"}, {{std::string(200, 'l'), "t", {-1, 2}, {0, 0}}}}));
}

}  // namespace
}  // namespace parallax
