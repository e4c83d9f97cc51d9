// SPDX-License-Identifier: GPL-3.0-or-later
// OpenEXR chunks that hold fewer samples than their place: the rest must not come from old memory of the program.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kWidth = 40, kHeight = 600;  // three blocks of the largest kind

std::vector<char> contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, const std::vector<char>& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::uint64_t number(const std::vector<char>& bytes, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, 8);
    return value;
}

/// Offset of the table of chunks: its first entry points behind its end.
std::size_t tableOf(const std::vector<char>& bytes, std::size_t chunks) {
    for (std::size_t at = 8; at + 8 < bytes.size(); ++at)
        if (number(bytes, at) == at + 8 * chunks) return at;
    ADD_FAILURE() << "no table";
    return 0;
}

class ExrDamage : public testing::TestWithParam<std::string> {
protected:
    test::TemporaryFolder folder_;
    std::string path_ = folder_ / "a.exr";
    std::int64_t lines_ = 0;

    std::vector<char> saved(StoredDepth depth) {
        SaveOptions options;
        options.exrCompression = GetParam();
        options.depth = depth;
        options.overwrite = true;
        const auto& names = exrCompressions();
        lines_ = exrBlockLines(static_cast<int>(std::find(names.begin(), names.end(), GetParam()) - names.begin()));
        (void)saveImage(makeSynthetic({SyntheticKind::gradient, {kWidth, kHeight, 1, 3}, 3}), path_, options);
        return contents(path_);
    }
    /// Loads with a pattern in fresh memory.
    Image load(int pattern) const {
        mallopt(M_PERTURB, pattern);
        Image image = loadImage(path_);
        mallopt(M_PERTURB, 0);
        return image;
    }
};

TEST_P(ExrDamage, EmptyChunksAreLostAndZero) {
    for (const StoredDepth depth : {StoredDepth::half, StoredDepth::float32}) {
        std::vector<char> bytes = saved(depth);
        const Image whole = loadImage(path_);
        const std::size_t chunk = number(bytes, tableOf(bytes, static_cast<std::size_t>((kHeight + lines_ - 1) / lines_)) + 8);
        std::memset(bytes.data() + chunk + 4, 0, 4);  // the packed size of the second chunk
        put(path_, bytes);
        const Image image = load(0x55);
        EXPECT_TRUE(image.source.incomplete);
        ASSERT_FALSE(image.source.warnings.empty());
        EXPECT_NE(image.source.warnings[0].find(std::to_string(lines_) + " of 600 lines"), std::string::npos) << image.source.warnings[0];
        for (std::int64_t c = 0; c < 3; ++c)
            for (std::int64_t y = 0; y < kHeight; ++y)
                for (std::int64_t x = 0; x < kWidth; ++x) {
                    const bool lost = y >= lines_ && y < 2 * lines_;
                    ASSERT_EQ(image.view().at(x, y, 0, c), lost ? 0.0F : whole.view().at(x, y, 0, c)) << x << ' ' << y << ' ' << c;
                }
    }
}

TEST_P(ExrDamage, WiderWindowsShowNoOldMemory) {
    std::vector<char> bytes = saved(StoredDepth::half);
    // The last column, in the data window: every chunk is too short now.
    const std::string name("dataWindow\0box2i\0", 17);
    const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
    ASSERT_NE(at, bytes.end());
    at[17 + 4 + 8] = static_cast<char>(kWidth + 200 - 1);
    put(path_, bytes);
    std::vector<float> first;
    for (const int pattern : {0x55, 0xaa}) {
        try {
            const Image image = load(pattern);
            const auto* const samples = static_cast<const float*>(image.samples().data());
            const std::vector<float> all(samples, samples + image.shape().samples());
            if (first.empty()) first = all;
            EXPECT_EQ(std::memcmp(all.data(), first.data(), all.size() * sizeof(float)), 0);
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::input);
        }
        mallopt(M_PERTURB, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Compressions, ExrDamage, testing::ValuesIn(exrCompressions()), [](const auto& name) { return name.param; });

}  // namespace
}  // namespace parallax
