// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/described_volume.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/inflate.hpp"
#include "core/io/formats/several_volumes.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLongestHeader = 16 << 20;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Byte ranges of the samples.
struct Extent {
    std::uint64_t begin = 0;   ///< of the chosen volume, in the file or in the inflated data
    std::uint64_t volume = 0;  ///< bytes of one volume with all its interleaved values
    std::uint64_t all = 0;     ///< of all volumes
};

Extent extentOf(const DescribedVolume& v, std::int64_t chosen) {
    Extent e;
    std::uint64_t number = 0;
    bool overflow =
        __builtin_mul_overflow(static_cast<std::uint64_t>(v.shape.width), static_cast<std::uint64_t>(v.shape.height), &e.volume);
    overflow = __builtin_mul_overflow(e.volume, static_cast<std::uint64_t>(v.shape.depth), &e.volume) || overflow;
    overflow = __builtin_mul_overflow(e.volume, bytesOf(v.type), &e.volume) || overflow;
    overflow = __builtin_mul_overflow(e.volume, static_cast<std::uint64_t>(v.interleaved), &e.volume) || overflow;
    overflow = __builtin_mul_overflow(e.volume, static_cast<std::uint64_t>(v.volumes), &e.all) || overflow;
    number = e.volume * static_cast<std::uint64_t>(chosen / v.interleaved);  // less than `all`
    overflow = __builtin_add_overflow(v.compressed ? v.inflatedOffset : v.offset, number, &e.begin) || overflow;
    std::uint64_t end = 0;
    overflow = __builtin_add_overflow(e.begin, e.all, &end) || overflow;
    if (overflow) refuseFile(v.path, "its header declares more bytes than 64 bits can count");
    return e;
}

}  // namespace

HeaderLines::HeaderLines(const std::string& path) : path_(path), size_(ByteSource(path).size()) {}

void HeaderLines::fill() {
    const std::size_t old = text_.size(), more = std::max<std::size_t>(old, 1 << 14);
    if (old >= kLongestHeader) refuseFile(path_, "its header does not end within 16 MiB");
    text_.resize(old + more);
    const std::size_t got = ByteSource(path_).read(old, text_.data() + old, more);
    text_.resize(old + got);
    whole_ = got < more || text_.size() >= size_;
}

std::optional<std::string> HeaderLines::next() {
    std::size_t end = text_.find('\n', at_);
    for (std::size_t from = text_.size(); end == std::string::npos && !whole_; from = text_.size()) {
        fill();
        end = text_.find('\n', std::max<std::size_t>(from, at_));
    }
    if (at_ >= text_.size()) return {};
    std::string line = text_.substr(at_, end == std::string::npos ? end : end - at_);
    at_ = end == std::string::npos ? text_.size() : end + 1;
    if (line.ends_with('\r')) line.pop_back();
    if (line.find('\0') != std::string::npos) refuseFile(path_, "its header is no text");
    return line;
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < text.size();) {
        if (isBlank(text[i])) {
            ++i;
            continue;
        }
        const char close = text[i] == '(' ? ')' : text[i] == '"' ? '"' : 0;
        std::size_t end = close ? text.find(close, i + 1) : i;
        if (close) end = end == std::string_view::npos ? text.size() : end + 1;
        else
            while (end < text.size() && !isBlank(text[end])) ++end;
        std::string word(text.substr(i, end - i));
        if (close == '"') word = word.size() > 1 && word.back() == '"' ? word.substr(1, word.size() - 2) : word.substr(1);
        words.push_back(std::move(word));
        i = end;
    }
    return words;
}

std::optional<double> numberOf(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty() || std::isinf(value)) return {};
    return value;
}

std::optional<std::int64_t> wholeNumberOf(std::string_view text) {
    text = trimmed(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return {};
    return value;
}

std::string pathBeside(const std::string& description, const std::string& name) {
    std::string_view plain = name;
    if (plain.starts_with("./")) plain.remove_prefix(2);
    if (plain.empty() || plain == "." || plain == ".." || plain.find('/') != std::string_view::npos ||
        plain.find('\0') != std::string_view::npos)
        return {};
    return (fs::path(description).parent_path() / plain).string();
}

Image loadDescribed(const DescribedVolume& v, const std::string& choice, const LoadOptions& options) {
    for (const std::int64_t extent : {v.shape.width, v.shape.height, v.shape.depth, v.interleaved, v.volumes})
        if (extent < 1) refuseFile(v.path, "its header has an extent of " + std::to_string(extent));
    std::error_code error;
    if (v.samplesPath.empty())
        refuseFile(v.path, "its samples are in another folder, which is not allowed", "Keep both files in one folder");
    if (!fs::is_regular_file(v.samplesPath, error))
        refuseFile(v.path, "the file '" + fs::path(v.samplesPath).filename().string() + "' with its samples is missing",
                   "Keep both files in one folder");
    constexpr std::int64_t kMaxValues = 1 << 16;  // per sample, all of which are read together
    std::int64_t number = 0;
    if (v.interleaved > kMaxValues || __builtin_mul_overflow(v.interleaved, v.volumes, &number))
        refuseFile(v.path, "its header declares " + std::to_string(v.interleaved) + " values per sample");
    const std::int64_t chosen = chosenVolume(v.path, choice, number);
    const std::uint64_t fileBytes = fs::file_size(v.samplesPath);
    checkPlausible(v.path, v.shape, fileBytes, v.compressed ? kDeflateRatio : 4);
    const Extent extent = extentOf(v, chosen);
    std::uint64_t begin = extent.begin;
    if (!v.compressed) {
        const std::uint64_t needed = v.offset + extent.all;
        if (v.atEnd && extent.all <= fileBytes) begin += fileBytes - extent.all;
        else if (v.atEnd || needed > fileBytes)
            refuseFile(v.path, (v.samplesPath == v.path ? "" : "'" + fs::path(v.samplesPath).filename().string() + "': ") +
                                   std::string("its header declares ") + std::to_string(needed) + " bytes and the file has " +
                                   std::to_string(fileBytes));
    }

    Image image{Buffer(v.shape)};
    image.geometry = v.geometry;
    const bool swapped = v.bigEndian != (std::endian::native == std::endian::big);
    if (!v.compressed && v.interleaved == 1) {
        readStoredBlock(v.samplesPath, {v.type, swapped, begin, {}}, image, options);
    } else {
        StoredStream stream{v.type, swapped, {}, v.interleaved, chosen % v.interleaved, {}, {}};
        if (v.compressed) {
            InflateReader file(v.samplesPath, v.offset);
            file.skip(begin, options);
            stream.read = [&](void* to, std::size_t bytes) { file.read(to, bytes); };
            stream.position = [&] { return file.position(); };
            readStoredStream(stream, image, options);
            if (chosen / v.interleaved + 1 == v.volumes) file.finish(options);
        } else {
            ByteSource file(v.samplesPath);
            std::uint64_t at = begin;
            stream.read = [&](void* to, std::size_t bytes) {
                if (file.read(at, to, bytes) < bytes) refuseFile(v.path, "it is truncated: the last samples are missing");
                at += bytes;
            };
            stream.position = [&] { return static_cast<double>(at - begin) / static_cast<double>(extent.volume); };
            readStoredStream(stream, image, options);
        }
    }
    noteVolume(image, chosen, number, choice, v.volumes == 1 ? "values for each sample" : "volumes");
    if (!v.oriented) setOrientationUnknown(image);
    return image;
}

}  // namespace parallax
