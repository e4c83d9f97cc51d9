// SPDX-License-Identifier: GPL-3.0-or-later
// The constants that follow from the parameters and the statistics of an image, in double, for host and device. README.md has the sources.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "core/operations/tone_mapping/formulas.hpp"
#include "core/operations/tone_mapping/parameters.hpp"

namespace parallax {

/// The parameters that the constants depend on.
struct ToneControls {
    int channels = 1;  ///< colour channels
    double key = 0.18, white = 0, contrast = 0, intensity = 0, chromatic = 0;
    bool fillsUnit = true;                       ///< photoreceptor: samples are scaled to [0, 1] first
    int scales = 0;                              ///< of the local operator; 0 for all others
    double sharpening[kMaximumToneScales] = {};  ///< 2^phi / scale^2

    /// Arguments of tone::receptorLight().
    PARALLAX_HOST_DEVICE double receptorDelta() const { return fillsUnit ? 0.0 : double{tone::kPhotoreceptorDelta}; }
    PARALLAX_HOST_DEVICE double receptorFloor() const {
        return double{fillsUnit ? +tone::kPhotoreceptorFloor : +tone::kPhotoreceptorDelta};
    }
};

/// What maps a luminance or a sample: everything that the formulas need besides the pixel. Backends round it to float.
struct ToneConstants {
    double limit = 1;          ///< that infinite samples count as
    std::int64_t finite = -1;  ///< host: pixels with a finite luminance; -1 before the first pass
    // global and local
    double logAverage = 1, largest = 0, white = 0;  ///< as found or asked for, in the image's own luminance
    double q = 1, k = 0;                            ///< see tone::globalFactor()
    double sharpening[kMaximumToneScales] = {};     ///< see tone::activity()
    // photoreceptor
    double low = 0, perRange = 1;  ///< sample -> max(0, (sample - low) * perRange)
    double f = 1, m = 1;
    double average[3] = {0, 0, 0};             ///< see tone::adaptation()
    double mappedLow = 0, mappedPerRange = 1;  ///< of the last step, which fills [0, 1]
};

namespace tone {

PARALLAX_HOST_DEVICE inline double withinFloat(double value) { return value < double{FLT_MAX} ? value : double{FLT_MAX}; }

PARALLAX_HOST_DEVICE inline void setLargest(ToneConstants& c, double largest) {
    c.largest = largest;
    c.limit = largest > 0 ? largest : 1;
}

/// Sets (low, perRange) so that (x - low) * perRange fills [0, 1]. Images of one value stay as they are: OpenCV's rule and threshold.
PARALLAX_HOST_DEVICE inline void fillUnit(double& low, double& perRange, double minimum, double range) {
    low = range > DBL_EPSILON ? minimum : 0;
    perRange = range > DBL_EPSILON ? withinFloat(1 / range) : 1;
}

/// Global, local and histogram adjustment, from their one pass: the largest luminance and the mean of the logarithms, both 0 for an image
/// without finite pixels.
PARALLAX_HOST_DEVICE inline void concludeLuminance(ToneConstants& c, const ToneControls& p, double largest, double meanLogarithm) {
    setLargest(c, largest);
    c.logAverage = std::exp(meanLogarithm);
    c.white = p.white > 0 ? p.white : largest;
    c.q = withinFloat(c.logAverage / p.key);
    // Black images have no white; everything is far below it then.
    c.k = c.white > 0 ? withinFloat(c.q / c.white / c.white) : 0;
    for (int i = 0; i < p.scales; ++i) c.sharpening[i] = withinFloat(p.sharpening[i] * c.logAverage);
}

// Photoreceptor, three passes, since each needs what the one before found: concludeRange(), from luminance and samples;
// concludeAdaptation(), from the image scaled to that range; fillUnit(mappedLow, mappedPerRange), from the results.

PARALLAX_HOST_DEVICE inline void concludeRange(ToneConstants& c, const ToneControls& p, double largest, double minimum, double range) {
    setLargest(c, largest);
    c.low = 0;
    c.perRange = 1;
    if (p.fillsUnit) fillUnit(c.low, c.perRange, minimum, range);
}

/// Smallest and largest luminance of the scaled image and mean of its logarithms; sums of luminance and channels over `count` pixels, at
/// least 1.
PARALLAX_HOST_DEVICE inline void concludeAdaptation(ToneConstants& c, const ToneControls& p, double smallest, double largest,
                                                    double meanLogarithm, double luminance, const double (&channels)[3], double count) {
    // Without scaling as pfstools: the logarithm of black is without bound, and then the key is 0.
    const double floor = p.fillsUnit ? p.receptorFloor() : 0;
    const double brightest = std::log(largest < floor ? floor : largest), range = brightest - std::log(smallest < floor ? floor : smallest);
    // Between 0 (the average is the brightest) and 1 (the average is the darkest); 0 where all pixels are the same, or black.
    const double key = range > 0 ? (brightest - meanLogarithm) / range : 0;
    c.logAverage = std::exp(meanLogarithm);
    c.m = p.contrast > 0 ? p.contrast : 0.3 + 0.7 * std::pow(key < 0 ? 0 : key > 1 ? 1 : key, 1.4);
    c.f = std::exp(-p.intensity);
    for (int i = 0; i < p.channels; ++i) c.average[i] = p.chromatic * channels[i] / count + (1 - p.chromatic) * luminance / count;
}

}  // namespace tone
}  // namespace parallax
