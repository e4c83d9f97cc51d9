// SPDX-License-Identifier: GPL-3.0-or-later
// How float32 implementations may differ from the reference, and how transforms magnify values and errors. See README.md.
#pragma once

#include "parallax/operations/wavelet/layout.hpp"

namespace parallax {

struct WaveletGains {
    /// Largest coefficient that pictures make, over the largest sample, along the way with the most passes: the product of each pass's
    /// largest row sum or row norm. A signal matched to the signs of the filter can exceed it.
    double forward = 1;
    double forwardRoundings = 0;  ///< in units of 2^-24 of the largest sample
    double inverse = 1;           ///< largest row norm of the whole inverse: how independent errors of coefficients add up in a sample
    double inverseSum = 1;        ///< largest row sum of magnitudes: how errors that all have one sign do
    double inverseRoundings = 0;  ///< in units of 2^-24 of the largest coefficient
    double largestWeight = 1;     ///< bound of the weight of one detail coefficient in one sample
};
/// Costs up to milliseconds with long filters: once for a plan.
WaveletGains waveletGains(const WaveletPlan& plan);

/// Tolerances of both directions for a largest magnitude of the input.
Tolerance forwardTolerance(const WaveletPlan& plan, double magnitude);
Tolerance inverseTolerance(const WaveletPlan& plan, double magnitude);
/// Of a transform, a change of coefficients that magnifies their errors by `slope`, and the inverse, on a picture of this magnitude.
Tolerance roundTripTolerance(const WaveletPlan& plan, double magnitude, double slope);
/// How far one sample may be off when that many coefficients, each of at most this magnitude, are kept by one implementation and
/// dropped by another.
double decisionTolerance(const WaveletPlan& plan, const WaveletGains& gains, std::int64_t undecided, double magnitude);

/// Multiplications and additions, and passes, of one channel in one direction.
double waveletFlops(const WaveletPlan& plan);

}  // namespace parallax
