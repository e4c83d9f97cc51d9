// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes saved as NRRD and MetaImage come back with their samples, types and geometry. check_saved_volumes.py asks SimpleITK.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

class SavedVolume : public testing::TestWithParam<std::string> {
protected:
    TemporaryFolder folder_;
    std::string file() const { return folder_ / ("v." + GetParam()); }

    static Image oblique() {
        Image image = makeSynthetic({SyntheticKind::noise, {9, 7, 5, 1}, 3});
        Geometry g;
        g.spacing = {0.7, 1.0 / 3, 2.5};
        g.origin = {-12.5, 7.25, 100.125};
        const double c = std::cos(0.3), s = std::sin(0.3);
        g.direction = {c, -s, 0, s, c, 0, 0, 0, 1};
        g.unit = "HU";
        image.geometry = g;
        image.metadata.clear();  // "orientation: not known"
        return image;
    }
    static void expectSame(const Image& a, const Image& b) {
        ASSERT_EQ(a.shape(), b.shape());
        EXPECT_EQ(std::memcmp(a.samples().data(), b.samples().data(), a.samples().bytes()), 0);
    }
};

TEST_P(SavedVolume, ComesBackWithItsGeometry) {
    const Image image = oblique();
    EXPECT_TRUE(saveImage(image, file()).empty());
    const Image back = loadImage(file());
    expectSame(image, back);
    EXPECT_TRUE(back.source.warnings.empty());
    EXPECT_TRUE(orientationKnown(back));
    EXPECT_EQ(back.geometry->origin, image.geometry->origin);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back.geometry->spacing[i], image.geometry->spacing[i], 1e-15);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(back.geometry->direction[i], image.geometry->direction[i], 1e-15);
    if (GetParam() == "nrrd") {
        EXPECT_EQ(back.geometry->unit, "HU");
    }
}

TEST_P(SavedVolume, KeepsAnUnknownOrientationUnknown) {
    Image image = oblique();
    image.geometry->direction = Geometry{}.direction;
    setOrientationUnknown(image);
    const auto notes = saveImage(image, file());
    const Image back = loadImage(file());
    EXPECT_FALSE(orientationKnown(back));
    EXPECT_EQ(back.geometry->spacing, image.geometry->spacing);
    const bool keepsOrigin = GetParam() == "nrrd";
    EXPECT_EQ(notes.size(), keepsOrigin ? 0U : 1U);
    EXPECT_EQ(back.geometry->origin, keepsOrigin ? image.geometry->origin : Geometry{}.origin);
}

TEST_P(SavedVolume, KeepsIntegersOfTheSourceWhereAllSamplesAreSuch) {
    struct Case {
        const char* stored;
        float most;
        const char* saved;
    };
    for (const Case& c :
         {Case{"int16", -32768, "int16"}, Case{"uint8", 255, "int16"}, Case{"uint16", 65535, "uint16"}, Case{"uint16", 65536, "float"},
          Case{"int16", 0.5F, "float"}, Case{"float", 100, "float"}, Case{"int16", std::numeric_limits<float>::quiet_NaN(), "float"}}) {
        SCOPED_TRACE(std::string(c.stored) + " " + std::to_string(c.most));
        Image image{Buffer(Shape{13, 9, 11, 1})};
        for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = static_cast<float>(i % 256);
        image.view().data[5] = c.most;
        image.source.storedChannels = {{"Y", c.stored}};
        SaveOptions options;
        options.overwrite = true;
        EXPECT_TRUE(saveImage(image, file(), options).empty());
        const Image back = loadImage(file());
        EXPECT_EQ(back.source.storedChannels[0].type, c.saved);
        expectSame(image, back);
        options.depth = StoredDepth::float32;
        (void)saveImage(image, file(), options);
        EXPECT_EQ(loadImage(file()).source.storedChannels[0].type, "float");
    }
}

TEST_P(SavedVolume, ReportsUnevenSlices) {
    Image image = oblique();
    image.geometry->slicePositions = {0, 2.5, 5, 10, 12.5};
    const auto notes = saveImage(image, file());
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(contains(notes[0], "uneven slice distances"));
}

TEST_P(SavedVolume, RefusesColours) {
    const Image image = makeSynthetic({SyntheticKind::noise, {9, 7, 1, 3}, 3});
    EXPECT_THROW((void)saveImage(image, file()), Error);
}
INSTANTIATE_TEST_SUITE_P(Formats, SavedVolume, testing::Values("nrrd", "mha"));

}  // namespace
}  // namespace parallax::test
