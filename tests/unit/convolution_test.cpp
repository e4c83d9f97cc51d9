// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels and borders against known answers; the reference against SciPy's (tests/oracles/make_convolution.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/convolution/kernel_analysis.hpp"

namespace parallax {
namespace {

using P = ConvolutionParameters;

TEST(Borders, MatchNumpyPad) {
    const struct {
        BorderMode rule;
        std::int64_t n;
        std::vector<int> expected;  // for i = -4 .. n + 3
    } cases[] = {
        {BorderMode::replicate, 3, {0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2}}, {BorderMode::constant, 2, {-1, -1, -1, -1, 0, 1, -1, -1, -1, -1}},
        {BorderMode::reflect, 3, {2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0}},   {BorderMode::reflect101, 3, {0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2}},
        {BorderMode::wrap, 3, {2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}},      {BorderMode::reflect, 1, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
        {BorderMode::reflect101, 1, {0, 0, 0, 0, 0, 0, 0, 0, 0}},      {BorderMode::reflect101, 2, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}},
    };
    for (const auto& c : cases)
        for (std::size_t i = 0; i < c.expected.size(); ++i)
            EXPECT_EQ(borderIndex(static_cast<std::int64_t>(i) - 4, c.n, c.rule), c.expected[i])
                << static_cast<int>(c.rule) << " n " << c.n << " i " << static_cast<int>(i) - 4;
}

TEST(Borders, HoldAtAnyDistance) {
    for (const auto rule : {BorderMode::replicate, BorderMode::reflect, BorderMode::reflect101, BorderMode::wrap})
        for (const std::int64_t n : {1, 2, 3, 7})
            for (const std::int64_t i : {std::int64_t{-1000003}, std::int64_t{-128}, std::int64_t{999}, std::int64_t{1} << 40}) {
                EXPECT_GE(borderIndex(i, n, rule), 0);
                EXPECT_LT(borderIndex(i, n, rule), n);
            }
}

TEST(Kernels, HaveTheirKnownWeights) {
    EXPECT_EQ(makeKernel(P{.kernel = KernelKind::sobelX, .size = 3}).weights, (std::vector<double>{-1, 0, 1, -2, 0, 2, -1, 0, 1}));
    EXPECT_EQ(makeKernel(P{.kernel = KernelKind::sobelY, .size = 3}).weights, (std::vector<double>{-1, -2, -1, 0, 0, 0, 1, 2, 1}));
    EXPECT_EQ(makeKernel(P{.kernel = KernelKind::scharrX, .size = 3}).weights, (std::vector<double>{-3, 0, 3, -10, 0, 10, -3, 0, 3}));
    EXPECT_EQ(makeKernel(P{.kernel = KernelKind::prewittX, .size = 3}).weights, (std::vector<double>{-1, 0, 1, -1, 0, 1, -1, 0, 1}));
    EXPECT_EQ(makeKernel(P{.kernel = KernelKind::laplacian, .size = 3}).weights, (std::vector<double>{0, 1, 0, 1, -4, 1, 0, 1, 0}));
    for (const double w : makeKernel(P{.kernel = KernelKind::box, .size = 4}).weights) EXPECT_EQ(w, 1.0 / 16);
    const Kernel motion = makeKernel(P{.kernel = KernelKind::motion, .size = 5});
    for (int v = 0; v < 5; ++v)
        for (int u = 0; u < 5; ++u) EXPECT_NEAR(motion.at(u, v), v == 2 ? 0.2 : 0.0, 1e-12);
    EXPECT_NEAR(makeKernel(P{.kernel = KernelKind::motion, .size = 5, .angle = 90}).at(2, 0), 0.2, 1e-12);
    const Kernel sharpen = makeKernel(P{.kernel = KernelKind::sharpen, .size = 3, .amount = 1});
    EXPECT_NEAR(sharpen.at(1, 1), 2 - 1.0 / 9, 1e-12);
}

TEST(Kernels, EmbossBrightensTheRimThatFacesTheLight) {
    // A bright disc on a dark ground, as a raised one: the rim towards the light is bright, the opposite one dark.
    constexpr int kExtent = 65, kCentre = 32, kRadius = 20;
    Image disc(Buffer({kExtent, kExtent, 1, 1}), {"Y"});
    for (int y = 0; y < kExtent; ++y)
        for (int x = 0; x < kExtent; ++x) disc.view().at(x, y, 0, 0) = std::hypot(x - kCentre, y - kCentre) <= kRadius ? 1.0F : 0.25F;
    for (const int angle : {0, 45, 90, 135, 180, 250, -30}) {
        RunContext context;
        const Pipeline pipeline = parsePipeline(processCatalog(), {"convolve:kernel=emboss,size=3,angle=" + std::to_string(angle)});
        const Image relief =
            Engine(processCatalog()).run(pipeline, std::make_shared<Image>(disc.clone()), parseTarget("reference"), context).image;
        const auto rim = [&](double degrees) {
            double sum = 0;
            for (const double r : {kRadius - 0.5, kRadius + 0.5, kRadius + 1.5}) {
                const double a = degrees * 3.14159265358979 / 180;
                const auto x = std::lround(kCentre + r * std::cos(a)), y = std::lround(kCentre - r * std::sin(a));
                sum += static_cast<double>(relief.view().at(x, y, 0, 0) - disc.view().at(x, y, 0, 0));
            }
            return sum;
        };
        EXPECT_GT(rim(angle), 0.3) << angle;
        EXPECT_LT(rim(angle + 180), -0.3) << angle;
    }
}

TEST(Kernels, SumToOneOrToZero) {
    for (int kind = 0; kind < static_cast<int>(KernelKind::custom); ++kind) {
        const auto k = static_cast<KernelKind>(kind);
        if (isAlongZ(k)) continue;  // volume/convolution_test.cpp
        const int size = k == KernelKind::scharrX || k == KernelKind::scharrY ? 3 : 7;
        const double sum = makeKernel(P{.kernel = k, .size = size}).sum();
        const bool derivative = (k >= KernelKind::laplacian && k <= KernelKind::prewittY);
        EXPECT_NEAR(sum, derivative ? 0 : 1, 1e-9) << kind;
    }
}

TEST(Kernels, FlipScaleAndAnchor) {
    const Kernel k = makeKernel(P{.kernel = KernelKind::custom, .weights = "1 2;3 4", .scale = 2, .flip = true});
    EXPECT_EQ(k.weights, (std::vector<double>{8, 6, 4, 2}));
    EXPECT_EQ(k.anchorX, 0) << "the element (1, 1) stays on the pixel";
    const Kernel a = makeKernel(P{.kernel = KernelKind::box, .size = 5, .anchorX = 0, .anchorY = 4});
    EXPECT_EQ(a.left(), 0);
    EXPECT_EQ(a.right(), 4);
    EXPECT_EQ(a.top(), 4);
    EXPECT_EQ(a.bottom(), 0);
}

TEST(Kernels, CustomWeightsAreUsedAsTheyAre) {
    // A kernel of sum -1, which normalising would negate; the sum of others is not 1 either.
    P p{.kernel = KernelKind::custom, .weights = "0 1 0; 1 -5 1; 0 1 0"};
    EXPECT_EQ(makeKernel(p).weights, (std::vector<double>{0, 1, 0, 1, -5, 1, 0, 1, 0}));
    p.weights = "1 2; 3 4";
    EXPECT_EQ(makeKernel(p).weights, (std::vector<double>{1, 2, 3, 4}));
    p.normalise = Normalisation::on;
    EXPECT_EQ(makeKernel(p).weights, (std::vector<double>{0.1, 0.2, 0.3, 0.4}));
    EXPECT_EQ(makeKernel(P{.kernel = KernelKind::box, .size = 2, .normalise = Normalisation::off}).weights,
              (std::vector<double>{1, 1, 1, 1}));
}

TEST(Kernels, NotesNameSumsThatSurprise) {
    const Image image = makeSynthetic({SyntheticKind::noise, {8, 8, 1, 1}, 1});
    const auto notes = [&](const std::string& values) {
        const Step step = parseStep(processCatalog(), "convolve:kernel=custom,weights=" + values);
        std::string all;
        for (const std::string& note : notesOn(*step.operation, makeProblem(image, step.parameters))) all += note;
        return all;
    };
    EXPECT_NE(notes("1 2 1").find("sum to 4 and are used as they are"), std::string::npos);
    EXPECT_NE(notes("'1 -2',normalise=true").find("inverts"), std::string::npos);
    EXPECT_NE(notes("'1 -1.01 0.02',normalise=true").find("magnifies noise"), std::string::npos);
    for (const char* plain : {"'1 -2 1'", "'[1 2 1] / 4'", "'1/4 2/4 1/4'", "'1 2 1',normalise=true", "'1 2 1',normalise=false"})
        EXPECT_EQ(notes(plain), "") << plain;
}

TEST(Kernels, ScaleUnitMakesTheResponseOne) {
    using To = KernelResponse::To;
    const struct {
        P parameters;
        To to;
        double response;
    } cases[] = {{{.kernel = KernelKind::sobelX, .size = 3}, To::ramp, 8},
                 {{.kernel = KernelKind::sobelY, .size = 5}, To::ramp, 128},
                 {{.kernel = KernelKind::sobelX, .size = 7}, To::ramp, 1.6},
                 {{.kernel = KernelKind::scharrY, .size = 3}, To::ramp, 32},
                 {{.kernel = KernelKind::prewittX, .size = 3}, To::ramp, 6},
                 {{.kernel = KernelKind::laplacian, .size = 3}, To::parabola, 1},
                 {{.kernel = KernelKind::laplacian, .size = 5}, To::parabola, 25.0 / 24},
                 {{.kernel = KernelKind::custom, .weights = "1 -2 1"}, To::parabola, 1},
                 {{.kernel = KernelKind::custom, .weights = "1 0 -1; 0 0 0; -1 0 1"}, To::parabola, 4},
                 {{.kernel = KernelKind::custom, .weights = "0 0 -3"}, To::constant, -3},
                 {{.kernel = KernelKind::custom, .weights = "0 0 0"}, To::none, 0}};
    for (const auto& c : cases) {
        const KernelResponse found = responseOf(makeKernel(c.parameters));
        EXPECT_EQ(found.to, c.to) << found.value;
        EXPECT_NEAR(found.value, c.response, 1e-9);
        P unit = c.parameters;
        unit.scale = kUnitScale;
        if (c.to == To::none) EXPECT_THROW((void)makeKernel(unit), Error);
        else EXPECT_NEAR(std::fabs(responseOf(makeKernel(unit)).value), 1, 1e-9);
    }
    // On images: a ramp of slope 1 along y, and x^2 / 2.
    const auto middle = [](const std::string& step, const auto& sample) {
        Image image(Buffer({31, 31, 1, 1}), {"Y"});
        for (int y = 0; y < 31; ++y)
            for (int x = 0; x < 31; ++x) image.view().at(x, y, 0, 0) = static_cast<float>(sample(x, y));
        RunContext context;
        return static_cast<double>(
            Engine(processCatalog())
                .run(parsePipeline(processCatalog(), {step}), std::make_shared<Image>(image.clone()), parseTarget("reference"), context)
                .image.view()
                .at(15, 15, 0, 0));
    };
    for (const char* kernel : {"sobel-y,size=3", "sobel-y,size=9", "prewitt-y,size=5", "scharr-y,size=3"})
        EXPECT_NEAR(middle(std::string("convolve:scale=unit,kernel=") + kernel, [](int, int y) { return y; }), 1, 1e-5) << kernel;
    for (const char* kernel : {"laplacian,size=3", "laplacian,size=7", "log,size=13,sigma=2", "log,size=9"})
        EXPECT_NEAR(middle(std::string("convolve:scale=unit,kernel=") + kernel, [](int x, int) { return x * x / 2.0; }), 1, 2e-5) << kernel;
}

TEST(ConvolutionTolerance, FollowsTheSamplesUnderTheKernel) {
    Image image = makeSynthetic({SyntheticKind::noise, {23, 17, 2, 2}, 5});
    image.view().at(20, 3, 1, 0) = 5e4F;
    image.view().at(2, 15, 1, 0) = std::nanf("");
    for (const std::string border : {"replicate", "constant,border-value=-3", "reflect", "reflect101", "wrap"})
        for (const std::string kernel :
             {"box,size=4", "custom,weights='1 -2 3 4 5 6 7',anchor-x=6", "motion,size=9,angle=70", "box,size=31"}) {
            const Step step = parseStep(processCatalog(), "convolve:kernel=" + kernel + ",channels=Y,offset=100,border=" + border);
            SCOPED_TRACE(toText(step));
            const Problem problem = makeProblem(image, step.parameters);
            const Kernel k = makeKernel(step.parameters.as<P>());
            const auto* local = capability<HasLocalTolerance>(*step.operation);
            ASSERT_TRUE(local);
            const auto toleranceOf = [&](std::int64_t z, std::int64_t channel) {
                const float* samples = image.view().row(0, z, channel);
                return local->localBounds(problem, channel, {{samples, samples + 23 * 17}, std::vector<float>(23 * 17)}).tolerances;
            };
            const std::vector<float> plane = toleranceOf(1, 0);
            const double n = k.taps(), per = (8 + 2 * std::sqrt(n) + n / 4) * 0x1p-24 * k.absoluteSum();
            for (int y = 0; y < 17; ++y)
                for (int x = 0; x < 23; ++x) {
                    double largest = 0;
                    for (int v = 0; v < k.height; ++v)
                        for (int u = 0; u < k.width; ++u) {
                            const auto& p = step.parameters.as<P>();
                            const auto sx = borderIndex(x + u - k.anchorX, 23, p.border), sy = borderIndex(y + v - k.anchorY, 17, p.border);
                            const double s = sx < 0 || sy < 0 ? p.borderValue : static_cast<double>(image.view().at(sx, sy, 1, 0));
                            if (std::isfinite(s)) largest = std::max(largest, std::fabs(s));
                        }
                    const double expected = per * largest + 0x1p-23 * 100;
                    ASSERT_NEAR(static_cast<double>(plane[static_cast<std::size_t>(y * 23 + x)]), expected, 1e-6 * expected)
                        << x << " " << y;
                    ASSERT_LE(expected, step.operation->tolerance(problem).absolute * (1 + 1e-6));
                }
            for (const float tolerance : toleranceOf(0, 1)) ASSERT_EQ(tolerance, 0) << "copied";
        }
}

TEST(ConvolutionTolerance, FollowsTheSamplesThroughSeveralSteps) {
    Image made = makeSynthetic({SyntheticKind::noise, {60, 40, 1, 1}, 5});
    made.view().at(50, 20) = 5e4F;
    const auto image = std::make_shared<const Image>(std::move(made));
    const Catalog& catalog = processCatalog();
    const auto prepare = [&](const std::vector<std::string>& steps, const char* backend) {
        RunContext context;
        PreparedRun run = Engine(catalog).prepare(parsePipeline(catalog, steps), image, parseTarget(backend), context);
        (void)run.run(context);
        return run;
    };
    const std::vector<std::string> steps{"convolve:kernel=custom,weights=1 -2 3,offset=0.5,border=constant,border-value=9",
                                         "convolve:kernel=box,size=5,scale=2,border=constant,border-value=7"};
    const PreparedRun run = prepare(steps, "reference");
    ASSERT_TRUE(run.localTolerance());
    std::vector<float> plane(60 * 40);
    run.localTolerance()(0, 0, plane);
    const auto at = [&](int x, int y) { return static_cast<double>(plane[static_cast<std::size_t>(y * 60 + x)]); };
    // By hand, with the bright sample under both kernels.
    const auto per = [](double n, double sum) { return (8 + 2 * std::sqrt(n) + n / 4) * 0x1p-24 * sum; };
    const double first = per(3, 6) * 5e4 + 0x1p-23 * 0.5, second = 2 * first + per(25, 2) * (6 * 5e4 + 0.5);
    EXPECT_NEAR(at(50, 20), second, 1e-5 * second);
    EXPECT_NEAR(at(53, 22), second, 1e-5 * second) << "the last sample that it reaches";
    EXPECT_LT(at(54, 20), 1e-3 * second);
    EXPECT_LT(at(10, 20), 1e-3 * second);
    EXPECT_GT(at(0, 20), 2 * at(10, 20)) << "border values count";
    for (const float tolerance : plane) ASSERT_LE(static_cast<double>(tolerance), run.tolerance().absolute * (1 + 1e-6));
    EXPECT_FALSE(prepare({steps[0], "tonemap"}, "reference").localTolerance()) << "tone mapping has none";
    if (!catalog.backend("openmp").availability().yes) return;
    for (const char* backend : {"openmp.scalar", "openmp.direct"}) {
        const PreparedRun fast = prepare(steps, backend);
        ASSERT_TRUE(fast.localTolerance()) << backend;
        EXPECT_TRUE(compareViews(run.output(), fast.output(), {.localTolerance = fast.localTolerance()}).within(1)) << backend;
    }
    EXPECT_FALSE(prepare(std::vector<std::string>(2, "convolve:kernel=box,size=31"), "openmp.fft").localTolerance())
        << "transforms spread errors";
}

TEST(ConvolutionTolerance, NamesTheOffsetAndIsNotLoosenedByIt) {
    const Image image = makeSynthetic({SyntheticKind::noise, {64, 64, 1, 1}, 5});
    const auto tolerance = [&](const std::string& text) {
        const Step step = parseStep(processCatalog(), text);
        return step.operation->tolerance(makeProblem(image, step.parameters));
    };
    const double plain = tolerance("convolve:kernel=box,size=31").absolute;
    const Tolerance large = tolerance("convolve:kernel=box,size=31,offset=1e4");
    EXPECT_NEAR(large.absolute - plain, 1e4 * 0x1p-23, 1e-9) << "the spacing of floats at the offset, not that of every sum";
    EXPECT_NE(large.reason.find("offset"), std::string::npos) << large.reason;
}

TEST(ConvolutionTolerance, TransformsAreNotChosenWhereTheyLoseDarkParts) {
    Image image = makeSynthetic({SyntheticKind::noise, {64, 64, 1, 1}, 5});
    const auto lost = [&] { return darkPartsThatTransformsLose(makeProblem(image, parseStep(processCatalog(), "convolve").parameters)); };
    EXPECT_EQ(lost(), "");
    image.view().at(5, 5) = 1e7F;
    EXPECT_NE(lost().find("times the mean"), std::string::npos) << lost();
    image.view().at(6, 6) = -1;
    EXPECT_EQ(lost(), "") << "the mean says nothing about magnitudes";
}

TEST(Kernels, ReadTheFormatsOfOtherPrograms) {
    const std::vector<double> expected{0, 1, 0, 1, -4, 1, 0, 1, 0};
    for (const char* text : {"0 1 0\n1 -4 1\n0 1 0\n", "0,1,0;1,-4,1;0,1,0", "[[0, 1, 0],\n [1, -4, 1],\n [0, 1, 0]]",
                             "array([[ 0.,  1.,  0.],\n       [ 1., -4.,  1.],\n       [ 0.,  1.,  0.]])", "[0 1 0; 1 -4 1; 0 1 0]",
                             "0\t1\t0\r\n1\t-4\t1\r\n0\t1\t0\r\n", "\n\n0 1 0\n\n1 -4 +1\n0 1e0 0"}) {
        const Kernel k = parseKernelText(text);
        EXPECT_EQ(k.weights, expected) << text;
        EXPECT_EQ(k.width, 3);
    }
}

TEST(Kernels, ErrorsNameTheProblem) {
    std::string row, wide;
    for (int i = 0; i < 128; ++i) {
        row += "1\n";
        wide += "1 ";
    }
    for (const std::string& text : {std::string(""), std::string("\n"), std::string("1 2\n3"), std::string("1 x"), std::string("nan"),
                                    std::string("inf"), std::string("1e999"), std::string("1 2 3 hello"), row, wide, std::string("--1")})
        EXPECT_THROW(parseKernelText(text), Error) << text;
    for (const P& p : {P{.kernel = KernelKind::sobelX, .size = 4}, P{.kernel = KernelKind::scharrX, .size = 5},
                       P{.kernel = KernelKind::laplacian, .size = 1}, P{.kernel = KernelKind::custom},
                       P{.kernel = KernelKind::box, .size = 3, .anchorX = 3}}) {
        try {
            (void)makeKernel(p);
            ADD_FAILURE();
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage);
        }
    }
}

TEST(KernelAnalysis, ComputesTheRankOfTheMatrix) {
    const auto rank = [](const char* text) { return kernelRank(parseKernelText(text)); };
    EXPECT_EQ(rank("0 0; 0 0"), 0);
    EXPECT_EQ(rank("3"), 1);
    EXPECT_EQ(rank("1 2 1; 2 4 2; 1 2 1"), 1);
    EXPECT_EQ(rank("1e-30 2e-30; 2e-30 4e-30"), 1);
    EXPECT_EQ(rank("1e30 0; 0 1e30"), 2);
    EXPECT_EQ(rank("0 1 0; 1 -4 1; 0 1 0"), 2);
    EXPECT_EQ(rank("1 2 3; 4 5 6; 7 8 9"), 2);
    EXPECT_EQ(rank("1 0 0 0; 0 1 0 0; 0 0 1 0"), 3);
    EXPECT_EQ(rank("1 1; 1 1.0000001"), 1);  // alike to float accuracy
    EXPECT_EQ(kernelRank(builtInKernel(KernelKind::gaussian, 127)), 1);
    EXPECT_EQ(kernelRank(builtInKernel(KernelKind::sobelX, 31)), 1);
}

TEST(KernelAnalysis, FactorsOfRankOne) {
    const auto worst = [](const Kernel& k, const SeparableKernel& s) {
        double error = 0, largest = 0;
        for (int v = 0; v < k.height; ++v)
            for (int u = 0; u < k.width; ++u) {
                error = std::max(error, std::fabs(s.column[static_cast<std::size_t>(v)] * s.row[static_cast<std::size_t>(u)] - k.at(u, v)));
                largest = std::max(largest, std::fabs(k.at(u, v)));
            }
        return error / largest;
    };
    for (const char* text : {"3", "-2 0 2; -4 0 4; 0 0 0", "1e-30 2e-30; 2e-30 4e-30", "1e30 -2e30", "1; 2; -3", "1 1; 1 1.0000001"}) {
        const Kernel k = parseKernelText(text);
        const auto factors = rankOne(k);
        ASSERT_TRUE(factors) << text;
        EXPECT_LT(worst(k, factors->factors), 1e-7) << text;
        EXPECT_TRUE(factors->sameZeros) << text;
        double magnitude = 0;
        for (const double r : factors->factors.row) magnitude += std::fabs(r);
        EXPECT_NEAR(magnitude, 1, 1e-12) << text;
    }
    for (const char* text : {"0 0; 0 0", "1 0; 0 1", "0 1 0; 1 -4 1; 0 1 0", "1 1; 1 1.000001", "1e30 0; 0 1e24"})
        EXPECT_FALSE(rankOne(parseKernelText(text)).has_value()) << text;
    // The built-in kernels are factored exactly if their singular values say rank 1.
    for (const BuiltInKernel& kind : builtInKernels())
        for (const int size : {1, 3, 5, 9, 31, 127}) {
            const Kernel k = builtInKernel(kind.kind, size);
            EXPECT_EQ(rankOne(k).has_value(), kernelRank(k) == 1) << kind.title << " " << k.width << " x " << k.height;
        }
    // The corners of a narrow Gaussian are zero, its factors are not.
    const auto narrow = rankOne(makeKernel(P{.size = 31, .sigma = 0.6}));
    ASSERT_TRUE(narrow);
    EXPECT_FALSE(narrow->sameZeros);
}

TEST(KernelAnalysis, TermsOfRankTwo) {
    const auto worst = [](const Kernel& k, const RankTwo& two) {
        double error = 0, largest = 0;
        for (int v = 0; v < k.height; ++v)
            for (int u = 0; u < k.width; ++u) {
                double sum = 0;
                for (const SeparableKernel& s : two.terms)
                    sum += s.column[static_cast<std::size_t>(v)] * s.row[static_cast<std::size_t>(u)];
                error = std::max(error, std::fabs(sum - k.at(u, v)));
                largest = std::max(largest, std::fabs(k.at(u, v)));
            }
        return error / largest;
    };
    for (const char* text : {"0 1 0; 1 -4 1; 0 1 0", "1 2 3; 4 5 6; 7 8 9", "1e30 0; 0 1e30", "1e30 0; 0 1e24", "1e-30 0; 0 -3e-30",
                             "1 0; 0 1; 1 1", "1 0 1; 0 1 1", "1 1; 1 1.001", "0 0 0 0; 0 0 1 0; 0 5 0 0"}) {
        const Kernel k = parseKernelText(text);
        const auto two = rankTwo(k);
        ASSERT_TRUE(two) << text;
        EXPECT_LT(worst(k, *two), 1e-7) << text;
        EXPECT_GE(two->growth, 1 - 1e-6) << text;
        for (const SeparableKernel& term : two->terms) {
            double magnitude = 0;
            for (const double r : term.row) magnitude += std::fabs(r);
            EXPECT_NEAR(magnitude, 1, 1e-12) << text;
        }
        // They are the singular vectors: orthogonal, and as long as the singular values.
        const auto s = singularValues(k);
        for (std::size_t i = 0; i < 2; ++i) {
            double columns = 0, rows = 0;
            for (const double c : two->terms[i].column) columns += c / s[0] * c / s[0];
            for (const double r : two->terms[i].row) rows += r * r;
            EXPECT_NEAR(std::sqrt(columns * rows), s[i] / s[0], 1e-7) << text;
        }
        double rows = 0;
        for (std::size_t u = 0; u < two->terms[0].row.size(); ++u) rows += two->terms[0].row[u] * two->terms[1].row[u];
        EXPECT_NEAR(rows, 0, 1e-7) << text;
    }
    for (const char* text :
         {"0 0; 0 0", "3", "1 2 1; 2 4 2; 1 2 1", "1 0 0; 0 1 0; 0 0 1", "1 0 0; 0 1 0; 0 0 1e-3", "1 2 3 4; 5 6 7 9; 1 1 2 2"})
        EXPECT_FALSE(rankTwo(parseKernelText(text)).has_value()) << text;
    // The built-in kernels are factored exactly if their singular values say rank 2; of large ones the two terms are compared.
    for (const BuiltInKernel& kind : builtInKernels())
        for (const int size : {3, 5, 9, 31, 127}) {
            const Kernel k = builtInKernel(kind.kind, size);
            const auto two = rankTwo(k);
            EXPECT_EQ(two.has_value(), kernelRank(k) == 2) << kind.title << " " << k.width << " x " << k.height;
            EXPECT_TRUE(!two || worst(k, *two) < 1e-7) << kind.title;
        }
    EXPECT_LT(rankTwo(makeKernel(P{.kernel = KernelKind::unsharp, .size = 31}))->growth, 1.5);
}

TEST(KernelAnalysis, RandomSumsOfTermsAreFound) {
    std::uint64_t state = 20261121;
    const auto uniform = [&] {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state >> 11) * 0x1p-53 * 2 - 1;
    };
    for (int i = 0; i < 300; ++i) {
        Kernel k;
        k.width = 2 + i % 13;
        k.height = 2 + i / 13 % 11;
        const int terms = 1 + i % 3;
        k.weights.assign(static_cast<std::size_t>(k.taps()), 0.0);
        for (int t = 0; t < terms; ++t) {
            std::vector<double> column, row;
            for (int v = 0; v < k.height; ++v) column.push_back(uniform());
            for (int u = 0; u < k.width; ++u) row.push_back(uniform());
            for (int v = 0; v < k.height; ++v)
                for (int u = 0; u < k.width; ++u)
                    k.weights[static_cast<std::size_t>(v * k.width + u)] +=
                        column[static_cast<std::size_t>(v)] * row[static_cast<std::size_t>(u)];
        }
        const int rank = kernelRank(k);
        EXPECT_EQ(rankOne(k).has_value(), rank == 1) << i;
        EXPECT_EQ(rankTwo(k).has_value(), rank == 2) << i;
    }
}

TEST(KernelAnalysis, SingularValuesAgainstKnownOnes) {
    // [[3, 0], [4, 5]]: the squares of its singular values are the eigenvalues 45 and 5 of A^T A.
    const auto s = singularValues(parseKernelText("3 0; 4 5"));
    ASSERT_EQ(s.size(), 2u);
    EXPECT_NEAR(s[0], std::sqrt(45.0), 1e-12);
    EXPECT_NEAR(s[1], std::sqrt(5.0), 1e-12);
    // Wide and tall agree, and the squares add up to those of the weights.
    Kernel k;
    k.width = 40;
    k.height = 17;
    k.weights.clear();
    double squares = 0;
    for (int i = 0; i < k.taps(); ++i) {
        k.weights.push_back(std::sin(1.0 + i * i));
        squares += k.weights.back() * k.weights.back();
    }
    Kernel t = k;
    std::swap(t.width, t.height);
    for (int v = 0; v < t.height; ++v)
        for (int u = 0; u < t.width; ++u) t.weights[static_cast<std::size_t>(v * t.width + u)] = k.at(v, u);
    const auto a = singularValues(k), b = singularValues(t);
    ASSERT_EQ(a.size(), b.size());
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a[i], b[i], 1e-10);
        sum += a[i] * a[i];
    }
    EXPECT_NEAR(sum, squares, 1e-9);
}

TEST(KernelAnalysis, FrequencyResponseAgainstFormulas) {
    const int n = 64;
    const auto at = [&](const std::vector<double>& r, int fx, int fy) {
        return r[static_cast<std::size_t>(fy + n / 2) * n + static_cast<std::size_t>(fx + n / 2)];
    };
    const auto identity = frequencyResponse(parseKernelText("0 0 0; 0 1 0; 0 0 0"), n);
    for (const double m : identity) EXPECT_NEAR(m, 1, 1e-12);
    const auto mean = frequencyResponse(parseKernelText("1 1 1"), n);         // |1 + 2 cos(2 pi f)|
    const auto derivative = frequencyResponse(parseKernelText("-1 0 1"), n);  // 2 |sin(2 pi f)|
    for (int fx = -n / 2; fx < n / 2; ++fx)
        for (const int fy : {-n / 2, 0, 5}) {
            const double angle = 2 * 3.14159265358979323846 * fx / n;
            EXPECT_NEAR(at(mean, fx, fy), std::fabs(1 + 2 * std::cos(angle)), 1e-12);
            EXPECT_NEAR(at(derivative, fx, fy), 2 * std::fabs(std::sin(angle)), 1e-12);
        }
    const Kernel large = builtInKernel(KernelKind::gaussian, 127);  // larger than the grid
    EXPECT_NEAR(at(frequencyResponse(large, n), 0, 0), large.sum(), 1e-12);
}

TEST(KernelAnalysis, TextReadsBackToTheSameWeights) {
    for (const BuiltInKernel& kind : builtInKernels())
        for (const int size : {1, 3, 4, 9}) {
            const Kernel k = builtInKernel(kind.kind, size), back = parseKernelText(kernelText(k));
            EXPECT_EQ(back.width, k.width) << kind.title;
            EXPECT_EQ(back.weights, k.weights) << kind.title;
        }
}

TEST(Convolution, BoundsItsResults) {
    const auto image = std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::noise, .shape = {40, 30, 1, 3}}));
    for (const char* text :
         {"convolve", "convolve:kernel=sobel-x,size=3", "convolve:kernel=box,size=1,offset=-1000", "convolve:scale=1e-3,channels=G",
          "convolve:border=constant,border-value=1e6", "convolve:kernel=laplacian,size=5,border=constant,border-value=-50,offset=7"}) {
        Pipeline pipeline;
        pipeline.steps.push_back(parseStep(processCatalog(), text));
        const Step& step = pipeline.steps.front();
        RunContext context;
        const RunResult r = Engine(processCatalog()).run(pipeline, image, Target{.backend = "reference", .variant = {}}, context);
        const double bound = step.operation->largestOutput(makeProblem(*image, step.parameters));
        EXPECT_LE(computeStatistics(r.image).maxAbs(), bound * (1 + 1e-6)) << text;
        EXPECT_GE(computeStatistics(r.image).maxAbs(), bound / 20) << text << ": the bound says nothing";
    }
}

TEST(Convolution, ToleranceOfASecondStepIncludesTheFirstOffset) {
    const auto image = std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::noise, .shape = {40, 30, 1, 1}}));
    const auto tolerance = [&](const std::string& first) {
        Pipeline pipeline;
        pipeline.steps.push_back(parseStep(processCatalog(), first));
        pipeline.steps.push_back(parseStep(processCatalog(), "convolve:kernel=box,size=61"));
        RunContext context;
        return Engine(processCatalog())
            .prepare(pipeline, image, Target{.backend = "reference", .variant = {}}, context)
            .tolerance()
            .absolute;
    };
    const double plain = tolerance("convolve:size=3");
    EXPECT_GT(tolerance("convolve:size=3,offset=1000"), 500 * plain);
    EXPECT_GT(tolerance("convolve:size=3,border=constant,border-value=1000"), 500 * plain);
    EXPECT_EQ(tolerance("convolve:size=3,border-value=1000"), plain) << "an unused border value";
}

TEST(Reference, AgreesWithScipy) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/convolution.txt");
    ASSERT_TRUE(file);
    int cases = 0;
    for (std::string line; std::getline(file, line); ++cases) {
        std::vector<std::string> parts(1);
        std::istringstream all(line);
        for (std::string word; all >> word;)
            if (word == "|") parts.emplace_back();
            else parts.back() += (parts.back().empty() ? "" : " ") + word;
        ASSERT_EQ(parts.size(), 4U);
        std::int64_t width = 0, height = 0;
        std::istringstream(parts[1]) >> width >> height;
        auto image = std::make_shared<Image>(Buffer(Shape{width, height}));
        std::istringstream in(parts[2]), out(parts[3]);
        for (std::int64_t i = 0; i < width * height; ++i) in >> image->view().data[i];
        Pipeline pipeline;
        pipeline.steps.push_back(parseStep(processCatalog(), parts[0]));
        RunContext context;
        const RunResult r = Engine(processCatalog()).run(pipeline, image, Target{.backend = "reference", .variant = {}}, context);
        for (std::int64_t i = 0; i < width * height; ++i) {
            double expected = 0;
            out >> expected;
            ASSERT_NEAR(static_cast<double>(r.image.view().data[i]), expected, 1e-6 * std::max(1.0, std::fabs(expected)))
                << parts[0] << " sample " << i;
        }
    }
    EXPECT_GT(cases, 50);
}

}  // namespace
}  // namespace parallax
