// SPDX-License-Identifier: GPL-3.0-or-later
// Saving and loading restores samples and metadata.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

class Saving : public testing::Test {
protected:
    std::string path(const std::string& name) const { return folder_ / name; }
    test::TemporaryFolder folder_;
};

Image noise(std::int64_t width, std::int64_t height, std::int64_t channels) {
    return makeSynthetic({SyntheticKind::noise, {width, height, 1, channels}, 7});
}

double maxDifference(const Image& a, const Image& b) { return compareViews(a.view(), b.view()).maxAbs; }

TEST_F(Saving, ExrKeepsFloatsExactlyWithEveryLosslessCompression) {
    Image image = noise(67, 41, 4);
    image.view().at(3, 4, 0, 0) = std::nanf("");
    image.view().at(5, 6, 0, 1) = HUGE_VALF;
    for (const std::string& compression : exrCompressions()) {
        const bool lossy = compression == "pxr24" || compression.starts_with("b44") || compression.starts_with("dwa");
        SaveOptions options;
        options.exrCompression = compression;
        options.overwrite = true;
        saveImage(image, path("a.exr"), options);
        const Image back = loadImage(path("a.exr"));
        const DifferenceMetrics m = compareViews(image.view(), back.view());
        // The cosine transform of DWA has no place for NaN.
        if (!compression.starts_with("dwa")) {
            EXPECT_EQ(m.nanMismatches, 0U) << compression;
        }
        EXPECT_LE(m.maxAbs, lossy ? 2e-2 : 0.0) << compression;
    }
}

TEST_F(Saving, ExrKeepsNamesWindowsAndMetadata) {
    Image image(Buffer(Shape{9, 7, 1, 3}), {"diffuse.R", "diffuse.Z", "Q"});
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = static_cast<float>(i) / 8;
    image.dataWindow = Window{-3, 5, 5, 11};
    image.displayWindow = Window{0, 0, 19, 29};
    image.pixelAspectRatio = 1.5;
    image.metadata.push_back({"owner", "string", "someone", {}});
    image.metadata.push_back({"screenWindowWidth", "float", "2.5", {0, 0, 0x20, 0x40}});  // a default of OpenEXR that an image may change
    image.metadata.push_back({"screenWindowCenter", "string", "a text here", {}});        // of another type than OpenEXR's: left out
    saveImage(image, path("a.exr"));
    const Image once = loadImage(path("a.exr"));
    saveImage(once, path("b.exr"));
    const Image twice = loadImage(path("b.exr"));
    for (const Image* back : {&once, &twice}) {
        EXPECT_EQ(*back->dataWindow, *image.dataWindow);
        EXPECT_EQ(*back->displayWindow, *image.displayWindow);
        EXPECT_EQ(back->pixelAspectRatio, 1.5);
        const auto text = [&](const std::string& name) {
            for (const auto& e : back->metadata)
                if (e.name == name) return e.text;
            return std::string("missing");
        };
        EXPECT_EQ(text("owner"), "someone");
        EXPECT_EQ(text("screenWindowWidth"), "2.5");
        EXPECT_NE(text("screenWindowCenter"), "a text here");
        for (std::size_t c = 0; c < 3; ++c) {
            const auto& names = back->channelNames();
            const auto it = std::find(names.begin(), names.end(), image.channelNames()[c]);
            ASSERT_NE(it, names.end());
            EXPECT_EQ(back->view().at(4, 3, 0, it - names.begin()), image.view().at(4, 3, 0, static_cast<std::int64_t>(c)));
        }
    }
    EXPECT_EQ(once.channelNames(), twice.channelNames());
}

TEST_F(Saving, KeepsHalf) {
    SaveOptions options;
    options.depth = StoredDepth::half;
    saveImage(noise(16, 16, 3), path("a.exr"), options);
    const Image half = loadImage(path("a.exr"));
    EXPECT_EQ(half.source.storedChannels[0].type, "half");
    saveImage(half, path("b.exr"));
    const Image again = loadImage(path("b.exr"));
    EXPECT_EQ(again.source.storedChannels[0].type, "half");
    EXPECT_EQ(maxDifference(half, again), 0);
}

TEST_F(Saving, CoefficientsOfAHalfImageAreSavedAsFloat) {
    Image image = noise(33, 17, 1);
    image.source.format = "OpenEXR";
    image.source.storedChannels = {{"Y", "half"}};
    image.metadata.push_back({"parallax.dwt", "string", "wavelet=db4", {}});
    saveImage(image, path("a.exr"));
    EXPECT_EQ(maxDifference(image, loadImage(path("a.exr"))), 0);
    SaveOptions options;
    options.depth = StoredDepth::half;
    saveImage(image, path("b.exr"), options);
    EXPECT_GT(maxDifference(image, loadImage(path("b.exr"))), 0) << "on request";
    image.metadata.clear();
    saveImage(image, path("c.exr"));
    EXPECT_GT(maxDifference(image, loadImage(path("c.exr"))), 0) << "pictures keep the type of their source";
}

TEST_F(Saving, RestoresEveryStoredValueOfPng) {
    for (const int maximum : {255, 65535})
        for (const auto& [transfer, gamma] :
             {std::pair{TransferFunction::sRgb, 1.0}, {TransferFunction::linear, 1.0}, {TransferFunction::gamma, 2.2}}) {
            const auto table = decodingTable(transfer, gamma, maximum);
            for (int i = 0; i <= maximum; ++i)
                ASSERT_EQ(encodeSample(static_cast<double>(table[static_cast<std::size_t>(i)]), transfer, gamma, maximum), i);
        }
}

TEST_F(Saving, PngKeepsDepthAndSamples) {
    for (const std::int64_t channels : {1, 2, 3, 4})
        for (const StoredDepth depth : {StoredDepth::uint8, StoredDepth::uint16}) {
            SaveOptions options;
            options.depth = depth;
            options.overwrite = true;
            saveImage(noise(33, 17, channels), path("a.png"), options);
            const Image first = loadImage(path("a.png"));
            EXPECT_EQ(first.source.storedChannels[0].type, depth == StoredDepth::uint8 ? "uint8" : "uint16");
            EXPECT_EQ(first.shape().channels, channels);
            options.depth = StoredDepth::automatic;
            saveImage(first, path("b.png"), options);
            const Image second = loadImage(path("b.png"));
            EXPECT_EQ(second.source.storedChannels[0].type, first.source.storedChannels[0].type);
            EXPECT_EQ(maxDifference(first, second), 0);
        }
}

TEST_F(Saving, StoresAndNamesTheChosenEncoding) {
    Image image = noise(33, 17, 3);
    image.view().at(1, 2, 0, 0) = 0.5F;
    SaveOptions options;
    options.depth = StoredDepth::uint16;
    options.overwrite = true;
    for (const auto& [encoding, transfer] :
         {std::pair{StoredEncoding::linear, TransferFunction::linear}, {StoredEncoding::sRgb, TransferFunction::sRgb}}) {
        options.encoding = encoding;
        saveImage(image, path("a.png"), options);
        const Image back = loadImage(path("a.png"));
        EXPECT_EQ(back.source.transfer, transfer);
        // The same light, whatever the codes.
        EXPECT_NEAR(back.view().at(1, 2, 0, 0), 0.5, 1e-4);
        EXPECT_LT(maxDifference(image, back), 1e-4);
        // The choice wins over what the source had.
        options.encoding = transfer == TransferFunction::linear ? StoredEncoding::sRgb : StoredEncoding::linear;
        saveImage(back, path("b.png"), options);
        EXPECT_NE(loadImage(path("b.png")).source.transfer, transfer);
    }
}

TEST_F(Saving, RefusesDepthsAndEncodingsThatTheFormatLacks) {
    const Image image = noise(8, 8, 3);
    const auto refused = [&](const char* name, StoredDepth depth, StoredEncoding encoding) {
        SaveOptions options;
        options.depth = depth;
        options.encoding = encoding;
        EXPECT_THROW(saveImage(image, path(name), options), Error) << name;
        EXPECT_FALSE(fs::exists(path(name))) << name;
    };
    using enum StoredEncoding;
    refused("a.exr", StoredDepth::float32, sRgb);
    refused("a.exr", StoredDepth::uint8, automatic);
    refused("a.png", StoredDepth::half, automatic);
    refused("a.tif", StoredDepth::uint16, linear);
    refused("a.jpg", StoredDepth::automatic, linear);
    refused("a.jpg", StoredDepth::uint16, automatic);
    refused("a.pfm", StoredDepth::automatic, sRgb);
}

TEST_F(Saving, WarnsOfEmptyAlphaWhichMayBeLeftOut) {
    Image image = noise(9, 7, 4);
    EXPECT_TRUE(noteOnEmptyAlpha(image).empty());
    for (std::int64_t y = 0; y < 7; ++y)
        for (std::int64_t x = 0; x < 9; ++x) image.view().at(x, y, 0, 3) = 0;
    ASSERT_EQ(image.channelNames().back(), "A");
    const std::string note = noteOnEmptyAlpha(image);
    EXPECT_NE(note.find("look empty"), std::string::npos);
    EXPECT_NE(note.find("--no-alpha"), std::string::npos);
    for (const char* name : {"a.png", "a.tif"}) {
        SaveOptions options;
        options.overwrite = true;
        const auto with = saveImage(image, path(name), options);
        EXPECT_NE(std::find(with.begin(), with.end(), note), with.end()) << name;
        options.withoutAlpha = true;
        EXPECT_TRUE(saveImage(image, path(name), options).empty()) << name;
        const Image back = loadImage(path(name));
        ASSERT_EQ(back.shape().channels, 3) << name;
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(back.view().at(4, 3, 0, c), image.view().at(4, 3, 0, c), 1e-4) << name;
    }
    SaveOptions without;
    without.withoutAlpha = true;
    for (const char* name : {"a.exr", "a.jpg", "a.pfm"}) EXPECT_THROW((void)saveImage(image, path(name), without), Error) << name;
    // One pixel is enough; EXR keeps colours beside an alpha of 0.
    image.view().at(8, 6, 0, 3) = 0.5F;
    EXPECT_TRUE(noteOnEmptyAlpha(image).empty());
    image.view().at(8, 6, 0, 3) = 0;
    EXPECT_TRUE(saveImage(image, path("a.exr")).empty());
}

TEST_F(Saving, RestoresOtherFormats) {
    const Image image = noise(40, 30, 3);
    for (const std::string name : {"a.pfm", "a.tif"}) {
        saveImage(image, path(name));
        EXPECT_EQ(maxDifference(image, loadImage(path(name))), 0) << name;
    }
    saveImage(image, path("a.hdr"));
    EXPECT_LT(maxDifference(image, loadImage(path("a.hdr"))), 0.01);
    saveImage(image, path("a.jpg"));
    EXPECT_LT(compareViews(image.view(), loadImage(path("a.jpg")).view()).rmse, 0.3);
    // Its last two bytes say that it is complete, and without them that is known.
    EXPECT_FALSE(loadImage(path("a.jpg")).source.incomplete);
    fs::resize_file(path("a.jpg"), fs::file_size(path("a.jpg")) - 2);
    EXPECT_TRUE(loadImage(path("a.jpg")).source.incomplete);
}

TEST_F(Saving, TiffKeepsAlphaAtEveryDepth) {
    for (const std::int64_t channels : {2, 4})
        for (const StoredDepth depth : {StoredDepth::uint8, StoredDepth::uint16, StoredDepth::float32}) {
            Image image = noise(33, 17, channels);
            // Associated: no colour beyond its alpha.
            for (std::int64_t c = 0; c + 1 < channels; ++c)
                for (std::int64_t y = 0; y < 17; ++y)
                    for (std::int64_t x = 0; x < 33; ++x) image.view().at(x, y, 0, c) *= image.view().at(x, y, 0, channels - 1);
            SaveOptions options;
            options.depth = depth;
            options.overwrite = true;
            saveImage(image, path("a.tif"), options);
            const Image back = loadImage(path("a.tif"));
            ASSERT_EQ(back.shape().channels, channels);
            const double tolerance = depth == StoredDepth::float32 ? 0 : depth == StoredDepth::uint16 ? 1e-4 : 1e-2;
            for (std::int64_t c = 0; c < channels; ++c)
                EXPECT_LE(compareViews(image.view().channel(c), back.view().channel(c)).maxAbs, tolerance) << "channel " << c;
        }
}

TEST_F(Saving, KeepsPrimariesFromExrToPngAndBack) {
    Image image = noise(9, 7, 3);
    EXPECT_FALSE(unusualPrimaries(image));
    image.metadata.push_back({"chromaticities", "chromaticities", "red 0.64 0.33, green 0.3 0.6, blue 0.15 0.06, white 0.3127 0.329", {}});
    EXPECT_FALSE(unusualPrimaries(image)) << "those of sRGB";
    image.metadata.back().text = "red 0.708 0.292, green 0.17 0.797, blue 0.131 0.046, white 0.3127 0.329";
    const auto expectRec2020 = [](const std::optional<Primaries>& p) {
        ASSERT_TRUE(p);
        EXPECT_NEAR(p->white[0], 0.3127, 1e-5);
        EXPECT_NEAR(p->red[0], 0.708, 1e-5);
        EXPECT_NEAR(p->green[1], 0.797, 1e-5);
        EXPECT_NEAR(p->blue[1], 0.046, 1e-5);
    };
    expectRec2020(unusualPrimaries(image));
    EXPECT_TRUE(saveImage(image, path("a.png")).empty());
    const Image png = loadImage(path("a.png"));
    expectRec2020(unusualPrimaries(png));
    EXPECT_EQ(png.source.transfer, TransferFunction::sRgb);
    EXPECT_TRUE(saveImage(png, path("a.exr")).empty());
    const Image exr = loadImage(path("a.exr"));
    EXPECT_TRUE(std::any_of(exr.metadata.begin(), exr.metadata.end(),
                            [](const MetadataEntry& e) { return e.name == "chromaticities" && e.type == "chromaticities"; }));
    expectRec2020(unusualPrimaries(exr));
    for (const char* name : {"a.tif", "a.jpg", "a.hdr", "a.pfm"}) EXPECT_EQ(saveImage(exr, path(name)).size(), 1U) << name;
}

TEST_F(Saving, HdrKeepsItsBytes) {
    saveImage(makeSynthetic({SyntheticKind::hdrRamp, {300, 20, 1, 3}, 1}), path("a.hdr"));
    const Image first = loadImage(path("a.hdr"));
    saveImage(first, path("b.hdr"));
    EXPECT_EQ(maxDifference(first, loadImage(path("b.hdr"))), 0);
    for (const std::int64_t width : {1, 7, 8, 129}) {
        SaveOptions options;
        options.overwrite = true;
        saveImage(noise(width, 5, 3), path("c.hdr"), options);
        EXPECT_LT(maxDifference(noise(width, 5, 3), loadImage(path("c.hdr"))), 1.01 / 256) << width;
    }
}

TEST_F(Saving, ReportsWhatIsLost) {
    Image image = noise(8, 8, 3);
    image.view().at(1, 1, 0, 0) = -1;
    image.view().at(2, 2, 0, 1) = 1e6F;
    image.view().at(3, 3, 0, 2) = std::nanf("");
    for (const std::string name : {"a.png", "a.jpg", "a.hdr"}) EXPECT_EQ(saveImage(image, path(name)).size(), 1U) << name;
    for (const std::string name : {"a.pfm", "a.tif", "a.exr"}) EXPECT_TRUE(saveImage(image, path(name)).empty()) << name;
    EXPECT_TRUE(std::isnan(loadImage(path("a.pfm")).view().at(3, 3, 0, 2)));
    // A result beyond half's range is not made infinite in silence.
    SaveOptions options;
    options.depth = StoredDepth::half;
    EXPECT_EQ(saveImage(image, path("half.exr"), options).size(), 1U);
    saveImage(noise(8, 8, 3), path("small.exr"), options);
    Image half = loadImage(path("small.exr"));
    half.view().at(2, 2, 0, 1) = 1e6F;
    EXPECT_EQ(saveImage(half, path("grown.exr")).size(), 1U);
    EXPECT_EQ(loadImage(path("grown.exr")).view().at(2, 2, 0, 1), 1e6F);
}

TEST_F(Saving, ReplacesOnlyOnRequest) {
    const Image image = noise(8, 8, 3);
    saveImage(image, path("a.exr"));
    const auto size = fs::file_size(path("a.exr"));
    try {
        saveImage(noise(64, 64, 3), path("a.exr"));
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::output);
    }
    EXPECT_EQ(fs::file_size(path("a.exr")), size);
}

TEST_F(Saving, KeepsTheOldFileWhenCancelled) {
    saveImage(noise(8, 8, 3), path("a.png"));
    const auto size = fs::file_size(path("a.png"));
    std::stop_source source;
    source.request_stop();
    SaveOptions options;
    options.overwrite = true;
    options.stop = source.get_token();
    EXPECT_THROW(saveImage(noise(64, 64, 3), path("a.png"), options), Error);
    EXPECT_EQ(fs::file_size(path("a.png")), size);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator{}), 1);
}

TEST_F(Saving, NamesTheReasonForInvalidTargets) {
    const Image image = noise(4, 4, 1);
    fs::create_directory(path("folder.exr"));
    for (const auto& [target, code] : {std::pair{path("a.xyz"), ErrorCode::usage},
                                       {path("none/a.exr"), ErrorCode::output},
                                       {folder_.path().string() + "/", ErrorCode::output}}) {  // a DICOM series, where something is
        try {
            saveImage(image, target);
            ADD_FAILURE() << target;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), code) << e.what();
        }
    }
    EXPECT_THROW(saveImage(image, path("folder.exr")), Error);
}

TEST_F(Saving, ReportsAFullDiskAndLeavesNoFile) {
    // A memory file system of 64 KiB stands for the full disk; where it cannot be mounted there is nothing to test.
    const std::string disk = path("disk");
    fs::create_directory(disk);
    if (std::system(("mount -t tmpfs -o size=64k tmpfs " + disk + " 2>/dev/null").c_str()) != 0)
        GTEST_SKIP() << "needs the right to mount a small disk";
    for (const std::string name : {"/a.exr", "/a.png", "/a.pfm"}) {
        try {
            saveImage(noise(512, 512, 3), disk + name);
            ADD_FAILURE() << name;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::output) << e.what();
        }
    }
    EXPECT_TRUE(fs::is_empty(disk));
    EXPECT_EQ(std::system(("umount " + disk).c_str()), 0);
}

TEST_F(Saving, LoadingCanBeCancelled) {
    saveImage(noise(2048, 2048, 3), path("a.exr"));
    std::stop_source source;
    LoadOptions options;
    options.threads = 2;  // many threads take the whole image in one go
    options.stop = source.get_token();
    options.progress = [&](double) { source.request_stop(); };
    try {
        (void)loadImage(path("a.exr"), options);
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled);
    }
}

}  // namespace
}  // namespace parallax
