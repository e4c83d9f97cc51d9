// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>

namespace parallax {
namespace {

/// Bytes of the character that begins at `at`; 0 if it is not UTF-8.
std::size_t characterBytes(std::string_view s, std::size_t at) {
    const auto lead = static_cast<std::uint8_t>(s[at]);
    const int follow = lead < 0x80 ? 0 : lead >= 0xc2 && lead < 0xe0 ? 1 : (lead & 0xf0) == 0xe0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : -1;
    if (follow < 0 || at + static_cast<std::size_t>(follow) >= s.size()) return 0;
    std::uint32_t code = follow == 0 ? lead : lead & (0x3fU >> follow);
    for (int k = 1; k <= follow; ++k) {
        const auto next = static_cast<std::uint8_t>(s[at + static_cast<std::size_t>(k)]);
        if ((next & 0xc0) != 0x80) return 0;
        code = code << 6 | (next & 0x3f);
    }
    // Overlong forms, surrogates, beyond Unicode.
    if ((follow == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) || (follow == 3 && (code < 0x10000 || code > 0x10ffff)))
        return 0;
    return static_cast<std::size_t>(follow) + 1;
}

bool isUtf8(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
        const std::size_t bytes = characterBytes(s, i);
        if (bytes == 0) return false;
        i += bytes;
    }
    return true;
}

}  // namespace

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(separator, begin);
        parts.emplace_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos) return parts;
        begin = end + 1;
    }
}

std::string toUtf8(std::string_view bytes) {
    bytes = bytes.substr(0, bytes.find('\0'));
    if (isUtf8(bytes)) return std::string(bytes);
    std::string text;
    for (const char ch : bytes) {
        const auto b = static_cast<std::uint8_t>(ch);
        if (b < 0x80) {
            text += ch;
        } else {
            text += static_cast<char>(0xc0 | b >> 6);
            text += static_cast<char>(0x80 | (b & 0x3f));
        }
    }
    return text;
}

std::string printable(const std::string& text, std::string_view kept) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t bytes = characterBytes(text, i);
        const auto lead = static_cast<std::uint8_t>(text[i]);
        const bool c1 = bytes == 2 && lead == 0xc2 && static_cast<std::uint8_t>(text[i + 1]) < 0xa0;  // U+0080 to U+009F
        if ((bytes > 0 && lead >= 0x20 && lead != 0x7f && !c1) || kept.find(text[i]) != std::string_view::npos) {
            out.append(text, i, std::max<std::size_t>(bytes, 1));
        } else {
            const std::uint8_t shown = c1 ? static_cast<std::uint8_t>(text[i + 1]) : lead;
            out += "\\x";
            out += "0123456789abcdef"[shown >> 4];
            out += "0123456789abcdef"[shown & 15];
        }
        i += std::max<std::size_t>(bytes, 1);
    }
    return out;
}

}  // namespace parallax
