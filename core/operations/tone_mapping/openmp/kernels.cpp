// SPDX-License-Identifier: GPL-3.0-or-later
// The passes that write. Compiled once for each instruction set; the best one is chosen when the program runs.

#include "core/operations/tone_mapping/openmp/kernels.hpp"
#include "core/backends/openmp/instructions.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/tone_mapping/openmp/kernels.cpp"
#include <hwy/foreach_target.h>

#include "core/operations/tone_mapping/openmp/pixels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace parallax::tone {
namespace HWY_NAMESPACE {

template <int C, bool kAllFinite>
HWY_INLINE std::int64_t mapGlobalOf(const PixelRun& run, const PixelNumbers& k) {
    std::int64_t brighter = 0;
    forVectors<C>(run, [&](Colour<C> p, M valid, std::int64_t i, std::int64_t lanes) PARALLAX_INLINE {
        bound<C, kAllFinite>(p, k);
        const V luminance = hn::Abs(p.luminance);
        const V factor = hn::Div(hn::MulAdd(set(k.k), luminance, set(1)), hn::Add(set(k.q), luminance));
        saturate(p.c, p.luminance, k);
        for (V& c : p.c) c = hn::Mul(factor, c);
        brighter += finish<C, kAllFinite>(p, p.luminance, run, k, valid, i, lanes);
    });
    return brighter;
}

template <int C, bool kAllFinite>
HWY_INLINE std::int64_t mapLocalOf(const PixelRun& run, const PixelNumbers& k, const float* surround) {
    std::int64_t brighter = 0;
    forVectors<C>(run, [&](Colour<C> p, M valid, std::int64_t i, std::int64_t lanes) PARALLAX_INLINE {
        bound<C, kAllFinite>(p, k);
        // Whole vectors: the surround comes from a scratch row that has room behind it.
        const V factor = hn::Div(set(1), hn::Add(set(k.q), hn::LoadU(D(), surround + i)));
        saturate(p.c, p.luminance, k);
        for (V& c : p.c) c = hn::Mul(factor, c);
        brighter += finish<C, kAllFinite>(p, p.luminance, run, k, valid, i, lanes);
    });
    return brighter;
}

template <int C, bool kAllFinite, bool kCommon>
HWY_INLINE std::int64_t mapPhotoreceptorOf(const PixelRun& run, const PixelNumbers& k) {
    std::int64_t brighter = 0;
    forVectors<C>(run, [&](Colour<C> p, M valid, std::int64_t i, std::int64_t lanes) PARALLAX_INLINE {
        bound<C, kAllFinite>(p, k);
        scale(p, k);
        respond<C, kCommon>(p, k);
        for (V& c : p.c) c = hn::Mul(hn::Sub(c, set(k.mappedLow)), set(k.mappedPerRange));
        if (C > 1 && k.saturation != 1) saturate(p.c, luminanceOf(p.c, k), k);
        brighter += finish<C, kAllFinite>(p, p.luminance, run, k, valid, i, lanes);
    });
    return brighter;
}

template <int C, bool kAllFinite>
HWY_INLINE std::int64_t mapHistogramOf(const PixelRun& run, const PixelNumbers& k) {
    std::int64_t brighter = 0;
    forVectors<C>(run, [&](Colour<C> p, M valid, std::int64_t i, std::int64_t lanes) PARALLAX_INLINE {
        bound<C, kAllFinite>(p, k);
        V display = hn::Mul(hn::Abs(p.luminance), set(k.linear));
        if (k.linear == 0) {
            const V position = binPosition(hn::Abs(p.luminance), k);
            const VI bin = binAt(position, k);
            const V below = hn::GatherIndex(D(), k.cumulative, bin);
            const V above = hn::GatherIndex(D(), k.cumulative, hn::Add(bin, hn::Set(DI(), 1)));
            const V part = hn::Sub(position, hn::ConvertTo(D(), bin));
            const V cumulative = hn::MulAdd(hn::Sub(above, below), part, below);
            display = hn::Mul(hn::Sub(hn::Exp(D(), hn::Mul(cumulative, set(k.logRange))), set(1)), set(k.perDisplayRange));
        }
        if constexpr (C == 1) {
            p.c[0] = hn::CopySign(display, p.luminance);
        } else {
            const V sign = hn::And(hn::SignBit(D()), p.luminance);
            const V perLuminance = hn::Div(set(1), hn::Max(hn::Abs(p.luminance), set(k.delta)));
            for (V& c : p.c) {
                V ratio = hn::Mul(hn::Xor(hn::Sub(c, p.luminance), sign), perLuminance);
                ratio = hn::Min(hn::Max(ratio, set(-1)), set(k.largestRatio));
                c = hn::Xor(hn::MulAdd(hn::Mul(set(k.saturation), ratio), display, display), sign);
            }
        }
        brighter += finish<C, kAllFinite>(p, p.luminance, run, k, valid, i, lanes);
    });
    return brighter;
}

bool climbImpl(const float* smaller, const float* larger, float* surround, float* chosen, std::int64_t count, float sharpening,
               float epsilon, float index) {
    M any = hn::FirstN(D(), 0);
    for (std::int64_t i = 0; i < count; i += kLanes) {
        const V centre = hn::LoadU(D(), smaller + i), around = hn::LoadU(D(), larger + i), old = hn::LoadU(D(), chosen + i);
        const M calm = hn::Le(hn::Abs(hn::Sub(centre, around)), hn::Mul(set(epsilon), hn::Add(set(sharpening), centre)));
        const M climbs = hn::And(calm, hn::Eq(old, set(index - 1)));
        hn::StoreU(hn::IfThenElse(climbs, centre, hn::LoadU(D(), surround + i)), D(), surround + i);
        hn::StoreU(hn::IfThenElse(climbs, set(index), old), D(), chosen + i);
        any = hn::Or(any, climbs);
    }
    return !hn::AllFalse(D(), any);
}

std::int64_t mapPhotoreceptorImpl(const PixelRun& run, const PixelNumbers& k) {
    const bool common = k.chromatic == 0;
    return forChannels(k.channels, [&](auto c) {
        if (k.allFinite) return common ? mapPhotoreceptorOf<c(), true, true>(run, k) : mapPhotoreceptorOf<c(), true, false>(run, k);
        return common ? mapPhotoreceptorOf<c(), false, true>(run, k) : mapPhotoreceptorOf<c(), false, false>(run, k);
    });
}
std::int64_t mapGlobalImpl(const PixelRun& run, const PixelNumbers& k) {
    return forChannels(k.channels, [&](auto c) { return k.allFinite ? mapGlobalOf<c(), true>(run, k) : mapGlobalOf<c(), false>(run, k); });
}
std::int64_t mapLocalImpl(const PixelRun& run, const PixelNumbers& k, const float* surround) {
    return forChannels(k.channels, [&](auto c) {
        return k.allFinite ? mapLocalOf<c(), true>(run, k, surround) : mapLocalOf<c(), false>(run, k, surround);
    });
}
std::int64_t mapHistogramImpl(const PixelRun& run, const PixelNumbers& k) {
    return forChannels(k.channels,
                       [&](auto c) { return k.allFinite ? mapHistogramOf<c(), true>(run, k) : mapHistogramOf<c(), false>(run, k); });
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax::tone
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/cache_control.h>

namespace parallax::tone {

HWY_EXPORT(mapGlobalImpl);
HWY_EXPORT(mapPhotoreceptorImpl);
HWY_EXPORT(mapHistogramImpl);
HWY_EXPORT(mapLocalImpl);
HWY_EXPORT(climbImpl);

std::int64_t mapGlobal(const PixelRun& run, const PixelNumbers& k) { return HWY_DYNAMIC_DISPATCH(mapGlobalImpl)(run, k); }
std::int64_t mapPhotoreceptor(const PixelRun& run, const PixelNumbers& k) { return HWY_DYNAMIC_DISPATCH(mapPhotoreceptorImpl)(run, k); }
std::int64_t mapHistogram(const PixelRun& run, const PixelNumbers& k) { return HWY_DYNAMIC_DISPATCH(mapHistogramImpl)(run, k); }
std::int64_t mapLocal(const PixelRun& run, const PixelNumbers& k, const float* surround) {
    return HWY_DYNAMIC_DISPATCH(mapLocalImpl)(run, k, surround);
}
bool climb(const float* smaller, const float* larger, float* surround, float* chosen, std::int64_t count, float sharpening, float epsilon,
           float index) {
    return HWY_DYNAMIC_DISPATCH(climbImpl)(smaller, larger, surround, chosen, count, sharpening, epsilon, index);
}
void finishStores() { hwy::FlushStream(); }

}  // namespace parallax::tone
#endif
