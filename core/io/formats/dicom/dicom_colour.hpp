// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.hpp"
#include "core/io/formats/dicom/dicom_slice.hpp"

namespace parallax {

/// Reads a colour image or frame: RGB, YBR_FULL, YBR_FULL_422 or PALETTE COLOR, uncompressed or compressed. The colours
/// are taken for sRGB, since DICOM names no curve. YBR is converted as PS3.3 C.7.6.3.1.2 says, and rounded to codes. Throws Error(input) if
/// samples are truncated, damaged or cannot be decoded, or if the palette is missing or segmented; Error(unavailable) without the decoder.
Image readDicomColours(const DicomSlice& slice, const LoadOptions& options);

}  // namespace parallax
