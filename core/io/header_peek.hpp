// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of image headers that are needed before OpenCV decodes, or that it does not report.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace parallax {

struct HeaderPeek {
    std::int64_t width = 0, height = 0;  ///< 0: not found
    int pnmMaximum = 0;                  ///< largest stored value that a PNM names
    int orientation = 1;                 ///< of Exif; 1 is upright
    bool jpegEnds = true;                ///< has its end marker
};

/// `format` as formatOf() of opencv_files.cpp names it. Never throws for damaged bytes.
HeaderPeek peekHeader(const std::string& format, std::span<const std::uint8_t> bytes);

/// For images that are to be turned for viewing, which Parallax does not do.
std::string orientationWarning(int orientation);

}  // namespace parallax
