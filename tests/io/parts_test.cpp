// SPDX-License-Identifier: GPL-3.0-or-later
// LoadOptions::part: rows of images and slices of volumes are those of the whole file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

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

    /// Compares rows that are handed out, LoadOptions::rows, with the whole.
    static void checkInOrder(const std::string& input) {
        SCOPED_TRACE(input);
        const Image whole = openInput(input);
        for (const int threads : {1, 3}) {
            LoadOptions options;
            options.threads = threads;
            options.part = PartRange{};
            const Image description = openInput(input, options);
            EXPECT_TRUE(description.samples().empty());
            EXPECT_EQ(description.shape(), whole.shape());
            Image handed = whole.withSamples(Buffer(whole.shape()));
            options.part.reset();
            options.rows = inOrder(handed.view());
            const Image read = openInput(input, options);
            EXPECT_TRUE(read.samples().empty());
            EXPECT_EQ(read.shape(), whole.shape());
            EXPECT_EQ(read.channelNames(), whole.channelNames());
            EXPECT_EQ(read.source.warnings, whole.source.warnings);
            EXPECT_EQ(std::memcmp(handed.samples().data(), whole.samples().data(), whole.samples().bytes()), 0);
        }
    }
    /// Returns what copies rows to their place, and expects each once.
    static std::function<void(std::int64_t, const View<const float>&)> inOrder(const View<float>& to) {
        return [to, next = std::make_shared<std::int64_t>(0)](std::int64_t first, const View<const float>& rows) {
            EXPECT_EQ(first, *next);
            *next = first + rows.shape.height;
            ASSERT_LE(*next, to.shape.height);
            for (std::int64_t c = 0; c < rows.shape.channels; ++c)
                for (std::int64_t y = 0; y < rows.shape.height; ++y)
                    std::copy_n(rows.row(y, 0, c), rows.shape.width, to.row(first + y, 0, c));
        };
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
    EXPECT_FALSE(openInput(file("picture.pfm", "synthetic:gradient:9x8"), options).samples().empty());
    EXPECT_FALSE(openInput(file("packed.nii.gz", "synthetic:noise:9x8x7"), options).samples().empty());
}

TEST_F(Parts, OfPngAndTiffAreHandedOutInOrder) {
    for (const char* const channels : {"1", "3", "4"})
        for (const StoredDepth depth : {StoredDepth::uint8, StoredDepth::uint16}) {
            // Several bands of the reader, and fewer rows than one.
            for (const char* const size : {"900x700", "31x5"}) {
                const std::string image = std::string("synthetic:noise:") + size + ",channels=" + channels;
                checkInOrder(file("picture.png", image, {.overwrite = true, .depth = depth}));
                checkInOrder(file("picture.tif", image, {.overwrite = true, .depth = depth}));
            }
        }
    checkInOrder(file("float.tif", "synthetic:noise:700x900,channels=3"));
    // Palettes, few bits and transparent colours, which libpng reads.
    std::int64_t checked = 0;
    for (const auto& made : std::filesystem::directory_iterator(PARALLAX_MADE_FILES)) {
        const std::string name = made.path().filename().string(), extension = made.path().extension().string();
        if (name.starts_with("bad_") || (extension != ".png" && extension != ".tif")) continue;
        LoadOptions options;
        options.part = PartRange{};
        if (!openInput(made.path().string(), options).samples().empty()) continue;  // interlaced, turned or converted
        checkInOrder(made.path().string());
        ++checked;
    }
    EXPECT_GT(checked, 10);
}

TEST_F(Parts, OfADamagedPngAreHandedOutOnce) {
    const std::string path = file("picture.png", "synthetic:noise:900x700,channels=3");
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    LoadOptions options;
    Buffer handed(Shape{900, 700, 1, 3});
    options.rows = inOrder(handed.view<float>());
    EXPECT_THROW((void)openInput(path, options), Error);
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
