// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/formats/formats.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/report/charts/charts.hpp"
#include "core/report/charts/svg_chart.hpp"
#include "tests/report/read_report.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

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

}  // namespace
}  // namespace parallax
