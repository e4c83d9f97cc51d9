// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files and series made for the test: what real ones of the test data do not show, or not alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"
#include "core/io/formats/dicom/dicom.hpp"
#include "core/io/loader.hpp"
#ifdef PARALLAX_HAS_GDCM
#include "tests/support/dicom_compress.hpp"
#endif
#include "tests/io/dicom/made_slices.hpp"
#include "tests/support/opening.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

TEST_F(Dicom, EveryEncodingGivesTheSameSamples) {
    using enum MadeDicom::Encoding;
    struct Case {
        MadeDicom::Encoding encoding;
        const char* syntax;
        bool preamble, meta;
    };
    for (const Case& c : {Case{explicitLittle, "1.2.840.10008.1.2.1", true, true}, Case{implicitLittle, "1.2.840.10008.1.2", true, true},
                          Case{explicitBig, "1.2.840.10008.1.2.2", true, true}, Case{explicitLittle, "1.2.840.10008.1.2.1", false, true},
                          Case{implicitLittle, "", false, false}, Case{explicitLittle, "", false, false},
                          // Files that say one and are the other.
                          Case{explicitLittle, "1.2.840.10008.1.2", true, true}, Case{implicitLittle, "1.2.840.10008.1.2.1", true, true}}) {
        MadeDicom d = slice(3, 7.5);
        d.encoding = c.encoding;
        d.transferSyntax = c.syntax;
        d.preamble = c.preamble;
        d.meta = c.meta;
        const Image image = loadImage(write(d));
        const std::string where = std::string(c.syntax) + (c.preamble ? "" : ", no preamble");
        ASSERT_EQ(image.shape(), (Shape{4, 3, 1, 1})) << where;
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x) EXPECT_EQ(image.view().at(x, y), expected(3, x, y)) << where;
        EXPECT_EQ(image.geometry->spacing[0], 0.7) << where;
        EXPECT_EQ(image.geometry->spacing[1], 0.5) << where;
        EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{-10, -20, 7.5})) << where;
        EXPECT_EQ(image.geometry->unit, "HU") << where;
    }
}

TEST_F(Dicom, ReadsTheUnitOfSamples) {
    const auto unitOf = [&](const char* modality, const char* type, const char* units = "") {
        MadeDicom d = slice(1, 0);
        d.texts[0x00080060] = {"CS", modality};
        if (*type) d.texts[0x00281054] = {"LO", type};
        if (*units) d.texts[0x00541001] = {"CS", units};
        return loadImage(write(d)).geometry->unit;
    };
    EXPECT_EQ(unitOf("CT", ""), "HU");
    EXPECT_EQ(unitOf("CT", "HU"), "HU");
    EXPECT_EQ(unitOf("CT", "US"), "") << "unspecified";
    EXPECT_EQ(unitOf("CT", "Z_EFF"), "Z_EFF");
    EXPECT_EQ(unitOf("MR", ""), "");
    EXPECT_EQ(unitOf("PT", "", "BQML"), "BQML");
    EXPECT_EQ(unitOf("PT", "US", "BQML"), "BQML");
}

TEST_F(Dicom, UsesTheStoredBits) {
    // 12 bits of 16, with rubbish above them that belongs to no sample.
    MadeDicom d = slice(1, 0);
    d.bitsStored = 12;
    d.sample = [](int x, int y) { return 0xf000U | static_cast<std::uint32_t>(100 * y + x); };
    EXPECT_EQ(loadImage(write(d)).view().at(3, 2), 203 - 1024);
    // Signed: bit 11 is the sign.
    d.isSigned = true;
    d.sample = [](int x, int y) { return 0x5000U | (static_cast<std::uint32_t>(-(100 * y + x)) & 0xfffU); };
    EXPECT_EQ(loadImage(write(d)).view().at(3, 2), -203 - 1024);
    // In the upper bits.
    d.isSigned = false;
    d.highBit = 15;
    d.sample = [](int x, int y) { return static_cast<std::uint32_t>(100 * y + x) << 4 | 0xaU; };
    EXPECT_EQ(loadImage(write(d)).view().at(3, 2), 203 - 1024);
    // 16 bits with a sign, 8 bits, 32 bits.
    d = slice(1, 0);
    d.isSigned = true;
    d.sample = [](int x, int y) { return static_cast<std::uint32_t>(-2000 - 100 * y - x) & 0xffffU; };
    EXPECT_EQ(loadImage(write(d)).view().at(3, 2), -2203 - 1024);
    EXPECT_EQ(loadImage(write(d)).source.storedChannels[0].type, "int16");
    d = slice(1, 0);
    d.bitsAllocated = d.bitsStored = 8;
    d.width = 5;
    d.sample = [](int x, int y) { return static_cast<std::uint32_t>(50 * y + x); };
    EXPECT_EQ(loadImage(write(d)).view().at(4, 2), 104 - 1024);
    d.encoding = MadeDicom::Encoding::explicitBig;
    d.transferSyntax = "1.2.840.10008.1.2.2";
    EXPECT_EQ(loadImage(write(d)).view().at(4, 2), 104 - 1024);
    d = slice(1, 0);
    d.bitsAllocated = d.bitsStored = 32;
    d.sample = [](int x, int y) { return static_cast<std::uint32_t>(1'000'000 * y + x); };
    EXPECT_EQ(loadImage(write(d)).view().at(3, 2), 2'000'003 - 1024);
}

TEST_F(Dicom, RescalesEachSliceByItsOwnSlopeAndIntercept) {
    for (int i = 0; i < 3; ++i) {
        MadeDicom d = slice(i + 1, 2.0 * i);
        d.texts[0x00281053] = {"DS", i == 1 ? "0.25" : "2"};
        d.texts[0x00281052] = {"DS", i == 2 ? "-0.5" : "10"};
        write(d, "s" + std::to_string(i));
    }
    const Image image = loadImage(folder());
    EXPECT_EQ(image.view().at(1, 1, 0), 1101 * 2 + 10);
    EXPECT_EQ(image.view().at(1, 1, 1), 2101 * 0.25F + 10);
    EXPECT_EQ(image.view().at(1, 1, 2), 3101 * 2 - 0.5F);
    EXPECT_EQ(image.source.storedStatistics[0].min, 1000 * 2 + 10 < 2000 * 0.25 + 10 ? 2010 : 510);
}

TEST_F(Dicom, AssumesOneMillimetreWithoutSpacing) {
    MadeDicom d = slice(1, 0);
    d.texts[0x00280030] = {"DS", "0\\-1"};
    const Image image = loadImage(write(d));
    EXPECT_TRUE(warns(image, "no pixel spacing"));
    EXPECT_EQ(image.geometry->spacing[0], 1);
}

TEST_F(Dicom, UsesTheAspectRatioWithoutSpacing) {
    MadeDicom d = slice(1, 0);
    d.texts[0x00280030] = {"DS", ""};
    d.texts[0x00280034] = {"IS", "5\\2"};  // high, wide
    for (const auto encoding : {MadeDicom::Encoding::explicitLittle, MadeDicom::Encoding::implicitLittle}) {
        d.encoding = encoding;
        const Image image = loadImage(write(d));
        EXPECT_TRUE(warns(image, "no pixel spacing"));
        EXPECT_TRUE(warns(image, "2.5 mm down"));
        EXPECT_EQ(image.geometry->spacing[0], 1);
        EXPECT_EQ(image.geometry->spacing[1], 2.5);
    }
}

TEST_F(Dicom, ReplacesASlopeOfZero) {
    MadeDicom d = slice(1, 0);
    EXPECT_FALSE(warns(loadImage(write(d, "ordinary")), "rescale slope"));
    d.texts[0x00281053] = {"DS", "0"};
    const Image image = loadImage(write(d, "zero"));
    EXPECT_TRUE(warns(image, "rescale slope"));
    EXPECT_NE(image.view().at(0, 0), image.view().at(1, 0));
}

TEST_F(Dicom, ReportsPaddingAndInvertedGrey) {
    MadeDicom d = slice(0, 0);
    d.isSigned = true;
    d.sample = [](int x, int) { return x == 0 ? static_cast<std::uint32_t>(-2000) & 0xffffU : 5U; };
    d.texts[0x00280120] = {"US", std::string{'\x30', '\xf8'}};  // -2000, in the wrong type as some write it
    d.texts[0x00280004] = {"CS", "MONOCHROME1"};
    d.texts[0x00281050] = {"DS", "40\\-600"};
    d.texts[0x00281051] = {"DS", "400\\1500"};
    d.texts[0x00281055] = {"LO", "soft\\lung"};
    const Image image = loadImage(write(d));
    ASSERT_TRUE(image.source.series && image.source.series->padding);
    EXPECT_EQ(*image.source.series->padding, -3024);
    EXPECT_EQ(image.source.series->paddingSamples, 3U);
    EXPECT_TRUE(image.source.series->minimumIsWhite);
    EXPECT_EQ(image.view().at(0, 0), -3024);  // samples stay what they are
    ASSERT_EQ(image.source.windows.size(), 2U);
    EXPECT_EQ(image.source.windows[1].name, "lung");
    EXPECT_EQ(image.source.windows[1].width, 1500);
}

TEST_F(Dicom, RefusesOtherObjectsThanSlicesWithTheReason) {
    const auto refused = [&](const std::function<void(MadeDicom&)>& change) {
        MadeDicom d = slice(1, 0);
        change(d);
        return refusal(write(d));
    };
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.texts[0x00280008] = {"IS", "12"}; }), "12 frames of 24 bytes"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.texts[0x00280008] = {"IS", "1A"}; }), "'1A' is not a number"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.texts[0x00280008] = {"IS", "99999"}; }), "more than 16384 frames"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.texts[0x00280002] = {"US", std::string{3, 0}}; }), "'MONOCHROME2' with 3 per pixel"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.texts[0x00280100] = {"US", std::string{12, 0}}; }), "12 bits"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.texts[0x00280101] = {"US", std::string{17, 0}}; }), "17 bits"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.width = 0; }), "no size"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) {
                             d.transferSyntax = "1.2.840.10008.1.2.4.102";
                             d.encapsulated = MadeDicom::items({1, 2, 3, 4});
                         }),
                         "MPEG-4 AVC/H.264 High Profile (1.2.840.10008.1.2.4.102)"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.transferSyntax = "1.2.840.10008.1.2.4.70"; }), "are uncompressed"));
    EXPECT_TRUE(contains(refused([](MadeDicom& d) { d.encapsulated = MadeDicom::items({1, 2, 3, 4}); }), "are compressed"));
}

TEST_F(Dicom, RefusesDamageWithoutAllocating) {
    const MadeDicom d = slice(1, 0);
    const std::vector<std::uint8_t> good = d.bytes();
    const auto put = [&](std::vector<std::uint8_t> b) {
        std::ofstream(file("bad.dcm"), std::ios::binary)
            .write(reinterpret_cast<const char*>(b.data()), static_cast<std::streamsize>(b.size()));
        return file("bad.dcm");
    };
    EXPECT_TRUE(contains(refusal(put({good.begin(), good.end() - 5})), "expected 24 bytes, found 19"));
    EXPECT_TRUE(contains(refusal(put({good.begin(), good.begin() + 195})), "are left"));
    EXPECT_TRUE(contains(refusal(put({good.begin(), good.begin() + 300})), "are left"));
    EXPECT_TRUE(contains(refusal(put({good.begin(), good.begin() + 132})), "holds no image"));
    std::vector<std::uint8_t> b = good;
    // A lying length in the middle: (0020,000e).
    const std::uint8_t uid[] = {0x20, 0, 0x0e, 0};
    auto at = std::search(b.begin(), b.end(), std::begin(uid), std::end(uid));
    ASSERT_NE(at, b.end());
    at[6] = at[7] = 0xff;
    EXPECT_TRUE(contains(refusal(put(b)), "(0020,000E)"));
    // Rows and columns that no file of this size holds.
    MadeDicom huge = slice(1, 0);
    huge.texts[0x00280010] = huge.texts[0x00280011] = {"US", std::string{'\xff', '\xff'}};
    EXPECT_TRUE(contains(refusal(write(huge)), "truncated"));
    huge.transferSyntax = "1.2.840.10008.1.2.4.90";
    huge.encapsulated = MadeDicom::items({0xff, 0x4f, 0xff, 0x51});
    EXPECT_TRUE(contains(refusal(write(huge)), "cannot hold"));
    // Sequences of undefined length in each other, without end.
    MadeDicom nested = slice(1, 0);
    std::vector<std::uint8_t> deep = nested.bytes();
    const std::uint8_t sequence[] = {0x40, 0,    0x75, 0x02, 'S',  'Q',  0,    0,    0xff, 0xff,
                                     0xff, 0xff, 0xfe, 0xff, 0x00, 0xe0, 0xff, 0xff, 0xff, 0xff};
    const std::uint8_t pixels[] = {0xe0, 0x7f, 0x10, 0x00};
    auto before = std::search(deep.begin(), deep.end(), std::begin(pixels), std::end(pixels));
    std::vector<std::uint8_t> inner;
    for (int i = 0; i < 100000; ++i) inner.insert(inner.end(), std::begin(sequence), std::end(sequence));
    deep.insert(before, inner.begin(), inner.end());
    EXPECT_TRUE(contains(refusal(put(deep)), "nested more than 32 deep"));
}

TEST_F(Dicom, SkipsSequencesOfAnyContent) {
    // An icon with pixel data of its own, of undefined length, inside of an item of undefined length.
    MadeDicom d = slice(2, 0);
    std::vector<std::uint8_t> b = d.bytes();
    const std::uint8_t icon[] = {0x88, 0,    0x00, 0x02, 'S',  'Q',  0,    0,    0xff, 0xff, 0xff, 0xff,  // sequence
                                 0xfe, 0xff, 0x00, 0xe0, 0xff, 0xff, 0xff, 0xff,                          // item
                                 0x28, 0,    0x10, 0x00, 'U',  'S',  2,    0,    99,   0,                 // its rows
                                 0xe0, 0x7f, 0x10, 0x00, 'O',  'B',  0,    0,    0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0x00, 0xe0,
                                 2,    0,    0,    0,    1,    2,    0xfe, 0xff, 0xdd, 0xe0, 0,    0,    0,    0,  // end of its pixel data
                                 0xfe, 0xff, 0x0d, 0xe0, 0,    0,    0,    0,                                      // end of the item
                                 0xfe, 0xff, 0xdd, 0xe0, 0,    0,    0,    0};
    const std::uint8_t pixels[] = {0xe0, 0x7f, 0x10, 0x00};
    b.insert(std::search(b.begin(), b.end(), std::begin(pixels), std::end(pixels)), std::begin(icon), std::end(icon));
    std::ofstream(file("icon.dcm"), std::ios::binary)
        .write(reinterpret_cast<const char*>(b.data()), static_cast<std::streamsize>(b.size()));
    const Image image = loadImage(file("icon.dcm"));
    EXPECT_EQ(image.shape().height, 3);
    EXPECT_EQ(image.view().at(1, 1), expected(2, 1, 1));
}

TEST_F(Dicom, ReportsADamagedSliceAndOpensTheOthers) {
    for (int i = 0; i < 4; ++i) write(slice(i, i), std::to_string(i));
    fs::resize_file(file("2"), 250);
    const Image image = loadImage(folder());
    EXPECT_EQ(image.shape().depth, 3);
    EXPECT_TRUE(warns(image, "1 DICOM file of the folder cannot be read")) << allWarnings(image);
    EXPECT_TRUE(warns(image, "1 slice is missing"));
    // Cut in its samples the header is whole: the volume would have a hole.
    write(slice(2, 2), "2");
    fs::resize_file(file("2"), fs::file_size(file("2")) - 3);
    EXPECT_TRUE(contains(refusal(folder()), "truncated"));
}

TEST_F(Dicom, RefusesFoldersWithoutImages) {
    EXPECT_TRUE(contains(refusal(folder()), "is empty"));
    std::ofstream(file("a.txt")) << "text";
    EXPECT_TRUE(contains(refusal(folder()), "none of its 1 files"));
    MadeDicom d = slice(1, 0);
    d.texts[0x00280008] = {"IS", "5"};
    write(d);
    EXPECT_TRUE(contains(refusal(folder()), "5 frames of 24 bytes"));
}

TEST_F(Dicom, DescriptionsThatNamePeopleAreNeitherShownNorSaved) {
    const std::pair<const char*, const char*> cases[] = {{"M\xfcller^J\xf6rg", "Kopf M\xc3\x9cLLER"},
                                                         {"Li^Bo", "head of li"},
                                                         {"Meyer-Schmidt^Ann", "Schmidt, Thorax"},
                                                         {"Doe^Jane", "born 31.01.1970"},
                                                         {"Doe^Jane", "01/31/1970"},
                                                         {"Doe^Jane", "Thorax, NOWHERE clinic"}};
    for (const auto& [name, description] : cases) {
        MadeDicom d = slice(0, 0);
        d.texts[0x00100010] = {"PN", name};
        d.texts[0x00100030] = {"DA", "19700131"};
        d.texts[0x00080080] = {"LO", "St. Nowhere"};
        d.texts[0x0008103e] = {"LO", description};
        write(d);
        const Image image = loadImage(folder());
        EXPECT_TRUE(contains(image.source.series->description, "left out")) << description;
        for (const auto& e : image.metadata) EXPECT_NE(e.name, "SeriesDescription") << "what is saved has no free text";
    }
}

TEST_F(Dicom, ReadsPatientDataOnlyOnRequest) {
    for (int i = 0; i < 3; ++i) {
        MadeDicom d = slice(i, i == 2 ? 5 : i);
        d.texts[0x00100010] = {"PN", "Doe^Jane"};
        d.texts[0x00100020] = {"LO", "ID-4711"};
        d.texts[0x00100030] = {"DA", "19700131"};
        d.texts[0x00080080] = {"LO", "St. Nowhere"};
        d.texts[0x0008103e] = {"LO", "Head of JANE"};
        d.texts[0x00180060] = {"DS", "120"};
        write(d, "Doe_Jane_" + std::to_string(i));
    }
    fs::resize_file(file("Doe_Jane_1"), 250);
    const auto everything = [](const Image& image) {
        std::string text = allWarnings(image) + image.source.format + image.source.series->description;
        for (const auto& e : image.metadata) text += e.name + e.text;
        for (const auto& p : image.provenance) text += p;
        for (const auto& e : image.source.personal) text += e.name + e.text;
        return text;
    };
    const Image image = loadImage(folder());
    EXPECT_TRUE(image.source.medical);
    for (const char* secret : {"Doe", "Jane", "JANE", "4711", "19700131", "Nowhere"})
        EXPECT_FALSE(contains(everything(image), secret)) << secret;
    EXPECT_TRUE(contains(everything(image), "KVP120"));
    LoadOptions options;
    options.patientData = true;
    const Image asked = loadImage(folder(), options);
    for (const char* wanted : {"Doe^Jane", "ID-4711", "19700131", "St. Nowhere"})
        EXPECT_TRUE(contains(everything(asked), wanted)) << wanted;
}

TEST_F(Dicom, ReportsProgressAndStops) {
    for (int i = 0; i < 30; ++i) write(slice(i, i), std::to_string(i));
    LoadOptions options;
    options.threads = 3;
    double last = 0;
    std::vector<std::string> stages;
    options.progress = [&](double f) {
        EXPECT_GE(f, last - 1e-9);
        last = f;
    };
    options.stage = [&](const std::string& s) { stages.push_back(s); };
    (void)loadImage(folder(), options);
    EXPECT_EQ(last, 1);
    EXPECT_EQ(stages, (std::vector<std::string>{"looking for files", "reading 30 headers", "reading 30 slices"}));
    // Asked to stop in the middle of the slices.
    std::stop_source stop;
    options.stop = stop.get_token();
    last = 0;
    options.progress = [&](double f) {
        if (f > 0.3) stop.request_stop();
    };
    EXPECT_TRUE(contains(refusal("/dev/null/none"), "does not exist"));
    try {
        (void)loadImage(folder(), options);
        ADD_FAILURE() << "it was not stopped";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled);
    }
}

#ifdef PARALLAX_HAS_GDCM
/// Every syntax that GDCM writes, from the same samples: signed, 12 of 16 bits, odd sizes.
TEST_F(Dicom, DecodesCompressedSlicesExactly) {
    struct Case {
        const char* syntax;
        int allocated, stored;
        bool isSigned;
        double tolerance;
    };
    for (const Case& c : {Case{"1.2.840.10008.1.2.5", 16, 16, true, 0}, Case{"1.2.840.10008.1.2.5", 16, 12, false, 0},
                          Case{"1.2.840.10008.1.2.5", 8, 8, false, 0}, Case{"1.2.840.10008.1.2.4.50", 8, 8, false, 12},
                          Case{"1.2.840.10008.1.2.4.51", 16, 12, false, 12}, Case{"1.2.840.10008.1.2.4.57", 16, 16, false, 0},
                          Case{"1.2.840.10008.1.2.4.57", 8, 8, false, 0}, Case{"1.2.840.10008.1.2.4.70", 16, 16, true, 0},
                          Case{"1.2.840.10008.1.2.4.70", 16, 12, false, 0}, Case{"1.2.840.10008.1.2.4.80", 16, 16, true, 0},
                          Case{"1.2.840.10008.1.2.4.80", 16, 12, false, 0}, Case{"1.2.840.10008.1.2.4.80", 8, 8, false, 0},
                          Case{"1.2.840.10008.1.2.4.90", 16, 16, true, 0}, Case{"1.2.840.10008.1.2.4.90", 16, 12, true, 0},
                          Case{"1.2.840.10008.1.2.4.90", 16, 12, false, 0}, Case{"1.2.840.10008.1.2.4.90", 8, 8, false, 0}}) {
        const std::string where = std::string(c.syntax) + " " + std::to_string(c.stored) + (c.isSigned ? " signed" : "");
        SCOPED_TRACE(where);
        MadeDicom d;
        // GDCM's encoder of RLE asserts that rows divide its segments.
        d.width = std::string(c.syntax).ends_with(".5") ? 32 : 33;
        d.height = 19;
        d.bitsAllocated = c.allocated;
        d.bitsStored = c.stored;
        d.isSigned = c.isSigned;
        const std::uint32_t mask = (1U << c.stored) - 1;
        // Smooth enough for lossy syntaxes, with the sign where there is one.
        const int low = c.isSigned ? -(1 << (c.stored - 1)) : 0;
        d.sample = [&](int x, int y) { return static_cast<std::uint32_t>(low + ((x * 3 + y * 2) * ((1 << c.stored) - 1)) / 140) & mask; };
        const Image plain = loadImage(write(d, "plain.dcm"));
        std::vector<std::uint8_t> stored;
        for (int y = 0; y < d.height; ++y)
            for (int x = 0; x < d.width; ++x) {
                std::uint32_t v = d.sample(x, y);
                // GDCM's encoders want the sign in all bits.
                if (c.isSigned && c.allocated == 16 && (v >> (c.stored - 1) & 1)) v |= ~mask;
                for (int i = 0; i < c.allocated / 8; ++i) stored.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
            }
        d.transferSyntax = c.syntax;
        d.encapsulated =
            MadeDicom::items(compressedByGdcm(c.syntax, static_cast<unsigned>(d.width), 19, static_cast<unsigned short>(c.allocated),
                                              static_cast<unsigned short>(c.stored), c.isSigned, stored));
        const Image decoded = loadImage(write(d, "coded.dcm"));
        double worst = 0;
        for (std::int64_t i = 0; i < plain.shape().samples(); ++i)
            worst = std::max(worst, static_cast<double>(std::fabs(plain.view().data[i] - decoded.view().data[i])));
        EXPECT_LE(worst, c.tolerance * (c.stored > 8 ? 16 : 1));
        // Cut in the middle of the stream it is refused, not filled up.
        const std::vector<std::uint8_t> whole = d.encapsulated;
        d.encapsulated = MadeDicom::items({whole.begin() + 16, whole.begin() + 16 + static_cast<std::ptrdiff_t>((whole.size() - 24) / 2)});
        EXPECT_FALSE(refusal(write(d, "cut.dcm")).empty());
    }
}

TEST_F(Dicom, RefusesCodeStreamsThatDisagreeWithTheHeader) {
    MadeDicom d;
    d.width = 24;
    d.height = 17;
    std::vector<std::uint8_t> stored(2 * 24 * 17, 5);
    for (const char* syntax : {"1.2.840.10008.1.2.4.70", "1.2.840.10008.1.2.4.80", "1.2.840.10008.1.2.4.90"}) {
        d.transferSyntax = syntax;
        d.encapsulated = MadeDicom::items(compressedByGdcm(syntax, 24, 17, 16, 16, false, stored));
        d.height = 18;
        EXPECT_TRUE(contains(refusal(write(d)), "24 x 17 pixels, but its header says 24 x 18")) << refusal(write(d));
        d.height = 17;
        EXPECT_EQ(refusal(write(d)), "");
    }
}
#endif

}  // namespace
}  // namespace parallax::test
