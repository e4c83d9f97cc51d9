// SPDX-License-Identifier: GPL-3.0-or-later
// The first directory of a TIFF file in memory, read and changed where a decoder or an encoder does not do as it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parallax {

/// Tags and values by TIFF 6.0 (Adobe, 1992).
namespace tiff {
enum Tag : std::uint16_t {
    bitsPerSample = 258,
    photometric = 262,
    orientation = 274,
    samplesPerPixel = 277,
    planes = 284,
    extraSamples = 338
};
inline constexpr std::uint32_t kWhiteIsZero = 0, kBlackIsZero = 1, kRgb = 2, kLargestCommonPhotometric = 10;
inline constexpr std::uint32_t kSeparatePlanes = 2;
inline constexpr std::uint32_t kAssociatedAlpha = 1, kUnassociatedAlpha = 2;
}  // namespace tiff

class TiffDirectory {
public:
    /// Keeps a reference. Bytes that are no TIFF, or damaged, hold no tags.
    explicit TiffDirectory(std::vector<std::uint8_t>& bytes);

    /// The first value of a tag of whole numbers, if there is one.
    std::optional<std::uint32_t> first(tiff::Tag tag) const;
    /// Another first value for a tag that is there, with its values in the directory itself.
    void replace(tiff::Tag tag, std::uint16_t value);
    /// A new tag with one value, in a copy of the directory at the end of the file.
    void add(tiff::Tag tag, std::uint16_t value);

private:
    std::uint32_t number(std::size_t at, std::size_t size) const;
    void setNumber(std::size_t at, std::size_t size, std::uint32_t value);
    /// Where the entry of a tag begins; 0: nowhere.
    std::size_t entry(tiff::Tag tag) const;
    std::size_t entries() const { return number(number(4, 4), 2); }

    std::vector<std::uint8_t>& bytes_;
    bool bigEndian_ = false, valid_ = false;
};

}  // namespace parallax
