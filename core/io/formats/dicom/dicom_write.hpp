// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files of results: derived CT images for CT in Hounsfield units, secondary captures otherwise, in explicit VR little endian. Their
// UIDs are made of their content, so that the same result has the same UIDs. Data on the patient are left out unless
// SaveOptions::keepPatient is set.
#pragma once

#include <string>
#include <vector>

#include "core/io/atomic_file.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Writes one image: a slice with its geometry and its values, or a picture. `channels`: Y or R, G, B. `path`: of the file for messages.
void writeDicomImage(const Image& image, const std::vector<int>& channels, const std::string& path, AtomicFile& file,
                     const SaveOptions& options, std::vector<std::string>& notes);

/// Writes a file for each slice of an image of one channel: image_0001.dcm, ... Positions keep uneven distances and a gantry tilt.
/// Throws Error(usage) if rows and columns are not at right angles, or if keepPatient is set and the source is not DICOM, Error(input) if
/// the source cannot be read again for that, Error(output, cancelled).
void writeDicomSeries(const Image& image, const std::string& folder, const SaveOptions& options, std::vector<std::string>& notes);

}  // namespace parallax
