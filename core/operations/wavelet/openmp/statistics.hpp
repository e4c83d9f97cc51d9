// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of coefficients by several threads, independent of their number.
#pragma once

#include <utility>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/operations/wavelet/bucket_counts.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/openmp/rows.hpp"
#include "core/operations/wavelet/parts/statistics.hpp"

namespace parallax {

/// Some rows of a band in one slice: a piece of work.
struct BandPart {
    std::size_t band = 0;
    std::int64_t z = 0, firstRow = 0, endRow = 0;
};
std::vector<BandPart> partsOf(const std::vector<WaveletBand>& bands);

/// Rows of a part, within a mosaic: f(pointer to the first sample of the row).
template <class T, class F>
void forRows(const View<T>& mosaic, const WaveletBand& band, const BandPart& part, F&& f) {
    for (std::int64_t y = part.firstRow; y < part.endRow; ++y) f(&mosaic.at(band.origin[0], band.origin[1] + y, band.origin[2] + part.z));
}

/// Moments of each band, of all ranks: those of rows, added by sumOfRows().
std::vector<RowMoments> momentsOf(const View<const float>& mosaic, const std::vector<WaveletBand>& bands,
                                  const std::vector<BandPart>& parts, const PartGroup& group, const RunContext& context, int threads);

/// Bytes that momentsOf() takes.
std::uint64_t momentBytes(const std::vector<WaveletBand>& bands);

/// Order statistics of magnitudes: exact, by counting the upper 16 and then the lower 15 bits of the floats, whose order is that of their
/// bits.
class MagnitudeSelection {
public:
    explicit MagnitudeSelection(int threads);
    /// Counts the finite samples of bands, of magnitudes above `above`, and returns how many there are; all of them for a negative number.
    /// Bands are those with their flag set. Ranks of a group count together.
    std::int64_t count(const View<const float>& mosaic, const std::vector<WaveletBand>& bands, const std::vector<BandPart>& parts,
                       const std::vector<bool>& chosen, float above, const PartGroup& group, const RunContext& context);
    /// Returns the magnitudes of two ranks, 0 being the smallest, among the samples that were counted last and must be unchanged.
    std::pair<float, float> at(std::int64_t first, std::int64_t second);
    static std::uint64_t bytes(int threads);

private:
    struct Counted {
        View<const float> mosaic;
        const std::vector<WaveletBand>* bands = nullptr;
        const std::vector<BandPart>* parts = nullptr;
        std::vector<bool> chosen;
        std::int32_t above = -1;  ///< bits of a magnitude; -1: counts all
        PartGroup group;
        const RunContext* context = nullptr;
    };
    float lowerBits(std::uint32_t bucket, std::int64_t rank);

    int threads_;
    Counted counted_;
    std::vector<BucketCounts> partial_;  ///< of each worker
    std::vector<std::int64_t> upper_;    ///< of this rank
};

}  // namespace parallax
