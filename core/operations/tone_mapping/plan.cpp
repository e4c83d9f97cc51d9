// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/plan.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/engine/operation/plan_cache.hpp"
#include "core/image/error.hpp"

namespace parallax {
namespace {

std::string baseName(const std::string& channel) {
    const auto dot = channel.rfind('.');
    return dot == std::string::npos ? channel : channel.substr(dot + 1);
}
std::string layerOf(const std::string& channel) {
    const auto dot = channel.rfind('.');
    return dot == std::string::npos ? std::string() : channel.substr(0, dot);
}

int findChannel(const std::vector<std::string>& names, const std::string& layer, const char* base) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (layerOf(names[i]) == layer && baseName(names[i]) == base) return static_cast<int>(i);
    return -1;
}

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
            const char* const bases[] = {"R", "G", "B"};
            for (int part = 0; part < 3; ++part)
                if (const int channel = findChannel(names, layerOf(name), bases[part]); channel >= 0) {
                    colour.channels.push_back(channel);
                    colour.parts.push_back(part);
                }
            if (colour.channels.size() >= needed) return colour;
        }
    for (std::size_t i = 0; i < names.size(); ++i)
        if (baseName(names[i]) == "Y") return {{static_cast<int>(i)}, {}};
    std::vector<int> others;
    for (int i = 0; i < static_cast<int>(problem.shape.channels); ++i)
        if (i != problem.alphaChannel) others.push_back(i);
    if (others.size() == 1) return {others, {}};
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
    throw Error(ErrorCode::usage, "Cannot tell which channels are the colour", "the image has " + list,
                "Name one (grey) or three of them, such as channels='" +
                    (names.size() >= 3 ? names[0] + "," + names[1] + "," + names[2] : list) + "'");
}

Colour namedColour(const Problem& problem, const std::string& text) {
    Colour colour;
    const auto add = [&](std::string name) {
        const auto first = name.find_first_not_of(' ');
        name = first == std::string::npos ? std::string() : name.substr(first, name.find_last_not_of(' ') - first + 1);
        const auto it = std::find(problem.channelNames.begin(), problem.channelNames.end(), name);
        std::string list;
        for (const auto& n : problem.channelNames) list += (list.empty() ? "" : ", ") + n;
        if (it == problem.channelNames.end()) throw Error(ErrorCode::usage, "There is no channel '" + name + "'", "the image has " + list);
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

double finite(double value) { return std::min(value, static_cast<double>(FLT_MAX)); }

}  // namespace

double encodedValue(const ToneMappingParameters& p, double x) {
    switch (p.encoding) {
        case ToneEncoding::linear: return x;
        case ToneEncoding::srgb: return tone::encodedSrgb(x);
        case ToneEncoding::gamma: return tone::encodedGamma(x, 1 / p.gamma);
        case ToneEncoding::decode: return tone::decodedSrgb(x);
    }
    return x;
}

namespace {
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
    for (int i = 0; i < static_cast<int>(problem.shape.channels); ++i)
        if (std::find(plan.colour.begin(), plan.colour.end(), i) == plan.colour.end()) plan.copied.push_back(i);
    const tone::ColourWeights<double> all = weightsOf(p);
    if (colour.parts.empty()) plan.weights.c[0] = 1;
    double smallest = 1;
    for (std::size_t i = 0; i < colour.parts.size(); ++i) {
        plan.weights.c[i] = all.c[colour.parts[i]];
        smallest = std::min(smallest, plan.weights.c[i]);
    }
    plan.largestRatio = 1 / smallest - 1;
    if (p.op == ToneOperator::local) {
        const double largest = std::pow(p.ratio, p.scales);
        if (largest > kLargestToneScale)
            throw Error(ErrorCode::usage, "The scales of the local operator are too large",
                        toText(ParameterValue(std::int64_t{p.scales})) + " scales with ratio " + toText(ParameterValue(p.ratio)) +
                            " give " + toText(ParameterValue(std::round(largest))) + " pixels, at most " +
                            toText(ParameterValue(kLargestToneScale)) + " are allowed",
                        "Use fewer scales or a smaller ratio");
        for (int i = 0; i <= p.scales; ++i) plan.scales.push_back(makeScale(std::pow(p.ratio, i)));
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
    const ToneMappingParameters& p = plan.parameters;
    ToneConstants c;
    // Without a single finite pixel there is nothing to adapt to: any positive average will do.
    c.logAverage = logAverage(s.logarithms);
    c.largest = s.luminance.empty() ? 0 : s.luminance.maximum;
    c.limit = c.largest > 0 ? c.largest : 1;
    c.white = p.white > 0 ? p.white : c.largest;
    c.q = finite(c.logAverage / p.key);
    // Black images have no white; everything is far below it then.
    if (c.white > 0) c.k = finite(c.q / c.white / c.white);
    for (const ToneScale& scale : plan.scales) c.sharpening.push_back(finite(std::exp2(p.phi) * c.logAverage / (scale.size * scale.size)));
    return c;
}

ToneConstants photoreceptorRange(const ToneStatistics& s) {
    ToneConstants c;
    c.largest = s.luminance.empty() ? 0 : s.luminance.maximum;
    c.limit = c.largest > 0 ? c.largest : 1;
    // Images of one value stay as they are: OpenCV's rule, with its threshold.
    if (s.samples.range() > DBL_EPSILON) {
        c.low = s.samples.minimum;
        c.perRange = finite(1 / s.samples.range());
    }
    return c;
}

void photoreceptorAdaptation(const ToneMappingPlan& plan, const ToneStatistics& s, ToneConstants& c) {
    const ToneMappingParameters& p = plan.parameters;
    // Between 0 (the average is the brightest) and 1 (the average is the darkest); where all are the same, nothing speaks for either.
    const double key = s.logarithms.range() > 0 ? (s.logarithms.maximum - s.logarithms.mean()) / s.logarithms.range() : 0;
    c.logAverage = logAverage(s.logarithms);
    c.m = p.contrast > 0 ? p.contrast : 0.3 + 0.7 * std::pow(std::clamp(key, 0.0, 1.0), 1.4);
    c.f = std::exp(-p.intensity);
    const auto count = static_cast<double>(std::max<std::int64_t>(s.luminance.count, 1));
    for (int i = 0; i < plan.channels(); ++i)
        c.average[i] = p.chromatic * s.channelSums[i] / count + (1 - p.chromatic) * s.luminance.mean();
}

void photoreceptorOutput(const Reduction& mapped, ToneConstants& c) {
    if (mapped.range() <= DBL_EPSILON) return;
    c.mappedLow = mapped.minimum;
    c.mappedPerRange = finite(1 / mapped.range());
}

}  // namespace parallax
