// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers of the kernels of ToneMappingExecution. They enqueue everything and never wait. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/operations/tone_mapping/state.hpp"
#include "gpu/operations/tone_mapping/tuning.hpp"
#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/reduction.hpp"
#include "gpu/primitives/scan.hpp"

namespace parallax::gpu {

/// Device memory shared by all kernels of an execution.
struct ToneMemory {
    ToneState* state = nullptr;
    TonePart* parts = nullptr;        ///< one per block of a pass: toneBlocks()
    unsigned* ticket = nullptr;       ///< 0 before the first launch
    TonePart* total = nullptr;        ///< receives the statistics of a pass over a part or over strips; else null
    bool continues = false;           ///< a pass over strips: adds to `total`, which has the statistics of the strips before
    std::uint64_t* counts = nullptr;  ///< histogram: bins + kHistogramExtraCounts
    std::uint64_t* fixed = nullptr;   ///< bins + 1: fixed-point counts after the ceiling, then their running sums
    float* cumulative = nullptr;      ///< bins + 1
};

/// A contiguous image becomes a single row.
TonePlanes flattened(const TonePlanes& planes);
/// Returns the number of blocks of a pass over `pixels` pixels.
std::int64_t toneBlocks(std::int64_t pixels, int multiprocessors, const ToneMapTuning& tuning = kToneStatisticsTuning);

/// Gathers statistics in a pass over the image; the last block to end combines the results of the blocks in their order and computes the
/// constants. `backwards`: from the end, which the level-2 cache still holds from the previous pass.
void launchTonePass(TonePass pass, const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors,
                    bool backwards, cudaStream_t stream);
/// Histogram adjustment: counts the brightness of all pixels. The first pass has cleared the counts.
void launchToneCounts(const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors, bool backwards,
                      cudaStream_t stream);
/// Computes ceiling, running sums and curve from the counts.
void launchToneCurve(const ToneSetup& setup, const ToneMemory& memory, cudaStream_t stream);
/// Writes the colours and counts pixels brighter than white, for all operators except the local one.
void launchToneMapping(const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors, bool backwards,
                       cudaStream_t stream);
void preloadTonePasses(const ToneSetup& setup);
void preloadToneHistogram(const ToneSetup& setup);

// ---- the local operator -------------------------------------------------------------------------------------------------------------

struct ToneGaussian {
    int radius = 0;
    int chunks = 0;  ///< of kToneChunk weights, for the columns, including leading zeros
    int offset = 0;  ///< of the first of these weights
    /// Leading zeros of the first chunk.
    PARALLAX_HOST_DEVICE constexpr int lead() const { return chunks * kToneChunk - 2 * radius - 1; }
    /// The weights of four distances from the pixel.
    PARALLAX_HOST_DEVICE constexpr int halfChunks() const { return (radius + 3) / 4; }
};

/// The weights as an argument of the kernels, which may have 4 KiB in all.
struct alignas(16) ToneWeights {
    float of[768];
};

/// A band of rows: all Gaussians along the rows, then along the columns together with the choice of scale and the mapping. Intermediate
/// results are stored in stripes of kColumnsOfWarp columns, so that the distance of rows is a compile-time constant.
struct ToneBand {
    ToneGaussian gaussians[kMaximumToneScales + 1];  ///< ascending
    int count = 0;                                   ///< number of Gaussians, one more than scales
    int radius = 0;                                  ///< of the largest Gaussian
    const float* weights = nullptr;                  ///< device memory
    int columnWeights = 0;                           ///< number of weights for the columns, which precede those for the rows
    /// Offsets of the weights for the rows, for each group of Gaussians that RowSums adds at a time, from the largest on: the centres, each
    /// with three zeros, then the weights of 1 to 4 pixels beside them, and so on up to the radius of the largest.
    int rowWeights[kMaximumToneScales + 1] = {};
    bool inArgument = false;    ///< ToneWeights has all weights
    float* filtered = nullptr;  ///< device memory: `stripes` stripes of `rows` rows for each Gaussian
    std::int64_t stripes = 0;
    std::int64_t rows = 0;            ///< of a stripe: roundedRows(), with above() before and after
    std::int64_t begin = 0, end = 0;  ///< rows of the image

    /// Rows of a stripe before `begin`: the radius, and rows that first chunks load but do not use.
    PARALLAX_HOST_DEVICE constexpr int above() const { return radius + kToneChunk; }
    /// Rows rounded up to whole blocks of climbScales.
    PARALLAX_HOST_DEVICE static constexpr std::int64_t roundedRows(std::int64_t rows) {
        return (rows + kColumnRows - 1) / kColumnRows * kColumnRows;
    }
};
void launchToneRows(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                    const ToneMemory& memory, cudaStream_t stream);
/// To be called after launchToneRows() of the same band.
void launchToneColumns(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                       const ToneMemory& memory, cudaStream_t stream);
void preloadToneBand(const ToneSetup& setup);

// ---- the same statistics by the variants of gpu/primitives ----------------------------------------------------------------------------

struct TonePrimitives {
    ReductionVariant reduction;
    HistogramVariant histogram;
    ScanVariant scan;
};
/// A plane of one number per pixel, the results of the primitives, and their workspace.
struct TonePrimitiveMemory {
    float* plane = nullptr;
    void* results = nullptr;  ///< kTonePrimitiveResultBytes
    Workspace reduction, histogram, scan;
};
inline constexpr std::size_t kTonePrimitiveResultBytes = 256;
/// Returns the bytes of the workspaces, without data.
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
