// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/formats/formats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <set>

#include "tests/report/read_report.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

TEST(Csv, HasOneRowForEachSample) {
    const RunRecord r = sampleRecord();
    const auto rows = parseCsv(toCsv({r}));
    // Header; cold and ten samples of three entries; one row for the skipped one.
    ASSERT_EQ(rows.size(), 1 + 3 * 11 + 1U);
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
    const auto& h = rows[0];
    EXPECT_EQ(std::set<std::string>(h.begin(), h.end()).size(), h.size());
    EXPECT_EQ(rows[1][column(h, "input")], r.input.name);
    EXPECT_EQ(rows[1][column(h, "device")], r.entries[0].device);
    EXPECT_EQ(rows[1][column(h, "kind")], "cold");
    EXPECT_EQ(rows[2][column(h, "kind")], "sample");
    EXPECT_EQ(rows[2][column(h, "sample")], "0");
    EXPECT_EQ(rows[2][column(h, "compute_ns")], std::to_string(r.entries[0].samples[0].compute()));
    EXPECT_EQ(rows[2][column(h, "end_to_end_ns")], std::to_string(r.entries[0].samples[0].endToEnd()));
    EXPECT_EQ(rows[2][column(h, "modes")], "");
    EXPECT_EQ(rows[13][column(h, "modes")], "overlapped+pinned");
    EXPECT_EQ(rows[2][column(h, "block")], "0");
    EXPECT_EQ(rows[11][column(h, "block")], "2");
    EXPECT_EQ(rows[13][column(h, "block")], "") << "of a record without blocks";
    EXPECT_EQ(std::stod(rows[2][column(h, "max_abs_error")]), r.entries[0].difference.maxAbs);
    EXPECT_EQ(rows.back()[column(h, "status")], "skipped");
    EXPECT_EQ(rows.back()[column(h, "reason")], r.entries[3].reason);
    EXPECT_EQ(rows.back()[column(h, "compute_ns")], "");
}

TEST(Csv, QuotesHostileNames) {
    RunRecord r = sampleRecord();
    r.when = "now, or \"later\"\n";
    r.entries[0].backend = "a,b";
    for (const auto& row : parseCsv(toCsv({r}))) EXPECT_EQ(row.size(), parseCsv(toCsv({r}))[0].size());
}

TEST(Csv, DoesNotDependOnTheLocale) {
    const std::string before = toCsv({sampleRecord()});
    if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) GTEST_SKIP() << "no German locale here";
    const std::string german = toCsv({sampleRecord()});
    std::setlocale(LC_ALL, "C");
    EXPECT_EQ(before, german);
}

TEST(Markdown, ListsEveryEntryInOneTable) {
    const std::string md = toMarkdown({sampleRecord()});
    EXPECT_TRUE(contains(md, "| slow |"));
    EXPECT_TRUE(contains(md, "FASTER"));
    EXPECT_TRUE(contains(md, "DISAGREES"));
    EXPECT_TRUE(contains(md, "skipped: No \"driver\", no device \\| nothing"));
    EXPECT_TRUE(contains(md, "parallax-cli bench"));
    // Bars within names are escaped, so that all rows have the same number of columns.
    std::size_t at = md.find("| backend |"), rows = 0;
    while (at < md.size() && md[at] == '|') {
        const std::string line = md.substr(at, md.find('\n', at) - at);
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
        EXPECT_EQ(bars, 8U) << line;
        at = md.find('\n', at) + 1;
        ++rows;
    }
    EXPECT_EQ(rows, 6U);
    EXPECT_EQ(md.back(), '\n');
}

TEST(TerminalTable, AlignsColumnsAndColoursOnRequest) {
    const std::string plain = toTerminalTable(sampleRecord(), false);
    EXPECT_FALSE(contains(plain, "\033"));
    EXPECT_TRUE(contains(toTerminalTable(sampleRecord(), true), "\033["));
    EXPECT_TRUE(contains(plain, "baseline"));
    EXPECT_TRUE(contains(plain, "DISAGREES"));
    EXPECT_TRUE(contains(plain, "absent: skipped: No \"driver\""));
    EXPECT_TRUE(contains(plain, "tiled (a \"tile\" & <few> taps) on "));
    RunRecord usual = sampleRecord();
    for (RunEntry& e : usual.entries) e.choices = {kFirstListed, kAskedFor};
    EXPECT_TRUE(contains(toTerminalTable(usual, false), "tiled on "));
    const std::string header = plain.substr(0, plain.find('\n'));
    const std::size_t place = header.find("end to end");
    std::size_t line = plain.find('\n') + 1;
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(plain[line + place - 1], ' ');
        EXPECT_NE(plain[line + place], ' ');
        line = plain.find('\n', line) + 1;
    }
}

TEST(TerminalTable, CountsCharactersAndDropsControlCharacters) {
    RunRecord r = sampleRecord();
    r.entries[1].label = "f\xc3\xa4st\xc3\xa9";  // five characters
    RunRecord same = sampleRecord();
    same.entries[1].label = "faste";
    const auto place = [](const std::string& t) { return t.substr(0, t.find('\n')).find("end to end"); };
    EXPECT_EQ(place(toTerminalTable(r, false)), place(toTerminalTable(same, false)));
    r.entries[3].reason = "\033]0;title\007 and \033[2J";
    EXPECT_FALSE(contains(toTerminalTable(r, false), "\033"));
}

TEST(Latex, EscapesNamesAndListsEveryRow) {
    const std::string tex = toLatex({sampleRecord()});
    EXPECT_TRUE(contains(tex, "\\begin{tabular}{llllll}"));
    EXPECT_TRUE(contains(tex, "CPU \\textless{}one\\textgreater{} \\& only"));
    EXPECT_TRUE(contains(tex, "skipped: No \\textquotedbl{}driver\\textquotedbl{}, no device \\textbar{} nothing"));
    EXPECT_TRUE(contains(tex, "8.00\\texttimes{}"));
    EXPECT_EQ(std::count(tex.begin(), tex.end(), '{'), std::count(tex.begin(), tex.end(), '}'));
    // Each of the four rows has five separators or one cell over the rest.
    std::size_t rows = 0;
    for (const char* label : {"    slow &", "    fast &", "    wrong &", "    absent & \\multicolumn{5}"}) rows += contains(tex, label);
    EXPECT_EQ(rows, 4U);
}

}  // namespace
}  // namespace parallax
