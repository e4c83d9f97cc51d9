// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/plan.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/engine/operation/plan_cache.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

/// "left." of "left.R", empty for a channel without a layer.
std::string layerOf(const std::string& channel) { return channel.substr(0, channel.rfind('.') + 1); }

struct Colour {
    std::vector<int> channels;
    std::vector<int> parts;  ///< 0, 1, 2 for red, green, blue; empty for grey
};

Colour knownColour(const Problem& problem) {
    const auto& names = problem.channelNames;
    // A layer that is complete comes before one that is not, and the first one wins.
    for (const std::size_t needed : {std::size_t{3}, std::size_t{2}})
        for (const std::string& name : names) {
            Colour colour;
            for (int part = 0; part < 3; ++part)
                if (const auto it = std::find(names.begin(), names.end(), layerOf(name) + "RGB"[part]); it != names.end()) {
                    colour.channels.push_back(static_cast<int>(it - names.begin()));
                    colour.parts.push_back(part);
                }
            if (colour.channels.size() >= needed) return colour;
        }
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == layerOf(names[i]) + "Y") return {{static_cast<int>(i)}, {}};
    if (const std::vector<int> others = remainingChannels(problem, {problem.alphaChannel}); others.size() == 1) return {others, {}};
    throw Error(ErrorCode::usage, "Cannot tell which channels are the colour", "the image has " + joined(names),
                "Name one (grey) or three of them, such as channels='" +
                    (names.size() >= 3 ? names[0] + "," + names[1] + "," + names[2] : joined(names)) + "'");
}

Colour namedColour(const Problem& problem, const std::string& text) {
    Colour colour;
    const auto add = [&](std::string name) {
        const auto first = name.find_first_not_of(' ');
        name = first == std::string::npos ? std::string() : name.substr(first, name.find_last_not_of(' ') - first + 1);
        const auto it = std::find(problem.channelNames.begin(), problem.channelNames.end(), name);
        if (it == problem.channelNames.end())
            throw Error(ErrorCode::usage, "There is no channel '" + name + "'", "the image has " + joined(problem.channelNames));
        const int index = static_cast<int>(it - problem.channelNames.begin());
        if (std::find(colour.channels.begin(), colour.channels.end(), index) != colour.channels.end())
            throw Error(ErrorCode::usage, "Channel '" + name + "' is named twice");
        colour.channels.push_back(index);
    };
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        add(text.substr(start, end - start));
        start = end + 1;
    }
    if (colour.channels.size() == 3) colour.parts = {0, 1, 2};
    if (colour.channels.size() != 1 && colour.channels.size() != 3)
        throw Error(ErrorCode::usage, "Parameter 'channels' cannot be '" + text + "'", "tone mapping needs one (grey) or three channels",
                    "Write 'auto', or one or three names separated by commas");
    return colour;
}

tone::ColourWeights<double> weightsOf(const ToneMappingParameters& p) {
    switch (p.luminance) {
        case LuminanceWeights::rec709: return {{0.2126, 0.7152, 0.0722}};
        case LuminanceWeights::rec601: return {{0.299, 0.587, 0.114}};
        case LuminanceWeights::paper: break;
    }
    switch (p.op) {
        case ToneOperator::global:
        case ToneOperator::local: return {{0.27, 0.67, 0.06}};
        case ToneOperator::photoreceptor: return {{0.2125, 0.7154, 0.0721}};
        case ToneOperator::histogram: return {{0.265, 0.67, 0.065}};
        case ToneOperator::gradient: break;  // the paper names none
    }
    return {{0.2126, 0.7152, 0.0722}};
}

ToneScale makeScale(double size) {
    ToneScale scale;
    scale.size = size;
    const double alpha = size / (2 * std::sqrt(2.0));
    scale.radius = static_cast<int>(std::ceil(3 * alpha));
    double sum = 0;
    for (int i = -scale.radius; i <= scale.radius; ++i) {
        // Over a pixel, not at its centre: the smallest ones are narrower than a pixel.
        scale.weights.push_back(0.5 * (std::erf((i + 0.5) / alpha) - std::erf((i - 0.5) / alpha)));
        sum += scale.weights.back();
    }
    for (double& w : scale.weights) w /= sum;
    return scale;
}

ToneMappingPlan makePlan(const Problem& problem) {
    ToneMappingPlan plan;
    plan.parameters = problem.parameters.as<ToneMappingParameters>();
    const ToneMappingParameters& p = plan.parameters;
    if (problem.shape.depth > 1)
        throw Error(ErrorCode::usage, "Tone mapping works on images only",
                    "the input is a volume of " + std::to_string(problem.shape.depth) + " slices",
                    "Adjust the display range of the view instead");
    const Colour colour = p.channels == "auto" ? knownColour(problem) : namedColour(problem, p.channels);
    plan.colour = colour.channels;
    plan.copied = remainingChannels(problem, plan.colour);
    const tone::ColourWeights<double> all = weightsOf(p);
    if (colour.parts.empty()) plan.weights.c[0] = 1;
    double smallest = 1;
    for (std::size_t i = 0; i < colour.parts.size(); ++i) {
        plan.weights.c[i] = all.c[colour.parts[i]];
        smallest = std::min(smallest, plan.weights.c[i]);
    }
    plan.largestRatio = 1 / smallest - 1;
    plan.controls = {.channels = plan.channels(),
                     .key = p.key,
                     .white = p.white,
                     .contrast = p.contrast,
                     .intensity = p.intensity,
                     .chromatic = p.chromatic,
                     .fillsUnit = p.scaling == ToneScaling::range};
    if (p.op == ToneOperator::local) {
        const double largest = std::pow(p.ratio, p.scales);
        if (largest > kLargestToneScale)
            throw Error(ErrorCode::usage, "The scales of the local operator are too large",
                        toText(ParameterValue(std::int64_t{p.scales})) + " scales with ratio " + toText(ParameterValue(p.ratio)) +
                            " give " + toText(ParameterValue(std::round(largest))) + " pixels, at most " +
                            toText(ParameterValue(kLargestToneScale)) + " are allowed",
                        "Use fewer scales or a smaller ratio");
        for (int i = 0; i <= p.scales; ++i) plan.scales.push_back(makeScale(std::pow(p.ratio, i)));
        plan.controls.scales = p.scales;
        for (int i = 0; i < p.scales; ++i) {
            const double size = plan.scales[static_cast<std::size_t>(i)].size;
            plan.controls.sharpening[i] = std::exp2(p.phi) / (size * size);
        }
    }
    return plan;
}
}  // namespace

ToneMappingPlan planToneMapping(const Problem& problem) {
    return planOnce<ToneMappingPlan>(problem, [&] { return makePlan(problem); });
}

void ToneStatistics::merge(const ToneStatistics& next) {
    samples.merge(next.samples);
    luminance.merge(next.luminance);
    logarithms.merge(next.logarithms);
    for (int c = 0; c < 3; ++c) channelSums[c] += next.channelSums[c];
}

ToneConstants toneConstants(const ToneMappingPlan& plan, const ToneStatistics& s) {
    ToneConstants c;
    tone::concludeLuminance(c, plan.controls, s.luminance.empty() ? 0 : s.luminance.maximum, s.logarithms.mean());
    c.finite = s.luminance.count;
    return c;
}

ToneConstants photoreceptorRange(const ToneMappingPlan& plan, const ToneStatistics& s) {
    ToneConstants c;
    tone::concludeRange(c, plan.controls, s.luminance.empty() ? 0 : s.luminance.maximum, s.samples.minimum, s.samples.range());
    c.finite = s.luminance.count;
    return c;
}

void photoreceptorAdaptation(const ToneMappingPlan& plan, const ToneStatistics& s, ToneConstants& c) {
    const bool any = !s.luminance.empty();
    tone::concludeAdaptation(c, plan.controls, any ? s.luminance.minimum : 0, any ? s.luminance.maximum : 0, s.logarithms.mean(),
                             s.luminance.sum, s.channelSums, static_cast<double>(std::max<std::int64_t>(s.luminance.count, 1)));
}

void photoreceptorOutput(const Reduction& mapped, ToneConstants& c) {
    tone::fillUnit(c.mappedLow, c.mappedPerRange, mapped.minimum, mapped.range());
}

double roundingOfScaledOutput(const ToneMappingPlan& plan, const ToneConstants& c) {
    const ToneMappingParameters& p = plan.parameters;
    const double largest = std::max(1.0, p.saturation);
    const double linear = kPhotoreceptorRoundings * 0x1p-24 * largest * std::max(0.0, c.mappedPerRange - 2);
    switch (p.encoding) {
        case ToneEncoding::linear: break;
        case ToneEncoding::srgb: return 12.92 * linear;
        case ToneEncoding::gamma: return encodedValue(p, linear);
        case ToneEncoding::decode: return 2.4 / 1.055 * std::pow((largest + 0.055) / 1.055, 1.4) * linear;
    }
    return linear;
}

}  // namespace parallax
