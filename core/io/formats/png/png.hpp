// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/sample_encoder.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Types of PNG metadata other than texts.
constexpr char kIccProfileType[] = "icc", kChromaticitiesType[] = "png chromaticities", kPixelDensityType[] = "png pixel density";

/// Adds to `notes` what could not be kept.
void writePng(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
              std::vector<std::string>& notes);

}  // namespace parallax
