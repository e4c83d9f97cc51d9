// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>

#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/image/image.hpp"

namespace parallax {
namespace {

Image filled(const Shape& shape, float value) {
    Image image{Buffer(shape)};
    std::fill_n(image.view().data, shape.samples(), value);
    return image;
}

TEST(Difference, GivesTheTextbookNumbers) {
    const Image a = filled({4, 2}, 2);
    Image b = a.clone();
    b.view().at(3, 1) = 2.5F;
    b.view().at(0, 0) = 1;
    const DifferenceMetrics m = compareViews(a.view(), b.view());
    EXPECT_DOUBLE_EQ(m.maxAbs, 1);
    EXPECT_DOUBLE_EQ(m.meanAbs, 1.5 / 8);
    EXPECT_DOUBLE_EQ(m.rmse, std::sqrt(1.25 / 8));
    EXPECT_DOUBLE_EQ(m.relativeL2, std::sqrt(1.25 / 32));
    EXPECT_DOUBLE_EQ(m.peak, 2);
    EXPECT_NEAR(m.psnr, 20 * std::log10(2 / m.rmse), 1e-12);
    ASSERT_EQ(m.worst.size(), 2U);
    EXPECT_EQ(m.worst[0].x, 0);
    EXPECT_EQ(m.worst[1].x, 3);
    EXPECT_TRUE(m.within(1));
    EXPECT_FALSE(m.within(0.99));
}

TEST(Difference, EqualImagesAreEqual) {
    const Image a = filled({33, 5, 1, 3}, 0.25F);
    const DifferenceMetrics m = compareViews(a.view(), a.view());
    EXPECT_EQ(m.maxAbs, 0);
    EXPECT_TRUE(std::isinf(m.psnr));
    EXPECT_TRUE(m.worst.empty());
    EXPECT_EQ(m.compared, 33U * 5 * 3);
}

TEST(Difference, NanAgreesWithNanOnly) {
    Image a = filled({8, 1}, 1), b = filled({8, 1}, 1);
    a.view().at(0, 0) = b.view().at(0, 0) = std::nanf("");
    a.view().at(1, 0) = b.view().at(1, 0) = HUGE_VALF;
    EXPECT_TRUE(compareViews(a.view(), b.view()).within(0));
    b.view().at(2, 0) = std::nanf("");
    b.view().at(3, 0) = HUGE_VALF;
    b.view().at(1, 0) = -HUGE_VALF;
    const DifferenceMetrics m = compareViews(a.view(), b.view());
    EXPECT_EQ(m.nanMismatches, 1U);
    EXPECT_EQ(m.infinityMismatches, 2U);
    EXPECT_FALSE(m.within(1e9));
    ASSERT_FALSE(m.worst.empty());
    EXPECT_TRUE(std::isinf(m.worst[0].error()));
}

TEST(Difference, SplitsBorderAndInterior) {
    const Image a = filled({10, 8}, 0);
    Image b = a.clone();
    b.view().at(1, 4) = 3;
    b.view().at(5, 4) = 2;
    DifferenceOptions options;
    options.borderWidth = 2;
    const DifferenceMetrics m = compareViews(a.view(), b.view(), options);
    EXPECT_EQ(m.maxAbsBorder, 3);
    EXPECT_EQ(m.maxAbsInterior, 2);
    EXPECT_DOUBLE_EQ(m.rmseInterior, std::sqrt(4.0 / 24));
    options.borderWidth = 100;
    EXPECT_EQ(compareViews(a.view(), b.view(), options).maxAbsInterior, 0);
}

TEST(Difference, SortsTheWorstPixels) {
    const Image a = filled({100, 10}, 0);
    Image b = a.clone();
    for (std::int64_t i = 0; i < 1000; ++i) b.view().data[i] = static_cast<float>((i * 37) % 1000);
    DifferenceOptions options;
    options.worstCount = 5;
    const DifferenceMetrics m = compareViews(a.view(), b.view(), options);
    ASSERT_EQ(m.worst.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(m.worst[i].b, 999.0 - static_cast<double>(i));
}

TEST(Difference, CountsSamplesBeyondATolerance) {
    const Image a = filled({50, 20}, 1);
    Image b = a.clone();
    for (std::int64_t i = 0; i < 7; ++i) b.view().data[i * 31] = 3;
    b.view().data[900] = 1.05F;
    const DifferenceMetrics plain = compareViews(a.view(), b.view());
    EXPECT_FALSE(plain.beyond.has_value());
    EXPECT_FALSE(plain.within(0.1, 0.5)) << "samples beyond the tolerance were not counted";
    const DifferenceMetrics m = compareViews(a.view(), b.view(), {.tolerance = 0.1, .worstCount = 0});
    EXPECT_EQ(m.beyond, 7U);
    EXPECT_FALSE(m.within(0.1));
    EXPECT_TRUE(m.within(0.1, 0.007));
    EXPECT_FALSE(m.within(0.1, 0.0069));
    b.view().data[0] = std::nanf("");
    EXPECT_FALSE(compareViews(a.view(), b.view(), {.tolerance = 0.1}).within(0.1, 1)) << "NaN is never ambiguous";
}

TEST(Difference, RejectsDifferentShapes) { EXPECT_THROW(compareViews(filled({2, 2}, 0).view(), filled({2, 3}, 0).view()), Error); }

TEST(Difference, LocalTolerancesJudgeEachSampleByItsOwn) {
    // Bright on the left, dark on the right: an error that the bright half allows is wrong in the dark half.
    Image a = filled({8, 2}, 1000);
    for (int y = 0; y < 2; ++y)
        for (int x = 4; x < 8; ++x) a.view().at(x, y) = 0.5F;
    const LocalTolerance local = [&](std::int64_t z, std::int64_t channel, std::span<float> plane) {
        for (std::size_t i = 0; i < plane.size(); ++i)
            plane[i] = 1e-4F * a.view().at(static_cast<std::int64_t>(i) % 8, static_cast<std::int64_t>(i) / 8, z, channel);
    };
    Image b = a.clone();
    b.view().at(1, 0) += 0.0625F;
    DifferenceMetrics m = compareViews(a.view(), b.view(), {.tolerance = 0.1, .localTolerance = local});
    ASSERT_TRUE(m.closest);
    EXPECT_NEAR(m.closest->share, 0.625, 1e-6);
    EXPECT_EQ(m.closest->pixel.x, 1);
    EXPECT_NEAR(m.closest->tolerance(), 0.1, 1e-6);
    EXPECT_EQ(m.beyond, 0U);
    EXPECT_TRUE(m.within(0.1));
    b.view().at(6, 1) += 0.03125F;
    m = compareViews(a.view(), b.view(), {.tolerance = 0.1, .localTolerance = local});
    EXPECT_EQ(m.closest->pixel.x, 6);
    EXPECT_EQ(m.closest->pixel.y, 1);
    EXPECT_NEAR(m.closest->share, 625, 1e-3);
    EXPECT_EQ(m.beyond, 1U);
    EXPECT_FALSE(m.within(0.1));
    EXPECT_TRUE(m.within(0.1, 0.1)) << "one of 16 samples may be ambiguous";
    EXPECT_TRUE(compareViews(a.view(), b.view(), {.tolerance = 0.1}).within(0.1)) << "the largest sample allows it";
    EXPECT_FALSE(compareViews(a.view(), a.view(), {.tolerance = 0.1, .localTolerance = local}).closest);
}

}  // namespace
}  // namespace parallax
