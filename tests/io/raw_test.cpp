// SPDX-License-Identifier: GPL-3.0-or-later
// Raw samples: what the person says about them, and the description that Parallax writes beside them.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

class Raw : public testing::Test {
protected:
    TemporaryFolder folder_;
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
        return file(name);
    }
};

TEST_F(Raw, ReadsTheEarlierSystemsFlatFloatFile) {
    // depth * rows * cols + row * cols + col, as float.
    constexpr int kCols = 5, kRows = 4, kDepth = 3;
    std::string bytes;
    for (int z = 0; z < kDepth; ++z)
        for (int y = 0; y < kRows; ++y)
            for (int x = 0; x < kCols; ++x) {
                const float v = static_cast<float>(100 * z + 10 * y + x) - 1024.5F;
                bytes.append(reinterpret_cast<const char*>(&v), 4);
            }
    const Image image = openInput("raw:5x4x3:" + write("ct.bin", bytes));
    ASSERT_EQ(image.shape(), (Shape{5, 4, 3, 1}));
    EXPECT_EQ(image.view().at(4, 3, 2), 234 - 1024.5F);
    EXPECT_EQ(image.source.storedChannels[0].type, "float");
    EXPECT_TRUE(image.geometry);
}

TEST_F(Raw, ParsesEveryKey) {
    const std::string path = write("a:b,c.raw", std::string("HEAD") + std::string("\x01\x02\xff\xfe\x00\x05\x80\x00", 8));
    const Image image = openInput("raw:2x1x2,type=int16,endian=big,offset=4,spacing=0.5x0.25x3,origin=-1x2x1e1,unit=HU:" + path);
    ASSERT_EQ(image.shape(), (Shape{2, 1, 2, 1}));
    EXPECT_EQ(image.view().at(0, 0, 0), 0x102);
    EXPECT_EQ(image.view().at(1, 0, 0), -2);
    EXPECT_EQ(image.view().at(1, 0, 1), -32768);
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{0.5, 0.25, 3}));
    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{-1, 2, 10}));
    EXPECT_EQ(image.geometry->unit, "HU");
    const RawRequest r = parseRaw("raw:2x1x2,type=int16,endian=big,offset=4,spacing=0.5x0.25x3,origin=-1x2x10,unit=HU:" + path);
    EXPECT_EQ(toText(parseRaw(toText(r))), toText(r));
    EXPECT_EQ(openInput("raw:12x1,type=uint8:" + path).shape(), (Shape{12, 1, 1, 1}));
}

TEST_F(Raw, ReportsInvalidRequestsAsUsageErrors) {
    const std::string path = write("a.raw", std::string(24, 'x'));
    for (const std::string spec :
         {"raw:2x3", "raw:2x3:", "raw:2:", "raw::", "raw:2x3x4x5:", "raw:0x3:", "raw:-2x3:", "raw:2x3y:", "raw:2x3,type=int12:",
          "raw:2x3,endian=middle:", "raw:2x3,offset=-1:", "raw:2x3,spacing=1x2:", "raw:2x3,spacing=1x0x1:", "raw:2x3,spacing=1xnanx1:",
          "raw:2x3,colour=red:", "raw:2x3,type:", "raw:2x3,type=uint8,type=int8:", "raw:99999999999999999999x1:"}) {
        const bool complete = spec.ends_with(":") && spec != "raw:2x3:";
        EXPECT_FALSE(refusal(spec + (complete ? path : ""), ErrorCode::usage).empty()) << spec;
    }
}

TEST_F(Raw, RefusesFilesOfAnotherSize) {
    const std::string path = write("a.raw", std::string(24, 'x'));
    EXPECT_TRUE(contains(refusal("raw:3x2x2,type=int16,offset=1:" + path, ErrorCode::input), "the file has 24 bytes"));
    EXPECT_TRUE(contains(refusal("raw:3x2x3,type=int16:" + path, ErrorCode::input), "need 36"));
    EXPECT_TRUE(contains(refusal("raw:3x2x1,type=int16:" + path, ErrorCode::input), "offset=12"));
    EXPECT_TRUE(contains(refusal("raw:3x2x2,type=int16:" + file("none"), ErrorCode::input), "does not exist"));
    EXPECT_TRUE(contains(refusal("raw:3x2x2,type=int16:" + folder_.path().string(), ErrorCode::input), "not an ordinary file"));
    EXPECT_FALSE(refusal("raw:2000000000x2000000000x2000000000:" + path, ErrorCode::memory).empty());
    EXPECT_TRUE(contains(refusal("raw:3x2,offset=18446744073709551615:" + path, ErrorCode::input), "more than can be counted"));
}

TEST_F(Raw, OpensByTheSavedDescription) {
    Image image = makeSynthetic({SyntheticKind::noise, {7, 5, 3, 1}, 3});
    Geometry g;
    g.spacing = {0.429688006639, 1.0 / 3, 2.5};
    g.origin = {-123.456789012345, 0.1, 1e-7};
    g.direction = {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1};
    g.unit = "HU";
    g.slicePositions = {0, 2.5, 7.5};
    image.geometry = g;
    // A generated volume does not lie in anybody, and its description claims no direction.
    EXPECT_FALSE(orientationKnown(image));
    (void)saveImage(image, file("unoriented.raw"));
    EXPECT_FALSE(orientationKnown(loadImage(file("unoriented.raw"))));
    EXPECT_EQ(loadImage(file("unoriented.raw")).geometry->spacing, g.spacing);
    fs::remove(file("unoriented.raw"));
    fs::remove(file("unoriented.raw.json"));
    image.metadata.clear();
    (void)saveImage(image, file("v.raw"));
    EXPECT_EQ(fs::file_size(file("v.raw")), 7 * 5 * 3 * 4U);
    for (const char* name : {"v.raw.json", "v.raw"}) {
        const Image back = loadImage(file(name));
        ASSERT_EQ(back.shape(), image.shape());
        EXPECT_EQ(std::memcmp(back.samples().data(), image.samples().data(), image.samples().bytes()), 0);
        EXPECT_EQ(back.geometry->spacing, g.spacing);
        EXPECT_EQ(back.geometry->origin, g.origin);
        EXPECT_EQ(back.geometry->direction, g.direction);
        EXPECT_TRUE(orientationKnown(back));
        EXPECT_EQ(back.geometry->slicePositions, g.slicePositions);
        EXPECT_EQ(back.geometry->unit, "HU");
    }
    EXPECT_EQ(filesOf(file("v.raw")), (std::vector<std::string>{file("v.raw"), file("v.raw.json")}));
    // Moved together they still belong together.
    fs::create_directory(file("elsewhere"));
    fs::rename(file("v.raw"), file("elsewhere/v.raw"));
    EXPECT_TRUE(contains(refusal(file("v.raw.json"), ErrorCode::input), "does not exist"));
    fs::rename(file("v.raw.json"), file("elsewhere/v.raw.json"));
    EXPECT_EQ(loadImage(file("elsewhere/v.raw.json")).shape(), image.shape());
    // One of the two being there is enough to stop.
    std::ofstream(file("w.raw.json")) << "{}";
    EXPECT_THROW((void)saveImage(image, file("w.raw")), Error);
    EXPECT_FALSE(fs::exists(file("w.raw")));
}

TEST_F(Raw, KeepsFactsAboutSamples) {
    Image image = makeSynthetic({SyntheticKind::noise, {4, 4, 2, 1}, 3});
    const std::string text = "wavelet=db4 mode=symmetric levels=2 axes=xyz shape=3x3x2";
    image.metadata = {{"PatientName", "string", "Doe", {}}, {"parallax.dwt", "string", text, {}}};
    (void)saveImage(image, file("c.raw"));
    for (const char* name : {"c.raw.json", "c.raw"}) {
        const Image back = loadImage(file(name));
        ASSERT_EQ(back.metadata.size(), 1U) << "facts alone: nothing else is written";
        EXPECT_EQ(back.metadata[0].name, "parallax.dwt");
        EXPECT_EQ(back.metadata[0].text, text);
    }
    // A format that has no place for them says what is lost.
    if (hasNifti()) {
        const std::vector<std::string> lost = saveImage(image, file("c.nii"));
        ASSERT_EQ(lost.size(), 1U);
        EXPECT_TRUE(contains(lost[0], text)) << lost[0];
    }
}

TEST_F(Raw, RefusesInvalidDescriptions) {
    write("v.raw", std::string(24, 'x'));
    const auto tried = [&](const std::string& json) {
        write("v.raw.json", json);
        return refusal(file("v.raw.json"), ErrorCode::input);
    };
    const std::string head = R"({"schema": "parallax.raw-volume", "schema_version": 1, )";
    EXPECT_TRUE(
        contains(tried(head + R"("data": "/etc/passwd", "width": 2, "height": 3, "depth": 1, "type": "float32"})"), "another folder"));
    EXPECT_TRUE(contains(tried(head + R"("data": "..", "width": 2, "height": 3, "depth": 1, "type": "float32"})"), "another folder"));
    EXPECT_TRUE(contains(tried(head + R"("data": "v.raw", "width": -2, "height": 3, "depth": 1, "type": "float32"})"), "less than 1"));
    EXPECT_TRUE(contains(tried(head + R"("data": "v.raw", "width": 2, "height": 3, "depth": 1, "type": "int12"})"), "int12"));
    EXPECT_TRUE(contains(tried(head + R"("data": "v.raw", "width": 2, "height": 3, "type": "float32"})"), "depth"));
    EXPECT_TRUE(contains(tried(head + R"("data": "v.raw", "width": 3, "height": 3, "depth": 1, "type": "float32"})"), "need 36"));
    EXPECT_TRUE(contains(tried(head + R"("data": "v.raw", "width": 2, "height": 3, "depth": 1, "type": "float32", "spacing": [1, 0, 1]})"),
                         "spacing"));
    EXPECT_TRUE(
        contains(tried(head + R"("data": "v.raw", "width": 2, "height": 3, "depth": 1, "type": "float32", "slice_positions": [1, 2]})"),
                 "2 positions"));
    const std::string whole = head + R"("data": "v.raw", "width": 2, "height": 3, "depth": 1, "type": "float32", "facts": )";
    EXPECT_TRUE(contains(tried(whole + R"({"PatientName": "x"}})"), "PatientName"));
    EXPECT_TRUE(contains(tried(whole + R"({"parallax.dwt": 3}})"), "Cannot open"));
    EXPECT_TRUE(contains(tried(whole + R"(["parallax.dwt"]})"), "not a fact"));
    EXPECT_TRUE(contains(tried(head + R"("data": "v.raw", "width": 2, "height": 3, "depth": 1,
"width": 2, "type": "float32"})"),
                         "line 2: the key 'width' is repeated"));
    EXPECT_TRUE(contains(tried(head), "Cannot open"));
    EXPECT_TRUE(contains(tried(R"({"schema": "parallax.raw-volume", "schema_version": 9})"), "newer version"));
    EXPECT_EQ(tried(head + R"("data": "v.raw", "width": 2, "height": 3, "depth": 1, "type": "float32"})"), "");
    fs::remove(file("v.raw.json"));
    EXPECT_TRUE(contains(refusal(file("v.raw"), ErrorCode::input), "raw:WxH"));
}

}  // namespace
}  // namespace parallax::test
