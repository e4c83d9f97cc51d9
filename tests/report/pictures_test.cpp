// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures in reports.
#include "core/report/charts/pictures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/image/error.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/report/formats/formats.hpp"
#include "tests/report/read_report.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
using Colour = std::array<int, 3>;

Colour at(const ReportPicture& p, int x, int y) {
    const auto* s = p.rgb.data() + 3 * (y * p.width + x);
    return {s[0], s[1], s[2]};
}

Image imageOf(const Shape& shape, float value) {
    Image image{Buffer(shape)};
    for (std::int64_t i = 0; i < shape.samples(); ++i) image.view().data[i] = value;
    return image;
}

TEST(Pictures, MatchTheWindow) {
    Image image = imageOf({4, 2, 1, 3}, 0);
    image.view().at(0, 0, 0, 0) = 1;
    image.view().at(1, 0, 0, 1) = 0.5F;
    image.view().at(2, 0, 0, 2) = 7;  // brighter than white
    image.view().at(3, 0, 0, 1) = kNan;
    image.view().at(0, 1, 0, 0) = -1;
    const ReportPicture p = pictureOf(image.view(), image.channelNames(), 256);
    ASSERT_EQ(p.width, 4);
    ASSERT_EQ(p.height, 2);
    EXPECT_EQ(at(p, 0, 0), (Colour{255, 0, 0}));
    EXPECT_EQ(at(p, 1, 0), (Colour{0, 188, 0}));  // half the light as sRGB
    EXPECT_EQ(at(p, 2, 0), (Colour{0, 0, 255}));
    EXPECT_EQ(at(p, 3, 0), (Colour{255, 0, 255}));
    EXPECT_EQ(at(p, 0, 1), (Colour{0, 0, 0}));
}

TEST(Pictures, AreReducedByMeansAndNeverEnlarged) {
    Image image = imageOf({5, 1, 1, 1}, 0);
    image.view().at(0, 0) = 1;  // half of the first pixel
    image.view().at(4, 0) = 1;  // the rest of an odd width
    const ReportPicture p = pictureOf(image.view(), image.channelNames(), 3);
    ASSERT_EQ(p.width, 3);
    EXPECT_EQ(at(p, 0, 0), (Colour{188, 188, 188}));
    EXPECT_EQ(at(p, 1, 0), (Colour{0, 0, 0}));
    EXPECT_EQ(at(p, 2, 0), (Colour{255, 255, 255}));
    EXPECT_EQ(pictureOf(imageOf({7, 3, 1, 1}, 0).view(), {"Y"}, 256).width, 7);
    const ReportPicture large = pictureOf(imageOf({1000, 10, 1, 1}, 0).view(), {"Y"}, 256);
    EXPECT_EQ(large.width, 250);
    EXPECT_EQ(large.height, 3);
    EXPECT_TRUE(pictureOf({}, {}, 256).empty());
}

TEST(Pictures, ReductionKeepsDifferences) {
    const Image a = imageOf({100, 100, 1, 3}, 0.5F);
    Image b = imageOf({100, 100, 1, 3}, 0.5F);
    b.view().at(57, 33, 0, 1) += 0.25F;
    b.view().at(12, 90, 0, 2) -= 0.25F;
    double scale = 0;
    const ReportPicture p = differenceOf(b.view(), a.view(), 10, scale);
    ASSERT_EQ(p.width, 10);
    EXPECT_NEAR(scale, 0.25, 1e-6);
    const auto colour = [](double t) {
        const auto c = differenceColour(t);
        return Colour{static_cast<int>(c >> 16), static_cast<int>(c >> 8 & 255), static_cast<int>(c & 255)};
    };
    EXPECT_EQ(at(p, 5, 3), colour(1));
    EXPECT_EQ(at(p, 1, 9), colour(-1));
    EXPECT_EQ(at(p, 0, 0), colour(0));
    EXPECT_NE(colour(1), colour(-1));
}

TEST(Pictures, MarkMismatchesAndHaveNoScaleForEqualImages) {
    Image a = imageOf({4, 1, 1, 1}, 1), b = imageOf({4, 1, 1, 1}, 1);
    double scale = 1;
    (void)differenceOf(b.view(), a.view(), 256, scale);
    EXPECT_EQ(scale, 0);
    a.view().at(0, 0) = kNan, b.view().at(0, 0) = kNan;
    a.view().at(1, 0) = kNan;
    b.view().at(2, 0) = std::numeric_limits<float>::infinity();
    const ReportPicture p = differenceOf(b.view(), a.view(), 256, scale);
    EXPECT_NE(at(p, 0, 0), (Colour{255, 0, 255}));
    EXPECT_EQ(at(p, 1, 0), (Colour{255, 0, 255}));
    EXPECT_EQ(at(p, 2, 0), (Colour{255, 0, 255}));
    EXPECT_EQ(scale, 0);
    EXPECT_THROW((void)differenceOf(imageOf({1, 1, 1, 1}, 0).view(), a.view(), 256, scale), Error);
}

TEST(Pictures, ShowTheSliceWithTheMaximumDifference) {
    const Image a = imageOf({4, 4, 5, 1}, 0);
    Image b = imageOf({4, 4, 5, 1}, 0);
    b.view().at(2, 1, 4) = 3;
    double scale = 0;
    const ReportPicture p = differenceOf(b.view(), a.view(), 256, scale);
    EXPECT_EQ(scale, 3);
    EXPECT_NE(at(p, 2, 1), at(p, 0, 0));
    EXPECT_TRUE(contains(picturesOf(a, 256).note, "slice 3 of 5"));
}

TEST(Pictures, EncodeAsPng) {
    const std::string png = encodePng(2, 1, {255, 0, 0, 0, 0, 255});
    EXPECT_TRUE(png.starts_with("\x89PNG\r\n"));
    EXPECT_TRUE(contains(png, "IEND"));
    EXPECT_THROW((void)encodePng(2, 2, {0, 0, 0}), Error);
    EXPECT_THROW((void)encodePng(0, 0, {}), Error);
}

ReportPictures samplePictures(int side = 256) {
    Image input = imageOf({64, 48, 1, 3}, 0.25F), result = imageOf({64, 48, 1, 3}, 0.25F);
    result.view().at(3, 4, 0, 1) += 0.5F;
    ReportPictures p = picturesOf(input, side);
    addPictures(p, "slow", input, input.view(), input.view(), side);
    addPictures(p, "fast", input, result.view(), input.view(), side);
    addPictures(p, "wrong", input, result.view(), {}, side);
    return p;
}

TEST(Pictures, AreEmbeddedInThePage) {
    const ReportPictures p = samplePictures();
    ASSERT_EQ(p.entries.size(), 3U);
    EXPECT_TRUE(p.entries[0].difference.empty());  // the reference itself
    EXPECT_FALSE(p.entries[1].difference.empty());
    EXPECT_TRUE(p.entries[2].difference.empty());  // nothing to compare with
    const std::string html = toHtml({sampleRecord()}, {p});
    std::size_t pictures = 0;
    for (std::size_t i = 0; (i = html.find("<img src=\"data:image/png;base64,iVBORw0KGgo", i)) != std::string::npos; ++i) ++pictures;
    EXPECT_EQ(pictures, 5U);  // input, three results, one difference
    EXPECT_TRUE(contains(html, "fast minus reference"));
    EXPECT_TRUE(contains(html, "+0.500"));
    for (const char* fetching : {"http:", "https:", "src=\"/", "@import", "url(", "<script", "<link"})
        EXPECT_FALSE(contains(html, fetching)) << fetching;
    EXPECT_FALSE(contains(toHtml({sampleRecord()}), "<img"));
}

TEST(Pictures, AreLimitedInTotalSize) {
    // Noise does not compress.
    std::uint64_t state = 1;
    ReportPictures p;
    for (int i = 0; i < 40; ++i) {
        EntryPictures e{"fast", {}, {}, 0};
        e.result.width = e.result.height = 256;
        for (int k = 0; k < 3 * 256 * 256; ++k)
            e.result.rgb.push_back(static_cast<std::uint8_t>((state = state * 6364136223846793005U + 1) >> 56));
        p.entries.push_back(std::move(e));
    }
    const std::vector<RunRecord> records(40, sampleRecord());
    const std::string html = toHtml(records, std::vector<ReportPictures>(40, p));
    EXPECT_LT(html.size(), 5'500'000U);
    EXPECT_TRUE(contains(html, "omitted to limit the size of the page"));
}

TEST(Pdf, IsACompleteDocument) {
    if (!canMakePdf()) GTEST_SKIP() << "built without cairo";
    const std::string pdf = toPdf({sampleRecord()}, {samplePictures()});
    EXPECT_TRUE(pdf.starts_with("%PDF-1.5"));
    EXPECT_TRUE(contains(pdf.substr(pdf.size() - 16), "%%EOF"));
    EXPECT_TRUE(contains(pdf, "startxref"));
    EXPECT_GT(pdf.size(), toPdf({sampleRecord()}).size());
    // The same record gives the same file.
    EXPECT_EQ(pdf, toPdf({sampleRecord()}, {samplePictures()}));
}

TEST(Pdf, AcceptsUnusualRecords) {
    if (!canMakePdf()) GTEST_SKIP() << "built without cairo";
    RunRecord r = sampleRecord();
    r.input.name = std::string("broken \xff\xfe\xc3 \xed\xa0\x80 name\n\t\x01") + std::string(5000, 'w');
    r.command = std::string(20000, 'x');
    r.entries[1].label = "";
    r.entries[2].warnings = {"\xf0\x9f\x98\x80", std::string(300, ' ')};
    EXPECT_TRUE(toPdf({r}).starts_with("%PDF"));
    EXPECT_TRUE(toPdf({}).starts_with("%PDF"));
    r.entries.clear();
    EXPECT_TRUE(toPdf({r}).starts_with("%PDF"));
    EXPECT_TRUE(toPdf(std::vector<RunRecord>(5, r)).starts_with("%PDF"));
}

}  // namespace
}  // namespace parallax
