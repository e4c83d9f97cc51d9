// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/openmp/statistics.hpp"

#include <algorithm>
#include <bit>

#include "core/backends/openmp/parallel.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kPartSamples = 1 << 16;
constexpr std::uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
constexpr int kLowerBits = 15;
constexpr std::size_t kUpperBuckets = std::size_t{1} << 16, kLowerBuckets = std::size_t{1} << kLowerBits;

}  // namespace

std::vector<BandPart> partsOf(const std::vector<WaveletBand>& bands) {
    std::vector<BandPart> parts;
    for (std::size_t b = 0; b < bands.size(); ++b) {
        const auto& e = bands[b].extent;
        const std::int64_t rows = std::max<std::int64_t>(1, kPartSamples / std::max<std::int64_t>(e[0], 1));
        for (std::int64_t z = 0; z < e[2]; ++z)
            for (std::int64_t y = 0; y < e[1]; y += rows) parts.push_back({b, z, y, std::min(e[1], y + rows)});
    }
    return parts;
}

std::vector<RowMoments> momentsOf(const View<const float>& mosaic, const std::vector<WaveletBand>& bands,
                                  const std::vector<BandPart>& parts, const PartGroup& group, const RunContext& context, int threads) {
    std::vector<std::vector<RowMoments>> rows;
    for (const WaveletBand& band : bands) rows.emplace_back(static_cast<std::size_t>(band.extent[1] * band.extent[2]));
    parallelTasks(context, static_cast<std::int64_t>(parts.size()), threads, [&](std::int64_t task, int) {
        const BandPart& part = parts[static_cast<std::size_t>(task)];
        const WaveletBand& band = bands[part.band];
        RowMoments* moments = rows[part.band].data() + part.z * band.extent[1] + part.firstRow;
        forRows(mosaic, band, part, [&](const float* row) { addMoments(row, band.extent[0], *moments++); });
    });
    std::vector<RowMoments> all;
    for (std::size_t b = 0; b < bands.size(); ++b) all.push_back(sumOfRows(rows[b], bands[b].extent, group));
    return all;
}

std::uint64_t momentBytes(const std::vector<WaveletBand>& bands) {
    std::int64_t rows = 0;
    for (const WaveletBand& band : bands) rows += band.extent[1] * band.extent[2];
    // Of rows, and of blocks of rows.
    return 2 * static_cast<std::uint64_t>(rows) * sizeof(RowMoments);
}

MagnitudeSelection::MagnitudeSelection(int threads)
    : threads_(threads), partial_(static_cast<std::size_t>(threads), BucketCounts(kUpperBuckets)), upper_(kUpperBuckets) {}

std::uint64_t MagnitudeSelection::bytes(int threads) {
    return kUpperBuckets * (sizeof(std::uint32_t) * static_cast<std::uint64_t>(threads) + sizeof(std::int64_t)) +
           kLowerBuckets * sizeof(std::int64_t);
}

std::int64_t MagnitudeSelection::count(const View<const float>& mosaic, const std::vector<WaveletBand>& bands,
                                       const std::vector<BandPart>& parts, const std::vector<bool>& chosen, float above,
                                       const PartGroup& group, const RunContext& context) {
    const std::int32_t aboveBits = above < 0 ? -1 : std::bit_cast<std::int32_t>(above);
    counted_ = {mosaic, &bands, &parts, chosen, aboveBits, group, &context};
    std::fill(upper_.begin(), upper_.end(), 0);
    for (BucketCounts& p : partial_) p.clear();
    parallelTasks(context, static_cast<std::int64_t>(parts.size()), threads_, [&](std::int64_t task, int worker) {
        const BandPart& part = parts[static_cast<std::size_t>(task)];
        if (!chosen[part.band]) return;
        const WaveletBand& band = bands[part.band];
        forRows(mosaic, band, part, [&](const float* row) {
            std::uint32_t* const buckets = partial_[static_cast<std::size_t>(worker)].forNext(band.extent[0]);
            for (std::int64_t x = 0; x < band.extent[0]; ++x) {
                const std::uint32_t bits = std::bit_cast<std::uint32_t>(row[x]) & kMagnitude;
                buckets[bits >> kLowerBits] += static_cast<std::int32_t>(bits) > aboveBits;
            }
        });
    });
    std::int64_t finite = 0;
    for (const BucketCounts& p : partial_)
        for (std::size_t i = 0; i < kUpperBuckets; ++i) upper_[i] += p[i];
    for (std::size_t i = 0; i < (kInfinity >> kLowerBits); ++i) finite += upper_[i];
    return group.sum(finite);
}

float MagnitudeSelection::lowerBits(std::uint32_t bucket, std::int64_t rank) {
    for (BucketCounts& p : partial_) p.clear();
    const auto& parts = *counted_.parts;
    parallelTasks(*counted_.context, static_cast<std::int64_t>(parts.size()), threads_, [&](std::int64_t task, int worker) {
        const BandPart& part = parts[static_cast<std::size_t>(task)];
        if (!counted_.chosen[part.band]) return;
        const WaveletBand& band = (*counted_.bands)[part.band];
        forRows(counted_.mosaic, band, part, [&](const float* row) {
            std::uint32_t* const buckets = partial_[static_cast<std::size_t>(worker)].forNext(band.extent[0]);
            for (std::int64_t x = 0; x < band.extent[0]; ++x) {
                const std::uint32_t bits = std::bit_cast<std::uint32_t>(row[x]) & kMagnitude;
                if (bits >> kLowerBits == bucket) buckets[bits & (kLowerBuckets - 1)] += static_cast<std::int32_t>(bits) > counted_.above;
            }
        });
    });
    std::vector<std::int64_t> lower(kLowerBuckets);
    for (const BucketCounts& p : partial_)
        for (std::size_t low = 0; low < kLowerBuckets; ++low) lower[low] += p[low];
    const auto low = static_cast<std::uint32_t>(counterOfRank(lower, rank, counted_.group).first);
    return std::bit_cast<float>(bucket << kLowerBits | low);
}

std::pair<float, float> MagnitudeSelection::at(std::int64_t first, std::int64_t second) {
    const auto a = counterOfRank(upper_, first, counted_.group), b = counterOfRank(upper_, second, counted_.group);
    const float low = lowerBits(static_cast<std::uint32_t>(a.first), a.second);
    if (second == first) return {low, low};
    return {low, lowerBits(static_cast<std::uint32_t>(b.first), b.second)};
}

}  // namespace parallax
