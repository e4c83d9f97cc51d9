// SPDX-License-Identifier: GPL-3.0-or-later
// Volume rendering on the reference: against NumPy and SciPy (tests/oracles/make_render.py), and what it promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/render/transfer_curve.hpp"

namespace parallax {
namespace {

Image run(const std::vector<std::string>& steps, const Image& image, const std::string& target = "reference") {
    RunContext context;
    const auto input = std::make_shared<const Image>(image.clone());
    return Engine(processCatalog()).run(parsePipeline(processCatalog(), steps), input, parseTarget(target), context).image;
}

std::vector<double> numbersOf(const std::string& text) {
    std::istringstream in(text);
    std::vector<double> all;
    for (double v = 0; in >> v;) all.push_back(v);
    return all;
}

std::vector<std::string> partsOf(const std::string& line) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin != std::string::npos;) {
        const std::size_t end = line.find(" | ", begin);
        parts.push_back(line.substr(begin, end == std::string::npos ? end : end - begin));
        begin = end == std::string::npos ? end : end + 3;
    }
    return parts;
}

Image goldenVolume(const std::string& line) {
    const std::vector<std::string> parts = partsOf(line);
    const std::vector<double> size = numbersOf(parts.at(0)), spacing = numbersOf(parts.at(1)), samples = numbersOf(parts.at(2));
    Image image{
        Buffer({static_cast<std::int64_t>(size.at(0)), static_cast<std::int64_t>(size.at(1)), static_cast<std::int64_t>(size.at(2)), 1})};
    std::transform(samples.begin(), samples.end(), image.view().data, [](double v) { return static_cast<float>(v); });
    image.geometry.emplace().spacing = {spacing.at(0), spacing.at(1), spacing.at(2)};
    return image;
}

TEST(Render, PicturesAreThoseOfNumPyAndSciPy) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/render.txt");
    ASSERT_TRUE(file) << "tests/oracles/render.txt is missing";
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    const Image volume = goldenVolume(line);
    int pictures = 0;
    for (; std::getline(file, line); ++pictures) {
        const std::vector<std::string> parts = partsOf(line);
        const Image picture = run({parts.at(0)}, volume);
        const std::vector<double> size = numbersOf(parts.at(1)), samples = numbersOf(parts.at(2));
        ASSERT_EQ(picture.shape(), (Shape{static_cast<std::int64_t>(size.at(0)), static_cast<std::int64_t>(size.at(1)), 1,
                                          static_cast<std::int64_t>(size.at(2))}))
            << parts[0];
        double worst = 0;
        for (std::size_t i = 0; i < samples.size(); ++i)
            worst = std::max(worst, std::fabs(static_cast<double>(picture.view().data[i]) - samples[i]));
        // Results are floats, and the file has nine digits.
        EXPECT_LT(worst, 2e-7) << parts[0];
    }
    EXPECT_GT(pictures, 9);
}

TEST(Render, AnImageIsItsOwnPicture) {
    const Image image = makeSynthetic({.kind = SyntheticKind::noise, .shape = {37, 23, 1, 3}});
    const Image picture = run({"render"}, image);
    ASSERT_EQ(picture.shape(), image.shape());
    EXPECT_TRUE(std::equal(image.view().data, image.view().data + image.shape().samples(), picture.view().data));
}

TEST(Render, ProjectionsAlongAnAxisAreThoseOfTheSamples) {
    const Image volume = makeSynthetic({.kind = SyntheticKind::noise, .shape = {11, 13, 9, 1}});
    const View<const float> v = volume.view();
    const Image front = run({"render:view=xz,width=11"}, volume), mean = run({"render:mode=mean,view=xz,width=11"}, volume);
    ASSERT_EQ(front.shape(), (Shape{11, 9, 1, 1}));
    for (std::int64_t z = 0; z < 9; ++z)
        for (std::int64_t x = 0; x < 11; ++x) {
            float largest = 0;
            double sum = 0;
            for (std::int64_t y = 0; y < 13; ++y) {
                largest = std::max(largest, v.at(x, y, z));
                sum += static_cast<double>(v.at(x, y, z));
            }
            EXPECT_EQ(front.view().at(x, 8 - z, 0), largest) << "z points up";
            EXPECT_NEAR(static_cast<double>(mean.view().at(x, 8 - z, 0)), sum / 13, 1e-7);
        }
}

TEST(Render, SpacingGivesTheProportions) {
    Image volume = makeSynthetic({.kind = SyntheticKind::noise, .shape = {20, 10, 8, 1}});
    volume.geometry.emplace().spacing = {0.5, 0.5, 2};
    EXPECT_EQ(run({"render"}, volume).shape(), (Shape{20, 10, 1, 1}));
    EXPECT_EQ(run({"render:view=xz"}, volume).shape(), (Shape{13, 20, 1, 1}));
    EXPECT_EQ(run({"render:view=yz,height=32"}, volume).shape(), (Shape{10, 32, 1, 1}));
}

TEST(Render, SamplesThatAreNotFiniteAreLeftOut) {
    Image volume{Buffer({5, 5, 5, 1})};
    std::fill_n(volume.view().data, 125, 1.0F);
    volume.view().at(2, 2, 1) = std::numeric_limits<float>::quiet_NaN();
    volume.view().at(2, 2, 3) = std::numeric_limits<float>::infinity();
    for (std::int64_t z = 0; z < 5; ++z) volume.view().at(4, 4, z) = std::numeric_limits<float>::quiet_NaN();
    volume.view().at(0, 0, 0) = -3;
    for (const char* step : {"render", "render:mode=mean"}) {
        const Image picture = run({step}, volume);
        EXPECT_EQ(picture.view().at(2, 2, 0), 1) << step;
        EXPECT_EQ(picture.view().at(4, 4, 0), -3) << step << ": a ray without samples has the smallest value of the volume";
    }
}

TEST(Render, RaysThatMissHaveTheSmallestValueOrNoLight) {
    Image volume = makeSynthetic({.kind = SyntheticKind::noise, .shape = {9, 9, 9, 1}});
    volume.view().at(4, 4, 4) = -7;
    EXPECT_EQ(run({"render:zoom=0.5"}, volume).view().at(0, 0, 0), -7);
    EXPECT_EQ(run({"render:mode=surface,zoom=0.5,threshold=0.2"}, volume).view().at(0, 0, 0), 0);
}

TEST(Render, TheClippingBoxHidesTheRest) {
    Image volume{Buffer({8, 8, 8, 1})};
    std::fill_n(volume.view().data, volume.shape().samples(), 0.0F);
    volume.view().at(2, 2, 1) = 5;
    EXPECT_EQ(run({"render"}, volume).view().at(2, 2, 0), 5);
    EXPECT_EQ(run({"render:clip-z0=0.5"}, volume).view().at(2, 2, 0), 0);
    EXPECT_EQ(run({"render:clip-x1=0.25"}, volume).view().at(2, 2, 0), 0);
}

TEST(Render, SurfacesAreBrightestWhereTheyFaceTheViewer) {
    Image volume{Buffer({41, 41, 41, 1})};
    for (std::int64_t z = 0; z < 41; ++z)
        for (std::int64_t y = 0; y < 41; ++y)
            for (std::int64_t x = 0; x < 41; ++x)
                volume.view().at(x, y, z) = static_cast<float>(
                    15 - std::hypot(static_cast<double>(x - 20), static_cast<double>(y - 20), static_cast<double>(z - 20)));
    const Image picture = run({"render:mode=surface,threshold=0,azimuth=33,elevation=21"}, volume);
    ASSERT_EQ(picture.shape().channels, 3);
    EXPECT_EQ(picture.channelNames(), (std::vector<std::string>{"R", "G", "B"}));
    // A ball of 15 samples: the light at 9 samples from its centre is that of a slope of cosine 0.8.
    EXPECT_NEAR(static_cast<double>(picture.view().at(20, 20, 0, 0)), 0.92, 2e-3);
    EXPECT_NEAR(static_cast<double>(picture.view().at(29, 20, 0, 0)), 0.92 * (0.15 + 0.85 * 0.8), 5e-3);
    EXPECT_EQ(picture.view().at(37, 20, 0, 0), 0);
}

TEST(Render, OpacityDoesNotDependOnTheStep) {
    Image volume{Buffer({6, 6, 30, 1})};
    std::fill_n(volume.view().data, volume.shape().samples(), 0.5F);
    const double expected = 1 - std::pow(1 - 0.05, 30);
    for (const char* step : {"0.25", "0.5", "1", "2"}) {
        const Image picture =
            run({std::string("render:mode=transfer,shading=false,curve='0:0:#ffffff 1:0.1:#ffffff',step=") + step}, volume);
        EXPECT_NEAR(static_cast<double>(picture.view().at(3, 3, 0, 1)), expected, 1e-6) << step;
    }
}

TEST(Render, APictureHasNeitherGeometryNorOtherChannels) {
    Image volume = makeSynthetic({.kind = SyntheticKind::sheppLogan, .shape = {24, 24, 24, 1}});
    volume.geometry.emplace().spacing = {2, 2, 2};
    volume.source.windows = {{"brain", 0.2, 0.4}};
    const Image projection = run({"render:view=xz"}, volume);
    EXPECT_FALSE(projection.geometry.has_value());
    EXPECT_EQ(projection.source.windows.size(), 1U) << "the values are those of the volume";
    const Image surface = run({"render:mode=surface,threshold=0.1"}, volume);
    EXPECT_TRUE(surface.source.windows.empty());
    // The next step knows the channels, and lengths are pixels.
    const Image later = run({"render:mode=surface,threshold=0.1", "diffuse:weights=uniform,time=1,channels='R,G'"}, volume);
    EXPECT_EQ(later.shape(), (Shape{24, 24, 1, 3}));
}

TEST(Render, RefusesWhatItCannotDo) {
    const auto messageOf = [](const std::string& step, const Shape& shape, const std::string& target = "reference") {
        try {
            (void)run({step}, makeSynthetic({.kind = SyntheticKind::noise, .shape = shape}), target);
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), target == "reference" ? ErrorCode::usage : ErrorCode::unavailable) << e.what();
            return std::string(e.what());
        }
        return std::string("it ran");
    };
    EXPECT_NE(messageOf("render:mode=surface", {8, 8, 8, 3}).find("has 3 channels"), std::string::npos);
    EXPECT_NE(messageOf("render:clip-y0=0.7,clip-y1=0.7", {8, 8, 8, 1}).find("clip-y0 is not below clip-y1"), std::string::npos);
    EXPECT_NE(messageOf("render", {8, 8, 8, 1}, "reference@2").find("Rays cross the whole volume"), std::string::npos);
}

TEST(TransferCurve, RefusesWhatIsNoCurve) {
    for (const char* text : {"", "1:0", "1:0 1:1", "2:0 1:1", "a:0 1:1", "0:-0.1 1:1", "0:2 1:1", "0 1", "0:0:red 1:1", "0:0:#12345 1:1",
                             "0:0:#12345g 1:1", "nan:0 1:1", "0:nan 1:1", "0:0,1:1", "-1e31:0 1:1", "0:0 1e300:1", "0:0 1e-31:1"}) {
        try {
            (void)render::parseCurve(text);
            ADD_FAILURE() << text;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage) << text;
            EXPECT_FALSE(e.whatToDo().empty()) << text;
        }
    }
    EXPECT_EQ(render::parseCurve(" -1000:0  0:0.5:#ff0000\n 3e3:1 ").size(), 3U);
}

TEST(TransferCurve, KnowsWhichValuesAreOpaque) {
    const render::TransferTable table = render::makeTable(render::parseCurve("0:0 100:0 200:0.5 300:0 400:0"), 1);
    EXPECT_FALSE(table.isOpaque(-1000, 90));
    EXPECT_FALSE(table.isOpaque(310, 5000));
    EXPECT_TRUE(table.isOpaque(90, 110));
    EXPECT_TRUE(table.isOpaque(-1000, 5000));
    EXPECT_TRUE(table.isOpaque(250, 250));
    const render::TransferTable ramp = render::makeTable(render::parseCurve("100:0 200:1"), 1);
    EXPECT_FALSE(ramp.isOpaque(-1000, 99));
    EXPECT_TRUE(ramp.isOpaque(-1000, 101));
    EXPECT_TRUE(ramp.isOpaque(1000, 2000)) << "constant beyond the end";
    EXPECT_FALSE(render::makeTable(render::parseCurve("100:1 200:0"), 1).isOpaque(201, 2000));
}

TEST(Render, PresetsAreValid) {
    const Operation& operation = processCatalog().operation("render");
    EXPECT_GE(presetsOf(operation).size(), 4U);
    const Problem problem = makeProblem(makeSynthetic({.kind = SyntheticKind::noise, .shape = {8, 8, 8, 1}}), {});
    for (const ParameterPreset& preset : presetsOf(operation)) {
        Problem with = problem;
        with.parameters = ParameterBlock(operation.parameters());
        applyPreset(with.parameters, preset);
        EXPECT_NO_THROW(operation.check(with)) << preset.key;
    }
}

}  // namespace
}  // namespace parallax
