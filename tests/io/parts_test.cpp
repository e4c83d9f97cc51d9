// SPDX-License-Identifier: GPL-3.0-or-later
// LoadOptions::part: rows of images and slices of volumes are those of the whole file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

class Parts : public testing::Test {
protected:
    /// Saves a generated image; returns the path.
    std::string file(const std::string& name, const std::string& synthetic, const SaveOptions& options = {}) const {
        const std::string path = folder_ / name;
        (void)saveImage(openInput(synthetic), path, options);
        return path;
    }

    /// Compares parts of an input with the whole.
    static void check(const std::string& input) {
        SCOPED_TRACE(input);
        const Image whole = openInput(input);
        LoadOptions options;
        options.part = PartRange{};
        const Image description = openInput(input, options);
        EXPECT_TRUE(description.samples().empty());
        EXPECT_EQ(description.shape(), whole.shape());
        EXPECT_EQ(description.channelNames(), whole.channelNames());
        const bool slices = whole.isVolume();
        const std::int64_t units = slices ? whole.shape().depth : whole.shape().height;
        for (const PartRange& part : {PartRange{0, 1}, PartRange{1, units / 2}, PartRange{units / 2, units}, PartRange{0, units}}) {
            options.part = part;
            const Image some = openInput(input, options);
            Shape shape = whole.shape();
            (slices ? shape.depth : shape.height) = part.count();
            ASSERT_EQ(some.shape(), shape);
            const View<const float> a = some.view(), b = whole.view();
            for (std::int64_t c = 0; c < shape.channels; ++c)
                for (std::int64_t z = 0; z < shape.depth; ++z)
                    for (std::int64_t y = 0; y < shape.height; ++y)
                        ASSERT_TRUE(std::equal(a.row(y, z, c), a.row(y, z, c) + shape.width,
                                               b.row(slices ? y : part.first + y, slices ? part.first + z : z, c)))
                            << "row " << y << ", slice " << z << ", channel " << c << " of " << part.first << " to " << part.last;
        }
    }

    test::TemporaryFolder folder_;
};

TEST_F(Parts, OfOpenExrHaveTheRowsOfTheFile) {
    for (const std::string& compression : exrCompressions()) {
        if (compression == "none" || compression == "zip" || compression == "piz" || compression == "dwaa")
            check(file(compression + ".exr", "synthetic:noise:37x70,channels=3", {.exrCompression = compression}));
    }
}

TEST_F(Parts, OfDenseVolumesHaveTheSlicesOfTheFile) {
    check(file("volume.raw", "synthetic:noise:9x8x7"));
    check(file("volume.nii", "synthetic:noise:9x8x7"));
    check(file("image.raw", "synthetic:noise:9x8"));
    check("raw:9x8x7,offset=352:" + file("more.nii", "synthetic:noise:9x8x7"));
}

TEST_F(Parts, OfSyntheticImagesAreGeneratedAlone) {
    for (const SyntheticKindInfo& kind : syntheticKinds()) {
        check("synthetic:" + kind.key + ":21x18,channels=4");
        check("synthetic:" + kind.key + ":12x11x10");
    }
}

TEST_F(Parts, AreEverythingWhereTheFormatHasNone) {
    LoadOptions options;
    options.part = PartRange{};
    EXPECT_FALSE(openInput(file("picture.png", "synthetic:gradient:9x8"), options).samples().empty());
    EXPECT_FALSE(openInput(file("packed.nii.gz", "synthetic:noise:9x8x7"), options).samples().empty());
}

TEST_F(Parts, OfTruncatedFilesAreRefused) {
    const std::string path = file("volume.raw", "synthetic:noise:9x8x7");
    std::filesystem::resize_file(path, 9 * 8 * 6 * 4);
    LoadOptions options;
    options.part = PartRange{0, 2};
    EXPECT_THROW((void)openInput(path, options), Error);
}

}  // namespace
}  // namespace parallax
