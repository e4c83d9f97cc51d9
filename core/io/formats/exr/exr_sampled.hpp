// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ImfMultiPartInputFile.h>

#include <string>

#include "core/image/image.hpp"
#include "core/io/formats/exr/exr_part.hpp"

namespace parallax {

/// Loads channels of lower resolution: enlarged, or converted from luminance and chroma to R, G and B.
Image loadSampled(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, int threads,
                  const LoadOptions& options);

}  // namespace parallax
