// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files of several frames: those of another writer (tests/oracles/make_dicom_frames.py), and made ones with fragments and errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/image/error.hpp"
#include "core/io/formats/dicom/dicom_frames.hpp"
#include "core/io/loader.hpp"
#ifdef PARALLAX_HAS_GDCM
#include "tests/support/dicom_compress.hpp"
#endif
#include "tests/support/dicom_writer.hpp"
#include "tests/support/golden_lines.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

std::string goldenFolder() { return std::string(PARALLAX_GOLDEN_FOLDER) + "/dicom"; }

TEST(DicomFrames, OpenAsVolumesWithTheValuesOfOtherReaders) {
    const auto lines = goldenLines(goldenFolder() + "/frames.txt");
    for (const std::vector<std::string>& parts : lines) {
        ASSERT_EQ(parts.size(), 7U);
        if (parts[0].find("rle") != std::string::npos && !canDecodeFrames()) continue;
        SCOPED_TRACE(parts[0] + "#" + parts[1]);
        const Image image = loadImage(goldenFolder() + "/" + parts[0] + "#" + parts[1]);
        const auto extents = valuesIn<double>(parts[2]), spacing = valuesIn<double>(parts[3]), origin = valuesIn<double>(parts[4]),
                   direction = valuesIn<double>(parts[5]), samples = valuesIn<double>(parts[6]);
        ASSERT_EQ(image.shape(), (Shape{static_cast<std::int64_t>(extents.at(0)), static_cast<std::int64_t>(extents.at(1)),
                                        static_cast<std::int64_t>(extents.at(2)), 1}));
        ASSERT_EQ(samples.size(), static_cast<std::size_t>(image.shape().samples()));
        for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(image.view().data[i], static_cast<float>(samples[i])) << i;
        ASSERT_TRUE(image.geometry);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(image.geometry->spacing[i], spacing.at(i), 1e-9);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(image.geometry->origin[i], origin.at(i), 1e-9);
        if (parts[0] != "plain.dcm") {
            for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(image.geometry->direction[i], direction.at(i), 1e-9);
        }
        EXPECT_EQ(image.source.series->files, 1);
    }
    EXPECT_EQ(lines.size(), 12U);
}

TEST(DicomFrames, SeveralVolumesAreNamedAndChosen) {
    const Image first = loadImage(goldenFolder() + "/phases.dcm");
    EXPECT_EQ(first.source.volumes, 2);
    EXPECT_TRUE(warns(first, "holds 2 volumes; the first was opened"));
    EXPECT_FALSE(warns(loadImage(goldenFolder() + "/phases.dcm#1"), "the first was opened"));
    EXPECT_TRUE(contains(refusal(goldenFolder() + "/phases.dcm#2"), "it holds volumes 0 to 1"));
    EXPECT_TRUE(contains(refusal(goldenFolder() + "/enhanced.dcm#1"), "it holds one volume"));
}

TEST(DicomFrames, OfAFolderBelongToTheirSeries) {
    const TemporaryFolder folder;
    fs::copy_file(goldenFolder() + "/enhanced.dcm", folder / "frames");
    const Image image = loadImage(folder.path().string());
    EXPECT_EQ(image.shape(), (Shape{5, 4, 3, 1}));
    EXPECT_EQ(image.geometry->spacing[2], 2.5);
    fs::copy_file(goldenFolder() + "/phases.dcm", folder / "phases");
    EXPECT_TRUE(contains(refusal(folder.path().string()), "series"));
}

/// Items with an offset table of their own; `table`: its entries.
Bytes encapsulated(const std::vector<std::uint32_t>& table, const std::vector<Bytes>& items) {
    Bytes out;
    const auto number = [&](std::uint32_t v) {
        for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
    };
    const auto item = [&](std::size_t bytes) {
        number(0xe000fffe);
        number(static_cast<std::uint32_t>(bytes));
    };
    item(4 * table.size());
    for (const std::uint32_t entry : table) number(entry);
    for (const Bytes& bytes : items) {
        item(bytes.size());
        out.insert(out.end(), bytes.begin(), bytes.end());
    }
    number(0xe0ddfffe);
    number(0);
    return out;
}

class MadeFrames : public testing::Test {
protected:
    TemporaryFolder folder_;
    MadeDicom made_;
    MadeFrames() { made_.texts[0x00280008] = {"IS", "2"}; }
    std::string written() const {
        made_.write(folder_ / "a.dcm");
        return folder_ / "a.dcm";
    }
    /// Sets samples of two frames: those of the first, and of the second 1,000 more.
    void twoFrames() {
        made_.height = 6;  // the samples of both
        made_.sample = [](int x, int y) { return static_cast<std::uint32_t>(100 * (y % 3) + x + (y < 3 ? 0 : 1000)); };
        made_.texts[0x00280010] = {"US", std::string{3, 0}};
    }
};

TEST_F(MadeFrames, WithoutGroupsAreInTheirOrder) {
    twoFrames();
    const Image image = loadImage(written());
    ASSERT_EQ(image.shape(), (Shape{4, 3, 2, 1}));
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x) EXPECT_EQ(image.view().at(x, y, z), static_cast<float>(1000 * z + 100 * y + x - 1024));
    EXPECT_TRUE(warns(image, "no positions"));
}

TEST_F(MadeFrames, OfADoseAreAtTheirOffsets) {
    twoFrames();
    made_.texts[0x3004000c] = {"DS", "0\\-2.5"};
    const Image image = loadImage(written());
    EXPECT_EQ(image.geometry->spacing[2], 2.5);
    EXPECT_EQ(image.geometry->origin[2], -2.5);
    EXPECT_EQ(image.view().at(0, 0, 0), 1000 - 1024);
}

TEST_F(MadeFrames, OfADoseAreInGray) {
    twoFrames();
    made_.texts[0x00281052] = made_.texts[0x00281053] = {"--", ""};
    made_.texts[0x00080060] = {"CS", "RTDOSE"};
    made_.texts[0x30040002] = {"CS", "GY"};
    made_.texts[0x3004000e] = {"DS", "0.001"};
    for (const auto encoding : {MadeDicom::Encoding::explicitLittle, MadeDicom::Encoding::implicitLittle}) {
        made_.encoding = encoding;
        const Image image = loadImage(written());
        EXPECT_EQ(image.view().at(3, 2, 1), 1.203F);
        EXPECT_EQ(image.geometry->unit, "Gy");
    }
    made_.texts[0x30040002] = {"CS", "RELATIVE"};
    EXPECT_EQ(loadImage(written()).geometry->unit, "");
}

#ifdef PARALLAX_HAS_GDCM
TEST_F(MadeFrames, MayConsistOfSeveralFragments) {
    std::array<Bytes, 2> streams;
    for (std::size_t f = 0; f < 2; ++f) {
        Bytes stored;
        for (std::uint32_t i = 0; i < 12; ++i) {
            const std::uint32_t v = 40 * i + 700 * static_cast<std::uint32_t>(f);
            stored.push_back(static_cast<std::uint8_t>(v));
            stored.push_back(static_cast<std::uint8_t>(v >> 8));
        }
        streams[f] = compressedByGdcm("1.2.840.10008.1.2.4.80", 4, 3, 16, 16, false, stored);
        if (streams[f].size() % 2 != 0) streams[f].push_back(0);
    }
    const auto half = static_cast<std::ptrdiff_t>(streams[0].size() / 4 * 2);
    const Bytes head(streams[0].begin(), streams[0].begin() + half), tail(streams[0].begin() + half, streams[0].end());
    const auto second = static_cast<std::uint32_t>(streams[0].size() + 16);
    made_.transferSyntax = "1.2.840.10008.1.2.4.80";
    const auto expectFrames = [&] {
        const Image image = loadImage(written());
        ASSERT_EQ(image.shape(), (Shape{4, 3, 2, 1}));
        for (int i = 0; i < 24; ++i) EXPECT_EQ(image.view().data[i], static_cast<float>(40 * (i % 12) + 700 * (i / 12) - 1024));
    };
    made_.encapsulated = encapsulated({0, second}, {head, tail, streams[1]});
    expectFrames();
    made_.encapsulated = encapsulated({}, {streams[0], streams[1]});
    expectFrames();
    made_.encapsulated = encapsulated({}, {head, tail, streams[1]});
    EXPECT_TRUE(contains(refusal(written()), "its 2 frames are in 3 items without an offset table"));
    made_.encapsulated = encapsulated({0, second + 2}, {head, tail, streams[1]});
    EXPECT_TRUE(contains(refusal(written()), "the offset table of its frames does not match its items"));
    made_.encapsulated = encapsulated({}, {streams[0]});
    EXPECT_TRUE(contains(refusal(written()), "1 items for 2 frames"));
}
#endif

TEST_F(MadeFrames, AreRefusedWithoutTheirSamplesOrDescriptions) {
    twoFrames();
    made_.texts[0x00280008] = {"IS", "3"};
    EXPECT_TRUE(contains(refusal(written()), "expected 3 frames of 24 bytes, found 48 bytes"));
    made_.texts[0x00280008] = {"IS", "2"};
    // One empty item of the Per-frame Functional Groups Sequence.
    made_.texts[0x52009230] = {"SQ", std::string("\xfe\xff\x00\xe0\0\0\0\0", 8)};
    EXPECT_TRUE(contains(refusal(written()), "it has 2 frames and describes 1"));
    made_.texts[0x52009230] = {"SQ", std::string("\xfe\xff\x00\xe0\0\x01\0\0", 8)};
    EXPECT_TRUE(contains(refusal(written()), "functional groups ends outside"));
}

}  // namespace
}  // namespace parallax::test
