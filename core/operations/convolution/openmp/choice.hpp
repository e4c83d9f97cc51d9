// SPDX-License-Identifier: GPL-3.0-or-later
// The rule by which `openmp` chooses a variant if the target names none, separate from all computations, so that it can be tested.
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
    int terms = 0;          ///< columns times rows whose sum the kernel is, 1 or 2; 0: `separable` does not support it
    int threads = 1;        ///< that share the work
    int lanes = 16;         ///< floats of a vector of the direct form
    bool halfRate = false;  ///< openmpVectorsAtHalfRate()
    std::function<Support()> fft{};
};
struct OpenmpConvolutionChoice {
    OpenmpConvolution variant = OpenmpConvolution::direct;
    std::string reason;
};

/// Returns the cheapest variant, by the cost of a sample in multiply-adds of the direct form:
///   direct      w h
///   separable   kSeparableFixed + kSeparableTap terms (w + h)
///   fft         fftSampleCost() for each sample of all tiles, including those that a thread waits for if the tiles do not divide evenly.
/// Constants and their measurements: tuning.hpp.
OpenmpConvolutionChoice chooseOpenmpConvolution(const OpenmpConvolutionFacts& facts);

/// Division of a plane for transforms (overlap-save; Stockham 1966): a tile of width x height samples gives columns x rows results.
struct FftTile {
    int width = 0, height = 0;
    int columns = 0, rows = 0;
    std::int64_t across = 0, down = 0;  ///< tiles of a plane
};
/// Returns the cheapest tile among extents that transform fast. One thread transforms two tiles at a time.
FftTile chooseFftTile(const OpenmpConvolutionFacts& facts);

/// Facts of a problem, but for those that depend on the kernel's rank and FFTW. They are those of all threads of the machine, whatever
/// number is used, so that the same image gives the same bits with any number.
OpenmpConvolutionFacts openmpConvolutionFacts(const Problem& problem);
/// Returns rank 1 with the reason for the variant that the rule chooses, rank 0 for the others.
Preference openmpPreference(OpenmpConvolution variant, const Problem& problem);

}  // namespace parallax
