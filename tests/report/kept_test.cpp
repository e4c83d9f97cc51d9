// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "core/image/error.hpp"
#include "core/report/kept/baselines.hpp"
#include "core/report/kept/history.hpp"
#include "core/report/record/record_json.hpp"
#include "tests/report/sample_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

std::vector<std::string> filesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

class Kept : public testing::Test {
protected:
    test::TemporaryFolder folder_;
    std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
};

TEST_F(Kept, HistoryHoldsEachMeasurementWhole) {
    const std::string file = addToHistory({sampleRecord()}, path("data/history"), 60);
    const auto records = loadRecords(file);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].when, sampleRecord().when);
    EXPECT_EQ(filesIn(path("data/history")).size(), 1U) << "nothing unfinished beside it";
}

TEST_F(Kept, HistoryOfSeveralProgramsAtATimeLosesNothing) {
    constexpr int kThreads = 4, kEach = 25;
    std::vector<std::vector<std::string>> added(kThreads);
    {
        std::vector<std::jthread> threads;
        for (auto& names : added)
            threads.emplace_back([&] {
                for (int i = 0; i < kEach; ++i) names.push_back(addToHistory({sampleRecord()}, path("history"), 1000));
            });
    }
    std::set<std::string> all;
    for (const auto& names : added) all.insert(names.begin(), names.end());
    EXPECT_EQ(all.size(), std::size_t{kThreads * kEach}) << "none replaces another";
    EXPECT_EQ(filesIn(path("history")).size(), all.size());
    for (const std::string& file : all) EXPECT_NO_THROW((void)loadRecords(file));
}

TEST_F(Kept, HistoryRemovesTheOldest) {
    std::filesystem::create_directories(path("history"));
    for (const char* name :
         {"20200101-000000-000.json", "20200101-000000-000.facts", "20200101-000000-000-2.json", "20210101-000000-000.json"})
        std::ofstream(path("history/") + name) << "{}";
    (void)addToHistory({sampleRecord()}, path("history"), 3);
    const auto left = filesIn(path("history"));
    ASSERT_EQ(left.size(), 3U);
    EXPECT_EQ(left[0], "20200101-000000-000-2.json");
    EXPECT_EQ(left[1], "20210101-000000-000.json");
}

TEST_F(Kept, HistoryThatCannotBeWrittenIsAnError) {
    std::ofstream(path("file")) << "";
    EXPECT_THROW((void)addToHistory({sampleRecord()}, path("file/history"), 3), Error);
}

TEST_F(Kept, HistoryFollowsTheSettingsOfTheWindow) {
    EXPECT_TRUE(historySettings(path("absent.conf")).keeps);
    EXPECT_EQ(historySettings(path("absent.conf")).runs, 60);
    std::ofstream(path("a.conf")) << "[appearance]\nkeep=true\n\n[history]\nkeep=false\nmax-runs=7\n\n[session]\nmax-runs=9\n";
    EXPECT_FALSE(historySettings(path("a.conf")).keeps);
    EXPECT_EQ(historySettings(path("a.conf")).runs, 7);
    std::ofstream(path("b.conf")) << "[history]\nmax-runs=many\n";
    EXPECT_EQ(historySettings(path("b.conf")).runs, 60);
}

TEST_F(Kept, BaselinesAreSavedRenamedAndRemoved) {
    const Baselines baselines(path("data/baselines"));
    EXPECT_TRUE(baselines.names().empty());
    baselines.save("release 1.0", {sampleRecord()}, false);
    baselines.save("b", {sampleRecord()}, false);
    EXPECT_EQ(baselines.names(), (std::vector<std::string>{"b", "release 1.0"}));
    EXPECT_THROW(baselines.save("b", {sampleRecord()}, false), Error);
    RunRecord later = sampleRecord();
    later.git = "later";
    baselines.save("b", {later}, true);
    EXPECT_EQ(baselines.load("b").front().git, "later");
    EXPECT_THROW(baselines.rename("b", "release 1.0"), Error) << "the name is taken";
    EXPECT_THROW(baselines.rename("absent", "c"), Error);
    baselines.rename("b", "c");
    EXPECT_EQ(baselines.names(), (std::vector<std::string>{"c", "release 1.0"}));
    EXPECT_EQ(baselines.load("c").front().git, "later");
    baselines.remove("c");
    EXPECT_THROW(baselines.remove("c"), Error);
    EXPECT_THROW((void)baselines.load("c"), Error);
    EXPECT_EQ(baselines.names(), std::vector<std::string>{"release 1.0"});
}

TEST_F(Kept, NamesOfBaselinesSuitFiles) {
    for (const char* name : {"a", "release-1.0", "vor der Änderung", "a b"}) EXPECT_NO_THROW(checkBaselineName(name)) << name;
    for (const std::string& name :
         {std::string(), std::string("a/b"), std::string("../a"), std::string("a=b"), std::string("a\nb"), std::string(81, 'a')})
        EXPECT_THROW(checkBaselineName(name), Error) << name;
}

TEST_F(Kept, BaselinesAreGivenByNameOrFile) {
    const Baselines baselines(path("baselines"));
    baselines.save("kept", {sampleRecord()}, false);
    std::ofstream(path("r.json")) << toJson({sampleRecord()});
    EXPECT_EQ(baselineFor("kept", baselines).name, "kept");
    EXPECT_EQ(baselineFor(path("r.json"), baselines).name, "r.json");
    EXPECT_EQ(baselineFor("mine=" + path("r.json"), baselines).name, "mine");
    EXPECT_THROW((void)baselineFor("absent", baselines), Error);
    EXPECT_THROW((void)baselineFor("a=" + path("absent.json"), baselines), Error);
}

TEST_F(Kept, ComparisonHasAColumnForEachBaseline) {
    RunRecord now = sampleRecord();
    RunRecord slower = now;
    for (RunEntry& e : slower.entries)
        for (StageTimes& s : e.samples) s[Stage::compute] *= 2;
    now.entries[1].sha256 = std::string(64, 'a');
    slower.entries[1].sha256 = std::string(64, 'b');
    std::vector<NamedComparison> all{compareWith({"before", {slower}}, {now}, 5), compareWith({"same", {sampleRecord()}}, {now}, 5)};
    ASSERT_GE(all[0].result.entries.size(), 2U);
    EXPECT_EQ(all[0].result.entries[1].verdict, Verdict::faster);
    EXPECT_EQ(all[0].result.entries[1].sameResult, false);
    EXPECT_FALSE(all[1].result.entries[1].sameResult.has_value()) << "a record without checksums";
    EXPECT_EQ(all[1].result.entries[1].verdict, Verdict::same);
    const std::string text = toText(all);
    EXPECT_NE(text.find("before"), std::string::npos);
    EXPECT_NE(text.find("FASTER, other bits"), std::string::npos) << text;
    EXPECT_NE(text.find("SAME"), std::string::npos);
    // A regression against any of them.
    EXPECT_TRUE(compareWith({"fast", {now}}, {slower}, 5).result.hasRegression());
    // A sweep is compared point by point.
    RunRecord point = now;
    point.sweep = {"size", "64"};
    const NamedComparison sweep = compareWith({"sweep", {point}}, {point, now}, 5);
    ASSERT_FALSE(sweep.result.entries.empty());
    EXPECT_NE(sweep.result.entries[0].label.find(", 64"), std::string::npos);
}

}  // namespace
}  // namespace parallax
