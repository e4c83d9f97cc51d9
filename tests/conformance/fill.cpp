// SPDX-License-Identifier: GPL-3.0-or-later
// Masks of missing samples that a picture does not have by chance, for every implementation of `fill`.
#include <cmath>
#include <limits>
#include <set>

#include "tests/conformance/case.hpp"

namespace parallax::conformance {
namespace {

/// Samples that are missing, by their coordinates.
struct Mask {
    const char* name;
    bool (*isMissing)(Random& random, const Shape& shape, std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t c);
};
const Mask kMasks[] = {
    {"none", [](Random&, const Shape&, std::int64_t, std::int64_t, std::int64_t, std::int64_t) { return false; }},
    {"all", [](Random&, const Shape&, std::int64_t, std::int64_t, std::int64_t, std::int64_t) { return true; }},
    {"one channel", [](Random&, const Shape& s, std::int64_t, std::int64_t, std::int64_t, std::int64_t c) { return c + 1 == s.channels; }},
    {"one sample", [](Random&, const Shape& s, std::int64_t x, std::int64_t y, std::int64_t,
                      std::int64_t) { return x == s.width / 2 && y == s.height / 3; }},
    {"corner", [](Random&, const Shape&, std::int64_t x, std::int64_t y, std::int64_t, std::int64_t) { return x + y == 0; }},
    {"all but one", [](Random&, const Shape&, std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t) { return x + y + z > 0; }},
    {"row", [](Random&, const Shape& s, std::int64_t, std::int64_t y, std::int64_t, std::int64_t) { return y == s.height / 2; }},
    {"column", [](Random&, const Shape& s, std::int64_t x, std::int64_t, std::int64_t, std::int64_t) { return x == s.width / 2; }},
    {"block", [](Random&, const Shape& s, std::int64_t x, std::int64_t y, std::int64_t,
                 std::int64_t) { return x > s.width / 5 && x < s.width * 4 / 5 && y > s.height / 5; }},
    {"checker", [](Random&, const Shape&, std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t) { return (x + y + z) % 2 == 0; }},
    {"a tenth", [](Random& r, const Shape&, std::int64_t, std::int64_t, std::int64_t, std::int64_t) { return r.between(0, 9) == 0; }},
    {"half", [](Random& r, const Shape&, std::int64_t, std::int64_t, std::int64_t, std::int64_t) { return r.between(0, 1) == 0; }},
    {"most", [](Random& r, const Shape&, std::int64_t, std::int64_t, std::int64_t, std::int64_t) { return r.between(0, 19) > 0; }},
};

ImagePtr pictureWith(const Mask& mask, const Shape& shape, const std::array<double, 3>& spacing) {
    Image image = Picture{.shape = shape, .seed = 71}.make()->clone();
    Random random(72);
    const View<float> v = image.view();
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                for (std::int64_t x = 0; x < shape.width; ++x)
                    if (mask.isMissing(random, shape, x, y, z, c)) v.at(x, y, z, c) = std::numeric_limits<float>::quiet_NaN();
    if (shape.depth > 1) {
        image.geometry = Geometry{};
        image.geometry->spacing = spacing;
    }
    return std::make_shared<const Image>(std::move(image));
}

double valueOf(const RunResult& result, const std::string& key) {
    for (const StatisticRecord& s : result.statistics)
        if (s.key == key) return s.value;
    return std::nan("");
}

struct Interpolation {
    const char *name, *tolerance;
    double difference;  ///< from the reference, of samples in [-1, 1), as a share of the largest result
};
/// The inverse of the biharmonic system is larger by its square root: the same residual leaves a larger error.
constexpr Interpolation kHarmonic{"harmonic", "1e-11", 2e-7}, kBiharmonic{"biharmonic", "1e-12", 1e-6};

/// Compares masks with the reference, all or those of these names, and returns their number.
std::int64_t compareMasks(const Subject& subject, const std::vector<Shape>& shapes, const Interpolation& interpolation = kHarmonic,
                          const std::set<std::string>& names = {}) {
    const Engine engine(processCatalog());
    std::int64_t compared = 0;
    for (const Shape& shape : shapes)
        for (const Mask& mask : kMasks) {
            if (!names.empty() && !names.contains(mask.name)) continue;
            const ImagePtr image = pictureWith(mask, shape, {0.5, 0.75, 2});
            SCOPED_TRACE(std::string(mask.name) + " of " + std::to_string(shape.width) + "x" + std::to_string(shape.height) + "x" +
                         std::to_string(shape.depth));
            Pipeline pipeline;
            pipeline.steps.push_back(makeStep(
                "fill", {{"interpolation", interpolation.name}, {"tolerance", interpolation.tolerance}, {"iterations", "100000"}}));
            const Problem problem = makeProblem(*image, pipeline.steps[0].parameters);
            if (!subject.implementation().supports(problem)) continue;
            if (subject.parts > 1 && !subject.implementation().distribution(problem)) continue;
            RunContext context;
            const RunResult expected = engine.run(pipeline, image, parseTarget("reference"), context);
            const RunResult found = engine.run(pipeline, image, subject.target(), context);
            const DifferenceMetrics d = compareViews(expected.image.view(), found.image.view());
            double largest = 1;
            for (std::int64_t i = 0; i < shape.samples(); ++i) {
                const double v = expected.image.view().data[i];
                if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
            }
            EXPECT_LE(d.maxAbs, interpolation.difference * largest);
            EXPECT_EQ(d.mismatches(), 0U);
            for (const char* key : {"filled", "unfilled"}) EXPECT_EQ(valueOf(found, key), valueOf(expected, key)) << key;
            EXPECT_EQ(found.warnings, expected.warnings);
            EXPECT_EQ(found.series.size(), expected.series.size());
            for (std::size_t i = 0; i < found.series.size() && i < expected.series.size(); ++i) {
                EXPECT_EQ(found.series[i].label, expected.series[i].label);
                EXPECT_EQ(found.series[i].end, "converged");
            }
            ++compared;
        }
    return compared;
}

class FillMasks : public testing::TestWithParam<Subject> {};

TEST_P(FillMasks, AgreeWithTheReference) {
    const std::vector<Shape> shapes{{1, 1, 1, 1},   {64, 1, 1, 1},  {1, 37, 1, 1}, {2, 2, 1, 3},
                                    {33, 20, 1, 3}, {67, 17, 1, 1}, {9, 8, 7, 1},  {7, 1, 12, 1}};
    if (compareMasks(GetParam(), shapes) == 0) GTEST_SKIP() << "none of the masks is supported";
}

TEST_P(FillMasks, AgreeWithTheReferenceBiharmonically) {
    const std::vector<Shape> shapes{{1, 1, 1, 1},   {64, 1, 1, 1},  {1, 37, 1, 1}, {2, 2, 1, 3},
                                    {33, 20, 1, 3}, {67, 17, 1, 1}, {9, 8, 7, 1},  {7, 1, 12, 1}};
    if (compareMasks(GetParam(), shapes, kBiharmonic) == 0) GTEST_SKIP() << "it has no biharmonic interpolation";
}

class FillMasksOnParts : public testing::TestWithParam<Subject> {};

TEST_P(FillMasksOnParts, AgreeWithTheReference) {
    Subject subject = GetParam();
    std::int64_t compared = 0;
    for (const int parts : {2, 3, 4, 7, 13}) {
        if (parts > mostParts(subject)) continue;
        SCOPED_TRACE(std::to_string(parts) + " parts");
        subject.parts = parts;
        compared +=
            compareMasks(subject, {{1, 1, 1, 1}, {64, 1, 1, 1}, {1, 7, 1, 1}, {2, 2, 1, 3}, {33, 20, 1, 2}, {9, 8, 7, 1}, {7, 1, 12, 1}});
    }
    if (compared == 0) GTEST_SKIP() << "it does not work on parts here";
}

/// More unknowns than every part solves itself.
TEST_P(FillMasksOnParts, DivideLargeSystems) {
    Subject subject = GetParam();
    if (mostParts(subject) < kMaxParts) GTEST_SKIP() << "devices divide all grids";
    std::int64_t compared = 0;
    for (const int parts : {2, 9}) {
        if (parts > mostParts(subject)) continue;
        SCOPED_TRACE(std::to_string(parts) + " parts");
        subject.parts = parts;
        compared += compareMasks(subject, {{130, 90, 1, 1}, {1400, 7, 1, 1}, {50, 40, 6, 1}}, kHarmonic, {"most"});
    }
    if (compared == 0) GTEST_SKIP() << "it does not work on parts here";
}

INSTANTIATE_TEST_SUITE_P(Fill, FillMasks, testing::ValuesIn(subjectsOf("fill")), subjectName);
INSTANTIATE_TEST_SUITE_P(Fill, FillMasksOnParts, testing::ValuesIn(subjectsOf("fill")), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FillMasks);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FillMasksOnParts);

}  // namespace
}  // namespace parallax::conformance
