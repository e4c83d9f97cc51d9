// SPDX-License-Identifier: GPL-3.0-or-later
// Wavelets: all families, modes, axes and levels, systematically and at random; round trips; decisions of thresholds.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "core/operations/wavelet/error_model.hpp"
#include "tests/conformance/case.hpp"

namespace parallax::conformance {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> choicesOf(const std::string& operation, const std::string& key) {
    const ParameterTableBase& table = processCatalog().operation(operation).parameters();
    std::vector<std::string> keys;
    for (const ParameterChoice& c : table.infos()[static_cast<std::size_t>(table.find(key))].choices) keys.push_back(c.key);
    return keys;
}
const std::vector<std::string>& wavelets() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> keys = choicesOf("dwt", "wavelet");
        std::erase(keys, "custom");
        return keys;
    }();
    return all;
}
const std::vector<std::string>& modes() {
    static const std::vector<std::string> all = choicesOf("dwt", "mode");
    return all;
}
const std::vector<std::string>& axes() {
    static const std::vector<std::string> all = choicesOf("dwt", "axes");
    return all;
}

/// Both directions: what a backend implements of one it should of the other.
class WaveletConformance : public testing::TestWithParam<Subject> {
protected:
    Tally tally_{GetParam()};
    void compare(const Values& values, const Picture& picture, int threads = 0) {
        tally_.compare(makeStep(GetParam().operation, values), picture, threads);
    }
};

std::vector<Subject> transforms() {
    std::vector<Subject> all = subjectsOf("dwt");
    for (const Subject& s : subjectsOf("idwt")) all.push_back(s);
    return all;
}

TEST_P(WaveletConformance, EveryWavelet) {
    std::uint64_t seed = 1;
    for (const std::string& wavelet : wavelets())
        for (const char* mode : {"symmetric", "periodization"}) {
            compare({{"wavelet", wavelet}, {"mode", mode}, {"levels", "2"}}, {.shape = {67, 41, 1, 1}, .seed = ++seed});
            compare({{"wavelet", wavelet}, {"mode", mode}, {"levels", "1"}}, {.shape = {19, 22, 13, 1}, .seed = ++seed});
        }
    tally_.finish();
}

TEST_P(WaveletConformance, EveryModeOnEveryLength) {
    std::uint64_t seed = 1;
    for (const std::string& mode : modes())
        for (const char* wavelet : {"haar", "db3", "db8", "bior4.4", "rbio3.1", "db20"})
            for (const int n : {1, 2, 3, 4, 7, 8, 15, 33, 64})
                for (const char* levels : {"1", "3"}) {
                    compare({{"wavelet", wavelet}, {"mode", mode}, {"levels", levels}, {"axes", "x"}},
                            {.shape = {n, 5, 2, 1}, .seed = ++seed});
                    compare({{"wavelet", wavelet}, {"mode", mode}, {"levels", levels}, {"axes", "y"}},
                            {.shape = {5, n, 2, 1}, .seed = ++seed});
                    compare({{"wavelet", wavelet}, {"mode", mode}, {"levels", levels}, {"axes", "z"}},
                            {.shape = {5, 2, n, 1}, .seed = ++seed});
                }
    tally_.finish();
}

TEST_P(WaveletConformance, AxesAndLevels) {
    std::uint64_t seed = 1;
    for (const std::string& a : axes())
        for (const int levels : {0, 1, 2, 5})
            for (const char* mode : {"symmetric", "smooth", "periodization", "antireflect"})
                for (const Shape& shape :
                     {Shape{21, 34, 1, 1}, Shape{33, 16, 9, 1}, Shape{18, 1, 7, 1}, Shape{12, 9, 1, 3}, Shape{6, 5, 4, 2}})
                    compare({{"wavelet", "db3"}, {"mode", mode}, {"levels", std::to_string(levels)}, {"axes", a}},
                            {.shape = shape, .seed = ++seed});
    for (const int levels : {8, 16})
        compare({{"wavelet", "db2"}, {"levels", std::to_string(levels)}}, {.shape = {70, 3, 1, 1}, .seed = ++seed});
    tally_.finish();
}

TEST_P(WaveletConformance, SeveralStripsAndTiles) {
    // Wider and higher than a tile of any backend, with all that lies between them.
    compare({{"levels", "2"}}, {.shape = {2500, 40, 3, 1}, .seed = 1}, 2);
    compare({{"levels", "1"}, {"mode", "periodization"}}, {.shape = {2333, 31, 1, 1}, .seed = 2}, 3);
    compare({{"levels", "1"}, {"wavelet", "db20"}}, {.shape = {1400, 150, 5, 1}, .seed = 3}, 4);
    compare({{"levels", "1"}, {"wavelet", "db2"}}, {.shape = {40, 700, 61, 1}, .seed = 4}, 2);
    compare({{"levels", "2"}, {"wavelet", "bior2.2"}, {"mode", "reflect"}}, {.shape = {33, 41, 300, 1}, .seed = 5}, 8);
    compare({{"levels", "1"}, {"axes", "z"}}, {.shape = {1300, 20, 90, 1}, .seed = 6}, 5);
    compare({{"levels", "1"}, {"axes", "xz"}, {"mode", "antisymmetric"}}, {.shape = {1300, 20, 33, 1}, .seed = 7}, 5);
    compare({{"levels", "1"}, {"axes", "yz"}, {"mode", "periodization"}}, {.shape = {1301, 40, 33, 1}, .seed = 8}, 5);
    tally_.finish();
}

TEST_P(WaveletConformance, FiltersOfYourOwn) {
    const Values orthogonal{{"wavelet", "custom"}, {"filters", "0.683 1.183 0.317 -0.183"}};
    const Values pair{{"wavelet", "custom"}, {"filters", "-1 2 6 2 -1; 1 2 1"}};
    std::string four, longest;
    Random random(11);
    for (int f = 0; f < 4; ++f) {
        for (int k = 0; k < 7; ++k) four += std::to_string(random.between(-9, 9)) + " ";
        four += ";";
        for (int k = 0; k < 128; ++k) longest += std::to_string(random.between(-9, 9)) + " ";
        longest += ";";
    }
    for (const Values& filters :
         {orthogonal, pair, Values{{"wavelet", "custom"}, {"filters", four}}, Values{{"wavelet", "custom"}, {"filters", longest}}})
        for (const std::string& mode : modes()) {
            Values values = filters;
            values.insert(values.end(), {{"mode", mode}, {"levels", "1"}});
            compare(values, {.shape = {37, 20, 1, 1}, .seed = 4});
            compare(values, {.shape = {9, 8, 11, 1}, .seed = 5});
        }
    tally_.finish();
}

TEST_P(WaveletConformance, NanAndInfinityReachAsFarAsTheFilters) {
    // One of each: everything that no filter carries there must stay finite. Zero taps carry them, too.
    std::uint64_t seed = 1;
    for (const std::string& mode : modes())
        for (const char* wavelet : {"haar", "db2", "bior1.3", "bior4.4", "db9"})
            for (const Shape& shape : {Shape{61, 50, 1, 1}, Shape{30, 28, 26, 1}}) {
                compare({{"wavelet", wavelet}, {"mode", mode}, {"levels", "1"}}, {.shape = shape, .content = Content::nan, .seed = ++seed});
                compare({{"wavelet", wavelet}, {"mode", mode}, {"levels", "2"}},
                        {.shape = shape, .content = Content::infinities, .seed = ++seed});
            }
    tally_.finish();
}

TEST_P(WaveletConformance, RandomCombinations) {
    constexpr std::uint64_t kSeed = 20240623;
    std::cout << "  seed " << kSeed << "\n";
    Random random(kSeed);
    for (int i = 0; i < 300; ++i) {
        const Values values{{"wavelet", random.of(wavelets())},
                            {"mode", random.of(modes())},
                            {"levels", std::to_string(random.between(GetParam().operation == "dwt" ? 0 : 1, 4))},
                            {"axes", random.of(axes())}};
        Picture picture;
        picture.seed = random.bits() % 1000;
        picture.content =
            random.of(std::vector<Content>{Content::signedNoise, Content::signedNoise, Content::hdr, Content::flat, Content::nan});
        picture.shape = {random.between(1, i % 7 == 0 ? 1200 : 90), random.between(1, 70), random.between(0, 1) ? 1 : random.between(1, 40),
                         1};
        if (random.between(0, 4) == 0) picture.shape.channels = random.between(2, 4);
        while (picture.shape.samples() > 200'000) {
            if (picture.shape.depth > 4) picture.shape.depth /= 2;
            else picture.shape.height = (picture.shape.height + 1) / 2;
        }
        compare(values, picture, static_cast<int>(random.between(0, 4)));
    }
    tally_.finish();
}

/// The tolerance of the operations allows passes in float. This backend computes in double, so each result is the reference's float or its
/// neighbour, and a result that is 0 but for rounding has only roundings in double.
TEST(WaveletInDouble, OpenmpRoundsOnlyWhatItStores) {
    if (subjectsOf("dwt").empty() || !processCatalog().backend("openmp").availability().yes) GTEST_SKIP() << "there is no openmp";
    const Engine engine(processCatalog());
    std::int64_t all = 0, different = 0;
    double largestPart = 0;
    const auto compare = [&](const Image& reference, const Image& here, const StoredError& allowed, const std::string& what) {
        ASSERT_EQ(reference.shape(), here.shape());
        for (std::int64_t z = 0; z < here.shape().depth; ++z)
            for (std::int64_t y = 0; y < here.shape().height; ++y)
                for (std::int64_t x = 0; x < here.shape().width; ++x) {
                    const auto a = static_cast<double>(reference.view().at(x, y, z)), b = static_cast<double>(here.view().at(x, y, z));
                    ++all;
                    if (a == b) continue;
                    ++different;
                    const double limit = allowed.relative * std::max(std::fabs(a), std::fabs(b)) + allowed.absolute;
                    largestPart = std::max(largestPart, std::fabs(a - b) / limit);
                    ASSERT_LE(std::fabs(a - b), limit) << what << " at " << x << ", " << y << ", " << z << ": " << a << " and " << b;
                }
    };
    std::uint64_t seed = 0;
    for (const std::string& wavelet : wavelets())
        for (const std::string& mode : modes()) {
            const std::string what = wavelet + ", " + mode;
            // Every mode has volumes among its pictures.
            const bool volume = ++seed % 5 == 0;
            const Picture picture{.shape = volume ? Shape{11, 9, 7, 1} : Shape{43, 30, 1, 1}, .seed = seed};
            const ImagePtr image = picture.make();
            const Step step = makeStep("dwt", {{"wavelet", wavelet}, {"mode", mode}, {"levels", "2"}});
            const WaveletPlan plan = planWavelet(step.parameters.as<WaveletParameters>(), picture.shape);
            const WaveletGains gains = waveletGains(plan);
            Pipeline forward, inverse;
            forward.steps.push_back(step);
            inverse.steps.push_back(makeStep("idwt", Values{}));
            RunContext context;
            const auto run = [&](const Pipeline& pipeline, const ImagePtr& input, const char* backend) {
                return std::make_shared<const Image>(
                    std::move(engine.run(pipeline, input, Target{.backend = backend, .variant = {}}, context).image));
            };
            const ImagePtr there = run(forward, image, "reference");
            compare(*there, *run(forward, image, "openmp"), coefficientError(plan, gains, computeStatistics(*image).maxAbs()), what);
            compare(*run(inverse, there, "reference"), *run(inverse, there, "openmp"),
                    sampleError(plan, gains, computeStatistics(*there).maxAbs()), what + ", inverse");
            if (HasFatalFailure()) return;
        }
    std::cout << "  " << different << " of " << all << " values differ, at most " << largestPart << " of what is allowed\n";
}

INSTANTIATE_TEST_SUITE_P(All, WaveletConformance, testing::ValuesIn(transforms()), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WaveletConformance);

/// Round trip on one backend.
class WaveletRoundTrip : public testing::TestWithParam<Subject> {};

TEST_P(WaveletRoundTrip, GivesEveryShapeBack) {
    Random random(5);
    double largest = 0;
    int done = 0;
    for (int i = 0; i < 200; ++i) {
        std::vector<std::string> names = wavelets();
        std::erase(names, "dmey");  // no perfect pair
        const std::string wavelet = random.of(names), mode = random.of(modes()), levels = std::to_string(random.between(1, 4));
        Picture picture{
            .shape = {random.between(1, i % 3 == 0 ? 4 : 130), random.between(1, 60), i % 2 == 0 ? 1 : random.between(1, 20), 1},
            .seed = static_cast<std::uint64_t>(i)};
        Pipeline pipeline;
        pipeline.steps.push_back(makeStep("dwt", {{"wavelet", wavelet}, {"mode", mode}, {"levels", levels}}));
        pipeline.steps.push_back(makeStep("idwt", {{"wavelet", wavelet}, {"mode", mode}, {"levels", levels}}));
        const ImagePtr image = picture.make();
        RunContext context;
        const Engine engine(processCatalog());
        try {
            const RunResult result = engine.run(pipeline, image, GetParam().target(static_cast<int>(random.between(0, 3))), context);
            ASSERT_EQ(result.image.shape(), image->shape());
            const DifferenceMetrics d = compareViews(image->view(), result.image.view());
            EXPECT_EQ(d.mismatches(), 0U);
            // Splines of order 3 have a bad condition; everything else is good to some 1e-6 of the largest coefficient, which a
            // straight line through the border makes large where the filter is longer than the image.
            const bool spline = wavelet.find("3.1") != std::string::npos || wavelet.find("3.3") != std::string::npos;
            pipeline.steps.pop_back();
            const RunResult there = engine.run(pipeline, image, GetParam().target(), context);
            const double coefficient = std::max(1.0, computeStatistics(there.image).maxAbs());
            EXPECT_LT(d.maxAbs, (spline ? 1e-3 : 2e-5) * coefficient) << wavelet << " " << mode << " " << levels << " " << picture.text();
            largest = std::max(largest, d.maxAbs);
            ++done;
        } catch (const Error& e) {
            ADD_FAILURE() << wavelet << " " << mode << " on " << picture.text() << ": " << e.what();
        }
    }
    std::cout << "  " << GetParam().name() << ": " << done << " round trips, largest error " << largest << " of samples up to 1\n";
}

/// Largest error of a round trip of db4 over three levels with passes in float, relative to the largest sample: six standard deviations.
/// Each of the 18 passes has a deviation of some 5e-8, so all of them 2e-7.
constexpr double kFloatPasses = 6 * 2e-7;
bool computesInFloat(const Subject& subject) { return subject.backend == "cuda"; }

TEST_P(WaveletRoundTrip, KeepsHounsfieldUnits) {
    // A head of bone, tissue and air in whole numbers, as a scanner writes them: the promise is 1e-3 for it, of backends that compute in
    // double; others keep theirs for the range of a scanner.
    const double allowed = computesInFloat(GetParam()) ? kFloatPasses * 4096 : 1e-3;
    for (const Shape& shape : {Shape{128, 128, 40, 1}, Shape{127, 131, 37, 1}}) {
        Image volume{Buffer(shape)};
        Random random(3);
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                for (std::int64_t x = 0; x < shape.width; ++x) {
                    const double r =
                        std::hypot(static_cast<double>(x - 64) / 50, static_cast<double>(y - 64) / 60, static_cast<double>(z - 20) / 30);
                    const double value = r > 1 ? -1024 : r > 0.9 ? 1400 : 40;
                    volume.view().at(x, y, z) = static_cast<float>(std::floor(value + 20 * random.uniform()));
                }
        const auto image = std::make_shared<const Image>(std::move(volume));
        for (const char* mode : {"symmetric", "periodization"}) {
            Pipeline pipeline;
            pipeline.steps.push_back(makeStep("dwt", Values{{"wavelet", "db4"}, {"levels", "3"}, {"mode", mode}}));
            pipeline.steps.push_back(makeStep("idwt", Values{{"wavelet", "db4"}, {"levels", "3"}}));
            RunContext context;
            const RunResult result = Engine(processCatalog()).run(pipeline, image, GetParam().target(), context);
            const DifferenceMetrics d = compareViews(image->view(), result.image.view());
            EXPECT_LT(d.maxAbs, allowed) << mode;
            std::cout << "  " << GetParam().name() << ", " << shape.width << " x " << shape.height << " x " << shape.depth << ", " << mode
                      << ": largest error " << d.maxAbs << " HU, RMSE " << d.rmse << "\n";
        }
    }
}

TEST_P(WaveletRoundTrip, KeepsTheWholeRangeOfAScanner) {
    // 12 bits less 1024, as noise and as metal beside air: coefficients get as large as they can, and nothing averages out. What remains is
    // the rounding of each coefficient to float, at most 2^-24 of it and evenly spread: by Parseval's equation the samples then have a mean
    // square error of 2^-48 / 3 of their own mean square. Six deviations of that, and the rounding of the result.
    constexpr double kLargest = 4096;
    const double stored = (6 / std::sqrt(3.0) * 0x1p-24 + 0x1p-25) * kLargest;
    ASSERT_LT(stored, 1e-3);
    const double allowed = computesInFloat(GetParam()) ? kFloatPasses * kLargest : stored;
    for (const Shape& shape : {Shape{96, 80, 24, 1}, Shape{97, 67, 13, 1}, Shape{130, 61, 4, 1}})
        for (const bool noise : {true, false}) {
            Image volume{Buffer(shape)};
            Random random(11);
            for (std::int64_t z = 0; z < shape.depth; ++z)
                for (std::int64_t y = 0; y < shape.height; ++y)
                    for (std::int64_t x = 0; x < shape.width; ++x)
                        volume.view().at(x, y, z) = static_cast<float>(noise                   ? std::floor(4096 * random.uniform()) - 1024
                                                                       : (x + y) / 40 % 2 == 0 ? 3071
                                                                                               : -1024);
            const auto image = std::make_shared<const Image>(std::move(volume));
            Pipeline pipeline;
            pipeline.steps.push_back(makeStep("dwt", Values{{"wavelet", "db4"}, {"levels", "3"}}));
            pipeline.steps.push_back(makeStep("idwt", Values{{"wavelet", "db4"}, {"levels", "3"}}));
            RunContext context;
            const RunResult result = Engine(processCatalog()).run(pipeline, image, GetParam().target(), context);
            const DifferenceMetrics d = compareViews(image->view(), result.image.view());
            EXPECT_EQ(d.mismatches(), 0U);
            EXPECT_LT(d.maxAbs, allowed) << (noise ? "noise" : "metal");
            std::cout << "  " << GetParam().name() << ", " << (noise ? "noise" : "metal") << ", " << shape.width << " x " << shape.height
                      << " x " << shape.depth << ": largest error " << d.maxAbs << " HU, RMSE " << d.rmse << "\n";
        }
}

TEST_P(WaveletRoundTrip, CancelsALongRunSoon) {
    const Picture picture{.shape = {400, 400, 100, 1}, .seed = 41};
    const ImagePtr image = picture.make();
    Pipeline pipeline;
    pipeline.steps.push_back(makeStep("dwt", Values{{"wavelet", "db20"}, {"levels", "3"}}));
    pipeline.steps.push_back(makeStep("idwt", Values{}));
    expectToStopSoon(GetParam(), pipeline, image);
}

INSTANTIATE_TEST_SUITE_P(All, WaveletRoundTrip, testing::ValuesIn(subjectsOf("dwt")), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WaveletRoundTrip);

class ShrinkageConformance : public testing::TestWithParam<Subject> {
protected:
    Tally tally_{GetParam()};
};

std::vector<Subject> shrinkages() {
    std::vector<Subject> all = subjectsOf("wavelet-denoise");
    for (const Subject& s : subjectsOf("wavelet-compress")) all.push_back(s);
    return all;
}

TEST_P(ShrinkageConformance, RandomCombinations) {
    Random random(77);
    const bool denoise = GetParam().operation == "wavelet-denoise";
    for (int i = 0; i < 200; ++i) {
        Values values{{"wavelet", random.of(wavelets())},
                      {"mode", random.of(modes())},
                      {"levels", std::to_string(random.between(0, 3))},
                      {"axes", random.of(axes())}};
        if (denoise) {
            values.emplace_back("method", random.of(choicesOf("wavelet-denoise", "method")));
            values.emplace_back("rule", random.of(choicesOf("wavelet-denoise", "rule")));
            values.emplace_back("noise-from", random.of(choicesOf("wavelet-denoise", "noise-from")));
            values.emplace_back("threshold", toText(ParameterValue(random.uniform())));
            values.emplace_back("strength", toText(ParameterValue(2 * random.uniform())));
            values.emplace_back("noise", toText(ParameterValue(random.between(0, 1) ? 0.0 : random.uniform())));
            values.emplace_back("level-factors", random.between(0, 1) ? "" : "1 0.5 0");
        } else {
            values.emplace_back("keep", toText(ParameterValue(random.of(std::vector<double>{0, 0.01, 1, 5, 50, 99.9, 100}))));
        }
        Picture picture;
        picture.seed = random.bits() % 1000;
        picture.content =
            random.of(std::vector<Content>{Content::signedNoise, Content::signedNoise, Content::hdr, Content::flat, Content::nan});
        picture.shape = {random.between(1, 150), random.between(1, 60), random.between(0, 2) ? 1 : random.between(1, 20), 1};
        if (random.between(0, 4) == 0) picture.shape.channels = random.between(2, 5);
        tally_.compare(makeStep(GetParam().operation, values), picture, static_cast<int>(random.between(0, 4)));
    }
    tally_.finish();
}

TEST_P(ShrinkageConformance, FindsWhatTheReferenceFinds) {
    std::vector<Values> problems;
    if (GetParam().operation == "wavelet-denoise")
        problems = {
            {}, {{"rule", "universal"}, {"noise-from", "each-level"}}, {{"rule", "manual"}, {"threshold", "0.3"}, {"method", "hard"}}};
    else problems = {{}, {{"keep", "40"}, {"wavelet", "haar"}}, {{"keep", "100"}}};
    for (const Values& values : problems)
        for (const Shape& shape : {Shape{211, 97, 1, 1}, Shape{60, 41, 33, 1}, Shape{80, 70, 1, 4}}) {
            Pipeline pipeline;
            pipeline.steps.push_back(makeStep(GetParam().operation, values));
            const ImagePtr image = Picture{.shape = shape, .content = Content::nan, .seed = 9}.make();
            const ImagePtr clean = Picture{.shape = shape, .seed = 9}.make();
            for (const ImagePtr& input : {clean, image}) {
                RunContext context;
                const RunResult here = Engine(processCatalog()).run(pipeline, input, GetParam().target(), context);
                const RunResult there = Engine(processCatalog()).run(pipeline, input, parseTarget("reference"), context);
                ASSERT_EQ(here.statistics.size(), there.statistics.size());
                EXPECT_FALSE(here.statistics.empty());
                double noise = 0;
                for (const StatisticRecord& f : there.statistics)
                    if (f.key == "noise" && f.value > 0) noise = noise > 0 ? std::min(noise, f.value) : f.value;
                for (std::size_t i = 0; i < here.statistics.size(); ++i) {
                    EXPECT_EQ(here.statistics[i].title, there.statistics[i].title);
                    const double value = std::fabs(there.statistics[i].value);
                    double allowed = 2e-4 * (1e-3 + value);
                    // BayesShrink's noise^2 / sqrt(mean square - noise^2) is sensitive where a band is little else than noise: an error of
                    // either square by a share e of it changes t by e / 2 (t / noise)^2 t. Statistics may come from passes in float.
                    if (here.statistics[i].key == "threshold" && noise > 0 && std::isfinite(value))
                        allowed += 0x1p-22 * value * (value / noise) * (value / noise);
                    EXPECT_NEAR(here.statistics[i].value, there.statistics[i].value, allowed) << here.statistics[i].title;
                }
            }
        }
}

TEST_P(ShrinkageConformance, DecidesAsTheReferenceWhereRoundingCannot) {
    // A threshold in the widest gap between magnitudes of the coefficients: nothing is ambiguous, so the tolerance is that of rounding
    // alone.
    const Picture picture{.shape = {61, 47, 1, 1}, .seed = 31};
    const ImagePtr image = picture.make();
    RunContext context;
    Pipeline transform;
    transform.steps.push_back(makeStep("dwt", Values{{"levels", "2"}, {"wavelet", "db2"}}));
    const Image mosaic = Engine(processCatalog()).run(transform, image, parseTarget("reference"), context).image;
    std::vector<double> magnitudes;
    for (std::int64_t i = 0; i < mosaic.shape().samples(); ++i) magnitudes.push_back(std::fabs(static_cast<double>(mosaic.view().data[i])));
    std::sort(magnitudes.begin(), magnitudes.end());
    std::size_t widest = magnitudes.size() / 4;
    for (std::size_t i = widest; i + magnitudes.size() / 4 < magnitudes.size(); ++i)
        if (magnitudes[i + 1] - magnitudes[i] > magnitudes[widest + 1] - magnitudes[widest]) widest = i;
    Values values{{"levels", "2"}, {"wavelet", "db2"}};
    if (GetParam().operation == "wavelet-denoise") {
        values.insert(values.end(), {{"method", "hard"}, {"rule", "manual"}});
        values.emplace_back("threshold", toText(ParameterValue((magnitudes[widest] + magnitudes[widest + 1]) / 2)));
    } else {
        values.emplace_back("keep", "100");
    }
    Pipeline pipeline;
    pipeline.steps.push_back(makeStep(GetParam().operation, values));
    PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, GetParam().target(), context);
    const double before = run.tolerance().absolute;
    run.run(context);
    EXPECT_EQ(run.tolerance().absolute, before) << "nothing was undecided";
    EXPECT_LT(before, 1e-3);
    EXPECT_TRUE(compareViews(referenceResult(pipeline.steps[0], picture).view(), run.output()).within(before));
}

INSTANTIATE_TEST_SUITE_P(All, ShrinkageConformance, testing::ValuesIn(shrinkages()), subjectName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ShrinkageConformance);

}  // namespace
}  // namespace parallax::conformance
