// SPDX-License-Identifier: GPL-3.0-or-later
// PNG files: filters, parallel writing read back by libpng, and reading of files that are put together byte by byte.
#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats/png/png_filter.hpp"
#include "core/io/formats/png/png_rows.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// The specification, byte by byte.
std::uint8_t prediction(PngFilter filter, int left, int above, int corner) {
    const int p = left + above - corner, a = std::abs(p - left), b = std::abs(p - above), c = std::abs(p - corner);
    switch (filter) {
        case PngFilter::none: return 0;
        case PngFilter::sub: return static_cast<std::uint8_t>(left);
        case PngFilter::up: return static_cast<std::uint8_t>(above);
        case PngFilter::average: return static_cast<std::uint8_t>((left + above) / 2);
        case PngFilter::paeth: return static_cast<std::uint8_t>(a <= b && a <= c ? left : b <= c ? above : corner);
    }
    return 0;
}

TEST(PngFilters, FollowTheSpecification) {
    std::mt19937 random(1);
    for (const std::size_t distance : {1, 2, 3, 4, 6, 8})
        for (const std::size_t pixels : {1, 2, 5, 333})
            for (const int spread : {2, 256}) {  // equal distances of Paeth are frequent among few values
                const std::size_t n = distance * pixels;
                Bytes row(n), above(n + kPngRowPadding), filtered(n + kPngRowPadding);
                for (auto& b : row) b = static_cast<std::uint8_t>(random() % static_cast<unsigned>(spread));
                for (auto& b : above) b = static_cast<std::uint8_t>(random() % static_cast<unsigned>(spread));
                using enum PngFilter;
                for (const PngFilter filter : {none, sub, up, average, paeth}) {
                    filterPngRow(filter, row, above.data(), distance, filtered.data());
                    for (std::size_t i = 0; i < n; ++i) {
                        const int left = i >= distance ? row[i - distance] : 0, corner = i >= distance ? above[i - distance] : 0;
                        ASSERT_EQ(filtered[i], static_cast<std::uint8_t>(row[i] - prediction(filter, left, above[i], corner)))
                            << distance << ' ' << i;
                    }
                    Bytes restored = filtered;
                    unfilterPngRow(filter, std::span(restored).first(n), above.data(), distance);
                    restored.resize(n);
                    ASSERT_EQ(restored, row) << distance;
                }
            }
}

struct Decoded {
    int width = 0, height = 0, depth = 0, colour = 0;
    std::vector<int> codes;
};

/// Reads a file with libpng alone.
Decoded decodedByLibpng(const std::string& path) {
    Decoded d;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file.get());
    png_set_benign_errors(png, 0);
    png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    d.width = static_cast<int>(png_get_image_width(png, info));
    d.height = static_cast<int>(png_get_image_height(png, info));
    d.depth = png_get_bit_depth(png, info);
    d.colour = png_get_color_type(png, info);
    const png_bytepp rows = png_get_rows(png, info);
    for (int y = 0; y < d.height; ++y)
        for (int i = 0; i < d.width * png_get_channels(png, info); ++i)
            d.codes.push_back(d.depth == 16 ? rows[y][2 * i] << 8 | rows[y][2 * i + 1] : rows[y][i]);
    png_destroy_read_struct(&png, &info, nullptr);
    return d;
}

Image noise(std::int64_t width, std::int64_t height, std::int64_t channels, unsigned seed = 7) {
    Image image = makeSynthetic({SyntheticKind::noise, {width, height, 1, channels}, seed});
    if (channels % 2 == 0)  // straight colours must not exceed 1
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                for (std::int64_t c = 0; c + 1 < channels; ++c) image.view().at(x, y, 0, c) *= image.view().at(x, y, 0, channels - 1);
    return image;
}

class PngFiles : public testing::Test {
protected:
    std::string path(const std::string& name) const { return folder_ / name; }
    test::TemporaryFolder folder_;
};

TEST_F(PngFiles, HoldTheExpectedCodesForEveryShapeDepthAndThreadCount) {
    const std::pair<int, int> sizes[] = {{1, 1}, {2, 1}, {1, 9}, {7, 5}, {311, 203}, {50001, 2}, {3, 4001}};
    for (const auto& [width, height] : sizes)
        for (const int channels : {1, 3, 4})
            for (const StoredDepth depth : {StoredDepth::uint8, StoredDepth::uint16}) {
                if (channels == 1 && width * height > 50000) continue;  // each case takes time, and shows little
                const Image image = noise(width, height, channels);
                const int maximum = depth == StoredDepth::uint8 ? 255 : 65535;
                std::vector<int> expected;
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        const float alpha = channels == 4 ? image.view().at(x, y, 0, 3) : 1;
                        for (int c = 0; c < channels; ++c) {
                            const float v = image.view().at(x, y, 0, c);
                            const bool isAlpha = channels == 4 && c == 3;
                            expected.push_back(encodeSample(static_cast<double>(isAlpha     ? v
                                                                                : alpha > 0 ? v / alpha
                                                                                            : 0),
                                                            isAlpha ? TransferFunction::linear : TransferFunction::sRgb, 1, maximum));
                        }
                    }
                for (const Compression compression : {Compression::fast, Compression::standard, Compression::small}) {
                    Bytes first;
                    for (const int threads : {1, 2, 5}) {
                        SaveOptions options;
                        options.overwrite = true;
                        options.depth = depth;
                        options.compression = compression;
                        options.threads = threads;
                        saveImage(image, path("a.png"), options);
                        if (first.empty()) first = contents(path("a.png"));
                        ASSERT_EQ(contents(path("a.png")), first) << threads;
                    }
                    const Decoded d = decodedByLibpng(path("a.png"));
                    ASSERT_EQ(d.width, width);
                    ASSERT_EQ(d.height, height);
                    ASSERT_EQ(d.depth, maximum == 255 ? 8 : 16);
                    ASSERT_EQ(d.codes, expected) << width << " x " << height << " x " << channels;
                }
            }
}

/// A file that is put together chunk by chunk.
class MadePng {
public:
    int width = 0, height = 0, depth = 16, colour = 2;
    Bytes filtered;                    ///< rows with their filters
    std::vector<std::size_t> chunks;   ///< lengths of the IDAT chunks before the last one
    Bytes afterStream, betweenChunks;  ///< bytes behind the zlib stream; a whole chunk before the last IDAT
    std::vector<std::pair<std::string, Bytes>> tail;
    Bytes rawTail;  ///< before IEND
    bool ends = true;

    MadePng(int w, int h, int bits, int colourType, unsigned seed) : width(w), height(h), depth(bits), colour(colourType) {
        std::mt19937 random(seed);
        static constexpr int kChannels[] = {1, 0, 3, 0, 2, 0, 4};
        rowBytes = static_cast<std::size_t>(w * kChannels[colourType] * bits / 8);
        for (int y = 0; y < h; ++y) {
            filtered.push_back(static_cast<std::uint8_t>(random() % 5));
            for (std::size_t i = 0; i < rowBytes; ++i) filtered.push_back(static_cast<std::uint8_t>(random() % 7 * 11));
        }
    }
    Bytes bytes() const {
        Bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
        Bytes header;
        for (const int side : {width, height})
            for (int shift = 24; shift >= 0; shift -= 8) header.push_back(static_cast<std::uint8_t>(side >> shift));
        for (const int v : {depth, colour, 0, 0, 0}) header.push_back(static_cast<std::uint8_t>(v));
        addChunk(file, "IHDR", header);
        addChunk(file, "sRGB", {0});
        uLongf n = compressBound(static_cast<uLong>(filtered.size()));
        Bytes stream(n);
        EXPECT_EQ(compress2(stream.data(), &n, filtered.data(), static_cast<uLong>(filtered.size()), 6), Z_OK);
        stream.resize(n);
        stream.insert(stream.end(), afterStream.begin(), afterStream.end());
        std::size_t at = 0;
        for (const std::size_t length : chunks) {
            const std::size_t part = std::min(length, stream.size() - at);
            addChunk(file, "IDAT",
                     Bytes(stream.begin() + static_cast<std::ptrdiff_t>(at), stream.begin() + static_cast<std::ptrdiff_t>(at + part)));
            at += part;
        }
        file.insert(file.end(), betweenChunks.begin(), betweenChunks.end());
        addChunk(file, "IDAT", Bytes(stream.begin() + static_cast<std::ptrdiff_t>(at), stream.end()));
        for (const auto& [type, data] : tail) addChunk(file, type, data);
        file.insert(file.end(), rawTail.begin(), rawTail.end());
        if (ends) addChunk(file, "IEND", {});
        return file;
    }
    static void addChunk(Bytes& file, const std::string& type, const Bytes& data) {
        const auto number = [&](std::size_t v) {
            for (int shift = 24; shift >= 0; shift -= 8) file.push_back(static_cast<std::uint8_t>(v >> shift));
        };
        number(data.size());
        const std::size_t from = file.size();
        file.insert(file.end(), type.begin(), type.end());
        file.insert(file.end(), data.begin(), data.end());
        number(crc32_z(0, file.data() + from, file.size() - from));
    }
    std::size_t rowBytes = 0;
};

TEST_F(PngFiles, AreReadAsLibpngReadsThem) {
    for (const int colour : {0, 2, 4, 6})
        for (const int depth : {8, 16})
            for (const auto& [width, height] : {std::pair{1, 1}, std::pair{37, 23}, std::pair{1500, 120}}) {
                MadePng made(width, height, depth, colour, static_cast<unsigned>(colour + depth));
                made.chunks = {1, 1, 3, 0, 1000};
                write(path("a.png"), made.bytes());
                const Decoded d = decodedByLibpng(path("a.png"));
                for (const int threads : {1, 3}) {
                    LoadOptions options;
                    options.threads = threads;
                    const Image image = loadImage(path("a.png"), options);
                    EXPECT_TRUE(image.source.warnings.empty());
                    const int n = static_cast<int>(image.shape().channels), maximum = (1 << depth) - 1;
                    const auto table = decodingTable(TransferFunction::sRgb, 1, maximum);
                    std::size_t i = 0;
                    double sum = 0;
                    for (int y = 0; y < height; ++y)
                        for (int x = 0; x < width; ++x, i += static_cast<std::size_t>(n)) {
                            const float alpha =
                                n % 2 == 0 ? static_cast<float>(d.codes[i + static_cast<std::size_t>(n) - 1]) / static_cast<float>(maximum)
                                           : 1;
                            for (int c = 0; c < n; ++c) {
                                const auto code = static_cast<std::size_t>(d.codes[i + static_cast<std::size_t>(c)]);
                                const bool isAlpha = n % 2 == 0 && c == n - 1;
                                ASSERT_EQ(image.view().at(x, y, 0, c), isAlpha ? alpha : table[code] * alpha) << x << ' ' << y << ' ' << c;
                                if (c == 0) sum += static_cast<double>(code);
                            }
                        }
                    EXPECT_NEAR(image.source.storedStatistics.at(0).mean, sum / (width * height), 1e-9 * maximum);
                    EXPECT_EQ(image.source.storedStatistics.size(), static_cast<std::size_t>(n));
                }
            }
}

/// What loading says: the error, or the warnings.
std::string outcome(const std::string& path) {
    try {
        const Image image = loadImage(path);
        std::string all = "opened";
        for (const std::string& w : image.source.warnings) all += "; " + w;
        return all;
    } catch (const Error& e) {
        return e.why();
    }
}

TEST_F(PngFiles, DamageIsDescribedAsByLibpng) {
    const MadePng good(40, 30, 16, 2, 3);
    const auto says = [&](const MadePng& made, const std::string& what) {
        write(path("a.png"), made.bytes());
        const std::string said = outcome(path("a.png"));
        EXPECT_NE(said.find(what), std::string::npos) << said << ", expected " << what;
    };
    says(good, "opened");
    MadePng bad = good;
    bad.filtered[bad.rowBytes + 1] = 5;
    says(bad, "it is damaged: bad adaptive filter value");
    bad = good;
    bad.filtered.resize(bad.filtered.size() - 1);
    says(bad, "it is damaged: Not enough image data");
    for (const std::size_t extra : {1, 3, 8, 100}) {
        bad = good;
        bad.afterStream = Bytes(extra, 0);
        says(bad, "opened; PNG: IDAT: Extra compressed data");
    }
    bad = good;
    bad.filtered.push_back(0);
    says(bad, "opened; PNG: IDAT: Too much image data");
    bad = good;
    bad.chunks = {100};
    MadePng::addChunk(bad.betweenChunks, "tEXt", {'a', 0, 'b'});
    says(bad, "it is damaged: Not enough image data");
    bad = good;
    bad.ends = false;
    says(bad, "opened; The end of the file is damaged: Read Error");
    bad = good;
    MadePng::addChunk(bad.rawTail, "tEXt", {'a', 0, 'b'});
    bad.rawTail.back() ^= 1;
    says(bad, "opened; PNG: tEXt: CRC error");
    bad = good;
    bad.tail = {{"tEXt", {'a', 0, 'b'}}, {"tIME", {1, 2, 3, 4, 5, 6, 7}}};
    says(bad, "opened");
    EXPECT_EQ(outcome(path("a.png")), "opened");
}

TEST_F(PngFiles, ChecksumsOfTheImageDataAreVerified) {
    const Bytes good = MadePng(40, 30, 16, 2, 3).bytes();
    Bytes bad = good;
    bad[bad.size() - 13] ^= 1;  // CRC of the last IDAT chunk, before the 12 bytes of IEND
    write(path("a.png"), bad);
    EXPECT_NE(outcome(path("a.png")).find("IDAT: CRC error"), std::string::npos) << outcome(path("a.png"));
    Image image{Buffer(Shape{40, 30, 1, 3})};
    const auto table = decodingTable(TransferFunction::sRgb, 1, 65535);
    constexpr std::uint64_t kFirst = 8 + 25 + 13;  // behind signature, IHDR and sRGB
    EXPECT_FALSE(readPngRows(path("a.png"), kFirst, {40, 30, 3, 2}, table, image, {}));
    write(path("a.png"), good);
    EXPECT_EQ(readPngRows(path("a.png"), kFirst, {40, 30, 3, 2}, table, image, {}), good.size() - 12);
}

TEST_F(PngFiles, ReadingAndWritingStopWhenCancelled) {
    const Image image = noise(3000, 2000, 3);
    saveImage(image, path("a.png"));
    for (const bool saving : {false, true}) {
        std::stop_source source;
        const auto stop = [&](double) { source.request_stop(); };
        try {
            if (saving) {
                SaveOptions options;
                options.threads = 2;
                options.stop = source.get_token();
                options.progress = stop;
                saveImage(image, path("b.png"), options);
            } else {
                LoadOptions options;
                options.threads = 2;
                options.stop = source.get_token();
                options.progress = stop;
                (void)loadImage(path("a.png"), options);
            }
            ADD_FAILURE() << saving;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::cancelled);
        }
    }
    EXPECT_FALSE(std::ifstream(path("b.png")).good());
}

}  // namespace
}  // namespace parallax
