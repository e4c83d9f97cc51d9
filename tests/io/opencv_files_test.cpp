// SPDX-License-Identifier: GPL-3.0-or-later
// WebP, BMP and PNM files, which OpenCV decodes: their samples, and errors in the words of this program.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/small_webp.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

using test::contains;

std::string bytesOf(std::initializer_list<int> values) {
    std::string bytes;
    for (const int v : values) bytes += static_cast<char>(v);
    return bytes;
}

/// Two rows of two pixels of 24 bits, the lower one first, blue first.
std::string bmp() {
    return "BM" + bytesOf({70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0}) +
           bytesOf({0, 0, 0, 0, 16, 0, 0, 0}) + std::string(16, '\0') +
           bytesOf({0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0});
}

/// An ICC profile of RGB and grey with one power curve and `padding` bytes behind it.
std::string powerProfile(int exponent256, std::size_t padding) {
    return std::string(131, '\0') + bytesOf({2}) + "rTRC" + bytesOf({0, 0, 0, 156, 0, 0, 0, 14}) + "kTRC" +
           bytesOf({0, 0, 0, 156, 0, 0, 0, 14}) + "curv" + bytesOf({0, 0, 0, 0, 0, 0, 0, 1, exponent256 >> 8, exponent256 & 255}) +
           std::string(padding, '\0');
}

/// A segment APP2 of JPEG with part `number` of `count`.
std::string profilePart(const std::string& part, int number, int count) {
    const auto length = static_cast<int>(part.size() + 16);
    return bytesOf({0xff, 0xe2, length >> 8, length & 255}) + "ICC_PROFILE" + bytesOf({0, number, count}) + part;
}

/// A WebP of one pixel, lossless, with a chunk ICCP that declares `length` bytes.
std::string webpWithProfile(const std::string& profile, std::size_t length) {
    const auto number = [](std::size_t n) {
        const auto v = static_cast<int>(n);
        return bytesOf({v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24 & 255});
    };
    const std::string chunks =
        "VP8X" + number(10) + bytesOf({0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0}) + "ICCP" + number(length) + profile + test::smallWebp().substr(12);
    return "RIFF" + number(chunks.size() + 4) + "WEBP" + chunks;
}

std::string replaced(std::string bytes, std::size_t at, char value) {
    bytes[at] = value;
    return bytes;
}

class OpenCvFiles : public testing::Test {
protected:
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    test::TemporaryFolder folder_;
};

TEST_F(OpenCvFiles, ReadsWebP) {
    const Image image = loadImage(write("a.webp", test::smallWebp()));
    EXPECT_EQ(image.source.format, "WebP");
    EXPECT_EQ(image.shape(), (Shape{1, 1, 1, 4}));
    EXPECT_EQ(image.view().at(0, 0, 0, 3), 0);
}

TEST_F(OpenCvFiles, ReadsBmp) {
    const Image image = loadImage(write("a.bmp", bmp()));
    EXPECT_EQ(image.source.format, "BMP");
    ASSERT_EQ(image.shape(), (Shape{2, 2, 1, 3}));
    const float expected[2][2][3] = {{{0, 0, 1}, {1, 1, 1}}, {{1, 0, 0}, {0, 1, 0}}};
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x)
            for (int c = 0; c < 3; ++c) EXPECT_FLOAT_EQ(image.view().at(x, y, 0, c), expected[y][x][c]) << x << y << c;
}

TEST_F(OpenCvFiles, UsesTheCurveOfProfilesOfJpeg) {
    for (const std::int64_t channels : {1, 3}) {
        Image grey(Buffer({8, 8, 1, channels}));
        for (std::int64_t i = 0; i < grey.shape().samples(); ++i) grey.view().data[i] = 0.2158605F;  // code 128
        (void)saveImage(grey, folder_ / "plain.jpg", {.overwrite = true});
        std::ifstream file(folder_ / "plain.jpg", std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}}, profile = powerProfile(461, 99);
        const auto with = [&](const std::string& segments) {
            return loadImage(write("a.jpg", bytes.substr(0, 2) + segments + bytes.substr(2)));
        };
        const std::string first = profile.substr(0, 150), second = profile.substr(150);
        const auto expected = static_cast<float>(std::pow(128 / 255.0, 461 / 256.0));
        for (const std::string& segments : {profilePart(profile, 1, 1), profilePart(first, 1, 2) + profilePart(second, 2, 2),
                                            profilePart(second, 2, 2) + profilePart(first, 1, 2)}) {
            const Image image = with(segments);
            EXPECT_NEAR(image.view().at(3, 3), expected, 1e-6);
            EXPECT_EQ(image.source.transfer, TransferFunction::gamma);
            EXPECT_TRUE(test::warns(image, "only its tone curve is used"));
        }
        for (const std::string& segments :
             {profilePart(second, 2, 2), profilePart(first, 1, 3) + profilePart(second, 3, 3), profilePart("", 0, 0)}) {
            const Image image = with(segments);
            EXPECT_NEAR(image.view().at(3, 3), 0.2158605F, 1e-6);
            EXPECT_TRUE(test::warns(image, "The colour profile is not applied; samples are taken as sRGB"));
        }
        EXPECT_TRUE(with(profilePart("sRGB built-in", 1, 1)).source.warnings.empty());
        EXPECT_TRUE(with("").source.warnings.empty());
        // Cut within the profile: refused or marked, without reading behind the end.
        for (const std::size_t length : {2 + 10, 2 + 17, 2 + 60})
            EXPECT_FALSE(test::refusal(write("cut.jpg", (bytes.substr(0, 2) + profilePart(profile, 1, 1)).substr(0, length))).empty());
    }
}

TEST_F(OpenCvFiles, UsesTheCurveOfProfilesOfWebP) {
    const std::string profile = powerProfile(461, 2);
    const Image image = loadImage(write("a.webp", webpWithProfile(profile, profile.size())));
    EXPECT_EQ(image.source.transfer, TransferFunction::gamma);
    EXPECT_NEAR(image.source.gamma, 461 / 256.0, 1e-9);
    EXPECT_TRUE(test::warns(image, "only its tone curve is used"));
    // A length beyond the end of the file.
    EXPECT_FALSE(test::refusal(write("a.webp", webpWithProfile(profile, 0xfffffff0))).empty());
}

TEST_F(OpenCvFiles, RefusesDamagedFilesInItsOwnWords) {
    const std::pair<const char*, std::string> files[] = {
        {"cut.webp", test::smallWebp().substr(0, 28)},
        {"zeros.webp", test::smallWebp().substr(0, 24) + std::string(10, '\xff')},
        {"cut.bmp", bmp().substr(0, 58)},
        {"depth.bmp", replaced(bmp(), 28, 13)},
        {"wide.pgm", "P5 1048577 1 255\n" + std::string(1048577, '\0')},  // wider than the limit of OpenCV
    };
    for (const auto& [name, bytes] : files) {
        const std::string path = write(name, bytes);
        testing::internal::CaptureStderr();
        const std::string message = test::refusal(path);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << name;
        EXPECT_TRUE(contains(message, "its data are damaged or of a kind that is not supported")) << name << ": " << message;
        for (const char* foreign : {"OpenCV", "CV_", "size.width", "imdecode", "error:"})
            EXPECT_FALSE(contains(message, foreign)) << name << ": " << message;
    }
}

}  // namespace
}  // namespace parallax
