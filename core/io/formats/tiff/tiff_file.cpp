// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/tiff/tiff_file.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <unordered_set>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

/// A return value of 1 keeps libtiff from calling its global handler, which prints.
int keepFirst(TIFF*, void* firstError, const char*, const char* format, va_list arguments) {
    auto& text = *static_cast<std::string*>(firstError);
    if (!text.empty()) return 1;
    char line[400];
    std::vsnprintf(line, sizeof line, format, arguments);
    text = toUtf8(line);
    while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
    return 1;
}

int drop(TIFF*, void*, const char*, const char*, va_list) { return 1; }

/// Whole numbers of a TIFF structure; 0 beyond the end of the file.
class Numbers {
public:
    Numbers(const std::string& path, bool bigEndian) : source_(path), bigEndian_(bigEndian) {}
    std::uint64_t at(std::uint64_t offset, std::size_t size) {
        std::uint8_t bytes[8] = {};
        if (offset > source_.size() || source_.read(offset, bytes, size) != size) return 0;
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes[bigEndian_ ? i : size - 1 - i];
        return value;
    }
    std::uint64_t size() const { return source_.size(); }

private:
    ByteSource source_;
    bool bigEndian_;
};

}  // namespace

TiffOptions::TiffOptions(std::string& firstError, std::uint64_t maximumAllocation) : options_(TIFFOpenOptionsAlloc()) {
    if (!options_) throw std::bad_alloc();
    TIFFOpenOptionsSetErrorHandlerExtR(get(), keepFirst, &firstError);
    TIFFOpenOptionsSetWarningHandlerExtR(get(), drop, nullptr);
    TIFFOpenOptionsSetMaxSingleMemAlloc(get(), static_cast<tmsize_t>(maximumAllocation));
}

TiffFile::TiffFile(const std::string& path) : path_(path), bytes_(std::filesystem::file_size(path)) {
    // Tables and undecoded strips are no larger than the file; buffers of decoders are in proportion to what they decode.
    constexpr std::uint64_t kSmallAllocation = std::uint64_t{256} << 20;
    const TiffOptions options(firstError_, std::max(kSmallAllocation, 8 * bytes_));
    // m: no memory map, since a file that shrinks would end the program; h: without the first directory.
    tiff_.reset(TIFFOpenExt(path.c_str(), "rmh", options.get()));
    if (!tiff_) refuseFile(path, "its TIFF header is damaged (" + error("libtiff gives no reason") + ")");
}

std::vector<std::uint64_t> TiffFile::pages() const {
    Numbers numbers(path_, TIFFIsBigEndian(get()) != 0);
    const bool big = TIFFIsBigTIFF(get()) != 0;
    const std::size_t countSize = big ? 8 : 2, entrySize = big ? 20 : 12, offsetSize = big ? 8 : 4;
    std::vector<std::uint64_t> offsets;
    std::unordered_set<std::uint64_t> known;
    for (std::uint64_t at = numbers.at(big ? 8 : 4, offsetSize);
         at != 0 && at < numbers.size() && offsets.size() < kMaxPages && known.insert(at).second;) {
        const std::uint64_t entries = numbers.at(at, countSize);
        if (entries == 0 || entries > numbers.size() / entrySize) break;
        offsets.push_back(at);
        at = numbers.at(at + countSize + entries * entrySize, offsetSize);
    }
    return offsets;
}

void TiffFile::choosePage(std::uint64_t offset) {
    firstError_.clear();
    if (!TIFFSetSubDirectory(get(), offset)) refuseFile(path_, "a TIFF directory is damaged (" + error("libtiff gives no reason") + ")");
    firstError_.clear();
}

std::uint16_t TiffFile::shortOr(std::uint32_t tag, std::uint16_t fallback) const {
    std::uint16_t value = 0;
    return TIFFGetField(get(), tag, &value) ? value : fallback;
}

std::uint32_t TiffFile::longOr(std::uint32_t tag, std::uint32_t fallback) const {
    std::uint32_t value = 0;
    return TIFFGetField(get(), tag, &value) ? value : fallback;
}

}  // namespace parallax
