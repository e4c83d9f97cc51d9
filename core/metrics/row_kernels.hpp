// SPDX-License-Identifier: GPL-3.0-or-later
// Loops over rows of samples that the metrics share. Filters process blocks of kRowBlock samples: rows are padded to a multiple of it, and
// the padding may be read and written. Rows that are filtered along x must be readable for `radius` samples on both sides.
#pragma once

#include <cstdint>

namespace parallax::rows {

inline constexpr std::int64_t kRowBlock = 32;

// Filters over the 2 radius + 1 rows at `rows`, of which rows[radius] is the centre; weights[k] belongs to the rows at distance k.
/// out = w[0] rows[r] + sum of w[k] (rows[r - k] + rows[r + k]).
void across(const float* const* rows, int radius, const float* w, float* out, std::int64_t n);
/// The same with two sets of weights.
void acrossTwo(const float* const* rows, int radius, const float* w1, const float* w2, float* out1, float* out2, std::int64_t n);
/// The same with three sets of weights, and an antisymmetric one: odd[k] (rows[r + k] - rows[r - k]).
struct FourFilters {
    const float* even[3];
    const float* odd;
};
struct FourRows {
    float* even[3];
    float* odd;
};
void acrossFour(const float* const* rows, int radius, const FourFilters& w, const FourRows& out, std::int64_t n);

// Filters along a row.
void along(const float* in, int radius, const float* w, float* out, std::int64_t n);
/// out = filter of in1 with w1 + filter of in2 with w2.
void alongTwo(const float* in1, const float* w1, const float* in2, const float* w2, int radius, float* out, std::int64_t n);
/// A symmetric and an antisymmetric filter of one row; the latter is the sum of odd[k] (in[+k] - in[-k]).
void alongEvenAndOdd(const float* in, int radius, const float* even, const float* odd, float* outEven, float* outOdd, std::int64_t n);

/// Are all samples finite?
bool allFinite(const float* in, std::int64_t n);

/// Sum in double of partial sums in float.
double sum(const float* in, std::int64_t n);

// SSIM.
struct RgbRow {
    const float* channels[3];
    std::int64_t stride = 0;  ///< to the next row, which is fetched into the cache meanwhile; 0: none
};
/// Rec. 709 luminance times `scale`. Returns whether all values are finite.
bool luminance(const RgbRow& rgb, float scale, float* out, std::int64_t n);
/// Rec. 709 luminance, clamped to [0, 1] and encoded as sRGB within 4e-7. Returns whether all luminances are finite.
bool encodedLuminance(const RgbRow& rgb, float* out, std::int64_t n);
/// a + b - offset and a - b.
void sumAndDifference(const float* a, const float* b, float offset, float* sum, float* difference, std::int64_t n);
/// across() of the samples and of their squares.
void acrossWithSquares(const float* const* rows, int radius, const float* w, float* out, float* outOfSquares, std::int64_t n);
struct SsimConstants {
    float offset;  ///< that of sumAndDifference()
    float c1, c2;
};
/// 1 - SSIM from the sum, its square, the difference and its square, of which each was filtered across rows; filters them along the row.
void dissimilarity(const float* const columns[4], int radius, const float* w, const SsimConstants& constants, float* out, std::int64_t n);

// FLIP.
/// Linear RGB to (y, x - y, y - z), where x, y, z are CIE XYZ divided by those of D65: an affine form of YCxCz. Clamps to [0, 1].
/// Returns whether the sums of all pixels are finite; if a sample is not, its sum is not.
bool opponent(const RgbRow& rgb, float* const out[3], std::int64_t n);
/// The same after v = aces(v * gain), the tone curve of HDR-FLIP.
bool opponentOfExposure(const RgbRow& rgb, float gain, float* const out[3], std::int64_t n);
/// Filtered opponent colours, clamped to the gamut, to L*, and a* and b* with the Hunt adjustment; in place.
void huntLab(float* const colour[3], std::int64_t n);
struct FeatureRow {
    const float *edgeX, *edgeY, *pointX, *pointY;
};
/// The FLIP error of each pixel, in [0, 1], from huntLab() and the features of both images.
void flipError(const float* const labA[3], const float* const labB[3], const FeatureRow& a, const FeatureRow& b, float* out,
               std::int64_t n);
/// HyAB distance of the Hunt-adjusted Lab of green and blue to the power 0.7: c_max of [ANSAM20], section 4.1.
double largestColourError();

/// into = max(into, from).
void keepLargest(const float* from, float* into, std::int64_t n);

}  // namespace parallax::rows
