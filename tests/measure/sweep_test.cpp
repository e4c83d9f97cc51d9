// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweeps/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/catalog.hpp"

namespace parallax {
namespace {

SweepPoint base(const std::string& step = "convolve") {
    SweepPoint point;
    point.input = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:noise:24x10,channels=2")));
    point.recipes = {{{}, parsePipeline(processCatalog(), {step})}};
    point.targets = {Target{.backend = "reference"}};
    return point;
}

const SweepAxis* find(const std::vector<SweepAxis>& axes, const std::string& key) {
    const auto it = std::find_if(axes.begin(), axes.end(), [&](const SweepAxis& a) { return a.key == key; });
    return it == axes.end() ? nullptr : &*it;
}

TEST(Sweep, StopsWhileItMakesAnInput) {
    std::stop_source source;
    source.request_stop();
    Image file = makeSynthetic(parseSynthetic("synthetic:noise:8x8"));
    file.source.path = "scene.exr";
    SweepPoint tiled = base();
    tiled.input = std::make_shared<const Image>(std::move(file));
    for (const char* sweep : {"size=64", "weak=2"})
        for (const SweepPoint& point : {base(), tiled}) {
            const auto visit = [](const SweepPoint&, const SweepPosition&) { return ADD_FAILURE(), false; };
            try {
                forEachPoint(sweep, point, visit, source.get_token());
                ADD_FAILURE() << sweep;
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::cancelled);
            }
        }
}

TEST(Sweep, VisitsPointsInOrderUntilTheVisitorStops) {
    std::vector<std::string> names;
    forEachPoint("size=8,16,32", base(), [&](const SweepPoint& point, const SweepPosition& at) {
        names.push_back(point.name());
        EXPECT_EQ(point.input->shape().width, 8 << at.index);
        EXPECT_EQ(point.input->shape().height, 8 << at.index);
        EXPECT_EQ(point.input->shape().channels, 2);
        EXPECT_EQ(at.count, 3u);
        EXPECT_EQ(at.secondsLeft.has_value(), at.index > 0);
        return at.index < 1;
    });
    EXPECT_EQ(names, (std::vector<std::string>{"size=8", "size=16"}));
    forEachPoint("threads=3", base(), [](const SweepPoint& point, const SweepPosition&) {
        EXPECT_EQ(point.targets.front().threads, 3);
        return true;
    });
    forEachPoint("parts=3", base(), [](const SweepPoint& point, const SweepPosition&) {
        EXPECT_EQ(point.targets.front().parts, 3);
        return true;
    });
    forEachPoint("convolve.size=9", base(), [](const SweepPoint& point, const SweepPosition&) {
        EXPECT_EQ(point.recipes.front().pipeline.steps.front().parameters.text("size"), "9");
        return true;
    });
    int visits = 0;
    forEachPoint("", base(), [&](const SweepPoint& point, const SweepPosition& at) {
        EXPECT_TRUE(point.name().empty());
        EXPECT_EQ(at.count, 1u);
        ++visits;
        return true;
    });
    EXPECT_EQ(visits, 1);
}

TEST(Sweep, PartsReplaceThoseOfTheTargets) {
    SweepPoint on = base();
    const Target two{.backend = "cuda", .variant = {}, .device = 3, .parts = 2, .otherDevices = {1}};
    on.targets = {{.backend = "cuda", .variant = {}}, {.backend = "cuda", .variant = {}, .parts = 2}, two};
    std::vector<std::vector<Target>> seen;
    const auto keep = [&](const SweepPoint& point, const SweepPosition&) {
        seen.push_back(point.targets);
        return true;
    };
    forEachPoint("parts=1,2", on, keep);
    const Target one{.backend = "cuda", .variant = {}, .device = 3};
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0], (std::vector<Target>{{.backend = "cuda", .variant = {}}, one}));
    EXPECT_EQ(seen[1], (std::vector<Target>{{.backend = "cuda", .variant = {}, .parts = 2}, two}));
    EXPECT_THROW(forEachPoint("parts=3", on, keep), Error);
}

TEST(Sweep, ImagesOfWeakScalingGrowWithTheParts) {
    std::vector<Shape> shapes;
    forEachPoint("weak=1,3", base(), [&](const SweepPoint& point, const SweepPosition&) {
        shapes.push_back(point.input->shape());
        EXPECT_EQ(std::to_string(point.targets.front().parts), point.at.value);
        return true;
    });
    EXPECT_EQ(shapes, (std::vector<Shape>{{24, 10, 1, 2}, {24, 30, 1, 2}}));
    for (const char* file : {"synthetic:noise:5x3,channels=2", "synthetic:noise:5x3x2"}) {
        SweepPoint point = base();
        Image image = makeSynthetic(parseSynthetic(file));
        image.source.path = "/tmp/a.png";
        const ImagePtr original = point.input = std::make_shared<Image>(std::move(image));
        const Shape& s = original->shape();
        forEachPoint("weak=2", point, [&](const SweepPoint& p, const SweepPosition&) {
            const Shape& grown = p.input->shape();
            EXPECT_EQ(grown, s.depth > 1 ? (Shape{5, 3, 4, 1}) : (Shape{5, 6, 1, 2}));
            for (std::int64_t c = 0; c < grown.channels; ++c)
                for (std::int64_t z = 0; z < grown.depth; ++z)
                    for (std::int64_t y = 0; y < grown.height; ++y)
                        for (std::int64_t x = 0; x < grown.width; ++x)
                            EXPECT_EQ(p.input->view().at(x, y, z, c), original->view().at(x, y % s.height, z % s.depth, c));
            return true;
        });
    }
    EXPECT_THROW(checkSweep("weak=0", base().recipes), Error);
    EXPECT_THROW(checkSweep("weak=1025", base().recipes), Error);
}

TEST(Sweep, TilesAndCropsFiles) {
    SweepPoint point = base();
    Image file = makeSynthetic(parseSynthetic("synthetic:noise:5x3"));
    file.source.path = "/tmp/a.png";
    point.input = std::make_shared<Image>(std::move(file));
    forEachPoint("size=7", point, [&](const SweepPoint& p, const SweepPosition&) {
        EXPECT_EQ(p.input->shape().width, 7);
        for (int y = 0; y < 7; ++y)
            for (int x = 0; x < 7; ++x) EXPECT_EQ(p.input->view().at(x, y, 0, 0), point.input->view().at(x % 5, y % 3, 0, 0));
        return true;
    });
}

TEST(Sweep, RejectsInvalidSweepsBeforeMeasuring) {
    const std::vector<NamedPipeline> recipes = base().recipes;
    for (const char* bad : {"size", "size=", "size=8,", "size=8,x", "size=0", "size=-3", "nonsense=1", "threads=0", "parts=0", "parts=1025",
                            "convolve.size=3,999", "convolve.sise=3", "tone.size=3"})
        EXPECT_THROW(checkSweep(bad, recipes), Error) << bad;
    EXPECT_NO_THROW(checkSweep("", recipes));
}

TEST(Sweep, SetsAParameterInEveryRecipeThatHasIt) {
    SweepPoint point = base("convolve:kernel=box");
    point.recipes.front().name = "A";
    point.recipes.push_back({"B", parsePipeline(processCatalog(), {"tonemap"})});
    point.recipes.push_back({"C", parsePipeline(processCatalog(), {"convolve", "tonemap"})});
    forEachPoint("convolve.size=9", point, [&](const SweepPoint& p, const SweepPosition&) {
        EXPECT_EQ(toText(p.recipes[0].pipeline.steps[0]), "convolve:kernel=box,size=9");
        EXPECT_EQ(toText(p.recipes[1].pipeline.steps[0]), "tonemap");
        EXPECT_EQ(toText(p.recipes[2].pipeline.steps[0]), "convolve:size=9");
        return true;
    });
    EXPECT_NO_THROW(checkSweep("tonemap.key=0.1,0.2", point.recipes));
    EXPECT_THROW(checkSweep("idwt.levels=1", point.recipes), Error);
}

TEST(Sweep, TimeLeftFollowsTheLastPoint) {
    EXPECT_FALSE(sweepSecondsLeft({}, 4));
    EXPECT_DOUBLE_EQ(*sweepSecondsLeft({2}, 4), 6);
    EXPECT_DOUBLE_EQ(*sweepSecondsLeft({2, 4}, 4), 8);  // they grow
    EXPECT_DOUBLE_EQ(*sweepSecondsLeft({4, 2}, 4), 6);  // the mean
    EXPECT_DOUBLE_EQ(*sweepSecondsLeft({1, 1}, 2), 0);
}

TEST(Sweep, SuggestsValidAxes) {
    for (const char* step :
         {"convolve", "convolve:kernel=sharpen,size=7", "convolve:size=4", "convolve:kernel=motion,size=127,border=constant"}) {
        const SweepPoint point = base(step);
        const auto axes = sweepAxes(point.recipes.front().pipeline, *point.input);
        ASSERT_GE(axes.size(), 3u);
        EXPECT_EQ(axes[0].key, "size");
        EXPECT_EQ(axes[1].key, "threads");
        const auto onDevices = sweepAxes(point.recipes.front().pipeline, *point.input, 6);
        ASSERT_EQ(onDevices.size(), axes.size() + 2);
        EXPECT_EQ(onDevices[2].key, "parts");
        EXPECT_EQ(onDevices[3].key, "weak");
        EXPECT_EQ(onDevices[3].values, onDevices[2].values);
        EXPECT_EQ(onDevices[2].values, (std::vector<std::string>{"1", "2", "4", "6"}));
        EXPECT_NO_THROW(checkSweep("parts=1,2,4,6", point.recipes));
        EXPECT_EQ(axes[2].key, "convolve.size");  // changes the work
        EXPECT_TRUE(axes[2].changesWork);
        for (const SweepAxis& axis : axes) {
            std::string text = axis.key + "=";
            for (const std::string& v : axis.values) text += (text.back() == '=' ? "" : ",") + v;
            EXPECT_NO_THROW(checkSweep(text, point.recipes)) << text;
            EXPECT_LE(axis.values.size(), 16u) << text;
            EXPECT_GE(axis.values.size(), 1u) << text;
            EXPECT_EQ(axis.kind == SweepAxis::Kind::parameter, axis.parameter != nullptr) << text;
        }
    }
    // Odd sizes stay odd.
    const SweepPoint odd = base("convolve:size=7");
    const auto oddAxes = sweepAxes(odd.recipes.front().pipeline, *odd.input);
    ASSERT_TRUE(find(oddAxes, "convolve.size"));
    for (const std::string& v : find(oddAxes, "convolve.size")->values) EXPECT_EQ(std::stoi(v) % 2, 1) << v;
    // Parameters without effect and disabled steps are not offered.
    EXPECT_FALSE(find(sweepAxes(odd.recipes.front().pipeline, *odd.input), "convolve.angle"));
    const SweepPoint emboss = base("convolve:kernel=motion");
    EXPECT_TRUE(find(sweepAxes(emboss.recipes.front().pipeline, *emboss.input), "convolve.angle"));
    SweepPoint off = base();
    off.recipes.front().pipeline.steps.front().enabled = false;
    EXPECT_EQ(sweepAxes(off.recipes.front().pipeline, *off.input).size(), 2u);
    // An operation that occurs twice has one axis, since a sweep sets both.
    SweepPoint twice = base();
    Pipeline& pipeline = twice.recipes.front().pipeline;
    pipeline.steps.push_back(pipeline.steps.front());
    const auto axes = sweepAxes(pipeline, *twice.input);
    EXPECT_EQ(std::count_if(axes.begin(), axes.end(), [](const SweepAxis& a) { return a.key == "convolve.size"; }), 1);
}

}  // namespace
}  // namespace parallax
