// SPDX-License-Identifier: GPL-3.0-or-later
// WebP, BMP and PNM files, which OpenCV decodes: their samples, and errors in the words of this program.
#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "core/io/loader.hpp"
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
