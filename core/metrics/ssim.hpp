// SPDX-License-Identifier: GPL-3.0-or-later
// Structural similarity of two images.
// [WBSS04] Wang, Bovik, Sheikh, Simoncelli: Image quality assessment: from error visibility to structural similarity. IEEE TIP 13 (4),
// 2004.
#pragma once

#include "core/engine/run/run_context.hpp"
#include "core/metrics/pixel_pair.hpp"

namespace parallax {

/// What SSIM is computed of: the luminance Y = 0.2126 R + 0.7152 G + 0.0722 B of each pixel, of a grey image its samples.
enum class SsimScale {
    display,  ///< Y clamped to [0, 1] and encoded as sRGB; the dynamic range is 1
    linear    ///< Y as it is; SsimOptions::range is the dynamic range
};

struct SsimOptions {
    SsimScale scale = SsimScale::display;
    double range = 1;      ///< L of [WBSS04], for SsimScale::linear; above 0
    double mapWeight = 1;  ///< factor of what is added to the map, for the mean of several channels
};

/// Mean of SSIM(x, y), equation 13 of [WBSS04], in [-1, 1]; 1 means equal. Windows of 11 x 11 pixels with Gaussian weights of
/// sigma 1.5, K1 = 0.01, K2 = 0.03, variances without the correction n / (n - 1). The mean (equation 17) is over the pixels whose window
/// is inside the image; along an axis with fewer than 11 pixels it is over all of them. Outside, the image is mirrored with its edge pixel
/// repeated. Slices of a volume are compared one by one. Samples that are not finite: see PixelPair; an error of 1 is an SSIM of 0.
///
/// Adds 1 - SSIM of every pixel, in [0, 2], to `map`, which has the shape of one channel; its data may be null.
/// Throws Error(usage) if the shapes differ or the range is not above 0, Error(cancelled). Computes in float: the mean is within 1e-6 of
/// that in double. The result does not depend on the number of threads.
double structuralSimilarity(const PixelPair& pair, const SsimOptions& options, View<float> map, RunContext& context);

}  // namespace parallax
