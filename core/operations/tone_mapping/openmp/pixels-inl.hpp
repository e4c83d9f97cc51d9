// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of pixels, common to the hot loops. Included once for each instruction set, after Highway.
#if defined(PARALLAX_TONE_PIXELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PARALLAX_TONE_PIXELS_INL
#undef PARALLAX_TONE_PIXELS_INL
#else
#define PARALLAX_TONE_PIXELS_INL
#endif

#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include <cfloat>
#include <cstring>
#include <type_traits>

#include "core/operations/tone_mapping/formulas.hpp"
#include "core/operations/tone_mapping/openmp/kernels.hpp"

/// For lambdas: called, they would load each of their constants again for every vector.
#ifndef PARALLAX_INLINE
#define PARALLAX_INLINE __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace parallax::tone {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using DI = hn::Rebind<std::int32_t, D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;
using M = hn::Mask<D>;
constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

HWY_INLINE V set(float value) { return hn::Set(D(), value); }

/// Calls f with the number of channels as a constant that the compiler knows.
template <class F>
HWY_INLINE auto forChannels(int channels, const F& f) {
    switch (channels) {
        case 1: return f(std::integral_constant<int, 1>());
        case 2: return f(std::integral_constant<int, 2>());
        default: return f(std::integral_constant<int, 3>());
    }
}

template <int C>
struct Colour {
    V c[C];
    V luminance;
};

/// Calls body(colour, valid, offset, lanes) for each vector of the run; the last one may be partly valid, its other lanes are 0. There is
/// one call, so that compilers put the body in its place.
template <int C, class Body>
HWY_INLINE void forVectors(const PixelRun& run, const Body& body) {
    const M all = hn::FirstN(D(), static_cast<std::size_t>(kLanes));
    alignas(64) float part[C][kLanes] = {};
    for (std::int64_t i = 0; i < run.count; i += kLanes) {
        Colour<C> p;
        M valid = all;
        std::int64_t lanes = kLanes;
        if (HWY_LIKELY(run.count - i >= kLanes)) {
            for (int c = 0; c < C; ++c) p.c[c] = hn::LoadU(D(), run.in[c] + i);
        } else {
            lanes = run.count - i;
            valid = hn::FirstN(D(), static_cast<std::size_t>(lanes));
            for (int c = 0; c < C; ++c) {
                std::memcpy(part[c], run.in[c] + i, static_cast<std::size_t>(lanes) * sizeof(float));
                p.c[c] = hn::Load(D(), part[c]);
            }
        }
        body(p, valid, i, lanes);
    }
}

HWY_INLINE void store(V value, float* to, std::int64_t lanes, bool stream) {
    if (lanes < kLanes) {
        alignas(64) float part[kLanes];
        hn::Store(value, D(), part);
        std::memcpy(to, part, static_cast<std::size_t>(lanes) * sizeof(float));
    } else if (stream) {
        hn::Stream(value, D(), to);
    } else {
        hn::StoreU(value, D(), to);
    }
}

template <int C>
HWY_INLINE V luminanceOf(const V (&c)[C], const PixelNumbers& k) {
    V sum = hn::Mul(set(k.weights[0]), c[0]);
    for (int i = 1; i < C; ++i) sum = hn::MulAdd(set(k.weights[i]), c[i], sum);
    return sum;
}

HWY_INLINE M isFinite(V luminance) { return hn::Lt(hn::Abs(luminance), set(kLargest)); }
/// 0 for negative values; NaN stays (Max would lose it).
HWY_INLINE V positive(V value) { return hn::IfThenElse(hn::Lt(value, hn::Zero(D())), hn::Zero(D()), value); }

/// With infinities replaced.
template <int C, bool kAllFinite>
HWY_INLINE void bound(Colour<C>& p, const PixelNumbers& k) {
    if constexpr (!kAllFinite)
        for (V& c : p.c) c = hn::IfThenElse(hn::Gt(hn::Abs(c), set(kLargest)), hn::CopySign(set(k.limit), c), c);
    p.luminance = luminanceOf(p.c, k);
    if constexpr (!kAllFinite)
        p.luminance = hn::IfThenElse(hn::Gt(hn::Abs(p.luminance), set(kLargest)), hn::CopySign(set(kLargest), p.luminance), p.luminance);
}

/// Photoreceptor: scaled to [0, 1].
template <int C>
HWY_INLINE void scale(Colour<C>& p, const PixelNumbers& k) {
    for (V& c : p.c) c = positive(hn::Mul(hn::Sub(c, set(k.low)), set(k.perRange)));
    p.luminance = luminanceOf(p.c, k);
}

/// Distance from the first bin, in bins; 0 for NaN.
HWY_INLINE V binPosition(V luminance, const PixelNumbers& k) {
    const V brightness = hn::Log(D(), hn::Add(luminance, set(k.delta)));
    const V t = hn::Mul(hn::Sub(brightness, set(k.first)), set(k.perUnit));
    return hn::Min(hn::IfThenElseZero(hn::Gt(t, hn::Zero(D())), t), set(static_cast<float>(k.bins)));
}
HWY_INLINE VI binAt(V position, const PixelNumbers& k) { return hn::Min(hn::ConvertTo(DI(), position), hn::Set(DI(), k.bins - 1)); }

/// Smaller values count as the smallest normal float, as in tone::photoreceptor().
HWY_INLINE V power(V x, V exponent) { return hn::Exp(D(), hn::Mul(exponent, hn::Log(D(), hn::Max(x, set(FLT_MIN))))); }

/// 1 / x within two roundings, for normal x: one step of Newton's on an approximation of 12 bits or more.
HWY_INLINE V reciprocal(V x) {
    const V r = hn::ApproximateReciprocal(x);
    return hn::MulAdd(r, hn::NegMulAdd(x, r, set(1)), r);
}

/// (f Ia)^m. With m <= 1 it is at least the smallest normal float; rounding must not make it less, because the approximate reciprocal of
/// a subnormal float is infinite on AVX2 and SSE4.
HWY_INLINE V sigmaOf(V adapted, const PixelNumbers& k) { return hn::Max(power(hn::Mul(set(k.f), adapted), set(k.m)), set(FLT_MIN)); }
/// With chromatic = 0: the same for all channels.
template <int C>
HWY_INLINE V commonSigma(const Colour<C>& p, const PixelNumbers& k) {
    return sigmaOf(hn::MulAdd(set(k.light), p.luminance, set((1 - k.light) * k.average[0])), k);
}
template <int C>
HWY_INLINE V ownSigma(const Colour<C>& p, int c, const PixelNumbers& k) {
    const V own = hn::MulAdd(set(k.chromatic), p.c[c], hn::Mul(set(1 - k.chromatic), p.luminance));
    return sigmaOf(hn::MulAdd(set(k.light), own, set((1 - k.light) * k.average[c])), k);
}
HWY_INLINE V response(V sample, V sigma) { return hn::Mul(sample, reciprocal(hn::Add(sample, sigma))); }

/// The photoreceptor's answers to a scaled pixel.
template <int C, bool kCommon>
HWY_INLINE void respond(Colour<C>& p, const PixelNumbers& k) {
    if constexpr (kCommon) {
        const V sigma = commonSigma(p, k);
        for (V& c : p.c) c = response(c, sigma);
    } else {
        V sigma[C];
        for (int c = 0; c < C; ++c) sigma[c] = ownSigma(p, c, k);
        for (int c = 0; c < C; ++c) p.c[c] = response(p.c[c], sigma[c]);
    }
}

/// Not inlined: its values would take the registers of the linear case, the usual one.
inline HWY_NOINLINE V encoded(V x, const PixelNumbers& k) {
    const V zero = hn::Zero(D());
    if (k.encoding == ToneEncoding::srgb) {
        const V curve = hn::MulSub(set(1.055F), power(x, set(1 / 2.4F)), set(0.055F));
        return hn::IfThenElse(hn::Gt(x, set(0.0031308F)), curve, hn::Mul(set(12.92F), x));
    }
    if (k.encoding == ToneEncoding::decode) {
        const V curve = power(hn::Mul(hn::Add(x, set(0.055F)), set(1 / 1.055F)), set(2.4F));
        return hn::IfThenElse(hn::Gt(x, set(0.04045F)), curve, hn::Mul(set(1 / 12.92F), x));
    }
    return hn::IfThenElseZero(hn::Gt(x, zero), power(x, set(k.inverseGamma)));
}

/// Saturation of values that have this luminance.
template <int C>
HWY_INLINE void saturate(V (&c)[C], V luminance, const PixelNumbers& k) {
    if (C == 1 || k.saturation == 1) return;
    for (V& value : c) value = hn::MulAdd(set(k.saturation), hn::Sub(value, luminance), luminance);
}

/// Encodes and stores; pixels whose `luminance` is NaN become NaN. Returns how many are brighter than white.
template <int C, bool kAllFinite>
HWY_INLINE std::int64_t finish(const Colour<C>& p, V luminance, const PixelRun& run, const PixelNumbers& k, M valid, std::int64_t i,
                               std::int64_t lanes) {
    const V white = set(static_cast<float>(kBrighterThanWhite));
    M brighter = hn::Gt(p.c[0], white);
    for (int c = 1; c < C; ++c) brighter = hn::Or(brighter, hn::Gt(p.c[c], white));
    brighter = hn::And(brighter, valid);
    if constexpr (!kAllFinite) brighter = hn::And(brighter, hn::Eq(luminance, luminance));
    for (int c = 0; c < C; ++c) {
        V value = HWY_LIKELY(k.encoding == ToneEncoding::linear) ? p.c[c] : encoded(p.c[c], k);
        if constexpr (!kAllFinite) value = hn::IfThenElse(hn::Eq(luminance, luminance), value, luminance);
        store(value, run.out[c] + i, lanes, run.stream);
    }
    return static_cast<std::int64_t>(hn::CountTrue(D(), brighter));
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax::tone
HWY_AFTER_NAMESPACE();

#endif
