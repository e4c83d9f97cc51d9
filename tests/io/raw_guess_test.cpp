// SPDX-License-Identifier: GPL-3.0-or-later
// What raw files are taken for by their names and sizes, and what would make them fit.
#include <gtest/gtest.h>

#include <fstream>

#include "core/image/error.hpp"
#include "core/io/formats/raw/raw_guess.hpp"
#include "core/io/loader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

/// As on the command line, without the file.
std::string shortText(RawRequest r) {
    r.path = "f";
    const std::string text = toText(r);
    return text.substr(4, text.size() - 6);
}

std::string first(const std::string& name, std::uint64_t bytes) { return shortText(guessRaw("/some/where/" + name, bytes).front()); }

TEST(RawGuess, ReadsSizeTypeAndByteOrderFromNames) {
    EXPECT_EQ(first("512x512x78_int16.raw", 512 * 512 * 78 * 2), "512x512x78,type=int16");
    EXPECT_EQ(first("head_256x256x128_uint8.raw", 256 * 256 * 128), "256x256x128,type=uint8");
    EXPECT_EQ(first("BallBinary30x30x30.raw", 54000), "30x30x30,type=int16");
    EXPECT_EQ(first("a-64X48X5-f64.bin", 64 * 48 * 5 * 8), "64x48x5,type=double");
    EXPECT_EQ(first("ct_512_512_78_ushort_be.raw", 512 * 512 * 78 * 2), "512x512x78,type=uint16,endian=big");
    EXPECT_EQ(first("7\xc3\x97"
                    "5\xc3\x97"
                    "3_s16be.raw",
                    7 * 5 * 3 * 2),
              "7x5x3,type=int16,endian=big");
    EXPECT_EQ(first("slice640x480.raw", 640 * 480 * 4 * 9), "640x480x18,type=int16");  // the usual type first
    EXPECT_EQ(first("slice640x480_float.raw", 640 * 480 * 4 * 9), "640x480x9,type=float");
    EXPECT_EQ(first("scan_2026-11-21.raw", 512 * 512 * 77 * 2), "512x512x77,type=int16");
    EXPECT_TRUE(nameTellsSize("a_4x3.raw", 7) && nameTellsSize("a_4-3-2.raw", 24) && !nameTellsSize("a_4-3-2.raw", 23));
    // Not sizes: distances, dates, and what only looks like a type.
    EXPECT_EQ(first("0.5x0.5x2_float.raw", 64 * 64 * 64 * 4), "64x64x64,type=float");
    EXPECT_EQ(first("point_shorter_2026-11-21_100x50.raw", 10000), "100x50,type=int16");
}

TEST(RawGuess, TakesRemainingBytesForAHeader) {
    EXPECT_EQ(first("100x50x4.raw", 100 * 50 * 4 * 2 + 352), "100x50x4,type=int16,offset=352");
    EXPECT_EQ(first("100x50x4_uint8.raw", 100 * 50 * 4 + 16), "100x50x4,type=uint8,offset=16");
    // Too short for what its name says: said as it is, and it does not fit.
    const auto guesses = guessRaw("100x50x4_int16.raw", 1001);
    EXPECT_EQ(shortText(guesses.front()), "100x50x4,type=int16");
    EXPECT_FALSE(sizeOf(guesses.front()).fits(1001));
}

TEST(RawGuess, GuessesFromTheSizeAlone) {
    EXPECT_EQ(first("volume.raw", 30 * 30 * 30 * 2), "30x30x30,type=int16");
    EXPECT_EQ(first("volume.raw", 64 * 64 * 64 * 4), "64x64x64,type=float");
    EXPECT_EQ(first("ct.raw", 512 * 512 * 77 * 2), "512x512x77,type=int16");
    EXPECT_EQ(first("ct_float.raw", 512 * 512 * 77 * 4), "512x512x77,type=float");
    EXPECT_EQ(first("x.raw", 99 * 99), "99x99,type=uint8");
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{7919}, std::uint64_t{512 * 512 * 16}, std::uint64_t{1} << 62}) {
        const auto guesses = guessRaw("x.raw", bytes);
        ASSERT_FALSE(guesses.empty());
        EXPECT_LE(guesses.size(), kMaxRawGuesses);
        for (std::size_t i = 1; i < guesses.size(); ++i) EXPECT_TRUE(sizeOf(guesses[i]).fits(bytes)) << toText(guesses[i]);
    }
    EXPECT_GT(guessRaw("x.raw", 512 * 512 * 16).size(), 3U);
}

TEST(RawGuess, ChangesOneValueToFit) {
    RawRequest r{.path = "f", .shape = {10, 8, 4, 1}, .type = StoredType::int16, .bigEndian = false, .offset = 0, .geometry = {}};
    std::vector<std::string> texts;
    for (const RawRequest& f : fittingRaw(r, 10 * 8 * 8 * 2)) {
        EXPECT_TRUE(sizeOf(f).fits(10 * 8 * 8 * 2));
        texts.push_back(shortText(f));
    }
    EXPECT_EQ(texts, (std::vector<std::string>{"10x8x8,type=int16", "10x8x4,type=float", "10x8x4,type=int32", "10x8x4,type=uint32",
                                               "10x8x4,type=int16,offset=640", "10x16x4,type=int16", "20x8x4,type=int16"}));
    EXPECT_TRUE(fittingRaw(r, 7).empty());
    r.offset = 100;
    for (const RawRequest& f : fittingRaw(r, 740)) EXPECT_NE(toText(f), toText(r));
    r.shape = {std::int64_t{1} << 60, std::int64_t{1} << 60, 4, 1};
    EXPECT_FALSE(sizeOf(r).countable);
    EXPECT_TRUE(fittingRaw(r, 1000).empty());
}

TEST(RawGuess, GuessesTheFlatFloatFile) {
    const RawRequest r{.path = "f", .shape = {10, 8, 4, 1}, .type = StoredType::int16, .bigEndian = true, .offset = 99, .geometry = {}};
    EXPECT_EQ(shortText(flatFloatRaw(r, 10 * 8 * 7 * 4)), "10x8x7,type=float");
    EXPECT_EQ(shortText(flatFloatRaw(r, 1001)), "10x8x4,type=float");
}

TEST(RawGuess, ErrorsNameTheBestGuess) {
    const TemporaryFolder folder;
    const std::string path = folder / "8x6x2_uint8.raw";
    std::ofstream(path, std::ios::binary) << std::string(96, 'x');
    try {
        (void)openInput(path);
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("Open raw:8x6x2,type=uint8:" + path), std::string::npos) << e.what();
    }
}

TEST(RawGuess, PreviewsOneSliceOfAFileOfAnotherSize) {
    const TemporaryFolder folder;
    const std::string path = folder / "a.raw";
    std::string bytes(3, 'h');
    for (int i = 0; i < 24; ++i) bytes += static_cast<char>(i);
    std::ofstream(path, std::ios::binary) << bytes;
    const RawRequest r{.path = path, .shape = {3, 2, 9, 1}, .type = StoredType::uint8, .bigEndian = false, .offset = 3, .geometry = {}};
    const Image slice = loadRawSlice(r, 2);
    ASSERT_EQ(slice.shape(), (Shape{3, 2, 1, 1}));
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x) EXPECT_EQ(slice.view().at(x, y, 0), static_cast<float>(12 + 3 * y + x));
    EXPECT_NO_THROW((void)loadRawSlice(r, 3));
    for (const std::int64_t z : {std::int64_t{4}, std::int64_t{9}, std::int64_t{-1}}) EXPECT_THROW((void)loadRawSlice(r, z), Error) << z;
}

}  // namespace
}  // namespace parallax::test
