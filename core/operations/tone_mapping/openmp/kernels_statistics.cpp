// SPDX-License-Identifier: GPL-3.0-or-later
// The passes that compute statistics. Compiled once for each instruction set; the best one is chosen when the program runs.
#include <algorithm>
#include <cmath>

#include "core/backends/openmp/instructions.hpp"
#include "core/operations/tone_mapping/openmp/kernels.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/operations/tone_mapping/openmp/kernels_statistics.cpp"
#include <hwy/foreach_target.h>

#include "core/operations/tone_mapping/openmp/pixels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace parallax::tone {
namespace HWY_NAMESPACE {

/// Sum of logarithms: mantissas are multiplied, exponents added.
// Constructors are written out: compilers make implicit ones for the oldest instruction set.
struct LogSum {
    V product;
    VI exponents;
    std::int64_t added = 0;

    HWY_INLINE LogSum() : product(hn::Set(D(), 1.0F)), exponents(hn::Zero(DI())), mantissa_(product) {}
    HWY_INLINE void take(V x) {
        const VI bits = hn::BitCast(DI(), x);
        exponents = hn::Add(exponents, hn::ShiftRight<23>(bits));
        mantissa_ = hn::BitCast(D(), hn::Or(hn::And(bits, hn::Set(DI(), 0x7fffff)), hn::Set(DI(), 0x3f800000)));
        ++added;
    }
    /// x: normal and positive.
    HWY_INLINE void add(V x) {
        take(x);
        product = hn::Mul(product, mantissa_);
        // Each factor is below 2: 64 of them stay far below the largest float.
        if (added % 64 == 0) {
            take(product);
            product = mantissa_;
        }
    }
    HWY_INLINE double total() {
        alignas(64) float products[kLanes];
        alignas(64) std::int32_t sums[kLanes];
        hn::Store(product, D(), products);
        hn::Store(exponents, DI(), sums);
        double binary = 0;
        for (std::int64_t i = 0; i < kLanes; ++i)
            binary += std::log2(static_cast<double>(products[i])) + static_cast<double>(sums[i]) - 127.0 * static_cast<double>(added);
        return binary * 0.693147180559945309417;
    }

private:
    V mantissa_;
};

/// Smallest and largest of the lanes that count.
struct Range {
    V low, high;
    HWY_INLINE Range() : low(hn::Set(D(), kInfinity)), high(hn::Set(D(), -kInfinity)) {}
    HWY_INLINE void add(V value, M counts) {
        low = hn::Min(low, hn::IfThenElse(counts, value, set(kInfinity)));
        high = hn::Max(high, hn::IfThenElse(counts, value, set(-kInfinity)));
    }
    HWY_INLINE void merge(float& minimum, float& maximum) const {
        minimum = std::min(minimum, hn::GetLane(hn::MinOfLanes(D(), low)));
        maximum = std::max(maximum, hn::GetLane(hn::MaxOfLanes(D(), high)));
    }
};

/// Short float sums in double ones: the mean of a flat image must not drift.
struct LongSum {
    V part;
    double all = 0;
    HWY_INLINE LongSum() : part(hn::Zero(D())) {}
    HWY_INLINE void flush() {
        all += static_cast<double>(hn::GetLane(hn::SumOfLanes(D(), part)));
        part = hn::Zero(D());
    }
};

template <int C>
HWY_INLINE void sumSamplesOf(const PixelRun& run, const PixelNumbers& k, RunSums& sums) {
    Range samples, luminances;
    forVectors<C>(run, [&](const Colour<C>& p, M valid, std::int64_t, std::int64_t) PARALLAX_INLINE {
        const V luminance = luminanceOf(p.c, k);
        const M ok = hn::And(valid, isFinite(luminance));
        for (const V& c : p.c) samples.add(c, ok);
        luminances.add(hn::Abs(luminance), ok);
        sums.finite += static_cast<std::int64_t>(hn::CountTrue(D(), ok));
    });
    samples.merge(sums.minimumSample, sums.maximumSample);
    luminances.merge(sums.minimum, sums.maximum);
}

template <int C, bool kReceptor>
HWY_INLINE void sumLuminanceOf(const PixelRun& run, const PixelNumbers& k, float* plane, RunSums& sums) {
    LogSum logs;
    Range luminances;
    LongSum total, channels[C];
    forVectors<C>(run, [&](Colour<C> p, M valid, std::int64_t i, std::int64_t lanes) PARALLAX_INLINE {
        p.luminance = luminanceOf(p.c, k);
        const M ok = hn::And(valid, isFinite(p.luminance));
        if constexpr (kReceptor) scale(p, k);
        const V luminance = hn::Abs(p.luminance);
        const V x = kReceptor ? hn::Max(hn::Add(luminance, set(k.receptorDelta)), set(k.receptorFloor)) : hn::Add(luminance, set(k.delta));
        logs.add(hn::IfThenElse(ok, x, set(1)));
        luminances.add(luminance, ok);
        sums.finite += static_cast<std::int64_t>(hn::CountTrue(D(), ok));
        if constexpr (kReceptor) {
            total.part = hn::Add(total.part, hn::IfThenElseZero(ok, luminance));
            for (int c = 0; c < C; ++c) channels[c].part = hn::Add(channels[c].part, hn::IfThenElseZero(ok, p.c[c]));
            if (logs.added % 32 == 0) {
                total.flush();
                for (LongSum& s : channels) s.flush();
            }
        }
        if (plane) store(hn::IfThenElse(ok, luminance, hn::NaN(D())), plane + i, lanes, false);
    });
    sums.logarithms += logs.total();
    luminances.merge(sums.minimum, sums.maximum);
    if constexpr (kReceptor) {
        total.flush();
        sums.luminance += total.all;
        for (int c = 0; c < C; ++c) {
            channels[c].flush();
            sums.channels[c] += channels[c].all;
        }
    }
}

template <int C>
HWY_INLINE void countBrightnessOf(const PixelRun& run, const PixelNumbers& k, std::uint32_t* counts) {
    forVectors<C>(run, [&](const Colour<C>& p, M valid, std::int64_t, std::int64_t) PARALLAX_INLINE {
        const V luminance = luminanceOf(p.c, k);
        const M ok = hn::And(valid, isFinite(luminance));
        const VI bin = binAt(binPosition(hn::IfThenElseZero(ok, hn::Abs(luminance)), k), k);
        alignas(64) std::int32_t bins[kLanes];
        hn::Store(hn::IfThenElse(hn::RebindMask(DI(), ok), bin, hn::Set(DI(), k.bins)), DI(), bins);
        // Two tables: neighbours are often equal, and one count would have to wait for the other.
        for (std::int64_t i = 0; i < kLanes; ++i) ++counts[(i % 2) * (k.bins + 1) + bins[i]];
    });
}

template <int C, bool kAllFinite, bool kCommon>
HWY_INLINE void rangeOfMappedOf(const PixelRun& run, const PixelNumbers& k, RunSums& sums) {
    Range mapped;
    forVectors<C>(run, [&](Colour<C> p, M valid, std::int64_t, std::int64_t) PARALLAX_INLINE {
        bound<C, kAllFinite>(p, k);
        scale(p, k);
        const M ok = kAllFinite ? valid : hn::And(valid, hn::Eq(p.luminance, p.luminance));
        if constexpr (kCommon) {
            // Responses grow with their samples: the extremes are those of the samples.
            V low = p.c[0], high = p.c[0];
            for (int c = 1; c < C; ++c) {
                low = hn::Min(low, p.c[c]);
                high = hn::Max(high, p.c[c]);
            }
            const V sigma = commonSigma(p, k);
            mapped.add(response(low, sigma), ok);
            if (C > 1) mapped.add(response(high, sigma), ok);
        } else {
            respond<C, false>(p, k);
            for (const V& c : p.c) mapped.add(c, ok);
        }
    });
    mapped.merge(sums.minimumSample, sums.maximumSample);
}

void sumSamplesImpl(const PixelRun& run, const PixelNumbers& k, RunSums& sums) {
    forChannels(k.channels, [&](auto c) { sumSamplesOf<c()>(run, k, sums); });
}
void sumLuminanceImpl(const PixelRun& run, const PixelNumbers& k, float* plane, RunSums& sums) {
    forChannels(k.channels, [&](auto c) {
        if (k.receptor) sumLuminanceOf<c(), true>(run, k, plane, sums);
        else sumLuminanceOf<c(), false>(run, k, plane, sums);
    });
}
void countBrightnessImpl(const PixelRun& run, const PixelNumbers& k, std::uint32_t* counts) {
    forChannels(k.channels, [&](auto c) { countBrightnessOf<c()>(run, k, counts); });
}
void rangeOfMappedImpl(const PixelRun& run, const PixelNumbers& k, RunSums& sums) {
    const bool common = k.chromatic == 0;
    forChannels(k.channels, [&](auto c) {
        if (k.allFinite && common) rangeOfMappedOf<c(), true, true>(run, k, sums);
        else if (k.allFinite) rangeOfMappedOf<c(), true, false>(run, k, sums);
        else if (common) rangeOfMappedOf<c(), false, true>(run, k, sums);
        else rangeOfMappedOf<c(), false, false>(run, k, sums);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace parallax::tone
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace parallax::tone {

HWY_EXPORT(sumSamplesImpl);
HWY_EXPORT(sumLuminanceImpl);
HWY_EXPORT(countBrightnessImpl);
HWY_EXPORT(rangeOfMappedImpl);

void sumSamples(const PixelRun& run, const PixelNumbers& k, RunSums& sums) { HWY_DYNAMIC_DISPATCH(sumSamplesImpl)(run, k, sums); }
void sumLuminance(const PixelRun& run, const PixelNumbers& k, float* plane, RunSums& sums) {
    HWY_DYNAMIC_DISPATCH(sumLuminanceImpl)(run, k, plane, sums);
}
void countBrightness(const PixelRun& run, const PixelNumbers& k, std::uint32_t* counts) {
    HWY_DYNAMIC_DISPATCH(countBrightnessImpl)(run, k, counts);
}
void rangeOfMapped(const PixelRun& run, const PixelNumbers& k, RunSums& sums) { HWY_DYNAMIC_DISPATCH(rangeOfMappedImpl)(run, k, sums); }

}  // namespace parallax::tone
#endif
