// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution where it is asked for something odd: kernels that are larger than the image, zero, of low rank or out of range, images
// of many tiles, samples without end. Right, or refused with the reason.
#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

#include "core/image/error.hpp"
#include "tests/conformance/case.hpp"

namespace parallax::conformance {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;
const std::vector<std::string> kBorders{"replicate", "constant", "reflect", "reflect101", "wrap"};

/// Random weights, or the sum of `terms` columns times rows.
std::string weightsOf(int width, int height, int terms, Random& random) {
    std::vector<double> sum(static_cast<std::size_t>(width * height), 0.0);
    for (int t = 0; t < terms; ++t) {
        std::vector<std::int64_t> column, row;
        for (int v = 0; v < height; ++v) column.push_back(random.between(-9, 20));
        for (int u = 0; u < width; ++u) row.push_back(random.between(-9, 20));
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += static_cast<double>(column[i / static_cast<std::size_t>(width)] * row[i % static_cast<std::size_t>(width)]);
    }
    std::ostringstream text;
    for (std::size_t i = 0; i < sum.size(); ++i)
        text << (terms > 0 ? sum[i] : static_cast<double>(random.between(-500, 999)))
             << (i % static_cast<std::size_t>(width) == static_cast<std::size_t>(width) - 1 ? "; " : " ");
    return text.str();
}

class ConvolutionLimits : public testing::TestWithParam<Subject> {
protected:
    Tally tally_{GetParam()};
    void compare(const Values& values, const Picture& picture, int threads = 0) {
        tally_.compare(makeStep("convolve", values), picture, threads);
    }
};

TEST_P(ConvolutionLimits, KernelsLargerThanTheImage) {
    Random random(1);
    for (const std::string& border : kBorders)
        for (const Shape& shape :
             {Shape{1, 1, 1, 1}, Shape{1, 40, 1, 1}, Shape{40, 1, 1, 1}, Shape{2, 3, 1, 1}, Shape{17, 5, 1, 2}, Shape{31, 16, 2, 1}})
            for (const auto& [w, h] :
                 {std::pair{15, 15}, std::pair{33, 4}, std::pair{5, 41}, std::pair{127, 1}, std::pair{1, 127}, std::pair{64, 64}})
                for (const int terms : {0, 1, 2})
                    compare(
                        {{"kernel", "custom"}, {"weights", weightsOf(w, h, terms, random)}, {"border", border}, {"border-value", "0.3"}},
                        {.shape = shape, .seed = random.bits() % 50});
    tally_.finish();
}

TEST_P(ConvolutionLimits, KernelsOfZeros) {
    // 0 times infinity is NaN; everything else is the offset.
    for (const auto& [w, h] : {std::pair{1, 1}, std::pair{3, 3}, std::pair{9, 9}, std::pair{31, 31}, std::pair{1, 40}}) {
        std::string zeros;
        for (int i = 0; i < w * h; ++i) zeros += i % w == w - 1 ? "0;" : "0 ";
        for (const Content content : {Content::signedNoise, Content::nan, Content::mixed})
            for (const std::string offset : {"0", "0.5"})
                compare({{"kernel", "custom"}, {"weights", zeros}, {"offset", offset}},
                        {.shape = {70, 23, 1, 1}, .content = content, .seed = 3});
    }
    compare({{"kernel", "gaussian"}, {"size", "9"}, {"scale", "0"}}, {.shape = {70, 23, 1, 1}, .content = Content::mixed, .seed = 4});
    tally_.finish();
}

TEST_P(ConvolutionLimits, KernelsOfRankOneAndTwo) {
    Random random(2);
    for (int i = 0; i < 60; ++i) {
        const int w = static_cast<int>(random.between(2, 40)), h = static_cast<int>(random.between(2, 40));
        Values values{{"kernel", "custom"},
                      {"weights", weightsOf(w, h, 1 + i % 2, random)},
                      {"border", random.of(kBorders)},
                      {"border-value", "-0.7"},
                      {"normalise", random.between(0, 1) ? "true" : "false"},
                      {"offset", random.between(0, 2) ? "0" : "1.5"},
                      {"flip", random.between(0, 1) ? "true" : "false"}};
        if (random.between(0, 1))
            values.insert(values.end(),
                          {{"anchor-x", std::to_string(random.between(0, w - 1))}, {"anchor-y", std::to_string(random.between(0, h - 1))}});
        compare(values,
                {.shape = {random.between(1, 300), random.between(1, 70), 1, random.between(1, 2)},
                 .content = i % 5 == 0 ? Content::nan : Content::signedNoise,
                 .seed = random.bits() % 100},
                static_cast<int>(random.between(0, 3)));
    }
    // Sharpening, unsharp masks and the Laplacian of a Gaussian are of rank 2.
    for (const std::string kernel : {"sharpen", "unsharp", "log", "laplacian"})
        for (const std::string size : {"3", "7", "15", "25"})
            for (const Content content : {Content::hdr, Content::flat, Content::mixed})
                compare({{"kernel", kernel}, {"size", size}, {"border", "reflect"}},
                        {.shape = {130, 61, 1, 1}, .content = content, .seed = 6});
    tally_.finish();
}

TEST_P(ConvolutionLimits, ImagesOfSeveralTiles) {
    // Tiles of transforms, strips and bands: odd numbers of them, several planes, every border, samples that are not finite.
    Random random(3);
    int i = 0;
    for (const std::string& border : kBorders)
        for (const Shape& shape :
             {Shape{1100, 37, 1, 1}, Shape{37, 1100, 1, 1}, Shape{601, 211, 1, 1}, Shape{150, 90, 3, 1}, Shape{210, 100, 1, 3}})
            for (const auto& [w, h] : {std::pair{11, 13}, std::pair{20, 7}}) {
                const Content content =
                    std::vector{Content::signedNoise, Content::hdr, Content::nan, Content::mixed}[static_cast<std::size_t>(++i % 4)];
                compare({{"kernel", "custom"}, {"weights", weightsOf(w, h, i % 3, random)}, {"border", border}, {"border-value", "2"}},
                        {.shape = shape, .content = content, .seed = random.bits() % 100}, i % 5);
            }
    tally_.finish();
}

TEST_P(ConvolutionLimits, WeightsAndSamplesOfAllMagnitudes) {
    // Scaled by powers of ten from nearly nothing to nearly too much. Weights that 32-bit floats cannot hold are refused.
    Random random(4);
    for (const std::string scale : {"1e-30", "1e-12", "1e6"})
        for (const std::string factor : {"1e-38", "1e-25", "1e-3", "1e20", "1e30"}) {
            std::string weights;
            for (int v = 0; v < 9; ++v) {
                for (int u = 0; u < 9; ++u) weights += std::to_string(random.between(1, 9)) + factor.substr(1) + " ";
                weights += ";";
            }
            compare({{"kernel", "custom"}, {"weights", weights}, {"normalise", "false"}, {"scale", scale}},
                    {.shape = {60, 31, 1, 1}, .content = Content::hdr, .seed = 8});
        }
    tally_.finish();
}

TEST_P(ConvolutionLimits, LargeOffsetsRoundOnce) {
    // Sums that begin with the offset are rounded to its precision at every product.
    for (const std::string offset : {"1e4", "-1e6", "0.5"})
        for (const std::string kernel : {"box", "gaussian", "laplacian", "motion"})
            for (const std::string size : {"3", "15", "31"})
                compare({{"kernel", kernel}, {"size", size}, {"offset", offset}, {"border", "reflect"}},
                        {.shape = {150, 61, 1, 1}, .seed = 9});
    tally_.finish();
}

TEST_P(ConvolutionLimits, DarkPartsBesideVeryBrightSamples) {
    // Judged by the samples under the kernel, except for transforms.
    for (const std::string kernel : {"box", "gaussian", "unsharp", "log", "sobel-x"})
        for (const std::string size : {"3", "9", "15", "31"})
            for (const std::string& border : kBorders)
                compare({{"kernel", kernel}, {"size", size}, {"border", border}},
                        {.shape = {190, 77, 1, 1}, .content = Content::sun, .seed = 10});
    tally_.finish();
}

TEST_P(ConvolutionLimits, NaNInWeightsIsRefusedByTheOperation) {
    for (const char* weights : {"nan", "1 nan; 2 3", "inf 1", "1 -inf", "1 2; 3"}) {
        const Step step = makeStep("convolve", Values{{"kernel", "custom"}, {"weights", weights}});
        const ImagePtr image = Picture{.shape = {9, 9, 1, 1}, .seed = 1}.make();
        Pipeline pipeline;
        pipeline.steps.push_back(step);
        RunContext context;
        try {
            Engine(processCatalog()).prepare(pipeline, image, GetParam().target(), context);
            ADD_FAILURE() << weights << " was accepted";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage) << e.what();
            EXPECT_FALSE(e.whatToDo().empty()) << e.what();
        }
    }
}

TEST_P(ConvolutionLimits, HugeImagesAreEstimatedOrRefused) {
    // More than 2^31 samples, on paper: what would be needed is said without overflow, or why it cannot be done.
    for (const Shape& shape : {Shape{70000, 70000, 1, 1}, Shape{std::int64_t{1} << 33, 1, 1, 1}, Shape{1, std::int64_t{1} << 33, 1, 1},
                               Shape{3000, 3000, 1000, 1}})
        for (const std::string size : {"3", "15", "31"}) {
            const Step step = makeStep("convolve", Values{{"kernel", "unsharp"}, {"size", size}});
            Problem problem{.shape = shape,
                            .channelNames = defaultChannelNames(1),
                            .alphaChannel = -1,
                            .statistics = {},
                            .parameters = step.parameters};
            problem.statistics.max = 1;
            const Implementation& implementation = GetParam().implementation();
            const Support support = implementation.supports(problem);
            if (!support) {
                EXPECT_FALSE(support.reason.empty());
                continue;
            }
            const MemoryEstimate e = implementation.estimate(problem);
            const auto image = static_cast<std::uint64_t>(shape.samples()) * sizeof(float);
            EXPECT_GT(e.host + e.device, 0U);
            EXPECT_LT(e.host + e.device, 8 * image) << shape.width << " x " << shape.height;
        }
}

/// Largest error of a variant over a few images; negative where it refuses one.
double largestError(const Target& target, const Step& step, const std::vector<Picture>& pictures) {
    double largest = 0;
    Pipeline pipeline;
    pipeline.steps.push_back(step);
    for (const Picture& picture : pictures) {
        const ImagePtr image = picture.make();
        for (const Implementation* i : processCatalog().implementations("convolve", target.backend))
            if (i->variant() == target.variant && !i->supports(makeProblem(*image, step.parameters))) return -1;
        RunContext context;
        PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, target, context);
        run.run(context);
        largest = std::max(largest, compareViews(referenceResult(step, picture).view(), run.output()).maxAbs);
    }
    return largest;
}

class ConvolutionTransforms : public testing::TestWithParam<Subject> {};

TEST_P(ConvolutionTransforms, ErrNoMoreThanFourTimesTheDirectForm) {
    Target direct = GetParam().target();
    direct.variant = "direct";
    for (const int size : {11, 15, 31}) {
        Random random(static_cast<std::uint64_t>(size));
        for (const std::string& kernel : {std::string("gaussian"), std::string("box"), std::string("custom")}) {
            Values values{{"kernel", kernel}};
            if (kernel == "custom") values.emplace_back("weights", weightsOf(size, size, 0, random));
            else values.emplace_back("size", std::to_string(size));
            const Step step = makeStep("convolve", values);
            std::vector<Picture> pictures;
            for (const std::uint64_t seed : {1U, 2U, 3U}) pictures.push_back({.shape = {300, 200, 1, 1}, .seed = seed});
            const double transforms = largestError(GetParam().target(), step, pictures), sums = largestError(direct, step, pictures);
            if (transforms < 0) {
                std::cout << "  " << kernel << " " << size << ": refused\n";
                continue;
            }
            std::cout << "  " << kernel << " " << size << ": transforms " << transforms << ", direct " << sums << ", ratio "
                      << transforms / sums << "\n";
            EXPECT_LE(transforms, 4 * sums) << kernel << " " << size;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, ConvolutionLimits, testing::ValuesIn(subjectsOf("convolve")), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConvolutionLimits);

std::vector<Subject> transforms() {
    std::vector<Subject> some = subjectsOf("convolve");
    std::erase_if(some, [](const Subject& s) { return s.variant != "fft"; });
    return some;
}
INSTANTIATE_TEST_SUITE_P(All, ConvolutionTransforms, testing::ValuesIn(transforms()), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConvolutionTransforms);

}  // namespace
}  // namespace parallax::conformance
