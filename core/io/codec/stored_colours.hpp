// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between stored integers and linear light.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
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

/// Fast encodeSample() by table look-up.
class SampleEncoder {
public:
    SampleEncoder(TransferFunction transfer, double gamma, int maximum);

    int operator()(float linear) {
        if (linear >= 0 && linear <= 1) return inRange(linear);
        ++outside_;
        return linear > 1 ? maximum_ : 0;
    }
    /// Number of samples so far that were NaN or outside 0 .. 1.
    std::uint64_t outside() const { return outside_; }

private:
    int inRange(float linear) const;
    int maximum_;
    std::uint64_t outside_ = 0;
    std::vector<float> thresholds_;         ///< [k]: the smallest sample that is stored as k + 1
    std::vector<std::uint16_t> firstCode_;  ///< first code of the floats that share their upper bits
};

/// Packs rows of an image as interleaved codes. An even number of channels ends with alpha: the stored colours are divided by it, so that
/// those of transparent pixels are lost.
class RowPacker {
public:
    /// `bits`: 8 or 16. `channels` must outlive the packer.
    RowPacker(const View<const float>& image, const std::vector<int>& channels, int bits, TransferFunction transfer, double gamma,
              std::endian order = std::endian::native);
    std::size_t rowBytes() const;
    void operator()(std::int64_t y, std::uint8_t* to);
    /// Adds a note if samples were clipped.
    void noteClipped(std::vector<std::string>& notes) const;

private:
    View<const float> image_;
    const std::vector<int>& channels_;
    bool wide_, bigEndian_;
    SampleEncoder colours_, alphas_;
};

}  // namespace parallax
