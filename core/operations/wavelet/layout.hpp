// SPDX-License-Identifier: GPL-3.0-or-later
// Placement of coefficients in an image: the mosaic of PyWavelets' coeffs_to_array(wavedecn(...)).
//
// Along each transformed axis of n_0 samples, level l has n_l coefficients (coefficientCount() of n_(l-1)). Details of level l start at
// o_l = n_L + n_L + ... + n_(l+1) and end at o_l + n_l; everything coarser lies before o_l, the approximation in the corner. A band with
// the approximation along an axis covers [0, n_l) of [0, o_l) there. Where the filter makes n_l smaller than o_l, zeros fill the gap.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/operations/wavelet/extension.hpp"
#include "core/operations/wavelet/filters.hpp"

namespace parallax {

struct WaveletAxis {
    bool transformed = false;
    /// Index l: coefficients a band of level l has, 0 <= l <= levels; [0] is the image. All the same where not transformed.
    std::vector<std::int64_t> count;
    /// Index l: where details of level l start, 1 <= l <= levels; [0] is the extent of the mosaic. All `count` where not transformed.
    std::vector<std::int64_t> offset;
};

/// One of the 2^axes bands of a level, or the approximation of the last level.
struct WaveletBand {
    int level = 0;         ///< 1 is the finest
    unsigned details = 0;  ///< bit 0, 1, 2: detail along x, y, z; 0: the approximation
    std::array<std::int64_t, 3> origin{}, extent{};
    std::int64_t samples() const { return extent[0] * extent[1] * extent[2]; }
    /// "a3", "d2.xz".
    std::string key() const;
    /// Without the level: "Approximation", "Details along x, z".
    std::string title() const;
};

/// A box of the mosaic that belongs to no band, first <= i < end along x, y, z: `dwt` fills it with 0.
struct WaveletGap {
    std::array<std::int64_t, 3> first{}, end{};
    std::size_t axis = 0;  ///< along which it begins at the end of a band
};

/// Everything about a transform that does not depend on samples.
struct WaveletPlan {
    FilterBank bank;
    WaveletMode mode = WaveletMode::symmetric;
    int levels = 1;
    std::array<WaveletAxis, 3> axes;  ///< x, y, z
    Shape image, mosaic;

    int taps() const { return bank.taps(); }
    int transformedAxes() const;
    /// Extent of one band of a level; 0: of the image.
    Shape levelShape(int level) const;
    /// The approximation first, then the details from the coarsest level to the finest, x changing fastest.
    std::vector<WaveletBand> bands() const;
    /// All boxes between bands; they do not overlap. None with one level, or with as many coefficients as samples.
    std::vector<WaveletGap> gaps() const;
};

/// Reach of the transform alone, in samples of the image: half the window of a coefficient of the coarsest level.
Reach waveletReach(const WaveletPlan& plan);

/// levels 0: as many as leave one coefficient free of the border along every axis, floor(log2(n / (taps - 1))), but 1 at least.
/// Throws Error(usage): unusable filters, a mosaic that cannot be addressed.
WaveletPlan planWavelet(const WaveletParameters& parameters, const Shape& image);
/// As many levels as an axis of n samples gives with at least one coefficient that does not depend on the border; 0 for short ones.
int reasonableLevels(std::int64_t n, int taps);

/// Returns the fact that describes a mosaic, as in "wavelet=db4 mode=symmetric levels=3 axes=xyz shape=512x511x78".
Fact describeCoefficients(const WaveletPlan& plan, const std::vector<Fact>& before);
/// Returns the last such fact, or the end.
std::vector<Fact>::const_iterator lastCoefficientFact(const std::vector<Fact>& facts);
/// Returns the content of the last such fact, if any. Throws Error(input) if it cannot be read.
struct StoredTransform {
    WaveletParameters parameters;  ///< levels and axes resolved
    Shape image;                   ///< channels 0: not recorded
};
std::optional<StoredTransform> storedTransform(const std::vector<Fact>& facts);

/// The transform of a `dwt`.
WaveletPlan planForward(const Problem& problem);
/// The transform that an `idwt` undoes: from the parameters, else from the coefficients, else the defaults of `dwt` and the
/// largest image of even size that has a mosaic of this shape, or else of odd size. Throws Error(usage): parameters and coefficients
/// contradict each other, or no image has such a mosaic.
WaveletPlan planInverse(const Problem& problem);

/// Sentences on axes that are too short for the levels asked for.
std::vector<std::string> waveletNotes(const WaveletPlan& plan);

/// Indices of the channels that a text names, all but alpha for "all". Throws Error(usage) for a name that is not there.
std::vector<int> waveletChannels(const Problem& problem, const std::string& text);

}  // namespace parallax
