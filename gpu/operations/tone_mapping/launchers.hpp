// SPDX-License-Identifier: GPL-3.0-or-later
// What tone_mapping.cpp asks of the kernels. Everything is enqueued; nothing waits for the host. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/operations/tone_mapping/state.hpp"
#include "gpu/operations/tone_mapping/tuning.hpp"
#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/reduction.hpp"
#include "gpu/primitives/scan.hpp"

namespace parallax::gpu {

/// Device memory that all kernels of an execution share.
struct ToneMemory {
    ToneState* state = nullptr;
    TonePart* parts = nullptr;        ///< of the blocks of a pass: toneBlocks()
    unsigned* ticket = nullptr;       ///< 0 before the first launch
    std::uint64_t* counts = nullptr;  ///< histogram: bins + kHistogramExtraCounts
    std::uint64_t* fixed = nullptr;   ///< bins + 1: counts that the ceiling has left, as fixed-point numbers, then their running sums
    float* cumulative = nullptr;      ///< bins + 1
};

/// An image whose rows have no gaps becomes a single row.
TonePlanes flattened(const TonePlanes& planes);
/// Blocks of a pass over that many pixels.
std::int64_t toneBlocks(std::int64_t pixels, int multiprocessors, const ToneMapTuning& tuning = kToneStatisticsTuning);

/// One pass over the image that finds out, and what follows from it: the last block to end combines what the blocks left, in their order.
/// `backwards`: from the end, where the level-2 cache still has what the pass before read last.
void launchTonePass(TonePass pass, const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors,
                    bool backwards, cudaStream_t stream);
/// Histogram adjustment: counts the brightness of all pixels. The first pass has cleared the counts.
void launchToneCounts(const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors, bool backwards,
                      cudaStream_t stream);
/// Ceiling, running sums and curve from the counts.
void launchToneCurve(const ToneSetup& setup, const ToneMemory& memory, cudaStream_t stream);
/// Writes the colours (all operators but the local one) and counts what is brighter than white.
void launchToneMapping(const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors, bool backwards,
                       cudaStream_t stream);
void preloadTonePasses(const ToneSetup& setup);
void preloadToneHistogram(const ToneSetup& setup);

// ---- the local operator -------------------------------------------------------------------------------------------------------------

struct ToneGaussian {
    int radius = 0;
    int chunks = 0;  ///< of kToneChunk weights, for the columns, zeros at the beginning included
    int offset = 0;  ///< of the first of these
    /// Zeros that the first chunk begins with.
    PARALLAX_HOST_DEVICE constexpr int lead() const { return chunks * kToneChunk - 2 * radius - 1; }
    /// Of four distances from the pixel.
    PARALLAX_HOST_DEVICE constexpr int halfChunks() const { return (radius + 3) / 4; }
};

/// The weights as an argument of the kernels; with everything else not more than the 4 KiB that all devices take.
struct alignas(16) ToneWeights {
    float of[768];
};

/// One band of rows: all Gaussians of it along the rows, then along the columns with the choice of the scale and the mapping. What lies
/// between the two is kept in stripes of kColumnsOfWarp columns, row below row, so that the distance of rows is known to the compiler.
struct ToneBand {
    ToneGaussian gaussians[kMaximumToneScales + 1];  ///< none smaller than the one before
    int count = 0;                                   ///< of Gaussians, one more than there are scales
    int radius = 0;                                  ///< the largest one
    const float* weights = nullptr;                  ///< device memory
    int columnWeights = 0;                           ///< of all Gaussians for the columns: before those for the rows
    /// Where the weights for the rows begin, of so many Gaussians at a time as RowSums adds, from the largest on: of each one the centre
    /// and three zeros, then of each one those of 1 to 4 pixels beside it, and so on, as far as the largest one of them reaches.
    int rowWeights[kMaximumToneScales + 1] = {};
    bool inArgument = false;    ///< ToneWeights has all of them
    float* filtered = nullptr;  ///< device memory: for each Gaussian `stripes` stripes of `rows` rows
    std::int64_t stripes = 0;
    std::int64_t rows = 0;            ///< of a stripe: roundedRows() and above() before and behind it
    std::int64_t begin = 0, end = 0;  ///< rows of the image that the band makes

    /// Rows of a stripe before `begin`: what the Gaussians reach, and what first chunks load and do not use.
    PARALLAX_HOST_DEVICE constexpr int above() const { return radius + kToneChunk; }
    /// Whole blocks of climbScales.
    PARALLAX_HOST_DEVICE static constexpr std::int64_t roundedRows(std::int64_t rows) {
        return (rows + kColumnRows - 1) / kColumnRows * kColumnRows;
    }
};
void launchToneRows(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                    const ToneMemory& memory, cudaStream_t stream);
/// After launchToneRows() of the same band.
void launchToneColumns(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                       const ToneMemory& memory, cudaStream_t stream);
void preloadToneBand(const ToneSetup& setup);

// ---- the same statistics by the variants of gpu/primitives ----------------------------------------------------------------------------

struct TonePrimitives {
    ReductionVariant reduction;
    HistogramVariant histogram;
    ScanVariant scan;
};
/// A plane of one number a pixel, what the primitives find out of it, their workspace.
struct TonePrimitiveMemory {
    float* plane = nullptr;
    void* results = nullptr;  ///< kTonePrimitiveResultBytes
    Workspace reduction, histogram, scan;
};
inline constexpr std::size_t kTonePrimitiveResultBytes = 256;
/// Bytes of the workspaces; data stay null.
TonePrimitiveMemory tonePrimitiveBytes(const TonePrimitives& primitives, std::int64_t pixels, int bins);
void initialiseTonePrimitives(const TonePrimitives& primitives, const TonePrimitiveMemory& own, cudaStream_t stream);
void launchTonePassByPrimitives(TonePass pass, const TonePlanes& planes, const ToneSetup& setup, const TonePrimitives& primitives,
                                const ToneMemory& memory, const TonePrimitiveMemory& own, cudaStream_t stream);
void launchToneCountsByPrimitives(const TonePlanes& planes, const ToneSetup& setup, const TonePrimitives& primitives,
                                  const ToneMemory& memory, const TonePrimitiveMemory& own, cudaStream_t stream);
void launchToneCurveByPrimitives(const ToneSetup& setup, const TonePrimitives& primitives, const ToneMemory& memory,
                                 const TonePrimitiveMemory& own, cudaStream_t stream);
void preloadTonePrimitives(const TonePrimitives& primitives, const ToneSetup& setup);

}  // namespace parallax::gpu
