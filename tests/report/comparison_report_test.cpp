// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons with baselines in every format of a report.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "core/image/error.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/kept/baselines.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/redact.hpp"
#include "core/report/record/report.hpp"
#include "tests/report/read_report.hpp"
#include "tests/report/sample_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

RunRecord scaled(RunRecord record, double factor) {
    for (RunEntry& e : record.entries)
        for (StageTimes& s : e.samples) s[Stage::compute] = std::llround(static_cast<double>(s[Stage::compute]) * factor);
    return record;
}

/// The sample record beside one that took half as long and one that took as long; the first is a regression.
std::vector<NamedComparison> comparisons() {
    RunRecord fast = scaled(sampleRecord(), 0.5), now = sampleRecord();
    now.entries[1].sha256 = std::string(64, 'a');
    fast.entries[1].sha256 = std::string(64, 'b');
    return {compareWith({"fast & <old>", {fast}}, {now}, 5), compareWith({"same", {sampleRecord()}}, {now}, 5)};
}

TEST(ComparisonPart, HasChangeIntervalAndVerdictOfEachRowAndBaseline) {
    const std::vector<NamedComparison> all = comparisons();
    const ReportPart part = comparisonPart(all);
    EXPECT_EQ(part.title, "Comparison with 2 baselines");
    ASSERT_EQ(part.table.size(), 1 + all[0].result.entries.size() + all[1].result.entries.size());
    // The first row of the record has too few blocks of samples for a verdict.
    const std::vector<std::string>& row = part.table.at(3);
    EXPECT_EQ(row[1], "fast & <old>");
    EXPECT_EQ(row[4], "+100.0 %");
    EXPECT_TRUE(row[5].starts_with("2.00\u00d7 (")) << row[5];
    EXPECT_EQ(row[6], "SLOWER, REGRESSION");
    EXPECT_EQ(row[7], "other bits");
    EXPECT_EQ(part.table.at(4)[1], "same") << "the baselines of a row are together";
    EXPECT_EQ(part.table.at(4)[4], "+0.0 %");
    EXPECT_EQ(part.table.at(4)[6], "SAME");
    EXPECT_EQ(part.table.at(1)[6], "UNDECIDED");
    ASSERT_EQ(part.charts.size(), 1U);
    const auto bars = std::count_if(part.charts[0].shapes.begin(), part.charts[0].shapes.end(), [](const auto& shape) {
        const auto* bar = std::get_if<DrawnRect>(&shape);
        return bar && !bar->tip.empty();
    });
    EXPECT_EQ(static_cast<std::size_t>(bars), part.table.size() - 1);
    EXPECT_EQ(comparisonPart({all[0]}).title, "Comparison with fast & <old>");
    EXPECT_TRUE(comparisonPart({}).title.empty());
    // Nothing in common: the notes alone.
    const ReportPart none = comparisonPart({{"empty", {{}, {"'a' was not measured in both records"}}}});
    EXPECT_TRUE(none.table.empty());
    EXPECT_TRUE(none.charts.empty());
    EXPECT_EQ(none.notes, std::vector<std::string>{"empty: 'a' was not measured in both records."});
    EXPECT_EQ(comparisonPart({{"one", {{}, {"known only to +-3 %"}}}}).notes, std::vector<std::string>{"one: known only to \u00b13 %."});
    // A note on several baselines stands once.
    EXPECT_EQ(comparisonPart({{"one", {{}, {"Busy"}}}, {"two", {{}, {"Busy"}}}}).notes, std::vector<std::string>{"one, two: Busy."});
}

TEST(ComparisonReport, IsInEveryFormat) {
    const std::vector<RunRecord> records{sampleRecord()};
    const std::vector<NamedComparison> all = comparisons();
    const std::string html = toHtml(records, {}, all), markdown = toMarkdown(records, all), latex = toLatex(records, all);
    for (const std::string& text : {html, markdown, latex}) {
        EXPECT_TRUE(contains(text, "Comparison with 2 baselines")) << text;
        EXPECT_TRUE(contains(text, "SLOWER, REGRESSION"));
        EXPECT_TRUE(contains(text, "+100.0"));
    }
    EXPECT_TRUE(contains(html, "<td>fast &amp; &lt;old&gt;</td>"));
    EXPECT_TRUE(contains(html, "Time now divided by time before"));
    EXPECT_TRUE(contains(markdown, "| fast \\& \\<old\\> |"));
    EXPECT_TRUE(contains(latex, "fast \\& \\textless{}old\\textgreater{} &"));
    if (canMakePdf()) {
        EXPECT_GT(toPdf(records, {}, all).size(), toPdf(records).size());
    }
    for (const std::string& text : {toHtml(records), toMarkdown(records), toLatex(records), toJson(records)})
        EXPECT_FALSE(contains(text, "omparison")) << "without baselines";
}

TEST(ComparisonReport, HasARowInCsvForEachEntryAndBaseline) {
    const std::string csv = toCsv({sampleRecord()}, comparisons());
    std::istringstream lines(csv);
    std::string line, header;
    std::getline(lines, header);
    int rows = 0;
    while (std::getline(lines, line)) {
        if (!contains(line, ",comparison,")) continue;
        ++rows;
        line = std::regex_replace(line, std::regex("\"[^\"]*\""), "");
        EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(header.begin(), header.end(), ',')) << line;
    }
    EXPECT_EQ(static_cast<std::size_t>(rows), comparisonPart(comparisons()).table.size() - 1);
    EXPECT_TRUE(contains(header, ",baseline,base_ns,new_ns,ratio,ratio_low,ratio_high,verdict,regression,same_result"));
    EXPECT_TRUE(contains(csv, ",SLOWER,yes,no\r\n")) << csv;
    EXPECT_TRUE(contains(csv, ",SAME,no,\r\n"));
}

TEST(ComparisonReport, ComesBackFromJson) {
    const test::TemporaryFolder folder;
    const std::vector<NamedComparison> all = comparisons();
    for (const std::vector<RunRecord>& records : {std::vector{sampleRecord()}, std::vector{sampleRecord(), sampleRecord()}}) {
        const std::string path = folder / "r.json";
        writeReport(Report{records, {}, all}, path, true);
        const Report report = loadReport(path);
        EXPECT_EQ(report.records.size(), records.size());
        EXPECT_EQ(toHtml(report.records, {}, report.comparisons), toHtml(records, {}, all));
        ASSERT_EQ(report.comparisons.size(), 2U);
        EXPECT_EQ(report.comparisons[0].result.entries[1].sameResult, false);
        EXPECT_FALSE(report.comparisons[1].result.entries[1].sameResult.has_value());
        EXPECT_EQ(report.comparisons[0].result.warnings, all[0].result.warnings);
    }
    EXPECT_TRUE(comparisonsFromJson(toJson({sampleRecord()}), "r.json").empty());
}

TEST(ComparisonReport, RefusesComparisonsOfAnotherForm) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(toJson({sampleRecord()}, comparisons()));
    const auto refused = [&](const char* pointer, const nlohmann::ordered_json& value) {
        nlohmann::ordered_json changed = json;
        changed[nlohmann::ordered_json::json_pointer(pointer)] = value;
        EXPECT_THROW((void)comparisonsFromJson(changed.dump(), "r.json"), Error) << pointer;
    };
    refused("/comparisons", 3);
    refused("/comparisons", "none");
    refused("/comparisons/0/entries/0/verdict", "BETTER");
    refused("/comparisons/0/entries/0/base_ns", nullptr);
    refused("/comparisons/0/entries/0/label", 1);
    refused("/comparisons/0/notes", "a note");
}

TEST(ComparisonReport, IsRedacted) {
    NamedComparison comparison{"patient.json", {{}, {"Base record: cannot read patient.exr"}}};
    comparison = redacted(std::move(comparison));
    EXPECT_EQ(comparison.name, "redacted.json");
    EXPECT_TRUE(comparison.result.warnings.empty());
    EXPECT_EQ(redacted(NamedComparison{"release 1.0", {}}).name, "release 1.0");
    RunRecord r = sampleRecord();
    r.command = "parallax-cli bench -i x.exr --compare-with release-1.0 --compare-with mine=patient.json --compare-with patient.json";
    EXPECT_EQ(
        redacted(r).command,
        "parallax-cli bench -i redacted.exr --compare-with release-1.0 --compare-with mine=redacted.json --compare-with redacted.json");
}

}  // namespace
}  // namespace parallax
