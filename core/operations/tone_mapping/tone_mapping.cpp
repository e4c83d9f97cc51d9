// SPDX-License-Identifier: GPL-3.0-or-later
// The description of tone mapping: everything generic is derived from it.
#include "core/operations/tone_mapping/tone_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/operation/kernel_values.hpp"
#include "core/engine/operation/refines.hpp"
#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {
namespace {

constexpr double kRounding = 0x1p-24;
/// Of multigrid, for a first picture: residuals fall to some 1e-3.
constexpr int kEarlyIterations = 4;

/// Range of the image as known before the run, from the statistics of all channels.
struct InputRange {
    explicit InputRange(const Problem& problem)
        : largest(std::max(problem.statistics.maxAbs(), 1e-30)),
          negative(problem.statistics.min < 0),
          smallest(problem.statistics.min),
          largestAverage(largest) {
        // A luminance is no larger than the sum of its samples, and the mean of logarithms is no larger than the logarithm of the mean.
        if (!negative && problem.statistics.nonFinite() == 0)
            largestAverage = std::min(largest, static_cast<double>(problem.shape.channels) * problem.statistics.mean);
    }
    double largest;
    bool negative;
    double smallest;
    double largestAverage;  ///< the log-average of the luminance is not larger, but for delta
};

/// [R02]: the smallest q = log-average / key that the image can have.
double smallestQ(const ToneMappingParameters& p, const InputRange& in) { return std::max(p.delta, in.smallest) / p.key; }

/// How much larger than its luminance, times the saturation, a sample without negative parts can be.
double colourReach(const ToneMappingPlan& plan) {
    if (plan.grey()) return 1;
    const double s = plan.parameters.saturation;
    return std::max(1.0, std::fabs(1 - s) + s * (plan.largestRatio + 1));
}

/// The largest display luminance of an image without negative samples.
double largestDisplay(const ToneMappingPlan& plan, const InputRange& in) {
    const ToneMappingParameters& p = plan.parameters;
    switch (p.op) {
        case ToneOperator::global: {
            if (p.white == 0) return 1;
            // Beyond white: Ld <= 1 + L / Lwhite^2, with Lwhite in units of the log-average over key.
            return 1 + in.largest * (in.largestAverage + p.delta) / p.key / p.white / p.white;
        }
        case ToneOperator::local: {
            // V1 of the chosen scale is at least the pixel's own part of it; and at least what the thresholds passed before leave of
            // the first one: V1 (1 - epsilon)^m - epsilon 2^phi key sum(1 / s^2).
            const ToneScale& first = plan.scales.front();
            const ToneScale& last = plan.scales[plan.scales.size() - 2];
            const auto centre = [](const ToneScale& s) { return s.weights[static_cast<std::size_t>(s.radius)]; };
            const double own = 1 / (centre(last) * centre(last));
            const double kept = centre(first) * centre(first) * std::pow(1 - p.epsilon, p.scales);
            const double lost = p.epsilon * std::exp2(p.phi) * p.key / (1 - 1 / (p.ratio * p.ratio));
            return kept > 0 ? std::min(own, std::max(1.0, lost) / kept) : own;
        }
        case ToneOperator::photoreceptor:
        case ToneOperator::histogram: return 1;
        case ToneOperator::gradient: return tone::kBrightestDisplay;
    }
    return 1;
}

/// Largest slope of decodedSrgb() up to x, where it is steepest.
double slopeOfDecoding(double x) { return std::max(1 / 12.92, 2.4 / 1.055 * std::pow((x + 0.055) / 1.055, 1.4)); }

/// Before the encoding.
double largestLinear(const ToneMappingPlan& plan, const InputRange& in) {
    const ToneMappingParameters& p = plan.parameters;
    if (p.output == ToneOutput::scale && p.op == ToneOperator::local) return 1;
    if (p.op == ToneOperator::gradient) return tone::kBrightestDisplay * largestGradientColour(plan);
    double largest = largestDisplay(plan, in) * (p.op == ToneOperator::photoreceptor ? std::max(1.0, p.saturation) : colourReach(plan));
    // Negative parts of a colour can leave next to no luminance, which is scaled like black.
    const bool scaled = p.op == ToneOperator::global || p.op == ToneOperator::local;
    if (in.negative && scaled && !plan.grey()) largest = std::max(largest, (1 + 2 * p.saturation) * in.largest / smallestQ(p, in));
    return largest;
}

/// Flops for each pixel of the gradient operator: its passes, and one application of the operator of the equation, which no method can do
/// without.
double gradientFlops(const ToneMappingPlan& plan, const Shape& shape) {
    constexpr double kFunction = 20, kReduced = 2 * 2 * 5, kAttenuated = 6 + kFunction + 4, kDivergence = 4 * 4, kEquation = 10;
    const double levels =
        static_cast<double>(planGradient(plan, shape).allPixels()) / static_cast<double>(std::max<std::int64_t>(shape.pixels(), 1));
    const double channels = plan.channels();
    return 3 * 2 * channels + 2 * kFunction + 2 + levels * (kReduced + kAttenuated) + kDivergence + kEquation + kFunction + 4 +
           channels * (plan.parameters.saturation == 1 ? 3 : kFunction + 3);
}

class ToneMapping final : public Operation,
                          public HasPresets,
                          public HasStatistics,
                          public HasTransferCurve,
                          public HasSeries,
                          public Refines,
                          public EstimatesReference,
                          public PicksParameters,
                          public GivesKernelValues,
                          public HasNotes {
public:
    std::string id() const override { return "tonemap"; }
    std::string title() const override { return "Tone mapping"; }
    std::string help() const override {
        return "Maps a high-dynamic-range image to the range of a display by published operators. The result is linear light from black "
               "(0) "
               "to white (1); brighter values are kept and counted.";
    }
    const ParameterTableBase& parameters() const override { return toneMappingParameterTable(); }
    void check(const Problem& problem) const override { (void)planToneMapping(problem); }
    std::vector<KernelValue> kernelValues(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        KernelValue mapped =
            channelFlags("mapped", "For each channel 1 if it is mapped, or 0 if it is copied", problem.shape.channels, plan.colour);
        KernelValue weights = mapped;
        weights.key = "weights";
        weights.help = "For each channel its weight in the luminance";
        for (std::size_t i = 0; i < plan.colour.size(); ++i)
            weights.values[static_cast<std::size_t>(plan.colour[i])] = static_cast<float>(plan.weights.c[i]);
        return {std::move(mapped), std::move(weights)};
    }

    std::vector<std::string> notes(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const ToneMappingParameters& p = plan.parameters;
        const InputRange in(problem);
        // Sums of [R02] and [RD05] in float: q + luminance, with a log-average of up to the largest luminance; the range of the samples, or
        // a sample and its sigma where all samples are equal.
        const double range = static_cast<double>(problem.statistics.max) - problem.statistics.min;
        double largestSum = 0;
        if (p.op == ToneOperator::global || p.op == ToneOperator::local) largestSum = in.largest * (1 + 1 / p.key);
        if (p.op == ToneOperator::photoreceptor) largestSum = p.scaling == ToneScaling::range && range > 0 ? range : 4 * in.largest;
        if (largestSum < 0.5 * std::numeric_limits<float>::max()) return {};
        return {"The samples are so large that intermediate results can exceed the range of float. Divide the image by a power of ten."};
    }

    Work work(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const ToneMappingParameters& p = plan.parameters;
        const double pixels = static_cast<double>(problem.shape.pixels()), channels = plan.channels();
        // A logarithm, an exponential function or a power counts 20, a division 1. Each pass that needs what the one before found
        // reads the colour again: that is the least for images that no cache holds.
        constexpr double kFunction = 20;
        const double luminance = 2 * channels;
        double flops = 0, reads = 2;
        switch (p.op) {
            case ToneOperator::global: flops = luminance + kFunction + 3 + luminance + 5 + channels; break;
            case ToneOperator::local:
                flops = luminance + kFunction + 3 + luminance + 2 + channels;
                for (const ToneScale& s : plan.scales) flops += 2 * 2 * static_cast<double>(s.weights.size()) + 5;
                break;
            case ToneOperator::photoreceptor:
                reads = 4;
                flops = 2 * channels + luminance + kFunction + 3 * channels + 2 * (luminance + channels * (kFunction + 9));
                break;
            case ToneOperator::histogram:
                reads = 3;
                flops = 3 * (luminance + kFunction) + kFunction + 10 + 5 * channels;
                break;
            case ToneOperator::gradient:
                reads = 3;
                flops = gradientFlops(plan, problem.shape);
                break;
        }
        if (p.encoding != ToneEncoding::linear) flops += channels * (kFunction + 3);
        const double copied = static_cast<double>(plan.copied.size());
        return {.flops = flops * pixels, .bytes = 4 * pixels * ((reads + 1) * channels + 2 * copied)};
    }

    Tolerance tolerance(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const ToneMappingParameters& p = plan.parameters;
        const InputRange in(problem);
        const double largest = largestLinear(plan, in);
        const double pixels = static_cast<double>(problem.shape.pixels());
        double linear = 0;
        Tolerance t;
        switch (p.op) {
            case ToneOperator::global:
            case ToneOperator::local: {
                // The sums of a Gaussian err by some roundings for each of its taps.
                const double taps = plan.scales.empty() ? 0 : static_cast<double>(plan.scales.back().weights.size());
                const double roundings = 16 + taps / 4;
                linear = roundings * kRounding * largest;
                t.reason = "float32: " + toText(ParameterValue(roundings)) + " roundings of the largest possible result";
                // Luminance of colours with negative parts cancels.
                if (in.negative && !plan.grey()) linear *= 1 + in.largest / smallestQ(p, in);
                break;
            }
            case ToneOperator::photoreceptor:
                // A logarithm is at least -88, off by up to 2 of its last digits of 2^-17, and V moves by a quarter of that.
                linear = kPhotoreceptorRoundings * kRounding * largest;
                t.reason = "float32: powers by logarithms of as little as the smallest float, 80 roundings";
                // Next to black the slope has no bound.
                t.ambiguous = 1e-5 + 6 / (pixels * plan.channels());
                break;
            case ToneOperator::histogram:
                // Brightness is off by some 3e-6, so that pixels next to an edge between bins may be counted on its other side.
                linear = 32 * kRounding * largest + std::log(p.displayRange) * (2 / pixels + 1e-4) * colourReach(plan);
                t.reason =
                    "float32: a pixel at the edge of a bin may be counted beside it, which moves the cumulative distribution by 1 / "
                    "pixels; "
                    "2 / pixels + 1e-4, times the logarithm of the display's range";
                break;
            case ToneOperator::gradient: {
                const std::size_t levels = planGradient(plan, problem.shape).levels.size();
                linear = kGradientRoundings * kRounding * largestAttenuation(p, levels) * largest;
                t.reason = "float32: errors of logarithms in the attenuation of each level and of the solver, " +
                           toText(ParameterValue(kGradientRoundings)) +
                           " roundings, times the largest amplification of a gradient and the largest possible result";
                if (in.negative && !plan.grey()) {
                    linear += kCancelled * largest;
                    t.ambiguous = 1e-3 + 12 / pixels;
                    t.reason += "; the luminance of colours with negative parts cancels";
                }
                break;
            }
        }
        if (p.op == ToneOperator::local) {
            t.ambiguous = 1e-4 + 4 / pixels;
            t.reason += "; a pixel whose contrast is that of the threshold may get the next scale";
        }
        switch (p.op == ToneOperator::local && p.output == ToneOutput::scale ? ToneEncoding::linear : p.encoding) {
            case ToneEncoding::linear: t.absolute = linear; break;
            case ToneEncoding::srgb:
                t.absolute = 12.92 * linear + 64 * kRounding * encodedValue(p, largest);
                t.reason += "; sRGB's slope is at most 12.92";
                break;
            case ToneEncoding::gamma:
                // Concave: the largest step is the one from black.
                t.absolute = encodedValue(p, linear) + 64 * kRounding * encodedValue(p, largest);
                t.reason += "; to the power of 1 / gamma";
                break;
            case ToneEncoding::decode:
                t.absolute = slopeOfDecoding(largest) * linear + 64 * kRounding * encodedValue(p, largest);
                t.reason += "; times the steepest slope of the decoding";
                break;
        }
        return t;
    }

    double gain(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const ToneMappingParameters& p = plan.parameters;
        const InputRange in(problem);
        const double slopeOfEncoding = p.encoding == ToneEncoding::linear   ? 1
                                       : p.encoding == ToneEncoding::srgb   ? 12.92
                                       : p.encoding == ToneEncoding::decode ? slopeOfDecoding(largestLinear(plan, in))
                                                                            : kSteepest;
        switch (p.op) {
            // Steepest at black: 1 / q for a sample, and for the luminance as much again for each unit of colour.
            case ToneOperator::global:
            case ToneOperator::local: return std::max(1.0, slopeOfEncoding * 2 * colourReach(plan) / smallestQ(p, in));
            case ToneOperator::photoreceptor:
            case ToneOperator::histogram:
            case ToneOperator::gradient: return std::max(1.0, slopeOfEncoding * kSteepest / in.largest);
        }
        return 1;
    }

    double largestOutput(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const InputRange in(problem);
        const ToneMappingParameters& p = plan.parameters;
        const double linear = largestLinear(plan, in);
        double mapped = encodedValue(p, linear);
        // Negative values, from the input or from saturation above 1, stay on the linear part of sRGB.
        if (p.encoding == ToneEncoding::srgb && (in.negative || p.saturation > 1)) mapped = std::max(mapped, 12.92 * linear);
        return plan.copied.empty() ? mapped : std::max(mapped, problem.statistics.maxAbs());
    }

    Reach reach(const Problem& problem) const override {
        const Shape& shape = problem.shape;
        if (const ToneMappingPlan plan = planToneMapping(problem); plan.parameters.op == ToneOperator::gradient)
            return {.x = shape.width - 1, .y = shape.height - 1, .channels = plan.channels()};
        const int radius = borderWidth(problem);
        return {.x = radius, .y = radius, .channels = planToneMapping(problem).channels()};
    }
    int borderWidth(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        return plan.scales.empty() ? 0 : plan.scales.back().radius;
    }

    std::vector<ParameterPreset> presets() const override {
        return {
            {"paper",
             "Published defaults",
             "Values in the papers: key 0.18, phi 8, epsilon 0.05, 8 scales from 1 pixel; m from the image, no chromatic and full light "
             "adaptation; 100 bins for a display range of 100.",
             {{"key", "0.18"},
              {"white", "0"},
              {"phi", "8"},
              {"epsilon", "0.05"},
              {"scales", "8"},
              {"ratio", "1.6"},
              {"intensity", "0"},
              {"contrast", "0"},
              {"chromatic", "0"},
              {"light", "1"},
              {"scaling", "none"},
              {"bins", "100"},
              {"display-range", "100"},
              {"ceiling", "true"},
              {"saturation", "1"},
              {"luminance", "paper"}}},
            {"pfstools",
             "As pfstools",
             "Defaults of pfstmo_reinhard02 (phi 1, delta 1e-5) and pfstmo_reinhard05 (chromatic 0.5, light 0.75, samples not scaled; add "
             "encoding=decode, or take pfstools05). The scales of its local operator are not those of the paper, which are used here.",
             {{"key", "0.18"},
              {"white", "0"},
              {"delta", "1e-05"},
              {"phi", "1"},
              {"epsilon", "0.05"},
              {"scales", "8"},
              {"ratio", "1.6"},
              {"intensity", "0"},
              {"contrast", "0"},
              {"chromatic", "0.5"},
              {"light", "0.75"},
              {"scaling", "none"},
              {"saturation", "1"},
              {"luminance", "rec709"}}},
            {"pfstools05",
             "As pfstools, photoreceptor",
             "The output of pfstmo_reinhard05 with its defaults: it takes its results for sRGB and decodes them.",
             {{"operator", "photoreceptor"},
              {"intensity", "0"},
              {"contrast", "0"},
              {"chromatic", "0.5"},
              {"light", "0.75"},
              {"scaling", "none"},
              {"saturation", "1"},
              {"luminance", "rec709"},
              {"encoding", "decode"}}},
            {"opencv",
             "As OpenCV",
             "The photoreceptor model with the defaults and luminance of OpenCV's TonemapReinhard.",
             {{"operator", "photoreceptor"},
              {"intensity", "0"},
              {"contrast", "0"},
              {"chromatic", "0"},
              {"light", "1"},
              {"scaling", "range"},
              {"saturation", "1"},
              {"luminance", "rec601"},
              {"encoding", "linear"}}},
            {"fattal",
             "Published defaults, gradient domain",
             "The gradient operator with values in the paper: alpha 0.1, beta 0.85, saturation 0.5. The result is flat in linear light; a "
             "beta of 0.9 keeps more contrast.",
             {{"operator", "gradient"},
              {"alpha", "0.1"},
              {"beta", "0.85"},
              {"levels", "0"},
              {"saturation", "0.5"},
              {"encoding", "linear"}}}};
    }

    std::vector<StatisticInfo> statistics() const override {
        std::vector<StatisticInfo> all{
            {"log-average", "Log-average luminance", "", "exp(mean(log(delta + luminance))), which is mapped to the key."},
            {"largest", "Largest luminance", "", "Largest luminance of all finite pixels."},
            {"white", "White point", "", "Luminance that was mapped to white."},
            {"contrast", "Contrast", "", "Exponent m of the photoreceptor model."},
            {"trimmed", "Cut by the ceiling", "%", "Share of the histogram counts that the contrast ceiling removed."},
            {"brighter", "Clipped", "%", "Share of the pixels with a channel above 1, which a display clips."}};
        for (const StatisticInfo& ofSolver : solvers::statisticInfos())
            if (ofSolver.key != "removed-mean") all.push_back(ofSolver);
        return all;
    }
    /// Only runs of the gradient operator have some.
    std::vector<RunSeriesInfo> series() const override { return solvers::seriesInfos(); }
    std::optional<ParameterBlock> firstPicture(const ParameterBlock& parameters) const override {
        ToneMappingParameters values = parameters.as<ToneMappingParameters>();
        if (values.op != ToneOperator::gradient || values.iterations <= kEarlyIterations) return {};
        values.iterations = kEarlyIterations;
        ParameterBlock early = parameters;
        early.assign(std::move(values));
        return early;
    }
    std::string residualKey() const override { return "residual"; }
    double referenceFlops(const Problem& problem) const override {
        const double flops = work(problem).flops;
        if (planToneMapping(problem).parameters.op != ToneOperator::gradient) return flops;
        // Four transforms by their definition, two along each axis.
        return flops + 4 * static_cast<double>(problem.shape.pixels()) * static_cast<double>(problem.shape.width + problem.shape.height);
    }

    TransferInfo transferInfo() const override {
        return {
            "Luminance", "Display luminance",
            "Output luminance of grey pixels. For the local operator: of pixels as bright as their surround; pixels brighter than their "
            "surround lie above the curve. The gradient operator has no curve.",
            "brighter"};
    }
    double pickedValue(const Problem& problem, std::string_view, std::span<const float> samples) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        double colour[3] = {};
        for (int i = 0; i < plan.channels(); ++i)
            colour[i] = static_cast<double>(samples[static_cast<std::size_t>(plan.colour[static_cast<std::size_t>(i)])]);
        return std::fabs(tone::luminance(plan.weights, colour, plan.channels()));
    }

    std::vector<SampleProblem> sampleProblems() const override {
        using O = ToneOperator;
        return makeSampleProblems<ToneMappingParameters>(
            {{"global", {}},
             {"global, manual white, sRGB", {.key = 0.5, .white = 0.8, .saturation = 1.3, .encoding = ToneEncoding::srgb}},
             {"photoreceptor as OpenCV", {.op = O::photoreceptor, .luminance = LuminanceWeights::rec601}},
             {"photoreceptor, adapted",
              {.op = O::photoreceptor, .intensity = 1, .contrast = 0.6, .chromatic = 0.4, .light = 0.7, .saturation = 0.8}},
             {"photoreceptor as pfstools",
              {.op = O::photoreceptor, .chromatic = 0.5, .light = 0.75, .scaling = ToneScaling::none, .encoding = ToneEncoding::decode}},
             {"local", {.op = O::local}},
             {"local, few scales",
              {.op = O::local, .phi = 1, .scales = 3, .luminance = LuminanceWeights::paper, .encoding = ToneEncoding::gamma}},
             {"chosen scale", {.op = O::local, .epsilon = 0.02, .scales = 5, .ratio = 2, .output = ToneOutput::scale}},
             {"histogram", {.op = O::histogram}},
             {"histogram, equalised", {.op = O::histogram, .bins = 40, .ceiling = false, .saturation = 1.2}},
             {"gradient", {.op = O::gradient}},
             {"gradient, three levels, sRGB",
              {.op = O::gradient,
               .alpha = 0.1,
               .beta = 0.8,
               .levels = 3,
               .clipWhite = 2,
               .clipBlack = 1,
               .saturation = 0.6,
               .encoding = ToneEncoding::srgb}}},
            toneMappingParameterTable());
    }

private:
    /// Stands for the slope at black where that has no bound.
    static constexpr double kSteepest = 1000;
    /// Gradient operator: roundings of a display luminance, and its relative error where a luminance cancels.
    static constexpr double kGradientRoundings = 64, kCancelled = 1e-3;
};

}  // namespace

std::unique_ptr<Operation> makeToneMapping() { return std::make_unique<ToneMapping>(); }

}  // namespace parallax
