// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of records from elsewhere: no text of a record becomes markup, a formula or a further line.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/image/error.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/record_json.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

const std::string kHostile = "=cmd()\"'><script>alert(1)</script>\n# [x](javascript:y) `|`";

std::vector<RunRecord> sweepRecords() {
    RunRecord small = sampleRecord(), large = sampleRecord();
    large.sweep.value = "1280";
    small.entries[2].judgedStep = small.entries[1].judgedStep = "convolve";
    small.entries[1].statistics = {{0, "tonemap", "white", "White point", "cd/m2", "", 1.5}};
    small.entries[1].warnings = {"a warning"};
    return {small, large};
}

/// Calls `visit` with the records for each text, replaced by a hostile one, that a reader accepts.
std::size_t forEachText(const std::function<void(const std::vector<RunRecord>&, const std::string& place)>& visit) {
    const auto json = nlohmann::ordered_json::parse(toJson(sweepRecords())).flatten();
    std::size_t accepted = 0;
    for (const auto& [place, value] : json.items()) {
        if (!value.is_string()) continue;
        auto changed = json;
        changed[place] = kHostile;
        std::vector<RunRecord> records;
        try {
            records = recordsFromJson(changed.unflatten().dump(), "hostile.json");
        } catch (const Error&) {
            continue;  // words of a fixed set
        }
        ++accepted;
        visit(records, place);
    }
    return accepted;
}

TEST(HostileRecord, NoTextBecomesHtml) {
    std::size_t shown = 0;
    const std::size_t accepted = forEachText([&](const std::vector<RunRecord>& records, const std::string& place) {
        const std::string html = toHtml(records);
        EXPECT_EQ(html.find("<script"), std::string::npos) << place;
        EXPECT_EQ(html.find("\"'>"), std::string::npos) << place;
        shown += html.find("&lt;script&gt;") != std::string::npos;
    });
    EXPECT_GT(accepted, 60U);
    EXPECT_GT(shown, 30U);
}

TEST(HostileRecord, NoTextBecomesMarkdown) {
    std::size_t shown = 0;
    (void)forEachText([&](const std::vector<RunRecord>& records, const std::string& place) {
        std::istringstream lines(toMarkdown(records));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_FALSE(line.starts_with("# [")) << place;
            if (line.starts_with("    ")) continue;  // code
            for (const char c : {'<', '[', '`'})
                for (std::size_t at = 0; (at = line.find(c, at)) != std::string::npos; ++at)
                    EXPECT_TRUE(at > 0 && line[at - 1] == '\\') << place << ": " << line;
            shown += line.find("\\<script") != std::string::npos;
        }
    });
    EXPECT_GT(shown, 20U);
}

TEST(HostileRecord, NoCellIsAFormula) {
    std::size_t shown = 0;
    (void)forEachText([&](const std::vector<RunRecord>& records, const std::string& place) {
        const std::string csv = toCsv(records);
        for (const char* const start : {",=", ",\"=", "\n=", "\n\"="}) EXPECT_EQ(csv.find(start), std::string::npos) << place;
        shown += csv.find("'=cmd()") != std::string::npos;
    });
    EXPECT_GT(shown, 5U);
}

}  // namespace
}  // namespace parallax
