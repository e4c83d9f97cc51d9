// SPDX-License-Identifier: GPL-3.0-or-later
// Encoded pictures to samples and back, in a module of its own, the only source that includes OpenCV.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/io/library_module.hpp"

namespace parallax {

/// Interleaved samples of 8 or 16 bits; colours in OpenCV's order, blue first.
struct PackedPicture {
    int width = 0, height = 0, channels = 0, bytesPerSample = 1;
    std::vector<std::uint8_t> samples;
};

struct OpenCvCodec : ModuleHead {
    const char* version;  ///< of OpenCV
    /// Throws std::runtime_error with the reason, std::bad_alloc.
    PackedPicture (*decode)(std::span<const std::uint8_t> file);
    /// 8 bits, 1 or 3 channels. Throws as decode() does.
    std::vector<std::uint8_t> (*encodeJpeg)(const PackedPicture& picture);
};

/// Loads the module at its first use. Throws Error(unavailable).
const OpenCvCodec& openCvCodec();

}  // namespace parallax
