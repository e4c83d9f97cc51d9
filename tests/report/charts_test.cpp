// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/charts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/svg_chart.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/swept_axis.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

std::vector<RunRecord> sizes(std::initializer_list<std::int64_t> edges) {
    std::vector<RunRecord> records;
    for (const std::int64_t edge : edges) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.input.shape.width = r.input.shape.height = edge;
        for (RunEntry& e : r.entries)
            for (StageTimes& t : e.samples) t[Stage::compute] = t.compute() * edge / 64;
    }
    return records;
}

TEST(SweptAxis, Sizes) {
    const auto axis = sweptAxisOf(sizes({64, 256, 128}));
    ASSERT_TRUE(axis);
    EXPECT_EQ(axis->values, (std::vector<double>{64, 256, 128}));
    auto records = sizes({64, 128});
    records[1].input.shape.height = 100;
    EXPECT_EQ(sweptAxisOf(records)->values, (std::vector<double>{64 * 64, 12800}));
}

TEST(SweptAxis, ThreadsWhichStandInTheLabels) {
    std::vector<RunRecord> records;
    for (const char* n : {"1", "2", "16"}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        for (RunEntry& e : r.entries) e.label += std::string("@") + n;
        r.entries[1].label += "#1";
    }
    const auto axis = sweptAxisOf(records);
    ASSERT_TRUE(axis);
    EXPECT_EQ(axis->values, (std::vector<double>{1, 2, 16}));
    EXPECT_EQ(seriesName(records[2].entries[0], *axis), "slow");
    EXPECT_EQ(seriesName(records[2].entries[1], *axis), "fast#1");
}

TEST(SweptAxis, Parameters) {
    std::vector<RunRecord> records(3, sampleRecord());
    records[0].recipe = {"convolve:size=3,kernel=gaussian"};
    records[1].recipe = {"convolve:kernel=gaussian"};  // the default is left out
    records[2].recipe = {"convolve:size=9,kernel=gaussian"};
    const auto axis = sweptAxisOf(records);
    ASSERT_TRUE(axis);
    EXPECT_EQ(axis->title, "convolve: size");
    EXPECT_EQ(axis->values, (std::vector<double>{3, 5, 9}));
    EXPECT_TRUE(axis->texts.empty());
    records[0].recipe = {"convolve:border='a,b=c'"};
    records[1].recipe = {"convolve:border=wrap"};
    records[2].recipe = {"convolve:border=constant"};
    const auto names = sweptAxisOf(records);
    ASSERT_TRUE(names);
    EXPECT_EQ(names->texts, (std::vector<std::string>{"'a,b=c'", "wrap", "constant"}));
    EXPECT_EQ(names->values, (std::vector<double>{0, 1, 2}));
}

TEST(SweptAxis, WhatIsNoSweep) {
    EXPECT_FALSE(sweptAxisOf({}));
    EXPECT_FALSE(sweptAxisOf({sampleRecord()}));
    EXPECT_FALSE(sweptAxisOf({sampleRecord(), sampleRecord()}));
    auto both = sizes({64, 128});
    both[1].recipe = {"convolve:size=9"};
    EXPECT_FALSE(sweptAxisOf(both));
    std::vector<RunRecord> two(2, sampleRecord());
    two[0].recipe = {"convolve:size=3,border=wrap"};
    two[1].recipe = {"convolve:size=9,border=constant"};
    EXPECT_FALSE(sweptAxisOf(two));
}

TEST(SweepCharts, HaveALineAndAMarkerForEachRightEntry) {
    const auto drawings = sweepCharts(sizes({256, 64, 128}));
    ASSERT_EQ(drawings.size(), 2U);
    std::vector<std::string> lines;
    std::size_t markers = 0;
    for (const auto& shape : drawings[0].shapes)
        if (const auto* l = std::get_if<DrawnLine>(&shape); l && !l->tip.empty()) {
            if (l->filled) ++markers;
            else lines.push_back(l->tip);
            // In the order of the axis, not of the sweep.
            for (std::size_t i = 1; !l->filled && i < l->points.size(); ++i) {
                EXPECT_GT(l->points[i].first, l->points[i - 1].first);
            }
        }
    EXPECT_EQ(lines, (std::vector<std::string>{"slow", "fast"}));  // a result that disagrees is no point of a curve
    EXPECT_EQ(markers, 6U);
    const std::string html = toHtml(sizes({64, 128}));
    EXPECT_NE(html.find("Edge of the image, pixels"), std::string::npos);
    EXPECT_NE(html.find("those of the first measurement"), std::string::npos);
    EXPECT_EQ(toHtml({sampleRecord()}).find("Sweep"), std::string::npos);
}

TEST(SweepCharts, SayFromWhereOnAnotherOneIsTheFastest) {
    auto records = sizes({64, 128});
    for (RunRecord& r : records) r.sweep = {"size", std::to_string(r.input.shape.width)};
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
    EXPECT_EQ(sentences[0].find("Compute: from size 90.5"), 0U) << sentences[0];
    EXPECT_NE(sentences[0].find("on fast is faster than slow."), std::string::npos) << sentences[0];
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

TEST(Charts, OddValuesStayInside) {
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
