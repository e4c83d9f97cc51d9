// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers of the passes of the gradient operator, which work on arrays of the layout of gpu/solvers. They enqueue everything and never
// wait. Compiles without nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include "core/operations/tone_mapping/gradient_formulas.hpp"
#include "gpu/operations/tone_mapping/launchers.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// A level of the pyramid: rows of `pitch` elements.
struct GradientLevel {
    int width = 0, height = 0, pitch = 0;
    float* logarithms = nullptr;
    float* attenuation = nullptr;  ///< magnitudes of gradients first

    PARALLAX_HOST_DEVICE std::int64_t at(int x, int y) const { return std::int64_t{y} * pitch + x; }
    std::int64_t elements() const { return std::int64_t{pitch} * height; }
    /// Without the rows before `row`.
    GradientLevel from(int row) const {
        GradientLevel level = *this;
        level.height -= row;
        if (logarithms) level.logarithms += at(0, row);
        if (attenuation) level.attenuation += at(0, row);
        return level;
    }
};

/// Rows of a level that count for its mean, and the pixels of the whole level. On several devices a level has rows of other parts, too, and
/// the sum of what all of them find is the mean.
struct GradientRows {
    int first = 0, last = 0;
    double pixels = 1;
};

/// The parameters of the passes.
struct GradientNumbers {
    double alpha = 1, beta = 1, noise = 0;
    double clipWhite = 0, clipBlack = 0;
    float saturation = 1, largestRatio = 1;
};

/// Of white and of black.
inline constexpr int kGradientRanks = 2;
/// Device state of a run besides ToneState.
struct GradientState {
    double means[kMaximumToneLevels];  ///< mean magnitude of each level
    HistogramLimits all;               ///< of the logarithms of the result
    HistogramLimits around[kGradientRanks];
    tone::DisplayRange range;
};

inline constexpr int kGradientBins = 4096;

struct GradientMemory {
    ToneMemory tone;  ///< the statistics of the luminance are known
    GradientState* state = nullptr;
    double* partials = nullptr;  ///< kGradientBlocks
    unsigned* ticket = nullptr;  ///< 0 before the first launch
    float* plane = nullptr;      ///< dense, one float for each pixel
    std::uint64_t* counts = nullptr;
};
/// Most blocks of a pass over a level.
inline constexpr int kGradientBlocks = 1024;

/// Logarithms of the finest level. Pixels with a NaN count as the log-average.
void launchGradientLogarithms(const TonePlanes& planes, const ToneSetup& setup, const GradientMemory& memory, const GradientLevel& finest,
                              cudaStream_t stream);
void launchGradientReduction(const GradientLevel& fine, const GradientLevel& coarse, cudaStream_t stream);
/// Magnitudes and their mean.
void launchGradientMagnitudes(const GradientLevel& level, int index, const GradientRows& counted, const GradientMemory& memory,
                              cudaStream_t stream);
/// Magnitudes to attenuations, times those of the coarser level unless that is null.
void launchGradientAttenuation(const GradientLevel& level, int index, const GradientLevel* coarse, const GradientNumbers& numbers,
                               const GradientMemory& memory, cudaStream_t stream);
/// b = the negative divergence of the attenuated gradients, for the rows of the grid, which begin at row `first` of the level.
void launchGradientDivergence(const GradientLevel& finest, int first, const Grid& grid, double* b, cudaStream_t stream);
/// The plane = the solution x, NaN where a sample is.
void launchGradientPlane(const TonePlanes& planes, const ToneSetup& setup, const GradientMemory& memory, const Grid& grid, const double* x,
                         cudaStream_t stream);
/// Limits of a plane without values become 0.
void launchGradientLimits(const GradientMemory& memory, cudaStream_t stream);
/// From the counts of a histogram between `limits` of the state to those of the bin that has the rank: white (0), black (1).
void launchGradientRank(int rank, bool first, const GradientNumbers& numbers, const GradientMemory& memory, cudaStream_t stream);
void launchGradientRange(const GradientMemory& memory, cudaStream_t stream);
/// Writes the colours and counts pixels brighter than white.
void launchGradientMapping(const TonePlanes& planes, const ToneSetup& setup, const GradientNumbers& numbers, const GradientMemory& memory,
                           cudaStream_t stream);
void preloadGradient(const ToneSetup& setup);

}  // namespace parallax::gpu
