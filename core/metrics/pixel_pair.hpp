// SPDX-License-Identifier: GPL-3.0-or-later
// Two images as the metrics of perception see them: three colour channels each, without samples that are not finite.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/image/image.hpp"
#include "core/metrics/row_kernels.hpp"

namespace parallax {

/// Indices of the channels R, G and B; the same index three times for a grey image.
using ColourChannels = std::array<std::int64_t, 3>;

/// The colours of an image: channels named R, G and B (also with the prefix of a layer), or the only channel besides alpha. Nothing if the
/// image has other channels.
std::optional<ColourChannels> colourChannels(const Image& image);

/// Indices of all channels but alpha; that of alpha if there is no other.
std::vector<std::int64_t> valueChannels(const Image& image);

/// Two images of one shape, of which `channels` are compared.
///
/// A pixel that is NaN or infinite in a compared channel of either image counts as 0 in both. Where the two images do not agree in it (both
/// NaN, or the same infinity), the error of the pixel is 1, the largest one, whatever its neighbours give.
struct PixelPair {
    View<const float> a, b;
    ColourChannels channels{};
};

/// Throws Error(usage) if the two shapes differ.
void requireSameShape(const PixelPair& pair);

/// Reads pieces of rows; keeps room for those in which samples must be replaced.
class PairReader {
public:
    explicit PairReader(const PixelPair& pair) : pair_(pair) {}

    struct Piece {
        rows::RgbRow a, b;
        bool replaced = false;  ///< some samples are not finite
    };
    /// The samples from column `first` of a row as they are.
    Piece original(std::int64_t y, std::int64_t z, std::int64_t first) const;
    /// Columns [first, last) of a row inside the image. Valid until the next call.
    Piece read(std::int64_t y, std::int64_t z, std::int64_t first, std::int64_t last);
    /// Sets error[i] of pixel first + i to 1 where the images disagree about a sample that is not finite.
    void markMismatches(std::int64_t y, std::int64_t z, std::int64_t first, std::int64_t last, float* error) const;

private:
    PixelPair pair_;
    std::array<std::vector<float>, 6> replaced_;
};

/// Rectangles of all slices, the tasks of a metric; they follow from the shape alone.
class MetricTiles {
public:
    MetricTiles(const Shape& shape, std::int64_t width, std::int64_t height);
    std::int64_t count() const { return columns_ * rows_ * shape_.depth; }
    struct Tile {
        std::int64_t x0, x1, y0, y1, z;  ///< [x0, x1) x [y0, y1) of slice z
    };
    Tile operator[](std::int64_t index) const;

private:
    Shape shape_;
    std::int64_t width_, height_, columns_, rows_;
};

}  // namespace parallax
