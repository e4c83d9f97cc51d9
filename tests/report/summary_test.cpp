// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/summary.hpp"

#include <gtest/gtest.h>

#include "core/engine/backend/backend.hpp"
#include "core/report/formats/formats.hpp"
#include "tests/report/read_report.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

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

}  // namespace
}  // namespace parallax
