// SPDX-License-Identifier: GPL-3.0-or-later
// NIfTI-1 and -2: .nii, .nii.gz, and pairs of .hdr and .img. niftilib parses headers and orientations. Samples are read here, since
// niftilib reads all at once, cannot be cancelled and replaces NaN by 0.
#pragma once

#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Whether this build supports NIfTI, and the reason if not.
bool hasNifti();
std::string whyNoNifti();

/// Writes float32 samples and the geometry (RAS, mm) with NIfTI-1, or -2 where a side has more than 32767 samples. Geometries
/// are rounded to NIfTI-1's float32. Adds to `notes` what could not be kept. Throws Error(usage) for images of several channels.
void writeNifti(const Image& image, AtomicFile& file, bool compressed, const SaveOptions& options, std::vector<std::string>& notes);

}  // namespace parallax
