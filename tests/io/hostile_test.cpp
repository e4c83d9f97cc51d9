// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files give an image or an Error.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

class Hostile : public testing::TestWithParam<std::string> {};

TEST_P(Hostile, OpensOrRefusesDamagedFiles) {
    const std::string extension = GetParam();
    const test::TemporaryFolder folder;
    const std::string good = folder / ("good." + extension), bad = folder / ("bad." + extension);
    saveImage(makeSynthetic({SyntheticKind::noise, {24, 20, 1, 3}, 3}), good);
    std::ifstream file(good, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::mt19937 random(20);
    int opened = 0, refused = 0, noticed = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<char> damaged = bytes;
        if (round % 3 == 0) damaged.resize(random() % bytes.size());
        else
            // Mostly in the header, which has the sizes.
            for (int k = 0; k < 1 + static_cast<int>(random() % 4); ++k)
                damaged[random() % (round % 2 ? std::min<std::size_t>(400, damaged.size()) : damaged.size())] = static_cast<char>(random());
        std::ofstream(bad, std::ios::binary).write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
        try {
            const Image image = loadImage(bad);
            ++opened;
            noticed += image.source.incomplete;
        } catch (const Error& e) {
            EXPECT_FALSE(e.summary().empty());
            // The summary names the file; the reason does not repeat it.
            EXPECT_TRUE(extension != "exr" || e.why().find(bad) == std::string::npos) << e.why();
            ++refused;
            ++noticed;
        }
    }
    EXPECT_EQ(opened + refused, 300);
    EXPECT_GT(noticed, 50);
}

/// Formats of volumes have their own tests.
std::vector<std::string> formatsOfImages() {
    std::vector<std::string> all;
    for (const SavableFormat& format : savableFormats())
        if (!format.volumes) all.push_back(format.extension);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Formats, Hostile, testing::ValuesIn(formatsOfImages()),
                         [](const testing::TestParamInfo<std::string>& format) { return format.param; });

TEST(Loading, NamesTheFileInErrors) {
    const test::TemporaryFolder folder;
    (void)std::ofstream(folder / "empty.png");
    std::ofstream(folder / "text.dat") << "hello, this is no image at all";
    for (const std::string& path : {folder.path().string(), folder / "empty.png", folder / "text.dat", folder / "none.png"}) {
        try {
            (void)loadImage(path);
            ADD_FAILURE() << path;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::input);
            EXPECT_NE(std::string(e.what()).find(path), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace parallax
