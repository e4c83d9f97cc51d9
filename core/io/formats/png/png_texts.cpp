// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/png/png_texts.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

std::uint32_t big(const std::uint8_t* b) { return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3]; }

/// Splits off what precedes the next zero byte; nothing if there is none.
std::optional<std::string_view> field(std::string_view& rest) {
    const std::size_t zero = rest.find('\0');
    if (zero == std::string_view::npos) return {};
    const std::string_view value = rest.substr(0, zero);
    rest.remove_prefix(zero + 1);
    return value;
}

/// Inflates a zlib stream of at most `most` bytes, from which it takes those that it inflated; nothing if it is longer or damaged.
std::optional<std::string> inflated(std::string_view deflated, std::uint64_t& most) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(deflated.data()));
    stream.avail_in = static_cast<uInt>(deflated.size());
    std::string text;
    std::array<char, 1 << 16> part;
    int state = Z_OK;
    while (state == Z_OK && text.size() <= most) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        state = inflate(&stream, Z_NO_FLUSH);
        text.append(part.data(), part.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    const bool whole = state == Z_STREAM_END && text.size() <= most;
    most -= std::min<std::uint64_t>(most, text.size());
    return whole ? std::optional(std::move(text)) : std::nullopt;
}

/// Key and text of a chunk: tEXt, zTXt or iTXt. Takes the bytes of the text from `most`.
std::optional<std::pair<std::string, std::string>> decoded(std::string_view type, std::string_view data, std::uint64_t& most) {
    const auto key = field(data);
    if (!key) return {};
    bool packed = type == "zTXt";
    if (packed) {
        if (data.empty() || data[0] != 0) return {};
        data.remove_prefix(1);
    } else if (type == "iTXt") {
        if (data.size() < 2) return {};
        packed = data[0] != 0;
        data.remove_prefix(2);
        if (!field(data) || !field(data)) return {};  // language and translated key
    }
    if (!packed) {
        most -= std::min<std::uint64_t>(most, data.size());
        return std::pair(std::string(*key), std::string(data));
    }
    auto text = inflated(data, most);
    return text ? std::optional(std::pair(std::string(*key), std::move(*text))) : std::nullopt;
}

}  // namespace

PngTexts readPngTexts(const std::string& path, const LoadOptions& options) {
    PngTexts texts;
    ByteSource file(path);
    std::uint64_t left = kMaxTextBytes;
    std::size_t omitted = 0, damaged = 0;
    std::array<std::uint8_t, 8> head{};
    for (std::uint64_t at = 8; file.read(at, head.data(), head.size()) == head.size();) {
        const std::uint64_t length = big(head.data()), rest = file.size() - at - head.size();
        const std::string type(reinterpret_cast<const char*>(head.data()) + 4, 4);
        if (type == "IDAT" || type == "IEND") break;
        if (length + 4 > rest)
            refuseFile(path, "its chunk '" + toUtf8(type) + "' declares " + std::to_string(length) + " bytes and " + std::to_string(rest) +
                                 " are left");
        if (type == "tEXt" || type == "zTXt" || type == "iTXt") {
            options.throwIfStopped();
            if (length > left || texts.entries.size() >= kMaxEntries) {
                ++omitted;
            } else {
                std::string chunk(length + 8, '\0');  // type, data, checksum
                if (file.read(at + 4, chunk.data(), chunk.size()) != chunk.size()) break;
                const auto* const bytes = reinterpret_cast<const std::uint8_t*>(chunk.data());
                const bool sound = ::crc32(0, bytes, static_cast<uInt>(length + 4)) == big(bytes + length + 4);
                const auto text = sound ? decoded(type, std::string_view(chunk).substr(4, length), left) : std::nullopt;
                if (text) {
                    texts.entries.push_back({toUtf8(text->first), "string", toUtf8(text->second), {}});
                } else {
                    ++damaged;
                }
            }
        }
        at += head.size() + length + 4;
    }
    const auto note = [&](std::size_t n, const std::string& why) {
        if (n > 0) texts.notes.push_back(std::to_string(n) + (n == 1 ? " text" : " texts") + " of the file left out: " + why);
    };
    note(omitted, "more than " + std::to_string(kMaxTextBytes >> 20) + " MiB or " + std::to_string(kMaxEntries) + " texts");
    note(damaged, "damaged, or too long when inflated");
    return texts;
}

}  // namespace parallax
