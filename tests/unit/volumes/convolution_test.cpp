// SPDX-License-Identifier: GPL-3.0-or-later
// Windows in three dimensions against known answers; the reference against SciPy's (tests/oracles/make_volume_convolution.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/kernel_values.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/convolution/volume/plan.hpp"

namespace parallax {
namespace {

using P = ConvolutionParameters;

Kernel3d kernelOf(P p) {
    p.axes = WindowAxes::xyz;
    return makeKernel3d(p);
}

std::string refusalOf(const P& p) {
    try {
        (void)kernelOf(p);
        return {};
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::usage) << e.what();
        return e.what();
    }
}

TEST(VolumeKernels, HaveTheirKnownWeights) {
    const Kernel3d laplacian = kernelOf({.kernel = KernelKind::laplacian, .size = 3});
    EXPECT_EQ(laplacian.at(1, 1, 1), -6);
    EXPECT_EQ(laplacian.at(1, 1, 0), 1);
    EXPECT_EQ(laplacian.at(0, 0, 1), 0);
    const Kernel3d sobel = kernelOf({.kernel = KernelKind::sobelZ, .size = 3});
    for (int v = 0; v < 3; ++v)
        for (int u = 0; u < 3; ++u) {
            const double smooth = (u == 1 ? 2 : 1) * (v == 1 ? 2 : 1);
            EXPECT_EQ(sobel.at(u, v, 0), -smooth);
            EXPECT_EQ(sobel.at(u, v, 1), 0);
            EXPECT_EQ(sobel.at(u, v, 2), smooth);
        }
    EXPECT_EQ(kernelOf({.kernel = KernelKind::scharrX, .size = 3}).at(2, 1, 1), 100);
    for (const double w : kernelOf({.kernel = KernelKind::box, .size = 4}).weights) EXPECT_EQ(w, 1.0 / 64);
}

TEST(VolumeKernels, SumToOneOrToZero) {
    for (int kind = 0; kind < static_cast<int>(KernelKind::custom); ++kind) {
        const auto k = static_cast<KernelKind>(kind);
        if (k == KernelKind::emboss || k == KernelKind::motion) continue;
        const bool scharr = k == KernelKind::scharrX || k == KernelKind::scharrY || k == KernelKind::scharrZ;
        const double sum = kernelOf({.kernel = k, .size = scharr ? 3 : 7}).sum();
        const bool derivative = k >= KernelKind::laplacian && k <= KernelKind::prewittZ;
        EXPECT_NEAR(sum, derivative ? 0 : 1, 1e-9) << kind;
    }
}

TEST(VolumeKernels, SigmaInMillimetresFollowsTheSpacing) {
    P p{.axes = WindowAxes::xyz, .size = 7, .sigma = 2, .sigmaUnit = SigmaUnit::millimetres};
    const Kernel3d k = makeKernel3d(p, {1, 2, 4});
    // The same distance in mm has the same weight: 4 samples along x, 2 along y and 1 along z would be 4 mm.
    EXPECT_NEAR(k.at(5, 3, 3), k.at(3, 4, 3), 1e-15);
    EXPECT_NEAR(k.at(3, 5, 3), k.at(3, 3, 4), 1e-15);
    p.sigmaUnit = SigmaUnit::pixels;
    EXPECT_EQ(makeKernel3d(p, {1, 2, 4}).weights, makeKernel3d(p).weights);
    // In a plane as well.
    p.axes = WindowAxes::xy;
    p.sigmaUnit = SigmaUnit::millimetres;
    const Kernel plane = makeKernel(p, {1, 2, 4});
    EXPECT_NEAR(plane.at(5, 3), plane.at(3, 4), 1e-15);
}

TEST(VolumeKernels, FlipScaleAndAnchor) {
    const P p{.kernel = KernelKind::custom, .weights = "1 2;3 4|5 6;7 8", .scale = 2, .flip = true};
    const Kernel3d k = kernelOf(p);
    EXPECT_EQ(k.weights, (std::vector<double>{16, 14, 12, 10, 8, 6, 4, 2}));
    EXPECT_EQ(k.anchor, (std::array<int, 3>{0, 0, 0})) << "the element (1, 1, 1) stays on the voxel";
    const Kernel3d a = kernelOf({.kernel = KernelKind::box, .size = 5, .anchorX = 0, .anchorY = 4, .anchorZ = 1});
    EXPECT_EQ(a.before(0), 0);
    EXPECT_EQ(a.after(1), 0);
    EXPECT_EQ(a.before(2), 1);
    EXPECT_EQ(a.after(2), 3);
}

TEST(VolumeKernels, ScaleUnitMakesTheResponseOne) {
    using To = KernelResponse::To;
    const struct {
        P parameters;
        To to;
        double response;
    } cases[] = {{{.kernel = KernelKind::sobelZ, .size = 3}, To::ramp, 32},
                 {{.kernel = KernelKind::prewittX, .size = 3}, To::ramp, 18},
                 {{.kernel = KernelKind::laplacian, .size = 3}, To::parabola, 1},
                 {{.kernel = KernelKind::custom, .weights = "1|-2|1"}, To::parabola, 1},
                 {{.kernel = KernelKind::custom, .weights = "0 0 -3"}, To::constant, -3},
                 {{.kernel = KernelKind::custom, .weights = "0|0"}, To::none, 0}};
    for (const auto& c : cases) {
        const KernelResponse found = responseOf(kernelOf(c.parameters));
        EXPECT_EQ(found.to, c.to) << found.value;
        EXPECT_NEAR(found.value, c.response, 1e-9);
        P unit = c.parameters;
        unit.scale = kUnitScale;
        if (c.to == To::none) EXPECT_NE(refusalOf(unit), "");
        else EXPECT_NEAR(std::fabs(responseOf(kernelOf(unit)).value), 1, 1e-9);
    }
}

TEST(VolumeKernels, ReadSlices) {
    const std::vector<double> expected{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    for (const char* text :
         {"1 2 3; 4 5 6 | 7 8 9; 10 11 12", "1 2 3\n4 5 6\n\n7 8 9\n10 11 12\n", "1,2,3;4,5,6|7,8,9;10,11,12",
          "[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]",
          "array([[[ 1,  2,  3],\n        [ 4,  5,  6]],\n\n       [[ 7,  8,  9],\n        [10, 11, 12]]], dtype=float32)",
          "[[[2, 4, 6], [8, 10, 12]], [[14, 16, 18], [20, 22, 24]]] / 2", "\n\n1 2 3\n4 5 6\r\n \t\r\n7 8 9\n10 11 12\n\n"}) {
        const KernelSlices k = parseKernelSlices(text);
        EXPECT_EQ(k.weights, expected) << text;
        EXPECT_EQ(k.width, 3) << text;
        EXPECT_EQ(k.height, 2) << text;
        EXPECT_EQ(k.depth, 2) << text;
    }
    // One slice is a window of depth 1.
    EXPECT_EQ(parseKernelSlices("1 2; 3 4").depth, 1);
    EXPECT_EQ(parseKernelSlices("1|2|3").depth, 3);
    for (const char* text : {"1 2 | 3", "1; 2 | 3", "[1 2] / 2 | [3 4]", "", "|", "1 | x"})
        EXPECT_THROW(parseKernelSlices(text), Error) << text;
    // In a plane there are no slices.
    EXPECT_THROW(parseKernelText("1 2 | 3 4"), Error);
}

TEST(VolumeKernels, AreRefusedWithAReason) {
    EXPECT_NE(refusalOf({.kernel = KernelKind::motion}).find("axes=xy"), std::string::npos);
    EXPECT_NE(refusalOf({.kernel = KernelKind::emboss}).find("axes=xy"), std::string::npos);
    EXPECT_NE(refusalOf({.kernel = KernelKind::sobelX, .size = 4}), "");
    EXPECT_NE(refusalOf({.kernel = KernelKind::scharrZ, .size = 5}), "");
    EXPECT_NE(refusalOf({.kernel = KernelKind::laplacian, .size = 1}), "");
    EXPECT_NE(refusalOf({.kernel = KernelKind::box, .size = 3, .anchorZ = 3}).find("anchor-z"), std::string::npos);
    try {
        (void)makeKernel({.kernel = KernelKind::sobelZ, .size = 3});
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("axes=xyz"), std::string::npos) << e.what();
    }
}

TEST(VolumeKernels, FactorsOfSeparableKernels) {
    const auto check = [](const P& p, bool separable) {
        const Kernel3d k = kernelOf(p);
        const auto f = factorsOf(k);
        ASSERT_EQ(f.has_value(), separable) << static_cast<int>(p.kernel) << " " << p.weights;
        if (!f) return;
        double largest = 0, error = 0;
        for (int w = 0; w < k.size[2]; ++w)
            for (int v = 0; v < k.size[1]; ++v)
                for (int u = 0; u < k.size[0]; ++u) {
                    const double product = f->factors[0][static_cast<std::size_t>(u)] * f->factors[1][static_cast<std::size_t>(v)] *
                                           f->factors[2][static_cast<std::size_t>(w)];
                    largest = std::max(largest, std::fabs(k.at(u, v, w)));
                    error = std::max(error, std::fabs(product - k.at(u, v, w)));
                }
        EXPECT_LT(error, 2e-7 * largest);
    };
    for (const int size : {1, 2, 5, 7, 31}) {
        check({.kernel = KernelKind::gaussian, .size = size}, true);
        check({.kernel = KernelKind::box, .size = size}, true);
    }
    for (const auto kind : {KernelKind::sobelX, KernelKind::scharrY, KernelKind::prewittZ}) check({.kernel = kind, .size = 3}, true);
    for (const auto kind : {KernelKind::laplacian, KernelKind::log, KernelKind::sharpen, KernelKind::unsharp})
        check({.kernel = kind, .size = 5}, false);
    check({.kernel = KernelKind::custom, .weights = "1 2;2 4|-3 -6;-6 -12"}, true);
    check({.kernel = KernelKind::custom, .weights = "1 2;2 4|1 2;2 5"}, false);
    check({.kernel = KernelKind::custom, .weights = "0 0;0 0|0 0;0 0"}, false);
}

TEST(VolumeConvolution, KeepsTheMeaningOfSlicesByDefault) {
    const auto image = std::make_shared<const Image>(makeSynthetic({SyntheticKind::noise, {9, 8, 5, 1}, 3}));
    const auto result = [&](const char* step, const char* backend) {
        RunContext context;
        return Engine(processCatalog()).run(parsePipeline(processCatalog(), {step}), image, parseTarget(backend), context).image;
    };
    // A window of one slice is the same in both ways.
    const Image slices = result("convolve:kernel=custom,weights='1 2 1;0 1 0',normalise=true", "reference");
    const Image volume = result("convolve:axes=xyz,kernel=custom,weights='1 2 1;0 1 0',normalise=true", "reference");
    EXPECT_EQ(compareViews(slices.view(), volume.view(), {}).maxAbs, 0);
    EXPECT_GT(compareViews(slices.view(), result("convolve:axes=xyz,kernel=box,size=3", "reference").view(), {}).maxAbs, 0.01);
}

TEST(VolumeConvolution, TellsReachWorkAndTolerance) {
    const Image image = makeSynthetic({SyntheticKind::noise, {9, 8, 5, 1}, 3});
    const Step step = parseStep(processCatalog(), "convolve:axes=xyz,kernel=custom,weights='1 2 3 | 4 5 6 | 7 8 9 | 1 1 1',anchor-z=0");
    const Problem problem = makeProblem(image, step.parameters);
    const Reach reach = step.operation->reach(problem);
    EXPECT_EQ(reach.x, 1);
    EXPECT_EQ(reach.y, 0);
    EXPECT_EQ(reach.z, 3);
    EXPECT_EQ(step.operation->work(problem).flops, 2.0 * 12 * 9 * 8 * 5);
    const double per = (8 + 2 * std::sqrt(12.0) + 12 / 4.0) * 0x1p-24 * 48;
    EXPECT_NEAR(step.operation->tolerance(problem).absolute, per * problem.statistics.maxAbs(), 1e-9);
    EXPECT_NE(notesOn(*step.operation, problem).at(0).find("sum to 48"), std::string::npos);
    EXPECT_THROW((void)dynamic_cast<const GivesKernelValues&>(*step.operation).kernelValues(problem), Error);
}

TEST(VolumeConvolution, VariantsOfSlicesRefuse) {
    const auto image = std::make_shared<const Image>(makeSynthetic({SyntheticKind::noise, {9, 8, 5, 1}, 3}));
    const Problem problem = makeProblem(*image, parseStep(processCatalog(), "convolve:axes=xyz").parameters);
    int refused = 0;
    for (const auto& backend : processCatalog().backends()) {
        if (!backend->availability().yes) continue;
        for (const Implementation* i : backend->implementations()) {
            if (i->operation() != "convolve" || i->variant() != "filter2d") continue;
            const Support support = i->supports(problem);
            EXPECT_FALSE(support);
            EXPECT_NE(support.reason.find("three dimensions"), std::string::npos) << support.reason;
            ++refused;
        }
    }
    EXPECT_EQ(refused > 0, processCatalog().backend("opencv").availability().yes);
    // Parts would need slices of their neighbours.
    RunContext context;
    EXPECT_THROW((void)Engine(processCatalog())
                     .prepare(parsePipeline(processCatalog(), {"convolve:axes=xyz"}), image, parseTarget("reference@2"), context),
                 Error);
}

TEST(VolumeReference, AgreesWithScipy) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/volume_convolution.txt");
    ASSERT_TRUE(file);
    const auto fieldsOf = [](const std::string& line) {
        std::vector<std::string> fields;
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = line.find(" | ", begin)) != std::string::npos; begin = end + 3)
            fields.push_back(line.substr(begin, end - begin));
        fields.push_back(line.substr(begin));
        return fields;
    };
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    std::vector<std::string> fields = fieldsOf(line);
    ASSERT_EQ(fields.size(), 2U);
    Shape shape{1, 1, 1, 1};
    std::istringstream(fields[0]) >> shape.width >> shape.height >> shape.depth;
    Image volume{Buffer(shape)};
    std::istringstream samples(fields[1]);
    for (std::int64_t i = 0; i < shape.samples(); ++i) samples >> volume.view().data[i];
    int cases = 0;
    for (; std::getline(file, line); ++cases) {
        fields = fieldsOf(line);
        ASSERT_EQ(fields.size(), 3U);
        auto image = std::make_shared<Image>(volume.clone());
        image->geometry.emplace();
        std::istringstream spacing(fields[1]), out(fields[2]);
        for (double& s : image->geometry->spacing) spacing >> s;
        RunContext context;
        const RunResult r =
            Engine(processCatalog()).run(parsePipeline(processCatalog(), {fields[0]}), image, parseTarget("reference"), context);
        for (std::int64_t i = 0; i < shape.samples(); ++i) {
            double expected = 0;
            out >> expected;
            ASSERT_NEAR(static_cast<double>(r.image.view().data[i]), expected, 1e-6 * std::max(1.0, std::fabs(expected)))
                << fields[0] << " sample " << i;
        }
    }
    EXPECT_GT(cases, 90);
}

}  // namespace
}  // namespace parallax
