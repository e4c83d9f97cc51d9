// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/openmp/local.hpp"

#include <algorithm>

#include "core/backends/openmp/cache_line_allocator.hpp"
#include "core/operations/tone_mapping/openmp/kernels.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kTileColumns = 512;  // with all scales of a band in the second cache

std::int64_t marginOf(const ToneMappingPlan& plan) { return roundUp(plan.scales.back().radius, kColumnGranule); }
/// Whole granules are read, so there are numbers behind the margin, too.
std::int64_t planeWidth(const ToneMappingPlan& plan, const Shape& shape) {
    return roundUp(shape.width, kColumnGranule) + 2 * marginOf(plan) + 2 * kColumnGranule;
}
std::int64_t tileStride(const Shape& shape) { return std::min(kTileColumns, roundUp(shape.width, kColumnGranule)); }
std::int64_t acrossStride(const ToneMappingPlan& plan, const Shape& shape) {
    return tileStride(shape) + 2 * marginOf(plan) + kColumnGranule;
}

}  // namespace

struct alignas(CacheLineAllocator<char>::kLine) SimdSurround::Scratch {
    Scratch(std::int64_t tile, std::int64_t acrossStrideGiven)
        : stride(tile),
          acrossStride(acrossStrideGiven),
          smaller(Shape{tile, kBandRows, 1, 1}),
          larger(Shape{tile, kBandRows, 1, 1}),
          surround(Shape{tile, kBandRows, 1, 1}),
          chosen(Shape{tile, kBandRows, 1, 1}),
          down(Shape{acrossStrideGiven, kBandRows, 1, 1}),
          rows(0),
          out(kBlockRows) {
        // Columns behind the last one of a tile enter computations and must be numbers.
        std::fill_n(down.view<float>().data, down.shape().samples(), 0.0F);
    }
    static std::uint64_t bytes(std::int64_t tile, std::int64_t across) {
        return static_cast<std::uint64_t>(4 * tile + across) * kBandRows * sizeof(float);
    }
    std::int64_t stride, acrossStride;
    Buffer smaller, larger, surround, chosen;
    Buffer down;  // columns filtered, with the columns that the rows reach
    CacheLineVector<const float*> rows;
    CacheLineVector<float*> out;
};

SimdSurround::SimdSurround(const ToneMappingPlan& plan, const Shape& shape, int workers)
    : scales_(plan.parameters.scales),
      epsilon_(plan.parameters.epsilon),
      width_(shape.width),
      margin_(marginOf(plan)),
      end_(shape.height),
      plane_(Shape{planeWidth(plan, shape), shape.height, 1, 1}) {
    for (const ToneScale& scale : plan.scales) {
        const std::vector<float> weights(scale.weights.begin(), scale.weights.end());
        const int taps = static_cast<int>(weights.size());
        radii_.push_back(scale.radius);
        columns_.push_back(splitKernel(weights, 1, taps));
        rows_.push_back(splitKernel(weights, taps, 1));
    }
    const std::int64_t bands = divideUp(shape.height, kBandRows);
    for (std::int64_t i = 0; i < std::min<std::int64_t>(workers, bands); ++i)
        scratch_.push_back(std::make_unique<Scratch>(tileStride(shape), acrossStride(plan, shape)));
}

SimdSurround::~SimdSurround() = default;

std::uint64_t SimdSurround::bytes(const ToneMappingPlan& plan, const Shape& shape, int workers) {
    const std::int64_t bands = divideUp(shape.height, kBandRows);
    return static_cast<std::uint64_t>(planeWidth(plan, shape) * shape.height) * sizeof(float) +
           static_cast<std::uint64_t>(std::min<std::int64_t>(workers, bands)) *
               Scratch::bytes(tileStride(shape), acrossStride(plan, shape));
}

void SimdSurround::completeRow(std::int64_t y) {
    float* const line = row(y);
    std::fill(line - margin_, line, line[0]);
    std::fill(line + width_, line - margin_ + plane_.shape().width, line[width_ - 1]);
}

void SimdSurround::blur(RowRange rows, std::int64_t first, std::int64_t columns, std::size_t scale, float* result, Scratch& s) const {
    const int radius = radii_[scale], block = kBlockRows;
    const View<const float> plane = plane_.view<float>();
    // Columns first, with the columns left and right that the rows reach: they lie in the margin of the plane.
    const std::int64_t downColumns = roundUp(columns + 2 * radius, kColumnGranule);
    s.rows.resize(static_cast<std::size_t>(block + 2 * radius));
    for (std::int64_t row = 0; row < rows.count(); row += block) {
        for (std::int64_t j = 0; j < block + 2 * radius; ++j) {
            const std::int64_t y = std::clamp<std::int64_t>(rows.first + row + j - radius, -above_, end_ - 1);
            s.rows[static_cast<std::size_t>(j)] = plane.row(y + above_) + margin_ + first - radius;
        }
        for (int r = 0; r < block; ++r) s.out[static_cast<std::size_t>(r)] = s.down.view<float>().data + (row + r) * s.acrossStride;
        filterBlock({.rows = s.rows.data(),
                     .out = s.out.data(),
                     .columns = downColumns,
                     .chunks = columns_[scale].data(),
                     .chunkCount = static_cast<int>(columns_[scale].size())});
    }
    for (std::int64_t row = 0; row < rows.count(); row += block) {
        for (int r = 0; r < block; ++r) {
            s.rows[static_cast<std::size_t>(r)] = s.down.view<float>().data + (row + r) * s.acrossStride;
            s.out[static_cast<std::size_t>(r)] = result + (row + r) * s.stride;
        }
        filterBlock({.rows = s.rows.data(),
                     .out = s.out.data(),
                     .columns = roundUp(columns, kColumnGranule),
                     .chunks = rows_[scale].data(),
                     .chunkCount = static_cast<int>(rows_[scale].size())});
    }
}

void SimdSurround::forTiles(RowRange rows, const ToneConstants& constants, int worker, const RunContext& context,
                            const std::function<void(const Tile&)>& then) {
    Scratch& s = *scratch_[static_cast<std::size_t>(worker)];
    for (std::int64_t first = 0; first < width_; first += s.stride) {
        const std::int64_t columns = std::min(s.stride, width_ - first);
        float* smaller = s.smaller.view<float>().data;
        float* larger = s.larger.view<float>().data;
        float* const surround = s.surround.view<float>().data;
        float* const chosen = s.chosen.view<float>().data;
        blur(rows, first, columns, 0, smaller, s);
        std::copy_n(smaller, rows.count() * s.stride, surround);
        std::fill_n(chosen, kBandRows * s.stride, -1.0F);
        for (int scale = 0; scale < scales_; ++scale) {
            if (context.stopped()) return;
            blur(rows, first, columns, static_cast<std::size_t>(scale) + 1, larger, s);
            // Columns beyond the tile, up to a granule, have no meaning: they can only delay an early end.
            bool any = false;
            for (std::int64_t row = 0; row < rows.count(); ++row) {
                const std::int64_t at = row * s.stride;
                any =
                    tone::climb(smaller + at, larger + at, surround + at, chosen + at, roundUp(columns, kColumnGranule),
                                static_cast<float>(constants.sharpening[scale]), static_cast<float>(epsilon_), static_cast<float>(scale)) ||
                    any;
            }
            if (!any) break;
            std::swap(smaller, larger);
        }
        then({first, first + columns, s.stride, surround, chosen});
    }
}

}  // namespace parallax
