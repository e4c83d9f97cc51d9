// SPDX-License-Identifier: GPL-3.0-or-later
// SSIM, FLIP and ULP distance against scikit-image, NVIDIA's flip-evaluator and NumPy (tests/oracles/metrics.txt).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/metrics/image_metrics.hpp"
#include "tests/support/golden_metrics.hpp"

namespace parallax {
namespace {

using Pair = std::pair<Image, Image>;

void expectNear(const Image& map, const std::vector<double>& expected, double tolerance, const std::string& name) {
    ASSERT_EQ(static_cast<std::size_t>(map.shape().pixels()), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(static_cast<double>(map.view().data[i]), expected[i], tolerance) << name << " pixel " << i;
}

void checkSsim(const Pair& pair, const std::vector<std::string>& golden) {
    const std::vector<double> map = goldenNumbers(golden[4]);
    RunContext context;
    const ImageMetrics m = computeImageMetrics(pair.first, pair.second, {}, context);
    if (golden[2] == "display") {
        ASSERT_TRUE(m.ssim);
        EXPECT_NEAR(*m.ssim, std::stod(golden[3]), 1e-6) << golden[1];
        expectNear(makeErrorMap(pair.first, pair.second, ErrorMap::ssim, {}, context), map, 2e-5, golden[1]);
    } else {
        ASSERT_TRUE(m.ssimLinear);
        EXPECT_NEAR(m.linearRange, std::stod(golden[2].substr(7)), 1e-5);
        EXPECT_NEAR(*m.ssimLinear, std::stod(golden[3]), 1e-6) << golden[1];
    }
}

void checkFlip(const Pair& pair, const std::vector<std::string>& golden) {
    const std::vector<double> parameters = goldenNumbers(golden[2]);
    const ImageMetricOptions options{.pixelsPerDegree = parameters[0]};
    RunContext context;
    const ImageMetrics m = computeImageMetrics(pair.first, pair.second, options, context);
    ASSERT_TRUE(m.flip);
    EXPECT_EQ(m.highDynamicRange, golden[0] == "hdr-flip");
    EXPECT_NEAR(m.flip->mean, std::stod(golden[3]), 1e-4) << golden[1];
    EXPECT_NEAR(m.flip->weightedQuartile1, parameters[1], 2e-4) << golden[1];
    EXPECT_NEAR(m.flip->weightedMedian, parameters[2], 2e-4) << golden[1];
    EXPECT_NEAR(m.flip->weightedQuartile3, parameters[3], 2e-4) << golden[1];
    if (m.highDynamicRange) {
        EXPECT_NEAR(m.flip->startExposure, parameters[4], 1e-4);
        EXPECT_NEAR(m.flip->stopExposure, parameters[5], 1e-4);
        EXPECT_EQ(m.flip->exposures, static_cast<int>(parameters[6]));
    }
    expectNear(makeErrorMap(pair.first, pair.second, ErrorMap::flip, options, context), goldenNumbers(golden[4]), 2e-4, golden[1]);
}

TEST(Metrics, AgreeWithIndependentPrograms) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/metrics.txt");
    ASSERT_TRUE(file);
    std::map<std::string, Pair> images;
    std::map<std::string, int> cases;
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> golden = goldenFields(line);
        ASSERT_EQ(golden.size(), 5U) << line;
        ++cases[golden[0]];
        if (golden[0] == "image") {
            images[golden[1]] = {goldenImage(golden[2], golden[3]), goldenImage(golden[2], golden[4])};
        } else if (golden[0] == "ssim") {
            checkSsim(images.at(golden[1]), golden);
        } else if (golden[0] == "ulp") {
            const auto& [a, b] = images.at(golden[1]);
            RunContext context;
            EXPECT_EQ(ulpMetrics(a.view(), b.view(), context).largest, static_cast<std::uint64_t>(std::stod(golden[3])));
            const std::vector<double> distances = goldenNumbers(golden[4]);
            for (std::size_t i = 0; i < distances.size(); ++i)
                EXPECT_EQ(static_cast<double>(ulpDistance(a.view().data[i], b.view().data[i])), distances[i]) << i;
        } else {
            checkFlip(images.at(golden[1]), golden);
        }
    }
    EXPECT_GE(cases["ssim"], 8);
    EXPECT_GE(cases["flip"], 6);
    EXPECT_GE(cases["hdr-flip"], 1);
    EXPECT_EQ(cases["ulp"], 1);
}

/// Larger than a tile of SSIM and of FLIP.
Pair largePair() {
    Image a{Buffer(Shape{600, 300, 1, 3})};
    for (std::int64_t i = 0; i < a.shape().samples(); ++i) a.view().data[i] = static_cast<float>((i * 7919) % 997) / 997.0F;
    Image b = a.clone();
    for (std::int64_t i = 0; i < b.shape().samples(); i += 3) b.view().data[i] *= 0.9F;
    return {std::move(a), std::move(b)};
}

TEST(Metrics, DoNotDependOnTheNumberOfThreads) {
    const auto [a, b] = largePair();
    RunContext one{.threads = 1}, four{.threads = 4};
    const ImageMetrics m = computeImageMetrics(a, b, {}, one), n = computeImageMetrics(a, b, {}, four);
    EXPECT_EQ(*m.ssim, *n.ssim);
    EXPECT_EQ(m.flip->mean, n.flip->mean);
    EXPECT_EQ(m.flip->weightedMedian, n.flip->weightedMedian);
    EXPECT_EQ(m.ulp.counts, n.ulp.counts);
}

TEST(Metrics, TilesMeetWithoutSeams) {
    // A column that is constant along y gives a map that is, too, across the borders of tiles.
    Image a{Buffer(Shape{530, 270})}, b{Buffer(Shape{530, 270})};
    for (std::int64_t y = 0; y < 270; ++y)
        for (std::int64_t x = 0; x < 530; ++x) {
            a.view().at(x, y) = 0.5F + 0.4F * std::sin(static_cast<float>(x) / 5);
            b.view().at(x, y) = 0.5F + 0.3F * std::sin(static_cast<float>(x) / 5);
        }
    RunContext context;
    for (const ErrorMap kind : {ErrorMap::ssim, ErrorMap::flip}) {
        const Image map = makeErrorMap(a, b, kind, {}, context);
        for (std::int64_t y = 0; y < 270; ++y)
            for (std::int64_t x = 0; x < 530; ++x) ASSERT_NEAR(map.view().at(x, y), map.view().at(x, 100), 2e-5) << x << ' ' << y;
    }
}

TEST(Metrics, EqualImagesHaveNoError) {
    const Image a = largePair().first;
    RunContext context;
    const ImageMetrics m = computeImageMetrics(a, a, {}, context);
    EXPECT_EQ(*m.ssim, 1);
    EXPECT_EQ(m.flip->mean, 0);
    EXPECT_EQ(m.flip->weightedMedian, 0);
    EXPECT_EQ(m.ulp.largest, 0U);
    EXPECT_EQ(m.ulp.shareWithin(0), 1);
}

TEST(Metrics, VolumesHaveSsimOfTheirRangeAndNoFlip) {
    Image a{Buffer(Shape{20, 20, 3})};
    for (std::int64_t i = 0; i < a.shape().samples(); ++i) a.view().data[i] = static_cast<float>(i % 100) - 50;
    RunContext context;
    const ImageMetrics m = computeImageMetrics(a, a, {}, context);
    EXPECT_FALSE(m.light);
    EXPECT_FALSE(m.flip);
    EXPECT_FALSE(m.ssim);
    EXPECT_EQ(m.linearRange, 99);
    EXPECT_EQ(*m.ssimLinear, 1);
    EXPECT_THROW((void)makeErrorMap(a, a, ErrorMap::flip, {}, context), Error);
}

TEST(Metrics, OfResultsAreThoseOfImages) {
    const Image a = makeSynthetic({.kind = SyntheticKind::noise, .shape = {40, 30, 1, 3}}),
                b = makeSynthetic({.kind = SyntheticKind::noise, .shape = {40, 30, 1, 3}, .seed = 2});
    RunContext context;
    const ImageMetrics images = computeImageMetrics(a, b, {}, context);
    const ResultMetrics results = computeResultMetrics(a, a.view(), b.view(), context);
    EXPECT_EQ(results.ssim, images.ssim);
    EXPECT_EQ(results.ssimLinear, images.ssimLinear);
    EXPECT_EQ(results.flip, images.flip->mean);
    EXPECT_EQ(results.largestUlp, images.ulp.largest);
    // With other channels than the input's, samples are no colours.
    const Image input = makeSynthetic({.kind = SyntheticKind::noise, .shape = {40, 30, 1, 1}});
    const ResultMetrics others = computeResultMetrics(input, a.view(), b.view(), context);
    EXPECT_FALSE(others.flip || others.ssim);
    EXPECT_TRUE(others.ssimLinear);
}

TEST(Metrics, ObeyAStopRequest) {
    const auto [a, b] = largePair();
    std::stop_source stop;
    stop.request_stop();
    RunContext context{.stop = stop.get_token()};
    try {
        (void)computeImageMetrics(a, b, {}, context);
        FAIL() << "it ran";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled);
    }
}

TEST(Metrics, RejectDifferentShapesAndRanges) {
    const Image a{Buffer(Shape{4, 4})}, b{Buffer(Shape{4, 5})};
    RunContext context;
    EXPECT_THROW((void)computeImageMetrics(a, b, {}, context), Error);
    EXPECT_THROW((void)flip({a.view(), a.view()}, {.pixelsPerDegree = 0.5}, {}, context), Error);
    EXPECT_THROW((void)structuralSimilarity({a.view(), a.view()}, {.scale = SsimScale::linear, .range = 0}, {}, context), Error);
}

}  // namespace
}  // namespace parallax
