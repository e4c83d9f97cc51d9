// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/loader.hpp"

namespace parallax {

struct PngTexts {
    std::vector<MetadataEntry> entries;
    std::vector<std::string> notes;  ///< on texts that were left out
};
/// Reads the texts before the samples, up to the limits of limits.hpp: libpng has a limit for each of them, but none for all. Throws
/// Error(input) for a chunk that declares more bytes than the file has, and Error(cancelled).
PngTexts readPngTexts(const std::string& path, const LoadOptions& options);

}  // namespace parallax
