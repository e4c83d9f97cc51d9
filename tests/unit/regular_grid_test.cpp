// SPDX-License-Identifier: GPL-3.0-or-later
// Resampled volumes against scipy's and SimpleITK's (tests/oracles/make_resampled.py).
#include "core/image/regular_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

std::vector<double> numbersOf(const std::string& text) {
    std::istringstream in(text);
    std::vector<double> all;
    for (double v = 0; in >> v;) all.push_back(v);
    return all;
}

/// A volume of a line of the golden file.
Image volumeOf(const std::string& line, std::string& name) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin != std::string::npos;) {
        const std::size_t end = line.find(" | ", begin);
        parts.push_back(line.substr(begin, end == std::string::npos ? end : end - begin));
        begin = end == std::string::npos ? end : end + 3;
    }
    name = parts.at(0);
    const auto size = numbersOf(parts.at(1)), samples = numbersOf(parts.at(7)), padding = numbersOf(parts.at(6));
    const Shape shape{static_cast<std::int64_t>(size.at(0)), static_cast<std::int64_t>(size.at(1)), static_cast<std::int64_t>(size.at(2)),
                      1};
    Image image{Buffer(shape)};
    EXPECT_EQ(static_cast<std::size_t>(shape.samples()), samples.size());
    std::transform(samples.begin(), samples.end(), image.view().data, [](double v) { return static_cast<float>(v); });
    Geometry& g = image.geometry.emplace();
    const auto take = [&](std::size_t part, auto& target) {
        const auto values = numbersOf(parts.at(part));
        ASSERT_EQ(values.size(), target.size());
        std::copy(values.begin(), values.end(), target.begin());
    };
    take(2, g.spacing);
    take(3, g.origin);
    take(4, g.direction);
    g.slicePositions = numbersOf(parts.at(5));
    if (!padding.empty()) image.source.series.emplace().padding = padding.front();
    return image;
}

TEST(RegularGrid, SamplesAreThoseOfOtherPrograms) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/resampled.txt");
    ASSERT_TRUE(file) << "tests/oracles/resampled.txt is missing";
    int volumes = 0;
    for (std::string line, result; std::getline(file, line) && std::getline(file, result); ++volumes) {
        std::string name;
        const Image image = volumeOf(line, name), expected = volumeOf(result, name);
        SCOPED_TRACE(name);
        EXPECT_FALSE(irregularityOf(image).empty());
        const Image regular = onRegularGrid(image);
        ASSERT_EQ(regular.shape(), expected.shape());
        for (std::int64_t i = 0; i < regular.shape().samples(); ++i)
            ASSERT_NEAR(regular.view().data[i], expected.view().data[i], 1e-3) << i;  // of values up to 2,000
        EXPECT_EQ(irregularityOf(regular), "");
        EXPECT_TRUE(regular.geometry->slicePositions.empty());
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(regular.geometry->spacing[i], expected.geometry->spacing[i], 1e-12);
            EXPECT_NEAR(regular.geometry->origin[i], expected.geometry->origin[i], 1e-12);
        }
        for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(regular.geometry->direction[i], expected.geometry->direction[i], 1e-12);
        ASSERT_FALSE(regular.provenance.empty());
        EXPECT_NE(regular.provenance.back().find("linear interpolation"), std::string::npos);
    }
    EXPECT_EQ(volumes, 7);
}

TEST(RegularGrid, NaNStaysAtItsSampleBetweenSlicesThatKeepTheirPlanes) {
    Image image = makeSynthetic({SyntheticKind::gradient, {4, 4, 4, 1}, 1});
    image.geometry.emplace().slicePositions = {0, 1, 3, 4};
    image.view().at(1, 1, 1) = std::numeric_limits<float>::quiet_NaN();
    const Image regular = onRegularGrid(image);
    ASSERT_EQ(regular.shape().depth, 5);
    int notANumber = 0;
    for (std::int64_t i = 0; i < regular.shape().samples(); ++i) notANumber += std::isnan(regular.view().data[i]) ? 1 : 0;
    EXPECT_EQ(notANumber, 2) << "its own sample, and the interpolated one beside it";
}

TEST(RegularGrid, RefusesWhatNeedsNoGrid) {
    Image image = makeSynthetic({SyntheticKind::gradient, {4, 4, 4, 1}, 1});
    EXPECT_EQ(irregularityOf(image), "");
    EXPECT_THROW((void)onRegularGrid(image), Error);
    image.geometry.emplace();
    EXPECT_EQ(irregularityOf(image), "");
    EXPECT_THROW((void)onRegularGrid(image), Error);
    image.geometry->slicePositions = {0, 1, 3, 4};
    image.geometry->direction = {1, 0.5, 0, 0, std::sqrt(0.75), 0, 0, 0, 1};
    EXPECT_THROW((void)onRegularGrid(image), Error) << "oblique rows and columns";
    EXPECT_THROW((void)onRegularGrid(makeSynthetic({SyntheticKind::gradient, {4, 4, 1, 1}, 1})), Error);
}

}  // namespace
}  // namespace parallax
