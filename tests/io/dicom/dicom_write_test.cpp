// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files of results come back with their values and geometry, and without the patient. tests/cli/dicom_write_test.py asks other
// readers.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats/dicom/dicom_elements.hpp"
#include "core/io/formats/dicom/dicom_header.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/dicom_writer.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

/// A volume of oblique, sheared and uneven slices.
Image sheared() {
    Image image = makeSynthetic({SyntheticKind::noise, {9, 7, 5, 1}, 3});
    Geometry g;
    g.spacing = {0.7, 1.0 / 3, 2.5};
    g.origin = {-12.5, 7.25, 100.125};
    const double c = std::cos(0.3), s = std::sin(0.3), t = std::sin(0.2), u = std::cos(0.2);
    g.direction = {c, -s, t * c, s, c, t * s, 0, 0, u};
    g.slicePositions = {0, 2.5, 5, 10, 12.5};
    g.unit = "HU";
    image.geometry = g;
    image.metadata.clear();  // "orientation: not known"
    return image;
}

std::string textOf(const std::string& path, DicomTag tag) { return DicomHeader::read(path, {}).wholeText(tag); }

std::string allBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class SavedDicom : public testing::Test {
protected:
    TemporaryFolder folder_;
    std::string series() const { return folder_ / "out/"; }
    std::string slice(const std::string& number) const { return folder_ / ("out/image_" + number + ".dcm"); }

    /// A CT series of a patient in the folder "in".
    Image patients() const {
        fs::create_directory(folder_ / "in");
        for (int i = 0; i < 3; ++i) {
            MadeDicom d;
            d.instance = i + 1;
            d.position = {-10, -20, 2.5 * i};
            d.texts[0x00100010] = {"PN", "Mustermann^Erika"};
            d.texts[0x00100020] = {"LO", "KENNUNG"};
            d.texts[0x00080020] = {"DA", "20200131"};
            d.texts[0x00081030] = {"LO", "Abdomen"};
            d.texts[0x0020000d] = {"UI", "1.2.3.4"};
            d.texts[0x00200052] = {"UI", "1.2.3.5"};
            d.write(folder_ / ("in/" + std::to_string(i)));
        }
        return loadImage(folder_ / "in");
    }
};

TEST_F(SavedDicom, KeepsIntegersAndEverySlicePosition) {
    Image image = sheared();
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = static_cast<float>(37 * i - 3000);
    EXPECT_TRUE(saveImage(image, series()).empty());
    const Image back = loadImage(folder_ / "out");
    ASSERT_EQ(back.shape(), image.shape());
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) ASSERT_EQ(back.view().data[i], image.view().data[i]);
    EXPECT_EQ(back.source.storedChannels[0].type, "int16");
    EXPECT_EQ(back.geometry->unit, "HU");
    EXPECT_TRUE(sameGeometry(*image.geometry, *back.geometry, 9, 7, 5));
    EXPECT_EQ(back.geometry->slicePositions.size(), 5U);
    EXPECT_GT(back.source.series->tiltDegrees, 11);
    for (const auto& entry : fs::directory_iterator(folder_.path())) EXPECT_EQ(entry.path().filename(), "out");
}

TEST_F(SavedDicom, StatesTheLargestErrorOfFractions) {
    const Image image = sheared();
    const auto notes = saveImage(image, series());
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(contains(notes[0], "rounded to 16 bits, in steps of "));
    const Image back = loadImage(folder_ / "out");
    const SampleStatistics s = computeStatistics(image);
    double worst = 0;
    for (std::int64_t i = 0; i < image.shape().samples(); ++i)
        worst = std::max(worst, std::fabs(static_cast<double>(back.view().data[i]) - static_cast<double>(image.view().data[i])));
    EXPECT_LE(worst, 0.5001 * (s.max - s.min) / 65535);
    const double stated = std::stod(notes[0].substr(notes[0].rfind("is ") + 3));
    EXPECT_NEAR(stated, worst, 1e-3 * worst);
}

TEST_F(SavedDicom, KeepsFractionsOfPowersOfTwoExactly) {
    Image image = sheared();
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = static_cast<float>(i) * 0.25F - 20.75F;
    EXPECT_TRUE(saveImage(image, series()).empty());
    const Image back = loadImage(folder_ / "out");
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) ASSERT_EQ(back.view().data[i], image.view().data[i]);
}

TEST_F(SavedDicom, ReportsSamplesThatAreNoNumbers) {
    Image image = sheared();
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = static_cast<float>(i);
    image.view().data[3] = std::numeric_limits<float>::quiet_NaN();
    image.view().data[4] = std::numeric_limits<float>::infinity();
    const auto notes = saveImage(image, series());
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(contains(notes[0], "2 samples that are NaN or infinite"));
    for (const float v : {std::numeric_limits<float>::quiet_NaN(), 0.1F}) {
        for (std::int64_t i = 0; i < image.shape().samples(); ++i) image.view().data[i] = v;
        EXPECT_LE(saveImage(image, series(), {.overwrite = true}).size(), 1U) << "constant volumes";
    }
    EXPECT_EQ(loadImage(folder_ / "out").view().data[7], 0.1F);
}

TEST_F(SavedDicom, StatesPatientOrientationWhereItIsRequired) {
    const std::string element("\x20\0\x20\0CS", 6);
    (void)saveImage(patients(), series());
    EXPECT_FALSE(contains(allBytes(slice("0001")), element)) << "CT";
    (void)saveImage(sheared(), folder_ / "other/");
    EXPECT_TRUE(contains(allBytes(folder_ / "other/image_0001.dcm"), element)) << "secondary capture";
}

TEST_F(SavedDicom, KeepsAnUnknownOrientationUnknown) {
    const Image image = makeSynthetic({SyntheticKind::noise, {9, 7, 5, 1}, 3});
    EXPECT_EQ(saveImage(image, series()).size(), 2U);
    const Image back = loadImage(folder_ / "out");
    EXPECT_FALSE(orientationKnown(back));
    EXPECT_EQ(back.shape(), image.shape());
    EXPECT_EQ(textOf(slice("0001"), 0x00200032), "");
}

TEST_F(SavedDicom, LeavesThePatientOut) {
    const Image image = patients();
    EXPECT_TRUE(saveImage(image, series()).empty());
    for (const char* const number : {"0001", "0002", "0003"}) {
        const std::string bytes = allBytes(slice(number));
        for (const char* const text : {"Mustermann", "KENNUNG", "20200131", "Abdomen", "1.2.3.4"})
            EXPECT_FALSE(contains(bytes, text)) << text;
        EXPECT_TRUE(contains(bytes, "Patient and study attributes left out"));
    }
    const Image back = loadImage(folder_ / "out");
    EXPECT_EQ(textOf(slice("0001"), 0x00080016), "1.2.840.10008.5.1.4.1.1.2");
    EXPECT_TRUE(sameGeometry(*image.geometry, *back.geometry, 4, 3, 3));
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) ASSERT_EQ(back.view().data[i], image.view().data[i]);
}

TEST_F(SavedDicom, CopiesThePatientOnRequest) {
    Image image = patients();
    const SaveOptions keep{.overwrite = true, .keepPatient = true};
    (void)saveImage(image, series(), keep);
    EXPECT_EQ(textOf(slice("0002"), 0x00100010), "Mustermann^Erika");
    EXPECT_EQ(textOf(slice("0002"), 0x00080020), "20200131");
    EXPECT_EQ(textOf(slice("0002"), 0x0020000d), "1.2.3.4");
    EXPECT_EQ(textOf(slice("0002"), 0x00200052), "1.2.3.5") << "frame of reference";
    EXPECT_NE(textOf(slice("0002"), 0x0020000e), image.source.series->uid) << "a series of its own";
    EXPECT_TRUE(contains(allBytes(slice("0002")), "1.2.3.4.1.2")) << "the instance that it was made of";
    EXPECT_FALSE(contains(allBytes(slice("0002")), "1.2.3.4.1.3"));
    EXPECT_THROW((void)saveImage(sheared(), series(), keep), Error) << "no patient";
    EXPECT_THROW((void)saveImage(image, folder_ / "a.nii", {.keepPatient = true}), Error) << "a format without patients";
    fs::remove_all(folder_ / "in");
    EXPECT_THROW((void)saveImage(image, series(), keep), Error) << "the source has gone";
    EXPECT_EQ(textOf(slice("0002"), 0x00100010), "Mustermann^Erika") << "the old files stay";
}

TEST_F(SavedDicom, HasTheSameUidsForTheSameResultOnly) {
    Image image = sheared();
    const auto uids = [&](const std::string& name) {
        (void)saveImage(image, folder_ / (name + "/"));
        std::set<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder_ / name)) {
            all.insert(textOf(entry.path().string(), 0x00080018));
            all.insert(textOf(entry.path().string(), 0x0020000e));
        }
        EXPECT_EQ(all.size(), 6U) << "one for each slice, and one for the series";
        for (const std::string& uid : all) EXPECT_TRUE(uid.starts_with("2.25.") && uid.size() <= 64) << uid;
        return all;
    };
    const auto first = uids("a");
    EXPECT_EQ(uids("b"), first);
    EXPECT_EQ(allBytes(folder_ / "a/image_0001.dcm"), allBytes(folder_ / "b/image_0001.dcm"));
    image.view().data[5] += 0.25F;
    for (const std::string& uid : uids("c")) EXPECT_FALSE(first.contains(uid));
}

TEST_F(SavedDicom, ReplacesNothingButItsOwnFiles) {
    const Image image = sheared();
    fs::create_directory(folder_ / "out");
    (void)saveImage(image, series());  // an empty folder
    EXPECT_THROW((void)saveImage(image, series()), Error);
    (void)saveImage(image, series(), {.overwrite = true});
    for (const char* const other : {"out/notes.txt", "out/IM0001.dcm", "out/image_1a23.dcm"}) {
        std::ofstream(folder_ / other) << "mine";
        EXPECT_THROW((void)saveImage(image, series(), {.overwrite = true}), Error) << other;
        EXPECT_TRUE(fs::remove(folder_ / other));
    }
    (void)saveImage(image, series(), {.overwrite = true});
    std::ofstream(folder_ / "file") << "mine";
    EXPECT_THROW((void)saveImage(image, folder_ / "file/", {.overwrite = true}), Error);
    EXPECT_THROW((void)saveImage(image, folder_ / "none/out/"), Error);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)saveImage(image, folder_ / "stopped/", {.stop = stop.get_token()}), Error);
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.insert(entry.path().filename().string());
    EXPECT_EQ(names, (std::set<std::string>{"file", "out"}));
}

TEST_F(SavedDicom, HoldsPicturesAsSecondaryCaptures) {
    for (const std::int64_t channels : {1, 3, 4}) {
        const Image image = makeSynthetic({SyntheticKind::noise, {7, 5, 1, channels}, 3});
        const std::string file = folder_ / (std::to_string(channels) + ".dcm");
        (void)saveImage(image, file);
        EXPECT_EQ(textOf(file, 0x00080016), "1.2.840.10008.5.1.4.1.1.7");
        EXPECT_EQ(textOf(file, 0x00280004), channels == 1 ? "MONOCHROME2" : "RGB");
        const Image back = loadImage(file);
        EXPECT_EQ(back.shape().channels, channels == 1 ? 1 : 3);
        if (channels != 3) continue;
        const std::string png = folder_ / "a.png";
        (void)saveImage(image, png, {.depth = StoredDepth::uint8});
        const Image same = loadImage(png);
        for (std::int64_t i = 0; i < same.shape().samples(); ++i) ASSERT_EQ(back.view().data[i], same.view().data[i]);
    }
}

TEST_F(SavedDicom, RefusesWhatItCannotHold) {
    Image image = sheared();
    EXPECT_THROW((void)saveImage(image, folder_ / "a.dcm"), Error) << "a volume";
    image.geometry->direction[1] += 0.1;
    EXPECT_THROW((void)saveImage(image, series()), Error) << "rows and columns that are not at right angles";
    EXPECT_THROW((void)saveImage(makeSynthetic({SyntheticKind::noise, {9, 7, 1, 3}, 3}), series()), Error) << "colours in a series";
    EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST(DicomElements, UidsAreMadeOfSha256) {
    // The UUID ba7816bf-8f01-8fea-8141-40de5dae2223 as a number.
    EXPECT_EQ(dicomUid("abc"), "2.25.247859944228867097191300499870369849891");
}

TEST(DicomElements, DecimalsHaveSixteenCharacters) {
    for (const double v : {0.0, -0.0, 1.0 / 3, -1.0 / 3, 1e-300 / 3, -123456.789012345678, 1e22 / 3, 65535.0}) {
        const std::string text = dicomDecimal(v);
        EXPECT_LE(text.size(), 16U) << text;
        EXPECT_NEAR(std::stod(text), v, 1e-8 * std::fabs(v)) << text;
    }
    EXPECT_EQ(dicomDecimal(-0.0), "0");
}

}  // namespace
}  // namespace parallax::test
