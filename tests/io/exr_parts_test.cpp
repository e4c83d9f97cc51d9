// SPDX-License-Identifier: GPL-3.0-or-later
// Parts, layers, views and deep data of OpenEXR files, with what other programs find in them (tests/oracles/make_exr_*.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/image/error.hpp"
#include "core/io/formats/exr/exr_choices.hpp"
#include "core/io/loader.hpp"
#include "tests/support/golden_lines.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

std::string golden(const std::string& name) { return std::string(PARALLAX_GOLDEN_FOLDER) + "/exr/" + name; }

TEST(ExrParts, EachChoiceGivesTheSamplesOfOpenExr) {
    const auto lines = goldenLines(golden("parts.txt"));
    for (const std::vector<std::string>& parts : lines) {
        ASSERT_EQ(parts.size(), 4U);
        SCOPED_TRACE(parts[0]);
        const Image image = loadImage(golden(parts[0]));
        const auto size = valuesIn<std::string>(parts[1]), names = valuesIn<std::string>(parts[2]),
                   samples = valuesIn<std::string>(parts[3]);
        ASSERT_EQ(image.shape(), (Shape{std::stoi(size.at(0)), std::stoi(size.at(1)), 1, static_cast<std::int64_t>(names.size())}));
        EXPECT_EQ(image.channelNames(), names);
        ASSERT_EQ(image.source.storedChannels.size(), names.size());
        for (std::size_t c = 0; c < names.size(); ++c) EXPECT_EQ(image.source.storedChannels[c].name, names[c]);
        std::size_t i = 0;
        for (std::int64_t c = 0; c < image.shape().channels; ++c)
            for (std::int64_t y = 0; y < image.shape().height; ++y)
                for (std::int64_t x = 0; x < image.shape().width; ++x)
                    ASSERT_EQ(image.view().at(x, y, 0, c), std::stof(samples.at(i++))) << x << ", " << y << ", " << c;
        EXPECT_EQ(warns(image, "part 0"), parts[0].starts_with("parts") && parts[0].find('#') == std::string::npos);
    }
    EXPECT_EQ(lines.size(), 28U);
}

TEST(ExrParts, PartsOfImagesAreReadOfThem) {
    const Image whole = loadImage(golden("parts_zip.exr#1"));
    LoadOptions rows;
    rows.part = PartRange{20, 27};
    for (const char* const name : {"parts_zip.exr#1", "parts_piz.exr#1"}) {
        const Image part = loadImage(golden(name), rows);
        ASSERT_EQ(part.shape().height, 7);
        for (std::int64_t y = 0; y < 7; ++y)
            for (std::int64_t x = 0; x < 4; ++x) EXPECT_EQ(part.view().at(x, y), whole.view().at(x, y + 20)) << name;
    }
}

TEST(ExrParts, UnknownOnesAreRefusedWithAList) {
    const std::string why = refusal(golden("parts_zip.exr#shadow"));
    EXPECT_TRUE(contains(why, "it has no part, layer or view 'shadow'"));
    EXPECT_TRUE(contains(why, "#beauty: part 0, 6 x 5, R G B"));
    EXPECT_TRUE(contains(why, "#depth.raw: part 1, 4 x 40, Z"));
    EXPECT_TRUE(contains(why, "#passes.key.light: layer, R G B"));
    for (const char* const choice : {"3", "beauty.diffuse", "passes.", "passes.diffuse.", "right"})
        EXPECT_TRUE(contains(refusal(golden("parts_zip.exr#") + choice), "no part, layer or view")) << choice;
    EXPECT_TRUE(contains(refusal(golden("views_zip.exr#centre")), "#right: view, depth.Z R G B"));
    EXPECT_TRUE(contains(refusal(std::string(PARALLAX_MADE_FILES) + "/exr_zip_half.exr#1"), "it has one part without layers"));
}

TEST(ExrParts, AreListedWithTheTextThatChoosesThem) {
    const auto choices = exrChoices(golden("parts_zip.exr"));
    std::string all;
    for (const ExrChoice& c : choices) {
        all += c.choice + " ";
        EXPECT_EQ(loadImage(golden("parts_zip.exr#" + c.choice)).shape().depth, 1);
    }
    EXPECT_EQ(all, "beauty depth.raw passes passes.diffuse passes.key passes.key.light ");
    EXPECT_TRUE(exrChoices(std::string(PARALLAX_MADE_FILES) + "/exr_zip_half.exr").empty());
}

TEST(ExrDeep, IsFlattenedToTheLightAlongEachRay) {
    const auto lines = goldenLines(golden("deep.txt"));
    for (const std::vector<std::string>& parts : lines) {
        ASSERT_EQ(parts.size(), 4U);
        SCOPED_TRACE(parts[0]);
        const Image image = loadImage(golden(parts[0]));
        const auto names = valuesIn<std::string>(parts[2]), samples = valuesIn<std::string>(parts[3]);
        ASSERT_EQ(image.shape(), (Shape{6, 5, 1, static_cast<std::int64_t>(names.size())}));
        EXPECT_TRUE(warns(image, "flattened"));
        EXPECT_EQ(image.dataWindow->minX, 3);
        for (std::size_t n = 0; n < names.size(); ++n) {
            const auto& shown = image.channelNames();
            const auto c = std::find(shown.begin(), shown.end(), names[n]) - shown.begin();
            for (std::int64_t y = 0; y < 5; ++y)
                for (std::int64_t x = 0; x < 6; ++x) {
                    const float expected = std::stof(samples.at(n * 30 + static_cast<std::size_t>(y * 6 + x)));
                    ASSERT_NEAR(image.view().at(x, y, 0, c), expected, 2e-6F * std::max(1.0F, std::fabs(expected))) << names[n] << x << y;
                }
        }
    }
    EXPECT_EQ(lines.size(), 5U);
}

TEST(ExrHeader, AttributesOfAWrongSizeAreRefused) {
    // OpenEXR reads some attributes by their type and the next ones at another place.
    const TemporaryFolder folder;
    std::ifstream file(golden("parts_zip.exr"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (const std::string& name :
         {std::string("dataWindow\0box2i\0", 17), std::string("channels\0chlist\0", 16), std::string("compression\0compression\0", 24)}) {
        const std::size_t size = bytes.find(name) + name.size();
        ASSERT_LT(size, bytes.size());
        for (const int change : {-1, 1}) {
            std::string changed = bytes;
            changed[size] = static_cast<char>(changed[size] + change);
            std::ofstream(folder / "a.exr", std::ios::binary) << changed;
            EXPECT_TRUE(contains(refusal(folder / "a.exr"), "wrong size")) << name.c_str() << change;
        }
    }
}

TEST(ExrDeep, DamagedBlocksAreZeroAndNoted) {
    const TemporaryFolder folder;
    std::ifstream file(golden("deep_none.exr"), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    bytes.resize(bytes.size() - 10);  // of the last line
    std::ofstream(folder / "cut.exr", std::ios::binary) << bytes;
    const Image image = loadImage(folder / "cut.exr"), whole = loadImage(golden("deep_none.exr"));
    EXPECT_TRUE(image.source.incomplete);
    EXPECT_TRUE(warns(image, "1 of 5 lines could not be read and are 0 (the file is truncated within a block)"));
    for (std::int64_t x = 0; x < 6; ++x) {
        EXPECT_EQ(image.view().at(x, 3), whole.view().at(x, 3));
        EXPECT_EQ(image.view().at(x, 4), 0);
    }
}

TEST(ExrParts, FilesNamedWithANumberSignOpen) {
    const TemporaryFolder folder;
    fs::copy_file(golden("parts_zip.exr"), folder / "a#passes.exr");
    EXPECT_EQ(loadImage(folder / "a#passes.exr").channelNames().size(), 3U);
    EXPECT_EQ(loadImage(folder / "a#passes.exr#passes").channelNames().size(), 7U);
}

}  // namespace
}  // namespace parallax::test
