// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of `fill` on the reference: which samples are missing, and what they become. Known answers of SciPy: solvers_test.cpp.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/engine/operation/capabilities.hpp"
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reference/biharmonic.hpp"
#include "tests/support/solver_support.hpp"

namespace parallax {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

Image rowOf(const std::vector<float>& samples) {
    return makeImage({static_cast<std::int64_t>(samples.size()), 1, 1, 1},
                     [&](std::int64_t i) { return samples[static_cast<std::size_t>(i)]; });
}

void expectRow(const RunResult& result, const std::vector<float>& expected) {
    const View<const float> v = result.image.view();
    ASSERT_EQ(v.shape.samples(), static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::isfinite(expected[i])) EXPECT_NEAR(v.data[i], expected[i], 1e-6) << i;
        else EXPECT_EQ(std::bit_cast<std::uint32_t>(v.data[i]), std::bit_cast<std::uint32_t>(expected[i])) << i;
    }
}

TEST(Fill, ReplacesNanByTheInterpolationOfItsSurroundings) {
    const RunResult result = runReference("fill", rowOf({kNan, 1, kNan, kNan, kNan, 3, kNan}));
    expectRow(result, {1, 1, 1.5F, 2, 2.5F, 3, 3});
    EXPECT_EQ(valueOf(result.statistics, "filled"), 5);
    EXPECT_EQ(valueOf(result.statistics, "unfilled"), 0);
    EXPECT_TRUE(result.warnings.empty());
    ASSERT_EQ(result.series.size(), 2U);
    EXPECT_EQ(result.series[0].end, "converged");
}

TEST(Fill, InfiniteSamplesStayAndInfluenceNone) {
    const std::vector<float> samples{1, kNan, kInfinite, kNan, 3, -kInfinite};
    const RunResult kept = runReference("fill", rowOf(samples));
    expectRow(kept, {1, 1.5F, kInfinite, 2.5F, 3, -kInfinite});
    EXPECT_EQ(valueOf(kept.statistics, "filled"), 2);
    const RunResult filled = runReference("fill:missing=non-finite", rowOf(samples));
    expectRow(filled, {1, 1.5F, 2, 2.5F, 3, 3});
    EXPECT_EQ(valueOf(filled.statistics, "filled"), 4);
}

TEST(Fill, ThresholdsIncludeTheirValueAndNan) {
    expectRow(runReference("fill:missing=above,threshold=4", rowOf({2, 4, kNan, kInfinite, 3.75F, -kInfinite})),
              {2, 2 + 1.75F / 4, 2 + 1.75F / 2, 2 + 1.75F * 3 / 4, 3.75F, -kInfinite});
    expectRow(runReference("fill:missing=below,threshold=0", rowOf({2, 0, -kInfinite, kNan, 4, kInfinite})),
              {2, 2.5F, 3, 3.5F, 4, kInfinite});
    EXPECT_EQ(valueOf(runReference("fill:preset=highlights", rowOf({0.5F, 1, 0.75F})).statistics, "filled"), 1);
}

TEST(Fill, EachChannelHasItsOwnMissingSamples) {
    Image image = makeImage({5, 1, 1, 3}, [](std::int64_t i) { return static_cast<float>(i); });
    image.view().at(1, 0, 0, 0) = image.view().at(3, 0, 0, 2) = kNan;
    const RunResult result = runReference("fill", image.clone());
    EXPECT_EQ(valueOf(result.statistics, "filled"), 2);
    for (std::int64_t c = 0; c < 3; ++c)
        for (std::int64_t x = 0; x < 5; ++x) EXPECT_NEAR(result.image.view().at(x, 0, 0, c), static_cast<float>(5 * c + x), 1e-6);
    ASSERT_EQ(result.series.size(), 4U);
    EXPECT_EQ(result.series[0].label, "R");
    EXPECT_EQ(result.series[1].label, "B");
    const RunResult one = runReference("fill:channels=B", std::move(image));
    EXPECT_TRUE(std::isnan(one.image.view().at(1, 0, 0, 0))) << "R is copied";
    EXPECT_EQ(valueOf(one.statistics, "filled"), 1);
}

TEST(Fill, ChannelsWithoutKnownSamplesStayWithAWarning) {
    Image image = makeImage({4, 3, 1, 3}, sampleAt);
    for (std::int64_t i = 0; i < 12; ++i) image.view().row(0, 0, 1)[i] = i == 5 ? kInfinite : kNan;
    image.view().at(2, 2, 0, 0) = kNan;
    const RunResult result = runReference("fill", image.clone());
    EXPECT_EQ(valueOf(result.statistics, "filled"), 1);
    EXPECT_EQ(valueOf(result.statistics, "unfilled"), 11);
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_NE(result.warnings[0].find("11 missing samples keep their values"), std::string::npos) << result.warnings[0];
    EXPECT_NE(result.warnings[0].find(": G."), std::string::npos) << result.warnings[0];
    for (std::int64_t i = 0; i < 12; ++i)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(result.image.view().row(0, 0, 1)[i]),
                  std::bit_cast<std::uint32_t>(image.view().row(0, 0, 1)[i]));
    const RunResult all = runReference("fill:missing=below,threshold=1000", makeImage({9, 7, 1, 1}, sampleAt));
    EXPECT_EQ(valueOf(all.statistics, "unfilled"), 63);
    EXPECT_EQ(all.warnings.size(), 1U);
}

TEST(Fill, NothingMissingIsACopy) {
    const Image image = makeImage({20, 9, 1, 3}, sampleAt);
    const RunResult result = runReference("fill", image.clone());
    EXPECT_EQ(std::memcmp(result.image.samples().data(), image.samples().data(), image.samples().bytes()), 0);
    EXPECT_EQ(valueOf(result.statistics, "filled"), 0);
    EXPECT_TRUE(result.series.empty());
    EXPECT_TRUE(result.warnings.empty());
}

TEST(Fill, TransparentPixelsTakeColourAndAlphaOfTheirSurroundings) {
    Image image = makeImage({3, 1, 1, 4}, [](std::int64_t i) { return i % 3 == 1 ? 0.0F : static_cast<float>(i / 3 + 1) / 4; });
    const RunResult result = runReference("fill:missing=transparent", image.clone());
    for (std::int64_t c = 0; c < 4; ++c) EXPECT_NEAR(result.image.view().at(1, 0, 0, c), static_cast<float>(c + 1) / 4, 1e-6);
    const RunResult colours = runReference("fill:missing=transparent,channels=R", std::move(image));
    EXPECT_EQ(colours.image.view().at(1, 0, 0, 3), 0) << "alpha is copied";
    EXPECT_NEAR(colours.image.view().at(1, 0, 0, 0), 0.25F, 1e-6);
    EXPECT_THROW(runReference("fill:missing=transparent", makeImage({3, 1, 1, 3}, sampleAt)), Error);
}

TEST(Fill, FirefliesAreFarAboveTheMedianOfTheirWindow) {
    Image image = makeImage({15, 9, 1, 1}, [](std::int64_t i) { return i % 15 < 7 ? 0.5F : i % 15 == 11 ? 0.0F : 200.0F; });
    const View<float> v = image.view();
    v.at(2, 3) = 50;               // one
    v.at(4, 6) = v.at(5, 6) = 40;  // two beside each other
    v.at(0, 0) = 6;                // in a corner
    v.at(3, 0) = 4;                // not far enough
    v.at(11, 4) = 0.05F;           // a dark line on a bright ground
    const RunResult result = runReference("fill:preset=fireflies", image.clone());
    EXPECT_EQ(valueOf(result.statistics, "filled"), 4);
    const View<const float> out = result.image.view();
    for (const auto& [x, y] : {std::pair{2, 3}, {4, 6}, {5, 6}}) EXPECT_NEAR(out.at(x, y), 0.5F, 0.3F);
    EXPECT_NEAR(out.at(0, 0), 0.5F, 1e-6);
    EXPECT_EQ(out.at(3, 0), 4);
    EXPECT_EQ(out.at(7, 4), 200) << "the edge of a bright area is none";
    v.at(2, 3) = kInfinite;
    EXPECT_NEAR(runReference("fill:preset=fireflies", std::move(image)).image.view().at(2, 3), 0.5F, 1e-6);
}

TEST(Fill, ReproducesHarmonicFunctions) {
    // x^2 - y^2 + x y - x is a solution of the discrete equation wherever all neighbours are in the image.
    const auto value = [](std::int64_t x, std::int64_t y) { return static_cast<float>(x * x - y * y + x * y - x); };
    Image image = makeImage({31, 24, 1, 1}, [&](std::int64_t i) { return value(i % 31, i / 31); });
    for (std::int64_t y = 1; y < 23; ++y)
        for (std::int64_t x = 1; x < 30; ++x)
            if ((x > 4 && x < 17 && y > 3 && y < 20) || (x * 7 + y * 11) % 5 < 2) image.view().at(x, y) = kNan;
    const RunResult result = runReference("fill", std::move(image));
    for (std::int64_t y = 0; y < 24; ++y)
        for (std::int64_t x = 0; x < 31; ++x) EXPECT_NEAR(result.image.view().at(x, y), value(x, y), 1e-4) << x << ", " << y;
}

TEST(Fill, BiharmonicMinimisesTheSquaredLaplacian) {
    const auto expectFilled = [](const std::vector<float>& samples, const std::vector<float>& expected) {
        expectRow(runReference("fill:interpolation=biharmonic", rowOf(samples)), expected);
    };
    // (2 - m)^2 twice and (2 m - 2)^2.
    expectFilled({0, 1, kNan, 1, 0}, {0, 1, 4.0F / 3, 1, 0});
    // A cubic spline through 0, 1 with the slope 1, and 4, 2.
    expectFilled({0, 1, 2, kNan, 4, 5}, {0, 1, 2, 3, 4, 5});
    // (m - 1)^2 at the border, where the image is mirrored, and (2 - m - 3)^2.
    expectFilled({kNan, 1, 3, 5}, {0, 1, 3, 5});
    // Too little to continue anything: the constant.
    expectFilled({kNan, kNan, 2, kNan, kInfinite}, {2, 2, 2, 2, kInfinite});
    const RunResult lone =
        runReference("fill:interpolation=biharmonic", makeImage({9, 7, 1, 1}, [](std::int64_t i) { return i == 20 ? 3.5F : kNan; }));
    for (std::int64_t i = 0; i < 63; ++i) EXPECT_NEAR(lone.image.view().data[i], 3.5F, 1e-6);
}

TEST(Fill, BiharmonicReproducesCubicPolynomials) {
    const auto value = [](std::int64_t x, std::int64_t y) {
        const double a = static_cast<double>(x) / 16, b = static_cast<double>(y) / 16;
        return static_cast<float>(a * a * a - 2 * a * b * b + b * b - a + 0.5);
    };
    Image image = makeImage({31, 24, 1, 1}, [&](std::int64_t i) { return value(i % 31, i / 31); });
    // Two samples from the border on, where the Laplacian knows no border.
    for (std::int64_t y = 2; y < 22; ++y)
        for (std::int64_t x = 2; x < 29; ++x)
            if ((x > 4 && x < 17 && y > 3 && y < 20) || (x * 7 + y * 11) % 5 < 2) image.view().at(x, y) = kNan;
    const RunResult result = runReference("fill:interpolation=biharmonic", std::move(image));
    for (std::int64_t y = 0; y < 24; ++y)
        for (std::int64_t x = 0; x < 31; ++x) EXPECT_NEAR(result.image.view().at(x, y), value(x, y), 2e-5) << x << ", " << y;
}

TEST(Fill, JudgesTheBiharmonicInterpolation) {
    Image image = makeImage({20, 15, 1, 1}, sampleAt);
    for (std::int64_t y = 4; y < 9; ++y)
        for (std::int64_t x = 6; x < 14; ++x) image.view().at(x, y) = kNan;
    const Step step = parseStep(processCatalog(), "fill:interpolation=biharmonic");
    const Problem problem = makeProblem(image, step.parameters);
    const auto judged = [&](const Image& output) {
        return capability<JudgesResult>(*step.operation)->verify(problem, image.view(), output.view()).at(0);
    };
    const RunResult result = runReference("fill:interpolation=biharmonic", image.clone());
    EXPECT_TRUE(judged(result.image).holds()) << judged(result.image).value << " of " << judged(result.image).bound;
    // A dent over the whole hole, as smooth as one can be there.
    Image changed = result.image.clone();
    for (std::int64_t y = 4; y < 9; ++y)
        for (std::int64_t x = 6; x < 14; ++x)
            changed.view().at(x, y) += 0.002F * static_cast<float>((y - 3) * (9 - y) * (x - 5) * (14 - x)) / 180;
    EXPECT_FALSE(judged(changed).holds()) << judged(changed).value << " of " << judged(changed).bound;
    EXPECT_FALSE(judged(runReference("fill", image.clone()).image).holds()) << "the harmonic one";
    changed = result.image.clone();
    changed.view().at(0, 14) += 0.001F;
    EXPECT_FALSE(judged(changed).holds()) << "a known sample";
}

TEST(Fill, JudgesItsResultByTheResidualAndTheKnownSamples) {
    Image image = makeImage({20, 15, 1, 1}, sampleAt);
    for (std::int64_t y = 4; y < 9; ++y) image.view().at(y, y) = image.view().at(y + 1, y) = kNan;
    const Step step = parseStep(processCatalog(), "fill");
    const Problem problem = makeProblem(image, step.parameters);
    const auto* judges = capability<JudgesResult>(*step.operation);
    ASSERT_NE(judges, nullptr);
    const auto judged = [&](const Image& output) { return judges->verify(problem, image.view(), output.view()).at(0); };
    const RunResult result = runReference("fill", image.clone());
    EXPECT_TRUE(judged(result.image).holds()) << judged(result.image).value << " of " << judged(result.image).bound;
    Image changed = result.image.clone();
    changed.view().at(5, 5) += 0.001F;
    EXPECT_FALSE(judged(changed).holds());
    changed = result.image.clone();
    changed.view().at(0, 14) += 0.001F;
    EXPECT_FALSE(judged(changed).holds()) << "a known sample";
}

TEST(Fill, BoundOfTheErrorHolds) {
    using namespace solvers;
    for (const Shape& shape : {Shape{40, 1}, Shape{19, 23}, Shape{8, 7, 9}})
        for (const std::int64_t period : {2, 5, 1000}) {
            Stencil s{.shape = shape, .axisWeights = {1, 0.5, 2}};
            const auto n = static_cast<std::size_t>(shape.pixels());
            std::vector<std::uint8_t> fixed(n);
            std::int64_t unknowns = 0;
            for (std::size_t i = 0; i < n; ++i) {
                fixed[i] = static_cast<std::int64_t>(i * i) % period == 0 ? 1 : 0;
                unknowns += 1 - fixed[i];
            }
            s.fixed = fixed.data();
            const std::vector<double> f(n, 0);
            std::vector<double> start(n, 0);
            for (std::size_t i = 0; i < n; ++i) start[i] = fixed[i] ? static_cast<double>(sampleAt(static_cast<std::int64_t>(i))) : 0;
            SolveProgress progress(RunContext{}, 0);
            std::vector<double> exact = start;
            conjugateGradients(s, 1, f.data(), exact.data(), kReferenceOptions, RunContext{}, progress);
            for (const std::int64_t iterations : {1, 3, 10}) {
                std::vector<double> u = start;
                const SolveHistory history =
                    conjugateGradients(s, 1, f.data(), u.data(), {.tolerance = 1e-14, .iterations = iterations}, RunContext{}, progress);
                double error = 0;
                for (std::size_t i = 0; i < n; ++i) error = std::max(error, std::fabs(u[i] - exact[i]));
                EXPECT_LE(error, maskedErrorBound(s, unknowns, history.trueResidual) * 4 + 1e-10) << shape.width << ' ' << period;
            }
        }
}

solvers::CompactSystem unknownsOf(const solvers::Stencil& s) {
    solvers::CompactSystem system;
    system.shape = s.shape;
    system.setRows(solvers::GridPart(s.shape));
    system.rowBegin.push_back(0);
    for (std::int64_t i = 0; i < s.shape.pixels(); ++i) {
        if (!s.fixed[i]) system.columns.push_back(static_cast<std::int32_t>(i % s.shape.width));
        if ((i + 1) % s.shape.width == 0) system.rowBegin.push_back(system.count());
    }
    system.resizeLinks();
    for (std::int64_t row = 0; row < system.own.count(); ++row) system.linkRow(row);
    return system;
}

TEST(Fill, BoundsOfTheInverseFollowFromTheRunsOfUnknowns) {
    using namespace solvers;
    const auto bounds = [](const Shape& shape, std::vector<std::uint8_t> fixed) {
        Stencil s{.shape = shape};
        s.fixed = fixed.data();
        return inverseBounds(s, unknownsOf(s), RunContext{});
    };
    // One unknown between four known samples: 1 / 4; the resistance of its row is a half.
    EXPECT_NEAR(bounds({3, 3}, {1, 1, 1, 1, 0, 1, 1, 1, 1}).norm, 1.0 / 4, 1e-12);
    EXPECT_NEAR(bounds({3, 3}, {1, 1, 1, 1, 0, 1, 1, 1, 1}).diagonal, 1.0 / 2, 1e-12);
    // Two at the border of a row: the larger eigenvalue of (1 -1; -1 2) inverted, and both edges one after another.
    EXPECT_NEAR(bounds({3, 1}, {0, 0, 1}).norm, 2 / (3 - std::sqrt(5.0)), 1e-12);
    EXPECT_NEAR(bounds({3, 1}, {0, 0, 1}).diagonal, 2, 1e-12);
    // A row without a known sample has its column only.
    EXPECT_NEAR(bounds({3, 3}, {1, 1, 1, 0, 0, 0, 1, 1, 1}).norm, 1.0 / 2, 1e-12);
    EXPECT_NEAR(bounds({3, 3}, {1, 1, 1, 0, 0, 0, 1, 1, 1}).diagonal, 1.0 / 2, 1e-12);
}

TEST(Fill, BoundsOfTheBiharmonicInterpolationHold) {
    using namespace solvers;
    double largestShare = 0;
    for (const Shape& shape : {Shape{40, 1}, Shape{19, 23}, Shape{8, 7, 9}})
        for (const std::int64_t period : {2, 5, 1000}) {
            Stencil s{.shape = shape, .axisWeights = {1, 0.5, 2}};
            const auto n = static_cast<std::size_t>(shape.pixels());
            std::vector<std::uint8_t> fixed(n);
            std::vector<double> start(n, 0);
            std::int64_t unknowns = 0;
            double largest = 0;
            for (std::size_t i = 0; i < n; ++i) {
                fixed[i] = static_cast<std::int64_t>(i * i) % period == 0 ? 1 : 0;
                unknowns += 1 - fixed[i];
                if (fixed[i]) start[i] = static_cast<double>(sampleAt(static_cast<std::int64_t>(i)));
                largest = std::max(largest, std::fabs(start[i]));
            }
            s.fixed = fixed.data();
            const InverseBounds ofCount = inverseBounds(s, unknowns), bounds = inverseBounds(s, unknownsOf(s), RunContext{});
            EXPECT_LE(bounds.norm, ofCount.norm);
            EXPECT_LE(bounds.diagonal, ofCount.diagonal);
            SolveProgress progress(RunContext{}, 0);
            std::vector<double> exact = start;
            solveBiharmonic(s, exact.data(), kReferenceOptions, RunContext{}, progress);
            for (const double v : exact) {
                EXPECT_LE(std::fabs(v), biharmonicGain(s, unknowns, bounds) * largest);
                largestShare = std::max(largestShare, std::fabs(v) / largest);
            }
            for (const std::int64_t iterations : {1, 3, 10}) {
                std::vector<double> u = start;
                const SolveHistory history =
                    solveBiharmonic(s, u.data(), {.tolerance = 1e-14, .iterations = iterations}, RunContext{}, progress);
                double error = 0;
                for (std::size_t i = 0; i < n; ++i) error = std::max(error, std::fabs(u[i] - exact[i]));
                EXPECT_LE(error, biharmonicErrorBound(s, unknowns, bounds, history.trueResidual) * largest + 1e-9)
                    << shape.width << ' ' << period;
            }
        }
    EXPECT_GT(largestShare, 1) << "some result exceeds the known samples";
}

}  // namespace
}  // namespace parallax
