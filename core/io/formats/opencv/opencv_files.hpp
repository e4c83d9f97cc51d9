// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Writes jpg and tif by extension. Adds to `notes` what could not be kept.
void writeOpenCv(const Image& image, const std::vector<int>& channels, const std::string& extension, AtomicFile& file,
                 const SaveOptions& options, std::vector<std::string>& notes);

}  // namespace parallax
