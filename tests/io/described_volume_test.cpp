// SPDX-License-Identifier: GPL-3.0-or-later
// NRRD and MetaImage: files of other programs with what they hold (tests/oracles/make_volumes.py), and files made here for what those do
// not write: skipped bytes, damage, lies.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/io/codec/bzip2.hpp"
#include "core/io/loader.hpp"
#include "tests/support/opening.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

std::string goldenFolder() { return std::string(PARALLAX_GOLDEN_FOLDER) + "/volumes"; }

struct Golden {
    std::string file;
    int volume = 0;
    Shape shape;
    std::vector<double> spacing, origin, direction, samples;  ///< direction: empty if it is not known
};

std::vector<double> numbersOf(const std::string& text) {
    std::istringstream in(text);
    std::vector<double> all;
    for (double v = 0; in >> v;) all.push_back(v);
    return all;
}

std::vector<Golden> goldens() {
    std::ifstream file(goldenFolder() + "/volumes.txt");
    EXPECT_TRUE(file) << goldenFolder() << " is missing";
    std::vector<Golden> all;
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> parts;
        for (std::size_t begin = 0; begin != std::string::npos;) {
            const std::size_t end = line.find(" | ", begin);
            parts.push_back(line.substr(begin, end == std::string::npos ? end : end - begin));
            begin = end == std::string::npos ? end : end + 3;
        }
        const auto extents = numbersOf(parts.at(2));
        all.push_back({parts[0],
                       std::stoi(parts[1]),
                       {static_cast<std::int64_t>(extents.at(0)), static_cast<std::int64_t>(extents.at(1)),
                        static_cast<std::int64_t>(extents.at(2)), 1},
                       numbersOf(parts.at(3)),
                       numbersOf(parts.at(4)),
                       parts.at(5) == "unknown" ? std::vector<double>{} : numbersOf(parts[5]),
                       numbersOf(parts.at(6))});
    }
    return all;
}

TEST(DescribedVolumes, OpensFilesOfOtherPrograms) {
    const std::vector<Golden> all = goldens();
    ASSERT_GT(all.size(), 40U);
    for (const Golden& g : all) {
        SCOPED_TRACE(g.file + "#" + std::to_string(g.volume));
        const Image image = loadImage(goldenFolder() + "/" + g.file + "#" + std::to_string(g.volume));
        ASSERT_EQ(image.shape(), g.shape);
        ASSERT_EQ(static_cast<std::size_t>(g.shape.samples()), g.samples.size());
        for (std::size_t i = 0; i < g.samples.size(); ++i) ASSERT_EQ(image.view().data[i], static_cast<float>(g.samples[i])) << i;
        ASSERT_TRUE(image.geometry);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(image.geometry->spacing[i], g.spacing[i], 1e-12);
        EXPECT_EQ(orientationKnown(image), !g.direction.empty());
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(image.geometry->origin[i], g.origin[i], 1e-12);
        if (g.direction.empty()) continue;
        for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(image.geometry->direction[i], g.direction[i], 1e-12);
    }
}

/// Files of 3 x 2 x 2 samples with the values 0 to 11, unless told otherwise.
class MadeVolume : public testing::Test {
protected:
    TemporaryFolder folder_;

    static std::string samples(int n = 12, bool big = false) {
        std::string bytes;
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 2; ++k) bytes += static_cast<char>(i >> (8 * (big ? 1 - k : k)) & 255);
        return bytes;
    }
    static std::string deflated(const std::string& bytes, bool gzip) {
        z_stream s{};
        EXPECT_EQ(deflateInit2(&s, 6, Z_DEFLATED, MAX_WBITS + (gzip ? 16 : 0), 8, Z_DEFAULT_STRATEGY), Z_OK);
        std::string out(bytes.size() + 200, '\0');
        s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        s.avail_in = static_cast<uInt>(bytes.size());
        s.next_out = reinterpret_cast<Bytef*>(out.data());
        s.avail_out = static_cast<uInt>(out.size());
        EXPECT_EQ(deflate(&s, Z_FINISH), Z_STREAM_END);
        out.resize(out.size() - s.avail_out);
        deflateEnd(&s);
        return out;
    }
    static std::string nrrd(const std::string& more = {}, const std::string& encoding = "raw", const std::string& sizes = "3 2 2") {
        return "NRRD0004\ntype: short\ndimension: " + std::to_string(1 + std::count(sizes.begin(), sizes.end(), ' ')) +
               "\nsizes: " + sizes + "\nendian: little\nencoding: " + encoding + "\n" + more + "\n";
    }
    static std::string meta(const std::string& more = {}, const std::string& file = "LOCAL", const std::string& sizes = "3 2 2") {
        return "ObjectType = Image\nNDims = " + std::to_string(1 + std::count(sizes.begin(), sizes.end(), ' ')) + "\nDimSize = " + sizes +
               "\nElementType = MET_SHORT\n" + more + "ElementDataFile = " + file + "\n";
    }
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    static void expectSamples(const Image& image, float first = 0) {
        for (std::int64_t i = 0; i < image.shape().samples(); ++i) ASSERT_EQ(image.view().data[i], first + static_cast<float>(i));
    }
};

TEST_F(MadeVolume, FindsSamplesByOffsetsAndFileNames) {
    expectSamples(loadImage(write("a.nrrd", nrrd() + samples())));
    expectSamples(loadImage(write(
        "crlf.nrrd", "NRRD0004\r\ntype: short\r\ndimension: 3\r\nsizes: 3 2 2\r\nendian: little\r\nencoding: raw\r\n\r\n" + samples())));
    expectSamples(loadImage(write("gz.nrrd", nrrd({}, "gzip") + deflated(samples(), true))));
    // Two streams, one behind the other, as some tools put files together; and bytes behind them, which are none of ours.
    expectSamples(loadImage(
        write("two.nrrd", nrrd({}, "gz") + deflated(samples().substr(0, 7), true) + deflated(samples().substr(7), true) + "rest")));
    write("apart.raw", "first line\nsecond\nxyz" + samples());
    expectSamples(loadImage(write("skip.nhdr", nrrd("data file: apart.raw\nline skip: 2\nbyte skip: 3\n"))));
    expectSamples(loadImage(write("end.nhdr", nrrd("datafile: ./apart.raw\nbyteskip: -1\n"))));
    write("apart.raw.gz", "a line\n" + deflated("xyz" + samples(), true));
    expectSamples(loadImage(write("skip_gz.nhdr", nrrd("data file: apart.raw.gz\nline skip: 1\nbyte skip: 3\n", "gzip"))));

    expectSamples(loadImage(write("a.mha", meta() + samples())));
    expectSamples(loadImage(write("big.mha", meta("BinaryDataByteOrderMSB = True\n") + samples(12, true))));
    expectSamples(loadImage(write("z.mha", meta("CompressedData = True\n") + deflated(samples(), false))));
    expectSamples(loadImage(write("header.mhd", meta("HeaderSize = 21\n", "apart.raw"))));
    expectSamples(loadImage(write("end.mhd", meta("HeaderSize = -1\n", "apart.raw"))));
    write("with blanks.raw", samples());
    expectSamples(loadImage(write("blanks.mhd", meta({}, "with blanks.raw"))));
    // A name says nothing where the first bytes do.
    expectSamples(loadImage(write("nameless", nrrd() + samples())));
    expectSamples(loadImage(write("other", meta() + samples())));
}

TEST_F(MadeVolume, AcceptsTheTypeNamesOfC) {
    const auto typeOf = [&](const std::string& name) {
        const Image image = loadImage(write(
            "t.nrrd", "NRRD0001\ntype: " + name + "\ndimension: 1\nsizes: 2\nendian: little\nencoding: raw\n\n" + std::string(16, '\1')));
        return image.source.storedChannels.at(0).type;
    };
    for (const char* const name : {"signed char", "int8", "int8_t"}) EXPECT_EQ(typeOf(name), "int8");
    for (const char* const name : {"uchar", "unsigned char", "uint8_t"}) EXPECT_EQ(typeOf(name), "uint8");
    for (const char* const name : {"short", "short int", "signed short", "signed short int", "int16_t"}) EXPECT_EQ(typeOf(name), "int16");
    for (const char* const name : {"ushort", "unsigned short", "unsigned short int", "uint16"}) EXPECT_EQ(typeOf(name), "uint16");
    for (const char* const name : {"int", "signed int", "int32_t"}) EXPECT_EQ(typeOf(name), "int32");
    for (const char* const name : {"uint", "unsigned int", "uint32"}) EXPECT_EQ(typeOf(name), "uint32");
    for (const char* const name : {"longlong", "long long", "long long int", "signed long long int", "int64_t"})
        EXPECT_EQ(typeOf(name), "int64");
    for (const char* const name : {"ulonglong", "unsigned long long", "unsigned long long int", "uint64"})
        EXPECT_EQ(typeOf(name), "uint64");
}

TEST_F(MadeVolume, OpensSamplesByTheHeaderBesideThem) {
    const std::string raw = write("a.raw", samples());
    write("a.mhd", meta({}, "another.raw"));
    EXPECT_TRUE(contains(refusal(raw), "size and type of raw samples are needed"));
    write("a.mhd", meta({}, "a.raw"));
    expectSamples(loadImage(raw));
    EXPECT_EQ(loadImage(raw).source.path, raw);
    fs::remove(folder_ / "a.mhd");
    write("a.nhdr", nrrd("data file: a.raw\n"));
    EXPECT_EQ(loadImage(raw).source.format, "NRRD");
}

TEST_F(MadeVolume, ChoosesOneOfSeveralVolumes) {
    const std::string last = write("last.nrrd", nrrd({}, "raw", "3 2 2 2") + samples(24));
    Image image = loadImage(last);
    EXPECT_EQ(image.source.volumes, 2);
    ASSERT_EQ(image.source.warnings.size(), 1U);
    EXPECT_TRUE(contains(image.source.warnings.front(), "2 volumes"));
    expectSamples(image);
    image = loadImage(last + "#1");
    EXPECT_TRUE(image.source.warnings.empty());
    EXPECT_EQ(image.source.volume, 1);
    expectSamples(image, 12);
    EXPECT_TRUE(contains(refusal(last + "#2"), "0 to 1"));
    for (const std::string encoding : {"raw", "gzip"}) {
        const std::string first = write("first.nrrd", nrrd("kinds: RGB-color domain domain\n", encoding, "3 4 2") +
                                                          (encoding == "raw" ? samples(24) : deflated(samples(24), true)));
        image = loadImage(first + "#1");
        ASSERT_EQ(image.shape(), (Shape{4, 2, 1, 1}));
        for (int i = 0; i < 8; ++i) EXPECT_EQ(image.view().data[i], static_cast<float>(3 * i + 1));
        EXPECT_TRUE(contains(loadImage(first).source.warnings.front(), "3 values for each sample"));
    }
    image = loadImage(write("channels.mha", meta("ElementNumberOfChannels = 2\n") + samples(24)) + "#1");
    for (int i = 0; i < 12; ++i) EXPECT_EQ(image.view().data[i], static_cast<float>(2 * i + 1));
    image = loadImage(write("series.mha", meta({}, "LOCAL", "3 2 2 2") + samples(24)) + "#1");
    expectSamples(image, 12);
    EXPECT_TRUE(contains(refusal(write("between.nrrd", nrrd("kinds: domain vector domain\n") + samples())), "axis 2"));
    EXPECT_TRUE(contains(refusal(write("nowhere.nrrd", nrrd("kinds: list vector time\n") + samples())), "no spatial axis"));
}

TEST_F(MadeVolume, ReadsGeometryOrReportsItUnknown) {
    const auto geometry = [&](const std::string& fields) { return loadImage(write("g.nrrd", nrrd(fields) + samples())); };
    Image image =
        geometry("space: RAS\nspace directions: (2,0,0) (0,3,0) (0,0,4)\nspace origin: (1,2,3)\nspace units: \"cm\" \"mm\" \"m\"\n");
    EXPECT_TRUE(orientationKnown(image));
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{20, 3, 4000}));
    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{-10, -2, 3000}));
    EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{-1, 0, 0, 0, -1, 0, 0, 0, 1}));
    for (const double v : image.geometry->direction) EXPECT_FALSE(v == 0 && std::signbit(v));
    // A space without known orientation in the patient: spacing only.
    const std::string placed = "space directions: (0,2,0) (3,0,0) (0,0,-4)\nspace origin: (1,2,3)\n";
    image = geometry("space: scanner-xyz\n" + placed);
    EXPECT_FALSE(orientationKnown(image));
    EXPECT_TRUE(warns(image, "the space 'scanner-xyz' has no orientation in the patient"));
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 4}));
    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{0, 0, 0}));
    image = geometry("space dimension: 3\n" + placed);
    EXPECT_TRUE(orientationKnown(image));
    EXPECT_TRUE(warns(image, "does not name the space of its axes"));
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 4}));
    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{1, 2, 3}));
    EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{0, 1, 0, 1, 0, 0, 0, 0, -1}));
    image = geometry("spacings: 2 nan -4\nunits: \"cm\" \"mm\" \"mm\"\nsample units: HU\n");
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{20, 1, 4}));
    EXPECT_EQ(image.geometry->unit, "HU");
    EXPECT_TRUE(image.source.warnings.empty());
    image = geometry("spacings: 2 0 4\n");
    ASSERT_EQ(image.source.warnings.size(), 1U);
    EXPECT_TRUE(contains(image.source.warnings.front(), "axis 2"));
    image = geometry("spacings: 2 3 4\nunits: \"parsec\" \"mm\" \"mm\"\n");
    EXPECT_TRUE(contains(image.source.warnings.at(0), "parsec"));
    // A slice in space: its third direction is at right angles to the others.
    image = loadImage(write("slice.nrrd", nrrd("space: LPS\nspace directions: (0,2,0) (0,0,3)\n", "raw", "3 4") + samples()));
    EXPECT_TRUE(orientationKnown(image));
    EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{0, 0, 1, 1, 0, 0, 0, 1, 0}));

    image = loadImage(write(
        "g.mha", meta("ElementSpacing = 2 3 4\nOffset = 1 2 3\nTransformMatrix = 0 2 0 2 0 0 0 0 -2\nDistanceUnits = cm\n") + samples()));
    EXPECT_TRUE(orientationKnown(image));
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{20, 30, 40}));
    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{10, 20, 30}));
    EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{0, 1, 0, 1, 0, 0, 0, 0, -1}));
    image = loadImage(write("g.mha", meta("ElementSize = 2 3 4\n") + samples()));
    EXPECT_FALSE(orientationKnown(image));
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 4}));
    image = loadImage(
        write("g.mha", meta("Offset = 1 2 3\nTransformMatrix = 1 0 0 0 0 0 0 0 1\nElementToIntensityFunctionSlope = 2\n") + samples()));
    EXPECT_FALSE(orientationKnown(image));
    EXPECT_EQ(image.source.warnings.size(), 2U);
}

TEST_F(MadeVolume, ReadsGeometryOfSpacesWithTime) {
    for (const char* const space : {"right-anterior-superior-time", "RAST"}) {
        const std::string where = std::string("space: ") + space + "\nspace origin: (1,2,3,9)\n";
        Image image = loadImage(write(
            "last.nrrd", nrrd(where + "space directions: (2,0,0,0) (0,3,0,0) (0,0,4,0) (0,0,0,5)\n", "raw", "3 2 2 2") + samples(24)));
        EXPECT_EQ(image.source.volumes, 2);
        expectSamples(image);
        EXPECT_TRUE(orientationKnown(image));
        EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 4}));
        EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{-1, -2, 3}));
        EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{-1, 0, 0, 0, -1, 0, 0, 0, 1}));
        image = loadImage(write(
            "first.nrrd", nrrd(where + "space directions: (0,0,0,5) (2,0,0,0) (0,3,0,0) (0,0,4,0)\n", "raw", "2 3 2 2") + samples(24)));
        EXPECT_EQ(image.shape(), (Shape{3, 2, 2, 1}));
        EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 4}));
        for (int i = 0; i < 12; ++i) EXPECT_EQ(image.view().data[i], static_cast<float>(2 * i));
    }
}

TEST_F(MadeVolume, ReadsGeometryOfPlanes) {
    const std::string turned = nrrd("space dimension: 2\nspace directions: (0,2) (3,0)\nspace origin: (11,12)\n", "raw", "3 4"),
                      meta2 = meta("TransformMatrix = 0 1 1 0\nOffset = 11 12\nElementSpacing = 2 3\n", "LOCAL", "3 4");
    for (const auto& [name, header] : {std::pair{"a.nrrd", turned}, {"a.mha", meta2}}) {
        const Image image = loadImage(write(name, header + samples()));
        EXPECT_TRUE(orientationKnown(image)) << name;
        EXPECT_TRUE(warns(image, "does not name the space of its axes")) << name;
        EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 1})) << name;
        EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{11, 12, 0})) << name;
        EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{0, 1, 0, 1, 0, 0, 0, 0, 1})) << name;
    }
    const Image plain = loadImage(write("a.mha", meta("TransformMatrix = 1 0 0 1\nOffset = 0 0\n", "LOCAL", "3 4") + samples()));
    EXPECT_FALSE(orientationKnown(plain));
    EXPECT_TRUE(plain.source.warnings.empty());
}

TEST_F(MadeVolume, ReadsMetaImageHeadersAsItkDoes) {
    const Image image =
        loadImage(write("a.mha",
                        "ObjectType: Image\nNDims : 3\nDimSize = 3 2 2\nComment = a\nComment = b = c: d\nElementSpacing: 1 1 1\n"
                        "ElementSpacing = 2 3 4\nElementType = MET_SHORT\nElementDataFile = LOCAL\n" +
                            samples()));
    expectSamples(image);
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{2, 3, 4}));
}

TEST_F(MadeVolume, RefusesUnsupportedAndDamagedFilesWithTheReason) {
    const auto nrrdRefusal = [&](const std::string& header) { return refusal(write("bad.nrrd", header + samples())); };
    EXPECT_TRUE(contains(nrrdRefusal("NRRD0009\n\n"), "NRRD0005"));
    EXPECT_TRUE(contains(nrrdRefusal("NRRD0004\ndimension: 3\n\n"), "no 'type'"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("type: short\n")), "'type' twice"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("no field\n")), "neither a field"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd({}, "hex")), "'hex'"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd({}, "raw", "3 2 0")), "'0' in its header is not a size"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd({}, "raw", "3 2 -2")), "not a size"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("kinds: domain domain\n")), "2 words for 'kinds'"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("space directions: (1,0,0) (0,x,0) (0,0,1)\n")), "not a vector"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("space directions: (1,0,0) (0,1) (0,0,1)\n")), "different lengths"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("byte skip: -2\n")), "byte skip"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("line skip: 99\n")), "more lines"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd({}, "raw", "3 2 3")), "declares"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd({}, "gzip")), "inflated"));
    EXPECT_TRUE(contains(nrrdRefusal("NRRD0004\ntype: short\ndimension: 3\nsizes: 3 2 2\nencoding: raw\n\n"), "endian"));
    EXPECT_TRUE(contains(nrrdRefusal("NRRD0004\ntype: block\nblock size: 5\n\n"), "blocks"));
    EXPECT_TRUE(contains(nrrdRefusal("NRRD0004\ntype: quaternion\n\n"), "'quaternion'"));
    EXPECT_TRUE(contains(nrrdRefusal(nrrd("data file: there.raw\n")), "'there.raw' with its samples is missing"));
    EXPECT_TRUE(contains(refusal(write("bad.nhdr", nrrd())), "names no file"));
    // A header from elsewhere must not open other files of the user.
    for (const char* const name : {"/etc/passwd", "../secret.raw", "sub/a.raw", ".."})
        EXPECT_TRUE(contains(nrrdRefusal(nrrd(std::string("data file: ") + name + "\n")), "another folder")) << name;

    const auto metaRefusal = [&](const std::string& header) { return refusal(write("bad.mha", header + samples())); };
    EXPECT_TRUE(contains(metaRefusal("ObjectType = Tube\nElementDataFile = LOCAL\n"), "'Tube'"));
    EXPECT_TRUE(contains(metaRefusal("ObjectType = Image\nNDims 3\n"), "NAME = VALUE"));
    EXPECT_TRUE(contains(refusal(write("short.mha", "ObjectType = Image\nNDims = 3\n")), "no ElementDataFile"));
    EXPECT_TRUE(contains(metaRefusal(meta("BinaryData = False\n")), "text"));
    EXPECT_TRUE(contains(metaRefusal(meta("ElementSpacing = 1 2\n")), "2 numbers for elementspacing where 3"));
    EXPECT_TRUE(contains(metaRefusal(meta("ElementSpacing = 1 2 x\n")), "not a number"));
    EXPECT_TRUE(contains(metaRefusal(meta("HeaderSize = -7\n")), "HeaderSize"));
    EXPECT_TRUE(contains(metaRefusal(meta("ElementNumberOfChannels = 0\n")), "number of channels"));
    EXPECT_TRUE(contains(metaRefusal(meta({}, "LOCAL", "3 2 3")), "declares"));
    EXPECT_TRUE(contains(metaRefusal(meta({}, "LOCAL", "3 2 2 2 2")), "1 to 4"));
    EXPECT_TRUE(contains(metaRefusal(meta({}, "../a.raw")), "another folder"));
    EXPECT_TRUE(contains(metaRefusal(meta("CompressedData = True\n")), "inflated"));
}

TEST_F(MadeVolume, FindsTheSamplesOfAVolumeInItsFiles) {
    // Two volumes of 3 x 2 x 2 samples in three files, each behind two bytes.
    const std::string all = samples(24);
    for (int i = 0; i < 3; ++i) write("part" + std::to_string(i), "##" + all.substr(static_cast<std::size_t>(16 * i), 16));
    for (const char* const skip : {"byte skip: 2\n", "byte skip: -1\n"})
        for (int volume = 0; volume < 2; ++volume) {
            const std::string header =
                nrrd(std::string("kinds: space space space list\n") + skip + "data file: part%d 0 2 1\n", "raw", "3 2 2 2");
            const Image image = loadImage(write("v.nhdr", header) + "#" + std::to_string(volume));
            for (int i = 0; i < 12; ++i) EXPECT_EQ(image.view().data[i], static_cast<float>(12 * volume + i)) << skip;
        }
    const Image image = loadImage(write("v.mhd", meta("HeaderSize = -1\n", "LIST\npart2\n\npart0\npart1", "3 2 4")));
    EXPECT_EQ(image.view().data[0], 16);
    EXPECT_EQ(image.view().data[8], 0);
    LoadOptions lastSlices;
    lastSlices.part = PartRange{3, 4};
    EXPECT_EQ(loadImage(folder_ / "v.mhd", lastSlices).shape().depth, 4);  // read as a whole
}

TEST_F(MadeVolume, RefusesSeveralFilesWithTheReason) {
    write("a0", samples(6));
    write("a1", samples(6));
    const auto refused = [&](const std::string& files, const std::string& more = {}) {
        return refusal(write("bad.nhdr", nrrd(more + "data file: " + files + "\n")));
    };
    EXPECT_TRUE(contains(refused("LIST"), "no names of files"));
    EXPECT_TRUE(contains(refused("LIST\na0\na1\na2"), "'a2' with its samples is missing"));
    EXPECT_TRUE(contains(refused("LIST\na0\na1\na0\na1\na0"), "5 files, which cannot hold equal parts of its 24 bytes"));
    EXPECT_TRUE(contains(refused("LIST\na0", ""), "'a0': its header declares 24 bytes and the file has 12"));
    EXPECT_TRUE(contains(refused("a%d 0 1 1", "byte skip: 1\n"), "declares 13 bytes and the file has 12"));
    EXPECT_TRUE(contains(refused("a%d 0 1 1", "line skip: 1\n"), "skips lines in several files"));
    EXPECT_TRUE(contains(refused("a%d 0 1 0"), "invalid"));
    EXPECT_TRUE(contains(refused("a%d 1 0 1"), "invalid"));
    EXPECT_TRUE(contains(refused("a%d 0 9999999999 1"), "more than 100000 files"));
    EXPECT_TRUE(contains(refused("a%d 0 99999999999999 1"), "invalid"));
    EXPECT_TRUE(contains(refused("a%s 0 1 1"), "'a%s 0 1 1' with its samples is missing"));
    EXPECT_TRUE(contains(refused("a%d%d 0 1 1"), "is missing"));
    // A header from elsewhere must not open other files of the user.
    for (const char* const files : {"LIST\na0\n../a1", "LIST\n/etc/passwd", "../a%d 0 1 1", "/etc/%d 0 1 1"})
        EXPECT_TRUE(contains(refused(files), "another folder")) << files;
    EXPECT_TRUE(contains(refusal(write("bad.mhd", meta("CompressedData = True\n", "LIST\na0\na1"))), "several compressed files"));
}

TEST_F(MadeVolume, RefusesDamagedBzip2) {
    if (!hasBzip2()) GTEST_SKIP() << whyNoBzip2();
    std::ifstream file(goldenFolder() + "/pynrrd_bzip2.nrrd", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_GT(bytes.size(), 100U);
    EXPECT_TRUE(contains(refusal(write("cut.nrrd", bytes.substr(0, bytes.size() - 20))), "truncated"));
    std::string changed = bytes;
    changed[bytes.size() - 30] ^= 4;
    EXPECT_TRUE(contains(refusal(write("changed.nrrd", changed)), "cannot be decompressed"));
    EXPECT_TRUE(contains(refusal(write("none.nrrd", nrrd({}, "bzip2") + samples())), "cannot be decompressed"));
}

TEST_F(MadeVolume, RefusesHugeSizesWithoutAllocating) {
    EXPECT_TRUE(contains(refusal(write("vast.nrrd", nrrd({}, "raw", "4000000000 4000000000 4000000000") + samples()), ErrorCode::memory),
                         "too large"));
    for (const char* const sizes : {"100000 100000 100000", "2000 2000 2000 9000000000"}) {
        for (const char* const encoding : {"raw", "gzip"})
            EXPECT_FALSE(refusal(write("huge.nrrd", nrrd({}, encoding, sizes) + deflated(samples(), true))).empty()) << sizes;
        EXPECT_FALSE(refusal(write("huge.mha", meta({}, "LOCAL", sizes) + samples())).empty()) << sizes;
    }
    EXPECT_TRUE(contains(refusal(write("wide.nrrd", nrrd("kinds: vector domain domain\n", "raw", "9000000000000 3 2") + samples())),
                         "values per sample"));
    // A header without an end.
    EXPECT_TRUE(contains(refusal(write("long.nrrd", "NRRD0004\n" + std::string(17 << 20, 'x'))), "16 MiB"));
    EXPECT_TRUE(contains(refusal(write("zero.nrrd", std::string("NRRD0004\nty\0pe: short\n", 21))), "no text"));
}

TEST_F(MadeVolume, DetectsDamagedStreams) {
    const std::string stream = deflated(samples(), true), header = nrrd({}, "gzip");
    int opened = 0;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        std::string damaged = stream;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
        // Bytes 4 to 9 of a gzip header are a time and names of systems.
        if (!refusal(write("d.nrrd", header + damaged)).empty()) continue;
        ++opened;
        EXPECT_TRUE(i >= 3 && i <= 9) << i;
    }
    EXPECT_LE(opened, 7);
    for (std::size_t n = 0; n < stream.size(); ++n) EXPECT_FALSE(refusal(write("d.nrrd", header + stream.substr(0, n))).empty()) << n;
}

TEST_F(MadeVolume, ReadsFreeTextOnlyOnRequest) {
    const std::string path = write("p.nrrd", nrrd("content: Mustermann\n# Erika\nPatientName:=Muster\n") + samples());
    EXPECT_TRUE(loadImage(path).source.personal.empty());
    for (const MetadataEntry& e : loadImage(path).metadata) EXPECT_FALSE(contains(e.text, "uster"));
    LoadOptions options;
    options.patientData = true;
    EXPECT_EQ(loadImage(path, options).source.personal.size(), 3U);
    EXPECT_EQ(loadImage(write("p.mha", meta("Comment = Mustermann\n") + samples()), options).source.personal.size(), 1U);
}

TEST_F(MadeVolume, LoadingCanBeCancelled) {
    std::stop_source stop;
    LoadOptions options;
    options.stop = stop.get_token();
    options.progress = [&](double) { stop.request_stop(); };
    const std::string bytes = samples(1 << 21);
    for (const std::string& path : {write("c.nrrd", nrrd({}, "gzip", "1024 1024 2") + deflated(bytes, true)),
                                    write("c.mha", meta("ElementNumberOfChannels = 2\n", "LOCAL", "1024 1024 1") + bytes)})
        EXPECT_TRUE(contains(refusal(path, ErrorCode::cancelled, options), "cancelled"));
}

}  // namespace
}  // namespace parallax::test
