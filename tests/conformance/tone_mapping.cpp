// SPDX-License-Identifier: GPL-3.0-or-later
// Tone mapping: all operators with all options, systematically and at random.
#include <cmath>
#include <iostream>
#include <limits>
#include <tuple>

#include "tests/conformance/case.hpp"

namespace parallax::conformance {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

const std::vector<std::string> kOperators{"global", "local", "photoreceptor", "histogram", "gradient"};

/// Values of the photoreceptor model with the luminance that OpenCV uses.
Values withOpencvLuminance(Values values) {
    values.emplace_back("luminance", "rec601");
    return values;
}

class ToneMappingConformance : public testing::TestWithParam<Subject> {
protected:
    Tally tally_{GetParam()};
    void compare(const Values& values, const Picture& picture, int threads = 0) {
        tally_.compare(makeStep("tonemap", values), picture, threads);
    }
};

TEST_P(ToneMappingConformance, AllOperatorsOnColours) {
    std::uint64_t seed = 1;
    for (const std::string& op : kOperators)
        for (const Shape& shape : {Shape{1, 1, 1, 3}, Shape{2, 3, 1, 3}, Shape{61, 47, 1, 3}, Shape{700, 11, 1, 3}, Shape{9, 400, 1, 3},
                                   Shape{530, 61, 1, 4}, Shape{40, 33, 1, 2}, Shape{4099, 3, 1, 3}})
            for (const std::string luminance : {"rec709", "rec601", "paper"})
                compare({{"operator", op}, {"luminance", luminance}}, {.shape = shape, .content = Content::hdr, .seed = ++seed});
    tally_.finish();
}

TEST_P(ToneMappingConformance, SaturationAndEncoding) {
    std::uint64_t seed = 1;
    for (const std::string& op : kOperators)
        for (const std::string saturation : {"0", "0.5", "1", "1.7", "3"})
            for (const Values& encoding :
                 {Values{{"encoding", "linear"}}, Values{{"encoding", "srgb"}}, Values{{"encoding", "gamma"}, {"gamma", "2.2"}},
                  Values{{"encoding", "gamma"}, {"gamma", "4"}}, Values{{"encoding", "decode"}}}) {
                Values values{{"operator", op}, {"saturation", saturation}, {"luminance", "rec601"}};
                values.insert(values.end(), encoding.begin(), encoding.end());
                compare(values, {.shape = {53, 21, 1, 3}, .content = Content::hdr, .seed = ++seed});
                compare(values, {.shape = {53, 21, 1, 1}, .content = Content::hdr, .seed = ++seed});
            }
    tally_.finish();
}

TEST_P(ToneMappingConformance, ParametersOfEachOperator) {
    std::uint64_t seed = 1;
    const auto each = [&](const Values& values) {
        for (const Shape& shape : {Shape{47, 39, 1, 3}, Shape{80, 31, 1, 1}})
            compare(values, {.shape = shape, .content = Content::hdr, .seed = ++seed});
    };
    for (const std::string key : {"0.001", "0.045", "0.72", "4"})
        for (const std::string white : {"0", "0.01", "5", "1e9"})
            for (const std::string delta : {"1e-10", "1e-5", "1"}) each({{"key", key}, {"white", white}, {"delta", delta}});
    for (const std::string phi : {"0", "1", "8", "20"})
        for (const std::string epsilon : {"0.0001", "0.05", "1"})
            for (const std::string output : {"image", "scale"})
                each({{"operator", "local"}, {"phi", phi}, {"epsilon", epsilon}, {"output", output}});
    for (const auto& [scales, ratio] : {std::pair{"1", "1.6"}, {"1", "4"}, {"2", "1.1"}, {"16", "1.1"}, {"5", "4"}, {"10", "2"}})
        each({{"operator", "local"}, {"scales", scales}, {"ratio", ratio}, {"phi", "4"}});
    for (const std::string intensity : {"-8", "0", "3.5", "8"})
        for (const std::string light : {"0", "0.5", "1"})
            for (const std::string chromatic : {"0", "0.5", "1"})
                for (const std::string contrast : {"0", "0.3", "0.95"})
                    each(withOpencvLuminance({{"operator", "photoreceptor"},
                                              {"intensity", intensity},
                                              {"light", light},
                                              {"chromatic", chromatic},
                                              {"contrast", contrast}}));
    for (const std::string bins : {"2", "3", "100", "4096"})
        for (const std::string range : {"2", "100", "1000000"})
            for (const std::string ceiling : {"true", "false"})
                each({{"operator", "histogram"}, {"bins", bins}, {"display-range", range}, {"ceiling", ceiling}});
    for (const auto& [alpha, beta, noise] :
         {std::tuple{"0.01", "0.7", "1"}, {"0.1", "0.85", "0.05"}, {"2", "0.7", "0.01"}, {"0.5", "1", "0.1"}})
        for (const std::string levels : {"0", "1", "2", "16"})
            each({{"operator", "gradient"}, {"alpha", alpha}, {"beta", beta}, {"noise", noise}, {"levels", levels}});
    for (const auto& [white, black] : {std::pair{"0", "0"}, {"20", "0"}, {"0", "20"}, {"20", "20"}})
        for (const std::string delta : {"1e-10", "1e-5", "1"})
            each({{"operator", "gradient"}, {"clip-white", white}, {"clip-black", black}, {"delta", delta}});
    tally_.finish();
}

TEST_P(ToneMappingConformance, PlainAndBrokenImages) {
    std::uint64_t seed = 1;
    for (const std::string& op : kOperators)
        for (const Content content : {Content::flat, Content::nan, Content::infinities, Content::mixed, Content::signedNoise})
            for (const Shape& shape :
                 {Shape{1, 1, 1, 1}, Shape{3, 1, 1, 3}, Shape{70, 41, 1, 1}, Shape{70, 41, 1, 3}, Shape{523, 23, 1, 4}})
                for (const std::string saturation : {"1", "1.4"}) {
                    compare({{"operator", op}, {"saturation", saturation}}, {.shape = shape, .content = content, .seed = ++seed});
                    compare(withOpencvLuminance({{"operator", op}, {"encoding", "gamma"}, {"saturation", saturation}}),
                            {.shape = shape, .content = content, .seed = seed});
                }
    tally_.finish();
}

TEST_P(ToneMappingConformance, SubnormalSamplesGiveTheReferenceResult) {
    if (GetParam().backend == "opencv") GTEST_SKIP() << "OpenCV's TonemapReinhard divides zero by zero there, which is an error";
    // A blue pixel of the smallest float has no luminance in float: 0.0722 of it rounds to 0. Tolerances of small images allow any result
    // there, so the samples are compared directly.
    constexpr float least = std::numeric_limits<float>::denorm_min();
    const Engine engine(processCatalog());
    int ran = 0;
    for (const float largest : {3 * least, 1.0F}) {
        Image image(Buffer(Shape{37, 2, 1, 3}));
        for (std::int64_t i = 0; i < image.shape().samples(); ++i) {
            const float samples[] = {0, least, 0, 0, least, largest};
            image.view().data[i] = samples[i % 6];
        }
        const auto input = std::make_shared<const Image>(std::move(image));
        for (const std::string contrast : {"0", "0.5", "1"})
            for (const std::string chromatic : {"0", "0.5", "1"}) {
                Pipeline pipeline;
                pipeline.steps.push_back(makeStep(
                    "tonemap", withOpencvLuminance({{"operator", "photoreceptor"}, {"contrast", contrast}, {"chromatic", chromatic}})));
                if (!GetParam().implementation().supports(makeProblem(*input, pipeline.steps[0].parameters))) continue;
                RunContext context;
                const Image expected = engine.run(pipeline, input, parseTarget("reference"), context).image;
                const Image got = engine.run(pipeline, input, GetParam().target(), context).image;
                for (std::int64_t i = 0; i < expected.shape().samples(); ++i)
                    ASSERT_NEAR(got.view().data[i], expected.view().data[i], 1e-5F)
                        << "sample " << i << ", contrast " << contrast << ", chromatic " << chromatic << ", largest " << largest;
                ++ran;
            }
    }
    if (ran == 0) GTEST_SKIP() << "it does not implement the photoreceptor model";
    EXPECT_EQ(ran, 18);
}

TEST_P(ToneMappingConformance, ChannelsWithOtherNames) {
    const std::vector<std::vector<std::string>> names{
        {"Y", "A"}, {"G", "B"}, {"R", "G", "B", "Z"}, {"A", "B", "G", "R"}, {"Z", "left.R", "left.G", "left.B", "right.R"}};
    for (const std::string& op : kOperators)
        for (const auto& channels : names)
            for (const Shape& shape : {Shape{33, 20, 1, 1}, Shape{530, 9, 1, 1}}) {
                Shape s = shape;
                s.channels = static_cast<std::int64_t>(channels.size());
                compare({{"operator", op}, {"luminance", "rec601"}},
                        {.shape = s, .content = Content::hdr, .seed = 2, .channels = channels});
                compare({{"operator", op}, {"channels", channels.front()}},
                        {.shape = s, .content = Content::hdr, .seed = 2, .channels = channels});
            }
    tally_.finish();
}

TEST_P(ToneMappingConformance, RandomCombinations) {
    constexpr std::uint64_t kSeed = 20020721;
    std::cout << "  seed " << kSeed << "\n";
    Random random(kSeed);
    const auto number = [&](double low, double high) { return toText(ParameterValue(low + (high - low) * random.uniform())); };
    const auto ratio = [&](double low, double high) { return toText(ParameterValue(low * std::pow(high / low, random.uniform()))); };
    for (int i = 0; i < 300; ++i) {
        Values values{{"operator", random.of(kOperators)},
                      {"key", ratio(0.01, 2)},
                      {"white", random.between(0, 1) ? "0" : ratio(0.1, 1000)},
                      {"delta", ratio(1e-7, 0.1)},
                      {"phi", number(0, 12)},
                      {"epsilon", ratio(0.005, 0.3)},
                      {"scales", std::to_string(random.between(1, 8))},
                      {"ratio", number(1.2, 2)},
                      {"output", random.between(0, 4) ? "image" : "scale"},
                      {"intensity", number(-4, 4)},
                      {"contrast", random.between(0, 1) ? "0" : number(0.2, 0.95)},
                      {"chromatic", random.between(0, 1) ? "0" : number(0, 1)},
                      {"light", random.between(0, 1) ? "1" : number(0, 1)},
                      {"bins", std::to_string(random.between(2, 400))},
                      {"display-range", ratio(2, 1e4)},
                      {"ceiling", random.between(0, 1) ? "true" : "false"},
                      {"alpha", ratio(0.02, 2)},
                      {"beta", number(0.75, 1)},
                      {"noise", ratio(0.02, 1)},
                      {"levels", std::to_string(random.between(0, 5))},
                      {"clip-white", number(0, 5)},
                      {"clip-black", number(0, 5)},
                      {"saturation", random.between(0, 1) ? "1" : number(0, 2)},
                      {"luminance", random.of(std::vector<std::string>{"rec709", "rec601", "paper"})},
                      {"encoding", random.of(std::vector<std::string>{"linear", "linear", "srgb", "gamma", "decode"})},
                      {"gamma", number(1, 3)}};
        Picture picture;
        picture.seed = random.bits() % 1000;
        picture.content = random.of(std::vector<Content>{Content::hdr, Content::hdr, Content::hdr, Content::mixed, Content::flat});
        picture.shape = {random.between(1, i % 7 == 0 ? 1100 : 160), random.between(1, 120), 1,
                         random.of(std::vector<std::int64_t>{1, 3, 3, 4})};
        compare(values, picture, static_cast<int>(random.between(0, 4)));
    }
    tally_.finish();
}

TEST_P(ToneMappingConformance, CancelsALongRunSoon) {
    const Picture picture{.shape = {2600, 2000, 1, 3}, .content = Content::hdr, .seed = 41};
    const ImagePtr image = picture.make();
    for (const std::string& op : kOperators) {
        const Step step = makeStep("tonemap", withOpencvLuminance({{"operator", op}}));
        if (!GetParam().implementation().supports(makeProblem(*image, step.parameters))) continue;
        Pipeline pipeline;
        pipeline.steps.push_back(step);
        SCOPED_TRACE(op);
        expectToStopSoon(GetParam(), pipeline, image, 1);
    }
    compare(withOpencvLuminance({{"operator", "photoreceptor"}}), {.shape = {60, 30, 1, 3}, .content = Content::hdr, .seed = 42});
    tally_.finish();
}

INSTANTIATE_TEST_SUITE_P(All, ToneMappingConformance, testing::ValuesIn(subjectsOf("tonemap")), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ToneMappingConformance);

}  // namespace
}  // namespace parallax::conformance
