// SPDX-License-Identifier: GPL-3.0-or-later
// Filters, samples outside, places of coefficients, sizes and facts of the inverse, perfect reconstruction.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/operations/wavelet/serial_transform.hpp"

namespace parallax {
namespace {

std::vector<WaveletId> allWavelets() {
    std::vector<WaveletId> all;
    for (int i = 0; i < kWaveletCount - 1; ++i) all.push_back(static_cast<WaveletId>(i));
    return all;
}

Image noise(const Shape& shape, unsigned seed) {
    Image image{Buffer(shape)};
    std::mt19937 random(seed);
    for (std::int64_t i = 0; i < shape.samples(); ++i)
        image.view().data[i] = static_cast<float>(static_cast<int>(random() % 20001) - 10000) * 1e-4F;
    return image;
}

Pipeline pipelineOf(const std::vector<std::string>& steps) {
    Pipeline p;
    for (const auto& s : steps) p.steps.push_back(parseStep(processCatalog(), s));
    return p;
}

RunResult runReference(const std::vector<std::string>& steps, Image image) {
    RunContext context;
    return Engine(processCatalog())
        .run(pipelineOf(steps), std::make_shared<const Image>(std::move(image)), parseTarget("reference"), context);
}

Problem problemOf(const std::string& step, const Image& image) { return makeProblem(image, parseStep(processCatalog(), step).parameters); }

std::string refusal(const std::function<void()>& f, ErrorCode code = ErrorCode::usage) {
    try {
        f();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), code) << e.what();
        EXPECT_FALSE(e.why().empty()) << e.what();
        return e.what();
    }
    ADD_FAILURE() << "no exception was thrown";
    return {};
}

TEST(WaveletFilters, ReconstructPerfectly) {
    for (const WaveletId id : allWavelets()) {
        const FilterBank bank = makeFilterBank(id, "");
        // The table of dmey is an approximation: it reconstructs to some 1e-3 only, here as in PyWavelets.
        EXPECT_LT(bank.reconstructionError(), id == WaveletId::dmey ? 5e-3 : 1e-13) << waveletKey(id);
        EXPECT_EQ(bank.taps() % 2, 0);
        EXPECT_NEAR(std::accumulate(bank.decLo.begin(), bank.decLo.end(), 0.0), std::sqrt(2.0), 1e-12) << waveletKey(id);
        EXPECT_NEAR(std::accumulate(bank.decHi.begin(), bank.decHi.end(), 0.0), 0, id == WaveletId::dmey ? 2e-3 : 1e-12) << waveletKey(id);
    }
}

TEST(WaveletFilters, HaveTheirVanishingMoments) {
    for (int n = 1; n <= 10; ++n)
        for (const std::string& key : {"db" + std::to_string(n), "sym" + std::to_string(std::max(n, 2))}) {
            const FilterBank bank = makeFilterBank(waveletOfKey(key), "");
            const int moments = bank.taps() / 2;
            for (int p = 0; p < moments; ++p) {
                double sum = 0, scale = 0;
                for (int k = 0; k < bank.taps(); ++k) {
                    const double term = bank.decHi[static_cast<std::size_t>(k)] * std::pow(k, p);
                    sum += term;
                    scale += std::fabs(term);
                }
                EXPECT_LT(std::fabs(sum), 1e-13 * (scale + 1)) << key << " moment " << p;
            }
        }
}

TEST(WaveletFilters, AreFoundByName) {
    EXPECT_EQ(waveletKey(WaveletId::haar), "haar");
    EXPECT_EQ(waveletKey(WaveletId::db4), "db4");
    EXPECT_EQ(waveletKey(WaveletId::db20), "db20");
    EXPECT_EQ(waveletKey(WaveletId::sym2), "sym2");
    EXPECT_EQ(waveletKey(WaveletId::coif1), "coif1");
    EXPECT_EQ(waveletKey(WaveletId::bior1_1), "bior1.1");
    EXPECT_EQ(waveletKey(WaveletId::rbio1_1), "rbio1.1");
    EXPECT_EQ(waveletKey(WaveletId::dmey), "dmey");
    EXPECT_EQ(waveletKey(WaveletId::custom), "custom");
    refusal([] {
        try {
            (void)waveletOfKey("db21");
        } catch (const Error& e) {
            throw Error(e.code(), e.summary(), "x");
        }
    });
    const ParameterTableBase& table = waveletParameterTable();
    EXPECT_EQ(table.infos()[0].choices.size(), static_cast<std::size_t>(kWaveletCount));
    EXPECT_EQ(table.infos()[static_cast<std::size_t>(table.find("mode"))].choices.size(), static_cast<std::size_t>(kWaveletModeCount));
    EXPECT_EQ(table.infos()[static_cast<std::size_t>(table.find("axes"))].choices.size(), static_cast<std::size_t>(kWaveletAxesCount));
}

TEST(WaveletFilters, CanBeCustom) {
    const FilterBank haar = parseFilterBank("[1, 1]");
    const FilterBank known = makeFilterBank(WaveletId::haar, "");
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_DOUBLE_EQ(haar.decLo[k], known.decLo[k]);
        EXPECT_DOUBLE_EQ(haar.decHi[k], known.decHi[k]);
        EXPECT_DOUBLE_EQ(haar.recHi[k], known.recHi[k]);
    }
    const FilterBank odd = parseFilterBank("-0.125 0.25 0.75 0.25 -0.125; 0 0.5 1 0.5");
    EXPECT_EQ(odd.taps(), 6);
    EXPECT_LT(odd.reconstructionError(), 1e-15) << "the 5/3 pair, put where it works";
    EXPECT_EQ(parseFilterBank("1 2; 3 4").decLo, (std::vector<double>{1, 2})) << "no pair at all: as written";
    const FilterBank four = parseFilterBank("1 2\n3 4\n5 6\n7 8\n");
    EXPECT_EQ(four.decHi, (std::vector<double>{3, 4}));
    EXPECT_EQ(four.recHi, (std::vector<double>{7, 8}));
    EXPECT_EQ(parseFilterBank("1 1e-60 1 0").decLo[2], 0.0) << "below the smallest float it is 0 for every backend";
    for (const std::string& bad : {std::string(), std::string("1 x"), std::string("1;2;3"), std::string("1;2;3;4;5"), std::string("1 -1"),
                                   std::string("nan 1"), std::string("1e9 1"), std::string("inf"), std::string("0 0"), std::string(";;;"),
                                   std::string("1 2 3 4 5 6 7 8 9") + std::string(300, ' ') + [] {
                                       std::string many;
                                       for (int i = 0; i < 200; ++i) many += " 1";
                                       return many;
                                   }()})
        refusal([&] { (void)parseFilterBank(bad); });
}

TEST(WaveletModes, ExtendSignalsAsDocumented) {
    const std::vector<double> x{1, 2, 4, 8};
    const struct {
        WaveletMode rule;
        std::vector<double> expected;  // for i = -6 .. 9
    } cases[] = {{WaveletMode::zero, {0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 0, 0, 0, 0, 0, 0}},
                 {WaveletMode::constant, {1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8, 8, 8}},
                 {WaveletMode::symmetric, {4, 8, 8, 4, 2, 1, 1, 2, 4, 8, 8, 4, 2, 1, 1, 2}},
                 {WaveletMode::reflect, {1, 2, 4, 8, 4, 2, 1, 2, 4, 8, 4, 2, 1, 2, 4, 8}},
                 {WaveletMode::periodic, {4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2}},
                 {WaveletMode::smooth, {-5, -4, -3, -2, -1, 0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32}},
                 {WaveletMode::antisymmetric, {4, 8, -8, -4, -2, -1, 1, 2, 4, 8, -8, -4, -2, -1, 1, 2}},
                 {WaveletMode::antireflect, {-13, -12, -10, -6, -2, 0, 1, 2, 4, 8, 12, 14, 15, 16, 18, 22}},
                 {WaveletMode::periodization, {4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2}}};
    for (const auto& c : cases)
        for (std::int64_t i = -6; i <= 9; ++i) {
            const auto e = extendedSample<std::int64_t>(i, 4, c.rule);
            double value = 0;
            for (int k = 0; k < e.count; ++k) {
                EXPECT_NE(e.factor[k], 0);
                value += e.factor[k] * x[static_cast<std::size_t>(e.index[k])];
            }
            EXPECT_EQ(value, c.expected[static_cast<std::size_t>(i + 6)]) << static_cast<int>(c.rule) << " at " << i;
        }
    // An odd length is made even first.
    const auto e = extendedSample<std::int64_t>(3, 3, WaveletMode::periodization);
    EXPECT_EQ(e.index[0], 2);
}

TEST(WaveletModes, HoldForShortSignalsAtAnyDistance) {
    for (int rule = 0; rule < kWaveletModeCount; ++rule)
        for (const std::int64_t n : {1, 2, 3, 5})
            for (std::int64_t i = -300; i < 300; ++i) {
                const auto e = extendedSample<std::int64_t>(i, n, static_cast<WaveletMode>(rule));
                EXPECT_LE(e.count, 3);
                for (int k = 0; k < e.count; ++k) {
                    EXPECT_GE(e.index[k], 0);
                    EXPECT_LT(e.index[k], n);
                    EXPECT_NE(e.factor[k], 0);
                }
                // 32-bit arithmetic, as on a device, says the same.
                const auto f = extendedSample<int>(static_cast<int>(i), static_cast<int>(n), static_cast<WaveletMode>(rule));
                ASSERT_EQ(e.count, f.count);
                for (int k = 0; k < e.count; ++k) EXPECT_TRUE(e.index[k] == f.index[k] && e.factor[k] == f.factor[k]);
            }
}

TEST(WaveletLayout, CoversTheMosaicWithoutOverlap) {
    for (const char* mode : {"symmetric", "periodization"})
        for (const Shape& shape : {Shape{13, 10, 1, 1}, Shape{9, 6, 5, 1}, Shape{1, 1, 1, 1}, Shape{7, 1, 30, 1}}) {
            const WaveletPlan plan = planWavelet(
                problemOf(std::string("dwt:wavelet=db3,levels=3,mode=") + mode, noise(shape, 1)).parameters.as<WaveletParameters>(), shape);
            std::vector<int> owners(static_cast<std::size_t>(plan.mosaic.samples()), 0);
            const View<int> v = denseView(owners.data(), plan.mosaic);
            std::int64_t samples = 0;
            for (const WaveletBand& band : plan.bands()) {
                samples += band.samples();
                for (std::int64_t z = 0; z < band.extent[2]; ++z)
                    for (std::int64_t y = 0; y < band.extent[1]; ++y)
                        for (std::int64_t x = 0; x < band.extent[0]; ++x)
                            ++v.at(band.origin[0] + x, band.origin[1] + y, band.origin[2] + z);
            }
            EXPECT_TRUE(std::all_of(owners.begin(), owners.end(), [](int n) { return n <= 1; }));
            EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), samples);
            EXPECT_EQ(plan.bands().size(), 1 + 3 * ((1U << plan.transformedAxes()) - 1));
            EXPECT_EQ(plan.bands().front().title(), "Approximation");
        }
    const WaveletPlan plan = planWavelet({.wavelet = WaveletId::db4, .levels = 2}, {512, 512, 78, 1});
    EXPECT_EQ(plan.mosaic, (Shape{133 + 133 + 259, 133 + 133 + 259, 24 + 24 + 42, 1}));
    EXPECT_EQ(plan.bands().back().level, 1);
    EXPECT_EQ(plan.bands().back().title(), "Details along x, y, z");
}

TEST(WaveletLayout, UsesAsManyLevelsAsFit) {
    // floor(log2(n / (taps - 1))) as PyWavelets' dwt_max_level().
    EXPECT_EQ(reasonableLevels(512, 8), 6);
    EXPECT_EQ(reasonableLevels(13, 8), 0);
    EXPECT_EQ(reasonableLevels(14, 8), 1);
    EXPECT_EQ(reasonableLevels(8, 2), 3);
    EXPECT_EQ(reasonableLevels(1, 2), 0);
    EXPECT_EQ(planWavelet({.wavelet = WaveletId::db4, .levels = 0}, {512, 512, 78, 1}).levels, 3);
    EXPECT_EQ(planWavelet({.wavelet = WaveletId::db4, .levels = 0, .axes = WaveletAxes::xy}, {512, 512, 78, 1}).levels, 6);
    EXPECT_EQ(planWavelet({.wavelet = WaveletId::db4, .levels = 0}, {1, 1, 1, 1}).levels, 1);
    EXPECT_TRUE(waveletNotes(planWavelet({.levels = 3}, {512, 512, 78, 1})).empty());
    const auto notes = waveletNotes(planWavelet({.levels = 4}, {512, 512, 78, 1}));
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("Along z"), std::string::npos) << notes[0];
    EXPECT_NE(notes[0].find("Up to 3 levels"), std::string::npos) << notes[0];
}

TEST(WaveletInverse, TakesTheSizeFromTheCoefficients) {
    for (const Shape& shape : {Shape{33, 20, 1, 1}, Shape{32, 21, 1, 3}, Shape{9, 7, 5, 1}, Shape{1, 1, 1, 1}}) {
        const Image image = noise(shape, 3);
        const RunResult coefficients = runReference({"dwt:wavelet=db2,levels=2,mode=reflect"}, image.clone());
        ASSERT_EQ(coefficients.image.metadata.size(), 1U);
        EXPECT_EQ(coefficients.image.metadata[0].name, "parallax.dwt");
        // Nothing said, the same said, and everything said.
        for (const char* step : {"idwt", "idwt:wavelet=db2,levels=2", "idwt:wavelet=db2,mode=reflect,levels=2,axes=all"}) {
            const RunResult back = runReference({step}, coefficients.image.clone());
            EXPECT_EQ(back.image.shape(), shape) << step;
            EXPECT_LT(compareViews(image.view(), std::as_const(back.image).view()).maxAbs, 2e-6) << step;
            EXPECT_TRUE(back.image.metadata.empty()) << "it is no mosaic any more";
        }
    }
}

TEST(WaveletInverse, TakesTheSizeFromParametersWithoutFacts) {
    const Image image = noise({33, 20, 1, 1}, 4);
    Image coefficients = runReference({"dwt:wavelet=db2,levels=2"}, image.clone()).image;
    coefficients.metadata.clear();
    const RunResult back = runReference({"idwt:wavelet=db2,levels=2,width=33,height=20"}, coefficients.clone());
    EXPECT_EQ(back.image.shape(), image.shape());
    EXPECT_LT(compareViews(image.view(), std::as_const(back.image).view()).maxAbs, 2e-6);
    // The even one of the widths with as many coefficients, and a note.
    const Problem guessed = problemOf("idwt:wavelet=db2,levels=2", coefficients);
    const Operation& idwt = processCatalog().operation("idwt");
    EXPECT_EQ(idwt.outputShape(guessed), (Shape{34, 20, 1, 1}));
    ASSERT_EQ(notesOn(idwt, guessed).size(), 2U);
    EXPECT_NE(notesOn(idwt, guessed)[0].find("34 x 20"), std::string::npos);
    EXPECT_NE(notesOn(idwt, guessed)[1].find("assuming mode symmetric."), std::string::npos);
    EXPECT_NE(refusal([&] { idwt.check(problemOf("idwt:wavelet=db2,levels=2,width=40", coefficients)); }).find("along x"),
              std::string::npos);
    EXPECT_NE(refusal([&] {
                  idwt.check(problemOf("idwt:wavelet=haar,levels=2,mode=periodization", noise({33, 20, 1, 1}, 1)));
              }).find("no image has 33"),
              std::string::npos);
}

TEST(WaveletInverse, RejectsParametersThatContradictTheCoefficients) {
    Image coefficients = runReference({"dwt:wavelet=db2,levels=2,axes=x"}, noise({33, 20, 1, 1}, 4)).image;
    const Operation& idwt = processCatalog().operation("idwt");
    const auto message = [&](const std::string& step) { return refusal([&] { idwt.check(problemOf(step, coefficients)); }); };
    EXPECT_NE(message("idwt:wavelet=haar").find("db2"), std::string::npos);
    EXPECT_NE(message("idwt:mode=zero").find("symmetric"), std::string::npos);
    EXPECT_NE(message("idwt:levels=1").find("they say 2"), std::string::npos);
    EXPECT_NE(message("idwt:axes=xy").find("they say x"), std::string::npos);
    message("idwt:width=32,height=32");
    Image cut{Buffer(Shape{20, 20, 1, 1})};
    cut.metadata = coefficients.metadata;
    EXPECT_NE(refusal([&] { idwt.check(problemOf("idwt", cut)); }).find("here are 20"), std::string::npos);
}

TEST(WaveletInverse, RejectsInvalidFacts) {
    const Operation& idwt = processCatalog().operation("idwt");
    for (const char* text :
         {"", "wavelet=db2", "wavelet=db2 mode=symmetric levels=2 axes=xy shape=33x20",
          "wavelet=db2 mode=symmetric levels=2 axes=xy shape=0x20x1", "wavelet=db2 mode=symmetric levels=99 axes=xy shape=33x20x1",
          "wavelet=db2 mode=symmetric levels=0 axes=xy shape=33x20x1", "wavelet=db2 mode=symmetric levels=2 axes=xq shape=33x20x1",
          "wavelet=db99 mode=symmetric levels=2 axes=xy shape=33x20x1", "wavelet=db2 mode=odd levels=2 axes=xy shape=33x20x1",
          "wavelet=db2 mode=symmetric levels=2 axes=xyz shape=33x20x1",
          "wavelet=db2 mode=symmetric levels=2 axes=xy shape=99999999999999999999x20x1", "nonsense",
          "wavelet=db2 mode=symmetric levels=2 axes=xy shape=33x20x1x", "levels"}) {
        Image image = noise({40, 26, 1, 1}, 1);
        image.metadata.push_back({"parallax.dwt", "string", text, {}});
        refusal([&] { idwt.check(problemOf("idwt", image)); }, ErrorCode::input);
    }
    for (const char* text : {"wavelet=db2 mode=symmetric levels=2 axes=xy shape=1099511627776x1099511627776x1",
                             "wavelet=db2 mode=symmetric levels=2 axes=xy shape=5x5x1",
                             "wavelet=custom mode=symmetric levels=2 axes=xy shape=33x20x1 filters=1,1"}) {
        Image image = noise({40, 26, 1, 1}, 1);
        image.metadata.push_back({"parallax.dwt", "string", text, {}});
        refusal([&] { idwt.check(problemOf("idwt", image)); });
    }
}

TEST(WaveletInverse, InvertsNestedTransforms) {
    const Image image = noise({31, 18, 1, 1}, 5);
    const RunResult twice = runReference({"dwt:levels=1,wavelet=db2", "dwt:levels=2,wavelet=haar"}, image.clone());
    ASSERT_EQ(twice.image.metadata.size(), 2U);
    EXPECT_EQ(twice.image.metadata[1].name, "parallax.dwt.2");
    const RunResult back = runReference({"idwt", "idwt"}, twice.image.clone());
    EXPECT_EQ(back.image.shape(), image.shape());
    EXPECT_LT(compareViews(image.view(), std::as_const(back.image).view()).maxAbs, 1e-5);
    // Work buffers change their shape from step to step.
    const RunResult all =
        runReference({"dwt:levels=1,wavelet=db2", "dwt:levels=2,wavelet=haar", "idwt", "idwt", "dwt:levels=3", "idwt"}, image.clone());
    EXPECT_LT(compareViews(image.view(), std::as_const(all.image).view()).maxAbs, 1e-5);
}

TEST(WaveletInverse, KeepsOtherMetadataAndGeometry) {
    Image image = noise({20, 10, 4, 1}, 5);
    image.metadata.push_back({"owner", "string", "somebody", {}});
    image.geometry = Geometry{.spacing = {0.7, 0.7, 5}, .unit = "HU"};
    const RunResult back = runReference({"dwt", "idwt"}, std::move(image));
    ASSERT_EQ(back.image.metadata.size(), 1U);
    EXPECT_EQ(back.image.metadata[0].name, "owner");
    ASSERT_TRUE(back.image.geometry.has_value());
    EXPECT_EQ(back.image.geometry->spacing[2], 5);
    EXPECT_EQ(back.image.geometry->unit, "HU");
}

TEST(WaveletReference, ReconstructsEveryShapeExactly) {
    std::mt19937 random(20240611);
    const auto between = [&](int a, int b) { return a + static_cast<int>(random() % static_cast<unsigned>(b - a + 1)); };
    for (int i = 0; i < 400; ++i) {
        WaveletParameters p;
        p.wavelet = static_cast<WaveletId>(between(0, kWaveletCount - 3));  // without dmey, which is no perfect pair
        p.mode = static_cast<WaveletMode>(between(0, kWaveletModeCount - 1));
        p.levels = between(0, 4);
        p.axes = static_cast<WaveletAxes>(between(0, kWaveletAxesCount - 1));
        const int longest = i % 4 == 0 ? 3 : 40;  // often shorter than the filter
        const Shape shape{between(1, longest), between(1, longest), i % 2 == 0 ? 1 : between(1, 12), 1};
        const WaveletPlan plan = planWavelet(p, shape);
        if (plan.mosaic.samples() > 300'000) continue;
        const Image image = noise(shape, static_cast<unsigned>(i));
        std::vector<double> mosaic(static_cast<std::size_t>(plan.mosaic.samples()), std::nan(""));
        Buffer back(shape);
        SerialTransform transform(plan);
        std::int64_t lines = 0;
        transform.forward(image.view(), denseView(mosaic.data(), plan.mosaic), [&] { ++lines; });
        EXPECT_EQ(lines, transform.lines());
        for (const double v : mosaic) ASSERT_FALSE(std::isnan(v)) << "not written";
        transform.inverse(denseView<const double>(mosaic.data(), plan.mosaic), back.view<float>(), [] {});
        EXPECT_LT(compareViews(image.view(), std::as_const(back).view<float>()).maxAbs, 1e-6)
            << plan.bank.key << " mode " << static_cast<int>(p.mode) << " levels " << plan.levels << " axes " << static_cast<int>(p.axes)
            << " " << shape.width << "x" << shape.height << "x" << shape.depth;
    }
}

TEST(WaveletPipelines, KnowWhetherTheyApproximateTheirInput) {
    EXPECT_TRUE(pipelineOf({"dwt", "idwt"}).approximatesInput());
    EXPECT_TRUE(pipelineOf({"wavelet-denoise"}).approximatesInput());
    EXPECT_TRUE(pipelineOf({"dwt", "wavelet-compress", "idwt"}).approximatesInput());
    EXPECT_FALSE(pipelineOf({"dwt"}).approximatesInput());
    EXPECT_FALSE(pipelineOf({"idwt", "dwt"}).approximatesInput());
    EXPECT_FALSE(pipelineOf({"convolve", "wavelet-denoise"}).approximatesInput());
    EXPECT_FALSE(Pipeline{}.approximatesInput());
}

}  // namespace
}  // namespace parallax
