// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/stored_colours.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace parallax {
namespace {

struct Curve {
    TransferFunction transfer;
    double gamma;
};
const Curve kCurves[] = {
    {TransferFunction::sRgb, 1}, {TransferFunction::linear, 1}, {TransferFunction::gamma, 2.2}, {TransferFunction::gamma, 0.45}};

TEST(SampleEncoding, RestoresEveryStoredValue) {
    for (const Curve& curve : kCurves)
        for (const int maximum : {1, 3, 15, 255, 1023, 65535}) {
            const auto table = decodingTable(curve.transfer, curve.gamma, maximum);
            SampleEncoder encode(curve.transfer, curve.gamma, maximum);
            for (int i = 0; i <= maximum; ++i) {
                const float linear = table[static_cast<std::size_t>(i)];
                ASSERT_EQ(encodeSample(static_cast<double>(linear), curve.transfer, curve.gamma, maximum), i);
                ASSERT_EQ(encode(linear), i);
            }
            EXPECT_EQ(encode.outside(), 0U);
        }
}

TEST(SampleEncoding, RestoresValuesUnderEveryAlpha) {
    const auto table = decodingTable(TransferFunction::sRgb, 1, 255);
    SampleEncoder encode(TransferFunction::sRgb, 1, 255);
    for (int alpha = 1; alpha <= 255; ++alpha)
        for (int i = 0; i <= 255; ++i) {
            const float a = static_cast<float>(alpha) / 255.0F;
            ASSERT_EQ(encode(std::min(1.0F, table[static_cast<std::size_t>(i)] * a / a)), i);
        }
}

TEST(SampleEncoding, TheTableAgreesWithTheFormula) {
    std::mt19937 random(4);
    std::uniform_real_distribution<float> exponent(-24.0F, 0.0F);
    for (const Curve& curve : kCurves)
        for (const int maximum : {255, 65535}) {
            SampleEncoder encode(curve.transfer, curve.gamma, maximum);
            for (int i = 0; i < 100000; ++i) {
                const float v = std::exp2(exponent(random));
                ASSERT_EQ(encode(v), encodeSample(static_cast<double>(v), curve.transfer, curve.gamma, maximum)) << v;
            }
        }
}

TEST(SampleEncoding, ClipsAndCounts) {
    SampleEncoder encode(TransferFunction::sRgb, 1, 255);
    EXPECT_EQ(encode(-0.5F), 0);
    EXPECT_EQ(encode(1.5F), 255);
    EXPECT_EQ(encode(std::numeric_limits<float>::infinity()), 255);
    EXPECT_EQ(encode(std::numeric_limits<float>::quiet_NaN()), 0);
    EXPECT_EQ(encode.outside(), 4U);
    EXPECT_EQ(encode(-0.0F), 0);
    EXPECT_EQ(encode(std::numeric_limits<float>::denorm_min()), 0);
    EXPECT_EQ(encode.outside(), 4U);
}

}  // namespace
}  // namespace parallax
