// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/charts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/report/charts/chart_data.hpp"
#include "core/report/charts/laps_data.hpp"
#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/charts/series_data.hpp"
#include "core/report/charts/svg_chart.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/record_json.hpp"
#include "tests/report/chart_records.hpp"

namespace parallax {
namespace {

TEST(Surroundings, MeasuredFiguresMayDiffer) {
    RunRecord first = sampleRecord(), second = first;
    first.machine.ceilings = {CeilingRecord{.name = "copy", .level = "memory", .threads = 2, .value = 20, .unit = "GB/s"}};
    second.machine.timerResolutionNs += 1;
    second.machine.ceilings = first.machine.ceilings;
    second.machine.ceilings[0].value = 21;
    EXPECT_TRUE(sameSurroundings(first, second));
    EXPECT_NE(toHtml({first, second}).find("Same machine, build and command"), std::string::npos);
    second.machine.ceilings.clear();
    EXPECT_TRUE(sameSurroundings(first, second));
    second.machine.kernel += "-other";
    EXPECT_FALSE(sameSurroundings(first, second));
    second = first;
    second.command += " --force";
    EXPECT_FALSE(sameSurroundings(first, second));
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

TEST(TimelineLanes, GiveEachPartALaneOnOneAxis) {
    RunRecord record = sampleRecord();
    for (StageTimes& t : record.entries[0].samples) {
        t.extendSpan(Stage::compute, 0, 300);
        t.keepPieces({{Stage::compute, 0, {0, 200}, 0}, {Stage::exchange, 0, {150, 200}, 0}, {Stage::compute, 0, {50, 300}, 1}});
    }
    const auto lanes = timelineLanes(record);
    ASSERT_EQ(lanes.size(), 2U);
    EXPECT_EQ(lanes[0].label, "slow part 1");
    EXPECT_EQ(lanes[1].label, "slow part 2");
    EXPECT_EQ(lanes[0].entry, lanes[1].entry);
    EXPECT_EQ(lanes[0].tracks, 2);  // it computes while it waits
    ASSERT_EQ(lanes[1].boxes.size(), 1U);
    EXPECT_EQ(lanes[1].boxes[0].span.begin, 50);
    EXPECT_EQ(lanes[1].end(), 300);
    EXPECT_EQ(timelineLanes(recordsFromJson(toJson({record}), "test").front())[1].boxes[0].span.end, 300) << "parts are kept in files";
}

TEST(ScalingCurves, FollowPartsWhereThoseAreSwept) {
    std::vector<RunRecord> records;
    for (const int n : {1, 2, 4}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.sweep = {"parts", std::to_string(n)};
        r.entries = {sampleEntry(n == 1 ? "cuda" : "cuda@" + std::to_string(n), 8'000'000 / n)};
        r.entries[0].threads = 0;
    }
    const std::vector<ScalingCurve> curves = scalingCurves(seriesOf(records), records);
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_EQ(curves[0].label, "cuda");
    ASSERT_EQ(curves[0].points.size(), 3U);
    EXPECT_EQ(curves[0].points[2].threads, 4);
    EXPECT_NEAR(curves[0].points[2].speedup, 4, 0.2);
}

TEST(ScalingCurves, HaveThePredictionOfTheCostModel) {
    std::vector<RunRecord> records = sweepOverParts();
    const auto curves = scalingCurves(seriesOf(records), records);
    ASSERT_EQ(curves.size(), 1U);
    ASSERT_TRUE(curves[0].prediction && curves[0].prediction->model);
    const CostModel& model = *curves[0].prediction->model;
    EXPECT_NEAR(model.time(4) / (2'000'000 + 20'000), 1, 0.01);
    EXPECT_NEAR(curves[0].points[2].model.value(), model.speedup(4), 1e-12);
    EXPECT_NEAR(curves[0].points[0].model.value(), 1, 1e-3);
    EXPECT_LT(model.efficiency(480), 0.5) << "exchange takes more than the rest of the work";
    for (RunRecord& r : records) r.sweep.axis = "size";
    for (const ScalingCurve& c : scalingCurves(seriesOf(records), records)) EXPECT_FALSE(c.prediction);
}

TEST(ScalingCurves, OfWeakScalingCountTheWorkThatGrows) {
    std::vector<RunRecord> records;
    for (const auto& [n, ns] : {std::pair(1, 8'000'000), {2, 8'000'000}, {4, 10'000'000}}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.sweep = {"weak", std::to_string(n)};
        r.entries = {sampleEntry(n == 1 ? "cuda" : "cuda@" + std::to_string(n), ns)};
        r.entries[0].threads = 0;
    }
    const auto curves = scalingCurves(seriesOf(records), records);
    ASSERT_EQ(curves.size(), 1U);
    ASSERT_EQ(curves[0].points.size(), 3U);
    EXPECT_NEAR(curves[0].points[1].speedup, 2, 1e-9);
    EXPECT_NEAR(curves[0].points[1].efficiency, 1, 1e-9);
    EXPECT_NEAR(curves[0].points[2].efficiency, 0.8, 1e-9);
    EXPECT_NEAR(curves[0].points[2].speedup, 3.2, 1e-9);
    EXPECT_NEAR(curves[0].points[2].speedupInterval.high, 3.2, 0.1);
    EXPECT_FALSE(curves[0].fit) << "Amdahl's law is about one image";
    const ReportPart part = partsOf(records, groupsOf(records)).at(0);
    EXPECT_EQ(part.title, "Weak scaling over parts, 3 measurements");
    EXPECT_EQ(part.charts[0].title.find("Scaled speedup"), 0U) << part.charts[0].title;
}

TEST(ScalingCurves, HaveSpeedupIntervalAndLaw) {
    std::vector<RunRecord> records;
    for (const int n : {1, 2, 4}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.sweep = {"threads", std::to_string(n)};
        r.entries[0] = sampleEntry("slow:" + std::to_string(n) + "t", 8'000'000 / n);
        r.entries[0].threads = n;
        for (std::size_t i = 1; i < 3; ++i) r.entries[i].threads = 1;
    }
    const auto curves = scalingCurves(seriesOf(records), records);
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
        r.entries = {sampleEntry("odd:" + std::to_string(threads) + "t", ns)};
        r.entries[0].threads = threads;
    }
    const auto curves = scalingCurves(seriesOf(records), records);
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
    SeriesStyles styles;
    const auto drawings = sweepCharts(sizes({256, 64, 128}), styles);
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

TEST(Charts, KeepExtremeValuesInside) {
    expectInside(draw(LineChart{"one point", "x", {}, {{"a", {{5, 1e6, {}}}}}}));
    expectInside(draw(LineChart{"zeros", "x", {}, {{"a", {{0, 0, {}}, {1, 0, {}}}}}}));
    expectInside(draw(LineChart{"far apart", "x", {}, {{"a", {{1, 1, {0.5, 2}}, {1e9, 1e13, {1e12, 1e14}}}}}}));
    LineChart many{"many", "x", {"one", "a very long name of a choice", "three"}, {}};
    for (int i = 0; i < 12; ++i)
        many.series.push_back({"a rather long name of a backend " + std::to_string(i), {{0, 1e5 + i, {}}, {1, 2e5, {}}, {2, 3e5, {}}}});
    expectInside(draw(many));
    expectInside(draw(BarChart{"zero", "ms", {}, {}, {{"a", "0", {0}, {}}}}));
    expectInside(draw(BarChart{"negative", "ms", {"p"}, {}, {{std::string(200, 'l'), "t", {-1, 2}, {0, 0}}}}));
    expectInside(draw(BarChart{"interval", "ms", {}, {}, {{"a", "1", {1}, {0.9, 300}}, {"b", "1", {1}, {50, 300}}}}));
}

TEST(Charts, LongIntervalsLeaveRoomToBars) {
    const auto widthOfBar = [](double high) {
        for (const auto& shape : draw(BarChart{"ratios", "", {}, {}, {{"a", "1.00", {1}, {0.9, high}}}}).shapes)
            if (const auto* bar = std::get_if<DrawnRect>(&shape)) return bar->width;
        return 0.0;
    };
    EXPECT_GT(widthOfBar(1.1), widthOfBar(1.5));
    EXPECT_GT(widthOfBar(141), 0.4 * widthOfBar(1.1));
}

TEST(Charts, GiveComputeTheSameColourEverywhere) {
    const RunRecord record = sampleRecord();
    const auto charts = chartsOf(record, summarise(record));
    ASSERT_EQ(charts.size(), 3U);
    const auto colours = [&](const Drawing& d, const std::string& tip) {
        std::vector<int> found;
        for (const auto& shape : d.shapes)
            if (const auto* r = std::get_if<DrawnRect>(&shape); r && r->tip.starts_with(tip)) found.push_back(r->colour);
        return found;
    };
    EXPECT_EQ(colours(charts[0], "fast"), std::vector<int>{styleOf(Stage::compute)});
    EXPECT_EQ(colours(charts[1], "fast, compute"), std::vector<int>{styleOf(Stage::compute)});
    EXPECT_EQ(colours(charts[1], "fast, upload"), std::vector<int>{styleOf(Stage::upload)});
    EXPECT_EQ(colours(charts[2], "fast"), std::vector<int>{styleOf(Stage::compute)});
}

/// Two entries that solve: in few iterations, and in many to a tolerance of its own.
RunRecord recordOfSolves() {
    RunRecord record = sampleRecord();
    record.entries[0].series = {sampleSeries()};
    record.entries[0].series[0].tolerance = 1e-8;
    SeriesRecord slow = sampleSeries();
    slow.tolerance = 1e-12;
    slow.x.clear();
    slow.y.clear();
    for (int i = 0; i <= 1000; ++i) {
        slow.x.push_back(i);
        slow.y.push_back(std::pow(10, -0.012 * i));
    }
    record.entries[1].series = {slow};
    return record;
}

TEST(SeriesCharts, HoldAllBackendsAndTheirTolerances) {
    EXPECT_TRUE(seriesCharts(sampleRecord()).empty());
    const RunRecord record = recordOfSolves();
    const auto charts = seriesCharts(record);
    ASSERT_EQ(charts.size(), 1U);
    const SeriesChartData& chart = charts[0];
    EXPECT_EQ(chart.xTitle, "Iteration");
    EXPECT_TRUE(chart.logarithmicY);
    EXPECT_TRUE(chart.logarithmicX) << "1000 iterations beside 2";
    ASSERT_EQ(chart.curves.size(), 2U);
    EXPECT_EQ(chart.curves[1].entry, record.entries[1].label);
    EXPECT_EQ(chart.curves[1].index, 1U);
    ASSERT_EQ(chart.tolerances.size(), 2U);
    EXPECT_EQ(chart.tolerances[0].value, 1e-8);
    EXPECT_EQ(chart.tolerances[1].entries, std::vector<std::string>{record.entries[1].label});
    // Thinned points cover the curve, the last one included; the logarithmic axis has no place for iteration 0.
    const auto points = chart.points(chart.curves[1], 50);
    EXPECT_LE(points.size(), 52U);
    EXPECT_GE(points.size(), 25U);
    EXPECT_EQ(points.front().first, 1);
    EXPECT_EQ(points.back().first, 1000);
    EXPECT_EQ(chart.points(chart.curves[0], 50).size(), 2U);
    // Values that no axis can show.
    SeriesChartData odd;
    odd.logarithmicY = true;
    SeriesCurve curve;
    curve.x = {0, 1, 2, 3};
    curve.y = {1, 0, std::nan(""), 0.5};
    EXPECT_EQ(odd.points(curve, 50).size(), 2U);
}

TEST(SeriesCharts, TakeRunsThatHaveNotEnded) {
    RunRecord record = recordOfSolves();
    const std::vector<SeriesRecord> part = std::exchange(record.entries[1].series, {});
    // A run stands for the entry that has none yet, and not for one that has.
    const auto charts = seriesCharts(record, {{record.entries[1].label, part}, {record.entries[0].label, part}, {"another", part}});
    ASSERT_EQ(charts.size(), 1U);
    ASSERT_EQ(charts[0].curves.size(), 3U);
    EXPECT_EQ(charts[0].curves[0].x.size(), 3U);
    EXPECT_EQ(charts[0].curves[1].index, 1U);
    EXPECT_EQ(charts[0].curves[2].entry, "another");
    EXPECT_EQ(charts[0].curves[2].index, SeriesCurve::kNoEntry);
}

TEST(SeriesCharts, AreDrawnWithTheirTolerances) {
    const RunRecord record = recordOfSolves();
    const auto drawings = chartsOf(record, summarise(record));
    ASSERT_EQ(drawings.size(), 4U);
    const Drawing& d = drawings[3];
    expectInside(d);
    EXPECT_EQ(colourOf(d, record.entries[1].label), 1) << "the place of the entry in the record";
    std::set<std::string> texts;
    for (const auto& shape : d.shapes)
        if (const auto* t = std::get_if<DrawnText>(&shape)) texts.insert(t->text);
    EXPECT_TRUE(texts.contains("tolerance 1.00e\u221208 (" + record.entries[0].label + ")"));
    EXPECT_TRUE(texts.contains("Iteration (logarithmic)"));
}

TEST(LapsChart, SumsUpToTheComputeStage) {
    EXPECT_TRUE(lapsChart(sampleRecord()).rows.empty());
    RunRecord record = sampleRecord();
    const auto lap = [](const char* key, const char* label, std::int64_t ns) {
        return LapRecord{0, "poisson", key, key, "", label, ns, 3};
    };
    record.entries[0].laps = {
        1000, {lap("set-up", "", 100), lap("v-cycle", "level 0", 500), lap("v-cycle", "level 1", 20), lap("update", "", 300)}};
    record.entries[1].laps = {4000, {lap("set-up", "", 1000), lap("direction", "", 1500), lap("update", "", 1500)}};
    const LapsChartData data = lapsChart(record);
    std::vector<std::string> names;
    for (const LapPart& part : data.parts) names.push_back(part.name());
    EXPECT_EQ(names, (std::vector<std::string>{"set-up", "direction", "v-cycle, level 0", "v-cycle, level 1", "update"}));
    ASSERT_EQ(data.rows.size(), 2U);
    EXPECT_TRUE(data.parts[3].isSmall);
    EXPECT_FALSE(data.parts[0].isSmall);
    EXPECT_EQ(data.rows[0].rest(data.parts, false), 80);
    EXPECT_EQ(data.rows[0].rest(data.parts, true), 100);
    EXPECT_EQ(data.rows[1].rest(data.parts, false), 0);
    EXPECT_EQ(data.rows[1].nanoseconds[2], 0);
    for (const Drawing& d : chartsOf(record, summarise(record))) expectInside(d);
}

TEST(Charts, DistinguishSeriesOfTheSameColourByTheirMarkers) {
    LineChart chart{"many", "x", {}, {}};
    for (const int style : {0, 6}) chart.series.push_back({std::to_string(style), {{1, 1e6, {}}}, style});
    std::vector<std::size_t> corners;
    for (const auto& shape : draw(chart).shapes)
        if (const auto* l = std::get_if<DrawnLine>(&shape); l && l->filled && !l->tip.empty()) corners.push_back(l->points.size());
    ASSERT_EQ(corners.size(), 2U);
    EXPECT_NE(corners[0], corners[1]);
}

}  // namespace
}  // namespace parallax
