// SPDX-License-Identifier: GPL-3.0-or-later
// Differences of implementations from the reference, and growth of values and errors in transforms. See README.md.
//
// Samples and coefficients are float. The reference computes everything between them in double; others may compute passes in float, for
// which the tolerances of the operations are made. One in double differs from the reference by its last rounding only.
#pragma once

#include "core/operations/wavelet/layout.hpp"

namespace parallax {

struct WaveletGains {
    /// Largest coefficient of pictures, relative to the largest sample, along the path with the most passes: the product of each pass's
    /// largest row sum or row norm. A signal matched to the signs of the filter can exceed it.
    double forward = 1;
    double forwardRoundings = 0;  ///< of passes in float, in units of 2^-24 of the largest sample
    double forwardSum = 1;  ///< product of each pass's largest sum of magnitudes: bound of all coefficients relative to the largest sample
    double inverse = 1;     ///< largest row norm of the whole inverse: growth of independent errors of coefficients
    double inverseSum = 1;  ///< largest row sum of magnitudes: growth of errors of one sign
    double inverseRoundings = 0;  ///< of passes in float, in units of 2^-24 of the largest coefficient
    double largestWeight = 1;     ///< bound of the weight of one detail coefficient in one sample
};
/// Takes up to milliseconds for long filters: call it once for a plan.
WaveletGains waveletGains(const WaveletPlan& plan);

/// Tolerances of both directions for a largest magnitude of the input, for implementations that compute passes in float.
Tolerance forwardTolerance(const WaveletPlan& plan, double magnitude);
Tolerance inverseTolerance(const WaveletPlan& plan, double magnitude);
/// Tolerance of a transform, a change of coefficients that magnifies their errors by `slope`, and the inverse, on a picture of this
/// magnitude, with passes in float.
Tolerance roundTripTolerance(const WaveletPlan& plan, double magnitude, double slope);
/// Largest difference of two implementations that compute in double and store floats: one unit in the last place if a sum lies between
/// two floats, 2^-23 of the value, and the roundings of their sums in double, which matter only for values near 0.
struct StoredError {
    double relative = 0x1p-23;
    double absolute = 0;
};
/// Errors of coefficients, for a largest magnitude of the samples, and of samples, for a largest magnitude of the coefficients.
StoredError coefficientError(const WaveletPlan& plan, const WaveletGains& gains, double magnitude);
StoredError sampleError(const WaveletPlan& plan, const WaveletGains& gains, double magnitude);
/// Returns the magnitude up to which a detail of a level counts as 0, for a largest magnitude of the samples: the largest error of passes
/// in double away from borders. Details of equal or repeated samples are rounding errors, exactly 0 in one implementation and not in
/// another; the limit makes implementations agree about them. Extrapolating border modes do not raise it.
double zeroDetail(const WaveletPlan& plan, int level, double magnitude);
/// The same for passes in float, where rounding errors can exceed real details of dark areas: every detail up to `least` counts as 0, no
/// detail above `most` does. In an area of equal samples each axis contributes a factor of a few roundings, so details along two or more
/// axes stay below `least` there.
struct ZeroDetails {
    double least = 0, most = 0;
};
ZeroDetails zeroDetailsInFloat(const WaveletPlan& plan, int level, double magnitude);
/// Returns the largest error of a sample if this many coefficients, each of at most this magnitude, are kept by one implementation and
/// dropped by another.
double decisionTolerance(const WaveletPlan& plan, const WaveletGains& gains, std::int64_t ambiguous, double magnitude);

/// Multiplications and additions, and passes, of one channel in one direction.
double waveletFlops(const WaveletPlan& plan);

/// The most coefficients of one band, for each level from 0 to `levels`, that depend on one sample of a signal of n samples.
std::vector<std::int64_t> influencedCoefficients(std::int64_t n, int taps, int levels, WaveletMode rule);

/// The most samples of the mosaic that depend on one sample of the image.
double forwardInfluence(const WaveletPlan& plan);

}  // namespace parallax
