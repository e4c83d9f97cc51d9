// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps and the roofline as parts of a report.
#include "core/report/charts/report_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "core/report/charts/chart_data.hpp"
#include "core/report/formats/formats.hpp"
#include "tests/report/chart_records.hpp"

namespace parallax {
namespace {

/// A benchmark, a sweep over threads and one over the size, as a session measures them.
std::vector<RunRecord> session() {
    std::vector<RunRecord> records{sampleRecord()};
    records[0].sweep = {};
    records[0].machine.ceilings.push_back({"fma", "avx2", 4, 110, "GFLOP/s", 0});
    for (const int n : {1, 2, 4}) {
        RunRecord& r = records.emplace_back(records.front());
        r.sweep = {"threads", std::to_string(n)};
        r.command = "scaling";
        r.entries = {sampleEntry("slow:" + std::to_string(n) + "t", 8'000'000 / n),
                     sampleEntry("fast:" + std::to_string(n) + "t", 1'000'000)};
        for (RunEntry& e : r.entries) e.threads = n;
    }
    for (RunRecord& r : sizes({64, 128})) {
        r.machine.ceilings = records.front().machine.ceilings;
        records.push_back(std::move(r));
    }
    return records;
}

TEST(RecordGroups, SeparateTheBenchmarkFromEachSweep) {
    const RecordGroups groups = groupsOf(session());
    EXPECT_EQ(groups.single, std::vector<std::size_t>{0});
    ASSERT_EQ(groups.sweeps.size(), 2U);
    EXPECT_EQ(groups.sweeps[0], (std::vector<std::size_t>{1, 2, 3}));
    EXPECT_EQ(groups.sweeps[1], (std::vector<std::size_t>{4, 5}));
    // A point alone is a measurement.
    EXPECT_EQ(groupsOf({sampleRecord()}).single.size(), 1U);
    // Versions before the note of the sweep.
    auto old = sizes({64, 128});
    for (RunRecord& r : old) r.sweep = {};
    EXPECT_EQ(groupsOf(old).sweeps.size(), 1U);
}

TEST(ReportParts, AreTheSweepsAndTheRooflineOfTheSession) {
    const std::vector<RunRecord> records = session();
    const auto parts = partsOf(records, groupsOf(records));
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(parts[0].title, "Scaling over threads, 3 measurements");
    EXPECT_EQ(parts[0].charts.size(), 4U);
    EXPECT_EQ(parts[0].sentences.front().find("slow: "), 0U) << parts[0].sentences.front();
    EXPECT_EQ(parts[1].title, "Sweep over size, 2 measurements");
    EXPECT_EQ(parts[2].title, "Roofline");
    EXPECT_EQ(parts[2].charts.size(), kRooflineQuantities.size());
    for (const ReportPart& part : parts) {
        ASSERT_GE(part.table.size(), 3U) << part.title;
        for (const auto& row : part.table) EXPECT_EQ(row.size(), part.table.front().size()) << part.title;
        for (const Drawing& d : part.charts) expectInside(d);
    }
    // Ticks are those of measured points, not of the line of ideal scaling.
    std::size_t ticks = 0;
    for (const auto& shape : parts[0].charts[0].shapes)
        if (const auto* t = std::get_if<DrawnText>(&shape); t && t->soft && t->anchor == DrawnText::Anchor::middle) ++ticks;
    EXPECT_EQ(ticks, 3U);
    EXPECT_EQ(parts[0].table[2], (std::vector<std::string>{"2", "4.00 ms", "1.00 ms"}));
    std::vector<std::string> texts{toHtml(records), toMarkdown(records), toLatex(records)};
    if (canMakePdf()) {
        EXPECT_GT(toPdf(records).size(), toPdf({records.front()}).size());
    }
    for (const std::string& text : texts) {
        // The benchmark is first, then the sweeps, then their points.
        const auto benchmark = text.find("640"), scaling = text.find("Scaling over threads, 3"), sweep = text.find("Sweep over size, 2");
        ASSERT_NE(scaling, std::string::npos) << text.substr(0, 200);
        ASSERT_NE(sweep, std::string::npos);
        EXPECT_LT(benchmark, scaling);
        EXPECT_LT(scaling, sweep);
        EXPECT_NE(text.find("Bound by"), std::string::npos);
    }
}

/// Dashed lines of a drawing.
std::vector<const DrawnLine*> dashedLines(const Drawing& d) {
    std::vector<const DrawnLine*> lines;
    for (const auto& shape : d.shapes)
        if (const auto* l = std::get_if<DrawnLine>(&shape); l && l->dashed && !l->tip.empty()) lines.push_back(l);
    return lines;
}

TEST(ReportParts, DrawThePredictionApartFromTheMeasuredPoints) {
    std::vector<RunRecord> records = sweepOverParts();
    ReportPart part = partsOf(records, groupsOf(records)).at(0);
    ASSERT_EQ(part.charts.size(), 4U);
    for (int chart = 0; chart < 2; ++chart) {
        const Drawing& d = part.charts[static_cast<std::size_t>(chart)];
        expectInside(d);
        const auto dashed = dashedLines(d);
        ASSERT_EQ(dashed.size(), 1U);
        EXPECT_EQ(dashed[0]->tip, "cuda (model)");
        EXPECT_EQ(dashed[0]->points.size(), 11U) << "1 to 1,024";
        EXPECT_EQ(dashed[0]->colour, colourOf(d, "cuda"));
        std::size_t markers = 0;
        for (const auto& shape : d.shapes)
            if (const auto* l = std::get_if<DrawnLine>(&shape); l && l->filled && !l->tip.empty()) ++markers;
        EXPECT_EQ(markers, 3U) << "markers are measured points";
    }
    EXPECT_TRUE(dashedLines(part.charts[2]).empty());
    const auto hasLine = [&](const std::string& tip) {
        return std::any_of(part.charts[0].shapes.begin(), part.charts[0].shapes.end(), [&](const auto& shape) {
            const auto* l = std::get_if<DrawnLine>(&shape);
            return l && l->tip == tip && l->ink == DrawnLine::Ink::foreground && !l->dashed && l->points.size() > 10;
        });
    };
    EXPECT_TRUE(hasLine("ideal"));
    EXPECT_TRUE(hasLine("cuda (Amdahl's law)"));
    const auto sentence = [&] {
        for (const std::string& s : part.sentences)
            if (s.find("cost model") != std::string::npos) return s;
        return std::string();
    };
    EXPECT_NE(sentence().find("cuda, predicted by the cost model (dashed): 16 parts"), std::string::npos) << sentence();
    EXPECT_NE(sentence().find("1024 parts"), std::string::npos) << sentence();
    EXPECT_NE(sentence().find("It deviates from 2 measured points by"), std::string::npos) << sentence();
    EXPECT_NE(toHtml(records).find("stroke-dasharray"), std::string::npos);
    if (canMakePdf()) {
        EXPECT_FALSE(toPdf(records).empty());
    }
    // Without a latency there is no line, but the reason.
    for (RunRecord& r : records) r.machine.ceilings.pop_back();
    part = partsOf(records, groupsOf(records)).at(0);
    EXPECT_TRUE(dashedLines(part.charts[0]).empty());
    EXPECT_EQ(sentence(),
              "cuda: no prediction by the cost model, because the latency between devices was not measured. Run 'parallax-cli ceilings "
              "--fresh', then the sweep.");
    EXPECT_EQ(toHtml(records).find("stroke-dasharray"), std::string::npos);
    for (RunRecord& r : records) r.entries[0].traffic.reset();
    part = partsOf(records, groupsOf(records)).at(0);
    EXPECT_NE(sentence().find("does not say what the parts exchanged"), std::string::npos) << sentence();
}

TEST(ReportParts, HaveNoRooflineWithoutCeilings) {
    std::vector<RunRecord> records = session();
    for (RunRecord& r : records) r.machine.ceilings.clear();
    for (const ReportPart& part : partsOf(records, groupsOf(records))) EXPECT_NE(part.title, "Roofline");
    EXPECT_TRUE(partsOf({records.front()}, groupsOf({records.front()})).empty());
}

TEST(ReportParts, GiveABackendTheSameColourInEveryChart) {
    const std::vector<RunRecord> records = session();
    const auto parts = partsOf(records, groupsOf(records));
    for (const ReportPart& part : parts)
        for (const Drawing& d : part.charts)
            for (const auto& [label, colour] : {std::pair("slow", 0), std::pair("fast", 1)}) {
                EXPECT_EQ(colourOf(d, label), colour) << label << " in " << d.title;
            }
    EXPECT_EQ(parts[0].charts.size() + parts[1].charts.size() + parts[2].charts.size(), 9U);
}

}  // namespace
}  // namespace parallax
