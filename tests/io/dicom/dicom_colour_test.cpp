// SPDX-License-Identifier: GPL-3.0-or-later
// Colour and deflated DICOM files of another writer (tests/oracles/make_dicom_colours.py), and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/image/error.hpp"
#include "core/io/codec/stored_colours.hpp"
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

std::string goldenFile(const std::string& name) { return std::string(PARALLAX_GOLDEN_FOLDER) + "/dicom/" + name; }

TEST(DicomColours, OpenWithTheCodesOfOtherReaders) {
    const auto lines = goldenLines(goldenFile("colours.txt"));
    for (const std::vector<std::string>& parts : lines) {
        ASSERT_EQ(parts.size(), 6U);
        SCOPED_TRACE(parts[0] + "#" + parts[1]);
        const Image image = loadImage(goldenFile(parts[0]) + "#" + parts[1]);
        const auto extents = valuesIn<double>(parts[2]), codes = valuesIn<double>(parts[5]);
        const int largest = std::stoi(parts[3]), tolerance = std::stoi(parts[4]);
        const bool grey = parts[0].starts_with("grey");
        ASSERT_EQ(image.shape(),
                  (Shape{static_cast<std::int64_t>(extents.at(0)), static_cast<std::int64_t>(extents.at(1)), grey ? 3 : 1, grey ? 1 : 3}));
        ASSERT_EQ(codes.size(), static_cast<std::size_t>(image.shape().samples()));
        const View<const float> v = image.view();
        std::size_t i = 0;
        if (grey) {
            for (; i < codes.size(); ++i) ASSERT_EQ(v.data[i], static_cast<float>(codes[i])) << i;
            continue;
        }
        EXPECT_EQ(image.source.storedChannels.front().type, largest > 255 ? "uint16" : "uint8");
        for (std::int64_t y = 0; y < v.shape.height; ++y)
            for (std::int64_t x = 0; x < v.shape.width; ++x)
                for (std::int64_t c = 0; c < 3; ++c, ++i) {
                    const int code = encodeSample(static_cast<double>(v.at(x, y, 0, c)), TransferFunction::sRgb, 1, largest);
                    ASSERT_NEAR(code, codes[i], tolerance) << "pixel " << x << ", " << y << ", channel " << c;
                }
    }
    EXPECT_EQ(lines.size(), 22U);
}

TEST(DicomColours, FramesAreNamedAndChosen) {
    const Image first = loadImage(goldenFile("rgb_frames.dcm"));
    EXPECT_EQ(first.source.volumes, 3);
    EXPECT_TRUE(warns(first, "holds 3 frames; the first was opened"));
    EXPECT_TRUE(contains(refusal(goldenFile("rgb_frames.dcm#3")), "0 to 2"));
}

TEST(DicomColours, ImagesOfAFolderAreListedOneByOne) {
    const TemporaryFolder folder;
    fs::copy_file(goldenFile("rgb.dcm"), folder / "a");
    EXPECT_EQ(loadImage(folder.path().string()).shape(), (Shape{6, 5, 1, 3}));
    fs::copy_file(goldenFile("rgb_frames.dcm"), folder / "b");
    const auto list = listSeries(folder.path().string());
    ASSERT_EQ(list.size(), 4U);
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [](const SeriesSummary& s) { return s.description == "frame 2"; }));
    for (const SeriesSummary& s : list) EXPECT_EQ(loadImage(s.input).shape(), (Shape{6, 5, 1, 3})) << s.input;
}

#ifdef PARALLAX_HAS_GDCM
TEST(DicomColours, AreDecodedExactly) {
    const TemporaryFolder folder;
    MadeDicom d;
    d.width = 24;
    d.height = 17;
    d.bitsAllocated = d.bitsStored = 8;
    d.texts[0x00280002] = {"US", std::string{3, 0}};
    d.texts[0x00280004] = {"CS", "RGB"};
    std::vector<std::uint8_t> codes;
    for (int i = 0; i < 3 * d.width * d.height; ++i) codes.push_back(static_cast<std::uint8_t>(7 * i + i * i / 50));
    for (const char* const syntax :
         {"1.2.840.10008.1.2.4.57", "1.2.840.10008.1.2.4.70", "1.2.840.10008.1.2.4.80", "1.2.840.10008.1.2.4.90"}) {
        SCOPED_TRACE(syntax);
        d.transferSyntax = syntax;
        d.encapsulated = MadeDicom::items(compressedByGdcm(syntax, 24, 17, 8, 8, false, codes, 3));
        d.write(folder / "a.dcm");
        const Image image = loadImage(folder / "a.dcm");
        ASSERT_EQ(image.shape(), (Shape{24, 17, 1, 3}));
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const auto pixel = static_cast<std::int64_t>(i / 3), c = static_cast<std::int64_t>(i % 3);
            const float v = image.view().at(pixel % 24, pixel / 24, 0, c);
            ASSERT_EQ(encodeSample(static_cast<double>(v), TransferFunction::sRgb, 1, 255), codes[i]) << i;
        }
        d.encapsulated = MadeDicom::items({1, 2, 3, 4});
        d.write(folder / "a.dcm");
        EXPECT_TRUE(contains(refusal(folder / "a.dcm"), "its compressed samples"));
    }
}
#endif

TEST(DicomColours, AreRefusedWithTheReason) {
    const TemporaryFolder folder;
    const auto refused = [&](const std::function<void(MadeDicom&)>& change) {
        MadeDicom d;
        d.bitsAllocated = d.bitsStored = 8;
        d.texts[0x00280002] = {"US", std::string{3, 0}};
        d.texts[0x00280004] = {"CS", "RGB"};
        change(d);
        d.write(folder / "a.dcm");
        return refusal(folder / "a.dcm");
    };
    EXPECT_TRUE(contains(refused([](MadeDicom&) {}), "expected 36 bytes, found 12"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) {
                             d.texts[0x00280004] = {"CS", "YBR_PARTIAL_420"};
                         }),
                         "'YBR_PARTIAL_420' with 3 per pixel"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.texts[0x00280002] = {"US", std::string{4, 0}}; }), "'RGB' with 4 per pixel"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.isSigned = true; }), "not unsigned"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) {
                             d.texts[0x00280004] = {"CS", "YBR_FULL_422"};
                             d.width = 3;
                         }),
                         "even width"));
    const auto indexed = [](MadeDicom& d) {
        d.texts.erase(0x00280002);
        d.texts[0x00280004] = {"CS", "PALETTE COLOR"};
    };
    EXPECT_TRUE(contains(refused(indexed), "its header has no palette"));
    EXPECT_TRUE(contains(refused([&](MadeDicom& d) {
                             indexed(d);
                             d.texts[0x00281101] = {"US", std::string{4, 0, 0, 0, 8, 0}};
                             d.texts[0x00281201] = {"OW", "ab"};
                         }),
                         "its palette is truncated"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) {
                             d.transferSyntax = "1.2.840.10008.1.2.5";
                             std::vector<std::uint8_t> stream(64, 0);
                             stream[0] = 3;
                             for (std::size_t i = 0; i < 3; ++i) stream[4 + 4 * i] = static_cast<std::uint8_t>(64 + 2 * i);
                             stream.insert(stream.end(), {253, 7, 253, 8, 253, 9});  // four of each colour, and there are twelve pixels
                             d.encapsulated = MadeDicom::items(stream);
                         }),
                         "end early"));
}

}  // namespace
}  // namespace parallax::test
