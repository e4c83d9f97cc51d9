// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/formats/formats.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/report/record/record_json.hpp"
#include "core/report/record/report.hpp"
#include "core/report/record/summary.hpp"
#include "tests/report/read_report.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

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
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& x) { return x[column(rows[0], "label")] == e.label; });
    ASSERT_NE(row, rows.end());
    EXPECT_EQ((*row)[column(rows[0], "verification")], "holds");
    EXPECT_EQ((*row)[column(rows[0], "max_abs_error")], "");
    EXPECT_EQ(recordsFromJson(toJson({r}), "r.json").front().entries[1].verification, Verification::holds);
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
