// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of the difference between two images, and its largest errors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/image/view.hpp"

namespace parallax {

struct WorstPixel {
    std::int64_t x = 0, y = 0, z = 0, channel = 0;
    double a = 0, b = 0;
    double error() const;  ///< |b - a|; infinity if one of them is not finite and they differ
};

/// Writes the tolerance of each sample of one plane, row by row.
using LocalTolerance = std::function<void(std::int64_t z, std::int64_t channel, std::span<float> plane)>;

/// The sample whose error is the largest part of its tolerance.
struct ClosestToTolerance {
    WorstPixel pixel;
    double share = 0;  ///< error / tolerance of this sample; above 1 beyond it, infinity where no error is allowed
    double tolerance() const { return share > 0 ? pixel.error() / share : 0; }
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
    std::optional<std::uint64_t> beyond;        ///< samples beyond their tolerance, if one is given
    std::optional<ClosestToTolerance> closest;  ///< if tolerances are local and any sample differs
    std::vector<WorstPixel> worst;              ///< largest errors first

    std::uint64_t mismatches() const { return nanMismatches + infinityMismatches; }
    /// `ambiguous`: share of the samples that may deviate by more (see Tolerance); needs `beyond` for the same tolerance.
    bool within(double tolerance, double ambiguous = 0) const {
        if (mismatches() != 0) return false;
        return (maxAbs <= tolerance && (!closest || closest->share <= 1)) ||
               (beyond && static_cast<double>(*beyond) <= ambiguous * static_cast<double>(compared));
    }
};

struct DifferenceOptions {
    std::optional<double> peak;       ///< default: the largest finite |a|, or 1 if that is 0
    std::optional<double> tolerance;  ///< samples that deviate by more are counted
    LocalTolerance localTolerance{};  ///< replaces it for counting, if set
    std::int64_t borderWidth = 0;     ///< pixels
    int worstCount = 10;
};

/// Throws Error(usage) if the shapes differ. One pass over the samples, two if the peak is not given.
DifferenceMetrics compareViews(View<const float> a, View<const float> b, const DifferenceOptions& options = {});

}  // namespace parallax
