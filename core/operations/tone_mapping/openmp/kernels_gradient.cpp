// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the gradient operator on rows. Compiled once for each instruction set; the best one is chosen when the program runs.
#include "core/operations/tone_mapping/openmp/kernels_gradient.hpp"

#include <algorithm>

#include "core/backends/openmp/instructions.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/tone_mapping/openmp/kernels_gradient.cpp"
#include <hwy/foreach_target.h>

#include "core/operations/tone_mapping/openmp/pixels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace parallax::tone {
namespace HWY_NAMESPACE {

/// Calls body(x, lanes) for vectors of a row; the last one has fewer lanes.
template <class Body>
HWY_INLINE void forRow(std::int64_t count, const Body& body) {
    for (std::int64_t x = 0; x < count; x += kLanes) body(x, std::min(kLanes, count - x));
}
HWY_INLINE V loadRow(const float* from, std::int64_t lanes) {
    if (HWY_LIKELY(lanes == kLanes)) return hn::LoadU(D(), from);
    alignas(64) float part[kLanes] = {};
    std::memcpy(part, from, static_cast<std::size_t>(lanes) * sizeof(float));
    return hn::Load(D(), part);
}

HWY_INLINE V relativeOf(V luminance, const GradientNumbers& g) {
    return hn::Add(hn::Min(hn::Div(luminance, set(g.average)), set(kLargest)), set(g.delta));
}

void takeLogarithmsImpl(float* row, std::int64_t count, const GradientNumbers& g) {
    forRow(count, [&](std::int64_t x, std::int64_t lanes) PARALLAX_INLINE {
        const V luminance = loadRow(row + x, lanes);
        const V relative = hn::IfThenElse(hn::Eq(luminance, luminance), relativeOf(luminance, g), set(1 + g.delta));
        store(hn::Log(D(), relative), row + x, lanes, false);
    });
}

void reduceRowImpl(const float* const (&from)[5], std::int64_t width, float* scratch, float* to) {
    constexpr float w[5] = {static_cast<float>(reductionWeight(0)), static_cast<float>(reductionWeight(1)),
                            static_cast<float>(reductionWeight(2)), static_cast<float>(reductionWeight(3)),
                            static_cast<float>(reductionWeight(4))};
    for (std::int64_t x = 0; x < width; ++x)
        scratch[x] = w[0] * (from[0][x] + from[4][x]) + w[1] * (from[1][x] + from[3][x]) + w[2] * from[2][x];
    const auto sample = [&](std::int64_t x) { return scratch[std::clamp<std::int64_t>(x, 0, width - 1)]; };
    const auto border = [&](std::int64_t x) {
        to[x] = w[0] * (sample(2 * x - 2) + sample(2 * x + 2)) + w[1] * (sample(2 * x - 1) + sample(2 * x + 1)) + w[2] * sample(2 * x);
    };
    const std::int64_t coarse = (width + 1) / 2, inner = std::max<std::int64_t>((width - 1) / 2, 1);
    border(0);
    for (std::int64_t x = 1; x < inner; ++x) {
        const float* const s = scratch + 2 * x;
        to[x] = w[0] * (s[-2] + s[2]) + w[1] * (s[-1] + s[1]) + w[2] * s[0];
    }
    for (std::int64_t x = inner; x < coarse; ++x) border(x);
}

double gradientMagnitudesImpl(const float* above, const float* own, const float* below, std::int64_t width, float* to) {
    const auto at = [&](std::int64_t x) {
        const float across = own[std::min(x + 1, width - 1)] - own[std::max<std::int64_t>(x - 1, 0)], down = below[x] - above[x];
        return std::sqrt(across * across + down * down);
    };
    to[0] = at(0);
    std::int64_t x = 1;
    for (; x + kLanes < width; x += kLanes) {
        const V across = hn::Sub(hn::LoadU(D(), own + x + 1), hn::LoadU(D(), own + x - 1));
        const V down = hn::Sub(hn::LoadU(D(), below + x), hn::LoadU(D(), above + x));
        hn::StoreU(hn::Sqrt(hn::MulAdd(across, across, hn::Mul(down, down))), D(), to + x);
    }
    for (; x < width; ++x) to[x] = at(x);
    // Four sums, so that additions do not wait for each other.
    double sums[4] = {0, 0, 0, 0};
    for (x = 0; x + 4 <= width; x += 4)
        for (int i = 0; i < 4; ++i) sums[i] += static_cast<double>(to[x + i]);
    for (; x < width; ++x) sums[0] += static_cast<double>(to[x]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void attenuateRowImpl(float* row, std::int64_t width, const Attenuation<float>& a, const float* coarse, const float* nextCoarse,
                      float* scratch) {
    float* const interpolated = scratch + width / 2 + 2;
    if (coarse) {
        const std::int64_t count = (width + 1) / 2;
        for (std::int64_t x = 0; x < count; ++x) scratch[x] = 0.5F * (coarse[x] + nextCoarse[x]);
        scratch[count] = scratch[count - 1];
        for (std::int64_t x = 0; x < count; ++x) {
            interpolated[2 * x] = scratch[x];
            interpolated[2 * x + 1] = 0.5F * (scratch[x] + scratch[x + 1]);
        }
    }
    const V added = set(a.added), perThreshold = set(a.perThreshold), exponent = set(a.exponent);
    forRow(width, [&](std::int64_t x, std::int64_t lanes) PARALLAX_INLINE {
        V phi = power(hn::Mul(hn::Add(loadRow(row + x, lanes), added), perThreshold), exponent);
        if (coarse) phi = hn::Mul(phi, loadRow(interpolated + x, lanes));
        store(phi, row + x, lanes, false);
    });
}

void divergenceRowImpl(const DivergenceRows& h, const DivergenceRows& phi, std::int64_t width, double* to) {
    const auto flow = [](float own, float other, float ownPhi, float otherPhi) {
        return 0.5 * (static_cast<double>(own) - static_cast<double>(other)) *
               (static_cast<double>(ownPhi) + static_cast<double>(otherPhi));
    };
    // A row beyond the border is the row itself, and nothing flows there.
    for (std::int64_t x = 0; x < width; ++x)
        to[x] = flow(h.own[x], h.above[x], phi.own[x], phi.above[x]) + flow(h.own[x], h.below[x], phi.own[x], phi.below[x]);
    for (std::int64_t x = 1; x < width; ++x) to[x] += flow(h.own[x], h.own[x - 1], phi.own[x], phi.own[x - 1]);
    for (std::int64_t x = 0; x + 1 < width; ++x) to[x] += flow(h.own[x], h.own[x + 1], phi.own[x], phi.own[x + 1]);
}

template <int C, bool kAllFinite>
HWY_INLINE std::int64_t mapGradientOf(const PixelRun& run, const PixelNumbers& k, const GradientNumbers& g, const float* logarithms) {
    std::int64_t brighter = 0;
    forVectors<C>(run, [&](Colour<C> p, M valid, std::int64_t i, std::int64_t lanes) PARALLAX_INLINE {
        bound<C, kAllFinite>(p, k);
        const V light = hn::Mul(hn::Sub(hn::Exp(D(), hn::LoadU(D(), logarithms + i)), set(g.black)), set(g.perRange));
        const V display = hn::Min(hn::Max(light, hn::Zero(D())), set(static_cast<float>(kBrightestDisplay)));
        const V relative = relativeOf(hn::Abs(p.luminance), g);
        for (V& c : p.c) {
            V ratio = hn::Min(hn::Div(hn::Div(hn::Abs(c), set(g.average)), relative), set(g.largestRatio));
            if (g.saturation == 0) {
                c = display;
                continue;
            }
            if (g.saturation != 1) ratio = hn::IfThenElseZero(hn::Ne(c, hn::Zero(D())), power(ratio, set(g.saturation)));
            c = hn::CopySign(hn::Mul(ratio, display), c);
        }
        brighter += finish<C, kAllFinite>(p, p.luminance, run, k, valid, i, lanes);
    });
    return brighter;
}

std::int64_t mapGradientImpl(const PixelRun& run, const PixelNumbers& k, const GradientNumbers& g, const float* logarithms) {
    return forChannels(k.channels, [&](auto channels) {
        return k.allFinite ? mapGradientOf<channels(), true>(run, k, g, logarithms)
                           : mapGradientOf<channels(), false>(run, k, g, logarithms);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax::tone
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace parallax::tone {

HWY_EXPORT(takeLogarithmsImpl);
HWY_EXPORT(reduceRowImpl);
HWY_EXPORT(gradientMagnitudesImpl);
HWY_EXPORT(attenuateRowImpl);
HWY_EXPORT(divergenceRowImpl);
HWY_EXPORT(mapGradientImpl);

void takeLogarithms(float* row, std::int64_t count, const GradientNumbers& g) { HWY_DYNAMIC_DISPATCH(takeLogarithmsImpl)(row, count, g); }
void reduceRow(const float* const (&from)[5], std::int64_t width, float* scratch, float* to) {
    HWY_DYNAMIC_DISPATCH(reduceRowImpl)(from, width, scratch, to);
}
double gradientMagnitudes(const float* above, const float* own, const float* below, std::int64_t width, float* to) {
    return HWY_DYNAMIC_DISPATCH(gradientMagnitudesImpl)(above, own, below, width, to);
}
void attenuateRow(float* row, std::int64_t width, const Attenuation<float>& attenuation, const float* coarse, const float* nextCoarse,
                  float* scratch) {
    HWY_DYNAMIC_DISPATCH(attenuateRowImpl)(row, width, attenuation, coarse, nextCoarse, scratch);
}
void divergenceRow(const DivergenceRows& logarithms, const DivergenceRows& attenuation, std::int64_t width, double* to) {
    HWY_DYNAMIC_DISPATCH(divergenceRowImpl)(logarithms, attenuation, width, to);
}
std::int64_t mapGradient(const PixelRun& run, const PixelNumbers& k, const GradientNumbers& g, const float* logarithms) {
    return HWY_DYNAMIC_DISPATCH(mapGradientImpl)(run, k, g, logarithms);
}

}  // namespace parallax::tone
#endif
