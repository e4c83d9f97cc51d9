// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution: all kernels, sizes, borders, anchors and options, systematically and at random.
#include <iostream>

#include "tests/conformance/case.hpp"

namespace parallax::conformance {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

const std::vector<std::string>& kernelNames() {
    static const std::vector<std::string> names = [] {
        const ParameterTableBase& table = processCatalog().operation("convolve").parameters();
        std::vector<std::string> keys;
        for (const ParameterChoice& c : table.infos()[static_cast<std::size_t>(table.find("kernel"))].choices) keys.push_back(c.key);
        return keys;
    }();
    return names;
}
const std::vector<std::string> kBorders{"replicate", "constant", "reflect", "reflect101", "wrap"};

std::string customWeights(int width, int height, std::uint64_t seed, bool sparse = false) {
    Random random(seed);
    std::string text;
    for (int v = 0; v < height; ++v) {
        for (int u = 0; u < width; ++u) {
            const std::int64_t n = random.between(-500, 999);
            text += std::to_string(sparse && random.between(0, 2) > 0 ? 0 : n) + " ";
        }
        text += ";";
    }
    return text;
}

Values custom(int width, int height, std::uint64_t seed, Values more = {}) {
    Values values{{"kernel", "custom"}, {"weights", customWeights(width, height, seed)}};
    values.insert(values.end(), more.begin(), more.end());
    return values;
}

class ConvolutionConformance : public testing::TestWithParam<Subject> {
protected:
    Tally tally_{GetParam()};
    void compare(const Values& values, const Picture& picture, int threads = 0) {
        tally_.compare(makeStep("convolve", values), picture, threads);
    }
};

TEST_P(ConvolutionConformance, AllKernelsAndSizes) {
    for (const std::string& kernel : kernelNames()) {
        if (kernel == "custom") continue;
        for (const int size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 31})
            compare({{"kernel", kernel}, {"size", std::to_string(size)}},
                    {.shape = {67, 41, 1, 1}, .seed = static_cast<std::uint64_t>(size)});
    }
    tally_.finish();
}

TEST_P(ConvolutionConformance, CustomKernelsOfEveryWidthAndHeight) {
    for (int height = 1; height <= 18; ++height)
        for (const int width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 17})
            compare(custom(width, height, static_cast<std::uint64_t>(height * 100 + width)), {.shape = {85, 21, 1, 1}, .seed = 3});
    for (const int size : {11, 13, 15, 19, 23, 25, 32, 63, 64, 65})
        compare(custom(size, size, static_cast<std::uint64_t>(size)), {.shape = {90, 33, 1, 1}, .seed = 4});
    for (const int length : {31, 63, 64, 65, 99, 127}) {
        compare(custom(length, 1, 5), {.shape = {200, 20, 1, 1}, .seed = 5});
        compare(custom(1, length, 6), {.shape = {200, 20, 1, 1}, .seed = 6});
        compare(custom(length, 3, 7), {.shape = {100, 20, 1, 1}, .seed = 7});
        compare(custom(3, length, 8), {.shape = {100, 20, 1, 1}, .seed = 8});
    }
    tally_.finish();
}

TEST_P(ConvolutionConformance, LargestKernels) {
    for (const std::string& border : kBorders)
        compare(custom(127, 127, 9, {{"border", border}, {"border-value", "0.7"}}), {.shape = {29, 17, 1, 1}, .seed = 9});
    compare(custom(127, 126, 10), {.shape = {70, 33, 1, 1}, .seed = 10});
    compare({{"kernel", "box"}, {"size", "127"}}, {.shape = {150, 9, 1, 1}, .seed = 11});
    compare({{"kernel", "gaussian"}, {"size", "127"}, {"border", "wrap"}}, {.shape = {9, 150, 1, 1}, .seed = 12});
    compare({{"kernel", "motion"}, {"size", "127"}, {"angle", "35"}}, {.shape = {64, 33, 1, 1}, .seed = 13});
    compare({{"kernel", "log"}, {"size", "63"}, {"sigma", "9"}}, {.shape = {64, 33, 1, 1}, .seed = 14});
    tally_.finish();
}

TEST_P(ConvolutionConformance, BordersAndAnchors) {
    const std::pair<int, int> sizes[] = {{3, 3}, {4, 2}, {5, 7}, {11, 1}, {1, 11}, {8, 8}, {16, 9}, {15, 15}};
    const Shape shapes[] = {{1, 1, 1, 1}, {3, 2, 1, 1}, {20, 15, 1, 1}, {70, 19, 1, 1}, {2, 40, 1, 1}};
    std::uint64_t seed = 1;
    for (const std::string& border : kBorders)
        for (const auto& [w, h] : sizes)
            for (const auto& [ax, ay] :
                 {std::pair{0, 0}, std::pair{w - 1, h - 1}, std::pair{0, h - 1}, std::pair{-1, -1}, std::pair{w / 3, 0}})
                for (const Shape& shape : shapes) {
                    ++seed;
                    compare(custom(w, h, seed,
                                   {{"border", border},
                                    {"border-value", seed % 2 ? "0" : "-1.75"},
                                    {"anchor-x", std::to_string(ax)},
                                    {"anchor-y", std::to_string(ay)}}),
                            {.shape = shape, .seed = seed});
                }
    tally_.finish();
}

TEST_P(ConvolutionConformance, ScaleOffsetFlipNormalise) {
    std::uint64_t seed = 1;
    for (const std::string flip : {"false", "true"})
        for (const std::string normalise : {"false", "true"})
            for (const std::string scale : {"1", "-3.5", "0.001", "0", "1000"})
                for (const std::string offset : {"0", "0.5", "-20"}) {
                    const Values more{{"flip", flip}, {"normalise", normalise}, {"scale", scale}, {"offset", offset}};
                    ++seed;
                    compare(custom(3, 4, seed, more), {.shape = {50, 19, 1, 1}, .seed = seed});
                    Values box = more;
                    box.insert(box.end(), {{"kernel", "box"}, {"size", "6"}, {"anchor-x", "1"}});
                    compare(box, {.shape = {50, 19, 1, 1}, .seed = seed});
                }
    tally_.finish();
}

TEST_P(ConvolutionConformance, ChannelsAndAlpha) {
    const std::vector<std::vector<std::string>> names{{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}, {"R", "G", "B", "A", "Z"}};
    for (const auto& channels : names)
        for (const std::string alpha : {"filter", "keep"})
            for (const Shape& shape : {Shape{33, 20, 1, 1}, Shape{530, 9, 1, 1}, Shape{1, 1, 1, 1}}) {
                Shape s = shape;
                s.channels = static_cast<std::int64_t>(channels.size());
                compare({{"kernel", "gaussian"}, {"alpha", alpha}}, {.shape = s, .seed = 2, .channels = channels});
                compare({{"kernel", "sobel-x"}, {"size", "3"}, {"alpha", alpha}, {"channels", channels.back()}},
                        {.shape = s, .seed = 2, .channels = channels});
                if (channels.size() > 2)
                    compare(custom(4, 4, 3, {{"channels", channels[2] + "," + channels[0]}, {"alpha", alpha}}),
                            {.shape = s, .seed = 2, .channels = channels});
            }
    tally_.finish();
}

TEST_P(ConvolutionConformance, FlatImages) {
    // Every product is the same, so rounding errors do not cancel: the hardest case for a long float sum.
    for (const int size : {3, 5, 7, 9, 11, 13, 15, 21, 31, 63, 127})
        for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U})
            compare({{"kernel", "box"}, {"size", std::to_string(size)}},
                    {.shape = {size > 60 ? 20 : 64, size > 60 ? 10 : 24, 1, 1}, .content = Content::flat, .seed = seed});
    for (const int length : {31, 64, 127})
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            std::string ones;
            for (int i = 0; i < length; ++i) ones += "1 ";
            compare({{"kernel", "custom"}, {"weights", ones}}, {.shape = {64, 24, 1, 1}, .content = Content::flat, .seed = seed});
        }
    tally_.finish();
}

TEST_P(ConvolutionConformance, NanAndInfinityMeetEveryWeight) {
    std::uint64_t seed = 1;
    for (const Content content : {Content::nan, Content::infinities, Content::mixed})
        for (const std::string& border : kBorders) {
            ++seed;
            const Picture picture{.shape = {71, 40, 1, 1}, .content = content, .seed = seed};
            // Zero weights count: 0 times infinity is NaN.
            compare({{"kernel", "laplacian"}, {"size", "3"}, {"border", border}}, picture);
            compare({{"kernel", "sobel-y"}, {"size", "5"}, {"border", border}}, picture);
            compare({{"kernel", "motion"}, {"size", "9"}, {"angle", "45"}, {"border", border}}, picture);
            compare({{"kernel", "gaussian"}, {"size", "7"}, {"border", border}}, picture);
            compare({{"kernel", "box"}, {"size", "4"}, {"border", border}}, picture);
            // So narrow that weights leave the range of float, yet are not zero.
            compare({{"kernel", "gaussian"}, {"size", "31"}, {"sigma", "0.6"}, {"border", border}},
                    {.shape = {90, 70, 1, 1}, .content = content, .seed = seed + 100});
            Values sparse{{"kernel", "custom"}, {"weights", customWeights(12, 12, seed, true)}, {"border", border}};
            compare(sparse, picture);
        }
    tally_.finish();
}

TEST_P(ConvolutionConformance, RandomCombinations) {
    constexpr std::uint64_t kSeed = 20240611;
    std::cout << "  seed " << kSeed << "\n";
    Random random(kSeed);
    const std::vector<std::string> yesNo{"false", "true"};
    for (int i = 0; i < 400; ++i) {
        Values values;
        const std::string kernel = random.of(kernelNames());
        int width = static_cast<int>(random.between(1, i % 10 == 0 ? 60 : 17)), height = width;
        values.emplace_back("kernel", kernel);
        if (kernel == "custom") {
            height = static_cast<int>(random.between(1, 17));
            values.emplace_back("weights", customWeights(width, height, random.bits(), random.between(0, 3) == 0));
        } else {
            if (random.between(0, 3) > 0) width = height = width | 1;
            if (kernel.starts_with("scharr")) width = height = 3;
            values.emplace_back("size", std::to_string(width));
        }
        values.emplace_back("sigma", toText(ParameterValue(random.between(0, 1) ? 0.0 : 0.3 + 4 * random.uniform())));
        values.emplace_back("amount", toText(ParameterValue(3 * random.uniform())));
        values.emplace_back("angle", toText(ParameterValue(720 * random.uniform() - 360)));
        values.emplace_back("border", random.of(kBorders));
        values.emplace_back("border-value", toText(ParameterValue(random.between(0, 2) ? 4 * random.uniform() - 2 : 0.0)));
        if (random.between(0, 2) == 0) {
            values.emplace_back("anchor-x", std::to_string(random.between(0, width - 1)));
            values.emplace_back("anchor-y", std::to_string(random.between(0, height - 1)));
        }
        values.emplace_back("flip", random.of(yesNo));
        values.emplace_back("normalise", random.of(yesNo));
        values.emplace_back("scale", toText(ParameterValue(random.between(0, 1) ? 1.0 : 6 * random.uniform() - 3)));
        values.emplace_back("offset", toText(ParameterValue(random.between(0, 1) ? 0.0 : 2 * random.uniform() - 1)));
        values.emplace_back("alpha", random.between(0, 1) ? "filter" : "keep");
        Picture picture;
        picture.seed = random.bits() % 1000;
        picture.content =
            random.of(std::vector<Content>{Content::signedNoise, Content::signedNoise, Content::hdr, Content::nan, Content::mixed});
        picture.shape = {random.between(1, i % 7 == 0 ? 1100 : 140), random.between(1, 90), 1, 1};
        const std::int64_t kind = random.between(0, 5);
        if (kind == 0) picture.shape.depth = random.between(2, 5);
        if (kind == 1) picture.shape.channels = random.between(2, 5);
        // Keeps the serial reference below some tenths of a second a case.
        while (picture.shape.samples() * width * height > 4'000'000 && picture.shape.height > 1)
            picture.shape.height = (picture.shape.height + 1) / 2;
        compare(values, picture, static_cast<int>(random.between(0, 4)));
    }
    tally_.finish();
}

TEST_P(ConvolutionConformance, CancelsALongRunSoon) {
    const Picture picture{.shape = {1200, 1200, 1, 3}, .seed = 41};
    const ImagePtr image = picture.make();
    Step step = makeStep("convolve", {{"kernel", "box"}, {"size", "127"}});
    Pipeline pipeline;
    pipeline.steps.push_back(step);
    if (const Support support = GetParam().implementation().supports(makeProblem(*image, step.parameters)); !support)
        GTEST_SKIP() << support.reason;
    expectToStopSoon(GetParam(), pipeline, image);
    tally_.compare(makeStep("convolve", {{"kernel", "gaussian"}}), {.shape = {60, 30, 1, 1}, .seed = 42});
    tally_.finish();
}

INSTANTIATE_TEST_SUITE_P(All, ConvolutionConformance, testing::ValuesIn(subjectsOf("convolve")), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConvolutionConformance);

}  // namespace
}  // namespace parallax::conformance
