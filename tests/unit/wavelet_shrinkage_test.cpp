// SPDX-License-Identifier: GPL-3.0-or-later
// Denoising and compression: known answers, rules, statistics, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/operations/wavelet/bucket_counts.hpp"
#include "core/operations/wavelet/error_model.hpp"
#include "core/operations/wavelet/shrinkage.hpp"

namespace parallax {
namespace {

/// Smooth hills, and noise of a given standard deviation.
Image hills(const Shape& shape, double sigma, unsigned seed) {
    Image image{Buffer(shape)};
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, 1);
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                for (std::int64_t x = 0; x < shape.width; ++x)
                    image.view().at(x, y, z, c) =
                        static_cast<float>(100 * std::sin(0.05 * static_cast<double>(x)) * std::cos(0.04 * static_cast<double>(y + 2 * z)) +
                                           sigma * normal(random));
    return image;
}

RunResult run(const std::string& step, const Image& image, const std::string& target = "reference") {
    Pipeline p;
    p.steps.push_back(parseStep(processCatalog(), step));
    RunContext context;
    return Engine(processCatalog()).run(p, std::make_shared<const Image>(image.clone()), parseTarget(target), context);
}

double error(const Image& a, const Image& b) { return compareViews(a.view(), b.view()).rmse; }

double statistic(const RunResult& result, const std::string& name) {
    for (const StatisticRecord& f : result.statistics)
        if (f.title == name) return f.value;
    ADD_FAILURE() << "nothing is said about " << name;
    return std::nan("");
}

TEST(WaveletDenoise, EstimatesTheNoiseAndRemovesMostOfIt) {
    const Image clean = hills({200, 150, 1, 1}, 0, 1), noisy = hills({200, 150, 1, 1}, 10, 2);
    for (const char* step :
         {"wavelet-denoise", "wavelet-denoise:method=garrote", "wavelet-denoise:method=firm", "wavelet-denoise:rule=universal,method=hard",
          "wavelet-denoise:noise=10", "wavelet-denoise:noise-from=each-level,rule=universal,method=soft"}) {
        const RunResult result = run(step, noisy);
        EXPECT_LT(error(clean, result.image), 0.5 * error(clean, noisy)) << step;
    }
    EXPECT_NEAR(statistic(run("wavelet-denoise", noisy), "Noise, standard deviation"), 10, 0.5);
    // Mirrored borders make coefficients there smaller, and small volumes have many of them.
    const Image volume = hills({40, 50, 30, 1}, 7, 3);
    EXPECT_NEAR(statistic(run("wavelet-denoise:mode=periodization", volume), "Noise, standard deviation"), 7, 0.5);
}

TEST(WaveletDenoise, NoiseOfMaskedImagesMatchesScikitImage) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/wavelets.txt");
    int checked = 0;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("noise ")) continue;
        std::istringstream words(line.substr(6));
        Shape shape{0, 0, 0, 1};
        std::int64_t masked = 0;
        std::string colon;
        double sigma = 0;
        ASSERT_TRUE(words >> shape.width >> shape.height >> shape.depth >> masked >> colon >> sigma) << line;
        Image image{Buffer(shape)};
        std::uint64_t state = 1;
        for (std::int64_t i = 0; i < shape.pixels(); ++i) {
            state = (state * 1103515245 + 12345) % (std::uint64_t{1} << 31);
            image.view().data[i] = i % shape.width < masked ? 0.0F : static_cast<float>(state >> 16) / 64 - 256;
        }
        for (const char* target : {"reference", "openmp"}) {
            const RunResult result = run("wavelet-denoise:wavelet=db2,levels=1", image, target);
            EXPECT_NEAR(statistic(result, "Noise, standard deviation"), sigma, 1e-6 * sigma) << line << " on " << target;
            if (masked > shape.width / 2) {
                EXPECT_NEAR(statistic(result, "Details of 0, left out of the noise"), 63, 6) << line;
            }
        }
        ++checked;
    }
    EXPECT_EQ(checked, 9);
}

TEST(WaveletDenoise, FlatAreasAreLeftOutOfTheNoiseByEveryBackend) {
    // Details of equal samples are rounding errors, which are 0 in one backend and not in another.
    for (const Shape& shape : {Shape{240, 120, 1, 1}, Shape{48, 40, 30, 1}, Shape{4000, 1, 1, 1}})
        for (const char* filter : {"haar", "db4", "bior4.4"}) {
            Image image = hills(shape, 10, 11);
            for (std::int64_t i = 0; i < shape.pixels(); ++i)
                if (i % shape.width < 2 * shape.width / 3) image.view().data[i] = -1023.7F;
            const std::string step = "wavelet-denoise:levels=1,wavelet=" + std::string(filter) + (shape.height == 1 ? ",axes=x" : "");
            const double serial = statistic(run(step, image), "Noise, standard deviation");
            EXPECT_NEAR(serial, 10, 4) << step;
            EXPECT_NEAR(statistic(run(step, image, "openmp"), "Noise, standard deviation"), serial, 1e-3) << step;
        }
}

TEST(WaveletDenoise, EstimatesNoiseWithEveryBorderMode) {
    // A filter of 40 taps reaches far beyond the border, where extrapolated samples are smooth, or large. They lower the estimate.
    const Image noisy = hills({300, 240, 1, 1}, 10, 3);
    for (const char* mode : {"zero", "constant", "symmetric", "reflect", "periodic", "smooth", "antisymmetric", "antireflect"})
        for (const char* target : {"reference", "openmp"})
            EXPECT_NEAR(statistic(run("wavelet-denoise:wavelet=db20,levels=4,mode=" + std::string(mode), noisy, target),
                                  "Noise, standard deviation"),
                        10, 4)
                << mode << " on " << target;
}

TEST(WaveletDenoise, SaysThatAllDetailsAreZero) {
    Image flat{Buffer(Shape{40, 30, 1, 1})};
    std::fill_n(flat.view().data, 1200, 7.0F);
    for (const char* target : {"reference", "openmp"})
        EXPECT_EQ(statistic(run("wavelet-denoise", flat, target), "Noise unknown, all details are 0"), 100) << target;
}

TEST(WaveletDenoise, ThresholdsFollowTheRules) {
    const Image noisy = hills({128, 64, 1, 1}, 5, 4);
    EXPECT_NEAR(statistic(run("wavelet-denoise:rule=universal,noise=3", noisy), "Threshold, level 2"),
                3 * std::sqrt(2 * std::log(128.0 * 64)), 1e-9);
    EXPECT_NEAR(statistic(run("wavelet-denoise:rule=universal,noise=3,strength=0.5,level-factors='1 0.25'", noisy), "Threshold, level 3"),
                0.125 * 3 * std::sqrt(2 * std::log(128.0 * 64)), 1e-9);
    EXPECT_EQ(statistic(run("wavelet-denoise:rule=manual,threshold=2.5,level-factors='2;1;0'", noisy), "Threshold, level 1"), 5);
    EXPECT_EQ(statistic(run("wavelet-denoise:rule=manual,threshold=2.5,level-factors='2;1;0'", noisy), "Threshold, level 3"), 0);

    // BayesShrink: sigma^2 / sqrt(mean square - sigma^2), or nothing is kept.
    DenoisePlan plan;
    plan.parameters.rule = ThresholdRule::bayes;
    plan.parameters.noise = 2;
    plan.wavelet.levels = 1;
    plan.wavelet.image = {10, 10, 1, 1};
    plan.factors = {1};
    plan.noiseBands = {1};
    plan.bands = {WaveletBand{.level = 1, .details = 1}, WaveletBand{.level = 1, .details = 3}};
    const Thresholds t =
        findThresholds(plan, {{.finite = 5, .largest = 9, .meanSquare = 13}, {.finite = 5, .largest = 3, .meanSquare = 3}}, 0);
    EXPECT_DOUBLE_EQ(t.threshold[0], 4.0 / 3.0);
    EXPECT_TRUE(std::isinf(t.threshold[1]));
    // Rounding moves them a little; the bounds hold both.
    const Thresholds moved =
        findThresholds(plan, {{.finite = 5, .largest = 9, .meanSquare = 13}, {.finite = 5, .largest = 3, .meanSquare = 3}}, 1e-3);
    EXPECT_LT(moved.low[0], t.threshold[0]);
    EXPECT_GT(moved.high[0], t.threshold[0]);
    EXPECT_NEAR(moved.low[0], moved.high[0], 0.01);
}

TEST(WaveletDenoise, ChangesNothingWithoutThreshold) {
    const Image image = hills({31, 17, 1, 1}, 5, 5);
    for (const char* step : {"wavelet-denoise:strength=0", "wavelet-denoise:rule=manual,threshold=0", "wavelet-denoise:level-factors=0",
                             "wavelet-denoise:rule=manual,threshold=0,method=garrote,wavelet=bior4.4,mode=zero",
                             "wavelet-denoise:rule=manual,threshold=0,method=firm,ratio=1.1"})
        EXPECT_LT(compareViews(image.view(), run(step, image).image.view()).maxAbs, 1e-4) << step;
    // A flat image has no noise to find.
    Image flat{Buffer(Shape{20, 20, 1, 1})};
    std::fill_n(flat.view().data, 400, 3.5F);
    EXPECT_LT(compareViews(std::as_const(flat).view(), run("wavelet-denoise", flat).image.view()).maxAbs, 1e-6);
}

TEST(WaveletDenoise, DoesNotChangeOtherChannelsAndAlpha) {
    const Shape shape{40, 30, 1, 4};
    const Image image = hills(shape, 10, 6);
    const auto same = [&](const Image& result, std::int64_t c) {
        return compareViews(image.view().channel(c), result.view().channel(c)).maxAbs == 0;
    };
    const RunResult all = run("wavelet-denoise", image);
    EXPECT_FALSE(same(all.image, 0));
    EXPECT_TRUE(same(all.image, 3)) << "alpha is no signal to be cleaned";
    EXPECT_NO_THROW((void)statistic(all, "Noise, standard deviation, G"));
    const RunResult green = run("wavelet-denoise:channels=G", image);
    EXPECT_TRUE(same(green.image, 0));
    EXPECT_FALSE(same(green.image, 1));
    EXPECT_FALSE(same(run("wavelet-denoise:channels='A'", image).image, 3)) << "unless it is asked for";
}

TEST(WaveletDenoise, PreservesNanAndExcludesItFromStatistics) {
    Image image = hills({256, 256, 1, 1}, 10, 7);
    image.view().at(20, 30) = std::numeric_limits<float>::quiet_NaN();
    image.view().at(200, 220) = std::numeric_limits<float>::infinity();
    const RunResult result = run("wavelet-denoise:wavelet=haar,levels=2", image);
    EXPECT_NEAR(statistic(result, "Noise, standard deviation"), 10, 0.5);
    // Haar's filters reach as far as a block of 4 x 4 samples.
    std::int64_t outside = 0;
    for (std::int64_t y = 0; y < 256; ++y)
        for (std::int64_t x = 0; x < 256; ++x) {
            const bool block = (x / 4 == 20 / 4 && y / 4 == 30 / 4) || (x / 4 == 200 / 4 && y / 4 == 220 / 4);
            outside += !block && !std::isfinite(std::as_const(result.image).view().at(x, y));
        }
    EXPECT_EQ(outside, 0);
    EXPECT_TRUE(std::isnan(std::as_const(result.image).view().at(20, 30)));
}

TEST(WaveletDenoise, RejectsInvalidParameters) {
    const Image image = hills({20, 20, 1, 1}, 1, 8);
    for (const char* step :
         {"wavelet-denoise:level-factors='1 x'", "wavelet-denoise:level-factors='-1'", "wavelet-denoise:level-factors='nan'",
          "wavelet-denoise:channels=Q", "wavelet-denoise:wavelet=custom", "wavelet-compress:wavelet=custom,filters='1 x'",
          "wavelet-denoise:level-factors='1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'"}) {
        try {
            (void)run(step, image);
            ADD_FAILURE() << step;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage) << e.what();
        }
    }
    const Operation& denoise = processCatalog().operation("wavelet-denoise");
    const auto notes = [&](const std::string& step) {
        return notesOn(denoise, makeProblem(image, parseStep(processCatalog(), step).parameters));
    };
    EXPECT_TRUE(notes("wavelet-denoise:wavelet=haar").empty());
    EXPECT_FALSE(notes("wavelet-denoise:wavelet=db10").empty()) << "20 samples are short for it";
    EXPECT_FALSE(notes("wavelet-denoise:wavelet=custom,filters='1 2;3 4',levels=1").empty()) << "these filters do not undo each other";
}

TEST(WaveletCompress, KeepingAllIsExactAndKeepingNoneIsZero) {
    const Image image = hills({45, 38, 7, 1}, 10, 9);
    const RunResult all = run("wavelet-compress:keep=100", image);
    EXPECT_LT(compareViews(image.view(), std::as_const(all.image).view()).maxAbs, 1e-4);
    EXPECT_EQ(statistic(all, "Coefficients kept"), 100);
    const RunResult none = run("wavelet-compress:keep=0", image);
    EXPECT_EQ(compareViews(image.view(), std::as_const(none.image).view()).rmse,
              compareViews(image.view(),
                           [&] {
                               static const std::vector<float> zeros(45 * 38 * 7);
                               return denseView(zeros.data(), image.shape());
                           }())
                  .rmse);
    EXPECT_EQ(statistic(none, "Coefficients kept"), 0);
}

TEST(WaveletCompress, KeepsTheRequestedShareAndImprovesWithIt) {
    const Image image = hills({160, 120, 1, 1}, 5, 10);
    double before = std::numeric_limits<double>::infinity();
    for (const char* keep : {"0.5", "1", "5", "20", "50", "90"}) {
        const RunResult result = run(std::string("wavelet-compress:keep=") + keep, image);
        const double now = error(image, result.image);
        EXPECT_LT(now, before) << keep;
        before = now;
        EXPECT_NEAR(statistic(result, "Coefficients kept"), std::stod(keep), 0.02) << keep;
    }
    // An orthogonal transform without excess: the error is what was dropped (Parseval).
    const RunResult result = run("wavelet-compress:wavelet=haar,mode=periodization,keep=25,levels=1", image);
    const double smallest = statistic(result, "Smallest kept coefficient");
    EXPECT_LE(error(image, result.image), smallest);
}

TEST(WaveletCompress, EqualCoefficientsAreKeptTogether) {
    // All approximations of a flat image are the same number but for rounding: none is kept without the others.
    Image flat{Buffer(Shape{64, 64, 1, 1})};
    std::fill_n(flat.view().data, 64 * 64, 0.3F);
    const RunResult result = run("wavelet-compress:keep=0.1,levels=2", flat);
    EXPECT_LT(compareViews(std::as_const(flat).view(), std::as_const(result.image).view()).maxAbs, 1e-6);
}

TEST(WaveletStatistics, CountsDoNotOverflow) {
    // As with 2^32, which no test has time for.
    BucketCounts counts(3, 100);
    for (int round = 0; round < 1000; ++round) {
        std::uint32_t* buckets = counts.forNext(7);
        ASSERT_LE(buckets[0] + buckets[1] + buckets[2], 93U);
        buckets[0] += 5, buckets[2] += 2;
    }
    EXPECT_EQ(counts[0], 5000);
    EXPECT_EQ(counts[1], 0);
    EXPECT_EQ(counts[2], 2000);
    counts.clear();
    EXPECT_EQ(counts[0], 0);
    counts.forNext(100)[1] += 100;
    EXPECT_EQ(counts[1], 100);
}

TEST(WaveletErrors, ToleranceIsZeroWithoutAmbiguousSamples) {
    const WaveletPlan plan = planWavelet({}, {512, 512, 78, 1});
    const WaveletGains gains = waveletGains(plan);
    EXPECT_EQ(decisionTolerance(plan, gains, 0, 100), 0);
    EXPECT_LE(decisionTolerance(plan, gains, 1, 100), 100);
    EXPECT_GE(decisionTolerance(plan, gains, 1000, 100), decisionTolerance(plan, gains, 1, 100));
    // Rounding of float32 is some 1e-7 of the largest value; the transform's gain is about sqrt(2) each pass.
    EXPECT_LT(forwardTolerance(plan, 1).absolute, 2e-4);
    EXPECT_GT(forwardTolerance(plan, 1).absolute, 1e-6);
    EXPECT_NEAR(gains.forward, std::pow(2, 4.5), 3);
}

}  // namespace
}  // namespace parallax
