// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ssim.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/image/error.hpp"
#include "core/metrics/metric_tasks.hpp"

namespace parallax {
namespace {

constexpr int kRadius = 5;
constexpr double kSigma = 1.5, kK1 = 0.01, kK2 = 0.03;
constexpr std::int64_t kTileWidth = 1024, kTileHeight = 128;
constexpr std::int64_t kStride = kTileWidth + 2 * kRadius + 2 * rows::kRowBlock;

/// Index of the sample that a mirrored position repeats.
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
    const std::int64_t period = 2 * n, p = ((i % period) + period) % period;
    return p < n ? p : period - 1 - p;
}

std::array<float, kRadius + 1> gaussianWeights() {
    std::array<double, kRadius + 1> w{};
    for (int k = 0; k <= kRadius; ++k) w[static_cast<std::size_t>(k)] = std::exp(-k * k / (2 * kSigma * kSigma));
    const double sum = 2 * std::accumulate(w.begin() + 1, w.end(), 0.0) + w[0];
    std::array<float, kRadius + 1> out{};
    for (std::size_t k = 0; k < w.size(); ++k) out[k] = static_cast<float>(w[k] / sum);
    return out;
}

/// Computes tiles; one for each thread.
class TileSsim {
public:
    TileSsim(const PixelPair& pair, const SsimOptions& options) : reader_(pair), shape_(pair.a.shape), options_(options) {
        scale_ = options.scale == SsimScale::linear ? static_cast<float>(1 / options.range) : 1.0F;
        mapWeight_ = static_cast<float>(options.mapWeight);
    }

    /// Returns the sum of 1 - SSIM over the pixels that count.
    double compute(const MetricTiles::Tile& tile, View<float> map) {
        double total = 0;
        const std::int64_t width = tile.x1 - tile.x0;
        replaced_.assign(static_cast<std::size_t>(tile.y1 - tile.y0), false);
        for (std::int64_t y = tile.y0 - kRadius; y < tile.y1 + kRadius; ++y) {
            readRow(tile, y);
            const std::int64_t row = y - kRadius;
            if (row < tile.y0) continue;
            filterRow(row, width);
            if (replaced_[static_cast<std::size_t>(row - tile.y0)]) reader_.markMismatches(row, tile.z, tile.x0, tile.x1, error_);
            if (map.data) {
                float* out = map.row(row, tile.z) + tile.x0;
                for (std::int64_t x = 0; x < width; ++x) out[x] += mapWeight_ * error_[x];
            }
            if (!counts(row, shape_.height)) continue;
            const std::int64_t first = std::max(tile.x0, inset(shape_.width)), last = std::min(tile.x1, shape_.width - inset(shape_.width));
            if (first < last) total += rows::sum(error_ + (first - tile.x0), last - first);
        }
        return total;
    }

    /// Pixels along an edge whose window is not inside the image.
    static std::int64_t inset(std::int64_t n) { return n > 2 * kRadius ? kRadius : 0; }

private:
    static bool counts(std::int64_t i, std::int64_t n) { return i >= inset(n) && i < n - inset(n); }
    float* ringRow(int plane, std::int64_t y) {
        const std::int64_t slot = (y + kRows) % kRows;  // y >= -kRadius
        return ring_.data() + (plane * kRows + slot) * kStride;
    }

    /// Sums, differences and squares of row y, which may be outside the image, into the ring.
    void readRow(const MetricTiles::Tile& tile, std::int64_t y) {
        const std::int64_t inside = mirrored(y, shape_.height);
        const std::int64_t first = std::max<std::int64_t>(0, tile.x0 - kRadius), last = std::min(shape_.width, tile.x1 + kRadius);
        PairReader::Piece piece = reader_.original(inside, tile.z, first);
        // A luminance is finite if its colours are; checking it alone reads less.
        if (!readLuminance(piece, first, last, tile)) {
            piece = reader_.read(inside, tile.z, first, last);
            (void)readLuminance(piece, first, last, tile);
        }
        if (y >= tile.y0 && y < tile.y1) replaced_[static_cast<std::size_t>(y - tile.y0)] = piece.replaced;
        extend(first, last, tile, a_);
        extend(first, last, tile, b_);
        const std::int64_t n = tile.x1 - tile.x0 + 2 * kRadius;
        if (y == tile.y0 - kRadius) {
            // Variances do not change with an offset, but their rounding errors do.
            offset_ = static_cast<float>((rows::sum(a_, n) + rows::sum(b_, n)) / static_cast<double>(n));
        }
        rows::sumAndDifference(a_, b_, offset_, ringRow(0, y), ringRow(1, y), n);
    }

    /// Returns whether all are finite.
    bool readLuminance(const PairReader::Piece& piece, std::int64_t first, std::int64_t last, const MetricTiles::Tile& tile) {
        const std::int64_t n = last - first, at = first - (tile.x0 - kRadius);
        const auto read = [&](const rows::RgbRow& colours, float* row) {
            return options_.scale == SsimScale::display ? rows::encodedLuminance(colours, row + at, n)
                                                        : rows::luminance(colours, scale_, row + at, n);
        };
        const bool finiteA = read(piece.a, a_), finiteB = read(piece.b, b_);
        return finiteA && finiteB;
    }

    /// Mirrors columns [first, last) into the rest of [tile.x0 - kRadius, tile.x1 + kRadius).
    void extend(std::int64_t first, std::int64_t last, const MetricTiles::Tile& tile, float* row) const {
        const std::int64_t start = tile.x0 - kRadius, end = tile.x1 + kRadius;
        for (std::int64_t x = start; x < first; ++x) row[x - start] = row[mirrored(x, shape_.width) - start];
        for (std::int64_t x = last; x < end; ++x) row[x - start] = row[mirrored(x, shape_.width) - start];
    }

    void filterRow(std::int64_t y, std::int64_t width) {
        const std::int64_t n = width + 2 * kRadius;
        const float* window[kRows];
        for (int plane = 0; plane < 2; ++plane) {
            for (int k = 0; k < kRows; ++k) window[k] = ringRow(plane, y - kRadius + k);
            rows::acrossWithSquares(window, kRadius, weights_.data(), column_[2 * plane], column_[2 * plane + 1], n);
        }
        const float* const columns[] = {column_[0] + kRadius, column_[1] + kRadius, column_[2] + kRadius, column_[3] + kRadius};
        rows::dissimilarity(columns, kRadius, weights_.data(), {offset_, static_cast<float>(kK1 * kK1), static_cast<float>(kK2 * kK2)},
                            error_, width);
    }

    static constexpr int kRows = 2 * kRadius + 1;
    PairReader reader_;
    Shape shape_;
    SsimOptions options_;
    float scale_ = 1, mapWeight_ = 1, offset_ = 0;
    std::array<float, kRadius + 1> weights_ = gaussianWeights();
    std::vector<float> ring_ = std::vector<float>(static_cast<std::size_t>(2 * kRows * kStride));
    std::vector<bool> replaced_;
    float a_[kStride] = {}, b_[kStride] = {}, column_[4][kStride] = {}, error_[kStride] = {};
};

}  // namespace

double structuralSimilarity(const PixelPair& pair, const SsimOptions& options, View<float> map, RunContext& context) {
    requireSameShape(pair);
    if (options.scale == SsimScale::linear && !(options.range > 0 && std::isfinite(options.range)))
        throw Error(ErrorCode::usage, "SSIM needs a dynamic range above 0");
    const Shape& s = pair.a.shape;
    const MetricTiles tiles(s, kTileWidth, kTileHeight);
    std::vector<std::unique_ptr<TileSsim>> workers(static_cast<std::size_t>(metricWorkers(context, tiles.count())));
    std::vector<double> sums(static_cast<std::size_t>(tiles.count()));
    forEachTask(context, tiles.count(), [&](std::int64_t task, int worker) {
        auto& own = workers[static_cast<std::size_t>(worker)];
        if (!own) own = std::make_unique<TileSsim>(pair, options);
        sums[static_cast<std::size_t>(task)] = own->compute(tiles[task], map);
    });
    const std::int64_t counted =
        (s.width - 2 * TileSsim::inset(s.width)) * (s.height - 2 * TileSsim::inset(s.height)) * std::max<std::int64_t>(1, s.depth);
    return counted > 0 ? 1 - std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(counted) : 1;
}

}  // namespace parallax
