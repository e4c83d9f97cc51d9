// SPDX-License-Identifier: GPL-3.0-or-later
// NIfTI files made for the test: every sample type in both byte orders and versions, orientations, volumes, damage, and round trips.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/nifti_writer.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

void compress(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    gzFile f = gzopen(path.c_str(), "wb");
    gzwrite(f, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(f);
}

class Nifti : public testing::Test {
protected:
    void SetUp() override {
        if (!hasNifti()) GTEST_SKIP() << whyNoNifti();
    }
    TemporaryFolder folder_;
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string write(const MadeNifti& n, const std::string& name = "a.nii") const {
        n.write(file(name));
        return file(name);
    }
};

TEST_F(Nifti, ReadsEveryTypeInEveryByteOrderAndVersion) {
    for (const int version : {1, 2})
        for (const bool big : {false, true})
            for (const int type : {2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280}) {
                MadeNifti n;
                n.version = version;
                n.big = big;
                n.datatype = type;
                const bool isSigned = type != 2 && type != 512 && type != 768 && type != 1280;
                n.sample = [&](std::size_t i) { return isSigned ? static_cast<double>(i) - 12 : static_cast<double>(3 * i); };
                const std::string where = std::to_string(version) + (big ? " big " : " little ") + std::to_string(type);
                for (const bool packed : {false, true}) {
                    if (packed) compress(file("a.nii.gz"), n.bytes());
                    const Image image = loadImage(packed ? file("a.nii.gz") : write(n));
                    ASSERT_EQ(image.shape(), (Shape{4, 3, 2, 1})) << where;
                    for (std::int64_t i = 0; i < 24; ++i) EXPECT_EQ(image.view().data[i], n.sample(static_cast<std::size_t>(i))) << where;
                    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 4})) << where;
                    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{10, 20, -30})) << where;
                    EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{-1, 0, 0, 0, -1, 0, 0, 0, 1})) << where;
                    EXPECT_TRUE(image.source.warnings.empty()) << where << image.source.warnings.front();
                }
            }
}

TEST_F(Nifti, ScalesSamplesAndKeepsNan) {
    MadeNifti n;
    n.slope = 0.5;
    n.inter = -1024;
    EXPECT_EQ(loadImage(write(n)).view().data[5], 2.5F - 1024);
    n.slope = 0;  // says that there is no scaling, whatever the other number is
    EXPECT_EQ(loadImage(write(n)).view().data[5], 5);
    n.slope = std::nan("");
    EXPECT_EQ(loadImage(write(n)).view().data[5], 5);
    n.slope = 2;
    n.inter = HUGE_VAL;
    EXPECT_EQ(loadImage(write(n)).view().data[5], 10);
    n = MadeNifti{};
    n.datatype = 16;
    n.sample = [](std::size_t i) { return i == 0 ? std::nan("") : i == 1 ? HUGE_VAL : i == 2 ? -HUGE_VAL : static_cast<double>(i); };
    const Image image = loadImage(write(n));
    EXPECT_TRUE(std::isnan(image.view().data[0]));
    const SampleStatistics& s = image.source.storedStatistics[0];
    EXPECT_EQ(s.nan, 1U);
    EXPECT_EQ(s.positiveInfinity, 1U);
    EXPECT_EQ(s.negativeInfinity, 1U);
    EXPECT_EQ(s.min, 3);
    EXPECT_EQ(s.max, 23);
}

TEST_F(Nifti, WarnsOfSamplesThatFloatCannotHold) {
    MadeNifti n;
    n.datatype = 8;
    n.sample = [](std::size_t i) { return i == 3 ? 16777217.0 : 5.0; };
    EXPECT_TRUE(warns(loadImage(write(n)), "1 samples of type int32"));
    n.datatype = 1280;
    n.sample = [](std::size_t i) { return i < 2 ? 9007199254740993.0 : 16777216.0; };
    EXPECT_FALSE(loadImage(write(n)).source.storedChannels.empty());
    n.datatype = 64;
    n.sample = [](std::size_t i) { return i == 0 ? 1e300 : 0.1; };
    EXPECT_TRUE(warns(loadImage(write(n)), "1 samples of type double exceed"));
}

TEST_F(Nifti, KeepsTheCoordinateSpace) {
    const auto metadata = [](const Image& image, const char* name) {
        for (const MetadataEntry& e : image.metadata)
            if (e.name == name) return e.text;
        return std::string();
    };
    MadeNifti n;
    for (const int code : {1, 2, 3, 4}) {
        n.sform = code;
        const Image image = loadImage(write(n));
        const std::string path = file("space" + std::to_string(code) + ".nii");
        (void)saveImage(image, path);
        const Image back = loadImage(path);
        EXPECT_FALSE(metadata(image, "sform").empty());
        EXPECT_EQ(metadata(back, "sform"), metadata(image, "sform")) << code;
        EXPECT_EQ(metadata(back, "qform"), metadata(image, "sform")) << code;
    }
}

TEST_F(Nifti, ReadsOrientationFromMatrixAndQuaternion) {
    MadeNifti n;
    n.sform = 0;
    n.qform = 1;
    n.quatern = {0, 0, std::sqrt(0.5)};  // a quarter turn around z
    n.qoffset = {1, 2, 3};
    const Image turned = loadImage(write(n));
    const Geometry& g = *turned.geometry;
    EXPECT_TRUE(orientationKnown(turned));
    EXPECT_EQ(g.spacing, (std::array<double, 3>{2, 3, 4}));
    EXPECT_EQ(g.origin, (std::array<double, 3>{-1, -2, 3}));
    // x runs along +y of RAS, which is -y of LPS.
    EXPECT_NEAR(g.direction[3], -1, 1e-6);
    EXPECT_NEAR(g.direction[1], 1, 1e-6);
    n.pixdim[0] = -1;  // the other hand
    EXPECT_NEAR(loadImage(write(n)).geometry->direction[8], -1, 1e-6);
    // Both, and they differ.
    n.sform = 1;
    EXPECT_TRUE(warns(loadImage(write(n)), "differ by up to"));
    n = MadeNifti{};
    n.sform = 0;
    EXPECT_FALSE(orientationKnown(loadImage(write(n))));
    const Image nothing = loadImage(write(n));
    EXPECT_TRUE(warns(nothing, "has no orientation"));
    EXPECT_EQ(nothing.geometry->origin, (std::array<double, 3>{-3, 3, -2}));
    // Oblique, sheared, and in metres.
    n = MadeNifti{};
    n.units = 1;
    n.srow = {{{0.002, 0.0001, 0, 0.1}, {0, 0.003, 0.001, 0}, {0, 0, 0.004, 0}}};
    n.pixdim = {1, 0.002, 0.003, 0.004, 1, 0, 0, 0};
    const Geometry sheared = *loadImage(write(n)).geometry;
    EXPECT_NEAR(sheared.spacing[2], 1000 * std::hypot(0.001, 0.004), 1e-5);
    const auto p = positionOf(sheared, 3, 2, 1);
    EXPECT_NEAR(p[0], -1000 * (0.1 + 3 * 0.002 + 2 * 0.0001), 1e-4);
    EXPECT_NEAR(p[1], -1000 * (2 * 0.003 + 0.001), 1e-4);
    EXPECT_NEAR(p[2], 1000 * 0.004, 1e-4);
    // Numbers that are none.
    n = MadeNifti{};
    n.srow[1][1] = std::nan("");
    n.pixdim[2] = std::nan("");
    EXPECT_TRUE(warns(loadImage(write(n)), "has no orientation"));
}

TEST_F(Nifti, ChoosesOneOfSeveralVolumes) {
    MadeNifti n;
    n.dims = {4, 3, 2, 5};
    for (const bool packed : {false, true}) {
        if (packed) compress(file("t.nii.gz"), n.bytes());
        const std::string path = packed ? file("t.nii.gz") : write(n, "t.nii");
        const Image first = loadImage(path);
        EXPECT_TRUE(warns(first, "holds 5 volumes"));
        EXPECT_EQ(first.source.volumes, 5);
        const Image fourth = loadImage(path + "#3");
        EXPECT_EQ(fourth.shape(), (Shape{4, 3, 2, 1}));
        EXPECT_EQ(fourth.view().data[0], 72);
        EXPECT_EQ(fourth.source.volume, 3);
        EXPECT_TRUE(fourth.source.warnings.empty());
        EXPECT_TRUE(contains(refusal(path + "#5"), "volumes 0 to 4"));
        EXPECT_TRUE(contains(refusal(path + "#x"), "has no volume 'x'"));
        EXPECT_TRUE(contains(refusal(path + "#99999999999999999999"), "has no volume"));
    }
    n.dims = {4, 3};
    EXPECT_EQ(loadImage(write(n)).shape(), (Shape{4, 3, 1, 1}));
    n.dims = {4};
    EXPECT_EQ(loadImage(write(n)).shape(), (Shape{4, 1, 1, 1}));
}

TEST_F(Nifti, ReadsVolumesOfACompressedSeriesInAnyOrder) {
    constexpr int kVolumes = 150;  // more than points are kept
    MadeNifti n;
    n.dims = {61, 37, 2, kVolumes};
    n.datatype = 4;
    std::mt19937 random(7);
    std::vector<double> samples(61 * 37 * 2 * kVolumes);
    for (double& s : samples) s = static_cast<double>(random() % 997);
    n.sample = [&](std::size_t i) { return samples[i]; };
    const std::string path = file("series.nii.gz");
    std::vector<std::uint8_t> bytes = n.bytes();
    compress(path, bytes);
    fs::last_write_time(path, fs::last_write_time(path) - std::chrono::seconds(10));
    std::vector<int> order(kVolumes);
    std::iota(order.begin(), order.end(), 0);
    const auto expectAll = [&](const char* when) {
        for (const int volume : order) {
            const Image image = loadImage(path + "#" + std::to_string(volume));
            const std::size_t count = static_cast<std::size_t>(image.shape().samples());
            bool same = true;
            for (std::size_t i = 0; i < count; ++i)
                same = same && image.view().data[i] == samples[static_cast<std::size_t>(volume) * count + i];
            ASSERT_TRUE(same) << when << ", volume " << volume;
        }
    };
    expectAll("forward");
    std::reverse(order.begin(), order.end());
    expectAll("backward");
    std::shuffle(order.begin(), order.end(), random);
    expectAll("shuffled");
    // Two series in turns.
    fs::copy_file(path, file("other.nii.gz"));
    for (const int volume : {1, 2, 3})
        for (const std::string& each : {path, file("other.nii.gz")})
            EXPECT_EQ(loadImage(each + "#" + std::to_string(volume)).view().data[0],
                      samples[static_cast<std::size_t>(volume) * 61 * 37 * 2]);
    // Other contents of the same file.
    for (double& s : samples) s = 1000 - s;
    compress(path, n.bytes());
    expectAll("after a change");
}

TEST_F(Nifti, InflatesTheNextVolumeOnly) {
    MadeNifti n;
    n.dims = {64, 64, 4, 8};
    n.datatype = 4;
    std::mt19937 random(7);
    n.sample = [&](std::size_t) { return static_cast<double>(random() % 997); };
    const std::string path = file("series.nii.gz");
    compress(path, n.bytes());
    const auto old = fs::last_write_time(path) - std::chrono::seconds(10);
    fs::last_write_time(path, old);
    const Image first = loadImage(path), seventh = loadImage(path + "#6");
    (void)loadImage(path + "#5");
    const auto gives = [&](const char* choice, const Image& expected) {
        try {
            const Image image = loadImage(path + choice);
            return std::equal(image.view().data, image.view().data + image.shape().samples(), expected.view().data);
        } catch (const Error&) {
            return false;
        }
    };
    // Damage to the first volume, of which neither size nor time tell, shows only to those who inflate it.
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(4096).write("damaged here", 12);
    fs::last_write_time(path, old);
    EXPECT_TRUE(gives("#6", seventh));
    EXPECT_FALSE(gives("#0", first));
    // A file with another time is read from its beginning.
    fs::last_write_time(path, old + std::chrono::seconds(1));
    EXPECT_FALSE(gives("#6", seventh));
}

TEST_F(Nifti, TellsTheTimeOfAVolume) {
    const auto timeOf = [](const Image& image) {
        for (const MetadataEntry& e : image.metadata)
            if (e.name == "time") return e.text;
        return std::string("none");
    };
    MadeNifti n;
    n.dims = {4, 3, 2, 3, 2};
    n.pixdim[4] = 2.5;
    for (const int version : {1, 2})
        for (const bool big : {false, true}) {
            n.version = version;
            n.big = big;
            n.units = 2 | 8;  // mm and s
            EXPECT_EQ(timeOf(loadImage(write(n, "t.nii"))), "0 s");
            EXPECT_EQ(timeOf(loadImage(file("t.nii") + "#2")), "5 s");
            EXPECT_EQ(timeOf(loadImage(file("t.nii") + "#4")), "2.5 s");  // of the fifth dimension
            n.units = 2 | 16;
            EXPECT_EQ(timeOf(loadImage(write(n, "t.nii") + "#1")), "2.5 ms");
            n.units = 2 | 32;  // not a time: Hz
            EXPECT_EQ(timeOf(loadImage(write(n, "t.nii") + "#1")), "none");
        }
    n.units = 2 | 8;
    n.dims = {4, 3, 2};
    EXPECT_EQ(timeOf(loadImage(write(n, "t.nii"))), "none");
    n.dims = {4, 3, 2, 3};
    n.pixdim[4] = 0;
    EXPECT_EQ(timeOf(loadImage(write(n, "t.nii"))), "none");
}

TEST_F(Nifti, ReadsPairsAndExtensions) {
    MadeNifti n;
    n.pair = true;
    write(n, "p.hdr");
    MadeNifti::put(file("p.img"), n.samples());
    EXPECT_EQ(loadImage(file("p.hdr")).view().data[7], 7);
    EXPECT_EQ(loadImage(file("p.img")).view().data[7], 7);
    compress(file("p.img.gz"), n.samples());
    fs::remove(file("p.img"));
    EXPECT_EQ(loadImage(file("p.hdr")).view().data[7], 7);
    fs::remove(file("p.img.gz"));
    EXPECT_TRUE(contains(refusal(file("p.hdr")), "'p.img' with its samples"));
    n = MadeNifti{};
    n.extension = std::string(160, 'x');
    EXPECT_EQ(loadImage(write(n)).view().data[7], 7);
}

TEST_F(Nifti, ReadsFreeTextOnlyOnRequest) {
    MadeNifti n;
    n.descrip = "Jane Doe, 1970";
    n.calMin = -160;
    n.calMax = 240;
    const Image image = loadImage(write(n));
    EXPECT_TRUE(image.source.personal.empty());
    for (const auto& e : image.metadata) EXPECT_FALSE(contains(e.text, "Jane"));
    ASSERT_EQ(image.source.windows.size(), 1U);
    EXPECT_EQ(image.source.windows[0].centre, 40);
    EXPECT_EQ(image.source.windows[0].width, 400);
    LoadOptions options;
    options.patientData = true;
    EXPECT_EQ(loadImage(file("a.nii"), options).source.personal.at(0).text, "Jane Doe, 1970");
}

TEST_F(Nifti, RefusesDamageWithoutAllocating) {
    const auto refused = [&](const std::function<void(MadeNifti&)>& change) {
        MadeNifti n;
        change(n);
        return refusal(write(n));
    };
    EXPECT_TRUE(contains(refused([](MadeNifti& n) { n.datatype = 128; }), "colours"));
    EXPECT_TRUE(contains(refused([](MadeNifti& n) { n.datatype = 32; }), "complex"));
    EXPECT_TRUE(contains(refused([](MadeNifti& n) { n.datatype = 1; }), "single bits"));
    EXPECT_TRUE(contains(refused([](MadeNifti& n) { n.datatype = -9510; }), "-9510"));
    EXPECT_TRUE(contains(refused([](MadeNifti& n) { n.voxOffset = 1e6; }), "bytes and the file has"));
    EXPECT_TRUE(contains(refused([](MadeNifti& n) { n.voxOffset = 1e30; }), "outside the file"));
    const auto header = [&](const std::function<void(std::vector<std::uint8_t>&)>& change) {
        std::vector<std::uint8_t> b = MadeNifti{}.bytes();
        change(b);
        MadeNifti::put(file("h.nii"), b);
        return refusal(file("h.nii"));
    };
    const auto dim = [](std::size_t i, int v) {
        return [i, v](std::vector<std::uint8_t>& b) {
            b[40 + 2 * i] = static_cast<std::uint8_t>(v);
            b[41 + 2 * i] = static_cast<std::uint8_t>(v >> 8);
        };
    };
    EXPECT_TRUE(contains(header(dim(0, 9)), "9 dimensions"));
    EXPECT_TRUE(contains(header(dim(0, -1)), "-1 dimensions"));
    EXPECT_TRUE(contains(header(dim(2, -3)), "extent -3"));
    EXPECT_TRUE(contains(header(dim(1, 0)), "extent 0"));
    EXPECT_TRUE(contains(header(dim(3, 30000)), "declares"));
    EXPECT_TRUE(contains(header([](auto& b) { b[344] = 'x'; }), "signature is missing"));
    EXPECT_TRUE(contains(header([](auto& b) { b.erase(b.begin() + 200, b.end()); }), "no NIfTI header"));
    EXPECT_TRUE(contains(header([](auto& b) { b.pop_back(); }), "bytes and the file has"));
    EXPECT_TRUE(contains(header([](auto& b) { std::fill(b.begin(), b.end(), std::uint8_t{7}); }), "neither 348 nor 540"));
    // 2^61 samples a side in a small file, and 2^62, whose product is negative in 64 bits.
    MadeNifti n;
    n.version = 2;
    for (const std::uint8_t top : {std::uint8_t{0x20}, std::uint8_t{0x40}}) {
        std::vector<std::uint8_t> b = n.bytes();
        for (const std::size_t at : {24, 32, 40, 48}) b[at + 7] = top;
        MadeNifti::put(file("h.nii"), b);
        EXPECT_FALSE(refusal(file("h.nii"), ErrorCode::memory).empty());
    }
    // Cut short, and changed, inside of the compressed data.
    n = MadeNifti{};
    n.dims = {64, 64, 20};
    n.sample = [random = std::mt19937(3)](std::size_t) mutable { return static_cast<double>(random() % 1000); };
    compress(file("c.nii.gz"), n.bytes());
    const auto size = fs::file_size(file("c.nii.gz"));
    fs::copy_file(file("c.nii.gz"), file("d.nii.gz"));
    fs::resize_file(file("d.nii.gz"), size / 2);
    EXPECT_TRUE(contains(refusal(file("d.nii.gz")), "truncated"));
    fs::copy_file(file("c.nii.gz"), file("e.nii.gz"));
    {
        std::fstream f(file("e.nii.gz"), std::ios::in | std::ios::out | std::ios::binary);
        f.seekp(static_cast<std::streamoff>(size - 6));
        f.put('\x55');  // in the checksum
    }
    EXPECT_TRUE(contains(refusal(file("e.nii.gz")), "cannot be inflated"));
}

/// Gives a generated volume, which has none, an orientation in the patient.
void place(Image& image, const Geometry& g) {
    image.geometry = g;
    std::erase_if(image.metadata, [](const MetadataEntry& e) { return e.name == kOrientationEntry; });
}

/// A volume whose samples and place no format rounds by chance.
Image oddVolume() {
    Image image = makeSynthetic({SyntheticKind::noise, {37, 29, 11, 1}, 5});
    image.view().at(3, 2, 1) = std::numeric_limits<float>::quiet_NaN();
    image.view().at(4, 2, 1) = -std::numeric_limits<float>::infinity();
    image.view().at(5, 2, 1) = std::numeric_limits<float>::denorm_min();
    Geometry g;
    g.spacing = {0.429688006639, 0.7, 1.25};
    g.origin = {-123.5, 115.199997, 18.1075};
    const double c = std::cos(0.3), s = std::sin(0.3);
    g.direction = {c, -s, 0, s, c, 0, 0, 0, 1};
    g.unit = "HU";
    place(image, g);
    return image;
}

void expectSame(const Image& a, const Image& b, double tolerance) {
    ASSERT_EQ(a.shape(), b.shape());
    EXPECT_EQ(std::memcmp(a.samples().data(), b.samples().data(), a.samples().bytes()), 0);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(a.geometry->spacing[i], b.geometry->spacing[i], tolerance);
        EXPECT_NEAR(a.geometry->origin[i], b.geometry->origin[i], tolerance * 300);
    }
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(a.geometry->direction[i], b.geometry->direction[i], tolerance);
}

TEST_F(Nifti, RestoresSavedVolumes) {
    const Image image = oddVolume();
    for (const char* name : {"r.nii", "r.nii.gz"}) {
        EXPECT_TRUE(saveImage(image, file(name)).empty());
        const Image back = loadImage(file(name));
        expectSame(image, back, 1e-7);
        EXPECT_TRUE(back.source.warnings.empty()) << back.source.warnings.front();
        // And a second time exactly, since the file's numbers are its own.
        EXPECT_TRUE(saveImage(back, file(std::string("again.") + name)).empty());
        expectSame(back, loadImage(file(std::string("again.") + name)), 2e-8);
    }
}

TEST_F(Nifti, KeepsIntegersOfTheSourceWhereAllSamplesAreSuch) {
    // The type in the source, the largest sample, and the type in the file.
    struct Case {
        const char* stored;
        float most;
        const char* saved;
    };
    for (const Case& c :
         {Case{"int16", 32767, "int16"}, Case{"uint8", 255, "int16"}, Case{"uint16", 65535, "uint16"}, Case{"uint16", 65536, "float"},
          Case{"int16", 0.5F, "float"}, Case{"float", 100, "float"}, Case{"int16", std::numeric_limits<float>::quiet_NaN(), "float"}}) {
        SCOPED_TRACE(std::string(c.stored) + " " + std::to_string(c.most));
        Image image{Buffer(Shape{130, 90, 110, 1})};
        float* const samples = image.view().data;
        for (std::int64_t i = 0; i < image.shape().samples(); ++i) samples[i] = static_cast<float>(i % 256 - (c.most == 32767 ? 32768 : 0));
        samples[image.shape().samples() - 1] = c.most;
        image.source.storedChannels = {{"Y", c.stored}};
        for (const char* name : {"i.nii", "i.nii.gz"}) {
            SaveOptions options;
            options.overwrite = true;
            (void)saveImage(image, file(name), options);
            const Image back = loadImage(file(name));
            EXPECT_EQ(back.source.storedChannels[0].type, c.saved);
            EXPECT_EQ(std::memcmp(back.samples().data(), image.samples().data(), image.samples().bytes()), 0);
            options.depth = StoredDepth::float32;
            (void)saveImage(image, file(name), options);
            EXPECT_EQ(loadImage(file(name)).source.storedChannels[0].type, "float");
        }
    }
}

TEST_F(Nifti, CompressedFilesDoNotDependOnThreads) {
    Image image = makeSynthetic({SyntheticKind::sheppLogan, {96, 96, 96, 1}, 5});
    SaveOptions options;
    std::string first;
    for (const int threads : {1, 3}) {
        options.threads = threads;
        const std::string path = file("t" + std::to_string(threads) + ".nii.gz");
        (void)saveImage(image, path, options);
        std::ifstream f(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(f), {}};
        if (first.empty()) first = bytes;
        EXPECT_EQ(first, bytes);
        EXPECT_EQ(std::memcmp(loadImage(path).samples().data(), image.samples().data(), image.samples().bytes()), 0);
    }
}

TEST_F(Nifti, SavesAnUnknownOrientationAsUnknown) {
    Image image = makeSynthetic({SyntheticKind::gradient, {4, 5, 6, 1}, 1});
    image.geometry = Geometry{.spacing = {0.5, 0.75, 2}, .origin = {1, 2, 3}};
    setOrientationUnknown(image);
    for (const std::string name : {"unknown.nii", "unknown.nii.gz"}) {
        const auto notes = saveImage(image, file(name));
        ASSERT_EQ(notes.size(), 1U);
        EXPECT_TRUE(contains(notes[0], "orientation in the patient is unknown")) << notes[0];
        EXPECT_TRUE(contains(notes[0], "origin was not saved")) << notes[0];
        const Image back = loadImage(file(name));
        EXPECT_FALSE(orientationKnown(back));
        EXPECT_EQ(back.geometry->spacing, image.geometry->spacing);
        for (const MetadataEntry& e : back.metadata)
            if (e.name == "qform" || e.name == "sform") {
                EXPECT_EQ(e.text, "Unknown") << e.name;
            }
    }
    std::ifstream f(file("unknown.nii"), std::ios::binary);
    const std::string head{std::istreambuf_iterator<char>(f), {}};
    EXPECT_EQ(head.substr(252, 4), std::string(4, '\0')) << "the codes of qform and sform";
}

TEST_F(Nifti, SavesShearAndReportsLostSliceDistances) {
    Image image = makeSynthetic({SyntheticKind::gradient, {4, 4, 4, 1}, 1});
    Geometry g;
    g.spacing = {0.5, 0.5, 5};
    const double tilt = 0.2443;
    g.direction = {1, 0, 0, 0, std::cos(tilt), 0, 0, -std::sin(tilt), 1};
    place(image, g);
    (void)saveImage(image, file("shear.nii"));
    const Geometry back = *loadImage(file("shear.nii")).geometry;
    EXPECT_TRUE(sameGeometry(g, back, 4, 4, 4));
    image.geometry->slicePositions = {0, 5, 15, 20};
    const auto notes = saveImage(image, file("uneven.nii"));
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(contains(notes[0], "uneven slice distances"));
}

TEST_F(Nifti, RefusesUnsupportedImagesAndKeepsTheOldFile) {
    const Image colours = makeSynthetic({SyntheticKind::gradient, {4, 4, 1, 3}, 1});
    EXPECT_THROW((void)saveImage(colours, file("c.nii")), Error);
    EXPECT_FALSE(fs::exists(file("c.nii")));
    const Image volume = makeSynthetic({SyntheticKind::gradient, {4, 4, 3, 1}, 1});
    EXPECT_THROW((void)saveImage(volume, file("v.exr")), Error);
    (void)saveImage(volume, file("v.nii"));
    EXPECT_THROW((void)saveImage(volume, file("v.nii")), Error);  // no --force
    SaveOptions stopped;
    std::stop_source stop;
    stop.request_stop();
    stopped.stop = stop.get_token();
    stopped.overwrite = true;
    const auto before = fs::file_size(file("v.nii"));
    for (const char* name : {"v.nii", "v.nii.gz", "v.raw"}) {
        try {
            (void)saveImage(oddVolume(), file(name), stopped);
            ADD_FAILURE();
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::cancelled);
            EXPECT_EQ(e.summary(), "Saving was cancelled");
        }
    }
    EXPECT_EQ(fs::file_size(file("v.nii")), before);
    EXPECT_FALSE(fs::exists(file("v.nii.gz")));
    EXPECT_FALSE(fs::exists(file("v.raw")));
    EXPECT_FALSE(fs::exists(file("v.raw.json")));
}

TEST_F(Nifti, SavesLongSidesAsVersionTwo) {
    Image image = makeSynthetic({SyntheticKind::gradient, {40000, 2, 2, 1}, 1});
    place(image, {});
    const auto notes = saveImage(image, file("long.nii"));
    ASSERT_EQ(notes.size(), 1U);
    const Image back = loadImage(file("long.nii"));
    EXPECT_EQ(back.source.format, "NIfTI-2");
    EXPECT_EQ(std::memcmp(back.samples().data(), image.samples().data(), image.samples().bytes()), 0);
}

}  // namespace
}  // namespace parallax::test
