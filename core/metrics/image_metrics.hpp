// SPDX-License-Identifier: GPL-3.0-or-later
// SSIM, FLIP and ULP distance of two images, computed of what suits their kind, and maps of the errors.
#pragma once

#include <optional>

#include "core/engine/run/run_record.hpp"
#include "core/image/image.hpp"
#include "core/metrics/flip.hpp"
#include "core/metrics/ssim.hpp"
#include "core/metrics/ulp.hpp"

namespace parallax {

/// How colours are seen.
enum class DynamicRange {
    automatic,  ///< high if a colour of the reference exceeds 1
    standard,   ///< colours are clamped to [0, 1]
    high
};

/// Are the samples light, that is colours or one channel of an image without geometry?
bool hasLight(const Image& image);

struct ImageMetricOptions {
    DynamicRange range = DynamicRange::automatic;
    double pixelsPerDegree = 67;
};

struct ImageMetrics {
    /// See hasLight(). Without light (volumes, files with a geometry, other channels) there are neither FLIP nor SSIM of display values.
    bool light = false;
    bool highDynamicRange = false;     ///< of light
    std::optional<double> ssim;        ///< SsimScale::display
    std::optional<double> ssimLinear;  ///< SsimScale::linear with `linearRange`: of values that are not light, and of high dynamic range
    double linearRange = 0;            ///< largest minus smallest finite sample of the reference, 0 included; 1 if all are 0
    std::optional<FlipMetrics> flip;
    UlpMetrics ulp;
};

/// b against the reference a. SSIM of an image with other channels than colours is the mean over its channels but alpha. Progress counts
/// tasks. Throws Error(usage) if the shapes differ, Error(cancelled).
ImageMetrics computeImageMetrics(const Image& a, const Image& b, const ImageMetricOptions& options, RunContext& context);

/// A result against that of the reference, as records keep it. Both are of the kind of `like`, such as the input: its channels and
/// geometry; with another number of channels, they are not light. Throws as computeImageMetrics().
ResultMetrics computeResultMetrics(const Image& like, View<const float> reference, View<const float> result, RunContext& context);

enum class ErrorMap {
    absolute,  ///< largest |b - a| of the channels; infinity where they disagree about a sample that is not finite
    ssim,      ///< 1 - SSIM, as `ssim`, or as `ssimLinear` of values that are not light
    flip
};
/// One channel of the size of the images, 0 where they agree. Throws Error(usage) for a FLIP map of values that are not light, or if the
/// shapes differ; Error(cancelled).
Image makeErrorMap(const Image& a, const Image& b, ErrorMap kind, const ImageMetricOptions& options, RunContext& context,
                   std::shared_ptr<Allocator> memory = hostAllocator());

}  // namespace parallax
