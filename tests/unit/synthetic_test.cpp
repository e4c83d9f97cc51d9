// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

TEST(Synthetic, GeneratesEveryKindAndParsesItsText) {
    for (const auto& kind : syntheticKinds()) {
        const std::string text = "synthetic:" + kind.key + ":17x9,channels=3,seed=5";
        const SyntheticRequest request = parseSynthetic(text);
        EXPECT_EQ(toText(request), text);
        const Image image = makeSynthetic(request);
        EXPECT_EQ(image.shape(), (Shape{17, 9, 1, 3}));
        EXPECT_EQ(computeStatistics(image).nonFinite(), 0U);
        EXPECT_EQ(image.source.path, text);
    }
}

TEST(Synthetic, HasItsDocumentedValues) {
    const Image gradient = makeSynthetic(parseSynthetic("synthetic:gradient:5x3"));
    EXPECT_EQ(gradient.view().at(0, 1), 0);
    EXPECT_EQ(gradient.view().at(2, 1), 0.5F);
    EXPECT_EQ(gradient.view().at(4, 1), 1);
    const Image impulse = makeSynthetic(parseSynthetic("synthetic:impulse:5x5"));
    EXPECT_EQ(impulse.view().at(2, 2), 1);
    EXPECT_EQ(computeStatistics(impulse).mean, 1.0 / 25);
    const Image ramp = makeSynthetic(parseSynthetic("synthetic:hdr-ramp:21x1"));
    EXPECT_NEAR(static_cast<double>(ramp.view().at(0, 0)), 0x1p-10, 1e-9);
    EXPECT_EQ(ramp.view().at(20, 0), 1024);
    EXPECT_EQ(makeSynthetic(parseSynthetic("synthetic:zone-plate:9x9")).view().at(4, 4), 1);
    EXPECT_NEAR(static_cast<double>(makeSynthetic(parseSynthetic("synthetic:shepp-logan:129x129")).view().at(64, 64)), 0.2, 1e-6);
    EXPECT_EQ(makeSynthetic(parseSynthetic("synthetic:shepp-logan:33x33x33")).shape().depth, 33);
}

TEST(Synthetic, NoiseDependsOnTheSeedAlone) {
    const Image a = makeSynthetic(parseSynthetic("synthetic:noise:64x64,seed=3")),
                b = makeSynthetic(parseSynthetic("synthetic:noise:64x64,seed=3"));
    const Image c = makeSynthetic(parseSynthetic("synthetic:noise:64x64,seed=4"));
    EXPECT_TRUE(std::equal(a.view().data, a.view().data + 4096, b.view().data));
    EXPECT_FALSE(std::equal(a.view().data, a.view().data + 4096, c.view().data));
    const SampleStatistics s = computeStatistics(a);
    EXPECT_GE(s.min, 0);
    EXPECT_LT(s.max, 1);
    EXPECT_NEAR(s.mean, 0.5, 0.03);
}

TEST(Synthetic, RejectsInvalidRequests) {
    for (const char* text :
         {"synthetic:", "synthetic:noise", "synthetic:noise:", "synthetic:none:4x4", "synthetic:noise:4", "synthetic:noise:0x4",
          "synthetic:noise:4x4x4x4", "synthetic:noise:-4x4", "synthetic:noise:4x4,channels=0", "synthetic:noise:4x4,what=1",
          "synthetic:noise:4x4,seed=x", "synthetic:noise:99999999999x4", "synthetic:noise:4x4x4,channels=2", "noise:4x4"}) {
        try {
            (void)parseSynthetic(text);
            ADD_FAILURE() << text;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage) << text;
        }
    }
    EXPECT_THROW(makeSynthetic(parseSynthetic("synthetic:noise:2000000000x2000000000")), Error);
}

}  // namespace
}  // namespace parallax
