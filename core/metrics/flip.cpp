// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/flip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "core/image/error.hpp"
#include "core/metrics/flip_filters.hpp"
#include "core/metrics/metric_tasks.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kTile = 256;
constexpr int kBins = 1 << 14;  // of errors in [0, 1]

/// Errors of some tiles.
struct ErrorCounts {
    std::vector<std::uint64_t> bins = std::vector<std::uint64_t>(kBins);
    float minimum = 1, maximum = 0;

    void add(const float* errors, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
            ++bins[static_cast<std::size_t>(std::min(kBins - 1, static_cast<int>(errors[i] * kBins)))];
            minimum = std::min(minimum, errors[i]);
            maximum = std::max(maximum, errors[i]);
        }
    }
    void merge(const ErrorCounts& o) {
        for (std::size_t i = 0; i < bins.size(); ++i) bins[i] += o.bins[i];
        minimum = std::min(minimum, o.minimum);
        maximum = std::max(maximum, o.maximum);
    }
    static double centre(std::size_t bin) { return (static_cast<double>(bin) + 0.5) / kBins; }
    /// The error up to which pixels hold this share of all errors.
    double weightedPercentile(double share) const {
        // Bin 0 holds the pixels without an error, so it has no weight.
        double total = 0, sum = 0;
        for (std::size_t i = 1; i < bins.size(); ++i) total += static_cast<double>(bins[i]) * centre(i);
        for (std::size_t i = 1; i < bins.size(); ++i) {
            sum += static_cast<double>(bins[i]) * centre(i);
            if (bins[i] > 0 && sum >= share * total)
                return std::clamp(centre(i), static_cast<double>(minimum), static_cast<double>(maximum));
        }
        return static_cast<double>(maximum);
    }
};

/// Computes tiles; one for each thread.
class TileFlip {
public:
    TileFlip(const PixelPair& pair, const FlipFilters& filters, const std::vector<float>& gains)
        : reader_(pair), shape_(pair.a.shape), f_(filters), gains_(gains), stride_(kTile + 2 * f_.radius + 2 * rows::kRowBlock) {
        ring_.resize(static_cast<std::size_t>(6 * window() * stride_));
        rows_.resize(static_cast<std::size_t>(kRowBuffers * stride_));
        for (std::size_t i = 0; i < kRowBuffers; ++i) row_[i] = rows_.data() + static_cast<std::int64_t>(i) * stride_;
        largest_.resize(static_cast<std::size_t>(kTile * kTile));
    }

    /// Returns the sum of the errors.
    double compute(const MetricTiles::Tile& tile, View<float> map, const RunContext& context) {
        std::fill(largest_.begin(), largest_.end(), 0.0F);
        replaced_.assign(static_cast<std::size_t>(kTile), false);
        for (const float gain : gains_) {
            if (context.stopped()) return 0;
            computeExposure(tile, gain);
        }
        const std::int64_t width = tile.x1 - tile.x0;
        double total = 0;
        for (std::int64_t y = tile.y0; y < tile.y1; ++y) {
            float* error = errorRow(tile, y);
            if (replaced_[static_cast<std::size_t>(y - tile.y0)]) reader_.markMismatches(y, tile.z, tile.x0, tile.x1, error);
            total += rows::sum(error, width);
            counts_.add(error, width);
            if (map.data) std::copy_n(error, width, map.row(y, tile.z) + tile.x0);
        }
        return total;
    }
    const ErrorCounts& counts() const { return counts_; }

private:
    enum Row { kAchromatic, kRedGreen, kBlueYellow1, kBlueYellow2, kGaussian, kEdge, kPoint, kResult, kFirstOfImages };
    enum ImageRow { kColour0, kColour1, kColour2, kEdgeX, kEdgeY, kPointX, kPointY, kImageRows };
    static constexpr std::size_t kRowBuffers = kFirstOfImages + 2 * kImageRows;

    int window() const { return 2 * f_.radius + 1; }
    float* errorRow(const MetricTiles::Tile& tile, std::int64_t y) { return largest_.data() + (y - tile.y0) * kTile; }
    float* imageRow(int image, ImageRow which) { return row_[static_cast<std::size_t>(kFirstOfImages + image * kImageRows + which)]; }
    float* ringRow(int image, int plane, std::int64_t y) {
        const std::int64_t slot = (y + window()) % window();  // y >= -radius
        return ring_.data() + ((image * 3 + plane) * window() + slot) * stride_;
    }

    void computeExposure(const MetricTiles::Tile& tile, float gain) {
        const std::int64_t width = tile.x1 - tile.x0;
        for (std::int64_t y = tile.y0 - f_.radius; y < tile.y1 + f_.radius; ++y) {
            readRow(tile, y, gain);
            const std::int64_t row = y - f_.radius;
            if (row < tile.y0) continue;
            for (int image = 0; image < 2; ++image) filterRow(image, row, width);
            compareRows(width, row_[kResult]);
            rows::keepLargest(row_[kResult], errorRow(tile, row), width);
        }
    }

    /// Opponent colours of row y, which may be outside the image, into the ring.
    void readRow(const MetricTiles::Tile& tile, std::int64_t y, float gain) {
        const std::int64_t inside = std::clamp<std::int64_t>(y, 0, shape_.height - 1), start = tile.x0 - f_.radius;
        const std::int64_t first = std::max<std::int64_t>(0, start), last = std::min(shape_.width, tile.x1 + f_.radius);
        const auto toOpponent = [&](int image, const rows::RgbRow& rgb) {
            const std::int64_t at = first - start;
            float* const out[3] = {ringRow(image, 0, y) + at, ringRow(image, 1, y) + at, ringRow(image, 2, y) + at};
            return gain > 0 ? rows::opponentOfExposure(rgb, gain, out, last - first) : rows::opponent(rgb, out, last - first);
        };
        PairReader::Piece piece = reader_.original(inside, tile.z, first);
        const bool finiteA = toOpponent(0, piece.a), finiteB = toOpponent(1, piece.b);
        if (!finiteA || !finiteB) {
            piece = reader_.read(inside, tile.z, first, last);
            (void)toOpponent(0, piece.a);
            (void)toOpponent(1, piece.b);
            if (piece.replaced && y >= tile.y0 && y < tile.y1) replaced_[static_cast<std::size_t>(y - tile.y0)] = true;
        }
        for (int image = 0; image < 2; ++image) {
            for (int i = 0; i < 3; ++i) {
                float* plane = ringRow(image, i, y);
                std::fill(plane, plane + (first - start), plane[first - start]);
                std::fill(plane + (last - start), plane + (tile.x1 + f_.radius - start), plane[last - 1 - start]);
            }
        }
    }

    /// Filters of one image; the rows of the ring are centred at y.
    void filterRow(int image, std::int64_t y, std::int64_t width) {
        const int r = f_.radius, narrow = std::max(f_.colourRadius, f_.featureRadius);
        const std::int64_t n = width + 2 * r;
        window_.resize(static_cast<std::size_t>(3 * window()));
        for (int plane = 0; plane < 3; ++plane)
            for (int k = 0; k < window(); ++k) window_[static_cast<std::size_t>(plane * window() + k)] = ringRow(image, plane, y - r + k);
        const float* const* planes[3] = {window_.data(), window_.data() + window(), window_.data() + 2 * window()};
        rows::acrossFour(planes[0] + (r - narrow), narrow, {{f_.achromatic.data(), f_.gaussian.data(), f_.point.data()}, f_.edge.data()},
                         {{row_[kAchromatic], row_[kGaussian], row_[kPoint]}, row_[kEdge]}, n);
        rows::across(planes[1] + (r - f_.colourRadius), f_.colourRadius, f_.redGreen.data(), row_[kRedGreen], n);
        rows::acrossTwo(planes[2], r, f_.blueYellowAcross[0].data(), f_.blueYellowAcross[1].data(), row_[kBlueYellow1], row_[kBlueYellow2],
                        n);

        rows::along(row_[kAchromatic] + r, f_.colourRadius, f_.achromatic.data(), imageRow(image, kColour0), width);
        rows::along(row_[kRedGreen] + r, f_.colourRadius, f_.redGreen.data(), imageRow(image, kColour1), width);
        rows::alongTwo(row_[kBlueYellow1] + r, f_.blueYellow[0].data(), row_[kBlueYellow2] + r, f_.blueYellow[1].data(), r,
                       imageRow(image, kColour2), width);
        rows::alongEvenAndOdd(row_[kGaussian] + r, f_.featureRadius, f_.point.data(), f_.edge.data(), imageRow(image, kPointX),
                              imageRow(image, kEdgeX), width);
        rows::along(row_[kEdge] + r, f_.featureRadius, f_.gaussian.data(), imageRow(image, kEdgeY), width);
        rows::along(row_[kPoint] + r, f_.featureRadius, f_.gaussian.data(), imageRow(image, kPointY), width);
        float* const colour[3] = {imageRow(image, kColour0), imageRow(image, kColour1), imageRow(image, kColour2)};
        rows::huntLab(colour, width);
    }

    void compareRows(std::int64_t width, float* out) {
        const auto lab = [&](int image) {
            return std::array<const float*, 3>{imageRow(image, kColour0), imageRow(image, kColour1), imageRow(image, kColour2)};
        };
        const auto features = [&](int image) {
            return rows::FeatureRow{imageRow(image, kEdgeX), imageRow(image, kEdgeY), imageRow(image, kPointX), imageRow(image, kPointY)};
        };
        const auto a = lab(0), b = lab(1);
        rows::flipError(a.data(), b.data(), features(0), features(1), out, width);
    }

    PairReader reader_;
    Shape shape_;
    const FlipFilters& f_;
    const std::vector<float>& gains_;
    std::int64_t stride_;
    std::vector<float> ring_, rows_, largest_;
    std::array<float*, kRowBuffers> row_{};
    std::vector<const float*> window_;
    std::vector<bool> replaced_;
    ErrorCounts counts_;
};

struct LuminanceRange {
    float median = 0, largest = 0;
};

LuminanceRange luminanceRange(const PixelPair& pair, RunContext& context) {
    const Shape& s = pair.a.shape;
    std::vector<float> values(static_cast<std::size_t>(s.pixels()));
    forEachTask(context, s.height * s.depth, [&](std::int64_t row, int) {
        PairReader reader(pair);
        const auto piece = reader.read(row % s.height, row / s.height, 0, s.width);
        std::vector<float> luminances(static_cast<std::size_t>(s.width + rows::kRowBlock));
        rows::luminance(piece.a, 1, luminances.data(), s.width);
        std::copy_n(luminances.data(), s.width, values.data() + row * s.width);
    });
    LuminanceRange range;
    if (values.empty()) return range;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    range.median = *middle;  // of an even number of pixels the upper one, as NVIDIA's program
    range.largest = *std::max_element(middle, values.end());
    return range;
}

/// The value that the tone curve maps to 0.85, for which [ANSAM21] solves its quadratic.
double brightValue() {
    constexpr double t = 0.85;
    const double a = 0.36 * (2.51 - t * 2.43), b = 0.6 * (0.03 - t * 0.59), c = -t * 0.14;
    return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
}

/// Sets the exposures in `m` and returns their factors.
std::vector<float> exposureGains(const PixelPair& pair, FlipMetrics& m, RunContext& context) {
    const LuminanceRange range = luminanceRange(pair, context);
    constexpr double kDarkest = std::numeric_limits<float>::epsilon();  // of a median that is 0
    const double median = std::max(kDarkest, static_cast<double>(range.median));
    m.startExposure = std::log2(brightValue() / std::max(kDarkest, static_cast<double>(range.largest)));
    m.stopExposure = std::log2(brightValue() / median);
    m.exposures = std::max(2, static_cast<int>(std::ceil(m.stopExposure - m.startExposure)));
    std::vector<float> gains;
    for (int i = 0; i < m.exposures; ++i)
        gains.push_back(static_cast<float>(std::exp2(m.startExposure + i * (m.stopExposure - m.startExposure) / (m.exposures - 1))));
    return gains;
}

}  // namespace

FlipMetrics flip(const PixelPair& pair, const FlipOptions& options, View<float> map, RunContext& context) {
    requireSameShape(pair);
    if (!(options.pixelsPerDegree >= FlipOptions::kMinPixelsPerDegree && options.pixelsPerDegree <= FlipOptions::kMaxPixelsPerDegree))
        throw Error(ErrorCode::usage, "FLIP needs 1 to 1000 pixels per degree");
    const Shape& s = pair.a.shape;
    FlipMetrics m;
    m.pixelsPerDegree = options.pixelsPerDegree;
    if (s.empty()) return m;
    const std::vector<float> gains = options.highDynamicRange ? exposureGains(pair, m, context) : std::vector<float>{0};  // 0: no exposure
    const FlipFilters filters = makeFlipFilters(options.pixelsPerDegree);
    const MetricTiles tiles(s, kTile, kTile);
    std::vector<std::unique_ptr<TileFlip>> workers(static_cast<std::size_t>(metricWorkers(context, tiles.count())));
    std::vector<double> sums(static_cast<std::size_t>(tiles.count()));
    forEachTask(context, tiles.count(), [&](std::int64_t task, int worker) {
        auto& own = workers[static_cast<std::size_t>(worker)];
        if (!own) own = std::make_unique<TileFlip>(pair, filters, gains);
        sums[static_cast<std::size_t>(task)] = own->compute(tiles[task], map, context);
    });
    ErrorCounts counts;
    for (const auto& worker : workers)
        if (worker) counts.merge(worker->counts());
    m.mean = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(s.pixels());
    m.minimum = static_cast<double>(counts.minimum);
    m.maximum = static_cast<double>(counts.maximum);
    m.weightedQuartile1 = counts.weightedPercentile(0.25);
    m.weightedMedian = counts.weightedPercentile(0.5);
    m.weightedQuartile3 = counts.weightedPercentile(0.75);
    return m;
}

}  // namespace parallax
