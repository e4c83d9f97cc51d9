// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/formats/formats.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/image/error.hpp"
#include "core/report/charts/charts.hpp"
#include "core/report/charts/svg_chart.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/report.hpp"
#include "core/report/record/summary.hpp"
#include "tests/report/sample_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

/// RFC 4180, written for this test alone.
std::vector<std::vector<std::string>> parseCsv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string& field = rows.back().back();
        if (quoted) {
            if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') field += text[++i];
            else if (c == '"') quoted = false;
            else field += c;
        } else if (c == '"') quoted = true;
        else if (c == ',') rows.back().emplace_back();
        else if (c == '\n') rows.emplace_back(1);
        else if (c != '\r') field += c;
    }
    rows.pop_back();
    return rows;
}

std::size_t column(const std::vector<std::string>& header, const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Summary, SpeedupIsRelativeToTheBaseline) {
    const auto rows = summarise(sampleRecord());
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_TRUE(rows[0].isBaseline);
    EXPECT_FALSE(rows[0].computeSpeedup);
    ASSERT_TRUE(rows[1].computeSpeedup);
    EXPECT_NEAR(rows[1].computeSpeedup->ratio, 8, 0.01);
    EXPECT_LE(rows[1].computeSpeedup->interval.low, 8);
    EXPECT_GE(rows[1].computeSpeedup->interval.high, 8);
    EXPECT_EQ(rows[1].computeSpeedup->verdict, Verdict::faster);
    EXPECT_GT(rows[1].endToEnd.median, rows[1].compute.median);
    // 1e9 flops and 2e8 bytes in about a millisecond.
    EXPECT_NEAR(rows[1].gigaflops, 1000, 10);
    EXPECT_NEAR(rows[1].gigabytesPerSecond, 200, 2);
    EXPECT_NEAR(rows[1].megapixelsPerSecond, 307.2, 3);
}

TEST(Summary, WrongResultHasNoSpeedup) {
    const auto rows = summarise(sampleRecord());
    EXPECT_FALSE(rows[2].computeSpeedup);
    EXPECT_FALSE(rows[2].endToEndSpeedup);
    EXPECT_TRUE(contains(formatError(rows[2]), "DISAGREES"));
    EXPECT_EQ(formatSpeedup(rows[2], rows[2].computeSpeedup), "-");
}

TEST(Summary, InconclusiveResultsCountAsNoAgreement) {
    RunRecord r = sampleRecord();
    r.entries[1].verification = Verification::inconclusive;
    r.entries[1].tolerance = 1.09e12;
    SummaryRow row = summarise(r)[1];
    EXPECT_TRUE(contains(formatError(row), "inconclusive")) << formatError(row);
    EXPECT_FALSE(contains(formatError(row), "ok"));
    EXPECT_FALSE(contains(formatAllowed(row), "e+12")) << "a meaningless number";
    EXPECT_TRUE(row.computeSpeedup) << "it is not known to be wrong";
    for (const std::string& report : {toHtml({r}), toMarkdown({r}), toLatex({r})}) EXPECT_FALSE(contains(report, "e+12"));
    r.entries[1].verification = Verification::agrees;
    r.entries[1].judgedStep = "tonemap";
    row = summarise(r)[1];
    EXPECT_TRUE(contains(formatError(row), "ok, step tonemap")) << formatError(row);
    EXPECT_EQ(formatLargest(row), "") << "it belongs to a step, not to the picture";
}

TEST(Summary, TheReferenceIsAnOracleUnlessItIsTheBaseline) {
    RunRecord record = sampleRecord();
    record.entries[1].backend = kReferenceBackend;
    const SummaryRow oracle = summarise(record)[1];
    EXPECT_TRUE(oracle.isOracle);
    EXPECT_FALSE(oracle.computeSpeedup);
    EXPECT_EQ(formatSpeedup(oracle, oracle.computeSpeedup), "oracle");
    record.baseline = record.entries[1].label;
    EXPECT_EQ(formatSpeedup(summarise(record)[1], {}), "baseline");
}

TEST(Summary, WrongBaselineGivesNoSpeedups) {
    RunRecord r = sampleRecord();
    r.entries[0].verification = Verification::disagrees;
    for (const SummaryRow& row : summarise(r)) {
        EXPECT_FALSE(row.isBaseline);
        EXPECT_FALSE(row.computeSpeedup);
    }
}

TEST(Summary, FormatsNumbersWithThreeDigits) {
    EXPECT_EQ(formatTime(0), "0");
    EXPECT_EQ(formatTime(123), "123 ns");
    EXPECT_EQ(formatTime(1.5e3), "1.50 us");
    EXPECT_EQ(formatTime(2.5e6), "2.50 ms");
    EXPECT_EQ(formatTime(61e9), "61.0 s");
    EXPECT_EQ(formatNumber(0), "0");
    EXPECT_EQ(formatNumber(1.25e-7), "1.25e-07");
    EXPECT_EQ(formatNumber(12.345), "12.3");
}

TEST(Summary, UsesTheSignsOfDocumentsOnRequest) {
    EXPECT_EQ(formatTime(1.5e3, kDocumentSigns), "1.50 µs");
    EXPECT_EQ(formatNumber(-1.25e-7, kDocumentSigns), "−1.25e−07");
    EXPECT_EQ(formatSize({640, 480, 1, 3}, kDocumentSigns), "640 × 480");
    EXPECT_EQ(formatTimes({1e3, 2e6}, kDocumentSigns), "1.00 µs – 2.00 ms");
    const SummaryRow row = summarise(sampleRecord(), kDocumentSigns)[1];
    EXPECT_TRUE(contains(formatSpeedup(row, row.computeSpeedup), "8.00× (")) << formatSpeedup(row, row.computeSpeedup);
    EXPECT_EQ(formatError(row), "1.25e−07 ok");
}

TEST(Formats, WriteTypographicSignsForPeopleAndAsciiForPrograms) {
    RunRecord r = sampleRecord();
    r.recipe = {"convolve:size=7"};
    r.command.clear();
    r.flags.clear();
    r.entries[1].warnings = {"noise: The median is known only to +-3.0 %"};
    for (RunEntry& e : r.entries)
        for (StageTimes& t : e.samples) {
            t = StageTimes{};
            t[Stage::compute] = 45'600;
        }
    for (const std::string& text : {toHtml({r}), toMarkdown({r})}) {
        EXPECT_TRUE(contains(text, "45.6 µs")) << text;
        EXPECT_TRUE(contains(text, "1.00× (")) << text;
        EXPECT_TRUE(contains(text, "640 × 480"));
        EXPECT_TRUE(contains(text, "e−07"));
        EXPECT_TRUE(contains(text, "only to ±3.0 %"));
        for (const char* ascii : {"45.6 us", "1.00x", "640 x 480", "e-07", "+-"}) EXPECT_FALSE(contains(text, ascii)) << ascii;
    }
    EXPECT_TRUE(contains(toHtml({r}), "target ±1"));
    const std::string tex = toLatex({r});
    EXPECT_TRUE(contains(tex, "45.6 \\textmu{}s (45.6 \\textmu{}s -- 45.6 \\textmu{}s)")) << tex;
    EXPECT_TRUE(contains(tex, "e\\textminus{}07"));
    for (const char c : tex) EXPECT_LT(static_cast<unsigned char>(c), 128) << "inputenc may not know it";
    for (const std::string& text : {toCsv({r}), toTerminalTable(r, false), toJson({r})})
        for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 128);
    EXPECT_TRUE(contains(toTerminalTable(r, false), "45.6 us"));
}

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

TEST(Formats, ShowSeries) {
    RunRecord r = sampleRecord();
    r.version = kSeriesVersion;
    for (RunEntry& e : r.entries) e.series.push_back(sampleSeries());
    const std::string csv = toCsv({r});
    EXPECT_NE(csv.find(",series,2,"), std::string::npos);
    EXPECT_NE(csv.find(",convergence,,converged,2,1e-09,warm,,,,1048576,,,,,,,,,,,,\r\n"), std::string::npos);
    EXPECT_NE(toHtml({r}, {}).find("Convergence: relative residual (logarithmic)"), std::string::npos);
    EXPECT_NE(toMarkdown({r}).find("| Convergence | iteration 2 | 1.00 | 1.00e−09 | converged |"), std::string::npos) << toMarkdown({r});
}

TEST(Formats, ShowThePartsOfCompute) {
    RunRecord r = sampleRecord();
    EXPECT_EQ(toHtml({r}, {}).find("Parts of compute"), std::string::npos);
    r.entries[0].laps = {10'000'000, {{0, "poisson", "v-cycle", "V-cycle", "", "level 0", 6'000'000, 9}}};
    EXPECT_NE(toHtml({r}, {}).find(r.entries[0].label + ", V-cycle, level 0: 6.00"), std::string::npos);
    EXPECT_NE(toHtml({r}, {}).find("<td>V-cycle, level 0</td><td>6.00 ms</td><td>60.0 %</td><td>9</td>"), std::string::npos);
    EXPECT_NE(toMarkdown({r}).find("| V-cycle, level 0 | 6.00 ms | 60.0 % | 9 |"), std::string::npos) << toMarkdown({r});
    EXPECT_NE(toMarkdown({r}).find("| other | 4.00 ms | 40.0 % |"), std::string::npos);
}

TEST(Formats, ShowTheResidualThatIsTooLarge) {
    RunRecord r = sampleRecord();
    RunEntry& e = r.entries[1];
    e.verification = Verification::disagrees;
    e.judgements.push_back({"poisson", "Relative residual", "1.5 times the tolerance", 0.5, 0.25});
    EXPECT_NE(toMarkdown({r}).find("Relative residual: 0.500, allowed 0.250 (1.5 times the tolerance)"), std::string::npos);
}

TEST(Formats, ShowWhatHoldsWithoutTheReference) {
    RunRecord r = sampleRecord();
    RunEntry& e = r.entries[1];
    e.verification = Verification::holds;
    e.difference = {};
    e.judgements.push_back({"poisson", "Relative residual", "1.5 times the tolerance", 3e-9, 1.5e-8});
    EXPECT_NE(toMarkdown({r}).find("3.00e−09 ok: relative residual"), std::string::npos) << toMarkdown({r});
    EXPECT_NE(toHtml({r}, {}).find("bound 1.50e−08"), std::string::npos);
    const auto rows = parseCsv(toCsv({r}));
    const auto column = [&](const char* name) {
        return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
    };
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& x) { return x[column("label")] == e.label; });
    ASSERT_NE(row, rows.end());
    EXPECT_EQ((*row)[column("verification")], "holds");
    EXPECT_EQ((*row)[column("max_abs_error")], "");
    EXPECT_EQ(recordsFromJson(toJson({r}), "r.json").front().entries[1].verification, Verification::holds);
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

/// Every tag that is opened is closed, in order.
void expectWellFormed(const std::string& html) {
    static const std::set<std::string> voids{"meta", "br", "img", "!DOCTYPE"};
    std::vector<std::string> open;
    for (std::size_t i = html.find('<'); i != std::string::npos; i = html.find('<', i + 1)) {
        const std::size_t end = html.find('>', i);
        ASSERT_NE(end, std::string::npos);
        std::string tag = html.substr(i + 1, end - i - 1);
        const bool closing = tag.front() == '/', alone = tag.back() == '/';
        if (closing) tag.erase(0, 1);
        tag = tag.substr(0, tag.find_first_of(" \n/"));
        if (voids.count(tag) || alone) continue;
        if (!closing) {
            open.push_back(tag);
            continue;
        }
        ASSERT_FALSE(open.empty()) << tag;
        ASSERT_EQ(open.back(), tag) << html.substr(i > 200 ? i - 200 : 0, 300);
        open.pop_back();
    }
    EXPECT_TRUE(open.empty());
}

TEST(Html, IsWellFormedAndSelfContained) {
    const std::string html = toHtml({sampleRecord()});
    expectWellFormed(html);
    for (const char* fetching : {"http:", "https:", "src=", "@import", "url(", "<script", "<link"})
        EXPECT_FALSE(contains(html, fetching)) << fetching;
    EXPECT_TRUE(contains(html, "<svg"));
    EXPECT_TRUE(contains(html, "prefers-color-scheme"));
    EXPECT_TRUE(contains(html, "FASTER"));
    EXPECT_TRUE(contains(html, "DISAGREES"));
    EXPECT_TRUE(contains(html, "parallax-cli bench"));
    EXPECT_TRUE(contains(html, "CPU &lt;one&gt; &amp; only"));
    EXPECT_FALSE(contains(html, "<c>"));
}

TEST(Formats, NameRecipes) {
    RunRecord r = sampleRecord();
    r.version = 2;
    r.recipe = {"A=convolve:size=3", "soft=convolve:size=9 | unknown:x='1 | 2'"};
    for (RunEntry& e : r.entries) e.label = (&e == &r.entries.front() ? "A/" : "soft/") + e.label;
    for (const std::string& text : {toMarkdown({r}), toHtml({r}), toLatex({r})}) {
        EXPECT_TRUE(contains(text, "A: Convolution: ")) << text;
        EXPECT_TRUE(contains(text, "ecipe/backend")) << text;
        EXPECT_TRUE(contains(text, r.entries[1].label)) << text;
    }
    EXPECT_TRUE(contains(toHtml({r}), "soft=convolve:size=9 | unknown:x="));
    EXPECT_TRUE(contains(toTerminalTable(r, false), "A=convolve:size=3\nsoft=convolve:size=9 | "));
    EXPECT_TRUE(contains(toCsv({r}), ",convolve:size=9 | unknown:x='1 | 2',soft/"));
    EXPECT_TRUE(contains(toCsv({r}), ",soft,,,,,,,,,,warm,,,,1048576,,,,,,,,,,,,\r\n"));
    EXPECT_EQ(recordsFromJson(toJson({r}), "test").front().recipe, r.recipe);
    EXPECT_EQ(recordsFromJson(toJson({r, sampleRecord()}), "test").back().version, 1);
}

TEST(Formats, NameStepsInWordsForPeopleAndExactlyForPrograms) {
    RunRecord r = sampleRecord();
    r.recipe = {"convolve:kernel=custom,weights='0 -1 0\n-1 5 -1\n0 -1 0'", "unknown:text='a\nb'"};
    const std::string words = "Convolution: Custom 3 × 3";
    for (const std::string& text : {toMarkdown({r}), toHtml({r})}) {
        EXPECT_TRUE(contains(text, words)) << text;
        EXPECT_TRUE(contains(text, "a b")) << text;
    }
    EXPECT_FALSE(contains(toMarkdown({r}), "weights="));
    EXPECT_TRUE(contains(toLatex({r}), "Convolution: Custom 3 \\texttimes{} 3")) << toLatex({r});
    EXPECT_FALSE(contains(toLatex({r}), "weights="));
    EXPECT_TRUE(contains(toCsv({r}), "weights='0 -1 0"));
    EXPECT_EQ(recordsFromJson(toJson({r}), "test").front().recipe, r.recipe);
}

TEST(Html, ShowsComputeAndEndToEndEachWithErrorBars) {
    const std::string html = toHtml({sampleRecord()});
    EXPECT_TRUE(contains(html, ">Compute (ms"));
    EXPECT_TRUE(contains(html, ">End to end"));
    EXPECT_TRUE(contains(html, "class=\"error\""));
}

TEST(Html, EscapesHostileNames) {
    RunRecord r = sampleRecord();
    r.input.name = "<script>alert(1)</script>";
    r.entries[0].label = "\"><img src=x onerror=alert(1)>";
    r.entries[1].reason = "</table>";
    r.machine.host = "<b>";
    r.baseline = r.entries[0].label;
    r.recipe = {"</pre><script>"};
    r.when = "<i>";
    r.git = "<i>";
    r.protocol.effort = "<i>";
    r.entries[1].warnings = {"<i>"};
    const std::string html = toHtml({r});
    expectWellFormed(html);
    EXPECT_FALSE(contains(html, "<script"));
    EXPECT_FALSE(contains(html, "<img"));
    EXPECT_FALSE(contains(html, "<i>"));
}

TEST(Html, ShowsRecordsWithoutSamples) {
    RunRecord r = sampleRecord();
    for (RunEntry& e : r.entries) {
        e.status = RunStatus::failed;
        e.samples.clear();
    }
    expectWellFormed(toHtml({r}));
    EXPECT_FALSE(toMarkdown({r}).empty());
    EXPECT_FALSE(toCsv({r}).empty());
    EXPECT_FALSE(toTerminalTable(r, false).empty());
}

TEST(Svg, EscapesAndDrawsEveryPart) {
    const std::string svg = toSvg(draw(BarChart{"A & B", "ms", {"one", "two"}, {0, 1}, {{"<bar>", "text", {1, 2}, {2.5, 3.5}}}}));
    expectWellFormed(svg);
    EXPECT_TRUE(contains(svg, "A &amp; B"));
    EXPECT_TRUE(contains(svg, "&lt;bar&gt;"));
    EXPECT_TRUE(contains(svg, "class=\"c0\""));
    EXPECT_TRUE(contains(svg, "class=\"c1\""));
    EXPECT_TRUE(contains(svg, "class=\"error\""));
}

class ReportFiles : public ::testing::Test {
protected:
    ErrorCode refused(const std::string& name) {
        try {
            writeReport(sampleRecord(), name, false);
        } catch (const Error& e) {
            return e.code();
        }
        ADD_FAILURE() << name << " was written";
        return ErrorCode::failed;
    }
    const test::TemporaryFolder temporary_;
    const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(ReportFiles, FormatFollowsTheExtension) {
    const std::string expected[] = {"{", "record,", "<!DOCTYPE html>", "# Parallax"};
    const char* const names[] = {"r.json", "r.csv", "r.HTML", "r.md"};
    for (int i = 0; i < 4; ++i) {
        const auto path = folder_ / names[i];
        writeReport(sampleRecord(), path.string(), false);
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        EXPECT_TRUE(text.starts_with(expected[i])) << names[i];
    }
}

TEST_F(ReportFiles, KeepTheOldFileWhenWritingFails) {
    const std::string path = (folder_ / "r.html").string();
    std::ofstream(path) << "precious";
    // Limits the file size, like a full disk in the middle of writing.
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{2000, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (const char* name : {"r.html", "new.json", "new.csv", "new.pdf"}) {
        if (std::string(name) == "new.pdf" && !canMakePdf()) continue;
        try {
            writeReport(sampleRecord(), (folder_ / name).string(), true);
            ADD_FAILURE() << name;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::output) << name;
        }
    }
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "precious");
    // No other file remains.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator{}), 1);
    EXPECT_EQ(refused("/dev/full"), ErrorCode::usage);
}

TEST_F(ReportFiles, AreReplacedOnlyOnRequest) {
    const std::string path = (folder_ / "r.json").string();
    std::ofstream(path) << "precious";
    EXPECT_EQ(refused(path), ErrorCode::output);
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "precious");
    writeReport(sampleRecord(), path, true);
    EXPECT_GT(std::filesystem::file_size(path), 1000U);
}

TEST_F(ReportFiles, RejectUnknownFormats) {
    EXPECT_EQ(refused((folder_ / "r.xlsx").string()), ErrorCode::usage);
    EXPECT_EQ(refused((folder_ / "r").string()), ErrorCode::usage);
    if (!canMakePdf()) {
        EXPECT_EQ(refused((folder_ / "r.pdf").string()), ErrorCode::usage);
    }
    EXPECT_EQ(refused((folder_ / "missing" / "r.json").string()), ErrorCode::output);
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

TEST(Formats, ShowTheMetricsOfResults) {
    const RunRecord r = sampleRecord();
    const std::string expected = "SSIM 0.999998, HDR-FLIP 0.000120, at most 3 ULP";
    for (const std::string& text : {toHtml({r}), toMarkdown({r}), toLatex({r}), toTerminalTable(r, false)}) {
        const std::size_t at = text.find(expected);
        EXPECT_NE(at, std::string::npos) << text;
        EXPECT_EQ(text.find("SSIM", at + 1), std::string::npos);  // the others have none
    }
    EXPECT_NE(toCsv({r}).find(",0.999998,,0.00012,3,,,,,,warm,,,,12582912,13631488,3221225472,1610612736,,,,,,,,,\r\n"), std::string::npos);
}

TEST(Formats, StatisticsAreListedWithTheirNames) {
    RunRecord r = sampleRecord();
    for (RunEntry& e : r.entries) e.statistics.clear();
    r.entries[0].statistics = {{0, "tonemap", "noise", "Noise, standard deviation", "", "", 0.25},
                               {0, "tonemap", "iterations", "Iterations", "", "", 10}};
    const std::string expected = "noise, standard deviation: 0.250; iterations: 10";
    EXPECT_EQ(summarise(r)[0].statistics, expected);
    for (const std::string& text : {toHtml({r}), toMarkdown({r}), toTerminalTable(r, false)}) EXPECT_TRUE(contains(text, expected)) << text;
    // A row of its own over all columns of the table.
    EXPECT_TRUE(contains(toHtml({r}), "</tr>\n<tr class=\"more\"><td colspan=\"7\" class=\"soft\">" + expected));
    r.entries[0].statistics.clear();
    EXPECT_FALSE(contains(toHtml({r}), "<tr class=\"more\">"));
}

TEST(Formats, CeilingsHaveALineForEachNumberOfThreads) {
    RunRecord r = sampleRecord();
    r.machine.ceilings.clear();
    const auto add = [&](const char* name, const char* level, const char* unit, int threads, double value) {
        CeilingRecord c;
        c.name = name;
        c.level = level;
        c.unit = unit;
        c.threads = threads;
        c.value = value;
        r.machine.ceilings.push_back(c);
    };
    add("copy", "L1", "GB/s", 1, 540);
    add("copy", "L2", "GB/s", 1, 257);
    add("threads", "latency", "us", 2, 84.6);
    EXPECT_TRUE(
        contains(toHtml({r}), "1 thread: copy L1 540 GB/s; copy L2 257 GB/s<br><span class=\"soft\">2 threads: threads latency 84.6 µs<"))
        << toHtml({r});
}

TEST(Formats, ShowEstimatedAndTakenMemory) {
    const RunRecord r = sampleRecord();
    const std::string measured = "13.0 MiB (12.0 MiB estimated), on the device 1.50 GiB (3.00 GiB estimated)",
                      unknown = "1.00 MiB estimated";
    EXPECT_EQ(summarise(r)[1].memory, measured);
    EXPECT_EQ(summarise(r)[0].memory, unknown) << "of a record of an older version";
    EXPECT_EQ(summarise(r)[3].memory, "");
    EXPECT_EQ(formatMemory({.estimatedDevice = 1000, .device = 100}), "on the device 0.098 KiB (0.977 KiB estimated)");
    EXPECT_TRUE(contains(toTerminalTable(r, false), "; memory " + measured));
    EXPECT_TRUE(contains(toMarkdown({r}), "fast: memory " + measured)) << toMarkdown({r});
    EXPECT_TRUE(contains(toMarkdown({r}), "slow: memory " + unknown));
    EXPECT_TRUE(contains(toHtml({r}), "memory " + measured));
    EXPECT_TRUE(contains(toLatex({r}), "Memory: slow " + unknown + "; fast " + measured + "; wrong " + unknown + ".}")) << toLatex({r});
    if (canMakePdf()) {
        RunRecord without = r;
        for (RunEntry& e : without.entries) e.memory = {};
        EXPECT_GT(toPdf({r}).size(), toPdf({without}).size());
    }
    const auto rows = parseCsv(toCsv({r}));
    EXPECT_EQ(rows[13][column(rows[0], "label")], "fast");
    EXPECT_EQ(rows[13][column(rows[0], "peak_host_bytes")], std::to_string(13U << 20));
    EXPECT_EQ(rows[13][column(rows[0], "peak_device_bytes")], std::to_string(3U << 29));
    EXPECT_EQ(rows[1][column(rows[0], "peak_host_bytes")], "");
}

TEST(Formats, ShowThePositionOfTheMaximumDifference) {
    const RunRecord r = sampleRecord();
    for (const std::string& text : {toTerminalTable(r, false), toMarkdown({r}), toHtml({r})})
        EXPECT_TRUE(contains(text, "wrong: maximum difference at x 3, y 4, channel G: 0.250, reference 0.500, tolerance")) << text;
    EXPECT_FALSE(contains(toMarkdown({r}), "fast: maximum difference"));
}

}  // namespace
}  // namespace parallax
