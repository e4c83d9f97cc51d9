// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/header_peek.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace parallax {
namespace {

/// Reads outside the bytes give 0.
class Bytes {
public:
    Bytes(std::span<const std::uint8_t> bytes, bool bigEndian) : bytes_(bytes), big_(bigEndian) {}
    std::uint32_t u8(std::size_t at) const { return at < bytes_.size() ? bytes_[at] : 0; }
    std::uint32_t u16(std::size_t at) const { return big_ ? u8(at) << 8 | u8(at + 1) : u8(at + 1) << 8 | u8(at); }
    std::uint32_t u24(std::size_t at) const { return u8(at) | u8(at + 1) << 8 | u8(at + 2) << 16; }
    std::uint32_t u32(std::size_t at) const { return big_ ? u16(at) << 16 | u16(at + 2) : u16(at + 2) << 16 | u16(at); }
    std::size_t size() const { return bytes_.size(); }

private:
    std::span<const std::uint8_t> bytes_;
    bool big_;
};

bool startsWith(std::span<const std::uint8_t> bytes, std::string_view text) {
    return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

/// Orientation in an Exif block, which has the form of a TIFF file. 1 if it is not there.
int exifOrientation(std::span<const std::uint8_t> bytes) {
    const Bytes b(bytes, startsWith(bytes, "MM"));
    const std::size_t directory = b.u32(4), entries = b.u16(directory);
    for (std::size_t i = 0; i < entries && directory + 2 + 12 * (i + 1) <= b.size(); ++i) {
        constexpr std::uint32_t kOrientation = 274, kShort = 3;
        const std::size_t entry = directory + 2 + 12 * i;
        if (b.u16(entry) != kOrientation) continue;
        const std::uint32_t value = b.u16(entry + 2) == kShort ? b.u16(entry + 8) : b.u32(entry + 8);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

void peekJpeg(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    const Bytes b(bytes, true);
    peek.jpegEnds = false;
    std::size_t at = 2;
    while (at + 2 <= b.size()) {
        if (b.u8(at) != 0xff) {
            ++at;  // entropy-coded data, or rubbish between segments
            continue;
        }
        const std::uint32_t marker = b.u8(at + 1);
        if (marker == 0xd9) break;
        if (marker == 0xff || marker == 0 || marker == 1 || (marker >= 0xd0 && marker <= 0xd8)) {
            at += marker == 0xff ? 1 : 2;
            continue;
        }
        if (at + 4 > b.size()) break;
        const std::size_t length = b.u16(at + 2);
        const bool frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
        if (frame && peek.width == 0) {
            peek.height = b.u16(at + 5);
            peek.width = b.u16(at + 7);
        }
        const std::size_t data = at + 4;
        if (marker == 0xe1 && data + 6 < b.size() && startsWith(bytes.subspan(data), std::string_view("Exif\0\0", 6))) {
            peek.orientation = exifOrientation(bytes.subspan(data + 6, std::min(bytes.size() - data - 6, length)));
        }
        at += 2 + length;
    }
    peek.jpegEnds = at + 1 < b.size() && b.u8(at) == 0xff && b.u8(at + 1) == 0xd9;
}

void peekBmp(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    const Bytes b(bytes, false);
    if (b.u32(14) == 12) {
        peek.width = b.u16(18);
        peek.height = b.u16(20);
    } else {
        peek.width = static_cast<std::int32_t>(b.u32(18));
        peek.height = std::abs(std::int64_t{static_cast<std::int32_t>(b.u32(22))});  // negative: top line first
    }
}

void peekWebp(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    const Bytes b(bytes, false);
    if (bytes.size() < 30) return;
    const std::span<const std::uint8_t> chunk = bytes.subspan(12);
    if (startsWith(chunk, "VP8X")) {
        peek.width = b.u24(24) + 1;
        peek.height = b.u24(27) + 1;
    } else if (startsWith(chunk, "VP8L")) {
        const std::uint32_t bits = b.u32(21);
        peek.width = (bits & 0x3fff) + 1;
        peek.height = (bits >> 14 & 0x3fff) + 1;
    } else if (startsWith(chunk, "VP8 ")) {
        peek.width = b.u16(26) & 0x3fff;
        peek.height = b.u16(28) & 0x3fff;
    }
}

void peekPnm(std::span<const std::uint8_t> bytes, HeaderPeek& peek) {
    std::size_t at = 2;
    const auto number = [&]() -> std::int64_t {
        while (at < bytes.size() && (std::isspace(bytes[at]) || bytes[at] == '#')) {
            if (bytes[at] == '#')
                while (at < bytes.size() && bytes[at] != '\n') ++at;
            else ++at;
        }
        std::int64_t value = 0;
        for (int digits = 0; at < bytes.size() && std::isdigit(bytes[at]) && digits < 12; ++at, ++digits)
            value = value * 10 + (bytes[at] - '0');
        return value;
    };
    peek.width = number();
    peek.height = number();
    const bool bitmap = bytes[1] == '1' || bytes[1] == '4';
    peek.pnmMaximum = bitmap ? 1 : static_cast<int>(std::clamp<std::int64_t>(number(), 0, 65535));
}

}  // namespace

HeaderPeek peekHeader(const std::string& format, std::span<const std::uint8_t> bytes) {
    HeaderPeek peek;
    if (bytes.size() < 8) return peek;
    if (format == "JPEG") peekJpeg(bytes, peek);
    else if (format == "BMP") peekBmp(bytes, peek);
    else if (format == "WebP") peekWebp(bytes, peek);
    else if (format == "PNM") peekPnm(bytes, peek);
    return peek;
}

std::string orientationWarning(int orientation) {
    return "The file asks to be turned or mirrored for viewing (orientation " + std::to_string(orientation) +
           "); samples are shown as they are stored";
}

}  // namespace parallax
