// SPDX-License-Identifier: GPL-3.0-or-later
// Solvers and their operations on the reference: against SciPy and PyAMG (tests/oracles/make_solvers.py), and what they promise.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "core/engine/operation/capabilities.hpp"
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/error_bounds.hpp"
#include "tests/support/solver_support.hpp"

namespace parallax {
namespace {

double weightAt(std::int64_t i, int k) { return static_cast<double>((i + 1) * (k == 0 ? 101 : 733) % 1009) / 1009 - 0.5; }

TEST(Solvers, AgreeWithScipyAndPyamg) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/solvers.txt");
    ASSERT_TRUE(file) << "tests/oracles/solvers.txt is missing";
    int compared = 0;
    for (std::string text; std::getline(file, text);) {
        if (text.starts_with("#")) continue;
        SCOPED_TRACE(text);
        std::istringstream line(text);
        std::string step, colon;
        Shape shape;
        Geometry geometry;
        double expected[2] = {};
        line >> step >> shape.width >> shape.height >> shape.depth >> shape.channels;
        line >> geometry.spacing[0] >> geometry.spacing[1] >> geometry.spacing[2] >> colon >> expected[0] >> expected[1];
        ASSERT_TRUE(line);
        Image image = makeImage(shape, sampleAt);
        image.geometry = geometry;
        const RunResult result = runReference(step, std::move(image));
        double sums[2] = {}, magnitude = 0;
        std::int64_t i = 0;
        const View<const float> v = result.image.view();
        for (std::int64_t c = 0; c < shape.channels; ++c)
            for (std::int64_t z = 0; z < shape.depth; ++z)
                for (std::int64_t y = 0; y < shape.height; ++y)
                    for (std::int64_t x = 0; x < shape.width; ++x, ++i) {
                        const auto value = static_cast<double>(v.at(x, y, z, c));
                        for (int k = 0; k < 2; ++k) sums[k] += value * weightAt(i, k);
                        magnitude += std::fabs(value);
                    }
        // Samples are rounded to float32: at most half of 2^-23 of each.
        for (int k = 0; k < 2; ++k) EXPECT_NEAR(sums[k], expected[k], 0x1p-24 * magnitude + 1e-9);
        ++compared;
    }
    EXPECT_GT(compared, 30);
}

TEST(Solvers, BoundsOfTheInverseHold) {
    using namespace solvers;
    for (const Shape& shape : {Shape{1, 1}, Shape{17, 1}, Shape{9, 14}, Shape{5, 6, 7}})
        for (const Border border : {Border::dirichlet, Border::neumann})
            for (const double diagonal : {0.0, 0.01, 2.0}) {
                const Stencil s{.shape = shape, .diagonal = diagonal, .border = border};
                const auto n = static_cast<std::size_t>(shape.pixels());
                std::vector<double> f(n, 1), u(n, 0);
                // Neumann: the smoothest right-hand side that varies.
                if (isSingular(s))
                    for (std::size_t i = 0; i < n; ++i) f[i] = i < n / 2 ? 1 : -1;
                SolveProgress progress(RunContext{}, 0);
                const SolveHistory history = conjugateGradients(s, 1, f.data(), u.data(), kReferenceOptions, RunContext{}, progress);
                EXPECT_LE(history.trueResidual, 1e-11);
                double largest = 0;
                for (const double value : u) largest = std::max(largest, std::fabs(value));
                EXPECT_LE(largest, inverseBound(s) * (1 + 1e-9)) << shape.width << " x " << shape.height << " x " << shape.depth;
            }
}

/// The preconditioner can only cost iterations, so that is what shows a mistake in it.
TEST(Solvers, TheOracleNeedsFewIterationsOnEveryShape) {
    using namespace solvers;
    for (const Shape& shape : {Shape{1, 1}, Shape{501, 1}, Shape{1, 500}, Shape{1, 1, 333}, Shape{2, 190}, Shape{63, 65}, Shape{1, 31, 29},
                               Shape{17, 1, 40}, Shape{9, 14, 11}, Shape{528, 17}, Shape{3, 513}})
        for (const Border border : {Border::dirichlet, Border::neumann})
            for (const bool fixes : {false, true}) {
                Stencil s{.shape = shape, .border = border};
                s.axisWeights[0] = 1 / 0.49;  // not representable, so that differences of sums are not 0
                s.axisWeights[1] = 1 / 0.36;
                s.axisWeights[2] = 1 / 0.81;
                const auto n = static_cast<std::size_t>(shape.pixels());
                std::vector<std::uint8_t> fixed(n, 0);
                for (std::size_t i = 0; fixes && i < n; i += 37) fixed[i] = 1;
                if (fixes) s.fixed = fixed.data();
                std::vector<double> f(n), u(n, 0);
                for (std::size_t i = 0; i < n; ++i) f[i] = static_cast<double>(sampleAt(static_cast<std::int64_t>(i)));
                SolveProgress progress(RunContext{}, 0);
                const SolveHistory history = conjugateGradients(s, 1, f.data(), u.data(), kReferenceOptions, RunContext{}, progress);
                EXPECT_LE(history.trueResidual, 1e-10);
                EXPECT_LE(history.iterations(), 60) << shape.width << " x " << shape.height << " x " << shape.depth
                                                    << (border == Border::neumann ? " Neumann" : " Dirichlet") << (fixes ? ", fixed" : "");
            }
}

TEST(Solvers, HistoryFallsAndEndsConverged) {
    const RunResult result = runReference("poisson", makeImage({40, 30, 1, 1}, sampleAt));
    ASSERT_EQ(result.series.size(), 2U);
    const SeriesRecord& s = result.series.front();
    EXPECT_EQ(s.key, "convergence");
    EXPECT_EQ(s.end, "converged");
    EXPECT_TRUE(s.logarithmic);
    ASSERT_GT(s.x.size(), 10U);
    EXPECT_EQ(s.x.size(), s.y.size());
    EXPECT_EQ(s.x.front(), 0);
    EXPECT_DOUBLE_EQ(s.y.front(), 1);
    EXPECT_LE(s.y.back(), 1e-12);
    EXPECT_EQ(valueOf(result.statistics, "iterations"), s.x.back());
    EXPECT_LE(valueOf(result.statistics, "residual"), 1e-12);
    EXPECT_TRUE(result.warnings.empty());
}

TEST(Solvers, IncompatibleRightHandSidesAreNamed) {
    const RunResult result = runReference("poisson:border=neumann", makeImage({12, 9, 1, 1}, sampleAt));
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_NE(result.warnings[0].find("no solution"), std::string::npos) << result.warnings[0];
    EXPECT_NEAR(valueOf(result.statistics, "removed-mean"), computeStatistics(makeImage({12, 9, 1, 1}, sampleAt)).mean, 1e-6);
    const RunResult compatible =
        runReference("poisson:border=neumann", makeImage({12, 8, 1, 1}, [](std::int64_t i) { return i % 2 == 0 ? 1.0F : -1.0F; }));
    EXPECT_TRUE(compatible.warnings.empty());
    EXPECT_NEAR(computeStatistics(compatible.image).mean, 0, 1e-6);
    const RunResult constant = runReference("poisson:border=neumann", makeImage({12, 8, 1, 1}, [](std::int64_t) { return 0.1F; }));
    EXPECT_EQ(computeStatistics(constant.image).maxAbs(), 0) << "rounding of the mean must not be solved for";
}

TEST(Solvers, WarnWhenTheToleranceIsNotReached) {
    using namespace solvers;
    const Stencil s{.shape = {30, 30}, .border = Border::dirichlet};
    std::vector<double> f(900, 1), u(900, 0);
    SolveProgress progress(RunContext{}, 0);
    const SolveOptions options{.tolerance = 1e-8, .iterations = 5};
    const SolveHistory history = conjugateGradients(s, 1, f.data(), u.data(), options, RunContext{}, progress);
    EXPECT_EQ(history.end, SolveEnd::mostIterations);
    EXPECT_EQ(history.iterations(), 5);
    const std::vector<std::string> warnings = warningsOf(history, options);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("stopped after 5 iterations"), std::string::npos) << warnings[0];
}

TEST(Solvers, DivergenceAndNanAreErrors) {
    EXPECT_THROW(solvers::checkResidual(std::nan(""), 1, 3), Error);
    EXPECT_THROW(solvers::checkResidual(1e7, 1, 3), Error);
    EXPECT_NO_THROW(solvers::checkResidual(100, 1, 3));
}

TEST(Solvers, FixedSamplesKeepTheirValues) {
    using namespace solvers;
    // A line between two fixed samples.
    std::vector<std::uint8_t> fixed(11, 0);
    fixed.front() = fixed.back() = 1;
    const Stencil s{.shape = {11, 1}, .fixed = fixed.data()};
    std::vector<double> f(11, 0), u(11, 0);
    u.back() = 5;
    SolveProgress progress(RunContext{}, 0);
    const SolveHistory history = conjugateGradients(s, 1, f.data(), u.data(), kReferenceOptions, RunContext{}, progress);
    EXPECT_EQ(history.end, SolveEnd::converged);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], static_cast<double>(i) / 2, 1e-9);
}

TEST(Diffuse, PixelsThatAreNotFiniteStayAndInfluenceNone) {
    Image image = makeImage({16, 12, 1, 3}, sampleAt), cut = makeImage({16, 12, 1, 3}, sampleAt);
    // A column of them divides the image: each side is smoothed alone.
    for (std::int64_t y = 0; y < 12; ++y) {
        image.view().at(7, y, 0, 1) = std::nanf("");
        for (std::int64_t x = 8; x < 16; ++x)
            for (std::int64_t c = 0; c < 3; ++c) cut.view().at(x, y, 0, c) = image.view().at(x, y, 0, c);
    }
    for (const char* step : {"diffuse:weights=uniform", "diffuse:weights=edges", "diffuse:weights=perona-malik"}) {
        const RunResult a = runReference(step, image.clone());
        Image changed = image.clone();
        for (std::int64_t y = 0; y < 12; ++y) changed.view().at(3, y, 0, 0) = 100;
        const RunResult b = runReference(step, std::move(changed));
        const View<const float> va = std::as_const(a.image).view(), vb = std::as_const(b.image).view();
        for (std::int64_t y = 0; y < 12; ++y) {
            EXPECT_TRUE(std::isnan(va.at(7, y, 0, 1)));
            EXPECT_EQ(va.at(7, y, 0, 0), image.view().at(7, y, 0, 0));
            for (std::int64_t x = 8; x < 16; ++x) EXPECT_NEAR(va.at(x, y, 0, 0), vb.at(x, y, 0, 0), 1e-5) << step;
        }
    }
}

TEST(Diffuse, JudgesItsResultByTheResidual) {
    const Image image = makeImage({20, 15, 1, 1}, sampleAt);
    const Step step = parseStep(processCatalog(), "diffuse:weights=edges");
    const Problem problem = makeProblem(image, step.parameters);
    const auto* judges = capability<JudgesResult>(*step.operation);
    ASSERT_NE(judges, nullptr);
    RunResult result = runReference("diffuse:weights=edges", image.clone());
    std::vector<Judgement> found = judges->verify(problem, image.view(), std::as_const(result.image).view());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].holds()) << found[0].value << " of " << found[0].bound;
    result.image.view().at(3, 4) += 0.01F;
    found = judges->verify(problem, image.view(), std::as_const(result.image).view());
    EXPECT_FALSE(found[0].holds()) << found[0].value << " of " << found[0].bound;
}

}  // namespace
}  // namespace parallax
