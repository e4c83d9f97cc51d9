// SPDX-License-Identifier: GPL-3.0-or-later
// Files beyond the sample budget are described by their header: the same description, and hardly a byte of the samples is read.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats.hpp"
#include "core/io/loader.hpp"
#include "core/io/sample_budget.hpp"
#include "core/io/saver.hpp"
#include "tests/support/dicom_writer.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Bytes that this process has read so far, by /proc/self/io.
std::uint64_t bytesRead() {
    std::ifstream io("/proc/self/io");
    std::string key;
    std::uint64_t value = 0;
    io >> key >> value;
    return key == "rchar:" ? value : 0;
}

class SampleBudget : public testing::Test {
protected:
    ~SampleBudget() override { setSampleBudget(kAll); }
    TemporaryFolder folder_;

    std::string saved(const std::string& name, const Shape& shape, StoredDepth depth = StoredDepth::automatic) const {
        Image image = makeSynthetic({SyntheticKind::noise, shape, 3});
        if (shape.channels == 1) image.geometry = Geometry{.spacing = {0.5, 0.5, 2}};
        SaveOptions options;
        options.depth = depth;
        (void)saveImage(image, folder_ / name, options);
        return folder_ / name;
    }
    std::string described(const std::string& name, const std::string& header, std::size_t bytes) const {
        std::ofstream file(folder_ / name, std::ios::binary);
        file << header << std::string(bytes, '\x11');
        return folder_ / name;
    }

    /// `file`: read in part; `input`: what is opened.
    static void expectDescribed(const std::string& input, const std::string& file) {
        SCOPED_TRACE(input);
        setSampleBudget(kAll);
        const Image whole = loadImage(input);
        EXPECT_FALSE(whole.samples().empty());
        setSampleBudget(whole.samples().bytes() - 1);
        const std::uint64_t before = bytesRead();
        const Image image = loadImage(input);
        const std::uint64_t read = bytesRead() - before;
        EXPECT_TRUE(image.samples().empty());
        EXPECT_EQ(image.shape(), whole.shape());
        EXPECT_EQ(image.channelNames(), whole.channelNames());
        EXPECT_EQ(image.source.format, whole.source.format);
        EXPECT_EQ(image.source.storedStatistics.size(), 0U);
        ASSERT_EQ(image.source.storedChannels.size(), whole.source.storedChannels.size());
        for (std::size_t c = 0; c < image.source.storedChannels.size(); ++c)
            EXPECT_EQ(image.source.storedChannels[c].type, whole.source.storedChannels[c].type);
        ASSERT_EQ(image.metadata.size(), whole.metadata.size());
        for (std::size_t i = 0; i < image.metadata.size(); ++i) EXPECT_EQ(image.metadata[i].text, whole.metadata[i].text);
        EXPECT_EQ(image.source.warnings, whole.source.warnings);
        EXPECT_EQ(image.geometry.has_value(), whole.geometry.has_value());
        if (image.geometry && whole.geometry) {
            EXPECT_EQ(image.geometry->spacing, whole.geometry->spacing);
        }
        EXPECT_LT(read, std::filesystem::file_size(file) / 8);
        // At the budget it is read.
        setSampleBudget(whole.samples().bytes());
        EXPECT_FALSE(loadImage(input).samples().empty());
    }
    static void expectDescribed(const std::string& file) { expectDescribed(file, file); }
};

TEST_F(SampleBudget, ImagesAreDescribedByTheirHeader) {
    const Shape colours{1000, 700, 1, 3};
    for (const char* name : {"a.exr", "a.png", "a.tif", "a.hdr", "a.pfm"}) expectDescribed(saved(name, colours));
    expectDescribed(saved("b.tif", colours, StoredDepth::uint16));
    expectDescribed(saved("b.png", colours, StoredDepth::uint8));
}

TEST_F(SampleBudget, VolumesAreDescribedByTheirHeader) {
    const Shape volume{160, 120, 40, 1};
    if (hasNifti())
        for (const char* name : {"a.nii", "a.nii.gz"}) expectDescribed(saved(name, volume));
    const std::string raw = saved("a.raw", volume);
    expectDescribed(raw + ".json", raw);
    expectDescribed(described("a.nrrd",
                              "NRRD0004\ntype: short\ndimension: 3\nsizes: 160 120 40\nspacings: 1 1 2\nendian: little\nencoding: raw\n\n",
                              160 * 120 * 40 * 2));
    expectDescribed(described(
        "a.mha",
        "ObjectType = Image\nNDims = 3\nDimSize = 160 120 40\nElementType = MET_SHORT\nElementSpacing = 1 1 2\nElementDataFile = LOCAL\n",
        160 * 120 * 40 * 2));
    MadeDicom d;
    d.width = 900;
    d.height = 800;
    d.write(folder_ / "a.dcm");
    expectDescribed(folder_ / "a.dcm");
}

TEST_F(SampleBudget, ATurnedPictureHasItsTurnedShape) {
    const std::string turned = std::string(PARALLAX_GOLDEN_FOLDER) + "/tiff/turned_6_uint8.tif";
    const Shape shape = loadImage(turned).shape();
    setSampleBudget(0);
    const Image image = loadImage(turned);
    EXPECT_EQ(image.shape(), shape);
    EXPECT_TRUE(image.samples().empty());
}

TEST_F(SampleBudget, DamagedSamplesAreNotNoticed) {
    const std::string file = saved("a.exr", {300, 200, 1, 3});
    const auto size = std::filesystem::file_size(file);
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(size / 2));
    bytes << std::string(size / 2, '\x55');
    bytes.close();
    EXPECT_TRUE(loadImage(file).source.incomplete);
    setSampleBudget(0);
    EXPECT_FALSE(loadImage(file).source.incomplete);
}

}  // namespace
}  // namespace parallax::test
