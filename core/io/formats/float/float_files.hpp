// SPDX-License-Identifier: GPL-3.0-or-later
// Radiance HDR and PFM. OpenCV supports both, but through temporary files, with errors on the terminal, and ignores a full disk.
#pragma once

#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// `channels` are three colours or one grey channel. Adds to `notes` what could not be kept.
void writeRadiance(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
                   std::vector<std::string>& notes);
void writePfm(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options);

}  // namespace parallax
