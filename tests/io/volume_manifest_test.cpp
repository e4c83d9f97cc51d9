// SPDX-License-Identifier: GPL-3.0-or-later
// Every real volume does what its recorded facts say: sizes, order, spacing, orientation, every stored sample.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/image/error.hpp"
#include "core/io/codec/bzip2.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/dicom/dicom_frames.hpp"
#include "core/io/loader.hpp"
#include "tests/support/sha256.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_data.hpp"
#include "tests/support/test_names.hpp"

namespace parallax::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const json& facts() {
    static const json all = [] {
        std::ifstream file(testDataFolder() + "/facts.json");
        return file ? json::parse(file) : json();
    }();
    return all;
}

std::vector<std::string> entriesOf(const std::set<std::string>& kinds) {
    std::vector<std::string> found;
    if (facts().contains("entries"))
        for (const auto& e : facts()["entries"])
            if (kinds.count(e["kind"].get<std::string>())) found.push_back(e["path"]);
    return found;
}

const json& entryOf(const std::string& path) {
    for (const auto& e : facts()["entries"])
        if (e["path"] == path) return e;
    return facts();
}

std::string pathOf(const std::string& entry) { return testDataFolder() + "/" + entry; }

/// The stored samples again, from what they mean, as little-endian bytes.
std::string storedDigest(const Image& image, double slope, double intercept, int bytes) {
    Sha256 sha;
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) {
        const auto stored = static_cast<std::uint64_t>(std::llround((static_cast<double>(image.view().data[i]) - intercept) / slope));
        std::array<std::uint8_t, 8> b{};
        for (std::size_t k = 0; k < 8; ++k) b[k] = static_cast<std::uint8_t>(stored >> (8 * k));
        sha.add({b.data(), static_cast<std::size_t>(bytes)});
    }
    return sha.finish();
}

void expectStatistics(const Image& image, const json& s) {
    const SampleStatistics& actual = image.source.storedStatistics.at(0);
    EXPECT_NEAR(actual.min, s["min"].get<double>(), 1e-3);
    EXPECT_NEAR(actual.max, s["max"].get<double>(), 1e-3);
    EXPECT_NEAR(actual.mean, s["mean"].get<double>(), 1e-5 * std::max(1.0, std::fabs(s["mean"].get<double>())));
}

bool warns(const Image& image, const std::string& part) {
    for (const std::string& w : image.source.warnings)
        if (w.find(part) != std::string::npos) return true;
    return false;
}

class DicomSeriesFolder : public testing::TestWithParam<std::string> {};
TEST_P(DicomSeriesFolder, OpensInOrderWithItsRecordedSamples) {
    const json& f = entryOf(GetParam())["facts"]["series"][0];
    if (!canDecodeFrames() && !isUncompressed(f["transfer_syntax"])) GTEST_SKIP() << whyNoFrames();
    const Image image = loadImage(pathOf(GetParam()));
    ASSERT_EQ(image.shape(), (Shape{f["volume_dims_xyz"][0], f["volume_dims_xyz"][1], f["volume_dims_xyz"][2], 1}));
    expectStatistics(image, f["hu"]);
    for (const auto& v : f["voxels"]) EXPECT_FLOAT_EQ(image.view().at(v["x"], v["y"], v["z"]), v["hu"].get<float>()) << v.dump();
    const json& slope = f["slopes"][0];
    const double a = slope[0].is_null() ? 1 : slope[0].get<double>(), b = slope[1].is_null() ? 0 : slope[1].get<double>();
    EXPECT_EQ(storedDigest(image, a, b, 2), f["volume_stored_sha256"].get<std::string>());
    const Geometry& g = *image.geometry;
    EXPECT_NEAR(g.spacing[0], f["pixel_spacing"][1].get<double>(), 1e-9);
    EXPECT_NEAR(g.spacing[1], f["pixel_spacing"][0].get<double>(), 1e-9);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(g.origin[i], f["origin"][i].get<double>(), 1e-6);
        EXPECT_NEAR(g.direction[3 * i], f["orientation"][i].get<double>(), 1e-5);
        EXPECT_NEAR(g.direction[3 * i + 1], f["orientation"][3 + i].get<double>(), 1e-5);
    }
    EXPECT_EQ(image.source.series->uid, f["series_uid"].get<std::string>());
    EXPECT_EQ(image.source.series->modality, f["modality"].get<std::string>());
    if (image.shape().depth == 1) return;
    const double tilt = f["tilt_deg"], across = f["slice_distances"][0];
    EXPECT_NEAR(g.spacing[2] * std::cos(tilt * 3.14159265358979 / 180), across, 1e-4);
    EXPECT_NEAR(image.source.series->tiltDegrees, tilt, 1e-2);
    EXPECT_EQ(warns(image, "gantry tilt"), tilt > 0.1);
    EXPECT_EQ(warns(image, "missing"), !f["even_spacing"].get<bool>());
    EXPECT_EQ(g.slicePositions.empty(), f["even_spacing"].get<bool>());
    const auto last = positionOf(g, 0, 0, static_cast<double>(image.shape().depth - 1));
    const double whole = std::hypot(last[0] - g.origin[0], last[1] - g.origin[1], last[2] - g.origin[2]);
    EXPECT_NEAR(whole, f["distance_between_positions_total_mm"].get<double>(), 1e-3);
}
INSTANTIATE_TEST_SUITE_P(Data, DicomSeriesFolder, testing::ValuesIn(entriesOf({"dicom_series"})), nameOf);

class DicomSingleFile : public testing::TestWithParam<std::string> {};
TEST_P(DicomSingleFile, OpensWithItsRecordedSamples) {
    const json& f = entryOf(GetParam())["facts"];
    if (!canDecodeFrames() && !isUncompressed(f["transfer_syntax"])) GTEST_SKIP() << whyNoFrames();
    const Image image = loadImage(pathOf(GetParam()));
    ASSERT_EQ(image.shape(), (Shape{f["columns"], f["rows"], f["frames"], 1}));
    expectStatistics(image, f["hu"]);
    for (const auto& s : f["samples"])
        EXPECT_FLOAT_EQ(image.view().at(s["x"], s["y"], s.value("frame", 0)), s["hu"].get<float>()) << s.dump();
    const double a = f["slope"].is_null() ? 1 : f["slope"].get<double>(), b = f["intercept"].is_null() ? 0 : f["intercept"].get<double>();
    EXPECT_EQ(storedDigest(image, a, b, 2), f["stored_sha256"].get<std::string>());
    if (f["frames"] == 1) {
        EXPECT_NEAR(image.geometry->spacing[0], f["pixel_spacing"][1].get<double>(), 1e-9);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(image.geometry->origin[i], f["position"][i].get<double>(), 1e-9);
    }
    if (f.contains("padding_value")) {
        EXPECT_EQ(*image.source.series->padding, f["padding_value"].get<double>() * a + b);
    }
}
INSTANTIATE_TEST_SUITE_P(Data, DicomSingleFile, testing::ValuesIn(entriesOf({"dicom"})), nameOf);

class NiftiFile : public testing::TestWithParam<std::string> {};
TEST_P(NiftiFile, OpensWithItsRecordedSamples) {
    if (!hasNifti()) GTEST_SKIP() << whyNoNifti();
    const json& f = entryOf(GetParam())["facts"];
    const auto& dims = f["dims"];
    const Image image = loadImage(pathOf(GetParam()));
    ASSERT_EQ(image.shape(), (Shape{dims[0], dims[1], dims[2], 1}));
    const bool several = dims.size() > 3 && dims[3] > 1;
    EXPECT_EQ(image.source.volumes, several ? dims[3].get<std::int64_t>() : 1);
    EXPECT_EQ(warns(image, "volumes"), several);
    if (!several) expectStatistics(image, f["scaled"]);
    for (const auto& v : f["voxels"]) {
        if (several && v["index"][3] != 0) continue;
        EXPECT_FLOAT_EQ(image.view().at(v["index"][0], v["index"][1], v["index"][2]), v["scaled"].get<float>()) << v.dump();
    }
    const std::string type = f["dtype"] == "float32" ? "float" : f["dtype"] == "float64" ? "double" : f["dtype"].get<std::string>();
    EXPECT_EQ(image.source.storedChannels[0].type, type);
    // The recorded affine is in RAS.
    const double last[3] = {dims[0].get<double>() - 1, dims[1].get<double>() - 1, dims[2].get<double>() - 1};
    for (const double part : {0.0, 1.0}) {
        const auto p = positionOf(*image.geometry, part * last[0], part * last[1], part * last[2]);
        for (std::size_t r = 0; r < 3; ++r) {
            double expected = f["affine"][r][3];
            for (std::size_t c = 0; c < 3; ++c) expected += f["affine"][r][c].get<double>() * part * last[c];
            EXPECT_NEAR((r < 2 ? -1 : 1) * p[r], expected, 1e-4);
        }
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(image.geometry->spacing[i], f["pixdim"][i].get<double>(), 1e-5);
}
INSTANTIATE_TEST_SUITE_P(Data, NiftiFile, testing::ValuesIn(entriesOf({"nifti"})), nameOf);

/// NRRD and MetaImage.
class DescribedVolumeFile : public testing::TestWithParam<std::string> {};
TEST_P(DescribedVolumeFile, OpensWithItsRecordedSamples) {
    const json& f = entryOf(GetParam())["facts"];
    const auto& header = f["header"];
    if (header.value("encoding", "") == "bzip2" && !hasBzip2()) GTEST_SKIP() << whyNoBzip2();
    const auto& dims = f["dims"];
    const Image image = loadImage(pathOf(GetParam()));
    ASSERT_EQ(image.shape(), (Shape{dims[0], dims[1], dims.size() > 2 ? dims[2].get<std::int64_t>() : 1, 1}));
    expectStatistics(image, f["stored"]);
    for (const auto& v : f["voxels"]) {
        const auto& at = v["index"];
        EXPECT_EQ(image.view().at(at[0], at[1], at.size() > 2 ? at[2].get<std::int64_t>() : 0), v["value"].get<float>()) << v.dump();
    }
    EXPECT_EQ(image.source.storedChannels[0].type, f["dtype"].get<std::string>());
    EXPECT_EQ(storedDigest(image, 1, 0, 2), f["data_sha256_little_endian"].get<std::string>());
    // Axes of these files are those of the patient, and their places are said in LPS.
    const auto numbers = [](std::string text) {
        for (char& c : text)
            if (c == '(' || c == ')' || c == ',') c = ' ';
        std::istringstream in(text);
        std::vector<double> all;
        for (double v = 0; in >> v;) all.push_back(v);
        return all;
    };
    const std::vector<double> directions = numbers(header.value("space directions", "")),
                              spacing = numbers(header.value("ElementSpacing", "")),
                              origin = numbers(header.value(header.contains("Offset") ? "Offset" : "space origin", ""));
    for (std::size_t i = 0; i < 3; ++i) {
        if (!directions.empty()) {
            EXPECT_NEAR(image.geometry->spacing[i], directions.at(4 * i), 1e-12);
        }
        if (!spacing.empty()) {
            EXPECT_NEAR(image.geometry->spacing[i], spacing.at(i), 1e-12);
        }
        if (!origin.empty()) {
            EXPECT_NEAR(image.geometry->origin[i], origin.at(i), 1e-9);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Data, DescribedVolumeFile, testing::ValuesIn(entriesOf({"nrrd", "meta"})), nameOf);

class RefusedVolume : public testing::TestWithParam<std::string> {};
TEST_P(RefusedVolume, IsRefusedWithAReason) {
    const json& e = entryOf(GetParam());
    try {
        const Image image = loadImage(pathOf(GetParam()));
        EXPECT_NE(e["expect"], "refuse") << "it was opened";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::input);
        EXPECT_FALSE(error.why().empty()) << error.what();
    }
}
INSTANTIATE_TEST_SUITE_P(Data, RefusedVolume, testing::ValuesIn(entriesOf({"dicom_bad", "nifti_bad"})), nameOf);

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DicomSeriesFolder);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DicomSingleFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NiftiFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DescribedVolumeFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RefusedVolume);

/// Scenarios of the manifest, built from the real files.
class Scenario : public testing::Test {
protected:
    void SetUp() override {
        if (facts().is_null()) GTEST_SKIP() << "no real files: " << testDataFolder() << " has no facts.json (set PARALLAX_TEST_DATA)";
    }
    TemporaryFolder folder_;
};

TEST_F(Scenario, SeparatesThreeSeriesOfAStudy) {
    const std::string study = pathOf("dicom/philips_S21570");
    EXPECT_THROW((void)loadImage(study), Error);
    const auto list = listSeries(study);
    ASSERT_EQ(list.size(), 3U);
    std::vector<std::int64_t> depths;
    for (const SeriesSummary& s : list) depths.push_back(loadImage(s.input).shape().depth);
    EXPECT_EQ(std::multiset<std::int64_t>(depths.begin(), depths.end()), (std::multiset<std::int64_t>{1, 1, 28}));
}

TEST_F(Scenario, SeparatesTwoSeriesInOneFolder) {
    for (const char* from : {"dicom/mr_uncompressed", "dicom/slicer_cthead"})
        for (const auto& f : fs::directory_iterator(pathOf(from))) fs::copy_file(f.path(), folder_.path() / f.path().filename());
    const auto list = listSeries(folder_.path().string());
    ASSERT_EQ(list.size(), 2U);
    std::multiset<std::int64_t> depths;
    for (const SeriesSummary& s : list) depths.insert(loadImage(s.input).shape().depth);
    EXPECT_EQ(depths, (std::multiset<std::int64_t>{4, 93}));
}

TEST_F(Scenario, ReportsAMissingSliceOfARealSeries) {
    for (const auto& f : fs::directory_iterator(pathOf("dicom/slicer_cthead")))
        if (f.path().filename() != "CTHead40.dcm") fs::copy_file(f.path(), folder_.path() / f.path().filename());
    const Image image = loadImage(folder_.path().string());
    EXPECT_EQ(image.shape().depth, 92);
    EXPECT_TRUE(warns(image, "1 slice is missing: between 57 mm (slice 38) and 60 mm (slice 39) the distance is 3 mm instead of 1.5 mm"))
        << image.source.warnings.front();
}

TEST_F(Scenario, IgnoresFileNamesWhenOrderingSlices) {
    const Image image = loadImage(pathOf("dicom/slicer_cthead"));
    const Image tenth = loadImage(pathOf("dicom/slicer_cthead/CTHead10.dcm"));
    EXPECT_TRUE(std::equal(tenth.view().data, tenth.view().data + tenth.shape().samples(), image.view().row(0, 9)));
    EXPECT_NEAR(positionOf(*image.geometry, 0, 0, 9)[2], 13.5, 1e-9);
}

TEST_F(Scenario, RawVolumes) {
    const std::string ball = pathOf("nrrd/BallBinary30x30x30.raw");
    for (const char* endian : {"little", "big"}) {
        const Image image = openInput(std::string("raw:30x30x30,type=int16,endian=") + endian + ":" + ball);
        expectStatistics(image, json{{"min", 0}, {"max", 257}, {"mean", 136.381333}});
    }
    try {
        (void)openInput("raw:31x30x30,type=int16:" + ball);
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("54000"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("55800"), std::string::npos);
    }
    const Image skipped = openInput("raw:33x41x25,type=int16,endian=big,offset=352:" + pathOf("nifti/anatomical.nii"));
    expectStatistics(skipped, json{{"min", -610}, {"max", 30393}, {"mean", 8401.06673}});
}

/// The facts call it the series with its rows turned; the files are the series with its slices turned.
TEST_F(Scenario, RawSlicesAreTheSeriesInReverse) {
    std::ofstream joined(folder_ / "headsq.raw", std::ios::binary);
    for (int i = 1; i <= 93; ++i) joined << std::ifstream(pathOf("raw/headsq/quarter." + std::to_string(i)), std::ios::binary).rdbuf();
    joined.close();
    const Image raw = openInput("raw:64x64x93,type=int16,spacing=3.2x3.2x1.5:" + (folder_ / "headsq.raw"));
    const Image series = loadImage(pathOf("dicom/slicer_cthead"));
    ASSERT_EQ(raw.shape(), series.shape());
    for (std::int64_t z = 0; z < 93; ++z)
        for (std::int64_t y = 0; y < 64; ++y)
            ASSERT_TRUE(std::equal(raw.view().row(y, z), raw.view().row(y, z) + 64, series.view().row(y, 92 - z)));
    // By the header that lists them, and by the folder that holds nothing else.
    for (const char* const input : {"raw/headsq/quarter.nhdr", "raw/headsq"}) {
        const Image listed = loadImage(pathOf(input));
        ASSERT_EQ(listed.shape(), raw.shape());
        EXPECT_TRUE(std::equal(raw.view().data, raw.view().data + raw.shape().samples(), listed.view().data));
        EXPECT_EQ(listed.geometry->spacing, (std::array<double, 3>{3.2, 3.2, 1.5}));
    }
}

}  // namespace
}  // namespace parallax::test
