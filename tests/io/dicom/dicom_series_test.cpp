// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a folder as series: order, distances, repeated slices, division and choice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/io/formats/dicom/dicom.hpp"
#include "core/io/loader.hpp"
#include "tests/io/dicom/made_slices.hpp"
#include "tests/support/opening.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

TEST_F(Dicom, OrdersByPositionAndNotByNameNumberOrDate) {
    std::vector<int> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    for (int i = 0; i < 12; ++i) {
        MadeDicom d = slice(i, 30 - 2.5 * i);  // falling with the instance number
        write(d, "IM" + std::to_string(order[static_cast<std::size_t>(i)]) + (i % 3 ? ".dcm" : ""));
    }
    const Image image = loadImage(folder());
    ASSERT_EQ(image.shape(), (Shape{4, 3, 12, 1}));
    for (int z = 0; z < 12; ++z) EXPECT_EQ(image.view().at(2, 1, z), expected(11 - z, 2, 1)) << z;
    EXPECT_EQ(image.geometry->spacing, (std::array<double, 3>{0.7, 0.5, 2.5}));
    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{-10, -20, 2.5}));
    EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
    EXPECT_TRUE(image.source.warnings.empty()) << allWarnings(image);
    EXPECT_EQ(image.source.series->files, 12);
}

TEST_F(Dicom, SagittalSlicesAreOrderedAlongTheirOwnNormal) {
    for (int i = 0; i < 4; ++i) {
        MadeDicom d = slice(i, 0);
        d.orientation = {0, 1, 0, 0, 0, -1};  // normal (-1, 0, 0)
        d.position = {5.0 * i, 1, 2};
        write(d, std::to_string(i));
    }
    const Image image = loadImage(folder());
    EXPECT_EQ(image.geometry->origin, (std::array<double, 3>{15, 1, 2}));
    EXPECT_EQ(image.geometry->direction, (std::array<double, 9>{0, 0, -1, 1, 0, 0, 0, -1, 0}));
    const auto p = positionOf(*image.geometry, 2, 1, 3);
    EXPECT_NEAR(p[0], 0, 1e-12);
    EXPECT_NEAR(p[1], 1 + 2 * 0.7, 1e-12);
    EXPECT_NEAR(p[2], 2 - 0.5, 1e-12);
}

TEST_F(Dicom, ReportsMissingSlicesWithoutInterpolating) {
    for (const int i : {0, 1, 2, 5, 6}) write(slice(i, 3.0 * i), std::to_string(i));
    const Image image = loadImage(folder());
    ASSERT_EQ(image.shape().depth, 5);
    EXPECT_EQ(image.geometry->spacing[2], 3);
    EXPECT_TRUE(warns(image, "2 slices are missing: between 6 mm (slice 2) and 15 mm (slice 3) the distance is 9 mm instead of 3 mm"))
        << allWarnings(image);
    EXPECT_EQ(image.geometry->slicePositions, (std::vector<double>{0, 3, 6, 15, 18}));
    EXPECT_NEAR(positionOf(*image.geometry, 0, 0, 3)[2], 15, 1e-12);
}

TEST_F(Dicom, ReportsUnevenDistances) {
    const double z[] = {0, 2, 4.3, 6.1, 8.1};
    for (int i = 0; i < 5; ++i) write(slice(i, z[i]), std::to_string(i));
    const Image image = loadImage(folder());
    EXPECT_TRUE(warns(image, "unevenly spaced: their distances are 1.8 mm to 2.3 mm, the median is 2 mm, 2 of 4 differ"))
        << allWarnings(image);
    EXPECT_EQ(image.geometry->slicePositions.size(), 5U);
    // The rounding of stored positions is no unevenness.
    for (int i = 0; i < 5; ++i) write(slice(i, std::round(i * 62.5) / 100), std::to_string(i));
    const Image even = loadImage(folder());
    EXPECT_TRUE(even.source.warnings.empty()) << allWarnings(even);
    EXPECT_TRUE(even.geometry->slicePositions.empty());
    EXPECT_NEAR(even.geometry->spacing[2], 0.625, 1e-12);
}

TEST_F(Dicom, LeavesOutAndReportsCopies) {
    for (int i = 0; i < 4; ++i) write(slice(i, i), std::to_string(i));
    write(slice(2, 2), "copy of 2");
    const Image copied = loadImage(folder());
    EXPECT_EQ(copied.shape().depth, 4);
    EXPECT_TRUE(warns(copied, "1 file is a copy of others")) << allWarnings(copied);
    // Another instance at the same place.
    write(slice(9, 2), "copy of 2");
    const Image repeated = loadImage(folder());
    EXPECT_EQ(repeated.shape().depth, 4);
    EXPECT_EQ(repeated.view().at(0, 0, 2), expected(2, 0, 0));
    EXPECT_TRUE(warns(repeated, "1 slice is at the position of another one (at 2 mm the images number 2 and 9)")) << allWarnings(repeated);
}

TEST_F(Dicom, SeparatesTimesAtOnePosition) {
    for (int t = 0; t < 2; ++t)
        for (int i = 0; i < 3; ++i) {
            MadeDicom d = slice(3 * t + i, i);
            d.texts[0x00200012] = {"IS", std::to_string(t + 1)};
            write(d, std::to_string(3 * t + i));
        }
    const std::string message = refusal(folder());
    EXPECT_TRUE(contains(message, "holds 2 series")) << message;
    EXPECT_TRUE(contains(message, "acquisition 2")) << message;
    const Image second = loadImage(folder() + "#1b");
    EXPECT_EQ(second.shape().depth, 3);
    EXPECT_EQ(second.view().at(0, 0, 0), expected(3, 0, 0));
    EXPECT_TRUE(second.source.warnings.empty()) << allWarnings(second);
}

TEST_F(Dicom, SeparatesPhasesByTheirTimes) {
    // Times of each phase, or of each image; the numbers say nothing.
    for (const auto& [tag, step] : {std::pair{0x00181060U, 0}, {0x00080032U, 0}, {0x00080033U, 7}}) {
        for (int t = 0; t < 2; ++t)
            for (int i = 0; i < 3; ++i) {
                MadeDicom d = slice(2 * i + 1 - t, i);
                d.texts[tag] = {"DS", std::to_string(100000 + 100 * t + step * i) + ".5"};
                write(d, std::to_string(3 * t + i));
            }
        const std::string message = refusal(folder());
        EXPECT_TRUE(contains(message, "1b: CT, 4 x 3 x 3, 1 mm (phase 2)")) << message;
        EXPECT_FALSE(contains(message, "100100"));
        const Image second = loadImage(folder() + "#1b");
        for (int i = 0; i < 3; ++i) EXPECT_EQ(second.view().at(0, 0, i), expected(2 * i, 0, 0));
        EXPECT_TRUE(second.source.warnings.empty()) << allWarnings(second);
    }
    // Not all positions have both.
    fs::remove(file("5"));
    EXPECT_TRUE(warns(loadImage(folder()), "2 slices are at the position of another one"));
}

TEST_F(Dicom, KeepsAGantryTiltAsShear) {
    const double tilt = 14 * 3.14159265358979323846 / 180;
    for (int i = 0; i < 4; ++i) {
        MadeDicom d = slice(i, 5.0 * i);
        d.orientation = {1, 0, 0, 0, std::cos(tilt), -std::sin(tilt)};
        write(d, std::to_string(i));
    }
    const Image image = loadImage(folder());
    EXPECT_TRUE(
        warns(image, "gantry tilt): the line of their positions is 14 degrees off their normal; 5 mm along it are 4.85148 mm across"))
        << allWarnings(image);
    EXPECT_FALSE(warns(image, "straightened")) << "--resample does";
    EXPECT_NEAR(image.geometry->spacing[2], 5, 1e-9);
    EXPECT_NEAR(image.source.series->tiltDegrees, 14, 1e-6);
    // Index to place is exact, sheared as it is.
    const auto p = positionOf(*image.geometry, 0, 0, 3);
    EXPECT_NEAR(p[0], -10, 1e-9);
    EXPECT_NEAR(p[1], -20, 1e-9);
    EXPECT_NEAR(p[2], 15, 1e-9);
}

TEST_F(Dicom, ReportsSidewaysShifts) {
    for (int i = 0; i < 5; ++i) {
        MadeDicom d = slice(i, i);
        if (i == 2) d.position[0] += 4;
        write(d, std::to_string(i));
    }
    EXPECT_TRUE(warns(loadImage(folder()), "sideways by up to 4 mm"));
}

TEST_F(Dicom, SeparatesOrientations) {
    for (int i = 0; i < 3; ++i) write(slice(i, i), "axial" + std::to_string(i));
    MadeDicom d = slice(7, 0);
    d.orientation = {0, 1, 0, 0, 0, -1};
    write(d, "sagittal");
    const std::string message = refusal(folder());
    EXPECT_TRUE(contains(message, "normal (0, 0, 1)")) << message;
    EXPECT_TRUE(contains(message, "normal (-1, 0, 0)")) << message;
    EXPECT_EQ(loadImage(folder() + "#1a").shape().depth, 3);
    EXPECT_EQ(loadImage(folder() + "#1b").shape().depth, 1);
}

TEST_F(Dicom, ChoosesSeriesByNumberOrUid) {
    fs::create_directories(fs::path(folder()) / "deep/er");
    for (int i = 0; i < 3; ++i) write(slice(i, i), "a" + std::to_string(i));
    for (int i = 0; i < 2; ++i) {
        MadeDicom d = slice(i, i);
        d.series = 12;
        d.seriesUid = "1.2.3.4.99";
        d.texts[0x0008103e] = {"LO", "Head 5 mm"};
        write(d, "deep/er/b" + std::to_string(i));
    }
    std::ofstream(file("notes.txt")) << "not DICOM";
    std::ofstream(file("empty"));
    const std::string message = refusal(folder());
    EXPECT_TRUE(contains(message, "holds 2 series")) << message;
    EXPECT_TRUE(contains(message, "1: CT, 4 x 3 x 3, 1 mm")) << message;
    EXPECT_TRUE(contains(message, "12: CT, 4 x 3 x 2, 1 mm")) << message;
    EXPECT_FALSE(contains(message, "Head")) << "a description may hold names";
    EXPECT_EQ(loadImage(folder() + "#1").shape().depth, 3);
    EXPECT_EQ(loadImage(folder() + "#12").shape().depth, 2);
    EXPECT_EQ(loadImage(folder() + "#1.2.3.4.9").shape().depth, 2);
    EXPECT_TRUE(contains(refusal(folder() + "#1.2.3"), "it holds 2 series"));
    EXPECT_TRUE(contains(refusal(folder() + "#5"), "no such series"));
    EXPECT_EQ(listSeries(folder()).size(), 2U);
    EXPECT_EQ(loadImage(folder() + "/deep").shape().depth, 2);
}

TEST_F(Dicom, OrdersByInstanceNumberWithoutPositions) {
    for (int i = 0; i < 3; ++i) {
        MadeDicom d = slice(10 - i, 0);
        d.texts[0x00200032] = {"--", ""};
        d.texts[0x00180050] = {"DS", "2.5"};
        write(d, std::to_string(i));
    }
    const Image image = loadImage(folder());
    EXPECT_TRUE(warns(image, "no positions"));
    EXPECT_EQ(image.view().at(0, 0, 0), expected(8, 0, 0));
    EXPECT_EQ(image.geometry->spacing[2], 2.5);
}

}  // namespace
}  // namespace parallax::test
