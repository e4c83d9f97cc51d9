// SPDX-License-Identifier: GPL-3.0-or-later
// Groups DICOM images into volumes and orders their slices, by header attributes and positions; file names are not used.
#pragma once

#include <string>
#include <vector>

#include "core/io/formats/dicom/dicom_slice.hpp"

namespace parallax {

struct DicomSeries {
    std::string id;                  ///< number of the series, with a letter if several share it ("3b")
    std::string detail;              ///< difference from other volumes of the same series; empty if there are none
    std::vector<DicomSlice> slices;  ///< in ascending position along the normal
    Geometry geometry;
    SeriesInfo info;
    /// Irregularities, with numbers but without names of files or persons.
    std::vector<std::string> warnings;

    /// "3: CT, 512 x 512 x 28, 5 mm"; without the description, which may hold names.
    std::string title() const;
};

/// Images with the same series, size, spacing and orientation make one volume. Several at one position are separated by time, acquisition,
/// echo or kind if possible; otherwise the one with the lowest instance number stays. Missing and repeated slices, uneven distances, tilt
/// and missing positions become warnings. Ordered by series number.
std::vector<DicomSeries> sortIntoSeries(std::vector<DicomSlice> slices);

// For sortIntoSeries(), in dicom_geometry.cpp.
/// Position of a slice along its normal in mm.
double along(const DicomSlice& slice);
/// Order by position along the normal; without positions, and at equal ones, by instance number, then by instance UID.
bool beforeInSpace(const DicomSlice& a, const DicomSlice& b);
/// Sets geometry, slice distances and tilt of a series with ordered slices, and adds warnings on irregularities.
void placeSlices(DicomSeries& series);
/// "57 mm", "0.429688 mm".
std::string millimetres(double value);
/// "normal (0, 0, 1)", or "no orientation".
std::string orientationText(const DicomSlice& slice);

/// Finds a series by id or by the beginning of its UID. Throws Error(input) with a list of all series if none or several match.
DicomSeries& chooseSeries(std::vector<DicomSeries>& all, const std::string& choice, const std::string& folder);

}  // namespace parallax
