// SPDX-License-Identifier: GPL-3.0-or-later
// Files of tests/support/make_files.py: valid ones have the samples of its formula; damaged ones are refused or marked incomplete, fast and
// with little memory.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "core/image/error.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/promptness.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_names.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

std::string made(const std::string& name) { return std::string(PARALLAX_MADE_FILES) + "/" + name; }

std::vector<std::string> madeFiles(const std::string& start) {
    std::vector<std::string> names;
    for (const auto& e : fs::directory_iterator(PARALLAX_MADE_FILES))
        if (e.path().filename().string().starts_with(start)) names.push_back(e.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

constexpr std::int64_t kWidth = 13, kHeight = 9;

int formula(std::int64_t x, std::int64_t y, std::int64_t c, int maximum) {
    return static_cast<int>((x * 37 + y * 101 + c * 53 + x * y * 7) % (maximum + 1));
}

/// The integer that a sample of a loaded image was stored as.
int storedValue(const Image& image, std::int64_t x, std::int64_t y, std::int64_t c, int maximum) {
    const int alpha = image.alphaChannel();
    const auto v = static_cast<double>(image.view().at(x, y, 0, c));
    if (c == alpha) return encodeSample(v, TransferFunction::linear, 1, maximum);
    const double a = alpha < 0 ? 1 : static_cast<double>(image.view().at(x, y, 0, alpha));
    return encodeSample(a > 0 ? v / a : 0, image.source.transfer, image.source.gamma, maximum);
}

const MetadataEntry* entry(const Image& image, const std::string& name) {
    for (const MetadataEntry& e : image.metadata)
        if (e.name == name) return &e;
    return nullptr;
}

class PngType : public testing::TestWithParam<std::string> {};
TEST_P(PngType, KeepsEverySampleThroughLoadAndSave) {
    const std::string& name = GetParam();
    const bool palette = name.find("palette") != std::string::npos;
    const int depth = std::atoi(name.c_str() + name.find_first_of("0123456789"));
    const std::int64_t channels = palette ? 3 : (name.find("rgb") != std::string::npos ? 3 : 1) + (name.find("alpha") != std::string::npos);
    const TemporaryFolder folder;
    const Image first = loadImage(made(name));
    (void)saveImage(first, folder / "again.png");
    const Image second = loadImage(folder / "again.png");
    for (const Image* image : {&first, &second}) {
        ASSERT_EQ(image->shape(), (Shape{kWidth, kHeight, 1, channels}));
        // Depths below 8 are saved with 8: their values are the same fractions of the maximum.
        const bool again = image == &second;
        const int maximum = (1 << depth) - 1, saved = palette || (again && depth < 8) ? 255 : maximum;
        EXPECT_EQ(image->source.storedChannels[0].type, "uint" + std::to_string(palette || (again && depth < 8) ? 8 : depth));
        EXPECT_TRUE(image->source.warnings.empty());
        for (std::int64_t y = 0; y < kHeight; ++y)
            for (std::int64_t x = 0; x < kWidth; ++x)
                for (std::int64_t c = 0; c < channels; ++c) {
                    int expected = formula(x, y, c, maximum);
                    if (palette) {
                        const int index = formula(x, y, 0, maximum);
                        expected = (c == 0 ? index * 11 : c == 1 ? index * 29 + 5 : index * 71 + 9) % 256;
                    } else if (saved != maximum) {
                        expected = expected * 255 / maximum;
                    }
                    const int alpha = image->alphaChannel();
                    if (alpha >= 0 && c != alpha && image->view().at(x, y, 0, alpha) <= 0) continue;
                    ASSERT_EQ(storedValue(*image, x, y, c, saved), expected)
                        << name << (again ? " saved again" : "") << " at " << x << ", " << y << ", channel " << c;
                }
    }
}
std::vector<std::string> pngTypes() {
    std::vector<std::string> names;
    for (const std::string& n : madeFiles("png_"))
        if (const auto digit = n.find_first_of("0123456789"); digit != std::string::npos && n[digit - 1] == '_') names.push_back(n);
    return names;
}
INSTANTIATE_TEST_SUITE_P(Made, PngType, testing::ValuesIn(pngTypes()), nameOf);

TEST(MadePng, HasAllTypes) { EXPECT_EQ(pngTypes().size(), 30U); }

TEST(MadePng, TakesTheTransferFunctionFromChunks) {
    EXPECT_EQ(loadImage(made("png_rgb_8.png")).source.transfer, TransferFunction::sRgb);
    const Image linear = loadImage(made("png_linear.png"));
    EXPECT_EQ(linear.source.transfer, TransferFunction::linear);
    EXPECT_FLOAT_EQ(linear.view().at(4, 5), static_cast<float>(formula(4, 5, 0, 65535)) / 65535.0F);
    const Image gamma = loadImage(made("png_gamma18.png"));
    EXPECT_EQ(gamma.source.transfer, TransferFunction::gamma);
    EXPECT_NEAR(gamma.source.gamma, 1.8, 1e-3);
    EXPECT_NEAR(gamma.view().at(4, 5), std::pow(formula(4, 5, 0, 255) / 255.0, gamma.source.gamma), 1e-6);
    EXPECT_EQ(loadImage(made("png_cicp_linear.png")).source.transfer, TransferFunction::linear);
    const TemporaryFolder folder;
    (void)saveImage(gamma, folder / "a.png");
    const Image again = loadImage(folder / "a.png");
    EXPECT_EQ(again.source.transfer, TransferFunction::gamma);
    EXPECT_EQ(storedValue(again, 4, 5, 0, 255), formula(4, 5, 0, 255));
}

TEST(MadePng, TakesTheTransferFunctionOfCodePoints) {
    std::ifstream file(std::string(PARALLAX_GOLDEN_FOLDER) + "/transfer.txt");
    std::map<int, std::vector<double>> light;
    int characteristic = 0, code = 0;
    for (double v = 0; file >> characteristic >> code >> v;) light[characteristic].push_back(v);
    for (const auto& [name, number, channels] :
         {std::tuple{"png_cicp_bt709.png", 1, 1}, {"png_cicp_pq.png", 16, 3}, {"png_cicp_hlg.png", 18, 3}}) {
        ASSERT_EQ(light[number].size(), 256U);
        const Image image = loadImage(made(name));
        ASSERT_EQ(image.shape().channels, channels);
        for (int c = 0; c < channels; ++c)
            for (int y = 0; y < kHeight; ++y)
                for (int x = 0; x < kWidth; ++x) {
                    const double expected = light[number][static_cast<std::size_t>(formula(x, y, c, 255))];
                    EXPECT_NEAR(image.view().at(x, y, 0, c), expected, 1e-6 * expected) << name;
                }
        EXPECT_TRUE(warns(image, "(cICP)"));
    }
    EXPECT_TRUE(unusualPrimaries(loadImage(made("png_cicp_pq.png"))));
}

bool hasChunk(const std::string& path, const std::string& name) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return bytes.find(name) != std::string::npos;
}

TEST(MadePng, NotesSamplesOfNarrowRange) {
    std::ifstream file(made("png_cicp_linear.png"), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = bytes.find("cICP");
    ASSERT_NE(at, std::string::npos);
    bytes[at + 7] = 0;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + at), 8);
    for (std::size_t i = 0; i < 4; ++i) bytes[at + 8 + i] = static_cast<char>(sum >> (24 - 8 * i));
    const TemporaryFolder folder;
    std::ofstream(folder / "a.png", std::ios::binary) << bytes;
    EXPECT_TRUE(warns(loadImage(folder / "a.png"), "narrow range"));
    EXPECT_FALSE(warns(loadImage(made("png_cicp_linear.png")), "narrow range"));
}

TEST(MadePng, WideGamutIsNotWrittenAsSrgb) {
    // cICP 12: Display P3. 22: primaries that are not known here.
    const TemporaryFolder folder;
    const Image p3 = loadImage(made("png_cicp_p3.png"));
    (void)saveImage(p3, folder / "a.png");
    EXPECT_FALSE(hasChunk(folder / "a.png", "sRGB"));
    const auto primaries = unusualPrimaries(loadImage(folder / "a.png"));
    ASSERT_TRUE(primaries);
    EXPECT_NEAR(primaries->red[0], 0.680, 1e-5);
    EXPECT_NEAR(primaries->green[0], 0.265, 1e-5);
    EXPECT_EQ(storedValue(loadImage(folder / "a.png"), 4, 5, 1, 255), formula(4, 5, 1, 255));
    (void)saveImage(loadImage(made("png_cicp_unknown.png")), folder / "b.png");
    EXPECT_FALSE(hasChunk(folder / "b.png", "sRGB"));
    EXPECT_FALSE(hasChunk(folder / "b.png", "cHRM"));
    EXPECT_TRUE(hasChunk(folder / "b.png", "gAMA"));
    // A profile that cannot be kept: its primaries are unknown, too.
    SaveOptions options;
    options.encoding = StoredEncoding::sRgb;
    const auto notes = saveImage(loadImage(made("png_icc_power.png")), folder / "c.png", options);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("profile was not saved"), std::string::npos) << notes[0];
    EXPECT_FALSE(hasChunk(folder / "c.png", "sRGB"));
    EXPECT_FALSE(hasChunk(folder / "c.png", "cHRM"));
}

TEST(MadePng, ExifOrientationIsApplied) {
    for (const std::string name : {"png_exif_before.png", "png_exif_behind.png"}) {
        const Image image = loadImage(made(name));
        ASSERT_EQ(image.shape(), (Shape{kHeight, kWidth, 1, 3})) << name;
        EXPECT_EQ(storedValue(image, kHeight - 1 - 2, 5, 1, 255), formula(5, 2, 1, 255));
        EXPECT_TRUE(warns(image, "turned by 90 degrees clockwise")) << name;
        // Saved upright, and not turned again.
        const TemporaryFolder folder;
        (void)saveImage(image, folder / "a.png");
        EXPECT_EQ(loadImage(folder / "a.png").shape(), image.shape());
    }
}

TEST(MadeOthers, ExifOrientationOfJpegIsApplied) {
    const TemporaryFolder folder;
    Image half(Buffer({40, 24, 1, 3}));
    for (std::int64_t i = 0; i < half.shape().samples(); ++i) half.view().data[i] = i % 40 < 20 ? 0.02F : 0.9F;
    (void)saveImage(half, folder / "a.jpg");
    std::ifstream file(folder / "a.jpg", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    // APP1 behind the start marker: one entry, orientation 6.
    const std::string exif("Exif\0\0MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0\6\0\0\0\0\0\0", 32);
    bytes.insert(2, std::string("\xff\xe1\0", 3) + static_cast<char>(exif.size() + 2) + exif);
    std::ofstream(folder / "b.jpg", std::ios::binary) << bytes;
    const Image image = loadImage(folder / "b.jpg");
    ASSERT_EQ(image.shape(), (Shape{24, 40, 1, 3}));
    // The left half is dark, and so is the upper one of the turned picture.
    EXPECT_LT(image.view().at(12, 5), 0.1F);
    EXPECT_GT(image.view().at(12, 35), 0.7F);
    EXPECT_TRUE(warns(image, "turned by 90 degrees clockwise"));
}

TEST(MadeOthers, RadianceExposureAndCorrectionAreDivided) {
    const TemporaryFolder folder;
    const auto load = [&](const std::string& header) {
        std::ofstream(folder / "a.hdr", std::ios::binary)
            << "#?RADIANCE\n" + header + "FORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n" + std::string("\x80\x40\x20\x81", 4);
        return loadImage(folder / "a.hdr");
    };
    const auto pixel = [](const Image& image) {
        return std::array{image.view().at(0, 0, 0, 0), image.view().at(0, 0, 0, 1), image.view().at(0, 0, 0, 2)};
    };
    EXPECT_EQ(pixel(load("")), (std::array{1.0F, 0.5F, 0.25F}));
    // Lines multiply each other; light is the value divided by them.
    const Image image = load("EXPOSURE=4\nEXPOSURE=0.5\nCOLORCORR=1 2 0.5\n");
    EXPECT_EQ(pixel(image), (std::array{0.5F, 0.125F, 0.25F}));
    ASSERT_TRUE(entry(image, "EXPOSURE"));
    EXPECT_EQ(entry(image, "EXPOSURE")->text, "2 (samples were divided by it)");
    // The saved file holds the light and no exposure.
    (void)saveImage(image, folder / "b.hdr");
    EXPECT_EQ(pixel(loadImage(folder / "b.hdr")), pixel(image));
    for (const std::string bad : {"0", "-1", "x", "inf"}) {
        const Image ignored = load("EXPOSURE=" + bad + "\n");
        EXPECT_EQ(pixel(ignored)[0], 1) << bad;
        EXPECT_TRUE(warns(ignored, "EXPOSURE")) << bad;
    }
}

TEST(MadeTiff, TwelveBitsReachFullScale) {
    const TemporaryFolder folder;
    const Image image = loadImage(made("full_scale_12.tif"));
    for (std::int64_t c = 0; c < 3; ++c) EXPECT_EQ(image.view().at(kWidth - 1, kHeight - 1, 0, c), 1.0F);
    (void)saveImage(image, folder / "a.png");
    EXPECT_EQ(storedValue(loadImage(folder / "a.png"), kWidth - 1, kHeight - 1, 0, 65535), 65535);
}

TEST(MadePng, UsesTheCurveOfProfilesAndKeepsThem) {
    const TemporaryFolder folder;
    const Image first = loadImage(made("png_icc_power.png"));
    (void)saveImage(first, folder / "a.png");
    const Image second = loadImage(folder / "a.png");
    for (const Image* image : {&first, &second}) {
        EXPECT_EQ(image->source.transfer, TransferFunction::gamma);
        EXPECT_NEAR(image->source.gamma, 1.8, 0.01);
        EXPECT_TRUE(warns(*image, "Own power"));
        EXPECT_EQ(storedValue(*image, 4, 5, 1, 255), formula(4, 5, 1, 255));
        ASSERT_NE(entry(*image, "iCCP"), nullptr);
    }
    EXPECT_EQ(entry(first, "iCCP")->raw, entry(second, "iCCP")->raw);
}

TEST(MadePng, ConvertsTransparencyToAlpha) {
    const Image key = loadImage(made("png_grey_key.png"));
    ASSERT_EQ(key.shape().channels, 2);
    for (std::int64_t y = 0; y < kHeight; ++y)
        for (std::int64_t x = 0; x < kWidth; ++x)
            EXPECT_EQ(key.view().at(x, y, 0, 1), formula(x, y, 0, 255) == formula(3, 2, 0, 255) ? 0.0F : 1.0F);
    const Image palette = loadImage(made("png_palette_alpha.png"));
    ASSERT_EQ(palette.shape().channels, 4);
    EXPECT_EQ(storedValue(palette, 4, 5, 3, 255), formula(4, 5, 0, 15) * 16);
}

TEST(MadePng, KeepsTextsAndDensity) {
    const TemporaryFolder folder;
    const Image first = loadImage(made("png_texts.png"));
    (void)saveImage(first, folder / "a.png");
    const Image second = loadImage(folder / "a.png");
    for (const Image* image : {&first, &second}) {
        ASSERT_NE(entry(*image, "Author"), nullptr);
        EXPECT_EQ(entry(*image, "Author")->text, "J\xc3\xbcrgen");
        ASSERT_NE(entry(*image, "Title"), nullptr);
        EXPECT_EQ(entry(*image, "Title")->text, "L\xc3\xa4ufer");
        EXPECT_DOUBLE_EQ(image->pixelAspectRatio, 0.5);
    }
}

class ExrMade : public testing::TestWithParam<std::string> {};
TEST_P(ExrMade, HasTheSamplesOfTheFormula) {
    const Image image = loadImage(made(GetParam()));
    ASSERT_EQ(image.shape(), (Shape{kWidth, 20, 1, 3}));
    EXPECT_EQ(*image.dataWindow, (Window{-3, 5, 9, 24}));
    EXPECT_EQ(*image.displayWindow, (Window{0, 0, 31, 31}));
    const std::string inFile = "BGR";
    for (std::int64_t c = 0; c < 3; ++c)
        for (std::int64_t y = 0; y < 20; ++y)
            for (std::int64_t x = 0; x < kWidth; ++x)
                ASSERT_EQ(image.view().at(x, y, 0, c),
                          static_cast<float>(formula(
                              x, y, static_cast<std::int64_t>(inFile.find(image.channelNames()[static_cast<std::size_t>(c)])), 1023)) /
                              64);
}
INSTANTIATE_TEST_SUITE_P(Made, ExrMade, testing::Values("exr_none_half.exr", "exr_zip_half.exr"), nameOf);

TEST(MadeExr, KeepsMixedTypes) {
    const TemporaryFolder folder;
    const Image first = loadImage(made("exr_none_mixed.exr"));
    (void)saveImage(first, folder / "a.exr");
    const Image second = loadImage(folder / "a.exr");
    EXPECT_EQ(first.channelNames(), (std::vector<std::string>{"A", "Z", "id", "diffuse.R"}));
    EXPECT_EQ(second.channelNames(), first.channelNames());
    const std::vector<std::string> types{"half", "float", "uint", "float"};
    for (const Image* image : {&first, &second})
        for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(image->source.storedChannels[c].type, types[c]);
    EXPECT_EQ(second.view().at(5, 6, 0, 2), static_cast<float>(formula(5, 6, 3, 1023)));
}

TEST(MadeExr, KeepsAttributesOfUnknownTypes) {
    const TemporaryFolder folder;
    Image first = loadImage(made("exr_zip_attributes.exr"));
    first.provenance.push_back("convolve, kernel gaussian");
    (void)saveImage(first, folder / "a.exr");
    const Image second = loadImage(folder / "a.exr");
    for (const char* name : {"mine", "owner"}) {
        ASSERT_NE(entry(first, name), nullptr);
        ASSERT_NE(entry(second, name), nullptr);
        EXPECT_EQ(entry(first, name)->raw, entry(second, name)->raw);
        EXPECT_EQ(entry(first, name)->type, entry(second, name)->type);
    }
    EXPECT_EQ(entry(first, "mine")->type, "ownType");
    EXPECT_EQ(entry(first, "mine")->raw.size(), 17U);
    EXPECT_EQ(entry(first, "owner")->text, "J\xc3\xbcrgen");
    EXPECT_EQ(second.provenance, first.provenance);
}

TEST(MadeExr, NamesAnUnknownCompression) {
    EXPECT_TRUE(contains(refusal(made("bad_exr_compression.exr")), "a compression that this version of OpenEXR does not know"));
}

TEST(MadeExr, ShowsTheReadablePartOfAnUnfinishedFile) {
    const Image image = loadImage(made("exr_incomplete.exr"));
    EXPECT_TRUE(image.source.incomplete);
    EXPECT_TRUE(warns(image, "4 of 20 lines"));
    EXPECT_EQ(image.view().at(2, 15, 0, 2), static_cast<float>(formula(2, 15, 0, 1023)) / 64);
    for (std::int64_t x = 0; x < kWidth; ++x) EXPECT_EQ(image.view().at(x, 16, 0, 0), 0.0F);
}

TEST(MadeOthers, ScalesPnmOfTenBitsByItsMaximum) {
    const Image image = loadImage(made("pnm_10_bit.pgm"));
    EXPECT_EQ(storedValue(image, 4, 5, 0, 1023), formula(4, 5, 0, 1023));
    EXPECT_GT(image.source.storedStatistics[0].max, 255);
}

TEST(MadeOthers, ScalesPnmByItsMaximum) {
    const Image bytes = loadImage(made("pnm_to_100.pgm")), text = loadImage(made("pnm_text.pgm"));
    for (std::int64_t y = 0; y < kHeight; ++y)
        for (std::int64_t x = 0; x < kWidth; ++x) {
            ASSERT_EQ(storedValue(bytes, x, y, 0, 100), formula(x, y, 0, 100)) << x << ", " << y;
            ASSERT_EQ(storedValue(text, x, y, 0, 15), formula(x, y, 0, 15)) << x << ", " << y;
        }
}

class TiffType : public testing::TestWithParam<std::string> {};
TEST_P(TiffType, HasTheStoredSamples) {
    const std::string& name = GetParam();
    const int maximum = (1 << std::atoi(name.c_str() + name.find_first_of("0123456789"))) - 1;
    const bool white = name.find("white") != std::string::npos;
    const Image image = loadImage(made(name));
    const bool withAlpha = name.find("alpha") != std::string::npos;
    const std::int64_t channels = (white || name.find("grey") != std::string::npos ? 1 : 3) + (withAlpha ? 1 : 0);
    const bool turned = name.find("turned") != std::string::npos;
    ASSERT_EQ(image.shape(), (Shape{turned ? kHeight : kWidth, turned ? kWidth : kHeight, 1, channels}));
    const int alpha = image.alphaChannel();
    EXPECT_EQ(alpha, withAlpha ? channels - 1 : -1);
    for (std::int64_t y = 0; y < kHeight; ++y)
        for (std::int64_t x = 0; x < kWidth; ++x)
            for (std::int64_t c = 0; c < channels; ++c) {
                if (alpha >= 0 && c != alpha && image.view().at(x, y, 0, alpha) <= 0) continue;
                const int stored = formula(x, y, c, maximum);
                // Orientation 6: the first row is the right side of the upright picture.
                ASSERT_EQ(turned ? storedValue(image, kHeight - 1 - y, x, c, maximum) : storedValue(image, x, y, c, maximum),
                          white ? maximum - stored : stored)
                    << x << ", " << y << ", channel " << c;
            }
    EXPECT_EQ(warns(image, "orientation 6"), turned);
}
INSTANTIATE_TEST_SUITE_P(Made, TiffType, testing::ValuesIn(madeFiles("tiff_")), nameOf);

TEST(MadeTiff, NamesTheReasonForRefusal) {
    const auto why = [](const std::string& name) {
        try {
            (void)loadImage(made(name));
        } catch (const Error& e) {
            return e.why();
        }
        return std::string();
    };
    EXPECT_NE(why("bad_tiff_lab_16.tif").find("PhotometricInterpretation 8"), std::string::npos);
    EXPECT_NE(why("bad_tiff_24.tif").find("24 bits"), std::string::npos);
    EXPECT_NE(why("bad_tiff_big.tif").find("no page"), std::string::npos);
}

TEST(MadeOthers, ReadsPfmBottomUp) {
    const Image image = loadImage(made("pfm_grey.pfm"));
    ASSERT_EQ(image.shape(), (Shape{kWidth, kHeight, 1, 1}));
    EXPECT_EQ(image.view().at(3, 0), static_cast<float>(formula(3, 0, 0, 255)) / 16);
}

long peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss >> 10;
}

class BadFile : public testing::TestWithParam<std::string> {};
TEST_P(BadFile, IsRefusedOrMarkedFastWithLittleMemory) {
    const long before = peakMegabytes();
    Promptness prompt(5'000);
    while (prompt.again()) {
        prompt.start();
        try {
            const Image image = loadImage(made(GetParam()));
            EXPECT_TRUE(image.source.incomplete) << "damage was not noticed";
            EXPECT_FALSE(image.source.warnings.empty());
        } catch (const Error& e) {
            EXPECT_TRUE(e.code() == ErrorCode::input || e.code() == ErrorCode::memory) << e.what();
            EXPECT_NE(std::string(e.what()).find(GetParam()), std::string::npos) << e.what();
            EXPECT_FALSE(e.why().empty()) << e.what();
            RecordProperty("says", e.what());
        }
        prompt.stop();
    }
    EXPECT_TRUE(prompt.held()) << prompt.text();
    EXPECT_LT(peakMegabytes() - before, 200);
}
INSTANTIATE_TEST_SUITE_P(Made, BadFile, testing::ValuesIn(madeFiles("bad_")), nameOf);

}  // namespace
}  // namespace parallax::test
