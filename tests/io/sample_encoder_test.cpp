// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/stored_colours.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

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
            const SampleEncoder encode(curve.transfer, curve.gamma, maximum);
            for (int i = 0; i <= maximum; ++i) {
                const float linear = table[static_cast<std::size_t>(i)];
                ASSERT_EQ(encodeSample(static_cast<double>(linear), curve.transfer, curve.gamma, maximum), i);
                ASSERT_EQ(encode(linear), i);
            }
        }
}

TEST(SampleEncoding, RestoresValuesUnderEveryAlpha) {
    const auto table = decodingTable(TransferFunction::sRgb, 1, 255);
    const SampleEncoder encode(TransferFunction::sRgb, 1, 255);
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
            const SampleEncoder encode(curve.transfer, curve.gamma, maximum);
            for (int i = 0; i < 100000; ++i) {
                const float v = std::exp2(exponent(random));
                ASSERT_EQ(encode(v), encodeSample(static_cast<double>(v), curve.transfer, curve.gamma, maximum)) << v;
            }
        }
}

TEST(SampleEncoding, IsExactBesideEveryThreshold) {
    // The boundaries of the codes, not those of the table: found by bisection of the formula.
    for (const Curve& curve : kCurves)
        for (const int maximum : {255, 65535}) {
            const SampleEncoder encode(curve.transfer, curve.gamma, maximum);
            for (int code = 1; code <= maximum; code += maximum > 255 ? 37 : 1) {
                std::uint32_t below = 0, above = std::bit_cast<std::uint32_t>(1.0F);
                while (above - below > 1) {
                    const std::uint32_t middle = below + (above - below) / 2;
                    const auto v = static_cast<double>(std::bit_cast<float>(middle));
                    (encodeSample(v, curve.transfer, curve.gamma, maximum) < code ? below : above) = middle;
                }
                // The formula itself may round at the boundary; a few floats farther it does not.
                EXPECT_EQ(encode(std::bit_cast<float>(above + 2)), code);
                EXPECT_EQ(encode(std::bit_cast<float>(below - 2)), code - 1);
            }
        }
}

TEST(SampleEncoding, ClipsAndCounts) {
    const SampleEncoder encode(TransferFunction::sRgb, 1, 255);
    EXPECT_EQ(encode(-0.5F), 0);
    EXPECT_EQ(encode(1.5F), 255);
    EXPECT_EQ(encode(std::numeric_limits<float>::infinity()), 255);
    EXPECT_EQ(encode(std::numeric_limits<float>::quiet_NaN()), 0);
    EXPECT_EQ(encode(-0.0F), 0);
    EXPECT_EQ(encode(std::numeric_limits<float>::denorm_min()), 0);
    const std::vector<float> row{-0.5F, 1.5F, -0.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::denorm_min(),
                                 1.0F};
    std::vector<std::uint8_t> codes(2 * row.size(), 7);
    EXPECT_EQ(encode.encodeRow(row, codes.data(), 2), 3U);
    EXPECT_EQ(codes, (std::vector<std::uint8_t>{0, 7, 255, 7, 0, 7, 0, 7, 0, 7, 255, 7}));
}

TEST(SampleEncoding, RowsAgreeWithSingleSamplesInBothByteOrders) {
    const SampleEncoder encode(TransferFunction::sRgb, 1, 65535);
    std::vector<float> row;
    for (int i = -10; i < 1010; ++i) row.push_back(static_cast<float>(i) / 1000.0F);
    std::vector<std::uint16_t> plain(row.size()), swapped(row.size());
    EXPECT_EQ(encode.encodeRow(row, plain.data(), 1, false), 19U);
    EXPECT_EQ(encode.encodeRow(row, swapped.data(), 1, true), 19U);
    for (std::size_t i = 0; i < row.size(); ++i) {
        EXPECT_EQ(plain[i], encode(row[i]));
        EXPECT_EQ(swapped[i], plain[i] >> 8 | (plain[i] & 255) << 8);
    }
}

}  // namespace
}  // namespace parallax
