// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/pixel_pair.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/image/error.hpp"

namespace parallax {
namespace {

bool agrees(float a, float b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

}  // namespace

std::optional<ColourChannels> colourChannels(const Image& image) {
    const std::vector<std::int64_t> values = valueChannels(image);
    if (values.size() == 1) return ColourChannels{values[0], values[0], values[0]};
    if (values.size() != 3) return std::nullopt;
    constexpr const char* kNames[] = {"R", "G", "B"};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string& name = image.channelNames()[static_cast<std::size_t>(values[i])];
        if (name.substr(name.rfind('.') + 1) != kNames[i]) return std::nullopt;
    }
    return ColourChannels{values[0], values[1], values[2]};
}

std::vector<std::int64_t> valueChannels(const Image& image) {
    std::vector<std::int64_t> channels;
    for (std::int64_t c = 0; c < image.shape().channels; ++c)
        if (c != image.alphaChannel() || image.shape().channels == 1) channels.push_back(c);
    return channels;
}

void requireSameShape(const PixelPair& pair) {
    if (pair.a.shape != pair.b.shape) throw Error(ErrorCode::usage, "Images of different size cannot be compared");
}

PairReader::Piece PairReader::original(std::int64_t y, std::int64_t z, std::int64_t first) const {
    const bool last = y + 1 == pair_.a.shape.height;
    Piece piece{{{}, last ? 0 : pair_.a.rowStride}, {{}, last ? 0 : pair_.b.rowStride}};
    for (std::size_t i = 0; i < 3; ++i) {
        piece.a.channels[i] = pair_.a.row(y, z, pair_.channels[i]) + first;
        piece.b.channels[i] = pair_.b.row(y, z, pair_.channels[i]) + first;
    }
    return piece;
}

PairReader::Piece PairReader::read(std::int64_t y, std::int64_t z, std::int64_t first, std::int64_t last) {
    const std::int64_t n = last - first;
    Piece piece = original(y, z, first);
    const bool grey = pair_.channels[0] == pair_.channels[1];
    for (std::size_t i = 0; i < (grey ? 1U : 3U); ++i)
        piece.replaced = piece.replaced || !rows::allFinite(piece.a.channels[i], n) || !rows::allFinite(piece.b.channels[i], n);
    if (!piece.replaced) return piece;
    const Piece stored = piece;
    piece.a.stride = piece.b.stride = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        replaced_[i].resize(static_cast<std::size_t>(n));
        (i < 3 ? piece.a : piece.b).channels[i % 3] = replaced_[i].data();
    }
    for (std::int64_t x = 0; x < n; ++x) {
        bool finite = true;
        for (std::size_t i = 0; i < 3; ++i)
            finite = finite && std::isfinite(stored.a.channels[i][x]) && std::isfinite(stored.b.channels[i][x]);
        for (std::size_t i = 0; i < 6; ++i)
            replaced_[i][static_cast<std::size_t>(x)] = finite ? (i < 3 ? stored.a : stored.b).channels[i % 3][x] : 0.0F;
    }
    return piece;
}

void PairReader::markMismatches(std::int64_t y, std::int64_t z, std::int64_t first, std::int64_t last, float* error) const {
    for (const std::int64_t c : pair_.channels) {
        const float *a = pair_.a.row(y, z, c), *b = pair_.b.row(y, z, c);
        for (std::int64_t x = first; x < last; ++x)
            if ((!std::isfinite(a[x]) || !std::isfinite(b[x])) && !agrees(a[x], b[x])) error[x - first] = 1;
    }
}

MetricTiles::MetricTiles(const Shape& shape, std::int64_t width, std::int64_t height)
    : shape_(shape),
      width_(width),
      height_(height),
      columns_((shape.width + width - 1) / width),
      rows_((shape.height + height - 1) / height) {}

MetricTiles::Tile MetricTiles::operator[](std::int64_t index) const {
    const std::int64_t column = index % columns_, row = index / columns_ % rows_, z = index / (columns_ * rows_);
    return {column * width_, std::min(shape_.width, (column + 1) * width_), row * height_, std::min(shape_.height, (row + 1) * height_), z};
}

}  // namespace parallax
