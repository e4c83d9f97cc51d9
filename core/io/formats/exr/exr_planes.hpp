// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ImfMultiPartInputFile.h>

#include <string>

#include "core/image/image.hpp"
#include "core/io/formats/exr/exr_part.hpp"

namespace parallax {

/// Decodes channels at full resolution into the planes of the image, with statistics. Damaged chunks are 0 and noted. Throws Error(input)
/// if nothing can be read, Error(cancelled), and exceptions of OpenEXR.
void readPlanes(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, Image& image, int threads,
                const LoadOptions& options);

}  // namespace parallax
