// SPDX-License-Identifier: GPL-3.0-or-later
// Ambiguous samples spread through later steps: what the model counts against what NaN reaches when the reference runs.
#include "core/engine/plan/tolerance_model.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

double ambiguousAfter(const std::vector<std::string>& steps, const ImagePtr& image) {
    RunContext context;
    return Engine(processCatalog())
        .prepare(parsePipeline(processCatalog(), steps), image, parseTarget("reference"), context)
        .tolerance()
        .ambiguous;
}

/// Samples of the result that depend on samples of the input with these indices.
std::int64_t influencedBy(const std::string& step, const Image& image, const std::vector<std::int64_t>& indices) {
    Buffer samples(image.shape());
    std::fill_n(samples.view<float>().data, image.shape().samples(), 1.0F);
    for (const std::int64_t i : indices) samples.view<float>().data[i] = std::nanf("");
    RunContext context;
    const Image result = Engine(processCatalog())
                             .run(parsePipeline(processCatalog(), {step}), std::make_shared<Image>(image.withSamples(std::move(samples))),
                                  parseTarget("reference"), context)
                             .image;
    return std::count_if(result.view().data, result.view().data + result.shape().samples(), [](float v) { return std::isnan(v); });
}

/// Sets of `count` samples: around each of many points, or anywhere.
std::vector<std::vector<std::int64_t>> sampleSets(const Shape& shape, std::int64_t count) {
    std::mt19937 random(3);
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
    const std::int64_t pixels = shape.width * shape.height;
    std::vector<std::vector<std::int64_t>> sets;
    for (int trial = 0; trial < 60; ++trial) {
        std::vector<std::int64_t> set;
        const bool clustered = trial % 3 != 0;
        // Every third one along a border, where samples stand for others outside of the image too.
        const std::int64_t x = trial % 3 == 1 ? below(4) : below(shape.width), y = below(shape.height);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t channel = i % shape.channels, step = 5 * (i / shape.channels);
            set.push_back(channel * pixels + (clustered ? (y + step) % shape.height * shape.width + x : below(pixels)));
        }
        sets.push_back(std::move(set));
    }
    return sets;
}

constexpr std::array kTransforms = {
    "dwt:wavelet=haar,levels=3",          "dwt:wavelet=haar,levels=1,mode=periodization", "dwt:wavelet=db4,levels=1",
    "dwt:wavelet=db4,levels=3",           "dwt:wavelet=db2,levels=2,mode=periodic",       "dwt:wavelet=bior4.4,levels=2,mode=reflect",
    "dwt:wavelet=db3,levels=2,mode=zero", "dwt:wavelet=sym5,levels=1,mode=smooth",        "dwt:wavelet=db4,levels=2,axes=x"};

TEST(ToleranceModel, CountsEverySampleThatWaveletFiltersSpread) {
    const ImagePtr image = std::make_shared<Image>(makeSynthetic({SyntheticKind::noise, {128, 97, 1, 3}, 1}));
    const double before = ambiguousAfter({"tonemap:operator=local"}, image);
    const auto count = static_cast<std::int64_t>(before * static_cast<double>(image->shape().samples()));
    ASSERT_GE(count, 3);
    for (const std::string transform : kTransforms) {
        SCOPED_TRACE(transform);
        const double share = ambiguousAfter({"tonemap:operator=local", transform}, image);
        ASSERT_LT(share, 1) << "then nothing is compared any more";
        ASSERT_GT(share, before / 4) << "what is ambiguous stays so";
        const Problem problem = makeProblem(*image, parseStep(processCatalog(), transform).parameters);
        const auto outputs = static_cast<double>(processCatalog().operation("dwt").outputShape(problem).samples());
        for (const auto& set : sampleSets(image->shape(), count))
            ASSERT_LE(static_cast<double>(influencedBy(transform, *image, set)), share * outputs);
    }
}

TEST(ToleranceModel, CountsLittleMoreThanTheWorstSampleInfluences) {
    const Image image = makeSynthetic({SyntheticKind::noise, {40, 33, 1, 1}, 1});
    for (const std::string transform : kTransforms) {
        SCOPED_TRACE(transform);
        std::int64_t most = 0;
        for (std::int64_t i = 0; i < image.shape().samples(); ++i) most = std::max(most, influencedBy(transform, image, {i}));
        const Step step = parseStep(processCatalog(), transform);
        const double counted = step.operation->reach(makeProblem(image, step.parameters)).influenced();
        EXPECT_GE(counted, static_cast<double>(most));
        EXPECT_LE(counted, 1.25 * static_cast<double>(most));
    }
}

TEST(ToleranceModel, CountsEverySampleThatTheInverseSpreads) {
    const ImagePtr picture = std::make_shared<Image>(makeSynthetic({SyntheticKind::noise, {61, 50, 1, 1}, 1}));
    for (const std::string transform : kTransforms) {
        SCOPED_TRACE(transform);
        RunContext context;
        const Image mosaic =
            Engine(processCatalog()).run(parsePipeline(processCatalog(), {transform}), picture, parseTarget("reference"), context).image;
        const Step identity = parseStep(processCatalog(), "convolve:kernel=box,size=1"), inverse = parseStep(processCatalog(), "idwt");
        ToleranceModel model;
        constexpr std::int64_t kCount = 3;
        model.add(*identity.operation, makeProblem(mosaic, identity.parameters),
                  {.absolute = 0, .reason = {}, .ambiguous = kCount / static_cast<double>(mosaic.shape().samples())});
        model.add(*inverse.operation, makeProblem(mosaic, inverse.parameters), {});
        const double share = model.result(std::array{0.0, 0.0}).ambiguous;
        const auto outputs = static_cast<double>(picture->shape().samples());
        for (const auto& set : sampleSets(mosaic.shape(), kCount))
            ASSERT_LE(static_cast<double>(influencedBy("idwt", mosaic, set)), share * outputs);
    }
}

TEST(ToleranceModel, ErrorsGrowWithTheGainOfLaterSteps) {
    const Image image = makeSynthetic({SyntheticKind::noise, {16, 16, 1, 1}, 1});
    const Step step = parseStep(processCatalog(), "convolve:kernel=custom,weights='2',normalise=false");
    const Problem problem = makeProblem(image, step.parameters);
    ToleranceModel model;
    model.add(*step.operation, problem, {.absolute = 1, .reason = "first", .ambiguous = 0.25});
    model.add(*step.operation, problem, {.absolute = 3, .reason = "second", .ambiguous = 0.5});
    const Tolerance result = model.result(std::array{0.5, 0.0});
    EXPECT_DOUBLE_EQ(result.absolute, 2 * (1 + 0.5) + 3);
    EXPECT_EQ(result.reason, "first; second");
    EXPECT_DOUBLE_EQ(result.ambiguous, 0.75);
}

}  // namespace
}  // namespace parallax
