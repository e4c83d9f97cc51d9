// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels against the reference on all branches: tile edges, alignment, bands, window sizes; and cancelling.
#include <atomic>
#include <limits>
#include <set>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/operations/convolution/parameters.hpp"
#include "gpu/runtime/libraries/cufft.hpp"
#include "tests/gpu/cancellable_run.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

ImagePtr randomImage(const Shape& shape, bool withNonFinite = false) {
    Buffer samples(shape);
    fillRandom(samples.view(), static_cast<std::uint64_t>(shape.width * 7 + shape.height));
    if (withNonFinite) {
        View<float> v = samples.view();
        v.at(shape.width / 2, shape.height / 2) = std::numeric_limits<float>::quiet_NaN();
        v.at(0, 0) = std::numeric_limits<float>::infinity();
        v.at(shape.width - 1, shape.height / 3) = -std::numeric_limits<float>::infinity();
    }
    return std::make_shared<Image>(std::move(samples), defaultChannelNames(shape.channels));
}

Pipeline convolution(ConvolutionParameters parameters) {
    const Operation& operation = processCatalog().operation("convolve");
    ParameterBlock block(operation.parameters());
    block.assign(std::move(parameters));
    Pipeline pipeline;
    pipeline.steps.push_back({&operation, std::move(block), true});
    return pipeline;
}

/// Asymmetric weights, so that errors of order or anchor show.
std::string customWeights(int width, int height) {
    Random random(static_cast<std::uint64_t>(width * 131 + height));
    std::string text;
    for (int v = 0; v < height; ++v) {
        for (int u = 0; u < width; ++u) text += std::to_string(static_cast<int>(random.bits() % 19) - 9) + " ";
        text += ";";
    }
    return text;
}

/// Compares every variant that supports the problem with the reference. Returns those variants. An emulated device runs only the variant
/// that a test is about, if it names one: the others have tests of their own.
std::set<std::string> expectAgreement(const ConvolutionParameters& parameters, const ImagePtr& image, const std::string& subject = {}) {
    const bool onlySubject = isEmulated() && !subject.empty();
    const Engine engine(processCatalog());
    const Pipeline pipeline = convolution(parameters);
    const Problem problem = makeProblem(*image, pipeline.steps[0].parameters);
    RunContext context;
    const RunResult reference = engine.run(pipeline, image, parseTarget("reference"), context);
    std::set<std::string> ran;
    for (const Implementation* implementation : processCatalog().implementations("convolve", "cuda")) {
        const std::string variant = implementation->variant();
        if (onlySubject && variant != subject) continue;
        SCOPED_TRACE(variant);
        if (const Support support = implementation->supports(problem); !support) {
            EXPECT_FALSE(support.reason.empty());
            continue;
        }
        RunContext own;
        PreparedRun prepared = engine.prepare(pipeline, image, parseTarget("cuda." + variant), own);
        (void)prepared.run(own);
        const DifferenceMetrics d = compareViews(reference.image.view(), prepared.output());
        const bool within = d.within(prepared.tolerance().absolute);
        EXPECT_TRUE(within) << "max " << d.maxAbs << ", allowed " << prepared.tolerance().absolute << ", mismatches " << d.mismatches()
                            << ", shape " << image->shape().width << " x " << image->shape().height
                            << (d.worst.empty() ? std::string()
                                                : ", worst at " + std::to_string(d.worst[0].x) + ", " + std::to_string(d.worst[0].y));
        ran.insert(variant);
    }
    EXPECT_GE(ran.size(), onlySubject ? 1U : 2U) << "hardly any variant supports the problem";
    return ran;
}

ConvolutionParameters custom(int width, int height, BorderMode border = BorderMode::replicate) {
    ConvolutionParameters p;
    p.kernel = KernelKind::custom;
    p.weights = customWeights(width, height);
    p.normalise = Normalisation::off;
    p.border = border;
    p.borderValue = 0.75;
    p.offset = 0.125;
    return p;
}

/// A column times a row, asymmetric and without zeros.
ConvolutionParameters columnTimesRow(int width, int height, BorderMode border = BorderMode::replicate) {
    Random random(static_cast<std::uint64_t>(width * 257 + height));
    std::vector<int> row, column;
    const auto factor = [&] { return static_cast<int>(random.bits() % 9) * 2 - 9; };
    for (int u = 0; u < width; ++u) row.push_back(factor());
    for (int v = 0; v < height; ++v) column.push_back(factor());
    ConvolutionParameters p = custom(width, height, border);
    p.weights.clear();
    for (const int c : column) {
        for (const int r : row) p.weights += std::to_string(c * r) + " ";
        p.weights += ";";
    }
    return p;
}

constexpr BorderMode kBorders[] = {BorderMode::replicate, BorderMode::constant, BorderMode::reflect, BorderMode::reflect101,
                                   BorderMode::wrap};

TEST(Convolution, UnrolledWindowsMatchTheReferenceAtEveryBorder) {
    PARALLAX_NEEDS_DEVICE();
    const Shape shapes[] = {{1, 1, 1, 1}, {4, 5, 1, 1}, {5, 4, 1, 1}, {131, 67, 1, 1}, {132, 33, 1, 1}, {516, 100, 1, 1}};
    int turn = 0;
    for (const int k : {1, 3, 5, 7, 9, 11, 13, 15})
        for (const Shape& shape : shapes) {
            // Every border mode with every shape and with every window; all triples would take too long.
            SCOPED_TRACE("k = " + std::to_string(k) + ", border " + std::to_string(turn % 5));
            expectAgreement(custom(k, k, kBorders[turn++ % 5]), randomImage(shape));
        }
}

TEST(Convolution, MatchesTheReferenceOnImagesThatFillTheDevice) {
    PARALLAX_NEEDS_DEVICE();
    // These use other kernels than small images; edges are inside a block on all sides but the first.
    int turn = 0;
    for (const int k : {3, 5, 7, 9, 11, 13, 15}) {
        SCOPED_TRACE("k = " + std::to_string(k) + ", border " + std::to_string(turn % 5));
        expectAgreement(custom(k, k, kBorders[turn++ % 5]), randomImage({sizeFor(3140, 1028), sizeFor(1370, 346), 1, 1}), "direct");
    }
    expectAgreement(custom(5, 5, BorderMode::wrap), randomImage({sizeFor(1044, 516), sizeFor(1370, 346), 1, 3}), "direct");
}

TEST(Convolution, SmallImagesMatchTheReferenceAtEveryBorder) {
    PARALLAX_NEEDS_DEVICE();
    // Some kernels for images that do not fill the device support only axes long enough for linear border modes.
    const Shape shapes[] = {{516, 404, 1, 1}, {1032, 390, 1, 1}};
    for (const Shape& shape : shapes)
        for (const int k : {3, 5, 7})
            for (const BorderMode border : kBorders) {
                SCOPED_TRACE("k = " + std::to_string(k) + ", border " + std::to_string(static_cast<int>(border)));
                expectAgreement(custom(k, k, border), randomImage(shape), "direct");
            }
}

TEST(Convolution, WindowsOfAnySizeMatchTheReferenceAtEveryBorder) {
    PARALLAX_NEEDS_DEVICE();
    const int windows[][2] = {{2, 2},  {4, 3},  {3, 4},   {1, 9},   {9, 1},   {6, 6},  {17, 17},
                              {31, 5}, {5, 31}, {32, 32}, {33, 33}, {127, 3}, {3, 127}};
    const Shape shapes[] = {{3, 2, 1, 1}, {150, 41, 1, 1}, {128, 64, 1, 1}};
    int turn = 0;
    for (const auto& w : windows)
        for (const Shape& shape : shapes) {
            SCOPED_TRACE(std::to_string(w[0]) + " x " + std::to_string(w[1]) + ", border " + std::to_string(turn % 5));
            expectAgreement(custom(w[0], w[1], kBorders[turn++ % 5]), randomImage(shape));
        }
}

TEST(Convolution, SeparableWindowsMatchTheReferenceAtEveryBorder) {
    PARALLAX_NEEDS_DEVICE();
    const Shape shapes[] = {{1, 1, 1, 1}, {4, 5, 1, 1}, {5, 4, 1, 1}, {131, 67, 1, 1}, {132, 33, 1, 1}, {516, 100, 1, 1}, {129, 300, 1, 1}};
    int turn = 0;
    for (const int k : {1, 3, 5, 7, 9, 11, 13, 15})
        for (const Shape& shape : shapes) {
            SCOPED_TRACE("k = " + std::to_string(k) + ", border " + std::to_string(turn % 5));
            EXPECT_TRUE(expectAgreement(columnTimesRow(k, k, kBorders[turn++ % 5]), randomImage(shape), "separable").contains("separable"));
        }
    const int windows[][2] = {{2, 2}, {4, 3}, {1, 9}, {9, 1}, {8, 8}, {17, 17}, {31, 5}, {5, 31}, {64, 2}, {33, 65}, {127, 127}};
    for (const auto& w : windows)
        for (const Shape& shape : {Shape{3, 2, 1, 1}, Shape{150, 41, 1, 1}, Shape{260, 131, 1, 1}}) {
            SCOPED_TRACE(std::to_string(w[0]) + " x " + std::to_string(w[1]) + ", border " + std::to_string(turn % 5));
            ConvolutionParameters p = columnTimesRow(w[0], w[1], kBorders[turn++ % 5]);
            if (turn % 3 == 0) p.anchorX = 0, p.anchorY = w[1] - 1;
            EXPECT_TRUE(expectAgreement(p, randomImage(shape), "separable").contains("separable"));
        }
}

TEST(Convolution, SeparableMatchesTheReferenceOnImagesThatFillTheDevice) {
    PARALLAX_NEEDS_DEVICE();
    int turn = 0;
    for (const int k : {3, 5, 7, 9, 11, 13, 15, 23}) {
        SCOPED_TRACE("k = " + std::to_string(k) + ", border " + std::to_string(turn % 5));
        // From 11 on there are fewer and larger blocks; some images have NaN and infinity.
        const Shape shape = isEmulated() ? Shape{1028, k < 11 ? 346 : 474, 1, 1}
                            : k < 11     ? Shape{3140, 1370, 1, 1}
                                         : Shape{2052, 4106, 1, 1};
        EXPECT_TRUE(expectAgreement(columnTimesRow(k, k, kBorders[turn % 5]), randomImage(shape, turn % 3 == 2), "separable")
                        .contains("separable"));
        ++turn;
    }
    expectAgreement(columnTimesRow(7, 7, BorderMode::wrap), randomImage({sizeFor(1043, 515), sizeFor(1370, 346), 1, 3}), "separable");
    expectAgreement(columnTimesRow(21, 4, BorderMode::reflect), randomImage({sizeFor(2044, 508), sizeFor(1370, 346), 1, 3}), "separable");
}

TEST(Convolution, SeparableSpreadsNonFiniteSamplesLikeTheReference) {
    PARALLAX_NEEDS_DEVICE();
    for (const int k : {3, 7, 15, 21})
        for (const std::int64_t width : {std::int64_t{260}, std::int64_t{259}}) {
            EXPECT_TRUE(expectAgreement(columnTimesRow(k, k, BorderMode::reflect), randomImage({width, 80, 1, 1}, true), "separable")
                            .contains("separable"));
            ConvolutionParameters sobel;
            sobel.kernel = KernelKind::sobelX;  // a column of zeros, at the positions of the kernel's zeros
            sobel.size = k;
            EXPECT_TRUE(expectAgreement(sobel, randomImage({width, 80, 1, 1}, true), "separable").contains("separable"));
        }
}

TEST(Convolution, SeparableFiltersEveryChannelAndSlice) {
    PARALLAX_NEEDS_DEVICE();
    for (const int k : {7, 18}) {
        ConvolutionParameters p = columnTimesRow(k, k);
        p.alpha = AlphaPolicy::keep;
        expectAgreement(p, randomImage({133, 40, 1, 4}), "separable");
        p.alpha = AlphaPolicy::filter;
        expectAgreement(p, randomImage({136, 40, 1, 4}), "separable");
        expectAgreement(p, randomImage({65, 33, 5, 1}), "separable");
        expectAgreement(p, randomImage({64, 32, 5, 1}), "separable");
    }
}

TEST(Convolution, SeparableRefusesOtherKernels) {
    PARALLAX_NEEDS_DEVICE();
    ConvolutionParameters laplacian;
    laplacian.kernel = KernelKind::laplacian;
    laplacian.size = 3;
    EXPECT_FALSE(expectAgreement(laplacian, randomImage({40, 30, 1, 1})).contains("separable"));
}

TEST(Convolution, TransformMatchesTheReferenceAtEveryBorder) {
    PARALLAX_NEEDS_DEVICE();
    if (!cufftState().loaded) GTEST_SKIP() << cufftState().reason;
    const int windows[][2] = {{9, 9}, {16, 7}, {31, 31}, {5, 60}, {127, 127}};
    const Shape shapes[] = {{1, 1, 1, 1}, {3, 200, 1, 1}, {131, 67, 1, 1}, {516, 260, 1, 1}};
    int turn = 0;
    for (const auto& w : windows)
        for (const Shape& shape : shapes) {
            SCOPED_TRACE(std::to_string(w[0]) + " x " + std::to_string(w[1]) + ", border " + std::to_string(turn % 5));
            ConvolutionParameters p = custom(w[0], w[1], kBorders[turn++ % 5]);
            if (turn % 3 == 0) p.anchorX = w[0] - 1, p.anchorY = 0;
            EXPECT_TRUE(expectAgreement(p, randomImage(shape), "fft").contains("fft"));
        }
    EXPECT_TRUE(expectAgreement(custom(19, 19, BorderMode::wrap), randomImage({sizeFor(3140, 1028), sizeFor(1370, 346), 1, 1}), "fft")
                    .contains("fft"));
}

TEST(Convolution, TransformSpreadsNonFiniteSamplesLikeTheReference) {
    PARALLAX_NEEDS_DEVICE();
    if (!cufftState().loaded) GTEST_SKIP() << cufftState().reason;
    for (const BorderMode border : {BorderMode::wrap, BorderMode::reflect})
        for (const std::int64_t width : {std::int64_t{260}, std::int64_t{259}})
            EXPECT_TRUE(expectAgreement(custom(21, 17, border), randomImage({width, 80, 1, 1}, true), "fft").contains("fft"));
}

TEST(Convolution, TransformFiltersEveryChannelAndSlice) {
    PARALLAX_NEEDS_DEVICE();
    if (!cufftState().loaded) GTEST_SKIP() << cufftState().reason;
    ConvolutionParameters p = custom(18, 18);
    for (const AlphaPolicy alpha : {AlphaPolicy::keep, AlphaPolicy::filter}) {
        p.alpha = alpha;
        EXPECT_TRUE(expectAgreement(p, randomImage({133, 40, 1, 4}), "fft").contains("fft"));
    }
    EXPECT_TRUE(expectAgreement(p, randomImage({65, 33, 5, 1}), "fft").contains("fft"));
    p.channels = "R,B";  // two groups
    EXPECT_TRUE(expectAgreement(p, randomImage({65, 33, 1, 3}), "fft").contains("fft"));
}

TEST(Convolution, TransformKeepsItsToleranceAtExtremeMagnitudes) {
    PARALLAX_NEEDS_DEVICE();
    if (!cufftState().loaded) GTEST_SKIP() << cufftState().reason;
    // Samples and weights whose sums over a plane overflow a float.
    for (const float scale : {1e-30F, 1e30F}) {
        const ImagePtr image = randomImage({150, 100, 1, 1});
        Buffer samples = image->samples().clone();
        for (std::int64_t i = 0; i < image->shape().samples(); ++i) samples.view().data[i] *= scale;
        ConvolutionParameters p = custom(20, 20);
        p.offset = 0;
        p.scale = scale > 1 ? 1e3 : 1e-3;
        EXPECT_TRUE(expectAgreement(p, std::make_shared<Image>(std::move(samples), image->channelNames()), "fft").contains("fft"));
    }
}

TEST(Convolution, FollowsTheChoiceAndReportsItsReason) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const auto plan = [&](const ConvolutionParameters& p, const Shape& shape) {
        RunContext context;
        return engine.prepare(convolution(p), randomImage(shape), parseTarget("cuda"), context).plan().at(0);
    };
    // Saves so many multiply-adds that it pays on any device.
    EXPECT_EQ(plan(columnTimesRow(31, 31), {500, 400, 1, 1}).variant, "separable");
    EXPECT_EQ(plan(custom(5, 5), {500, 400, 1, 1}).variant, "direct");
    for (const auto& p : {columnTimesRow(9, 9), custom(5, 5)}) EXPECT_FALSE(plan(p, {40, 30, 1, 1}).reason.empty());
    if (cufftState().loaded) {
        EXPECT_EQ(plan(custom(41, 41), {3000, 3000, 1, 1}).variant, "fft");
    }
}

TEST(Convolution, LargestWindowMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    for (const BorderMode border : kBorders) expectAgreement(custom(127, 127, border), randomImage({70, 50, 1, 1}));
}

TEST(Convolution, AnchorsMatchTheReference) {
    PARALLAX_NEEDS_DEVICE();
    for (const int a : {0, 1, 4})
        for (const BorderMode border : {BorderMode::constant, BorderMode::wrap}) {
            ConvolutionParameters p = custom(5, 5, border);
            p.anchorX = a;
            p.anchorY = 4 - a;
            expectAgreement(p, randomImage({140, 37, 1, 1}));
        }
}

TEST(Convolution, EveryWeightSpreadsNonFiniteSamples) {
    PARALLAX_NEEDS_DEVICE();
    for (const int k : {3, 6, 7, 21})
        for (const std::int64_t width : {std::int64_t{260}, std::int64_t{259}}) {
            ConvolutionParameters p = custom(k, k, BorderMode::reflect);
            p.weights = "0 " + p.weights.substr(p.weights.find(' ') + 1);  // a zero weight counts as well
            expectAgreement(p, randomImage({width, 80, 1, 1}, true));
        }
}

TEST(Convolution, FiltersEveryChannelAndSlice) {
    PARALLAX_NEEDS_DEVICE();
    ConvolutionParameters p = custom(7, 7);
    p.alpha = AlphaPolicy::keep;
    expectAgreement(p, randomImage({133, 40, 1, 4}));
    expectAgreement(p, randomImage({136, 40, 1, 4}));
    p.alpha = AlphaPolicy::filter;
    p.channels = "G";
    expectAgreement(p, randomImage({64, 64, 1, 3}));
    p.channels = "all";
    expectAgreement(p, randomImage({65, 33, 5, 1}));
    expectAgreement(p, randomImage({64, 32, 5, 1}));
}

TEST(Convolution, TallAndWideImagesMatchTheReference) {
    PARALLAX_NEEDS_DEVICE();
    // More blocks along y than a grid can have: with up to 16 rows in a block, and with up to 32 as in direct.
    for (const Shape shape : {Shape{1, 1'100'000, 1, 1}, Shape{70001, 1, 1, 1}}) expectAgreement(custom(3, 3), randomImage(shape));
    expectAgreement(custom(3, 3), randomImage({4, 2'200'000, 1, 1}), "direct");
}

TEST(Convolution, StepsStayOnTheDevice) {
    PARALLAX_NEEDS_DEVICE();
    Pipeline pipeline = convolution(custom(3, 3));
    pipeline.steps.push_back(convolution({}).steps[0]);
    pipeline.steps.push_back(convolution(custom(4, 2, BorderMode::wrap)).steps[0]);
    const Engine engine(processCatalog());
    const ImagePtr image = randomImage({301, 203, 1, 3});
    RunContext context;
    const RunResult reference = engine.run(pipeline, image, parseTarget("reference"), context);
    PreparedRun prepared = engine.prepare(pipeline, image, parseTarget("cuda"), context);
    for (int i = 0; i < 3; ++i) {
        const StageTimes times = prepared.run(context);
        EXPECT_GT(times.compute(), 0);
        EXPECT_TRUE(compareViews(reference.image.view(), prepared.output()).within(prepared.tolerance().absolute));
    }
}

TEST(Convolution, CancelsBetweenLaunches) {
    PARALLAX_NEEDS_REAL_DEVICE();  // an emulated device needs minutes per launch
    const Engine engine(processCatalog());
    const ImagePtr image = randomImage({8192, 8192, 1, 1});
    Promptness prompt(2'000);
    while (prompt.again()) {
        CancellableRun cancellable;
        PreparedRun prepared = engine.prepare(convolution(custom(127, 127)), image, parseTarget("cuda.naive"), cancellable.context);
        cancellable.expectCancelled(prepared, prompt);
    }
    EXPECT_TRUE(prompt.held()) << prompt.text();
    // The session stays usable.
    expectAgreement(custom(3, 3), randomImage({100, 100, 1, 1}));
}

TEST(Convolution, RejectsAMissingDeviceAndStaysUsable) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    expectAgreement(custom(3, 3), randomImage({64, 64, 1, 1}));
    Target wrong = parseTarget("cuda");
    wrong.device = 1000;
    RunContext context;
    EXPECT_THROW((void)engine.run(convolution({}), randomImage({8, 8, 1, 1}), wrong, context), Error);
    expectAgreement(custom(5, 5), randomImage({64, 64, 1, 1}));
}

}  // namespace
}  // namespace parallax::gpu
