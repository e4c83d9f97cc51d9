// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// `channels`: Y or R, G, B. Adds to `notes` what could not be kept.
void writeJpeg(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
               std::vector<std::string>& notes);

}  // namespace parallax
