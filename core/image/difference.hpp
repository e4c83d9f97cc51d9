// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of the difference between two images, and its largest errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/image/view.hpp"

namespace parallax {

struct WorstPixel {
    std::int64_t x = 0, y = 0, z = 0, channel = 0;
    double a = 0, b = 0;
    double error() const;  ///< |b - a|; infinity if one of them is not finite and they differ
};

/// Metrics of b against a over the samples that are finite in both. A pair agrees if both are NaN or the same infinity; any other pair with
/// a non-finite sample is a mismatch and counted separately.
struct DifferenceMetrics {
    double maxAbs = 0, meanAbs = 0, rmse = 0;
    double relativeL2 = 0;  ///< ||b - a|| / ||a||; 0 if both are 0, infinity if only a is 0
    double peak = 0;        ///< reference of psnr
    double psnr = 0;        ///< dB, 20 log10(peak / rmse); infinity if rmse is 0
    std::uint64_t compared = 0;
    std::uint64_t nanMismatches = 0;       ///< NaN in one of both
    std::uint64_t infinityMismatches = 0;  ///< infinity against another value, not NaN
    /// Width of the frame influenced by border modes, whose errors are given apart from the interior; 0: not split.
    std::int64_t borderWidth = 0;
    double maxAbsBorder = 0, rmseBorder = 0, maxAbsInterior = 0, rmseInterior = 0;
    std::optional<std::uint64_t> beyond;  ///< samples beyond DifferenceOptions::tolerance, if given
    std::vector<WorstPixel> worst;        ///< largest errors first

    std::uint64_t mismatches() const { return nanMismatches + infinityMismatches; }
    /// `ambiguous`: share of the samples that may deviate by more (see Tolerance); needs `beyond` for the same tolerance.
    bool within(double tolerance, double ambiguous = 0) const {
        if (mismatches() != 0) return false;
        return maxAbs <= tolerance || (beyond && static_cast<double>(*beyond) <= ambiguous * static_cast<double>(compared));
    }
};

struct DifferenceOptions {
    std::optional<double> peak;       ///< default: the largest finite |a|, or 1 if that is 0
    std::optional<double> tolerance;  ///< samples that deviate by more are counted
    std::int64_t borderWidth = 0;     ///< pixels
    int worstCount = 10;
};

/// Throws Error(usage) if the shapes differ. One pass over the samples, two if the peak is not given.
DifferenceMetrics compareViews(View<const float> a, View<const float> b, const DifferenceOptions& options = {});

}  // namespace parallax
