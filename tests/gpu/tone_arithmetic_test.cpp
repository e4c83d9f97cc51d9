// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the tone mapping kernels, on the host. Needs no device.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/catalog.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "gpu/operations/tone_mapping/pixel.hpp"
#include "gpu/operations/tone_mapping/tuning.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

using namespace tonemap;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

ToneMappingPlan planOf(const ToneMappingParameters& parameters, int channels = 3) {
    Problem problem{.shape = {8, 8, 1, channels},
                    .channelNames = defaultChannelNames(channels),
                    .alphaChannel = -1,
                    .statistics = {},
                    .parameters = ParameterBlock(toneMappingParameterTable()),
                    .facts = {}};
    problem.parameters.assign(parameters);
    return planToneMapping(problem);
}

TEST(ToneArithmetic, LogarithmsAreAsAccurateAsStated) {
    Random random(1);
    for (int i = 0; i < 200000; ++i) {
        const float x = std::exp2(126 * random.uniform());
        const double expected = std::log(static_cast<double>(x));
        ASSERT_NEAR(static_cast<double>(logarithm(x)), expected, 2e-7 + 6e-8 * std::fabs(expected)) << x;
    }
    // No cancellation near 1.
    for (int i = -100; i <= 100; ++i) {
        const float x = 1 + static_cast<float>(i) * 1e-3F;
        EXPECT_NEAR(static_cast<double>(logarithm(x)), std::log(static_cast<double>(x)), 2.1e-7) << x;
    }
    EXPECT_EQ(logarithm(0), logarithm(std::numeric_limits<float>::min()));
}

TEST(ToneArithmetic, PowersAreAsAccurateAsStated) {
    Random random(2);
    for (int i = 0; i < 200000; ++i) {
        const float x = std::exp2(40 * random.uniform()), exponent = 2 * (random.uniform() + 1.0001F);
        const double expected = std::pow(static_cast<double>(x), static_cast<double>(exponent));
        if (expected < 1e-37 || expected > 1e38) continue;
        ASSERT_NEAR(static_cast<double>(power(x, exponent)), expected, 6e-7 * expected) << x << "^" << exponent;
    }
    // Over the whole range of floats, for exponents up to 1.
    for (int i = 0; i < 100000; ++i) {
        const float x = std::exp2(126 * random.uniform()), exponent = 0.5F * (random.uniform() + 1.0001F);
        const double expected = std::pow(static_cast<double>(x), static_cast<double>(exponent));
        ASSERT_NEAR(static_cast<double>(power(x, exponent)), expected, 6e-7 * expected) << x << "^" << exponent;
    }
    EXPECT_GT(power(0, 1), 0) << "or black would be divided by 0";
    EXPECT_LT(power(0, 0.3F), 1e-11F);
    EXPECT_EQ(power(1, 0.7F), 1);
}

TEST(ToneArithmetic, EncodingsMatchTheReference) {
    for (const ToneEncoding encoding : {ToneEncoding::linear, ToneEncoding::srgb, ToneEncoding::gamma, ToneEncoding::decode})
        for (const double gamma : {1.0, 2.2, 4.0}) {
            const ToneMappingParameters parameters{.encoding = encoding, .gamma = gamma};
            const ToneCoding coding = ToneCoding::of(encoding, gamma);
            EXPECT_EQ(coding.linear, encoding == ToneEncoding::linear);
            if (coding.linear) continue;
            for (const float x :
                 {-1e37F, -5.0F, -0.01F, 0.0F, 1e-6F, 0.0031F, 0.0031308F, 0.00314F, 0.02F, 0.04045F, 0.0405F, 0.5F, 1.0F, 7.0F}) {
                const double expected = encodedValue(parameters, static_cast<double>(x));
                EXPECT_NEAR(static_cast<double>(encoded(x, coding)), expected, 1e-6 * std::fabs(expected) + 1e-9) << x;
            }
            EXPECT_TRUE(std::isnan(encoded(kNan, coding)));
        }
}

/// Random pixels, some of them without a luminance.
std::vector<float> pixels(int channels, int count, std::uint64_t seed, bool broken) {
    Random random(seed);
    std::vector<float> all;
    for (int i = 0; i < count * channels; ++i) {
        const float x = std::exp2(8 * random.uniform());
        const std::uint32_t which = broken ? random.bits() % 50 : 9;
        all.push_back(which == 0 ? kNan : which == 1 ? kInfinity : which == 2 ? -kInfinity : which == 3 ? -x : which == 4 ? 0 : x);
    }
    return all;
}

/// The statistics of a kernel by some threads, against double arithmetic.
template <template <int> class Running, int C>
TonePart found(const std::vector<float>& samples, const ToneSetup& setup, const Numbers& numbers) {
    constexpr int kThreads = 7;
    Running<C> all;
    for (int t = 0; t < kThreads; ++t) {
        Running<C> mine;
        int adds = 0;
        for (std::size_t i = static_cast<std::size_t>(t) * C; i < samples.size(); i += kThreads * C) {
            float c[C];
            for (int j = 0; j < C; ++j) c[j] = samples[i + static_cast<std::size_t>(j)];
            mine.add(c, setup, numbers);
            if (++adds % 8 == 0) mine.settle();
        }
        mine.settle();
        all.merge(mine);
    }
    return all.part();
}

/// Calls take(samples, luminance) for each pixel, in double.
template <int C, class Take>
void forPixels(const std::vector<float>& samples, const ToneMappingPlan& plan, const Take& take) {
    for (std::size_t i = 0; i < samples.size(); i += C) {
        double c[3] = {};
        for (int j = 0; j < C; ++j) c[j] = static_cast<double>(samples[i + static_cast<std::size_t>(j)]);
        take(c, tone::luminance(plan.weights, c, C));
    }
}
bool hasLuminance(double luminance) { return std::fabs(luminance) < double{FLT_MAX}; }

/// Histogram, global and local: one pass.
template <int C>
void expectLuminance(ToneMappingParameters parameters, const std::vector<float>& samples) {
    parameters.op = ToneOperator::histogram;
    const ToneMappingPlan plan = planOf(parameters, C);
    ToneStatistics s;
    forPixels<C>(samples, plan, [&](const double*, double luminance) {
        if (!hasLuminance(luminance)) return;
        s.luminance.add(std::fabs(luminance));
        s.logarithms.add(tone::brightness(std::fabs(luminance), parameters.delta));
    });
    const ToneSetup setup = toneSetup(plan, static_cast<std::int64_t>(samples.size()) / C);
    ToneState state{};
    const TonePart part = found<RunningLuminance, C>(samples, setup, Numbers(state, setup));
    EXPECT_EQ(part.count, s.luminance.count);
    EXPECT_NEAR(static_cast<double>(part.light.low), s.luminance.minimum, 1e-6 * s.luminance.minimum + 1e-7);
    EXPECT_NEAR(static_cast<double>(part.light.high), s.luminance.maximum, 1e-6 * s.luminance.maximum);
    EXPECT_NEAR(part.logarithms / static_cast<double>(part.count), s.logarithms.mean(), 1e-6);
    concludePass(TonePass::luminance, setup, part, state);
    const ToneConstants expected = toneConstants(plan, s);
    EXPECT_NEAR(state.logAverage, expected.logAverage, 1e-6 * expected.logAverage);
    EXPECT_NEAR(state.q, expected.q, 1e-6 * expected.q);
    EXPECT_NEAR(state.k, expected.k, 3e-6 * expected.k);
    EXPECT_NEAR(state.limit, expected.limit, 1e-6 * expected.limit);
    EXPECT_NEAR(state.first, s.logarithms.minimum, 1e-3);
    EXPECT_NEAR(state.range, s.logarithms.range(), 1e-3);
}

/// One pass after the other.
template <int C>
void expectPhotoreceptor(ToneMappingParameters parameters, const std::vector<float>& samples) {
    parameters.op = ToneOperator::photoreceptor;
    const ToneMappingPlan plan = planOf(parameters, C);
    ToneStatistics raw, scaled;
    forPixels<C>(samples, plan, [&](const double* c, double luminance) {
        if (!hasLuminance(luminance)) return;
        for (int j = 0; j < C; ++j) raw.samples.add(c[j]);
        raw.luminance.add(std::fabs(luminance));
    });
    const ToneSetup setup = toneSetup(plan, static_cast<std::int64_t>(samples.size()) / C);
    ToneState state{};
    concludePass(TonePass::samples, setup, found<RunningSamples, C>(samples, setup, Numbers(state, setup)), state);
    ToneConstants k = photoreceptorRange(plan, raw);
    EXPECT_EQ(state.count, raw.luminance.count);
    EXPECT_EQ(state.low, k.low);
    EXPECT_NEAR(state.perRange, k.perRange, 1e-12 * k.perRange);
    const auto scale = [&](const double* c, double(&to)[3]) {
        for (int j = 0; j < C; ++j) to[j] = tone::positive((tone::withoutInfinity(c[j], k.limit) - k.low) * k.perRange);
        return tone::luminance(plan.weights, to, C);
    };
    forPixels<C>(samples, plan, [&](const double* c, double luminance) {
        if (!hasLuminance(luminance)) return;
        double to[3] = {};
        const double l = scale(c, to);
        scaled.luminance.add(l);
        scaled.logarithms.add(std::log(tone::receptorLight(l, plan.controls.receptorDelta(), plan.controls.receptorFloor())));
        for (int j = 0; j < C; ++j) scaled.channelSums[j] += to[j];
    });
    concludePass(TonePass::scaled, setup, found<RunningScaled, C>(samples, setup, Numbers(state, setup)), state);
    photoreceptorAdaptation(plan, scaled, k);
    EXPECT_NEAR(state.m, k.m, 1e-6);
    EXPECT_NEAR(state.f, k.f, 1e-12 * k.f);
    for (int j = 0; j < C; ++j) EXPECT_NEAR(state.average[j], k.average[j], 1e-6 * k.average[j]);
    Reduction mapped;
    forPixels<C>(samples, plan, [&](const double* c, double) {
        double to[3] = {};
        const double l = scale(c, to);
        for (int j = 0; j < C && l == l; ++j)
            mapped.add(
                tone::photoreceptor(to[j], tone::adaptation(to[j], l, k.average[j], parameters.chromatic, parameters.light), k.f, k.m));
    });
    concludePass(TonePass::mapped, setup, found<RunningMapped, C>(samples, setup, Numbers(state, setup)), state);
    photoreceptorOutput(mapped, k);
    EXPECT_NEAR(state.mappedLow, k.mappedLow, 2e-6);
    EXPECT_NEAR(state.mappedPerRange, k.mappedPerRange, 4e-6 * k.mappedPerRange);
}

TEST(ToneArithmetic, StatisticsAndConstantsMatchTheReference) {
    for (const bool broken : {false, true})
        for (const ToneMappingParameters& p :
             {ToneMappingParameters{}, ToneMappingParameters{.white = 3, .intensity = 2, .chromatic = 0.4, .light = 0.7},
              ToneMappingParameters{.intensity = -4, .contrast = 0.6, .luminance = LuminanceWeights::paper},
              ToneMappingParameters{.chromatic = 0.5, .light = 0.75, .scaling = ToneScaling::none}}) {
            SCOPED_TRACE(broken ? "with NaN and infinities" : "finite");
            for (const int channels : {1, 3}) {
                const std::vector<float> samples = pixels(channels, 5000, 3, broken);
                channels == 1 ? expectLuminance<1>(p, samples) : expectLuminance<3>(p, samples);
                channels == 1 ? expectPhotoreceptor<1>(p, samples) : expectPhotoreceptor<3>(p, samples);
            }
        }
}

TEST(ToneArithmetic, HandlesImagesWithoutLight) {
    for (const ToneOperator op : {ToneOperator::global, ToneOperator::local, ToneOperator::histogram}) {
        const ToneSetup setup = toneSetup(planOf({.op = op}), 64);
        ToneState state{};
        concludePass(TonePass::luminance, setup, {}, state);
        EXPECT_EQ(state.logAverage, 1);
        EXPECT_EQ(state.limit, 1);
        EXPECT_EQ(state.k, 0);
        EXPECT_EQ(state.perUnit, 0);
        TonePart black;
        black.light = {0, 0};
        black.count = 64;
        black.logarithms = 64 * std::log(setup.delta);
        concludePass(TonePass::luminance, setup, black, state);
        EXPECT_NEAR(state.logAverage, setup.delta, 1e-12);
        EXPECT_EQ(state.white, 0);
        EXPECT_EQ(state.k, 0);
    }
    const ToneSetup setup = toneSetup(planOf({.op = ToneOperator::photoreceptor}), 64);
    ToneState state{};
    for (const TonePass pass : {TonePass::samples, TonePass::scaled, TonePass::mapped}) concludePass(pass, setup, {}, state);
    EXPECT_EQ(state.perRange, 1);
    EXPECT_NEAR(state.m, 0.3, 1e-12);
    EXPECT_EQ(state.mappedPerRange, 1);
}

TEST(ToneArithmetic, MeansOfFlatImagesDoNotDrift) {
    const ToneSetup setup = toneSetup(planOf({.op = ToneOperator::photoreceptor}), 1 << 22);
    ToneState state{};
    state.perRange = 1;
    const Numbers numbers(state, setup);
    RunningScaled<3> running;
    const float c[3] = {0.1F, 0.7F, 0.3F};
    for (int i = 0; i < 1 << 22; ++i) {
        running.add(c, setup, numbers);
        if (i % 8 == 7) running.settle();
    }
    const TonePart part = running.part();
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(part.channels[i] / (1 << 22), static_cast<double>(c[i]), 2e-7 * static_cast<double>(c[i]));
}

}  // namespace
}  // namespace parallax::gpu
