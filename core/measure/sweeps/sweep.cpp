// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweeps/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/engine/run/run_context.hpp"
#include "core/image/encoded_light.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/image/texts.hpp"
#include "core/measure/sweeps/sweep_series.hpp"

namespace parallax {
namespace {

constexpr int kLargestSize = 1 << 20;
constexpr std::size_t kSuggestedValues = 8;

[[noreturn]] void refuse(const std::string& sweep, const std::string& why) {
    throw Error(ErrorCode::usage, "'" + sweep + "' is not a sweep", why,
                "Use size=512,1024, threads=1,2,4, parts=1,2,4, weak=1,2,4 or a parameter, e.g. convolve.size=3,5,7");
}

int wholeNumber(const std::string& sweep, const std::string& text, int maximum) {
    int value = 0;
    if (!parseNumber(text, value) || value < 1 || value > maximum)
        refuse(sweep, "'" + text + "' is not a whole number from 1 to " + std::to_string(maximum));
    return value;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == ',') parts.emplace_back();
        else parts.back() += c;
    return parts;
}

struct Sweep {
    std::string axis;
    std::vector<std::string> values;
};

Sweep parse(const std::string& sweep) {
    const auto equals = sweep.find('=');
    if (equals == std::string::npos || equals + 1 == sweep.size()) refuse(sweep, "values are missing");
    return {sweep.substr(0, equals), split(sweep.substr(equals + 1))};
}

/// The point with this value, except its input.
SweepPoint withValue(const std::string& sweep, const std::string& axis, const std::string& value, SweepPoint point) {
    point.at = {axis, value};
    if (axis == "size") {
        (void)wholeNumber(sweep, value, kLargestSize);
    } else if (axis == "threads") {
        const int threads = wholeNumber(sweep, value, 4096);
        for (Target& t : point.targets) t.threads = threads;
    } else if (sweepsParts(axis)) {
        const int parts = wholeNumber(sweep, value, kMaxParts);
        // Targets may differ in nothing but their parts.
        std::vector<Target> targets;
        for (Target t : point.targets) {
            if (t.otherDevices.size() + 1 < static_cast<std::size_t>(parts) && !t.otherDevices.empty())
                refuse(sweep, "'" + t.label() + "' has devices for fewer parts");
            t.parts = parts;
            if (!t.otherDevices.empty()) t.otherDevices.resize(static_cast<std::size_t>(parts) - 1);
            if (std::find(targets.begin(), targets.end(), t) == targets.end()) targets.push_back(std::move(t));
        }
        point.targets = std::move(targets);
    } else {
        const auto dot = axis.find('.');
        if (dot == std::string::npos) refuse(sweep, "'" + axis + "' is not size, threads, parts, weak or OPERATION.parameter");
        bool found = false;
        for (NamedPipeline& recipe : point.recipes)
            for (Step& s : recipe.pipeline.steps)
                if (s.operation->id() == axis.substr(0, dot)) {
                    s.parameters.setText(axis.substr(dot + 1), value);
                    found = true;
                }
        if (!found)
            refuse(sweep, (point.recipes.size() > 1 ? "no recipe has the operation '" : "the pipeline has no operation '") +
                              axis.substr(0, dot) + "'");
    }
    return point;
}

void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
}

/// A square image: a synthetic one generated in that size, any other tiled or cropped.
ImagePtr resized(const Image& image, int size, const std::stop_token& stop) {
    if (isSynthetic(image.source.path)) {
        SyntheticRequest request = parseSynthetic(image.source.path);
        request.shape.width = request.shape.height = size;
        Image made = makeSynthetic(request, stop);
        return std::make_shared<Image>(image.source.encoded ? withEncodedColours(made) : std::move(made));
    }
    Shape shape = image.shape();
    shape.width = shape.height = size;
    Image square = image.withSamples(Buffer(shape));
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < size; ++y) {
                throwIfStopped(stop);
                for (std::int64_t x = 0; x < size; ++x)
                    square.view().at(x, y, z, c) = image.view().at(x % image.shape().width, y % image.shape().height, z, c);
            }
    return std::make_shared<Image>(std::move(square));
}

/// The image with `times` as many rows, or slices of a volume: a synthetic one generated in that size, any other repeated.
ImagePtr grown(const ImagePtr& image, int times, const std::stop_token& stop) {
    if (times == 1) return image;
    const auto grow = [&](Shape shape) {
        (shape.depth > 1 ? shape.depth : shape.height) *= times;
        return shape;
    };
    if (isSynthetic(image->source.path)) {
        SyntheticRequest request = parseSynthetic(image->source.path);
        request.shape = grow(request.shape);
        Image made = makeSynthetic(request, stop);
        return std::make_shared<Image>(image->source.encoded ? withEncodedColours(made) : std::move(made));
    }
    const Shape& shape = image->shape();
    Image repeated = image->withSamples(Buffer(grow(shape)));
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < repeated.shape().depth; ++z)
            for (std::int64_t y = 0; y < repeated.shape().height; ++y) {
                throwIfStopped(stop);
                std::copy_n(image->view().row(y % shape.height, z % shape.depth, c), shape.width, repeated.view().row(y, z, c));
            }
    return std::make_shared<Image>(std::move(repeated));
}

/// Whether the operation accepts this value with the other parameters unchanged.
bool accepts(const Step& step, Problem problem, const std::string& key, const ParameterValue& value) {
    try {
        problem.parameters = step.parameters;
        problem.parameters.set(key, value);
        step.operation->check(problem);
        return true;
    } catch (const Error&) {
        return false;
    }
}

ParameterValue valueOf(double v, bool whole) { return whole ? ParameterValue(static_cast<std::int64_t>(v)) : ParameterValue(v); }

/// Steps of about a half more each, which is what shows how cost grows; odd ones if the present value is odd, since windows with a
/// centre are compared with such.
std::vector<double> suggestedWhole(const ParameterInfo& info, std::int64_t now, const std::function<bool(double)>& fits) {
    static constexpr int kLadder[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 21, 24, 31, 32, 48, 63, 64, 96, 127, 128, 256, 512, 1024};
    const double last = std::min(info.maximum, std::max(31.0, 2.0 * static_cast<double>(now)));
    const bool odd = now % 2 != 0;
    std::vector<double> values;
    for (const int v : kLadder)
        if (v >= info.minimum && v <= last && (v % 2 != 0) == odd && (!odd || v > 1 || info.minimum > 1) && fits(v)) values.push_back(v);
    while (values.size() > kSuggestedValues) values.erase(values.begin() + static_cast<std::ptrdiff_t>(values.size()) / 2);
    return values;
}

/// In equal ratios around the present value where that is positive; else in equal steps over the range, or -1 to 1 of a wide one.
std::vector<double> suggestedReal(const ParameterInfo& info, double now, const std::function<bool(double)>& fits) {
    std::vector<double> values;
    const auto rounded = [](double v) {
        const double unit = std::pow(10.0, std::floor(std::log10(std::max(std::fabs(v), 1e-9))) - 1);
        return std::round(v / unit) * unit;
    };
    if (info.minimum >= 0) {
        const double middle = now > 0 ? now : std::min(1.0, info.maximum);
        for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) values.push_back(rounded(middle * factor));
    } else {
        const double reach = std::min({info.maximum, -info.minimum, std::max(1.0, 2 * std::fabs(now))});
        for (const double share : {-1.0, -0.5, 0.0, 0.5, 1.0}) values.push_back(share == 0 ? 0 : rounded(reach * share));
    }
    std::erase_if(values, [&](double v) { return v < info.minimum || v > info.maximum || !fits(v); });
    return values;
}

std::optional<SweepAxis> parameterAxis(const Step& step, const ParameterInfo& info, const Problem& problem) {
    const bool whole = info.kind == ParameterKind::integer;
    if ((!whole && info.kind != ParameterKind::real) || !step.parameters.isShown(info.key)) return std::nullopt;
    const auto fits = [&](double v) { return accepts(step, problem, info.key, valueOf(v, whole)); };
    const ParameterValue now = step.parameters.get(info.key);
    const std::vector<double> values =
        whole ? suggestedWhole(info, std::get<std::int64_t>(now), fits) : suggestedReal(info, std::get<double>(now), fits);
    if (values.size() < 2) return std::nullopt;
    SweepAxis axis;
    axis.kind = SweepAxis::Kind::parameter;
    axis.key = step.operation->id() + "." + info.key;
    axis.operation = step.operation;
    axis.parameter = &info;
    for (const double v : values) axis.values.push_back(toText(valueOf(v, whole)));
    axis.values.erase(std::unique(axis.values.begin(), axis.values.end()), axis.values.end());
    const auto flops = [&](double v) {
        Problem p = problem;
        p.parameters = step.parameters;
        p.parameters.set(info.key, valueOf(v, whole));
        return step.operation->work(p).flops;
    };
    axis.changesWork = flops(values.front()) != flops(values.back());
    return axis;
}

}  // namespace

void checkSweep(const std::string& sweep, const std::vector<NamedPipeline>& recipes) {
    if (sweep.empty()) return;
    const Sweep parsed = parse(sweep);
    for (const std::string& value : parsed.values) (void)withValue(sweep, parsed.axis, value, {{}, nullptr, recipes, {}});
}

void forEachPoint(const std::string& sweep, const SweepPoint& base,
                  const std::function<bool(const SweepPoint&, const SweepPosition&)>& visit, const std::stop_token& stop) {
    if (sweep.empty()) {
        (void)visit(base, {});
        return;
    }
    const Sweep parsed = parse(sweep);
    std::vector<double> took;
    for (std::size_t i = 0; i < parsed.values.size(); ++i) {
        const auto start = std::chrono::steady_clock::now();
        SweepPoint point = withValue(sweep, parsed.axis, parsed.values[i], base);
        if (parsed.axis == "size") point.input = resized(*base.input, wholeNumber(sweep, parsed.values[i], kLargestSize), stop);
        if (parsed.axis == "weak") point.input = grown(base.input, wholeNumber(sweep, parsed.values[i], kMaxParts), stop);
        if (!visit(point, {i, parsed.values.size(), sweepSecondsLeft(took, parsed.values.size())})) return;
        took.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
}

std::optional<double> sweepSecondsLeft(const std::vector<double>& took, std::size_t count) {
    if (took.empty()) return std::nullopt;
    if (took.size() >= count) return 0;
    const double mean = std::accumulate(took.begin(), took.end(), 0.0) / static_cast<double>(took.size());
    return std::max(mean, took.back()) * static_cast<double>(count - took.size());
}

std::vector<SweepAxis> sweepAxes(const Pipeline& pipeline, const Image& input, int devices) {
    SweepAxis size{.kind = SweepAxis::Kind::size, .key = "size"};
    const std::int64_t extent = std::max(input.shape().width, input.shape().height);
    // A power of two beyond the image, within what a few seconds a point can do; a volume has its depth besides.
    const std::int64_t largest = input.shape().depth > 1 ? 512 : std::clamp<std::int64_t>(2 * extent, 1024, 4096);
    for (std::int64_t n = input.shape().depth > 1 ? 32 : 128; n <= largest; n *= 2) size.values.push_back(std::to_string(n));
    const auto counts = [](SweepAxis::Kind kind, const char* key, int most) {
        SweepAxis axis{.kind = kind, .key = key};
        for (int n = 1; n < most; n *= 2) axis.values.push_back(std::to_string(n));
        axis.values.push_back(std::to_string(most));
        return axis;
    };
    std::vector<SweepAxis> axes{size, counts(SweepAxis::Kind::threads, "threads", effectiveThreads({}))};
    if (devices > 1)
        for (const char* key : {"parts", "weak"}) axes.push_back(counts(SweepAxis::Kind::parts, key, devices));

    std::vector<SweepAxis> others;
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        const Problem problem = makeProblem(input, step.parameters, SampleStatistics{.min = 0, .max = 1, .mean = 0.5});
        for (const ParameterInfo& info : step.operation->parameters().infos()) {
            std::optional<SweepAxis> axis = parameterAxis(step, info, problem);
            const auto listed = [&](const SweepAxis& a) { return axis && a.key == axis->key; };
            if (!axis || std::any_of(axes.begin(), axes.end(), listed) || std::any_of(others.begin(), others.end(), listed)) continue;
            (axis->changesWork ? axes : others).push_back(std::move(*axis));
        }
    }
    axes.insert(axes.end(), others.begin(), others.end());
    return axes;
}

}  // namespace parallax
