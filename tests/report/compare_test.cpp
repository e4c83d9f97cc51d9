// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

const ComparedEntry* find(const RecordComparison& c, const std::string& label) {
    for (const ComparedEntry& e : c.entries)
        if (e.label == label) return &e;
    return nullptr;
}

TEST(Compare, RecordHasNoRegressionAgainstItself) {
    const RecordComparison c = compareRecords(sampleRecord(), sampleRecord(), 1);
    EXPECT_FALSE(c.hasRegression());
    ASSERT_TRUE(find(c, "fast"));
    EXPECT_EQ(find(c, "fast")->verdict, Verdict::same);
    EXPECT_LE(find(c, "fast")->ratio.low, 1);
    EXPECT_GE(find(c, "fast")->ratio.high, 1);
}

TEST(Compare, SlowerBeyondTheLimitIsARegression) {
    RunRecord after = sampleRecord();
    after.entries[1] = sampleEntry("fast", 1'300'000);
    const RecordComparison c = compareRecords(sampleRecord(), after, 10);
    EXPECT_TRUE(c.hasRegression());
    EXPECT_TRUE(find(c, "fast")->regression);
    EXPECT_FALSE(find(c, "slow")->regression);
    EXPECT_EQ(find(c, "fast")->verdict, Verdict::slower);
    EXPECT_NEAR(find(c, "fast")->newNs / find(c, "fast")->baseNs, 1.3, 1e-6);
    EXPECT_FALSE(compareRecords(sampleRecord(), after, 50).hasRegression());
    EXPECT_FALSE(compareRecords(sampleRecord(), after, -1).hasRegression());
}

TEST(Compare, FewBlocksAreUndecided) {
    RunRecord base = sampleRecord(), after = sampleRecord();
    after.entries[1] = sampleEntry("fast", 1'300'000);
    const std::size_t samples = after.entries[1].samples.size();
    ASSERT_GE(samples, 4U);
    after.entries[1].blocks = {0, samples / 2};
    const RecordComparison c = compareRecords(base, after, 10);
    EXPECT_EQ(find(c, "fast")->verdict, Verdict::undecided);
    EXPECT_FALSE(c.hasRegression());
    const auto says = [](const RecordComparison& r, const char* what) {
        return std::any_of(r.warnings.begin(), r.warnings.end(), [&](const std::string& w) { return w.find(what) != std::string::npos; });
    };
    EXPECT_TRUE(says(c, "only 2 blocks"));
    // One sample for each block is as independent as possible.
    after.entries[1].blocks.clear();
    for (std::size_t i = 0; i < samples; ++i) after.entries[1].blocks.push_back(i);
    EXPECT_EQ(find(compareRecords(base, after, 10), "fast")->verdict, Verdict::slower);
    after.entries[1].warnings = {"drift: later runs are slower"};
    EXPECT_TRUE(says(compareRecords(base, after, 10), "new record: drift"));
    EXPECT_FALSE(says(compareRecords(base, after, 10), "load: "));
    base.warnings = {"load: Other programs load the machine"};
    EXPECT_TRUE(says(compareRecords(base, after, 10), "Base record: load: "));
}

TEST(Compare, RegressionNeedsTheNinetyNinePercentInterval) {
    RunRecord after = sampleRecord();
    after.entries[1] = sampleEntry("fast", 1'010'000);
    EXPECT_NE(find(compareRecords(sampleRecord(), after, 0.1), "fast")->verdict, Verdict::slower);
    EXPECT_FALSE(compareRecords(sampleRecord(), after, 0.1).hasRegression()) << "1 % counts as the same";
}

TEST(Compare, ReportsFaster) {
    RunRecord after = sampleRecord();
    after.entries[1] = sampleEntry("fast", 500'000);
    EXPECT_EQ(find(compareRecords(sampleRecord(), after, 5), "fast")->verdict, Verdict::faster);
}

TEST(Compare, IgnoresWrongResults) {
    const RecordComparison c = compareRecords(sampleRecord(), sampleRecord(), 5);
    EXPECT_FALSE(find(c, "wrong"));
    EXPECT_NE(
        std::find_if(c.warnings.begin(), c.warnings.end(), [](const std::string& w) { return w.find("'wrong'") != std::string::npos; }),
        c.warnings.end());
}

TEST(Compare, WarnsOfDifferentMachineInputRecipeAndEntries) {
    const auto warned = [](const RunRecord& after, const std::string& word) {
        for (const auto& w : compareRecords(sampleRecord(), after, 5).warnings)
            if (w.find(word) != std::string::npos) return true;
        return false;
    };
    RunRecord r = sampleRecord();
    EXPECT_FALSE(warned(r, "machine"));
    r.machine.cpu = "Another";
    EXPECT_TRUE(warned(r, "machine"));
    r = sampleRecord();
    r.input.hash = "0";
    EXPECT_TRUE(warned(r, "input"));
    r = sampleRecord();
    r.recipe = {"convolve:size=9"};
    EXPECT_TRUE(warned(r, "recipe"));
    r = sampleRecord();
    r.entries.erase(r.entries.begin());
    EXPECT_TRUE(warned(r, "'slow'"));
    r = sampleRecord();
    EXPECT_FALSE(warned(r, "changed"));
    r.git = "def";
    EXPECT_TRUE(warned(r, "Version changed from '0.1.0 (abc)' to '0.1.0 (def)'"));
    r = sampleRecord();
    r.entries[1].device = "Another";
    EXPECT_TRUE(warned(r, "'fast': device changed"));
}

}  // namespace
}  // namespace parallax
