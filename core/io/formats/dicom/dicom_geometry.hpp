// SPDX-License-Identifier: GPL-3.0-or-later
// Position and order of the slices of a series.
#pragma once

#include <string>

#include "core/io/formats/dicom/dicom_series.hpp"

namespace parallax {

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

}  // namespace parallax
