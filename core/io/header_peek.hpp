// SPDX-License-Identifier: GPL-3.0-or-later
// What a header claims, read without decoding: sizes before memory is taken, and what OpenCV does not tell.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace parallax {

struct HeaderPeek {
    std::int64_t width = 0, height = 0;  ///< 0: not found, the decoder will know
    int pnmMaximum = 0;                  ///< largest stored value that a PNM names
    int orientation = 1;                 ///< Exif and TIFF: 1 is upright
    bool tiffMorePages = false;
    bool jpegEnds = true;  ///< has its end marker
};

/// `format` as formatOf() of opencv_files.cpp names it. Never throws for damaged bytes.
HeaderPeek peekHeader(const std::string& format, std::span<const std::uint8_t> bytes);

}  // namespace parallax
