// SPDX-License-Identifier: GPL-3.0-or-later
// The edge magnitude against SciPy (tests/oracles/make_edges.py), against the derivatives of `convolve`, and what it promises.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

Image run(const std::string& step, const Image& image, const std::string& target = "reference") {
    RunContext context;
    const auto input = std::make_shared<const Image>(image.clone());
    return Engine(processCatalog()).run(parsePipeline(processCatalog(), {step}), input, parseTarget(target), context).image;
}

std::vector<std::string> availableTargets() {
    std::vector<std::string> targets;
    for (const auto& backend : processCatalog().backends())
        if (backend->availability().yes && !processCatalog().implementations("edges", backend->id()).empty())
            targets.push_back(backend->id());
    return targets;
}

/// `relative`: to the largest finite sample of `b`, by which float32 rounds.
void expectSameSamples(const View<const float>& a, const View<const float>& b, double relative, const std::string& what) {
    ASSERT_EQ(a.shape, b.shape) << what;
    double largest = 0;
    for (std::int64_t i = 0; i < b.shape.samples(); ++i)
        if (std::isfinite(b.data[i])) largest = std::max(largest, std::fabs(static_cast<double>(b.data[i])));
    for (std::int64_t i = 0; i < a.shape.samples(); ++i) {
        const auto u = static_cast<double>(a.data[i]), v = static_cast<double>(b.data[i]);
        if (std::isfinite(v)) ASSERT_NEAR(u, v, relative * largest) << what << " sample " << i;
        else ASSERT_TRUE(std::isnan(v) ? std::isnan(u) : u == v) << what << " sample " << i << ": " << u << ", not " << v;
    }
}

TEST(Edges, AgreeWithScipy) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/edges.txt");
    ASSERT_TRUE(file) << "tests/oracles/edges.txt is missing";
    const auto fieldsOf = [](const std::string& line) {
        const std::size_t bar = line.find(" | ");
        return std::pair(line.substr(0, bar), line.substr(bar + 3));
    };
    const auto read = [](const std::string& text, const Shape& shape) {
        Image image{Buffer(shape)};
        std::istringstream samples(text);
        for (std::int64_t i = 0; i < shape.samples(); ++i) samples >> image.view().data[i];
        return image;
    };
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    const auto [size, samples] = fieldsOf(line);
    Shape shape{1, 1, 1, 1};
    std::istringstream(size) >> shape.width >> shape.height >> shape.depth;
    const Image volume = read(samples, shape);
    int cases = 0;
    for (; std::getline(file, line); ++cases) {
        const auto [step, expected] = fieldsOf(line);
        for (const std::string& target : availableTargets())
            expectSameSamples(run(step, volume, target).view(), read(expected, shape).view(), 1e-6, step + " " + target);
    }
    EXPECT_EQ(cases, 30);
}

TEST(Edges, AreTheMagnitudeOfTheDerivativesOfConvolve) {
    Image volume = makeSynthetic({SyntheticKind::noise, {9, 8, 7, 1}, 5});
    volume.view().at(2, 3, 1) = std::numeric_limits<float>::quiet_NaN();
    volume.view().at(6, 5, 4) = std::numeric_limits<float>::infinity();
    for (const std::string filter : {"sobel", "scharr", "prewitt"})
        for (const std::string axes : {"xy", "xyz"}) {
            Image expected = volume.clone();
            const View<float> out = expected.view();
            std::fill_n(out.data, out.shape.samples(), 0.0F);
            for (const char* along : {"x", "y", "z"}) {
                if (axes == "xy" && *along == 'z') continue;
                const Image derivative = run("convolve:size=3,border=reflect,axes=" + axes + ",kernel=" + filter + "-" + along, volume);
                for (std::int64_t i = 0; i < out.shape.samples(); ++i) out.data[i] += derivative.view().data[i] * derivative.view().data[i];
            }
            for (std::int64_t i = 0; i < out.shape.samples(); ++i) out.data[i] = std::sqrt(out.data[i]);
            const std::string step = "edges:border=reflect,axes=" + axes + ",filter=" + filter;
            for (const std::string& target : availableTargets())
                expectSameSamples(run(step, volume, target).view(), expected.view(), 1e-6, step + " " + target);
        }
}

TEST(Edges, OfARampAreTheStatedNumbers) {
    Image ramp{Buffer({5, 5, 5, 1})};
    for (std::int64_t z = 0; z < 5; ++z)
        for (std::int64_t y = 0; y < 5; ++y)
            for (std::int64_t x = 0; x < 5; ++x) ramp.view().at(x, y, z) = static_cast<float>(x);
    for (const auto& [step, expected] : {std::pair{"edges", 8.0F},
                                         {"edges:filter=scharr", 32.0F},
                                         {"edges:filter=prewitt", 6.0F},
                                         {"edges:axes=xyz", 32.0F},
                                         {"edges:axes=xyz,filter=scharr", 512.0F},
                                         {"edges:axes=xyz,filter=prewitt", 18.0F}})
        EXPECT_EQ(run(step, ramp).view().at(2, 2, 2), expected) << step;
}

TEST(Edges, CopyAlpha) {
    const Image image = makeSynthetic({SyntheticKind::noise, {20, 10, 1, 4}, 6});
    ASSERT_EQ(image.alphaChannel(), 3);
    for (const std::string& target : availableTargets()) {
        const Image out = run("edges", image, target);
        for (std::int64_t y = 0; y < 10; ++y)
            for (std::int64_t x = 0; x < 20; ++x) ASSERT_EQ(out.view().at(x, y, 0, 3), image.view().at(x, y, 0, 3)) << target;
    }
}

TEST(Edges, KeepTheRangeOfFloat) {
    const Image image = makeSynthetic({SyntheticKind::noise, {40, 9, 3, 1}, 7});
    for (const std::string& target : availableTargets())
        for (const std::string step : {"edges", "edges:axes=xyz"})
            for (const int exponent : {90, -90}) {
                // Factors of 2 are exact, so the bits of the significands are the same.
                Image scaled = image.clone();
                for (std::int64_t i = 0; i < scaled.shape().samples(); ++i)
                    scaled.view().data[i] = std::ldexp(scaled.view().data[i], exponent);
                const Image expected = run(step, image, target), result = run(step, scaled, target);
                for (std::int64_t i = 0; i < scaled.shape().samples(); ++i)
                    ASSERT_EQ(result.view().data[i], std::ldexp(expected.view().data[i], exponent)) << target << " " << step;
            }
}

TEST(Edges, OfTheLargestNumbersAreThoseOfTheReference) {
    Image image = makeSynthetic({SyntheticKind::noise, {40, 9, 3, 1}, 8});
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = 3e35F * (image.view().data[i] - 0.5F);
    Image flat{Buffer({20, 4, 3, 1})};
    std::fill_n(flat.view().data, flat.shape().samples(), std::numeric_limits<float>::max());
    for (const std::string& target : availableTargets())
        for (const std::string step : {"edges", "edges:axes=xyz", "edges:filter=scharr,axes=xyz"}) {
            expectSameSamples(run(step, image, target).view(), run(step, image).view(), 1e-6, step + " " + target);
            expectSameSamples(run(step, flat, target).view(), run(step, flat).view(), 1e-6, step + " flat " + target);
        }
}

}  // namespace
}  // namespace parallax
