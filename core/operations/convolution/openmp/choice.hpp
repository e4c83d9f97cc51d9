// SPDX-License-Identifier: GPL-3.0-or-later
// Which variant `openmp` takes when none is asked for: one rule, apart from everything that computes, so that it can be tested.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/engine/backend/implementation.hpp"

namespace parallax {

enum class OpenmpConvolution { direct, separable, fft };

struct OpenmpConvolutionFacts {
    std::int64_t width = 1, height = 1;
    std::int64_t planes = 1;  ///< filtered slices and channels
    int kernelWidth = 1, kernelHeight = 1;
    int terms = 0;          ///< columns times rows whose sum the kernel is, 1 or 2; 0: `separable` cannot do it
    int threads = 1;        ///< that will share the work
    int lanes = 16;         ///< floats of a vector of the direct form
    bool halfRate = false;  ///< openmpVectorsAtHalfRate()
    std::function<Support()> fft;
};
struct OpenmpConvolutionChoice {
    OpenmpConvolution variant = OpenmpConvolution::direct;
    std::string reason;
};

/// The one that costs least, in units of a multiply-add of the direct form, a sample:
///   direct      w h
///   separable   kSeparableFixed + kSeparableTap terms (w + h)
///   fft         fftSampleCost() for each sample of all tiles, those included that a thread waits for when tiles do not go round.
/// The constants and what they were measured on: openmp_tuning.hpp.
OpenmpConvolutionChoice chooseOpenmpConvolution(const OpenmpConvolutionFacts& facts);

/// How the plane is cut for transforms (overlap-save; Stockham 1966): a tile of width x height samples gives columns x rows results.
struct FftTile {
    int width = 0, height = 0;
    int columns = 0, rows = 0;
    std::int64_t across = 0, down = 0;  ///< tiles of a plane
};
/// The one that costs least among extents that transform fast. Two tiles are transformed at a time, by one thread.
FftTile chooseFftTile(const OpenmpConvolutionFacts& facts);

/// Says yes, with the reason, for the one variant that the rule takes.
Preference openmpPreference(OpenmpConvolution variant, const Problem& problem);

}  // namespace parallax
