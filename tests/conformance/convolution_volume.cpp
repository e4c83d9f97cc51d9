// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution in three dimensions (axes=xyz): all kernels, sizes, borders, anchors and options on volumes of every shape.
#include <iostream>

#include "tests/conformance/case.hpp"

namespace parallax::conformance {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

const std::vector<std::string> kBorders{"replicate", "constant", "reflect", "reflect101", "wrap"};
const std::vector<std::string> kKernels{"box",     "gaussian", "sharpen",  "unsharp",  "laplacian", "log",       "sobel-x",  "sobel-y",
                                        "sobel-z", "scharr-x", "scharr-y", "scharr-z", "prewitt-x", "prewitt-y", "prewitt-z"};

struct Window {
    int width = 1, height = 1, depth = 1;
};

/// Random weights, or a product of three random factors.
std::string weightsOf(const Window& size, bool separable, Random& random) {
    std::vector<std::int64_t> factors[3];
    const int lengths[] = {size.width, size.height, size.depth};
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < lengths[axis]; ++i) factors[axis].push_back(random.between(-9, 20));
    std::string text;
    for (std::size_t w = 0; w < factors[2].size(); ++w) {
        if (w > 0) text += "|";
        for (std::size_t v = 0; v < factors[1].size(); ++v) {
            for (std::size_t u = 0; u < factors[0].size(); ++u) {
                const std::int64_t product = factors[0][u] * factors[1][v] * factors[2][w];
                text += std::to_string(separable ? product : random.between(-500, 999)) + " ";
            }
            text += ";";
        }
    }
    return text;
}

class VolumeConvolutionConformance : public testing::TestWithParam<Subject> {
protected:
    Tally tally_{GetParam()};
    void compare(Values values, const Picture& picture, int threads = 0) {
        values.emplace_back("axes", "xyz");
        tally_.compare(makeStep("convolve", values), picture, threads);
    }
    /// A window of random weights, and one of random factors.
    void compareCustom(const Window& size, const Picture& picture, const Values& more = {}) {
        Random random(picture.seed + 77);
        for (const bool separable : {false, true}) {
            Values values{{"kernel", "custom"}, {"weights", weightsOf(size, separable, random)}};
            values.insert(values.end(), more.begin(), more.end());
            compare(values, picture);
        }
    }
};

TEST_P(VolumeConvolutionConformance, AllKernelsAndSizes) {
    for (const std::string& kernel : kKernels)
        for (const int size : {1, 2, 3, 4, 5, 7, 9, 11})
            compare({{"kernel", kernel}, {"size", std::to_string(size)}},
                    {.shape = {37, 13, 11, 1}, .seed = static_cast<std::uint64_t>(size)});
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, CustomWindowsOfEveryExtent) {
    std::uint64_t seed = 1;
    for (const int depth : {1, 2, 3, 4, 5, 8})
        for (const int height : {1, 2, 3, 5, 6})
            for (const int width : {1, 2, 3, 4, 7}) compareCustom({width, height, depth}, {.shape = {35, 9, 10, 1}, .seed = ++seed});
    for (const int length : {31, 64, 127}) {
        compareCustom({length, 1, 1}, {.shape = {90, 6, 5, 1}, .seed = ++seed});
        compareCustom({1, length, 1}, {.shape = {20, 40, 5, 1}, .seed = ++seed});
        compareCustom({1, 1, length}, {.shape = {20, 6, 50, 1}, .seed = ++seed});
    }
    compareCustom({13, 11, 15}, {.shape = {30, 12, 9, 1}, .seed = ++seed});
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, BordersAndAnchors) {
    const Shape shapes[] = {{1, 1, 1, 1}, {3, 2, 4, 1}, {1, 5, 7, 1}, {18, 1, 3, 1}, {40, 11, 1, 1}, {33, 20, 9, 1}};
    const Window sizes[] = {{3, 3, 3}, {4, 2, 3}, {5, 5, 5}, {7, 7, 7}, {2, 1, 9}};
    std::uint64_t seed = 100;
    for (const std::string& border : kBorders)
        for (const Window& size : sizes)
            for (const bool centred : {true, false})
                for (const Shape& shape : shapes) {
                    ++seed;
                    Values more{{"border", border}, {"border-value", seed % 2 ? "0" : "-1.75"}};
                    if (!centred) {
                        more.emplace_back("anchor-x", std::to_string(size.width - 1));
                        more.emplace_back("anchor-y", "0");
                        more.emplace_back("anchor-z", std::to_string(size.depth - 1));
                    }
                    compareCustom(size, {.shape = shape, .seed = seed}, more);
                }
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, TilesAndStripsOfColumns) {
    // Wider and higher than a tile, of whole vectors and not; aligned and unaligned rows.
    for (const Shape& shape :
         {Shape{128, 70, 20, 1}, Shape{127, 33, 13, 1}, Shape{1000, 19, 5, 1}, Shape{2050, 9, 4, 1}, Shape{256, 66, 40, 1}})
        for (const int size : {3, 5, 7})
            for (const std::string kernel : {"gaussian", "unsharp"})
                compare({{"kernel", kernel}, {"size", std::to_string(size)}, {"border", size == 5 ? "reflect" : "replicate"}},
                        {.shape = shape, .seed = static_cast<std::uint64_t>(size)});
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, ScaleOffsetFlipNormalise) {
    std::uint64_t seed = 1;
    for (const std::string flip : {"false", "true"})
        for (const std::string normalise : {"false", "true"})
            for (const std::string scale : {"1", "-3.5", "0", "1000", "unit"})
                for (const std::string offset : {"0", "-20"})
                    compareCustom({3, 2, 4}, {.shape = {21, 9, 6, 1}, .seed = ++seed},
                                  {{"flip", flip}, {"normalise", normalise}, {"scale", scale}, {"offset", offset}});
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, ChannelsAndAlpha) {
    for (const std::string alpha : {"filter", "keep"}) {
        compare({{"kernel", "gaussian"}, {"alpha", alpha}}, {.shape = {33, 10, 5, 4}, .seed = 2, .channels = {"R", "G", "B", "A"}});
        compare({{"kernel", "unsharp"}, {"channels", "B,R"}, {"alpha", alpha}},
                {.shape = {33, 10, 5, 4}, .seed = 3, .channels = {"R", "G", "B", "A"}});
        // An image is a volume of one slice.
        compare({{"kernel", "gaussian"}, {"alpha", alpha}}, {.shape = {33, 10, 1, 4}, .seed = 4, .channels = {"R", "G", "B", "A"}});
    }
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, FlatVolumes) {
    // Every product is the same, so rounding errors do not cancel: the hardest case for a long float sum.
    for (const int size : {3, 5, 7, 9, 13})
        for (const std::uint64_t seed : {1U, 2U, 3U})
            compare({{"kernel", "box"}, {"size", std::to_string(size)}}, {.shape = {40, 9, 8, 1}, .content = Content::flat, .seed = seed});
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, NanAndInfinityMeetEveryWeight) {
    std::uint64_t seed = 1;
    for (const Content content : {Content::nan, Content::infinities, Content::mixed})
        for (const std::string& border : kBorders) {
            const Picture picture{.shape = {37, 14, 9, 1}, .content = content, .seed = ++seed};
            for (const std::string kernel : {"laplacian", "sobel-z", "gaussian", "box"})
                compare({{"kernel", kernel}, {"size", "3"}, {"border", border}}, picture);
            // So narrow that weights leave the range of float, yet are not zero.
            compare({{"kernel", "gaussian"}, {"size", "15"}, {"sigma", "0.5"}, {"border", border}}, picture);
        }
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, RandomCombinations) {
    constexpr std::uint64_t kSeed = 20261127;
    std::cout << "  seed " << kSeed << "\n";
    Random random(kSeed);
    for (int i = 0; i < 200; ++i) {
        Values values;
        Window size{static_cast<int>(random.between(1, 8)), static_cast<int>(random.between(1, 8)), static_cast<int>(random.between(1, 8))};
        if (random.between(0, 2) == 0) {
            values.emplace_back("kernel", "custom");
            values.emplace_back("weights", weightsOf(size, random.between(0, 1) == 0, random));
        } else {
            const std::string kernel = random.of(kKernels);
            size.width = kernel.starts_with("scharr") ? 3 : random.between(0, 3) > 0 ? size.width | 1 : size.width;
            size.height = size.depth = size.width;
            values.emplace_back("kernel", kernel);
            values.emplace_back("size", std::to_string(size.width));
        }
        values.emplace_back("sigma", toText(ParameterValue(random.between(0, 1) ? 0.0 : 0.3 + 4 * random.uniform())));
        values.emplace_back("sigma-unit", random.between(0, 1) ? "px" : "mm");
        values.emplace_back("amount", toText(ParameterValue(3 * random.uniform())));
        values.emplace_back("border", random.of(kBorders));
        values.emplace_back("border-value", toText(ParameterValue(random.between(0, 2) ? 4 * random.uniform() - 2 : 0.0)));
        if (random.between(0, 2) == 0) {
            values.emplace_back("anchor-x", std::to_string(random.between(0, size.width - 1)));
            values.emplace_back("anchor-y", std::to_string(random.between(0, size.height - 1)));
            values.emplace_back("anchor-z", std::to_string(random.between(0, size.depth - 1)));
        }
        values.emplace_back("flip", random.between(0, 1) ? "true" : "false");
        values.emplace_back("scale", toText(ParameterValue(random.between(0, 1) ? 1.0 : 6 * random.uniform() - 3)));
        values.emplace_back("offset", toText(ParameterValue(random.between(0, 1) ? 0.0 : 2 * random.uniform() - 1)));
        Picture picture;
        picture.seed = random.bits() % 1000;
        picture.content =
            random.of(std::vector<Content>{Content::signedNoise, Content::signedNoise, Content::hdr, Content::nan, Content::mixed});
        picture.shape = {random.between(1, 90), random.between(1, 40), random.between(1, 20), random.between(0, 5) == 0 ? 2 : 1};
        // Keeps the serial reference below some tenths of a second a case.
        while (picture.shape.samples() * size.width * size.height * size.depth > 2'000'000 && picture.shape.height > 1)
            picture.shape.height = (picture.shape.height + 1) / 2;
        compare(values, picture, static_cast<int>(random.between(0, 4)));
    }
    tally_.finish();
}

TEST_P(VolumeConvolutionConformance, CancelsALongRunSoon) {
    const ImagePtr image = Picture{.shape = {160, 160, 100, 1}, .seed = 41}.make();
    const Step step = makeStep("convolve", {{"axes", "xyz"}, {"kernel", "log"}, {"size", "31"}});
    Pipeline pipeline;
    pipeline.steps.push_back(step);
    if (const Support support = GetParam().implementation().supports(makeProblem(*image, step.parameters)); !support)
        GTEST_SKIP() << support.reason;
    expectToStopSoon(GetParam(), pipeline, image);
    compare({{"kernel", "unsharp"}}, {.shape = {30, 20, 9, 1}, .seed = 42});
    tally_.finish();
}

/// Variants that filter in three dimensions; others refuse (tests/unit/volume). All kernels are separable or not.
std::vector<Subject> volumeSubjects() {
    const Image image(Buffer(Shape{8, 8, 8, 1}));
    std::vector<Subject> some;
    for (const Subject& s : subjectsOf("convolve"))
        for (const std::string kernel : {"gaussian", "laplacian"}) {
            const Step step = makeStep("convolve", {{"axes", "xyz"}, {"kernel", kernel}});
            if (!s.implementation().supports(makeProblem(image, step.parameters))) continue;
            some.push_back(s);
            break;
        }
    return some;
}

INSTANTIATE_TEST_SUITE_P(All, VolumeConvolutionConformance, testing::ValuesIn(volumeSubjects()), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(VolumeConvolutionConformance);

}  // namespace
}  // namespace parallax::conformance
