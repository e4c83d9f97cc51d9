// SPDX-License-Identifier: GPL-3.0-or-later
// FLIP, the difference that people perceive when they flip between two images.
// [ANSAM20] Andersson, Nilsson, Akenine-Moeller, Oskarsson, Astrom, Fairchild: FLIP: a difference evaluator for alternating images.
//           PACMCGIT 3 (2), 2020.
// [ANSAM21] Andersson, Nilsson, Shirley, Akenine-Moeller: Visualizing errors in rendered high dynamic range images. EG short papers, 2021.
#pragma once

#include "core/engine/run/run_context.hpp"
#include "core/metrics/pixel_pair.hpp"

namespace parallax {

struct FlipOptions {
    /// Resolution of the display as the observer sees it: 67 is a 0.7 m wide display of 3,840 pixels at 0.7 m. In [kMinPixelsPerDegree,
    /// kMaxPixelsPerDegree].
    double pixelsPerDegree = 67;
    /// HDR-FLIP; else colours are clamped to [0, 1].
    bool highDynamicRange = false;

    static constexpr double kMinPixelsPerDegree = 1, kMaxPixelsPerDegree = 1000;
};

struct FlipMetrics {
    double mean = 0;  ///< over all pixels, in [0, 1]; 0 means equal
    double minimum = 0, maximum = 0;
    /// Pixels with at most this error hold a quarter, half, three quarters of the sum of all errors; within 1e-4.
    double weightedQuartile1 = 0, weightedMedian = 0, weightedQuartile3 = 0;
    double pixelsPerDegree = 67;
    // Of HDR-FLIP: stops by which the darkest and the brightest exposure multiply, and their number; else 0.
    double startExposure = 0, stopExposure = 0;
    int exposures = 0;
};

/// LDR-FLIP between linear colours [ANSAM20], or HDR-FLIP [ANSAM21]: the largest LDR-FLIP of each pixel over a range of exposures.
///
/// Colours are clamped to [0, 1], as a display does, and compared in two pipelines: filtered with the contrast sensitivity of the eye
/// (equations 2 to 4), then as HyAB distance of Hunt-adjusted L*a*b* (equations 5 to 9); and as differences of edges and points
/// (equations 10 to 12). Together they are Delta E = Delta E_c ^ (1 - Delta E_f) (equation 13). Outside, the edge pixel is repeated. FLIP
/// takes sRGB and decodes it: linear input skips both.
///
/// HDR-FLIP multiplies by 2^c, maps with the ACES curve and clamps. The exposures c go from the one that maps the largest luminance of the
/// reference to 0.85, to the one that does so with its median, in steps of about one stop ([ANSAM21] section 3); at least two.
///
/// `pair.a` is the reference. `map`: receives the error of each pixel; its shape is that of one channel; its data may be null. Samples that
/// are not finite: see PixelPair. Slices of a volume are compared one by one. Throws Error(usage) if the shapes differ or pixelsPerDegree
/// is out of range, Error(cancelled). The result does not depend on the number of threads.
FlipMetrics flip(const PixelPair& pair, const FlipOptions& options, View<float> map, RunContext& context);

}  // namespace parallax
