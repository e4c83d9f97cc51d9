// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM images to volumes: which belong together, in which order, and where they lie. Files are told apart by what they say and
// ordered by their positions; names of files have no say.
#pragma once

#include <string>
#include <vector>

#include "core/io/formats/dicom/dicom_slice.hpp"

namespace parallax {

struct DicomSeries {
    std::string id;                  ///< chooses it: its number, with a letter where several have it ("3b")
    std::string detail;              ///< by what it differs from others of the same series; empty for a whole one
    std::vector<DicomSlice> slices;  ///< by position along the normal, the smallest first
    Geometry geometry;
    SeriesInfo info;
    /// Irregularities, with numbers; without names of files or persons.
    std::vector<std::string> warnings;

    /// "3: CT, 512 x 512 x 28, 5 mm, Head"
    std::string title() const;
};

/// Images that share a series, a size, a spacing and an orientation make one volume; several at one place are told apart by
/// time, acquisition, echo or kind if these tell, else the first by instance number stays. Missing and repeated slices, uneven
/// distances, tilt and missing positions become warnings. In the order of their numbers.
std::vector<DicomSeries> sortIntoSeries(std::vector<DicomSlice> slices);

/// By id, or by the beginning of the UID. Throws Error(input) that lists what there is, also for an empty choice among several.
DicomSeries& chooseSeries(std::vector<DicomSeries>& all, const std::string& choice, const std::string& folder);

}  // namespace parallax
