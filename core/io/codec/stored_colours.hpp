// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between stored integers and linear light.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// Returns the linear light of each stored value 0 .. maximum.
std::vector<float> decodingTable(TransferFunction transfer, double gamma, int maximum);
/// How the stored colours relate to the stored alpha.
enum class StoredAlpha {
    straight,    ///< unassociated: colours are independent of alpha
    associated,  ///< linear colours times alpha, as inside
    encoded      ///< encoded colours times alpha: divided by alpha before they are decoded
};

/// Turns stored numbers into linear light with associated alpha, in place and on several threads, and fills
/// SourceInfo::storedStatistics from the stored numbers. Channels before the alpha channel are its colours.
/// `table` maps the codes 0 .. table.size() - 1 to linear light; if it is empty, the numbers are linear already.
void decodeColours(Image& image, const std::vector<float>& table, StoredAlpha stored, const LoadOptions& options);

/// Returns the stored value of a linear sample, the inverse of the table. NaN gives 0; values outside 0 .. 1 are clipped.
int encodeSample(double linear, TransferFunction transfer, double gamma, int maximum);

/// Fast encodeSample(): linear interpolation, corrected with the exact boundaries of the codes.
class SampleEncoder {
public:
    SampleEncoder(TransferFunction transfer, double gamma, int maximum);

    int operator()(float linear) const;
    /// Codes of a row as 16-bit numbers, `stride` numbers apart; `swapped`: in the other byte order. Returns how many samples were NaN or
    /// outside 0 .. 1.
    std::uint64_t encodeRow(std::span<const float> linear, std::uint16_t* to, std::size_t stride, bool swapped) const;
    /// Codes of at most 255 as bytes, otherwise as above.
    std::uint64_t encodeRow(std::span<const float> linear, std::uint8_t* to, std::size_t stride) const;

private:
    /// code = base + slope * linear, never too large, and seldom too small.
    struct Segment {
        float base = 0, slope = 0;
    };
    template <class Store>
    std::uint64_t encodeEach(std::span<const float> linear, const Store& store) const;
    int codeOf(float inRange) const;
    void fitSegments();
    std::vector<float> thresholds_;  ///< [k]: the smallest sample that is stored as k + 1
    std::vector<Segment> segments_;  ///< of the floats that share their upper bits
    std::int32_t firstSegment_ = 0;  ///< upper bits of those of the first one, which also holds smaller floats
};

/// Packs rows of an image as interleaved codes. An even number of channels ends with alpha: the stored colours are divided by it, so that
/// those of transparent pixels are lost.
class RowPacker {
public:
    /// `bits`: 8 or 16. `channels` must outlive the packer.
    RowPacker(const View<const float>& image, const std::vector<int>& channels, int bits, TransferFunction transfer, double gamma,
              std::endian order = std::endian::native);
    std::size_t rowBytes() const;
    /// May be called from several threads. Returns how many samples were clipped.
    std::uint64_t operator()(std::int64_t y, std::uint8_t* to) const;

private:
    View<const float> image_;
    const std::vector<int>& channels_;
    bool wide_, swapped_;
    SampleEncoder colours_, alphas_;
};

/// Adds a note if samples were clipped.
void noteClipped(std::uint64_t samples, std::vector<std::string>& notes);

}  // namespace parallax
