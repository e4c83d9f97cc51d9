// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient operator of tone mapping against SciPy (tests/oracles/make_gradient_tone_mapping.py), and its properties.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "tests/support/golden_image.hpp"

namespace parallax {
namespace {

template <class F>
ImagePtr imageOf(const Shape& shape, F&& value) {
    auto image = std::make_shared<Image>(Buffer(shape));
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) image->view().at(x, y, 0, c) = static_cast<float>(value(x, y, c));
    return image;
}

/// Light over four powers of ten, with fine texture.
double sceneAt(std::int64_t x, std::int64_t y, std::int64_t c) {
    const double texture = 1 + 0.1 * std::sin(1.3 * static_cast<double>(x)) * std::cos(0.9 * static_cast<double>(y));
    const double ground = x < 40 ? 0.05 : 500;
    return ground * texture * (1 + 0.2 * static_cast<double>(c));
}

RunResult run(const std::string& step, const ImagePtr& image, const char* backend = "reference") {
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(processCatalog(), "tonemap:operator=gradient" + step));
    RunContext context;
    return Engine(processCatalog()).run(pipeline, image, parseTarget(backend), context);
}

double largestDifference(const Image& a, const Image& b) {
    double largest = 0;
    for (std::int64_t i = 0; i < a.shape().samples(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(a.view().data[i]) - static_cast<double>(b.view().data[i])));
    return largest;
}

TEST(GradientToneMapping, AgreesWithScipy) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/gradient_tone_mapping.txt");
    ASSERT_TRUE(file);
    std::map<std::string, ImagePtr> images;
    int compared = 0;
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> parts = fieldsOf(line);
        if (parts[0] == "image") {
            images[parts[1]] = goldenImage(parts[2], parts[3]);
            continue;
        }
        ASSERT_EQ(parts.size(), 5U);
        Pipeline pipeline;
        pipeline.steps.push_back(parseStep(processCatalog(), parts[1]));
        RunContext context;
        const RunResult r = Engine(processCatalog()).run(pipeline, images.at(parts[3]), parseTarget("reference"), context);
        std::istringstream out(parts[4]);
        for (std::int64_t i = 0; i < r.image.shape().samples(); ++i) {
            double expected = 0;
            ASSERT_TRUE(out >> expected);
            // Relative, and 7 digits of what is nearly black.
            ASSERT_NEAR(static_cast<double>(r.image.view().data[i]), expected, 1e-5 * std::fabs(expected) + 1e-7)
                << parts[1] << " sample " << i;
        }
        ++compared;
    }
    EXPECT_GE(compared, 8);
}

TEST(GradientToneMapping, ConstantImagesBecomeWhite) {
    for (const char* backend : {"reference", "openmp.multigrid", "openmp.dct", "openmp.scalar"}) {
        if (!processCatalog().backend(parseTarget(backend).backend).availability().yes) continue;
        const ImagePtr image = imageOf({70, 66, 1, 3}, [](auto, auto, std::int64_t c) { return c == 1 ? 4.0 : 2.0; });
        const RunResult r = run("", image, backend);
        const double luminance = 0.7152 * 4 + 0.2848 * 2;
        for (std::int64_t c = 0; c < 3; ++c)
            for (std::int64_t y = 0; y < 66; ++y)
                for (std::int64_t x = 0; x < 70; ++x)
                    ASSERT_NEAR(static_cast<double>(r.image.view().at(x, y, 0, c)), (c == 1 ? 4 : 2) / luminance, 2e-5) << backend;
    }
}

TEST(GradientToneMapping, TheResultDoesNotDependOnTheScaleOfTheInput) {
    const ImagePtr image = imageOf({90, 70, 1, 3}, sceneAt);
    const RunResult expected = run("", image);
    for (const int exponent : {-5, 8, 30}) {
        const ImagePtr scaled = imageOf(image->shape(), [&](std::int64_t x, std::int64_t y, std::int64_t c) {
            return std::ldexp(static_cast<double>(image->view().at(x, y, 0, c)), exponent);
        });
        EXPECT_LT(largestDifference(run("", scaled).image, expected.image), 1e-5) << "2^" << exponent;
    }
}

TEST(GradientToneMapping, BetaOfOneGivesTheImageBackUpToItsRange) {
    const ImagePtr image = imageOf({83, 71, 1, 1}, [](std::int64_t x, std::int64_t y, std::int64_t) { return sceneAt(x, y, 0); });
    const double delta = 1e-5;
    double average = 0, largest = 0, smallest = 1e9;
    for (std::int64_t i = 0; i < image->shape().pixels(); ++i) {
        const double l = static_cast<double>(image->view().data[i]);
        average += std::log(delta + l);
        largest = std::max(largest, l);
        smallest = std::min(smallest, l);
    }
    average = std::exp(average / static_cast<double>(image->shape().pixels()));
    const double white = largest / average + delta, black = (smallest / average + delta) / white;
    for (const std::string alpha : {"0.1", "1"}) {
        const RunResult r = run(",beta=1,clip-white=0,clip-black=0,alpha=" + alpha, image);
        for (std::int64_t i = 0; i < image->shape().pixels(); ++i) {
            const double l = static_cast<double>(image->view().data[i]) / average, relative = l + delta;
            const double expected = (relative / white - black) / (1 - black) * l / relative;
            ASSERT_NEAR(static_cast<double>(r.image.view().data[i]), expected, 2e-6) << i;
        }
    }
}

TEST(GradientToneMapping, WeakensLargeContrastsMoreThanSmallOnes) {
    const ImagePtr image = imageOf({80, 80, 1, 1}, [](std::int64_t x, std::int64_t y, std::int64_t) { return sceneAt(x, y, 0); });
    const RunResult r = run(",alpha=0.1,beta=0.85,clip-white=0,clip-black=0", image);
    const auto contrast = [](const Image& i, std::int64_t x0, std::int64_t x1) {
        return std::log(static_cast<double>(i.view().at(x1, 40)) / static_cast<double>(i.view().at(x0, 40)));
    };
    // Bright pixels, so that the black level does not matter: two of the texture, and one from each side of the step.
    const double texture = std::fabs(contrast(r.image, 61, 63) / contrast(*image, 61, 63));
    const double step = contrast(r.image, 38, 42) / contrast(*image, 38, 42);
    EXPECT_GT(step, 0);
    EXPECT_LT(step, 0.8 * texture);
}

TEST(GradientToneMapping, EndsThePyramidWhereThePaperDoes) {
    const auto sizes = [](const Shape& shape, const std::string& more) {
        const Step step = parseStep(processCatalog(), "tonemap:operator=gradient" + more);
        const auto image = std::make_shared<Image>(Buffer(shape));
        std::string text;
        for (const Shape& level : planGradient(planToneMapping(makeProblem(*image, step.parameters)), shape).levels)
            text += std::to_string(level.width) + "x" + std::to_string(level.height) + " ";
        return text;
    };
    EXPECT_EQ(sizes({640, 480, 1, 1}, ""), "640x480 320x240 160x120 80x60 ");
    EXPECT_EQ(sizes({63, 128, 1, 1}, ""), "63x128 32x64 ");
    EXPECT_EQ(sizes({62, 128, 1, 1}, ""), "62x128 ");
    EXPECT_EQ(sizes({5, 3, 1, 1}, ",levels=16"), "5x3 3x2 2x1 ");
    EXPECT_EQ(sizes({5, 3, 1, 1}, ",levels=2"), "5x3 3x2 ");
    EXPECT_EQ(sizes({1, 9, 1, 1}, ",levels=4"), "1x9 ");
}

TEST(GradientToneMapping, HasAConvergenceAndNoCurve) {
    const ImagePtr image = imageOf({70, 50, 1, 3}, sceneAt);
    for (const char* backend : {"reference", "openmp.multigrid", "openmp.dct", "openmp.scalar"}) {
        if (!processCatalog().backend(parseTarget(backend).backend).availability().yes) continue;
        Pipeline pipeline;
        pipeline.steps.push_back(parseStep(processCatalog(), "tonemap:operator=gradient"));
        RunContext context;
        PreparedRun prepared = Engine(processCatalog()).prepare(pipeline, image, parseTarget(backend), context);
        prepared.run(context);
        EXPECT_TRUE(prepared.transfers(context).empty()) << backend;
        const RunResult r = run("", image, backend);
        std::map<std::string, double> found;
        for (const StatisticRecord& s : r.statistics) found[s.key] = s.value;
        EXPECT_EQ(found.size(), 5U) << backend;
        EXPECT_GE(found.at("iterations"), 1) << backend;
        EXPECT_LT(found.at("residual"), 4e-9) << backend << ": 1e-6 (pi / 70)^2";
        ASSERT_FALSE(r.series.empty()) << backend;
        EXPECT_EQ(r.series.front().key, "convergence") << backend;
        EXPECT_TRUE(r.warnings.empty()) << backend << ": " << r.warnings.front();
    }
}

TEST(GradientToneMapping, OthersSayThatTheyCannot) {
    const ImagePtr image = imageOf({20, 10, 1, 3}, sceneAt);
    const auto refusal = [&](const std::string& step, const std::string& backend, const std::string& variant) -> std::string {
        const Problem problem = makeProblem(*image, parseStep(processCatalog(), step).parameters);
        for (const Implementation* i : processCatalog().implementations("tonemap", backend))
            if (i->variant() == variant) return i->supports(problem).reason;
        return "absent";
    };
    if (processCatalog().backend("openmp").availability().yes) {
        EXPECT_NE(refusal("tonemap:operator=gradient", "openmp", "simd").find("operator=gradient"), std::string::npos);
        for (const char* variant : {"multigrid", "dct"})
            EXPECT_NE(refusal("tonemap:operator=local", "openmp", variant).find("gradient"), std::string::npos) << variant;
    }
    if (processCatalog().backend("opencv").availability().yes) {
        EXPECT_NE(refusal("tonemap:operator=gradient", "opencv", "reinhard").find("photoreceptor"), std::string::npos);
    }
}

}  // namespace
}  // namespace parallax
