// SPDX-License-Identifier: GPL-3.0-or-later
// Where the slices of a series lie.
#pragma once

#include <string>

#include "core/io/formats/dicom/dicom_series.hpp"

namespace parallax {

/// Distance of a slice along its normal, in mm.
double along(const DicomSlice& slice);
/// By position along the normal; without one, and at the same place, by instance number, then by instance UID.
bool beforeInSpace(const DicomSlice& a, const DicomSlice& b);
/// Sets geometry, distances and tilt of a series whose slices are in order, and says what is odd.
void placeSlices(DicomSeries& series);
/// "57 mm", "0.429688 mm".
std::string millimetres(double value);
/// "normal (0, 0, 1)", or "no orientation".
std::string orientationText(const DicomSlice& slice);

}  // namespace parallax
