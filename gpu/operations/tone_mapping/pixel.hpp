// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of formulas.hpp for one pixel in float, with fast logarithms and powers; and the statistics that a thread accumulates.
// Compiles without nvcc, so that all of it is tested on the host.
#pragma once

#include "core/primitives/histogram.hpp"
#include "gpu/operations/tone_mapping/state.hpp"

namespace parallax::gpu::tonemap {

inline constexpr float kNotCounted = std::numeric_limits<float>::quiet_NaN();

/// Relative error 2^-22 for x in [0.5, 2].
PARALLAX_HOST_DEVICE inline float binaryLogarithm(float x) {
#if defined(__CUDA_ARCH__)
    return __log2f(x);
#else
    return std::log2(x);
#endif
}
/// Error of at most 2 ulp for b in [2^-126, 2^126].
PARALLAX_HOST_DEVICE inline float quotient(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fdividef(a, b);
#else
    return a / b;
#endif
}

/// x = mantissa 2^exponent with mantissa in [2/3, 4/3), which avoids cancellation near 1. x: normal and positive.
struct Split {
    float mantissa, exponent;
};
PARALLAX_HOST_DEVICE inline Split split(float x) {
    const std::uint32_t bits = bitsOf(x);
    const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3F2AAAABU) >> 23;
    return {floatOf(bits - (static_cast<std::uint32_t>(exponent) << 23)), static_cast<float>(exponent)};
}
PARALLAX_HOST_DEVICE inline float atLeastNormal(float x) { return x < kSmallestNormalFloat ? kSmallestNormalFloat : x; }

/// Natural logarithm within 2e-7 and one rounding of the result. x > 0; subnormal numbers count as the smallest normal one.
PARALLAX_HOST_DEVICE inline float logarithm(float x) {
    constexpr float ln2 = 0.69314718F;
    const Split s = split(atLeastNormal(x));
    return std::fma(s.exponent, ln2, binaryLogarithm(s.mantissa) * ln2);
}

/// Returns 2^n for -252 <= n <= 254 as two factors.
PARALLAX_HOST_DEVICE inline float scaledByPower(float x, int n) {
    const int half = n >> 1, rest = n - half;
    const auto factor = [](int e) {
        e = e < -126 ? -126 : e > 127 ? 127 : e;
        return floatOf(static_cast<std::uint32_t>(e + 127) << 23);
    };
    return x * factor(half) * factor(rest);
}

/// x to the power of `exponent` in (0, 4], relative error 6e-7: integral powers of 2 are computed separately, so that the error does not
/// grow with the logarithm of x. Subnormal numbers count as the smallest normal one.
PARALLAX_HOST_DEVICE inline float power(float x, float exponent) {
    const Split s = split(atLeastNormal(x));
    const float whole = std::rint(exponent * s.exponent);
    const float part = std::fma(exponent, binaryLogarithm(s.mantissa), std::fma(exponent, s.exponent, -whole));
    return scaledByPower(std::exp2(part), static_cast<int>(whole));
}

template <int C>
struct Pixel {
    float c[C];
    float luminance;
};

/// The constants of a kernel, loaded once per thread.
struct Numbers {
    float limit, q, k;
    float low, perRange, f, m, average[3], mappedLow, mappedPerRange;
    float receptorDelta, receptorFloor;
    float delta, logRange, perDisplayRange, linear;
    BinScale<float> scale;
    float chromatic, light;
    bool allFinite;  ///< there is no NaN or infinity
    PARALLAX_HOST_DEVICE Numbers(const ToneState& s, const ToneSetup& p)
        : limit(static_cast<float>(s.limit)),
          q(static_cast<float>(s.q)),
          k(static_cast<float>(s.k)),
          low(static_cast<float>(s.low)),
          perRange(static_cast<float>(s.perRange)),
          f(static_cast<float>(s.f)),
          m(static_cast<float>(s.m)),
          average{static_cast<float>(s.average[0]), static_cast<float>(s.average[1]), static_cast<float>(s.average[2])},
          mappedLow(static_cast<float>(s.mappedLow)),
          mappedPerRange(static_cast<float>(s.mappedPerRange)),
          receptorDelta(static_cast<float>(p.receptorDelta())),
          receptorFloor(static_cast<float>(p.receptorFloor())),
          delta(static_cast<float>(p.delta)),
          logRange(static_cast<float>(std::log(p.displayRange))),
          perDisplayRange(static_cast<float>(1 / (p.displayRange - 1))),
          linear(static_cast<float>(s.linear)),
          scale{static_cast<float>(s.first), static_cast<float>(s.perUnit), p.bins},
          chromatic(static_cast<float>(p.chromatic)),
          light(static_cast<float>(p.light)),
          allFinite(s.count == p.pixels) {}
};

/// Exceeds the largest float where the reference clamps to it: such pixels are not finite, and bounded() clamps them.
template <int C>
PARALLAX_HOST_DEVICE float luminanceOf(const float (&c)[C], const tone::ColourWeights<float>& w) {
    float sum = w.c[0] * c[0];
    for (int i = 1; i < C; ++i) sum = std::fma(w.c[i], c[i], sum);
    return sum;
}
PARALLAX_HOST_DEVICE inline bool isFiniteLuminance(float luminance) { return std::fabs(luminance) < kLargestFloat; }

/// The unmodified samples.
template <int C>
PARALLAX_HOST_DEVICE Pixel<C> rawPixel(const float (&c)[C], const ToneSetup& s) {
    Pixel<C> p;
    for (int i = 0; i < C; ++i) p.c[i] = c[i];
    p.luminance = luminanceOf(p.c, s.weights);
    return p;
}
/// Samples with infinities replaced.
template <int C>
PARALLAX_HOST_DEVICE Pixel<C> boundedPixel(const float (&c)[C], const ToneSetup& s, const Numbers& k) {
    Pixel<C> p = rawPixel(c, s);
    if (k.allFinite) return p;
    for (int i = 0; i < C; ++i) p.c[i] = tone::withoutInfinity(p.c[i], k.limit);
    p.luminance = tone::luminance(s.weights, p.c, C);
    return p;
}
/// Photoreceptor: samples scaled to [0, 1].
template <int C>
PARALLAX_HOST_DEVICE Pixel<C> scaledPixel(Pixel<C> p, const ToneSetup& s, const Numbers& k) {
    for (int i = 0; i < C; ++i) p.c[i] = tone::positive((p.c[i] - k.low) * k.perRange);
    p.luminance = luminanceOf(p.c, s.weights);
    return p;
}

/// Returns (f Ia)^m of a channel. Rounding must not take it below the smallest normal float, the least divisor of quotient().
template <int C>
PARALLAX_HOST_DEVICE float semiSaturation(const Pixel<C>& p, int channel, const Numbers& k) {
    return atLeastNormal(power(k.f * tone::adaptation(p.c[channel], p.luminance, k.average[channel], k.chromatic, k.light), k.m));
}
/// Returns I / (I + sigma); 0 for black, since sigma > 0.
PARALLAX_HOST_DEVICE inline float response(float sample, float sigma) { return quotient(sample, sample + sigma); }

/// Channels that adapt only to the luminance share sigma.
PARALLAX_HOST_DEVICE inline bool commonSigma(const Numbers& k) { return k.chromatic == 0; }

PARALLAX_HOST_DEVICE inline float encoded(float x, const ToneCoding& k) {
    const float curve = std::fma(k.scale, power((x + k.offset) * k.factor, k.exponent), -k.subtrahend);
    const float straight = k.slope * (x < -kLargestFloat ? -kLargestFloat : x);  // not 0 times infinity; NaN stays
    return x > k.threshold ? curve : straight;
}

template <int C>
PARALLAX_HOST_DEVICE void encode(float (&c)[C], const ToneCoding& k) {
    for (float& x : c) x = encoded(x, k);
}

/// Pixels without a luminance become black. Returns whether the pixel is brighter than white, before encoding.
template <int C>
PARALLAX_HOST_DEVICE bool finish(const Pixel<C>& p, const Numbers& k, float (&c)[C]) {
    float brightest = -kInfinity;
    for (int i = 0; i < C; ++i) {
        c[i] = p.c[i];
        if (!k.allFinite && p.luminance != p.luminance) c[i] = p.luminance;
        brightest = std::fmax(brightest, c[i]);
    }
    return brightest > static_cast<float>(tone::kBrighterThanWhite);
}

template <int C>
PARALLAX_HOST_DEVICE void multiply(Pixel<C>& p, float factor, const ToneSetup& s) {
    for (int i = 0; i < C; ++i) p.c[i] = factor * tone::saturated(p.c[i], p.luminance, s.saturation);
}

/// The operators for one pixel. They return whether it is brighter than white.
struct MapGlobal {
    template <int C>
    PARALLAX_HOST_DEVICE bool operator()(float (&c)[C], const ToneSetup& s, const Numbers& k, const float*) const {
        Pixel<C> p = boundedPixel(c, s, k);
        multiply(p, tone::globalFactor(std::fabs(p.luminance), k.q, k.k), s);
        return finish(p, k, c);
    }
};

struct MapPhotoreceptor {
    template <int C>
    PARALLAX_HOST_DEVICE bool operator()(float (&c)[C], const ToneSetup& s, const Numbers& k, const float*) const {
        Pixel<C> p = scaledPixel(boundedPixel(c, s, k), s, k);
        float sigma[C];
        sigma[0] = semiSaturation(p, 0, k);
        for (int i = 1; i < C; ++i) sigma[i] = commonSigma(k) ? sigma[0] : semiSaturation(p, i, k);
        for (int i = 0; i < C; ++i) p.c[i] = (response(p.c[i], sigma[i]) - k.mappedLow) * k.mappedPerRange;
        if (C > 1 && s.saturation != 1) {
            const float luminance = luminanceOf(p.c, s.weights);
            for (int i = 0; i < C; ++i) p.c[i] = tone::saturated(p.c[i], luminance, s.saturation);
        }
        return finish(p, k, c);
    }
};

/// `cumulative`: at the edges of the bins.
struct MapHistogram {
    template <int C>
    PARALLAX_HOST_DEVICE bool operator()(float (&c)[C], const ToneSetup& s, const Numbers& k, const float* cumulative) const {
        Pixel<C> p = boundedPixel(c, s, k);
        const float luminance = std::fabs(p.luminance);
        float display = luminance * k.linear;
        if (k.linear == 0) {
            const float position = k.scale.position(logarithm(k.delta + luminance));
            const int bin = k.scale.binAt(position);
            const float below = cumulative[bin], above = cumulative[bin + 1];
            constexpr float log2e = 1.44269504F;
            const float brightness = below + (above - below) * (position - static_cast<float>(bin));
            display = (std::exp2(brightness * k.logRange * log2e) - 1) * k.perDisplayRange;
        }
        for (int i = 0; i < C; ++i)
            p.c[i] = C == 1 ? std::copysign(display, p.luminance)
                            : tone::coloured(display, p.c[i], p.luminance, k.delta, s.largestRatio, s.saturation);
        return finish(p, k, c);
    }
};

// ---- statistics of a thread, one struct for each TonePass ----------------------------------------------------------------

/// Returns the luminance, or NaN for pixels that do not count, which all statistics leave out.
PARALLAX_HOST_DEVICE inline float counted(float luminance) { return isFiniteLuminance(luminance) ? std::fabs(luminance) : kNotCounted; }

template <int C>
struct RunningLuminance {
    static constexpr TonePass kPass = TonePass::luminance;
    LogarithmProduct logarithms;
    Extent light;
    PARALLAX_HOST_DEVICE void add(const float (&c)[C], const ToneSetup& s, const Numbers& k) {
        const float raw = luminanceOf(c, s.weights), luminance = counted(raw);
        logarithms.add(luminance + k.delta, isFiniteLuminance(raw));
        light.add(luminance);
    }
    PARALLAX_HOST_DEVICE void settle() { logarithms.settle(); }
    PARALLAX_HOST_DEVICE void merge(const RunningLuminance& other) {
        logarithms.merge(other.logarithms);
        light.merge(other.light);
    }
    PARALLAX_HOST_DEVICE TonePart part() const {
        TonePart p;
        p.logarithms = logarithms.sum();
        p.light = light;
        p.count = logarithms.count;
        return p;
    }
};

template <int C>
struct RunningSamples {
    static constexpr TonePass kPass = TonePass::samples;
    Extent light, samples;
    int count = 0;
    PARALLAX_HOST_DEVICE void add(const float (&c)[C], const ToneSetup& s, const Numbers&) {
        const float luminance = counted(luminanceOf(c, s.weights));
        const bool counts = luminance == luminance;
        light.add(luminance);
        for (int i = 0; i < C; ++i) samples.add(counts ? c[i] : luminance);
        count += counts ? 1 : 0;
    }
    PARALLAX_HOST_DEVICE void settle() {}
    PARALLAX_HOST_DEVICE void merge(const RunningSamples& other) {
        light.merge(other.light);
        samples.merge(other.samples);
        count += other.count;
    }
    PARALLAX_HOST_DEVICE TonePart part() const {
        TonePart p;
        p.light = light;
        p.samples = samples;
        p.count = count;
        return p;
    }
};

template <int C>
struct RunningScaled {
    static constexpr TonePass kPass = TonePass::scaled;
    LogarithmProduct logarithms;
    Extent light;
    // Sums of a few pixels in float, totals in double, so that the mean of a flat image does not drift.
    float partLuminance = 0, partChannels[C] = {};
    double luminance = 0, channels[C] = {};
    PARALLAX_HOST_DEVICE void add(const float (&c)[C], const ToneSetup& s, const Numbers& k) {
        const Pixel<C> raw = rawPixel(c, s);
        const bool counts = isFiniteLuminance(raw.luminance);
        const Pixel<C> p = scaledPixel(raw, s, k);
        const float mine = counts ? p.luminance : kNotCounted;
        logarithms.add(std::fmax(mine + k.receptorDelta, k.receptorFloor), counts);
        light.add(mine);
        partLuminance += counts ? p.luminance : 0;
        for (int i = 0; i < C; ++i) partChannels[i] += counts ? p.c[i] : 0;
    }
    PARALLAX_HOST_DEVICE void settle() {
        logarithms.settle();
        luminance += static_cast<double>(partLuminance);
        partLuminance = 0;
        for (int i = 0; i < C; ++i) {
            channels[i] += static_cast<double>(partChannels[i]);
            partChannels[i] = 0;
        }
    }
    PARALLAX_HOST_DEVICE void merge(const RunningScaled& other) {
        logarithms.merge(other.logarithms);
        light.merge(other.light);
        luminance += other.luminance;
        for (int i = 0; i < C; ++i) channels[i] += other.channels[i];
    }
    PARALLAX_HOST_DEVICE TonePart part() const {
        TonePart p;
        p.logarithms = logarithms.sum();
        p.luminance = luminance;
        for (int i = 0; i < C; ++i) p.channels[i] = channels[i];
        p.light = light;
        p.count = logarithms.count;
        return p;
    }
};

/// Returns the range of the responses to a scaled pixel. With a common sigma they are monotonic in the samples.
template <int C>
PARALLAX_HOST_DEVICE Extent responses(const Pixel<C>& p, const Numbers& k) {
    Extent all;
    if (commonSigma(k)) {
        for (int i = 0; i < C; ++i) all.add(p.c[i]);
        const float sigma = semiSaturation(p, 0, k);
        all.low = response(all.low, sigma);
        all.high = C > 1 ? response(all.high, sigma) : all.low;
    } else {
        for (int i = 0; i < C; ++i) all.add(response(p.c[i], semiSaturation(p, i, k)));
    }
    return all;
}

template <int C>
struct RunningMapped {
    static constexpr TonePass kPass = TonePass::mapped;
    Extent results;
    PARALLAX_HOST_DEVICE void add(const float (&c)[C], const ToneSetup& s, const Numbers& k) {
        const Pixel<C> p = scaledPixel(boundedPixel(c, s, k), s, k);
        const Extent own = responses(p, k);
        const bool counts = p.luminance == p.luminance;  // infinities count, since they are mapped as well
        results.merge(counts ? own : Extent());
    }
    PARALLAX_HOST_DEVICE void settle() {}
    PARALLAX_HOST_DEVICE void merge(const RunningMapped& other) { results.merge(other.results); }
    PARALLAX_HOST_DEVICE TonePart part() const {
        TonePart p;
        p.samples = results;
        p.count = results.low <= results.high ? 1 : 0;
        return p;
    }
};

}  // namespace parallax::gpu::tonemap
