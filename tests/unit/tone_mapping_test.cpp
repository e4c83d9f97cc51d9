// SPDX-License-Identifier: GPL-3.0-or-later
// The reference of tone mapping against the papers, pfstools and OpenCV (tests/oracles/tone_mapping.txt), and what is asked of every image.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/tone_mapping/histogram_adjustment.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "tests/support/golden_image.hpp"

namespace parallax {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::shared_ptr<Image> makeImage(const Shape& shape, const std::vector<float>& samples, std::vector<std::string> names = {}) {
    auto image = std::make_shared<Image>(Buffer(shape), std::move(names));
    for (std::size_t i = 0; i < samples.size(); ++i) image->view().data[i] = samples[i];
    return image;
}

RunResult run(const std::string& step, const ImagePtr& image, const char* backend = "reference") {
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(processCatalog(), step));
    RunContext context;
    return Engine(processCatalog()).run(pipeline, image, parseTarget(backend), context);
}

double statistic(const RunResult& result, const std::string& key) {
    for (const StatisticRecord& f : result.statistics)
        if (f.key == key) return f.value;
    ADD_FAILURE() << "no statistic " << key;
    return 0;
}

const std::vector<std::string> kOperators{"global",
                                          "local",
                                          "photoreceptor",
                                          "photoreceptor,scaling=none,chromatic=0.5,light=0.75",
                                          "histogram",
                                          "local,output=scale",
                                          "histogram,ceiling=false",
                                          "global,white=0.5,encoding=srgb",
                                          "photoreceptor,chromatic=1,light=0",
                                          "gradient",
                                          "gradient,levels=3,saturation=0.5"};

TEST(ToneMapping, AgreesWithPapersPfstoolsAndOpencv) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/tone_mapping.txt");
    ASSERT_TRUE(file);
    std::map<std::string, ImagePtr> images;
    std::map<std::string, int> cases;
    std::string steps;
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> parts = fieldsOf(line);
        if (parts[0] == "image") {
            images[parts[1]] = goldenImage(parts[2], parts[3]);
            continue;
        }
        ASSERT_EQ(parts.size(), 5U);
        ++cases[parts[0]];
        steps += parts[1] + ",\n";
        const double tolerance = std::stod(parts[2]);
        const RunResult r = run(parts[1], images.at(parts[3]));
        std::istringstream out(parts[4]);
        for (std::int64_t i = 0; i < r.image.shape().samples(); ++i) {
            std::string expected;
            out >> expected;
            if (expected == "nan") continue;  // 0 / 0 of OpenCV
            const double value = std::stod(expected);
            ASSERT_NEAR(static_cast<double>(r.image.view().data[i]), value, tolerance * std::max(1.0, std::fabs(value)))
                << parts[0] << ": " << parts[1] << " sample " << i;
        }
    }
    EXPECT_GE(cases["paper"], 20);
    EXPECT_GE(cases["pfstools"], 5);
    EXPECT_GE(cases["opencv"], 4);
    std::ifstream gradient(PARALLAX_GOLDEN_FOLDER "/gradient_tone_mapping.txt");
    for (std::string line; std::getline(gradient, line);)
        if (const std::vector<std::string> parts = fieldsOf(line); parts[0] != "image") steps += parts.at(1) + ",\n";
    for (const ParameterPreset& preset : presetsOf(processCatalog().operation("tonemap")))
        EXPECT_NE(steps.find("tonemap:preset=" + preset.key + ","), std::string::npos) << "no golden result of preset " << preset.key;
}

TEST(ToneMapping, FourPixelsByHand) {
    // Log-average of 1, 1, 4, 16 without delta: 2^(6/4) = 2.828427; with key 0.5 they become 0.176777, 0.176777, 0.707107, 2.828427.
    const ImagePtr image = makeImage({4, 1}, {1, 1, 4, 16});
    const RunResult r = run("tonemap:key=0.5,delta=1e-10", image);
    const View<const float> v = r.image.view();
    // L (1 + L / Lwhite^2) / (1 + L), Lwhite = 2.828427: 0.176777 x 1.022097 / 1.176777, 0.707107 x 1.088388 / 1.707107, 1.
    EXPECT_NEAR(static_cast<double>(v.at(0, 0)), 0.153541, 2e-6);
    EXPECT_NEAR(static_cast<double>(v.at(1, 0)), 0.153541, 2e-6);
    EXPECT_NEAR(static_cast<double>(v.at(2, 0)), 0.450825, 2e-6);
    EXPECT_NEAR(static_cast<double>(v.at(3, 0)), 1.0, 2e-6);
    EXPECT_NEAR(statistic(r, "log-average"), 2.828427, 1e-6);
    EXPECT_NEAR(statistic(r, "white"), 16, 1e-6);
    EXPECT_EQ(statistic(r, "brighter"), 0);
    // White at 4: what is above is burnt out, and counted.
    const RunResult burnt = run("tonemap:key=0.5,delta=1e-10,white=4", image);
    EXPECT_NEAR(static_cast<double>(burnt.image.view().at(2, 0)), 1, 2e-6);
    EXPECT_GT(burnt.image.view().at(3, 0), 1.0F);
    EXPECT_EQ(statistic(burnt, "brighter"), 25);
}

TEST(ToneMapping, SaysWhereFloatEnds) {
    const auto noted = [](const std::string& step, float low, float high) {
        return !run("tonemap:" + step, makeImage({3, 1}, {low, high / 2, high})).plan[0].notes.empty();
    };
    EXPECT_FALSE(noted("operator=global", 0, 1e36F));
    EXPECT_TRUE(noted("operator=global", 0, 3e38F));
    EXPECT_TRUE(noted("operator=global,key=0.001", 0, 1e36F));
    EXPECT_FALSE(noted("operator=global,key=0.001", 0, 1e34F));
    EXPECT_TRUE(noted("operator=local", 0, 3e38F));
    EXPECT_FALSE(noted("operator=photoreceptor", 0, 1e38F));
    EXPECT_TRUE(noted("operator=photoreceptor", -2e38F, 2e38F));
    EXPECT_FALSE(noted("operator=histogram", -2e38F, 2e38F));
}

TEST(ToneMapping, NextToNothingIsTheSameOnEveryBackend) {
    // 0.0722 of the smallest float is no float: a blue pixel has no luminance, but a sample.
    const float least = std::numeric_limits<float>::denorm_min();
    const ImagePtr image = makeImage({2, 1, 1, 3}, {0, least, 0, 0, least, 3 * least});
    for (const char* contrast : {"0", "0.5", "1"}) {
        const std::string step = std::string("tonemap:operator=photoreceptor,contrast=") + contrast;
        const RunResult expected = run(step, image);
        for (const char* backend : {"openmp.scalar", "openmp.simd"}) {
            if (!processCatalog().backend("openmp").availability().yes) continue;
            const RunResult r = run(step, image, backend);
            for (int i = 0; i < 6; ++i)
                EXPECT_NEAR(r.image.view().data[i], expected.image.view().data[i], 1e-5F)
                    << backend << ", contrast " << contrast << ", " << i;
        }
    }
}

TEST(ToneMapping, PlainImagesDivideNothingByZero) {
    for (const std::string& op : kOperators)
        for (const float value : {0.0F, 1e-30F, 0.5F, 3e4F, 3e38F, -1.0F})
            for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{1, 1, 1, 3}, Shape{17, 9, 1, 3}, Shape{40, 1, 1, 1}}) {
                const RunResult r =
                    run("tonemap:operator=" + op, makeImage(shape, std::vector<float>(static_cast<std::size_t>(shape.samples()), value)));
                for (std::int64_t i = 0; i < shape.samples(); ++i) {
                    const float out = r.image.view().data[i];
                    ASSERT_TRUE(std::isfinite(out)) << op << " of " << value;
                    // The same everywhere: rounding of one pixel must not become a pattern.
                    ASSERT_EQ(out, r.image.view().data[0]) << op << " of " << value;
                }
                if (value == 0 && op.find("scale") == std::string::npos) {
                    EXPECT_EQ(r.image.view().data[0], 0.0F) << op;
                }
            }
}

TEST(ToneMapping, NanStaysAtItsPixel) {
    for (const std::string& op : kOperators)
        for (const std::int64_t channels : {1, 3, 4}) {
            Image image = makeSynthetic({.kind = SyntheticKind::noise, .shape = {30, 20, 1, channels}, .seed = 3});
            const auto clean = std::make_shared<const Image>(image.clone());
            image.view().at(11, 7, 0, 0) = kNan;
            const auto spoilt = std::make_shared<const Image>(std::move(image));
            const RunResult a = run("tonemap:operator=" + op, clean), b = run("tonemap:operator=" + op, spoilt);
            for (std::int64_t c = 0; c < channels; ++c)
                for (std::int64_t y = 0; y < 20; ++y)
                    for (std::int64_t x = 0; x < 30; ++x) {
                        const float out = b.image.view().at(x, y, 0, c);
                        if (c == 3) EXPECT_EQ(out, clean->view().at(x, y, 0, c)) << "alpha is copied";
                        else if (x == 11 && y == 7) EXPECT_TRUE(std::isnan(out)) << op << " channel " << c;
                        // One pixel of 600 less in the averages.
                        else if (op.find("scale") == std::string::npos)
                            EXPECT_NEAR(static_cast<double>(out), static_cast<double>(a.image.view().at(x, y, 0, c)), 0.05) << op;
                        else EXPECT_FALSE(std::isnan(out)) << op;
                    }
        }
}

TEST(ToneMapping, InfinityIsTheBrightestPixel) {
    for (const std::string& op : kOperators) {
        Image image = makeSynthetic({.kind = SyntheticKind::noise, .shape = {16, 16, 1, 3}, .seed = 4});
        for (const std::int64_t c : {0, 1, 2}) image.view().at(5, 5, 0, c) = kInfinity;
        image.view().at(9, 9, 0, 1) = kInfinity;
        image.view().at(2, 3, 0, 2) = -kInfinity;
        const RunResult r = run("tonemap:operator=" + op, std::make_shared<const Image>(std::move(image)));
        for (std::int64_t i = 0; i < r.image.shape().samples(); ++i) ASSERT_TRUE(std::isfinite(r.image.view().data[i])) << op;
        if (op == "global") {
            EXPECT_NEAR(static_cast<double>(r.image.view().at(5, 5, 0, 0)), 1, 1e-5);
        }
    }
    // An image of NaN alone adds no other values.
    for (const std::string& op : kOperators) {
        const RunResult all = run("tonemap:operator=" + op, makeImage({3, 2}, {kInfinity, -kInfinity, kNan, kInfinity, kInfinity, kNan}));
        for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(std::isnan(all.image.view().data[i]), i == 2 || i == 5) << op;
    }
}

TEST(ToneMapping, KnowsWhatIsColour) {
    const auto changed = [](const std::vector<std::string>& names, const std::string& more = {}) {
        const auto channels = static_cast<std::int64_t>(names.size());
        const ImagePtr image = std::make_shared<const Image>(
            Image(makeSynthetic({.kind = SyntheticKind::noise, .shape = {8, 8, 1, channels}, .seed = 9}).samples().clone(), names));
        const RunResult r = run("tonemap:key=0.3,white=3" + more, image);
        std::string text;
        for (std::int64_t c = 0; c < channels; ++c)
            if (r.image.view().at(3, 3, 0, c) != image->view().at(3, 3, 0, c)) text += names[static_cast<std::size_t>(c)] + " ";
        return text;
    };
    EXPECT_EQ(changed({"Y"}), "Y ");
    EXPECT_EQ(changed({"Y", "A"}), "Y ");
    EXPECT_EQ(changed({"R", "G", "B", "A", "Z"}), "R G B ");
    EXPECT_EQ(changed({"R", "G"}), "R G ");
    EXPECT_EQ(changed({"Z", "A"}), "Z ");
    EXPECT_EQ(changed({"left.R", "left.G", "left.B", "right.R", "right.G", "right.B"}), "left.R left.G left.B ");
    EXPECT_EQ(changed({"a.R", "b.R", "b.G", "b.B"}), "b.R b.G b.B ");
    EXPECT_EQ(changed({"R", "G", "B", "depth"}, ",channels=depth"), "depth ");
    EXPECT_EQ(changed({"C0", "C1", "C2", "C3", "C4"}, ",channels='C4, C0,C2'"), "C0 C2 C4 ");
    for (const char* channels : {"C9", "C0,C1", "C0,C0,C1", ""})
        EXPECT_THROW(changed({"C0", "C1", "C2"}, std::string(",channels='") + channels + "'"), Error) << channels;
    try {
        changed({"C0", "C1", "C2", "C3", "C4"});
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::usage);
        EXPECT_NE(std::string(e.what()).find("channels='C0,C1,C2'"), std::string::npos) << e.what();
    }
    EXPECT_THROW(run("tonemap", makeImage({4, 4, 3, 1}, {})), Error) << "a volume";
    EXPECT_THROW(run("tonemap:operator=local,scales=16,ratio=4", makeImage({4, 4}, {1, 2, 3})), Error) << "4^16 pixels";
}

TEST(ToneMapping, SaturationKeepsLuminance) {
    const ImagePtr image = makeImage({1, 1, 1, 3}, {0.2F, 0.9F, 0.1F});
    const auto luminanceOf = [](const RunResult& r) {
        const View<const float> v = r.image.view();
        return 0.2126 * static_cast<double>(v.at(0, 0, 0, 0)) + 0.7152 * static_cast<double>(v.at(0, 0, 0, 1)) +
               0.0722 * static_cast<double>(v.at(0, 0, 0, 2));
    };
    for (const char* op : {"global", "local", "histogram"}) {
        const std::string step = std::string("tonemap:operator=") + op;
        const RunResult plain = run(step, image), grey = run(step + ",saturation=0", image), vivid = run(step + ",saturation=1.2", image);
        EXPECT_NEAR(luminanceOf(grey), luminanceOf(plain), 1e-6) << op;
        EXPECT_NEAR(luminanceOf(vivid), luminanceOf(plain), 1e-6) << op;
        EXPECT_FLOAT_EQ(grey.image.view().at(0, 0, 0, 0), grey.image.view().at(0, 0, 0, 1)) << op;
        EXPECT_NEAR(static_cast<double>(plain.image.view().at(0, 0, 0, 0) / plain.image.view().at(0, 0, 0, 1)), 0.2 / 0.9, 1e-6) << op;
    }
}

TEST(ToneMapping, ScalesAreThoseOfThePaper) {
    const auto image = makeImage({8, 8}, {1});
    const Step step = parseStep(processCatalog(), "tonemap:operator=local");
    const ToneMappingPlan plan = planToneMapping(makeProblem(*image, step.parameters));
    ASSERT_EQ(plan.scales.size(), 9U);
    EXPECT_DOUBLE_EQ(plan.scales.front().size, 1);
    EXPECT_NEAR(plan.scales.back().size, 42.95, 0.01) << "1.6^8";
    for (const ToneScale& scale : plan.scales) {
        double sum = 0, variance = 0;
        for (int i = -scale.radius; i <= scale.radius; ++i) {
            const double w = scale.weights[static_cast<std::size_t>(i + scale.radius)];
            sum += w;
            variance += w * i * i;
        }
        EXPECT_NEAR(sum, 1, 1e-14);
        // exp(-x^2 / (alpha s)^2) has variance (alpha s)^2 / 2 = s^2 / 16; a pixel's width adds 1 / 12, where it is not the larger one.
        if (scale.size > 3) {
            EXPECT_NEAR(variance, scale.size * scale.size / 16 + 1.0 / 12, 1e-3 * (1 + variance)) << scale.size;
        }
    }
}

TEST(ToneMapping, ShowsTheChosenScale) {
    // Flat ground: everything is calm up to the largest scale. At an edge it is not.
    auto image = makeImage({90, 70}, std::vector<float>(90 * 70, 1.0F));
    for (std::int64_t y = 30; y < 33; ++y)
        for (std::int64_t x = 40; x < 43; ++x) image->view().at(x, y) = 500;
    const RunResult r = run("tonemap:operator=local,output=scale", image);
    EXPECT_EQ(r.image.view().at(2, 2), 1.0F);
    EXPECT_LT(r.image.view().at(41, 31), 0.3F);
    for (std::int64_t i = 0; i < r.image.shape().samples(); ++i) {
        const double steps = static_cast<double>(r.image.view().data[i]) * 7;
        EXPECT_NEAR(steps, std::round(steps), 1e-5);
    }
}

TEST(ToneMapping, CeilingKeepsContrastBelowThatOfTheScene) {
    Image noise = makeSynthetic({.kind = SyntheticKind::noise, .shape = {64, 64, 1, 1}, .seed = 2});
    for (std::int64_t i = 0; i < 4096; ++i)  // most of it within an eighth of the range of logarithms
        noise.view().data[i] = i < 2048 ? std::exp2(static_cast<float>(i) / 128) : 100 + 200 * noise.view().data[i];
    const auto image = std::make_shared<const Image>(std::move(noise));
    const auto steepest = [&](const std::string& step) {
        Problem problem = makeProblem(*image, parseStep(processCatalog(), step).parameters);
        const ToneMappingPlan plan = planToneMapping(problem);
        ToneStatistics statistics;
        for (std::int64_t i = 0; i < 4096; ++i) {
            const double l = static_cast<double>(image->view().data[i]);
            statistics.luminance.add(l);
            statistics.logarithms.add(std::log(plan.parameters.delta + l));
        }
        const BinScale<double> scale = adjustmentScale(plan, statistics);
        Histogram histogram(plan.parameters.bins);
        for (std::int64_t i = 0; i < 4096; ++i)
            histogram.add(scale.binOf(std::log(plan.parameters.delta + static_cast<double>(image->view().data[i]))));
        const AdjustmentCurve curve = adjustmentCurve(plan, statistics, histogram);
        double most = 0;  // change of log display luminance for a change of log luminance
        for (std::size_t k = 0; k + 1 < curve.cumulative.size(); ++k)
            most = std::max(most, (curve.cumulative[k + 1] - curve.cumulative[k]) * curve.logRange * scale.perUnit);
        EXPECT_NEAR(curve.cumulative.front(), 0, 1e-12);
        EXPECT_NEAR(curve.cumulative.back(), 1, 1e-12);
        return most;
    };
    EXPECT_GT(steepest("tonemap:operator=histogram,ceiling=false,bins=32"), 2);
    EXPECT_LT(steepest("tonemap:operator=histogram,bins=32"), 1.05) << "2.5 % of the counts may remain above it";
    EXPECT_GT(statistic(run("tonemap:operator=histogram,bins=32", image), "trimmed"), 10);
    // What fits into the display is left as it is, but for its scale.
    const ImagePtr low = makeImage({4, 1}, {1, 2, 4, 8});
    const RunResult linear = run("tonemap:operator=histogram", low);
    for (std::int64_t x = 0; x < 4; ++x) EXPECT_FLOAT_EQ(linear.image.view().at(x, 0), low->view().at(x, 0) / 8);
}

TEST(ToneMapping, PresetsComeBeforeWhatIsWritten) {
    const Catalog& catalog = processCatalog();
    const Step step = parseStep(catalog, "tonemap:key=0.3,preset=pfstools,operator=local");
    const auto& p = step.parameters.as<ToneMappingParameters>();
    EXPECT_EQ(p.key, 0.3);
    EXPECT_EQ(p.phi, 1);
    EXPECT_EQ(p.op, ToneOperator::local);
    EXPECT_EQ(toText(parseStep(catalog, toText(step))), toText(step)) << "a recipe keeps the values, not the name";
    EXPECT_EQ(toText(parseStep(catalog, "tonemap:preset=opencv")), "tonemap:operator=photoreceptor,luminance=rec601");
    EXPECT_THROW(parseStep(catalog, "tonemap:preset=unknown"), Error);
    EXPECT_THROW(parseStep(catalog, "convolve:preset=paper"), Error);
    for (const auto& operation : catalog.operations()) {
        EXPECT_LT(operation->parameters().find("preset"), 0) << operation->id() << ": the word stands for presets";
        for (const ParameterPreset& preset : presetsOf(*operation)) {
            ParameterBlock block(operation->parameters());
            EXPECT_NO_THROW(applyPreset(block, preset)) << preset.key;
            EXPECT_FALSE(preset.title.empty());
            EXPECT_GT(preset.help.size(), 20U) << preset.key;
        }
    }
}

TEST(ToneMapping, InAPipeline) {
    const Catalog& catalog = processCatalog();
    const auto image = std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::hdrRamp, .shape = {64, 48, 1, 3}}));
    Pipeline pipeline;
    for (const char* step : {"convolve:kernel=box,size=3", "tonemap:operator=local,scales=3", "convolve:kernel=box,size=5"})
        pipeline.steps.push_back(parseStep(catalog, step));
    pipeline.steps[0].enabled = false;
    RunContext context;
    PreparedRun run = Engine(catalog).prepare(pipeline, image, parseTarget("reference"), context);
    EXPECT_TRUE(run.statistics(context).empty()) << "nothing is known before a run";
    run.run(context);
    const std::vector<StatisticRecord> statistics = run.statistics(context);
    ASSERT_FALSE(statistics.empty());
    for (const StatisticRecord& f : statistics) {
        EXPECT_EQ(f.step, 0) << "among the enabled ones";
        EXPECT_EQ(f.operation, "tonemap");
        EXPECT_FALSE(f.title.empty());
    }
    const Tolerance own = pipeline.steps[1].operation->tolerance(makeProblem(*image, pipeline.steps[1].parameters));
    EXPECT_GT(own.ambiguous, 0);
    EXPECT_DOUBLE_EQ(run.tolerance().ambiguous, 25 * own.ambiguous) << "an ambiguous sample reaches 5 x 5 of the last step";
    // The last step is held to what tone mapping can give, not to what its steepest slope would make of the input.
    EXPECT_LT(run.tolerance().absolute, 1);
}

TEST(ToneMapping, AmbiguousSamplesSpreadByTheReachOfTheNextStep) {
    const auto image = std::make_shared<const Image>(makeSynthetic({.kind = SyntheticKind::hdrRamp, .shape = {512, 512, 1, 3}}));
    const Step local = parseStep(processCatalog(), "tonemap:operator=local,scales=3");
    const double own = local.operation->tolerance(makeProblem(*image, local.parameters)).ambiguous;
    ASSERT_GT(own, 0);
    // Four bands, the windows of a round trip, three mixed channels. More transforms: tolerance_model_test.cpp.
    for (const auto& [step, samples] :
         {std::pair("dwt:wavelet=haar,levels=1", 4), {"wavelet-denoise:wavelet=haar,levels=1", 25}, {"tonemap:encoding=srgb", 3}}) {
        Pipeline pipeline;
        pipeline.steps = {local, parseStep(processCatalog(), step)};
        const double last = pipeline.steps[1].operation->tolerance(makeProblem(*image, pipeline.steps[1].parameters)).ambiguous;
        RunContext context;
        const PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, parseTarget("reference"), context);
        EXPECT_DOUBLE_EQ(run.tolerance().ambiguous, samples * own + last) << step;
    }
}

TEST(ToneMapping, TheCurveIsWhatGreyPixelsBecame) {
    // Grey in equal ratios over five powers of ten, in columns wide enough that the surround of the middle one is as bright as its pixel.
    constexpr int kSteps = 24, kWidth = 40;
    auto image = std::make_shared<Image>(Buffer(Shape{kSteps * kWidth, 3, 1, 3}));
    for (int c = 0; c < 3; ++c)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < kSteps * kWidth; ++x)
                image->view().at(x, y, 0, c) = static_cast<float>(1e-3 * std::pow(10.0, 5.0 * (x / kWidth) / (kSteps - 1)));
    for (const std::string step :
         {"operator=global", "operator=global,white=3,encoding=srgb", "operator=local,scales=2",
          "operator=photoreceptor,light=0.6,intensity=1", "operator=photoreceptor,chromatic=0.5,light=0.5,encoding=decode",
          "operator=histogram,bins=512", "operator=histogram,ceiling=false"})
        for (const char* backend : {"reference", "openmp"}) {
            if (!processCatalog().backend(backend).availability().yes) continue;
            Pipeline pipeline;
            pipeline.steps.push_back(parseStep(processCatalog(), "tonemap:" + step));
            RunContext context;
            PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, parseTarget(backend), context);
            EXPECT_TRUE(run.transfers(context).empty()) << "nothing is known before a run";
            run.run(context);
            const std::vector<TransferRecord> records = run.transfers(context);
            ASSERT_EQ(records.size(), 1U) << step;
            EXPECT_EQ(records[0].operation, "tonemap");
            const TransferCurve& curve = records[0].curve;
            ASSERT_EQ(curve.input.size(), curve.output.size());
            ASSERT_GT(curve.input.size(), 100U);
            EXPECT_NEAR(curve.input.front(), 1e-3, 1e-8);
            EXPECT_NEAR(curve.input.back(), 100, 1e-3);
            const View<const float> out = run.output();
            for (int i = 0; i < kSteps; ++i) {
                const int x = i * kWidth + kWidth / 2;
                const double in = static_cast<double>(image->view().at(x, 1));
                std::size_t k = 1;
                while (k + 1 < curve.input.size() && curve.input[k] < in) ++k;
                const double t = (in - curve.input[k - 1]) / (curve.input[k] - curve.input[k - 1]);
                const double expected = curve.output[k - 1] + t * (curve.output[k] - curve.output[k - 1]);
                EXPECT_NEAR(static_cast<double>(out.at(x, 1)), expected, 1e-2 * std::max(expected, 0.02))
                    << step << " " << backend << " " << in;
            }
        }
    // Which surround a pixel got is no light, and a single value is no curve.
    RunContext context;
    for (const auto& [step, input] : {std::pair<const char*, ImagePtr>{"tonemap:operator=local,output=scale", image},
                                      {"tonemap", makeImage({1, 1, 1, 1}, {5})},
                                      {"tonemap", makeImage({2, 1, 1, 1}, {0, 0})}}) {
        Pipeline pipeline;
        pipeline.steps.push_back(parseStep(processCatalog(), step));
        PreparedRun run = Engine(processCatalog()).prepare(pipeline, input, parseTarget("reference"), context);
        run.run(context);
        EXPECT_TRUE(run.transfers(context).empty()) << step;
    }
}

TEST(ToneMapping, AWhitePointIsPicked) {
    const auto image = makeImage({1, 1, 1, 4}, {4, 2, 1, 0.5F}, {"R", "G", "B", "A"});
    Step step = parseStep(processCatalog(), "tonemap");
    const Operation& operation = *step.operation;
    const int white = step.parameters.table().find("white");
    ASSERT_GE(white, 0);
    EXPECT_TRUE(step.parameters.table().infos()[static_cast<std::size_t>(white)].pickable);
    const auto picked = [&](std::vector<float> samples) {
        return pickedValueOf(operation, makeProblem(*image, step.parameters), "white", samples);
    };
    EXPECT_NEAR(picked({4, 2, 1, 0.5F}), 0.2126 * 4 + 0.7152 * 2 + 0.0722, 1e-12);
    EXPECT_NEAR(picked({-4, -2, -1, 1}), 0.2126 * 4 + 0.7152 * 2 + 0.0722, 1e-12) << "magnitudes, as the operator takes them";
    EXPECT_EQ(picked({0, 0, 0, 1}), 0);
    EXPECT_TRUE(std::isnan(picked({1, kNan, 1, 1})));
    step.parameters.setText("luminance", "paper");
    EXPECT_NEAR(picked({1, 0, 0, 1}), 0.27, 1e-12);
    EXPECT_THROW((void)pickedValueOf(operation, makeProblem(*image, step.parameters), "key", std::vector<float>(4)), Error);
    // The picked luminance becomes white.
    step.parameters.setText("luminance", "rec709");
    const auto grey = makeImage({3, 1, 1, 1}, {0.1F, 7, 40});
    EXPECT_NEAR(static_cast<double>(run("tonemap:white=7", grey).image.view().at(1, 0)), 1, 1e-6);
}

TEST(ToneMapping, BoundsItsResults) {
    for (const std::string& op : kOperators)
        for (const std::uint64_t seed : {1U, 2U}) {
            Image image = makeSynthetic({.kind = SyntheticKind::noise, .shape = {40, 30, 1, 3}, .seed = seed});
            for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = std::exp2(20 * image.view().data[i] - 10);
            const auto shared = std::make_shared<const Image>(std::move(image));
            const Step step = parseStep(processCatalog(), "tonemap:operator=" + op);
            const Problem problem = makeProblem(*shared, step.parameters);
            const RunResult r = run("tonemap:operator=" + op, shared);
            EXPECT_LE(computeStatistics(r.image).maxAbs(), step.operation->largestOutput(problem) * (1 + 1e-6)) << op;
        }
}

TEST(ToneMapping, BoundsWhatIsNegativeInSrgb) {
    const auto grey = makeImage({3, 1, 1, 1}, {-0.9F, 0.1F, 0.4F});
    Image colour = makeSynthetic({.kind = SyntheticKind::noise, .shape = {40, 30, 1, 3}});
    for (std::int64_t i = 0; i < colour.shape().samples(); ++i) colour.view().data[i] = std::exp2(20 * colour.view().data[i] - 10);
    const auto light = std::make_shared<const Image>(std::move(colour));
    const auto check = [](const std::string& text, const ImagePtr& image) {
        const Step step = parseStep(processCatalog(), text);
        const SampleStatistics s = computeStatistics(run(text, image).image);
        EXPECT_LT(s.min, 0) << text;
        EXPECT_LE(s.maxAbs(), step.operation->largestOutput(makeProblem(*image, step.parameters)) * (1 + 1e-6)) << text;
    };
    check("tonemap:encoding=srgb", grey);
    check("tonemap:encoding=srgb,saturation=1.3,white=0.8", light);
    check("tonemap:encoding=srgb,saturation=1.3,operator=photoreceptor", light);
}

}  // namespace
}  // namespace parallax
