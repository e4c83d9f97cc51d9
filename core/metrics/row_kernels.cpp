// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for the baseline and for AVX2 with FMA; the loader chooses. No loop here has branches, so that compilers vectorise all of them.
#include "core/metrics/row_kernels.hpp"

#include <bit>
#include <cmath>
#include <cstddef>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PARALLAX_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define PARALLAX_CLONES
#endif
#if defined(__clang__)
#define PARALLAX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define PARALLAX_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace parallax::rows {
namespace {

// Eight floats at any address: one AVX register, or two of SSE.
using Vector = float __attribute__((vector_size(32)));
using Unaligned = float __attribute__((vector_size(32), aligned(4), may_alias));
constexpr std::int64_t kLanes = 8;
constexpr float kZeros[kLanes] = {};

#define PARALLAX_LOAD(pointer) (*reinterpret_cast<const Unaligned*>(pointer))
#define PARALLAX_STORE(pointer, value) (*reinterpret_cast<Unaligned*>(pointer) = (value))

// Polynomials by weighted least squares on Chebyshev nodes, coefficients in ascending order. Estrin's scheme: chains of operations that
// wait for each other are short.
inline float polynomial(const float (&c)[6], float x) {
    const float x2 = x * x;
    return (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2 + (c[4] + c[5] * x) * (x2 * x2);
}
inline float polynomial(const float (&c)[8], float x) {
    const float x2 = x * x;
    return (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2 + ((c[4] + c[5] * x) + (c[6] + c[7] * x) * x2) * (x2 * x2);
}

/// x^(5/12) scaled as sRGB, in s = x^(1/4).
inline float srgbCurve(float x) {
    constexpr float kCurve[] = {-0.0577183122F, 0.111458981F, 1.54633359F, -1.48224948F,
                                1.96541484F,    -1.9811763F,  1.33216184F, -0.526022535F};
    const float s = __builtin_sqrtf(__builtin_sqrtf(x));
    const float p = polynomial(kCurve, s) + 0.0917974504F * (x * x);
    return x <= 0.0031308F ? 12.92F * x : p;
}

/// f(t) of CIE L*a*b*, within 4e-7 for t in [0, 1].
inline float labCurve(float t) {
    constexpr float kRoot[] = {-0.00872673314F, 0.439863118F,  1.15763577F,  -1.3202782F,
                               1.37737228F,     -0.979785461F, 0.408985357F, -0.0750662523F};
    const float p = polynomial(kRoot, __builtin_sqrtf(__builtin_sqrtf(t)));
    return t > 216.0F / 24389.0F ? p : 841.0F / 108.0F * t + 4.0F / 29.0F;
}

inline float logarithm2(float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;  // so that the mantissa is in [sqrt(1/2), sqrt(2))
    const float y = std::bit_cast<float>(bits - exponent * 0x800000) - 1.0F;
    constexpr float kLogarithm[] = {1.44269496F,  -0.721352788F, 0.480923239F, -0.360239623F,
                                    0.287098789F, -0.248877175F, 0.234041777F, -0.145809928F};
    return static_cast<float>(exponent) + y * polynomial(kLogarithm, y);
}

inline float exponential2(float x) {
    x = x < -125.0F ? -125.0F : x;
    const std::int32_t whole = static_cast<std::int32_t>(x + 256.5F) - 256;
    const float f = x - static_cast<float>(whole);
    constexpr float kPower[] = {1.00000007F, 0.693146967F, 0.240221197F, 0.0555071329F, 0.00967554168F, 0.00132764672F};
    const float p = polynomial(kPower, f);
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(p) + whole * 0x800000);
}

/// x^e for x >= 0; at least 1e-30 counts.
inline float power(float x, float e) { return exponential2(e * logarithm2(x < 1e-30F ? 1e-30F : x)); }

inline float clampUnit(float v) {
    v = v > 0.0F ? v : 0.0F;
    return v < 1.0F ? v : 1.0F;
}

/// 1 for NaN and infinities.
inline std::int32_t isNotFinite(float v) { return (std::bit_cast<std::int32_t>(v) & 0x7f800000) == 0x7f800000 ? 1 : 0; }

// Linear sRGB to CIE XYZ, each divided by that of D65; and back from (y, x - y, y - z).
constexpr float kToXyz[3][3] = {
    {0.433895389F, 0.376242373F, 0.189862239F}, {0.212636822F, 0.715182982F, 0.072180196F}, {0.017752423F, 0.109465629F, 0.872781948F}};
constexpr float kToRgb[3][2] = {{3.080341988F, 0.542943019F}, {-0.921178396F, -0.045248412F}, {0.052881293F, -1.151129913F}};

// Redistribution of colour errors, [ANSAM20] equation 8 and section 4.1.
constexpr float kColourPower = 0.7F, kKnee = 0.4F, kKneeValue = 0.95F;

/// Narkowicz's fit of the ACES tone curve, with the exposure of 0.6 that [ANSAM21] uses.
inline float aces(float v) {
    const float x = 0.6F * v;
    return clampUnit(x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F));
}

inline void toOpponent(float r, float g, float b, float& y, float& cx, float& cz) {
    const float x = kToXyz[0][0] * r + kToXyz[0][1] * g + kToXyz[0][2] * b;
    y = kToXyz[1][0] * r + kToXyz[1][1] * g + kToXyz[1][2] * b;
    cx = x - y;
    cz = y - (kToXyz[2][0] * r + kToXyz[2][1] * g + kToXyz[2][2] * b);
}

/// Calls body(r, g, b, first) for blocks of kRowBlock samples of a row, of which the last one may overlap the one before. In a shorter row
/// the last sample is repeated. Asks for the next row meanwhile: rows of a tile are not contiguous, so processors do not foresee where the
/// next one begins.
template <class Body>
__attribute__((always_inline)) inline void forBlocks(const RgbRow& rgb, std::int64_t n, Body&& body) {
    const float *r = rgb.channels[0], *g = rgb.channels[1], *b = rgb.channels[2];
    std::int64_t first = 0;
    for (; first + kRowBlock <= n; first += kRowBlock) {
        for (int half = 0; half < 2; ++half) {
            const std::int64_t next = first + rgb.stride + half * kRowBlock / 2;
            __builtin_prefetch(r + next, 0, 2);
            __builtin_prefetch(g + next, 0, 2);
            __builtin_prefetch(b + next, 0, 2);
        }
        body(r + first, g + first, b + first, first);
    }
    if (first == n) return;
    if (n > kRowBlock) {
        const std::int64_t last = n - kRowBlock;
        return body(r + last, g + last, b + last, last);
    }
    float end[3][kRowBlock];
    for (std::int64_t i = 0; i < kRowBlock; ++i)
        for (int c = 0; c < 3; ++c) end[c][i] = rgb.channels[c][i < n ? i : n - 1];
    body(end[0], end[1], end[2], 0);
}

/// Opponent colours of curve(sample). Returns whether the sums of all pixels are finite.
template <class Curve>
__attribute__((always_inline)) inline bool toOpponentRows(const RgbRow& rgb, float* const out[3], std::int64_t n, Curve&& curve) {
    std::int32_t bad = 0;
    forBlocks(
        rgb, n, [&](const float* r, const float* g, const float* b, std::int64_t first) __attribute__((always_inline)) {
            float *y = out[0] + first, *cx = out[1] + first, *cz = out[2] + first;
            PARALLAX_INDEPENDENT
            for (std::int64_t i = 0; i < kRowBlock; ++i) {
                bad |= isNotFinite(r[i] + g[i] + b[i]);
                toOpponent(curve(r[i]), curve(g[i]), curve(b[i]), y[i], cx[i], cz[i]);
            }
        });
    return bad == 0;
}

}  // namespace

PARALLAX_CLONES void across(const float* const* rows, int radius, const float* w, float* out, std::int64_t n) {
    const float* const* centre = rows + radius;
    for (std::int64_t i = 0; i < n; i += 4 * kLanes) {
        const float* c = centre[0] + i;
        Vector s0 = PARALLAX_LOAD(c) * w[0], s1 = PARALLAX_LOAD(c + 8) * w[0], s2 = PARALLAX_LOAD(c + 16) * w[0],
               s3 = PARALLAX_LOAD(c + 24) * w[0];
        for (int k = 1; k <= radius; ++k) {
            const float *p = centre[k] + i, *m = centre[-k] + i;
            s0 += (PARALLAX_LOAD(p) + PARALLAX_LOAD(m)) * w[k];
            s1 += (PARALLAX_LOAD(p + 8) + PARALLAX_LOAD(m + 8)) * w[k];
            s2 += (PARALLAX_LOAD(p + 16) + PARALLAX_LOAD(m + 16)) * w[k];
            s3 += (PARALLAX_LOAD(p + 24) + PARALLAX_LOAD(m + 24)) * w[k];
        }
        PARALLAX_STORE(out + i, s0);
        PARALLAX_STORE(out + i + 8, s1);
        PARALLAX_STORE(out + i + 16, s2);
        PARALLAX_STORE(out + i + 24, s3);
    }
}

PARALLAX_CLONES void acrossTwo(const float* const* rows, int radius, const float* w1, const float* w2, float* out1, float* out2,
                               std::int64_t n) {
    const float* const* centre = rows + radius;
    for (std::int64_t i = 0; i < n; i += 2 * kLanes) {
        const float* c = centre[0] + i;
        Vector s0 = PARALLAX_LOAD(c) * w1[0], s1 = PARALLAX_LOAD(c + 8) * w1[0];
        Vector t0 = PARALLAX_LOAD(c) * w2[0], t1 = PARALLAX_LOAD(c + 8) * w2[0];
        for (int k = 1; k <= radius; ++k) {
            const float *p = centre[k] + i, *m = centre[-k] + i;
            const Vector e0 = PARALLAX_LOAD(p) + PARALLAX_LOAD(m), e1 = PARALLAX_LOAD(p + 8) + PARALLAX_LOAD(m + 8);
            s0 += e0 * w1[k];
            s1 += e1 * w1[k];
            t0 += e0 * w2[k];
            t1 += e1 * w2[k];
        }
        PARALLAX_STORE(out1 + i, s0);
        PARALLAX_STORE(out1 + i + 8, s1);
        PARALLAX_STORE(out2 + i, t0);
        PARALLAX_STORE(out2 + i + 8, t1);
    }
}

PARALLAX_CLONES void acrossFour(const float* const* rows, int radius, const FourFilters& w, const FourRows& out, std::int64_t n) {
    const float* const* centre = rows + radius;
    for (std::int64_t i = 0; i < n; i += kLanes) {
        const Vector c = PARALLAX_LOAD(centre[0] + i);
        Vector s0 = c * w.even[0][0], s1 = c * w.even[1][0], s2 = c * w.even[2][0], s3 = PARALLAX_LOAD(kZeros);
        for (int k = 1; k <= radius; ++k) {
            const Vector p = PARALLAX_LOAD(centre[k] + i), m = PARALLAX_LOAD(centre[-k] + i);
            const Vector sum = p + m;
            s0 += sum * w.even[0][k];
            s1 += sum * w.even[1][k];
            s2 += sum * w.even[2][k];
            s3 += (p - m) * w.odd[k];
        }
        PARALLAX_STORE(out.even[0] + i, s0);
        PARALLAX_STORE(out.even[1] + i, s1);
        PARALLAX_STORE(out.even[2] + i, s2);
        PARALLAX_STORE(out.odd + i, s3);
    }
}

PARALLAX_CLONES void along(const float* in, int radius, const float* w, float* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += 4 * kLanes) {
        const float* c = in + i;
        Vector s0 = PARALLAX_LOAD(c) * w[0], s1 = PARALLAX_LOAD(c + 8) * w[0], s2 = PARALLAX_LOAD(c + 16) * w[0],
               s3 = PARALLAX_LOAD(c + 24) * w[0];
        for (int k = 1; k <= radius; ++k) {
            s0 += (PARALLAX_LOAD(c + k) + PARALLAX_LOAD(c - k)) * w[k];
            s1 += (PARALLAX_LOAD(c + k + 8) + PARALLAX_LOAD(c - k + 8)) * w[k];
            s2 += (PARALLAX_LOAD(c + k + 16) + PARALLAX_LOAD(c - k + 16)) * w[k];
            s3 += (PARALLAX_LOAD(c + k + 24) + PARALLAX_LOAD(c - k + 24)) * w[k];
        }
        PARALLAX_STORE(out + i, s0);
        PARALLAX_STORE(out + i + 8, s1);
        PARALLAX_STORE(out + i + 16, s2);
        PARALLAX_STORE(out + i + 24, s3);
    }
}

PARALLAX_CLONES void alongTwo(const float* in1, const float* w1, const float* in2, const float* w2, int radius, float* out,
                              std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += 2 * kLanes) {
        const float *c = in1 + i, *d = in2 + i;
        Vector s0 = PARALLAX_LOAD(c) * w1[0], s1 = PARALLAX_LOAD(c + 8) * w1[0];
        Vector t0 = PARALLAX_LOAD(d) * w2[0], t1 = PARALLAX_LOAD(d + 8) * w2[0];
        for (int k = 1; k <= radius; ++k) {
            s0 += (PARALLAX_LOAD(c + k) + PARALLAX_LOAD(c - k)) * w1[k];
            s1 += (PARALLAX_LOAD(c + k + 8) + PARALLAX_LOAD(c - k + 8)) * w1[k];
            t0 += (PARALLAX_LOAD(d + k) + PARALLAX_LOAD(d - k)) * w2[k];
            t1 += (PARALLAX_LOAD(d + k + 8) + PARALLAX_LOAD(d - k + 8)) * w2[k];
        }
        PARALLAX_STORE(out + i, s0 + t0);
        PARALLAX_STORE(out + i + 8, s1 + t1);
    }
}

PARALLAX_CLONES void alongEvenAndOdd(const float* in, int radius, const float* even, const float* odd, float* outEven, float* outOdd,
                                     std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += 2 * kLanes) {
        const float* c = in + i;
        Vector s0 = PARALLAX_LOAD(c) * even[0], s1 = PARALLAX_LOAD(c + 8) * even[0];
        Vector t0 = PARALLAX_LOAD(kZeros), t1 = t0;
        for (int k = 1; k <= radius; ++k) {
            const Vector p0 = PARALLAX_LOAD(c + k), m0 = PARALLAX_LOAD(c - k), p1 = PARALLAX_LOAD(c + k + 8), m1 = PARALLAX_LOAD(c - k + 8);
            s0 += (p0 + m0) * even[k];
            s1 += (p1 + m1) * even[k];
            t0 += (p0 - m0) * odd[k];
            t1 += (p1 - m1) * odd[k];
        }
        PARALLAX_STORE(outEven + i, s0);
        PARALLAX_STORE(outEven + i + 8, s1);
        PARALLAX_STORE(outOdd + i, t0);
        PARALLAX_STORE(outOdd + i + 8, t1);
    }
}

PARALLAX_CLONES bool allFinite(const float* in, std::int64_t n) {
    std::int32_t bad = 0;
    for (std::int64_t i = 0; i < n; ++i) bad |= (std::bit_cast<std::int32_t>(in[i]) & 0x7f800000) == 0x7f800000 ? 1 : 0;
    return bad == 0;
}

PARALLAX_CLONES double sum(const float* in, std::int64_t n) {
    Vector parts = PARALLAX_LOAD(kZeros);
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) parts += PARALLAX_LOAD(in + i);
    double total = 0;
    for (int lane = 0; lane < kLanes; ++lane) total += static_cast<double>(parts[lane]);
    for (; i < n; ++i) total += static_cast<double>(in[i]);
    return total;
}

PARALLAX_CLONES bool luminance(const RgbRow& rgb, float scale, float* out, std::int64_t n) {
    const float wr = 0.2126F * scale, wg = 0.7152F * scale, wb = 0.0722F * scale;
    std::int32_t bad = 0;
    forBlocks(
        rgb, n, [&](const float* r, const float* g, const float* b, std::int64_t first) __attribute__((always_inline)) {
            float* o = out + first;
            PARALLAX_INDEPENDENT
            for (std::int64_t i = 0; i < kRowBlock; ++i) {
                const float v = wr * r[i] + wg * g[i] + wb * b[i];
                bad |= isNotFinite(v);
                o[i] = v;
            }
        });
    return bad == 0;
}

PARALLAX_CLONES bool encodedLuminance(const RgbRow& rgb, float* out, std::int64_t n) {
    std::int32_t bad = 0;
    forBlocks(
        rgb, n, [&](const float* r, const float* g, const float* b, std::int64_t first) __attribute__((always_inline)) {
            float* o = out + first;
            PARALLAX_INDEPENDENT
            for (std::int64_t i = 0; i < kRowBlock; ++i) {
                const float v = 0.2126F * r[i] + 0.7152F * g[i] + 0.0722F * b[i];
                bad |= isNotFinite(v);
                o[i] = clampUnit(v);
            }
            PARALLAX_INDEPENDENT
            for (std::int64_t i = 0; i < kRowBlock; ++i) o[i] = srgbCurve(o[i]);
        });
    return bad == 0;
}

PARALLAX_CLONES void sumAndDifference(const float* a, const float* b, float offset, float* sum, float* difference, std::int64_t n) {
    PARALLAX_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
        sum[i] = a[i] + b[i] - offset;
        difference[i] = a[i] - b[i];
    }
}

PARALLAX_CLONES void acrossWithSquares(const float* const* rows, int radius, const float* w, float* out, float* outOfSquares,
                                       std::int64_t n) {
    const float* const* centre = rows + radius;
    for (std::int64_t i = 0; i < n; i += 2 * kLanes) {
        const Vector c0 = PARALLAX_LOAD(centre[0] + i), c1 = PARALLAX_LOAD(centre[0] + i + 8);
        Vector s0 = c0 * w[0], s1 = c1 * w[0], t0 = c0 * c0 * w[0], t1 = c1 * c1 * w[0];
        for (int k = 1; k <= radius; ++k) {
            const float *p = centre[k] + i, *m = centre[-k] + i;
            const Vector p0 = PARALLAX_LOAD(p), p1 = PARALLAX_LOAD(p + 8), m0 = PARALLAX_LOAD(m), m1 = PARALLAX_LOAD(m + 8);
            s0 += (p0 + m0) * w[k];
            s1 += (p1 + m1) * w[k];
            t0 += (p0 * p0 + m0 * m0) * w[k];
            t1 += (p1 * p1 + m1 * m1) * w[k];
        }
        PARALLAX_STORE(out + i, s0);
        PARALLAX_STORE(out + i + 8, s1);
        PARALLAX_STORE(outOfSquares + i, t0);
        PARALLAX_STORE(outOfSquares + i + 8, t1);
    }
}

PARALLAX_CLONES void dissimilarity(const float* const columns[4], int radius, const float* w, const SsimConstants& constants, float* out,
                                   std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += 2 * kLanes) {
        Vector means[4][2];
        for (int c = 0; c < 4; ++c)
            for (int half = 0; half < 2; ++half) means[c][half] = PARALLAX_LOAD(columns[c] + i + half * kLanes) * w[0];
        for (int k = 1; k <= radius; ++k)
            for (int c = 0; c < 4; ++c) {
                const float *p = columns[c] + i + k, *m = columns[c] + i - k;
                means[c][0] += (PARALLAX_LOAD(p) + PARALLAX_LOAD(m)) * w[k];
                means[c][1] += (PARALLAX_LOAD(p + kLanes) + PARALLAX_LOAD(m + kLanes)) * w[k];
            }
        // With s = a + b, d = a - b: 2 mu_a mu_b = (mu_s^2 - mu_d^2) / 2, mu_a^2 + mu_b^2 = (mu_s^2 + mu_d^2) / 2, likewise for variances.
        const Vector zero = PARALLAX_LOAD(kZeros);
        for (int half = 0; half < 2; ++half) {
            const Vector d = means[2][half], dd = d * d, s = means[0][half] + constants.offset, ss = s * s;
            const Vector variance = means[1][half] - means[0][half] * means[0][half], rest = means[3][half] - dd;
            const Vector varianceS = variance > zero ? variance : zero, varianceD = rest > zero ? rest : zero;
            const Vector p = 0.5F * (ss + dd) + constants.c1, q = 0.5F * (varianceS + varianceD) + constants.c2;
            // 1 - (p - dd) (q - varianceD) / (p q)
            PARALLAX_STORE(out + i + half * kLanes, (dd * q + varianceD * (p - dd)) / (p * q));
        }
    }
}

PARALLAX_CLONES bool opponent(const RgbRow& rgb, float* const out[3], std::int64_t n) {
    return toOpponentRows(
        rgb, out, n, [](float v) __attribute__((always_inline)) { return clampUnit(v); });
}

PARALLAX_CLONES bool opponentOfExposure(const RgbRow& rgb, float gain, float* const out[3], std::int64_t n) {
    // Larger values map to white; the limit keeps squares finite.
    constexpr float kLimit = 1e6F;
    return toOpponentRows(
        rgb, out, n, [gain](float v) __attribute__((always_inline)) {
            v = gain * (v > 0.0F ? v : 0.0F);
            return aces(v < kLimit ? v : kLimit);
        });
}

PARALLAX_CLONES void huntLab(float* const colour[3], std::int64_t n) {
    float *first = colour[0], *second = colour[1], *third = colour[2];
    PARALLAX_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
        const float y = first[i], cx = second[i], cz = third[i];
        const float r = clampUnit(y + kToRgb[0][0] * cx + kToRgb[0][1] * cz);
        const float g = clampUnit(y + kToRgb[1][0] * cx + kToRgb[1][1] * cz);
        const float b = clampUnit(y + kToRgb[2][0] * cx + kToRgb[2][1] * cz);
        const float fx = labCurve(kToXyz[0][0] * r + kToXyz[0][1] * g + kToXyz[0][2] * b);
        const float fy = labCurve(kToXyz[1][0] * r + kToXyz[1][1] * g + kToXyz[1][2] * b);
        const float fz = labCurve(kToXyz[2][0] * r + kToXyz[2][1] * g + kToXyz[2][2] * b);
        const float lightness = 116.0F * fy - 16.0F;
        first[i] = lightness;
        second[i] = 0.01F * lightness * 500.0F * (fx - fy);
        third[i] = 0.01F * lightness * 200.0F * (fy - fz);
    }
}

double largestColourError() {
    const auto hunted = [](double r, double g, double b, double out[3]) {
        double f[3];
        for (int i = 0; i < 3; ++i) {
            const float* m = kToXyz[i];
            const double t = static_cast<double>(m[0]) * r + static_cast<double>(m[1]) * g + static_cast<double>(m[2]) * b;
            f[i] = t > 216.0 / 24389 ? std::cbrt(t) : 841.0 / 108 * t + 4.0 / 29;
        }
        out[0] = 116 * f[1] - 16;
        out[1] = 0.01 * out[0] * 500 * (f[0] - f[1]);
        out[2] = 0.01 * out[0] * 200 * (f[1] - f[2]);
    };
    double green[3], blue[3];
    hunted(0, 1, 0, green);
    hunted(0, 0, 1, blue);
    return std::pow(std::fabs(green[0] - blue[0]) + std::hypot(green[1] - blue[1], green[2] - blue[2]), static_cast<double>(kColourPower));
}

PARALLAX_CLONES void flipError(const float* const labA[3], const float* const labB[3], const FeatureRow& a, const FeatureRow& b, float* out,
                               std::int64_t n) {
    static const float largest = static_cast<float>(largestColourError());
    const float *la = labA[0], *aa = labA[1], *ba = labA[2], *lb = labB[0], *ab = labB[1], *bb = labB[2];
    const float *eax = a.edgeX, *eay = a.edgeY, *pax = a.pointX, *pay = a.pointY;
    const float *ebx = b.edgeX, *eby = b.edgeY, *pbx = b.pointX, *pby = b.pointY;
    const float knee = kKnee * largest, below = kKneeValue / knee, above = (1.0F - kKneeValue) / (largest - knee);
    PARALLAX_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
        const float l = __builtin_fabsf(la[i] - lb[i]), da = aa[i] - ab[i], db = ba[i] - bb[i];
        const float e = power(l + __builtin_sqrtf(da * da + db * db), kColourPower);
        const float colour = clampUnit(e < knee ? below * e : kKneeValue + (e - knee) * above);
        const float edge =
            __builtin_fabsf(__builtin_sqrtf(eax[i] * eax[i] + eay[i] * eay[i]) - __builtin_sqrtf(ebx[i] * ebx[i] + eby[i] * eby[i]));
        const float point =
            __builtin_fabsf(__builtin_sqrtf(pax[i] * pax[i] + pay[i] * pay[i]) - __builtin_sqrtf(pbx[i] * pbx[i] + pby[i] * pby[i]));
        const float feature = clampUnit(__builtin_sqrtf(0.70710678F * (edge > point ? edge : point)));
        // 0 stays 0: power() counts from 1e-30.
        out[i] = colour > 1e-12F ? power(colour, 1.0F - feature) : 0.0F;
    }
}

PARALLAX_CLONES void keepLargest(const float* from, float* into, std::int64_t n) {
    PARALLAX_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) into[i] = from[i] > into[i] ? from[i] : into[i];
}

}  // namespace parallax::rows
