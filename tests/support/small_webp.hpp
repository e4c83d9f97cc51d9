// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace parallax::test {

/// A WebP file of one transparent black pixel, lossless.
inline std::string smallWebp() {
    using namespace std::string_literals;
    return "RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"s;
}

}  // namespace parallax::test
