// SPDX-License-Identifier: GPL-3.0-or-later
// Every real image file does what its recorded facts say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/image/error.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/io/loader.hpp"
#include "tests/support/promptness.hpp"
#include "tests/support/sha256.hpp"
#include "tests/support/test_data.hpp"
#include "tests/support/test_names.hpp"

namespace parallax::test {
namespace {

using nlohmann::json;

const json& facts() {
    static const json all = [] {
        std::ifstream file(testDataFolder() + "/facts.json");
        return file ? json::parse(file) : json();
    }();
    return all;
}

/// Paths of the entries of some kinds: the parameters of the suites below.
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

std::string pathOf(const json& entry) { return testDataFolder() + "/" + entry["path"].get<std::string>(); }

double numberOf(const json& value) {
    if (value.is_number()) return value;
    const std::string text = value;
    return text == "nan" ? std::nan("") : text == "-inf" ? -HUGE_VAL : HUGE_VAL;
}

/// Recorded with 9 digits; lossy decoders differ by about 1e-3.
void expectNear(double actual, double expected, double relative, const std::string& where) {
    if (std::isnan(expected)) EXPECT_TRUE(std::isnan(actual)) << where;
    else if (std::isinf(expected)) EXPECT_EQ(actual, expected) << where;
    else EXPECT_NEAR(actual, expected, relative * std::max(1e-3, std::fabs(expected))) << where;
}

std::size_t storedIndex(const Image& image, const std::string& name) {
    for (std::size_t i = 0; i < image.source.storedChannels.size(); ++i)
        if (image.source.storedChannels[i].name == name) return i;
    ADD_FAILURE() << "no stored channel " << name;
    return 0;
}

int channelIndex(const Image& image, const std::string& name) {
    const auto& names = image.channelNames();
    const auto it = std::find(names.begin(), names.end(), name);
    return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

class ManifestFile : public testing::TestWithParam<std::string> {
protected:
    static const json& entry() { return entryOf(GetParam()); }
    void SetUp() override {
        std::ifstream file(pathOf(entry()), std::ios::binary);
        ASSERT_TRUE(file) << "missing: " << pathOf(entry());
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        Sha256 sha;
        sha.add({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        ASSERT_EQ(sha.finish(), entry()["sha256"].get<std::string>()) << "the file is not the one that the facts describe";
    }
};

class ExrFile : public ManifestFile {};
TEST_P(ExrFile, OpensWithItsRecordedValues) {
    const json& part = entry()["facts"]["parts"][0];
    const Image image = loadImage(pathOf(entry()));
    const Window window = image.dataWindow.value();
    EXPECT_EQ(image.shape().width, part["data_size"][0]);
    EXPECT_EQ(image.shape().height, part["data_size"][1]);
    EXPECT_EQ(window, (Window{part["dataWindow"][0], part["dataWindow"][1], part["dataWindow"][2], part["dataWindow"][3]}));
    EXPECT_EQ(*image.displayWindow,
              (Window{part["displayWindow"][0], part["displayWindow"][1], part["displayWindow"][2], part["displayWindow"][3]}));
    EXPECT_EQ(image.source.parts.size(), entry()["facts"]["openexr_parts"].get<std::size_t>());
    ASSERT_EQ(image.source.storedChannels.size(), part["channels"].size());
    const std::string compression = part["compression"];
    const double relative = compression.starts_with("dwa") ? 5e-3 : 1e-6;
    for (const auto& c : part["channels"]) {
        const std::size_t i = storedIndex(image, c["name"]);
        EXPECT_EQ(image.source.storedChannels[i].type, c["type"].get<std::string>());
        const json& s = part["stats"][c["name"].get<std::string>()];
        const SampleStatistics& actual = image.source.storedStatistics[i];
        EXPECT_EQ(actual.nan, s["nan"].get<std::uint64_t>());
        EXPECT_EQ(actual.positiveInfinity, s["inf"].get<std::uint64_t>());
        EXPECT_EQ(actual.negativeInfinity, s["neginf"].get<std::uint64_t>());
        expectNear(actual.min, numberOf(s["min"]), relative, "min");
        expectNear(actual.max, numberOf(s["max"]), relative, "max");
        expectNear(actual.mean, numberOf(s["mean"]), std::max(1e-5, relative), "mean");
    }
    for (const auto& sample : part.value("samples", json::array()))
        for (const auto& [name, value] : sample.items()) {
            const int c = channelIndex(image, name);
            if (name == "x" || name == "y" || c < 0) continue;
            const std::int64_t x = sample["x"].get<std::int64_t>() - window.minX, y = sample["y"].get<std::int64_t>() - window.minY;
            expectNear(static_cast<double>(image.view().at(x, y, 0, c)), numberOf(value), relative,
                       name + " at " + std::to_string(x) + ", " + std::to_string(y));
        }
    // Luminance and chroma come as colours.
    const json& f = entry()["facts"];
    for (const auto& sample : f.value("rgba_via_RgbaInputFile", json::array())) {
        ASSERT_EQ(image.channelNames()[0], "R");
        const std::int64_t x = sample["x"].get<std::int64_t>() - window.minX, y = sample["y"].get<std::int64_t>() - window.minY;
        for (const char* name : {"R", "G", "B"})
            expectNear(static_cast<double>(image.view().at(x, y, 0, channelIndex(image, name))), sample[name], 2e-3, name);
    }
    EXPECT_FALSE(image.source.incomplete);
}
INSTANTIATE_TEST_SUITE_P(Data, ExrFile, testing::ValuesIn(entriesOf({"exr"})), nameOf);

class RefusedFile : public ManifestFile {};
TEST_P(RefusedFile, IsRefusedWithAReason) {
    try {
        (void)loadImage(pathOf(entry()));
        FAIL() << "it was opened";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::input);
        EXPECT_FALSE(e.why().empty()) << e.what();
    }
}
INSTANTIATE_TEST_SUITE_P(Data, RefusedFile, testing::ValuesIn(entriesOf({"png_bad"})), nameOf);

/// The facts ask for a refusal, which was right before deep data were flattened.
class DeepFile : public ManifestFile {};
TEST_P(DeepFile, IsFlattened) {
    const Image image = loadImage(pathOf(entry()));
    EXPECT_FALSE(image.source.incomplete);
    const auto alpha = image.alphaChannel();
    ASSERT_GE(alpha, 0);
    const SampleStatistics& s = image.source.storedStatistics[static_cast<std::size_t>(alpha)];
    EXPECT_GE(s.min, 0);
    EXPECT_LE(s.max, 1);
    EXPECT_GT(s.max, 0);
}
INSTANTIATE_TEST_SUITE_P(Data, DeepFile, testing::ValuesIn(entriesOf({"exr_deep"})), nameOf);

class DamagedFile : public ManifestFile {};
TEST_P(DamagedFile, OpensInPartOrIsRefusedFast) {
    Promptness prompt(10'000);
    while (prompt.again()) {
        prompt.start();
        try {
            const Image image = loadImage(pathOf(entry()));
            EXPECT_FALSE(image.shape().empty());
        } catch (const Error& e) {
            EXPECT_FALSE(std::string(e.what()).empty());
        }
        prompt.stop();
    }
    EXPECT_TRUE(prompt.held()) << prompt.text();
}
INSTANTIATE_TEST_SUITE_P(Data, DamagedFile, testing::ValuesIn(entriesOf({"exr_bad", "img_bad"})), nameOf);

class PngFile : public ManifestFile {};
TEST_P(PngFile, KeepsEverySample) {
    const json& f = entry()["facts"];
    const Image image = loadImage(pathOf(entry()));
    ASSERT_EQ(image.shape().width, f["width"]);
    ASSERT_EQ(image.shape().height, f["height"]);
    // Old copies of that profile are in many a file, and say nothing about its samples.
    for (const std::string& warning : image.source.warnings) EXPECT_EQ(warning.find("known incorrect"), std::string::npos) << warning;
    const int depth = f["bit_depth"];
    const bool palette = f["colour_type"] == "palette";
    EXPECT_EQ(image.source.storedChannels[0].type, "uint" + std::to_string(palette ? 8 : depth));
    if (!palette)
        for (std::size_t c = 0; c < f["native_stats"].size(); ++c) {
            EXPECT_EQ(image.source.storedStatistics[c].min, f["native_stats"][c]["min"].get<double>());
            EXPECT_EQ(image.source.storedStatistics[c].max, f["native_stats"][c]["max"].get<double>());
            expectNear(image.source.storedStatistics[c].mean, f["native_stats"][c]["mean"], 1e-6, "mean");
        }
    // Encoded again, the linear samples are the stored ones: nothing was lost on the way in.
    const int stored = depth == 16 ? 65535 : 255;
    const std::int64_t n = image.shape().channels;
    const int alpha = image.alphaChannel();
    const auto at16 = [&](std::int64_t x, std::int64_t y) {
        std::array<std::uint16_t, 4> rgba{};
        const float a = alpha < 0 ? 1.0F : image.view().at(x, y, 0, alpha);
        const std::int64_t colours = alpha < 0 ? n : n - 1;
        for (std::int64_t c = 0; c < 3; ++c) {
            const float v = image.view().at(x, y, 0, colours == 1 ? 0 : c);
            const double straight = a > 0 ? static_cast<double>(v) / static_cast<double>(a) : 0;
            const int code = encodeSample(straight, image.source.transfer, image.source.gamma, stored);
            rgba[static_cast<std::size_t>(c)] = static_cast<std::uint16_t>(stored == 255 ? code * 257 : code);
        }
        const int code = encodeSample(static_cast<double>(a), TransferFunction::linear, 1, stored);
        rgba[3] = static_cast<std::uint16_t>(stored == 255 ? code * 257 : code);
        return rgba;
    };
    for (const auto& s : f["samples"]) {
        const auto rgba = at16(s["x"], s["y"]);
        const int a = s["rgba16"][3];
        EXPECT_EQ(rgba[3], a);
        for (std::size_t c = 0; c < 3 && a > 0; ++c) EXPECT_EQ(rgba[c], s["rgba16"][c].get<int>()) << s.dump();
    }
    // Colours below zero coverage are not kept by associated alpha: only opaque files can be compared as a whole.
    if (alpha >= 0) return;
    Sha256 sha;
    for (std::int64_t y = 0; y < image.shape().height; ++y)
        for (std::int64_t x = 0; x < image.shape().width; ++x)
            for (const std::uint16_t v : at16(x, y)) {
                const std::array<std::uint8_t, 2> bytes{static_cast<std::uint8_t>(v & 255), static_cast<std::uint8_t>(v >> 8)};
                sha.add(bytes);
            }
    EXPECT_EQ(sha.finish(), f["rgba16le_sha256"].get<std::string>());
}
INSTANTIATE_TEST_SUITE_P(Data, PngFile, testing::ValuesIn(entriesOf({"png"})), nameOf);

class HdrFile : public ManifestFile {};
TEST_P(HdrFile, OpensWithItsRecordedLinearValues) {
    const json& f = entry()["facts"];
    const Image image = loadImage(pathOf(entry()));
    ASSERT_EQ(image.shape(), (Shape{f["width"], f["height"], 1, 3}));
    for (std::size_t c = 0; c < 3; ++c) expectNear(image.source.storedStatistics[c].mean, f["stats"][c]["mean"], 0.01, "mean");
    for (const auto& s : f["samples"])
        for (std::int64_t c = 0; c < 3; ++c)
            EXPECT_NEAR(static_cast<double>(image.view().at(s["x"], s["y"], 0, c)), s["rgb"][static_cast<std::size_t>(c)].get<double>(),
                        0.51 * std::ldexp(1.0, s["rgbe"][3].get<int>() - 136));
}
INSTANTIATE_TEST_SUITE_P(Data, HdrFile, testing::ValuesIn(entriesOf({"hdr"})), nameOf);

class OtherFile : public ManifestFile {};
TEST_P(OtherFile, OpensWithItsRecordedValues) {
    const json& f = entry()["facts"];
    const Image image = loadImage(pathOf(entry()));
    ASSERT_EQ(image.shape(), (Shape{f["width"], f["height"], 1, f["channels"]}));
    EXPECT_EQ(image.source.storedChannels[0].type, f["dtype"] == "float32" ? "float" : f["dtype"].get<std::string>());
    const bool floats = f["dtype"] == "float32";
    const int maximum = f["dtype"] == "uint8" ? 255 : 65535;
    // Recorded as stored: a file of orientation 2 opens mirrored.
    const auto& notes = image.source.warnings;
    const bool mirrored =
        std::any_of(notes.begin(), notes.end(), [](const std::string& note) { return note.find("orientation 2") != std::string::npos; });
    for (const auto& s : f["samples"])
        for (std::size_t c = 0; c < f["channels"].get<std::size_t>(); ++c) {
            const auto x = s["x"].get<std::int64_t>();
            const auto v =
                static_cast<double>(image.view().at(mirrored ? image.shape().width - 1 - x : x, s["y"], 0, static_cast<std::int64_t>(c)));
            const json& expected = s["v"].is_array() ? s["v"][c] : s["v"];
            if (floats) EXPECT_NEAR(v, expected.get<double>(), 1e-5 * std::max(1.0, std::fabs(expected.get<double>())));
            else EXPECT_NEAR(encodeSample(v, image.source.transfer, image.source.gamma, maximum), expected.get<double>(), 2);
        }
}
INSTANTIATE_TEST_SUITE_P(Data, OtherFile, testing::ValuesIn(entriesOf({"img"})), nameOf);

// Without the data the suites above are empty, which GoogleTest would report as a failure of the program, not of the data.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ExrFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RefusedFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeepFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DamagedFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PngFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HdrFile);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OtherFile);

TEST(TestData, Exists) {
    if (facts().is_null())
        GTEST_SKIP() << "no real files: " << testDataFolder() << " has no facts.json (set PARALLAX_TEST_DATA); nothing of them was tested";
    EXPECT_GE(entriesOf({"exr"}).size(), 1U);
}

}  // namespace
}  // namespace parallax::test
