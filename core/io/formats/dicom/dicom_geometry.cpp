// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <tuple>

#include "core/io/formats/dicom/dicom_series.hpp"

namespace parallax {
namespace {

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector3 times(double f, const Vector3& a) { return {f * a[0], f * a[1], f * a[2]}; }
double length(const Vector3& a) { return std::sqrt(dot(a, a)); }

std::string shortNumber(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value == 0 ? 0.0 : value, std::chars_format::general, 6).ptr;
    return {text.data(), end};
}

/// Lower median, so that of one gap and one regular distance the regular one is returned.
double median(std::vector<double> v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>((v.size() - 1) / 2);
    std::nth_element(v.begin(), middle, v.end());
    return *middle;
}

/// Slice distance from spacing or thickness, if there are no positions.
double thicknessOf(const DicomSlice& s, double otherwise) {
    for (const DicomTag tag : {0x00180088U, 0x00180050U})
        if (const double v = std::fabs(s.header.number(tag).value_or(0)); v > 0 && v < 1e6) return v;
    return otherwise;
}

void setDirection(Geometry& g, const Vector3& row, const Vector3& column, const Vector3& slices) {
    for (std::size_t i = 0; i < 3; ++i) {
        g.direction[3 * i] = row[i];
        g.direction[3 * i + 1] = column[i];
        g.direction[3 * i + 2] = slices[i];
    }
}

/// Adds warnings on missing slices and on uneven distances.
void reportDistances(DicomSeries& series, const std::vector<double>& distances, double middle, std::size_t odd) {
    constexpr std::size_t kMaxGaps = 5;
    std::size_t gaps = 0, missing = 0;
    std::string examples;
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const double ratio = distances[i] / middle, whole = std::round(ratio);
        if (whole < 2 || std::fabs(ratio - whole) > 0.1) continue;
        missing += static_cast<std::size_t>(whole) - 1;
        if (++gaps > kMaxGaps) continue;
        examples += (examples.empty() ? "" : "; ") + std::string("between ") + millimetres(along(series.slices[i])) + " (slice " +
                    std::to_string(i) + ") and " + millimetres(along(series.slices[i + 1])) + " (slice " + std::to_string(i + 1) +
                    ") the distance is " + millimetres(distances[i]) + " instead of " + millimetres(middle);
    }
    if (missing > 0)
        series.warnings.push_back(std::to_string(missing) + (missing == 1 ? " slice is" : " slices are") + " missing: " + examples +
                                  (gaps > kMaxGaps ? "; and " + std::to_string(gaps - kMaxGaps) + " more gaps" : "") +
                                  ". Nothing was interpolated");
    if (odd > gaps) {
        const auto [least, most] = std::minmax_element(distances.begin(), distances.end());
        series.warnings.push_back("The slices are unevenly spaced: their distances are " + millimetres(*least) + " to " +
                                  millimetres(*most) + ", the median is " + millimetres(middle) + ", " + std::to_string(odd) + " of " +
                                  std::to_string(distances.size()) + " differ from it by more than 1 %. Nothing was interpolated");
    }
}

void withoutPositions(DicomSeries& series) {
    Geometry& g = series.geometry;
    const DicomSlice& first = series.slices.front();
    g.spacing[2] = thicknessOf(first, 1);
    if (first.orientation) {
        const auto& o = *first.orientation;
        setDirection(g, {o[0], o[1], o[2]}, {o[3], o[4], o[5]}, first.normal());
    }
    if (series.slices.size() > 1)
        series.warnings.push_back("The slices have no positions; they are ordered by instance number, with their thickness as distance (" +
                                  millimetres(g.spacing[2]) + ")");
}

void takePixelSpacing(DicomSeries& series) {
    const DicomSlice& first = series.slices.front();
    series.geometry.spacing = {first.pixelSpacing[0], first.pixelSpacing[1], 1};
    if (!first.spacingKnown)
        series.warnings.push_back(
            "The file has no pixel spacing; 1 mm is assumed" +
            (first.aspect == 1 ? std::string() : " across and, by the aspect ratio, " + millimetres(first.aspect) + " down"));
    else if (first.spacingOfDetector) series.warnings.push_back("The pixel spacing is that of the detector, not of the patient");
}

/// Sets the distances of two or more slices. `line`: unit vector from the first to the last slice.
void takeDistances(DicomSeries& series, const Vector3& normal, const Vector3& line) {
    const std::vector<DicomSlice>& slices = series.slices;
    Geometry& g = series.geometry;
    const double perStep = 1 / dot(line, normal);
    std::vector<double>& distances = series.info.sliceDistances;
    for (std::size_t i = 1; i < slices.size(); ++i) distances.push_back(dot(minus(*slices[i].position, *slices[i - 1].position), normal));
    const double middle = median(distances);
    std::vector<double> odd;
    for (const double d : distances)
        if (std::fabs(d - middle) > std::max(0.01 * middle, 0.01)) odd.push_back(d);
    if (odd.empty()) {
        g.spacing[2] =
            dot(minus(*slices.back().position, *slices.front().position), normal) * perStep / static_cast<double>(distances.size());
        return;
    }
    g.spacing[2] = middle * perStep;
    g.slicePositions.push_back(0);
    for (const double d : distances) g.slicePositions.push_back(g.slicePositions.back() + d / dot(line, normal));
    reportDistances(series, distances, middle, odd.size());
}

/// Adds warnings on a tilted gantry, and on slices off the line.
void reportShear(DicomSeries& series, const Vector3& normal, const Vector3& line) {
    const Geometry& g = series.geometry;
    if (const double tilt = series.info.tiltDegrees; tilt > 0)
        series.warnings.push_back("The slices are sheared (gantry tilt): the line of their positions is " +
                                  shortNumber(std::round(tilt * 1e3) / 1e3) + " degrees off their normal; " + millimetres(g.spacing[2]) +
                                  " along it are " + millimetres(median(series.info.sliceDistances)) + " across the slices");
    double sideways = 0;
    for (const DicomSlice& s : series.slices) {
        const Vector3 from = minus(*s.position, *series.slices.front().position);
        sideways = std::max(sideways, length(minus(from, times(dot(from, normal) / dot(line, normal), line))));
    }
    if (sideways > 0.1 * std::max(1.0, std::min(g.spacing[0], g.spacing[1])))
        series.warnings.push_back("The slices are shifted sideways by up to " + millimetres(sideways));
}

}  // namespace

double along(const DicomSlice& s) { return s.position ? dot(*s.position, s.normal()) : 0; }

bool beforeInSpace(const DicomSlice& a, const DicomSlice& b) {
    // Rounded, so that the order of repeated slices does not depend on rounding errors.
    const double at = std::round(along(a) * 1e4), bt = std::round(along(b) * 1e4);
    return std::tie(at, a.instanceNumber, a.instanceUid, a.frame) < std::tie(bt, b.instanceNumber, b.instanceUid, b.frame);
}

std::string millimetres(double value) { return shortNumber(value) + " mm"; }

std::string orientationText(const DicomSlice& s) {
    if (!s.orientation) return "no orientation";
    const Vector3 n = s.normal();
    const auto rounded = [](double v) { return shortNumber(std::round(v * 1e4) / 1e4); };
    return "normal (" + rounded(n[0]) + ", " + rounded(n[1]) + ", " + rounded(n[2]) + ")";
}

void placeSlices(DicomSeries& series) {
    const DicomSlice& first = series.slices.front();
    Geometry& g = series.geometry;
    takePixelSpacing(series);
    if (!first.position) return withoutPositions(series);
    g.origin = *first.position;
    const std::array<double, 6> axes = first.orientation.value_or(std::array<double, 6>{1, 0, 0, 0, 1, 0});
    const Vector3 row{axes[0], axes[1], axes[2]}, column{axes[3], axes[4], axes[5]}, normal = first.normal();
    if (!first.orientation) series.warnings.push_back("The slices have no orientation; axial is assumed");
    setDirection(g, row, column, normal);
    if (series.slices.size() == 1) {
        g.spacing[2] = thicknessOf(first, 1);
        return;
    }
    // With a tilted gantry the slices do not follow each other along the normal.
    const Vector3 whole = minus(*series.slices.back().position, *first.position);
    const double reach = length(whole), rise = dot(whole, normal), side = std::sqrt(std::max(0.0, reach * reach - rise * rise));
    const double tilt = std::atan2(side, rise) * 180 / std::numbers::pi;
    constexpr double kStraight = 0.1;  // degrees
    if (tilt > kStraight) series.info.tiltDegrees = tilt;
    const Vector3 line = tilt > kStraight ? times(1 / reach, whole) : normal;
    setDirection(g, row, column, line);
    takeDistances(series, normal, line);
    reportShear(series, normal, line);
}

}  // namespace parallax
