// SPDX-License-Identifier: GPL-3.0-or-later
// TIFF 6.0 and BigTIFF through libtiff. Samples come in stored order: the orientation tag is not applied.
#pragma once

#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// LZW in strips; a BigTIFF where 32-bit offsets may not suffice. `channels`: Y or R, G, B, either with alpha last, which is
/// unassociated beside integers and associated beside floats. Adds to `notes` what could not be kept.
void writeTiff(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
               std::vector<std::string>& notes);

}  // namespace parallax
