// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of users in records, redacted records, reports and comparisons.
#include "core/kernels/kernel_record.hpp"

#include <gtest/gtest.h>

#include "core/image/error.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/compare.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/redact.hpp"
#include "tests/report/read_report.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

KernelRecord sampleKernel() {
    return {
        .target = "user.blur",
        .operation = "convolve",
        .language = "C++",
        .compiler = "g++ 12.2.0",
        .command = "/home/somebody/bin/c++ -O3",
        .source = "#include <parallax/convolve.h>\nif (a < b && c) {\n    sum += secret[i];  // 100 % & \\end{verbatim} </pre> `x`\n}\n"};
}

RunRecord recordWith(const KernelRecord& kernel) {
    RunRecord r = sampleRecord();
    addKernel(r, kernel);
    return r;
}

TEST(KernelRecord, RoundTripKeepsSourceAndRaisesTheVersion) {
    EXPECT_LT(recordsFromJson(toJson({sampleRecord()}), "a.json").front().version, kKernelsVersion);
    const RunRecord r = recordsFromJson(toJson({recordWith(sampleKernel())}), "a.json").front();
    EXPECT_EQ(r.version, kKernelsVersion);
    ASSERT_EQ(kernelsOf(r).size(), 1U);
    EXPECT_EQ(kernelsOf(r).front(), sampleKernel());
    EXPECT_EQ(r.entries.size(), sampleRecord().entries.size());
}

TEST(KernelRecord, RejectsNewerVersions) {
    RunRecord r = sampleRecord();
    r.version = kColdCachesVersion + 1;
    EXPECT_THROW((void)recordsFromJson(toJson({r}), "a.json"), Error);
}

TEST(KernelRecord, HoldsEachKernelOnceAndOneSourceOfIt) {
    RunRecord r = recordWith(sampleKernel());
    addKernel(r, sampleKernel());
    KernelRecord sameName = sampleKernel();
    sameName.operation = "tonemap";
    addKernel(r, sameName);
    EXPECT_EQ(kernelsOf(r).size(), 2U);
    KernelRecord edited = sampleKernel();
    edited.source += "\n";
    EXPECT_THROW(addKernel(r, edited), Error);
    EXPECT_EQ(kernelsOf(r).size(), 2U);
}

TEST(KernelRecord, RedactedRecordsHoldNeitherSourceNorCommand) {
    RunRecord r = recordWith(sampleKernel());
    r.command = "parallax-cli bench -i synthetic:noise:64x64 --kernel somebody.cpp --backend user.blur";
    const std::vector<RunRecord> list{redacted(r)};
    EXPECT_EQ(list[0].command, "parallax-cli bench -i synthetic:noise:64x64 --kernel redacted.cpp --backend user.blur");
    for (const std::string& text : {toJson(list), toCsv(list), toHtml(list), toMarkdown(list), toLatex(list)})
        for (const char* secret : {"somebody", "secret[i]", "parallax/convolve.h"}) EXPECT_FALSE(contains(text, secret)) << secret;
    const KernelRecord kernel = kernelsOf(list[0]).front();
    EXPECT_EQ(kernel.compiler, "g++ 12.2.0");
    EXPECT_EQ(kernel.language, "C++");
    EXPECT_TRUE(contains(toHtml(list), "user.blur: convolve in C++, compiled by g++ 12.2.0"));
}

TEST(KernelRecord, ReportsShowTheSourceOnce) {
    // Points of a sweep have the same kernel.
    const std::vector<RunRecord> list(3, recordWith(sampleKernel()));
    const std::string html = toHtml(list), markdown = toMarkdown(list), latex = toLatex(list);
    const auto occurrences = [](const std::string& text, const std::string& part) {
        int count = 0;
        for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
        return count;
    };
    for (const std::string* text : {&html, &markdown, &latex}) EXPECT_EQ(occurrences(*text, "sum += secret[i]"), 1) << *text;
    EXPECT_TRUE(contains(html, "if (a &lt; b &amp;&amp; c) {\n    sum += secret[i]"));
    EXPECT_TRUE(contains(html, "&lt;/pre&gt;"));
    EXPECT_TRUE(contains(markdown, "\n    if (a < b && c) {\n        sum += secret[i];"));
    EXPECT_TRUE(contains(latex, "\n%   if (a < b && c) {\n%       sum += secret[i];"));
    // The facts about machine and build have no source.
    for (const std::string* text : {&html, &markdown, &latex}) EXPECT_FALSE(contains(*text, "source #include"));
}

TEST(KernelRecord, PdfGrowsByTheSource) {
    if (!canMakePdf()) GTEST_SKIP() << "built without cairo";
    KernelRecord longer = sampleKernel();
    for (int i = 0; i < 400; ++i) longer.source += "\tline(" + std::to_string(i) + ");\n";
    EXPECT_GT(toPdf({recordWith(longer)}, {}).size(), toPdf({recordWith(sampleKernel())}, {}).size() + 1000);
}

TEST(KernelRecord, CompareTellsIfSourcesDiffer) {
    const RunRecord base = recordWith(sampleKernel());
    const auto warned = [&](const RunRecord& now, const std::string& what) { return contains(toText(compareRecords(base, now, 5)), what); };
    EXPECT_FALSE(warned(base, "Kernel"));
    KernelRecord edited = sampleKernel();
    edited.source += "// faster\n";
    edited.command += " -ffast-math";
    EXPECT_TRUE(warned(recordWith(edited), "Kernel 'user.blur' of convolve: its source changed"));
    EXPECT_TRUE(
        warned(recordWith(edited), "command changed from '/home/somebody/bin/c++ -O3' to '/home/somebody/bin/c++ -O3 -ffast-math'"));
    EXPECT_FALSE(warned(recordWith(edited), "compiler changed"));
    EXPECT_TRUE(warned(redacted(base), "a record does not hold its source"));
    EXPECT_FALSE(warned(redacted(base), "command changed"));
}

}  // namespace
}  // namespace parallax
