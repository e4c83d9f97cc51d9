// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a variant by `cuda`, with the figures of an H200 (132 multiprocessors), and border modes as linear functions. Needs no
// device.
#include "gpu/operations/convolution/choice.hpp"
#include "gpu/operations/convolution/kernels/launchers.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

ConvolutionFacts facts(std::int64_t extent, int kernelWidth, int kernelHeight, bool rankOne, bool fft = true) {
    return {.width = extent,
            .height = extent,
            .planes = 1,
            .kernelWidth = kernelWidth,
            .kernelHeight = kernelHeight,
            .multiprocessors = 132,
            .separable = rankOne ? Support{} : Support::no("its rank is not 1"),
            .fft = [fft] { return fft ? Support{} : Support::no("cuFFT was not found"); }};
}
ConvolutionVariant chosen(const ConvolutionFacts& f) { return chooseConvolution(f).variant; }

TEST(ConvolutionChoice, PrefersSeparableWhereItSavesMuch) {
    EXPECT_EQ(chosen(facts(8192, 7, 7, true)), ConvolutionVariant::separable);
    EXPECT_EQ(chosen(facts(1024, 127, 127, true)), ConvolutionVariant::separable);
    EXPECT_EQ(chosen(facts(8192, 5, 5, true)), ConvolutionVariant::direct);
    EXPECT_EQ(chosen(facts(256, 15, 15, true)), ConvolutionVariant::direct) << "the whole image would save too little";
    EXPECT_EQ(chosen(facts(1024, 7, 7, true)), ConvolutionVariant::separable);
    EXPECT_EQ(chosen(facts(256, 31, 31, true)), ConvolutionVariant::separable);
    EXPECT_EQ(chosen(facts(8192, 7, 7, false)), ConvolutionVariant::direct);
    EXPECT_EQ(chosen(facts(8192, 1, 127, true)), ConvolutionVariant::direct);
    EXPECT_EQ(chosen(facts(8192, 31, 2, true)), ConvolutionVariant::direct);
    EXPECT_EQ(chooseConvolution(facts(8192, 11, 11, true)).reason, "rank 1: 22 instead of 121 multiply-adds per sample");
    EXPECT_EQ(chooseConvolution(facts(8192, 1, 1, true)).reason, "1 tap: separable filtering would save too little");
}

TEST(ConvolutionChoice, PrefersTheTransformForLargeWindowsOnLargeImages) {
    EXPECT_EQ(chosen(facts(4096, 31, 31, false)), ConvolutionVariant::fft);
    EXPECT_EQ(chosen(facts(8192, 127, 127, false)), ConvolutionVariant::fft);
    EXPECT_EQ(chosen(facts(256, 31, 31, false)), ConvolutionVariant::fft);
    EXPECT_EQ(chosen(facts(8192, 15, 15, false)), ConvolutionVariant::direct);
    EXPECT_EQ(chosen(facts(4096, 21, 21, false)), ConvolutionVariant::direct);
    EXPECT_EQ(chosen(facts(210, 31, 31, false)), ConvolutionVariant::direct) << "launches would cost more than the sums";
    // More planes are more work for the same number of launches.
    ConvolutionFacts volume = facts(210, 31, 31, false);
    volume.planes = 4000;
    EXPECT_EQ(chosen(volume), ConvolutionVariant::fft);
    // An image much smaller than its window is mostly padding.
    EXPECT_EQ(chosen(facts(8, 127, 127, false)), ConvolutionVariant::direct);
}

TEST(ConvolutionChoice, SaysWhyTheTransformIsNotChosen) {
    const ConvolutionChoice c = chooseConvolution(facts(4096, 31, 31, false, false));
    EXPECT_EQ(c.variant, ConvolutionVariant::direct);
    EXPECT_NE(c.reason.find("cuFFT was not found"), std::string::npos) << c.reason;
    for (const int k : {1, 3, 15, 31, 127})
        for (const std::int64_t extent : {1, 100, 8192})
            for (const bool rankOne : {false, true}) EXPECT_FALSE(chooseConvolution(facts(extent, k, k, rankOne)).reason.empty());
}

TEST(ConvolutionChoice, PadsToSizesThatTransformFast) {
    EXPECT_EQ(fastTransformSize(1), 8);
    EXPECT_EQ(fastTransformSize(8), 8);
    EXPECT_EQ(fastTransformSize(9), 16);
    EXPECT_EQ(fastTransformSize(257), 288);
    EXPECT_EQ(fastTransformSize(4126), 4320);
    EXPECT_EQ(fastTransformSize(8192), 8192);
    for (std::int64_t n = 1; n < 20000; n += 7) {
        const std::int64_t size = fastTransformSize(n);
        EXPECT_GE(size, n);
        EXPECT_EQ(size % 8, 0);
        EXPECT_LT(static_cast<double>(size), 1.25 * static_cast<double>(n) + 8) << n;
        std::int64_t rest = size;
        for (const std::int64_t factor : {2, 3, 5, 7})
            while (rest % factor == 0) rest /= factor;
        EXPECT_EQ(rest, 1) << n;
    }
}

TEST(ConvolutionEdges, LinesFollowTheBorderMode) {
    for (const BorderMode rule :
         {BorderMode::replicate, BorderMode::constant, BorderMode::reflect, BorderMode::reflect101, BorderMode::wrap})
        for (const int n : {1, 2, 7, kEdgeReach - 1, kEdgeReach, kEdgeReach + 1, kEdgeReach + 2, 1024}) {
            const EdgeTable table{nullptr, nullptr, n, EdgeTable::lineOf(n, rule)};
            const bool always = rule == BorderMode::replicate || rule == BorderMode::constant;
            EXPECT_EQ(table.line.covers, always || n > kEdgeReach) << n;
            if (!table.line.covers) continue;
            for (int i = -kEdgeReach; i < n + kEdgeReach; ++i)
                ASSERT_EQ(table.onLine(i), borderIndex(i, n, rule)) << "rule " << static_cast<int>(rule) << ", " << i << " of " << n;
        }
}

TEST(ConvolutionEdges, LongAxesFitInAnInt) {
    constexpr std::int64_t longest = EdgeTable::kLongestLine;
    EXPECT_TRUE(EdgeTable::lineOf(longest, BorderMode::reflect).covers);
    EXPECT_FALSE(EdgeTable::lineOf(longest + 1, BorderMode::reflect).covers);
    EXPECT_FALSE(EdgeTable::lineOf(longest + 1, BorderMode::reflect101).covers);
    for (const BorderMode rule : {BorderMode::reflect, BorderMode::reflect101}) {
        const EdgeTable table{nullptr, nullptr, static_cast<int>(longest), EdgeTable::lineOf(longest, rule)};
        for (const std::int64_t i : {longest, longest + kEdgeReach - 1})
            EXPECT_EQ(table.onLine(static_cast<int>(i)), borderIndex(i, longest, rule));
    }
}

}  // namespace
}  // namespace parallax::gpu
