// SPDX-License-Identifier: GPL-3.0-or-later
// The hot loops of the gradient operator on rows, compiled for each instruction set.
#pragma once

#include <cstdint>

#include "core/operations/tone_mapping/gradient_formulas.hpp"
#include "core/operations/tone_mapping/openmp/kernels.hpp"

namespace parallax::tone {

/// Relative luminances are luminance / average + delta.
struct GradientNumbers {
    float average = 1, delta = 0;
    float black = 0, perRange = 1;  ///< of the display
    float largestRatio = 1, saturation = 1;
};

/// Logarithms of luminances in place; those of NaN are that of 1 + delta.
void takeLogarithms(float* row, std::int64_t count, const GradientNumbers& g);
/// `to`: (width + 1) / 2 samples; `scratch`: width.
void reduceRow(const float* const (&from)[5], std::int64_t width, float* scratch, float* to);
/// Magnitudes of central differences; returns their sum.
double gradientMagnitudes(const float* above, const float* own, const float* below, std::int64_t width, float* to);
/// Magnitudes to attenuations in place, times the mean of two rows of the coarser level, interpolated; null on the coarsest level.
/// `scratch`: 2 (width + 2).
void attenuateRow(float* row, std::int64_t width, const Attenuation<float>& attenuation, const float* coarse, const float* nextCoarse,
                  float* scratch);
/// The negative divergence. Rows above and below may be the row itself, at the border.
struct DivergenceRows {
    const float *above, *own, *below;
};
void divergenceRow(const DivergenceRows& logarithms, const DivergenceRows& attenuation, std::int64_t width, double* to);
/// Writes the pixels and returns how many are brighter than white. `logarithms`: relative to that of white, with room for a vector more.
std::int64_t mapGradient(const PixelRun& run, const PixelNumbers& k, const GradientNumbers& g, const float* logarithms);

}  // namespace parallax::tone
