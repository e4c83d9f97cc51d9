// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/tiff/tiff_directory.hpp"

#include <algorithm>
#include <cstring>

namespace parallax {
namespace {

// An entry: tag, type, how many values, and the values or, where they need more than 4 bytes, their place.
constexpr std::size_t kEntry = 12, kTypeAt = 2, kCountAt = 4, kValueAt = 8;
constexpr std::uint32_t kByte = 1, kShort = 3, kLong = 4;

/// Bytes of a value; 0: no whole number.
std::size_t sizeOf(std::uint32_t type) { return type == kByte ? 1 : type == kShort ? 2 : type == kLong ? 4 : 0; }

}  // namespace

TiffDirectory::TiffDirectory(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {
    if (bytes.size() < 8) return;
    bigEndian_ = std::memcmp(bytes.data(), "MM\0*", 4) == 0;
    valid_ = bigEndian_ || std::memcmp(bytes.data(), "II*\0", 4) == 0;
}

std::uint32_t TiffDirectory::number(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes_[bigEndian_ ? at + i : at + size - 1 - i];
    return value;
}

void TiffDirectory::setNumber(std::size_t at, std::size_t size, std::uint32_t value) {
    for (std::size_t i = 0; i < size; ++i, value >>= 8) bytes_[bigEndian_ ? at + size - 1 - i : at + i] = static_cast<std::uint8_t>(value);
}

std::size_t TiffDirectory::entry(tiff::Tag tag) const {
    if (!valid_) return 0;
    const std::size_t begin = std::size_t{number(4, 4)} + 2, n = entries();
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = begin + i * kEntry;
        if (at + kEntry > bytes_.size()) return 0;
        if (number(at, 2) == tag) return at;
    }
    return 0;
}

std::optional<std::uint32_t> TiffDirectory::first(tiff::Tag tag) const {
    const std::size_t at = entry(tag);
    if (at == 0) return {};
    const std::size_t size = sizeOf(number(at + kTypeAt, 2)), count = number(at + kCountAt, 4);
    if (size == 0 || count == 0) return {};
    return number(size * count <= 4 ? at + kValueAt : number(at + kValueAt, 4), size);
}

void TiffDirectory::replace(tiff::Tag tag, std::uint16_t value) {
    const std::size_t at = entry(tag);
    if (at == 0) return;
    const std::size_t size = sizeOf(number(at + kTypeAt, 2)), count = number(at + kCountAt, 4);
    if (size > 0 && count > 0 && size * count <= 4) setNumber(at + kValueAt, size, value);
}

void TiffDirectory::add(tiff::Tag tag, std::uint16_t value) {
    const std::size_t old = number(4, 4), n = entries(), length = 2 + n * kEntry + 4;
    if (!valid_ || entry(tag) != 0 || old + length > bytes_.size()) return;
    // Tags stand in ascending order, and a directory at an even place.
    std::size_t before = 0;
    while (before < n && number(old + 2 + before * kEntry, 2) < tag) ++before;
    std::vector<std::uint8_t> copy(bytes_.begin() + static_cast<std::ptrdiff_t>(old),
                                   bytes_.begin() + static_cast<std::ptrdiff_t>(old + length));
    const std::size_t added = 2 + before * kEntry;
    copy.insert(copy.begin() + static_cast<std::ptrdiff_t>(added), kEntry, 0);
    if (bytes_.size() % 2) bytes_.push_back(0);
    const std::size_t begin = bytes_.size();
    bytes_.insert(bytes_.end(), copy.begin(), copy.end());
    setNumber(begin, 2, static_cast<std::uint32_t>(n + 1));
    setNumber(begin + added, 2, tag);
    setNumber(begin + added + kTypeAt, 2, kShort);
    setNumber(begin + added + kCountAt, 4, 1);
    setNumber(begin + added + kValueAt, 2, value);
    setNumber(4, 4, static_cast<std::uint32_t>(begin));
}

}  // namespace parallax
