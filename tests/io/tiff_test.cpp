// SPDX-License-Identifier: GPL-3.0-or-later
// TIFF files of tifffile (tests/oracles/make_tiff.py) and of tests/support/make_files.py.
#include <gtest/gtest.h>
#include <tiffio.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/image/difference.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_names.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

/// A line of tiff.txt.
struct Golden {
    std::string file, names, type, alpha;
    int page = 0, maximum = 0;
    Shape shape;
    unsigned long crc = 0;
};

std::vector<Golden> goldens() {
    std::ifstream text(std::string(PARALLAX_GOLDEN_FOLDER) + "/tiff/tiff.txt");
    std::vector<Golden> all;
    for (std::string line; std::getline(text, line);) {
        std::vector<std::string> fields;
        std::istringstream parts(line);
        for (std::string field; std::getline(parts, field, '|');) {
            const auto first = field.find_first_not_of(' '), last = field.find_last_not_of(' ');
            fields.push_back(field.substr(first, last - first + 1));
        }
        Golden g{fields.at(0), fields.at(3), fields.at(4), fields.at(6), std::stoi(fields[1]), std::stoi(fields[5]), {}, 0};
        std::istringstream(fields[2]) >> g.shape.width >> g.shape.height >> g.shape.channels;
        g.crc = std::stoul(fields.at(7), nullptr, 16);
        all.push_back(g);
    }
    return all;
}

/// The number in the file that a sample of the image came from.
float storedNumber(const Image& image, const Golden& g, std::int64_t x, std::int64_t y, std::int64_t c) {
    const float v = image.view().at(x, y, 0, c);
    const int alpha = image.alphaChannel();
    const float a = alpha >= 0 && c < alpha ? image.view().at(x, y, 0, alpha) : 1.0F;
    if (g.maximum == 0) return g.alpha == "straight" ? v / a : v;
    if (c == alpha) return static_cast<float>(encodeSample(static_cast<double>(v), TransferFunction::linear, 1, g.maximum));
    const int code = encodeSample(static_cast<double>(v / a), TransferFunction::sRgb, 1, g.maximum);
    return g.alpha == "associated" ? static_cast<float>(std::lround(static_cast<float>(code) * a)) : static_cast<float>(code);
}

class TiffOfTifffile : public testing::TestWithParam<Golden> {};

TEST_P(TiffOfTifffile, HasTheStoredNumbers) {
    const Golden& g = GetParam();
    const Image image = loadImage(std::string(PARALLAX_GOLDEN_FOLDER) + "/tiff/" + g.file + "#" + std::to_string(g.page));
    ASSERT_EQ(image.shape(), (Shape{g.shape.width, g.shape.height, 1, g.shape.channels}));
    std::string names;
    for (const std::string& n : image.channelNames()) names += (names.empty() ? "" : " ") + n;
    EXPECT_EQ(names, g.names);
    ASSERT_EQ(image.source.storedChannels.size(), image.channelNames().size());
    EXPECT_EQ(image.source.storedChannels[0].type, g.type);
    EXPECT_EQ(image.source.transfer, g.maximum > 0 ? TransferFunction::sRgb : TransferFunction::linear);
    EXPECT_EQ(image.source.straightAlpha, g.alpha == "straight");
    std::vector<float> numbers;
    for (std::int64_t c = 0; c < g.shape.channels; ++c) {
        SampleStatistics s;
        for (std::int64_t y = 0; y < g.shape.height; ++y)
            for (std::int64_t x = 0; x < g.shape.width; ++x) {
                numbers.push_back(storedNumber(image, g, x, y, c));
                const auto v = static_cast<double>(numbers.back());
                s.min = x + y ? std::min(s.min, v) : v;
                s.max = x + y ? std::max(s.max, v) : v;
            }
        EXPECT_EQ(image.source.storedStatistics.at(static_cast<std::size_t>(c)).min, s.min) << "channel " << c;
        EXPECT_EQ(image.source.storedStatistics.at(static_cast<std::size_t>(c)).max, s.max) << "channel " << c;
    }
    EXPECT_EQ(::crc32(0, reinterpret_cast<const Bytef*>(numbers.data()), static_cast<uInt>(numbers.size() * sizeof(float))), g.crc);
    EXPECT_FALSE(image.source.incomplete);
}

INSTANTIATE_TEST_SUITE_P(Golden, TiffOfTifffile, testing::ValuesIn(goldens()), [](const testing::TestParamInfo<Golden>& line) {
    std::string name = line.param.file.substr(0, line.param.file.rfind('.')) + "_" + std::to_string(line.param.page);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

TEST(TiffGolden, HasEveryFile) { EXPECT_EQ(goldens().size(), 66U); }

std::string golden(const std::string& name) { return std::string(PARALLAX_GOLDEN_FOLDER) + "/tiff/" + name; }

bool warns(const Image& image, const std::string& word) {
    return std::any_of(image.source.warnings.begin(), image.source.warnings.end(),
                       [&](const std::string& w) { return w.find(word) != std::string::npos; });
}

std::string whyRefused(const std::string& path) {
    try {
        (void)loadImage(path);
    } catch (const Error& e) {
        return e.why();
    }
    return "it was opened";
}

TEST(TiffPages, OpensTheFirstAndNamesTheOthers) {
    const Image image = loadImage(golden("pages.tif"));
    EXPECT_EQ(image.source.volumes, 3);
    EXPECT_EQ(image.source.volume, 0);
    EXPECT_TRUE(warns(image, "The file holds 3 pages; the first was opened"));
    EXPECT_FALSE(warns(loadImage(golden("pages.tif#2")), "pages"));
    EXPECT_NE(whyRefused(golden("pages.tif#3")).find("0 to 2"), std::string::npos);
}

TEST(TiffPages, StopsAtADirectoryThatPointsBack) {
    const TemporaryFolder folder;
    std::ifstream file(golden("strips_uint8.tif"), std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    // Classic TIFF, little endian: the last four bytes of the first directory name the next one.
    const auto number = [&](std::size_t at, int n) {
        std::size_t v = 0;
        for (int i = n - 1; i >= 0; --i) v = v << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
        return v;
    };
    const std::size_t first = number(4, 4), next = first + 2 + 12 * number(first, 2);
    std::copy_n(bytes.begin() + 4, 4, bytes.begin() + static_cast<std::ptrdiff_t>(next));
    std::ofstream(folder / "loop.tif", std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    EXPECT_EQ(loadImage(folder / "loop.tif").source.volumes, 1);
}

TEST(TiffNotes, NamesOrientationAndWhiteFloatsAndPlainNumbers) {
    EXPECT_TRUE(warns(loadImage(golden("turned_6_uint8.tif")), "turned by 90 degrees clockwise"));
    EXPECT_TRUE(warns(loadImage(golden("white_float32.tif")), "0 is white"));
    EXPECT_TRUE(warns(loadImage(golden("strips_int16.tif")), "int16"));
    EXPECT_TRUE(loadImage(golden("strips_float32.tif")).source.warnings.empty());
}

TEST(TiffThreads, GiveTheSameFilesAndTheSameSamples) {
    const TemporaryFolder folder;
    // Some strips, the last one of fewer rows; with and without alpha.
    for (const std::int64_t channels : {1, 3, 4})
        for (const StoredDepth depth : {StoredDepth::uint8, StoredDepth::uint16, StoredDepth::float32}) {
            const Image image = makeSynthetic({SyntheticKind::hdrRamp, {701, 1003, 1, channels}, 7});
            std::vector<std::string> files;
            for (const int threads : {1, 3}) {
                SaveOptions options;
                options.threads = threads;
                options.depth = depth;
                options.overwrite = true;
                (void)saveImage(image, folder / "a.tif", options);
                std::ifstream file(folder / "a.tif", std::ios::binary);
                files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
            }
            EXPECT_TRUE(files[0] == files[1]);
            LoadOptions one, three;
            one.threads = 1;
            three.threads = 3;
            const Image a = loadImage(folder / "a.tif", one), b = loadImage(folder / "a.tif", three);
            EXPECT_EQ(std::memcmp(a.samples().data(), b.samples().data(), a.samples().bytes()), 0);
            EXPECT_EQ(a.source.storedStatistics, b.source.storedStatistics);
            // Floats come back exactly: libtiff undoes the predictor.
            if (depth == StoredDepth::float32) {
                EXPECT_EQ(std::memcmp(a.samples().data(), image.samples().data(), a.samples().bytes()), 0);
            }
        }
}

TEST(TiffDamage, ShowsTheStripsThatCanBeRead) {
    const TemporaryFolder folder;
    Image image = makeSynthetic({SyntheticKind::noise, {400, 300, 1, 3}, 7});
    (void)saveImage(image, folder / "a.tif");
    // The directory stands at the end: damage within the strips leaves it whole.
    std::fstream file(folder / "a.tif", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(100);
    file << std::string(5000, '\x55');
    file.close();
    testing::internal::CaptureStderr();
    const Image damaged = loadImage(folder / "a.tif");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_TRUE(damaged.source.incomplete);
    EXPECT_TRUE(warns(damaged, "1 of "));
    EXPECT_EQ(damaged.view().at(3, 299, 0, 1), image.view().at(3, 299, 0, 1));
}

TEST(TiffDamage, RefusesTilesFarLargerThanTheImage) {
    const TemporaryFolder folder;
    TIFF* const tiff = TIFFOpen((folder / "a.tif").c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 8);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 8);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 1 << 20);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, 1 << 14);
    std::uint8_t few[4] = {};
    EXPECT_EQ(TIFFWriteRawTile(tiff, 0, few, sizeof few), static_cast<tmsize_t>(sizeof few));
    TIFFClose(tiff);
    const std::string why = whyRefused(folder / "a.tif");
    EXPECT_NE(why.find("far larger than the image"), std::string::npos) << why;
}

/// Writes one strip of 8-bit samples with libtiff.
void writeStrip(const std::string& path, int width, int height, const std::map<int, int>& tags, std::vector<std::uint8_t> bytes) {
    TIFF* const tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    for (const auto& [tag, value] : tags) TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
    EXPECT_GE(TIFFWriteEncodedStrip(tiff, 0, bytes.data(), static_cast<tmsize_t>(bytes.size())), 0);
    TIFFClose(tiff);
}

TEST(TiffColours, ConvertsCmykOfEightBits) {
    const TemporaryFolder folder;
    writeStrip(folder / "a.tif", 2, 1, {{TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_SEPARATED}, {TIFFTAG_SAMPLESPERPIXEL, 4}},
               {0, 255, 51, 0, 10, 20, 30, 255});
    const Image image = loadImage(folder / "a.tif");
    ASSERT_EQ(image.shape(), (Shape{2, 1, 1, 3}));
    EXPECT_FLOAT_EQ(image.view().at(0, 0, 0, 0), 1);
    EXPECT_FLOAT_EQ(image.view().at(0, 0, 0, 1), 0);
    EXPECT_EQ(encodeSample(static_cast<double>(image.view().at(0, 0, 0, 2)), TransferFunction::sRgb, 1, 255), 204);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(image.view().at(1, 0, 0, c), 0) << "black ink";
}

TEST(TiffColours, ReadsJpegInsideTiff) {
    const TemporaryFolder folder;
    std::vector<std::uint8_t> grey(32 * 16);
    for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = static_cast<std::uint8_t>(4 * (i % 32) + 60);
    writeStrip(folder / "a.tif", 32, 16,
               {{TIFFTAG_COMPRESSION, COMPRESSION_JPEG}, {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK}, {TIFFTAG_SAMPLESPERPIXEL, 1}},
               grey);
    const Image image = loadImage(folder / "a.tif");
    for (int x = 0; x < 32; ++x)
        EXPECT_NEAR(encodeSample(static_cast<double>(image.view().at(x, 8)), TransferFunction::sRgb, 1, 255), 4 * x + 60, 6) << x;
}

TEST(TiffSaving, WritesPlainReadableFields) {
    const TemporaryFolder folder;
    for (const auto& [depth, kind] : std::map<StoredDepth, int>{{StoredDepth::uint8, EXTRASAMPLE_UNASSALPHA},
                                                                {StoredDepth::uint16, EXTRASAMPLE_UNASSALPHA},
                                                                {StoredDepth::float32, EXTRASAMPLE_ASSOCALPHA}})
        for (const std::int64_t channels : {1, 2, 3, 4}) {
            SaveOptions options;
            options.depth = depth;
            options.overwrite = true;
            (void)saveImage(makeSynthetic({SyntheticKind::noise, {7, 5, 1, channels}, 7}), folder / "a.tif", options);
            TIFF* const tiff = TIFFOpen((folder / "a.tif").c_str(), "r");
            ASSERT_NE(tiff, nullptr);
            std::uint16_t samples = 0, extras = 0;
            std::uint16_t* kinds = nullptr;
            TIFFGetField(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
            EXPECT_EQ(samples, channels);
            EXPECT_EQ(TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &extras, &kinds), channels % 2 == 0 ? 1 : 0);
            if (channels % 2 == 0) {
                EXPECT_EQ(extras, 1);
                EXPECT_EQ(kinds[0], kind) << "readers that must guess take alpha for different things";
            }
            TIFFClose(tiff);
        }
}

}  // namespace
}  // namespace parallax::test
